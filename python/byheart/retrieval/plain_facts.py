"""The plain fact: what one short sentence says of the present, in one relation, of something that has a name.

A fact that is read in a text is a guess, and what follows from it hides another record. So it counts only where it can
hardly be meant otherwise: no question, denial, condition, wish or report; a verb of the present; an object that is a
name. "I lived in Rome", "I live in fear" and "I live in a small flat" state no fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from .._core import extract_fact, porter_stem, symbol_key
from ..light.expressions import expression

_LEAST_WORDS, MOST_CHARACTERS = 3, 120
_MOST_SUBJECT, _MOST_OBJECT = 4, 6  # words
_DENIALS = frozenset({"not", "never", "no", "nobody", "none", "cannot"})
_OPENERS = frozenset({"if", "when", "while", "where", "who", "how", "why", "because", "that", "what", "whether"})
_ADVERBS = frozenset({"now", "currently", "today", "still", "recently", "presently", "actually"})
_BE = frozenset({"am", "is", "are"})
_NOT_PRESENT = frozenset(
    ("was", "were", "been", "had", "has", "have", "did", "do", "does", "used", "once", "formerly", "previously", "will",
     "would", "shall", "should", "could", "can", "may", "might", "must", "to")
)  # fmt: skip
"""Words that, before the verb, say that something was, may be or shall be."""
_NOT_PRESENT_ENDS = tuple(sign + end for sign in "'\u2019" for end in ("ll", "d", "ve"))
_LINKING = frozenset(
    ("of", "the", "de", "del", "della", "di", "da", "do", "dos", "du", "la", "le", "les", "los", "las", "el", "al",
     "am", "an", "der", "den", "die", "von", "van", "zu", "bei", "im", "in", "on", "upon", "sur", "y", "e", "i", "and")
)  # fmt: skip
"""Words of no capital inside names: Frankfurt am Main, the Isle of Man."""
_INDEFINITE = frozenset({"a", "an", "some", "any", "every", "each", "my", "your", "his", "her", "our", "their", "this"})
_SHORTENED: Final = expression("['\u2019](m|re|s) (?=(?:\\w+ )?\\w+ing )", re.IGNORECASE)
_IN_FULL: Final = {"m": " am ", "re": " are ", "s": " is "}
_BEFORE: Final = expression(r"(?:actually|now|today|well|oh|by the way|btw),? ", re.IGNORECASE)
_BEHIND: Final = expression(
    r",? (?:actually|now|nowadays|today|currently|these days|at the moment|by the way|btw|anyway)$", re.IGNORECASE
)
_LONGEST_BEHIND: Final = 16  # characters
_NOT_THAT: Final = expression(r",(?: and)? (?:not|no longer) (?:[^,.;:!?]|[.:](?=\d))+$", re.IGNORECASE)


def read(text: str, relations: Sequence[str]) -> tuple[str, str, str] | None:
    """Return the fact that one plain sentence states in one of some relations, or None.

    >>> read("I now live in Rome, actually.", ["lives_in"]), read("Ann is living in New York.", ["lives_in"])
    (('i', 'lives_in', 'rome'), ('ann', 'lives_in', 'new york'))
    >>> [read(text, ["lives_in"]) for text in ("I lived in Rome.", "I live in fear.", "I may live in Rome.")]
    [None, None, None]

    """
    words = _sentence(text)
    if words is None:
        return None
    found, lowered = extract_fact(" ".join(words)), [word.lower() for word in words]
    if found is not None and found[1] in relations:
        present = "triggered" not in lowered and _may_be_present(found[0].lower().split())
        return _short(found[0].split(), found[1], found[2].split()) if present else None
    stems = [porter_stem(word) for word in lowered]
    for relation in relations:
        wanted, stem = _words_of(relation)
        for at in range(1, len(words) - len(wanted)):
            if stems[at : at + len(wanted)] == list(stem) and _is_present(lowered, at, wanted):
                return _short(words[:at], relation, words[at + len(wanted) :])
    return None


def _sentence(text: str) -> list[str] | None:
    """Return the words of a text that is one short sentence which asks and denies nothing."""
    if len(text) > MOST_CHARACTERS or text.rstrip().endswith("?"):
        return None
    plain = _SHORTENED.sub(lambda found: _IN_FULL[found[1].lower()], " ".join(text.split()).rstrip(".!"))
    words = without_asides(plain).split()
    if len(words) < _LEAST_WORDS or words[0].lower() in _OPENERS or any(word[-1] in ".!?;:," for word in words):
        return None
    if any(word.lower() in _DENIALS or word.lower().endswith(("n't", "n\u2019t")) for word in words):
        return None
    return words


def without_asides(sentence: str) -> str:
    """Return a sentence, of which the last mark is off, without what is said by the way at its ends.

    >>> without_asides("Actually, my desk is green now, by the way"), without_asides("I live in Lyon, not in Paris")
    ('my desk is green', 'I live in Lyon')
    """
    before = ""
    while sentence != before:  # the ends may say several
        before = sentence
        if (aside := _BEFORE.match(sentence)) is not None:
            sentence = sentence[aside.end() :]
        if (aside := _BEHIND.search(sentence, max(len(sentence) - _LONGEST_BEHIND, 0))) is not None:
            sentence = sentence[: aside.start()] + sentence[aside.end() :]
        if "," in sentence:
            sentence = _NOT_THAT.sub("", sentence)
    return sentence


def _is_present(words: Sequence[str], at: int, wanted: Sequence[str]) -> bool:
    """Return whether words that mean those of a relation do so of the present."""
    verb, before = words[at], words[:at]
    if not _may_be_present(before):
        return False
    itself = words[at : at + len(wanted)] == list(wanted)  # "married to" is past in form alone
    return itself or not (verb.endswith("ed") or (verb.endswith("ing") and _BE.isdisjoint(before)))


def _may_be_present(before: Sequence[str]) -> bool:
    return not any(word in _NOT_PRESENT or word.endswith(_NOT_PRESENT_ENDS) for word in before)


def _short(subject: list[str], relation: str, object: list[str]) -> tuple[str, str, str] | None:
    while subject and subject[-1].lower() in _ADVERBS | _BE:
        subject = subject[:-1]
    while object and object[0].lower() in _ADVERBS:
        object = object[1:]
    while object and object[-1].lower() in _ADVERBS:
        object = object[:-1]
    if not (0 < len(subject) <= _MOST_SUBJECT and 0 < len(object) <= _MOST_OBJECT and _is_name(object)):
        return None
    keys = symbol_key(" ".join(subject)), symbol_key(" ".join(object))
    return (keys[0], relation, keys[1]) if all(keys) else None


def _is_name(words: Sequence[str]) -> bool:
    """Return whether words are a name: each begins with a capital, or with a letter of a script that has none."""
    words = words[1:] if words[0].lower() == "the" else words
    if not words or words[0].lower() in _INDEFINITE or not _begins_name(words[0]) or not _begins_name(words[-1]):
        return False
    return all(_begins_name(word) or word in _LINKING for word in words)


def _begins_name(word: str) -> bool:
    first = word.lstrip("\"'([\u201c\u2018")[:1]
    return first.isalpha() and not first.islower()


@lru_cache(maxsize=256)
def _words_of(relation: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    words = tuple(word for word in relation.lower().split("_") if word)
    return words, tuple(map(porter_stem, words))
