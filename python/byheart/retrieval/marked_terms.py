"""The terms of parts and other forms of words, which bear a mark: so they are no other field's terms.

Beside the parts of identifiers these are words without their accents, since many a question is typed without: "cafe"
finds "café", too, and "Mueller" finds "Müller"; the bases of irregular forms (`patterns.word_forms`), the names of
kinds (`patterns.kinds`), and function words that say something (`function_words`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from .._core import Marking
from ..light.expressions import expression
from ..patterns.kinds import beside, said_beside
from ..patterns.state_words import state_words
from ..patterns.word_forms import bases_for
from .function_words import function_words, light_for
from .identifiers import parts_of, parts_plainly
from .plain_forms import clock_times, unaccented, unbroken

if TYPE_CHECKING:
    from .._core import Analyzer

MARK: Final = "\ua7fb"
"""A letter that stands before the terms of parts, and in no text: analysis leaves such a word as it is."""

_APOSTROPHE: Final = expression("(?<=[A-Za-z])\u2019(?=[A-Za-z])")
"""As it is printed, between letters: there it is read as the one that is typed."""


def marked(text: str, analyzer: Analyzer) -> str:
    """Return the terms of the parts, words without accents, bases, kinds and function words, each with the mark.

    They are one text, which is empty where there are none.

    >>> from byheart import Analyzer
    >>> marked("Call findUserName before.", Analyzer()).replace(MARK, "*")
    '*find *user *name *before'
    """
    marking = _marking(analyzer)
    if marking is None:
        return ""
    made = marking.marked(text if text.isascii() else _APOSTROPHE.sub("'", text))
    if made is None:
        return marked_plainly(text, analyzer)
    times = clock_times(text)
    return " ".join(filter(None, [made, *_marked_terms(times, analyzer)])) if times else made


def marked_plainly(text: str, analyzer: Analyzer) -> str:
    """Return what `marked` does, of text in any writing; where it is of ASCII alone the core finds the same.

    So it does where besides there are apostrophes as they are printed, between two such letters.

    >>> from byheart import Analyzer
    >>> marked_plainly("We went to the fiancé", Analyzer()).replace(MARK, "*")
    '*fianc *go'
    """
    whole = unbroken(text)
    parts = [*parts_plainly(text), *unaccented(" ".join([text, *whole])), *whole, *beside(text, analyzer)]
    light = [MARK + term for term in function_words(text, analyzer)]
    return " ".join([*_marked_terms(parts, analyzer), *light, *_marked_terms(clock_times(text), analyzer)])


def _marked_terms(words: Sequence[str], analyzer: Analyzer) -> list[str]:
    return [MARK + term for term in analyzer.terms(" ".join(words))]


@lru_cache(maxsize=16)
def _marking(analyzer: Analyzer) -> Marking | None:
    """Return what finds them in texts of ASCII; None for an analyser that takes the mark off, as one of ASCII alone."""
    if analyzer.terms(MARK + "a") != [MARK + "a"]:
        return None
    return Marking(analyzer, MARK, said_beside(analyzer), sorted(light_for(analyzer)))


def marked_states(text: str, analyzer: Analyzer) -> list[str]:
    """Return the terms of the verbs of states that a text says in other words, each with the mark.

    >>> from byheart import Analyzer
    >>> [term.replace(MARK, "*") for term in marked_states("I moved to Bonn.", Analyzer())]
    ['*live']
    """
    verbs = state_words(text)
    if not verbs or not bases_for(analyzer):
        return []
    return [MARK + term for term in analyzer.terms(" ".join(verbs))]


def all_marked(text: str, analyzer: Analyzer) -> str:
    """Return all terms of a text that can bear the mark, and those that `marked` gives it, each once.

    Runs of writing without spaces cannot: a letter before them parts them otherwise.

    >>> from byheart import Analyzer
    >>> all_marked("umbrella, well-known umbrellas", Analyzer()).replace(MARK, "*")
    '*umbrella *well *known *know'
    """
    more = [*parts_of(text), *unaccented(text), *unbroken(text), *beside(text, analyzer), *clock_times(text)]
    terms = dict.fromkeys(analyzer.terms(" ".join([text, *more])))
    marks = {term: MARK + term for term in terms}
    return " ".join(mark for mark in marks.values() if analyzer.terms(mark) == [mark])
