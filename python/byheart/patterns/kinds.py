"""Kinds of things: a record that says "cello" says "instrument", too, and one that says "mum" says "mother".

People tell a thing by its name and ask for it by its kind: "Which instrument do I play?", "What pets does she have?".
Each word of the table (`kind_words`) has the names of its kinds beside it, behind the mark of parts, so that `auto`
alone finds them. A name stands for itself, too: who says "doctor" has it twice, once as said and once as a kind, and
stays before who says "cardiologist".

That adds .0061 to nDCG@10 on locomo-dev, and .023, .027 and .020 to the share of gold turns in a context of 500, 1,000
and 2,000 tokens; on scifact-train, cosqa-dev and jsquad-valid it changes less than .001. Words that say nearly the same
("love" and "like", "plan" and "hope") took away .004 and are left out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from .._core import porter_stem
from ..light.expressions import expression
from .kind_words import KINDS, SAME
from .kind_words_beside import OTHER_KINDS
from .roots import ROOTS, inflected
from .word_forms import BASE_OF, bases_for

if TYPE_CHECKING:
    from .._core import Analyzer

_WORD: Final = expression(r"[^\W\d_]+")


def beside(text: str, analyzer: Analyzer) -> list[str]:
    """Return what each word of a text says beside itself, the bases of irregular forms and kinds, in order.

    >>> from byheart import Analyzer
    >>> beside("The mice have gone, I play the cello, and cello and viola again.", Analyzer())
    ['mouse', 'go', 'instrument', 'instrument']
    >>> beside("I play the cello.", Analyzer(stem=False))
    []
    """
    return beside_words(text) if said_beside(analyzer) else []


def saying(term: str, text: str, analyzer: Analyzer) -> list[str]:
    """Return the words of a text that say a term beside themselves, each once, in order.

    >>> from byheart import Analyzer
    >>> saying("instrument", "An instrument: my cello.", Analyzer())
    ['cello']
    """
    known = said_beside(analyzer)
    words = dict.fromkeys(_words(text)) if known else ()
    return [
        word
        for word in words
        if term in analyzer.terms(" ".join(known.get(word, ()))) and term not in analyzer.terms(word)
    ]


def _words(text: str) -> list[str]:
    return _WORD.findall((text if text.isascii() else unicodedata.normalize("NFC", text)).lower())


def only_of_the_kind(asked: str, one: str, other: str) -> bool:
    """Return whether a text has a word of a question only by a kind, or a word for the same, where another has it.

    >>> only_of_the_kind("when is the shop open?", "The bakery is open.", "The shop is open.")
    True
    >>> only_of_the_kind("when is the shop open?", "The shop is open.", "The bakery is open.")
    False
    """
    known = names_of_kinds()
    stems, own, its = ({porter_stem(word): word for word in _words(text)} for text in (asked, one, other))
    return any(
        porter_stem(name) in stems and porter_stem(name) in its and porter_stem(name) not in own
        for word in own.values()
        for name in known.get(word, ())
    )


def beside_words(text: str) -> list[str]:
    """Return what the words of a text say beside themselves, in English.

    >>> beside_words("Tom took the cello.")
    ['take', 'instrument']
    """
    known = _all_said()
    return [name for word in dict.fromkeys(_words(text)) for name in known.get(word, ())]


def said_beside(analyzer: Analyzer) -> Mapping[str, tuple[str, ...]]:
    """Return what words say beside themselves; none for an analyser without stems."""
    return _all_said() if bases_for(analyzer) else {}


@lru_cache(maxsize=1)
def _all_said() -> Mapping[str, tuple[str, ...]]:
    kinds = names_of_kinds()
    bases = {form: (base, *kinds.get(form, ())) for form, base in BASE_OF.items()}
    return {**kinds, **bases}


@lru_cache(maxsize=1)
def names_of_kinds() -> Mapping[str, tuple[str, ...]]:
    """Return the names of the kinds of each word, in any number; a name is of its own kind.

    >>> names_of_kinds()["cello"], names_of_kinds()["puppies"], names_of_kinds()["instruments"]
    (('instrument',), ('animal', 'pet', 'dog'), ('instrument',))
    """
    forms_of: dict[str, list[str]] = {}
    for form, base in BASE_OF.items():
        forms_of.setdefault(base, []).append(form)
    found: dict[str, dict[str, str]] = {}
    for names, words in _sets():
        terms: dict[str, str] = {}
        for name in names:
            terms.setdefault(porter_stem(name), name)  # "clothes" and "clothing" are one term
        for word in (*names, *words):
            for form in (word, _plural(word), *forms_of.get(word, ())):
                of = found.get(form, {})
                found[form] = of | {term: name for term, name in terms.items() if term not in of} if of else terms
    return {form: tuple(names.values()) for form, names in found.items()}


def _sets() -> Iterable[tuple[list[str], list[str]]]:
    """Give names and what is of their kind; of words that say the same, each is the name of the others."""
    for entry in filter(str.strip, f"{KINDS}{OTHER_KINDS}".split(";")):
        names, words = map(str.split, entry.split(":"))
        yield names, words
    for same in map(str.split, SAME.split(";")):
        for name in same:
            yield [name], same
    for root in map(str.split, ROOTS.split(";")):
        for name in root:
            yield [name], [form for word in root for form in (word, *inflected(word))]


def _plural(word: str) -> str:
    if word[-1] == "y" and word[-2] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "sh", "ch")) else f"{word}s"
