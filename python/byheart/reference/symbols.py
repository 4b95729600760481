"""Names of things, and the facts that sentences state.

A symbol is written as its author wrote it (canonical form) and compared by its key. Two modes: `unicode`, the
default, and `ascii`, the letter of the original, in which a word character is one of `[A-Za-z0-9_]`.
"""
# docs/sources.md: B1.39.

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from .text import _UNICODE_MODE_SPACES as _SPACES
from .text import STOP_WORDS

RELATIONS = (
    "uses",
    "provides",
    "has_capability",
    "depends_on",
    "part_of",
    "instance_of",
    "relevant_for",
    "supports",
    "mentions",
    "about",
    "causes",
)
"""What a fact may say of two things; extended by configuration only."""
# docs/sources.md: B1.40.1.

LONGEST_SENTENCE = 2_000
"""No fact is taken from a text of more characters."""

LONGEST_SYMBOL = 512
"""A symbol has at most so many bytes, as it is given."""

EXTRACTED_CONFIDENCE = 0.9

# In the order in which they are tried. A word in brackets may be missing; "a/an" stands for either.
_PATTERNS = [
    ("uses", "uses"),
    ("provides", "provides"),
    ("has_capability", "has [the] capability [of]"),
    ("depends_on", "depends on"),
    ("part_of", "is part of"),
    ("instance_of", "is a/an instance of"),
    ("relevant_for", "is relevant for"),
    ("relevant_for", "helps with"),
    ("relevant_for", "is useful for"),
    ("supports", "supports"),
    ("supports", "enables"),
    ("mentions", "mentions"),
    ("about", "is about"),
    ("causes", "causes"),
    ("causes", "triggered"),
    ("causes", "leads to"),
]
_LINE_BREAKS = "\n\r\u2028\u2029"


class Statement(NamedTuple):
    """A fact as somebody states it: `confidence` lies in [0, 1]."""

    subject: str
    relation: str
    object: str
    confidence: float = 1.0


def canonical(text: str) -> str:
    """Return a symbol without quotes at its ends and with single spaces.

    >>> canonical('  "Secure   Execution" ')
    'Secure Execution'
    """
    return " ".join(_words(text.strip("".join(_SPACES)).strip("\"'`")))


def symbol_key(text: str, mode: str = "unicode") -> str:
    """Return what a symbol is compared by: lower case, everything but words and hyphens made a space.

    In mode `unicode` a word is made of letters, marks, numbers and `_`, and compatibility forms count as what they
    stand for (NFKC).

    >>> symbol_key('"Secure   Execution!"'), symbol_key("Café"), symbol_key("Café", mode="ascii")
    ('secure execution', 'café', 'caf')
    """
    plain = canonical(text)
    if mode == "unicode":
        plain = unicodedata.normalize("NFKC", plain)
    kept = (c if c == "-" or _is_word(c, mode) else " " for c in plain.lower())
    return " ".join(word for word in "".join(kept).split(" ") if word)


def symbol_tokens(text: str, mode: str = "unicode") -> list[str]:
    """Return the words of a symbol's key, stop words left out, unstemmed, duplicates kept.

    >>> symbol_tokens("the Secure execution"), symbol_tokens("foo_bar")
    (['secure', 'execution'], ['foo', 'bar'])
    """
    spaced = symbol_key(text, mode).replace("_", " ").replace("-", " ")
    return [word for word in spaced.split(" ") if word and word not in STOP_WORDS]


def extract_fact(text: str) -> Statement | None:
    """Return the fact that a sentence states, or None.

    The patterns are tried in order; within one, the first place at which its words stand between two parts that
    each lie on one line. An empty part, or a thing said of itself, leads to the next pattern.

    >>> extract_fact("Model has the capability of reasoning")
    Statement(subject='Model', relation='has_capability', object='reasoning', confidence=0.9)
    >>> extract_fact("Nothing of the kind") is None
    True
    """
    if len(text) > LONGEST_SENTENCE:
        return None
    sentence = text.strip("".join(_SPACES)).rstrip(".?!")
    words, starts_line = _words(sentence), _line_starts(sentence)
    for relation, pattern in _PATTERNS:
        place = _first_place(words, starts_line, pattern.split(" "))
        if place is None:
            continue
        subject, object = (_cleaned(" ".join(part)) for part in (words[: place[0]], words[place[1] :]))
        if subject and object and subject != object:
            return Statement(subject, relation, object, EXTRACTED_CONFIDENCE)
    return None


def _is_word(character: str, mode: str) -> bool:
    if mode == "ascii":
        return character == "_" or (character.isascii() and character.isalnum())
    return character == "_" or unicodedata.category(character)[0] in "LMN"


def _words(text: str) -> list[str]:
    """Split at white space, as Unicode defines it (`str.split` knows four more)."""
    return [word for word in "".join(" " if c in _SPACES else c for c in text).split(" ") if word]


def _line_starts(text: str) -> list[bool]:
    """Say for each word whether a line break stands between it and the word before."""
    marks, broken, inside = [], False, False
    for character in text:
        if character in _SPACES:
            broken, inside = broken or character in _LINE_BREAKS, False
        elif not inside:
            marks.append(broken)
            broken, inside = False, True
    return marks


def _first_place(words: list[str], starts_line: list[bool], pattern: list[str]) -> tuple[int, int] | None:
    """Return where the pattern begins and ends: the first place with a part of one line on either side."""
    for start in range(1, len(words)):
        end = _matched(words, start, pattern)
        if end is not None and not any(starts_line[1:start]) and not any(starts_line[end + 1 :]):
            return start, end
    return None


def _matched(words: list[str], at: int, pattern: list[str]) -> int | None:
    """Return where the pattern ends that begins at a word, if a word is left after it."""
    if not pattern:
        return at if at < len(words) else None
    wanted, rest = pattern[0], pattern[1:]
    optional = wanted.startswith("[")
    same = at < len(words) and words[at].isascii() and words[at].lower() in wanted.strip("[]").split("/")
    end = _matched(words, at + 1, rest) if same else None
    return _matched(words, at, rest) if end is None and optional else end


def _cleaned(part: str) -> str:
    """Return a part of a sentence as a symbol: without quotes, full stops at the end, and a leading "that"."""
    symbol = canonical(part).rstrip(".?!")
    lower = symbol.lower()
    for opening in ("that ", "the fact that "):
        if lower.startswith(opening):
            return symbol[len(opening) :].strip(" ")
    return symbol.strip(" ")
