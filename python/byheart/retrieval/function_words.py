"""Function words that say something: "before" and "after", "not" and "only", "and" and "or"; and those that are names.

They are stop words, which no other field holds, so that half of all records is not found by "about". Behind the mark
of parts (`identifiers`) they stand for `auto` alone, as light terms: one adds to the score of a record that another
word of the question finds, and finds none itself.

Left out are those that say next to nothing about what a text is about: articles, pronouns, question words, the forms
of "be", "have" and "do", modals, and the nine shortest prepositions. But in capitals amid a text they are names, and
light terms, too: "gate A", "World War I", "the WHO conference".
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from ..light.expressions import expression
from ..patterns.letters import small_words

if TYPE_CHECKING:
    from .._core import Analyzer

_WORDS: Final = """
about above after before below between down during into out over through under until up
and or but nor so if then than because while
not no too very just again all also any both each few further here more most now only other own same some such there
"""
WORDS: Final = frozenset(_WORDS.split())
"""All are stop words of the analyser.

By `byheart eval` they add to nDCG@10 .0067 on locomo-dev (± .0054), .0116 on cosqa-dev (± .0078) and .0010 on
scifact-train (± .0026), with WordLlama .0084 (± .0051), .0043 (± .0064) and .0008 (± .0045), and nowhere less than 0 on
either half of the questions. Before a record had to hold another word of the question, pronouns, "be", "have", "do" and
question words took .02 to .03 from locomo-dev; the nine shortest prepositions gave .003 there and took .001 from
cosqa-dev, at the price of lists that nearly all records are on.
"""

_AROUND: Final = ".,;:!?\"'()[]"
"""What may stand around a name."""
_MAYBE: Final = expression(r"[A-Z]['’]?[A-Z]|\b[AI]\b")
"""What each name in capitals has in it: most texts have none."""
_ON: Final = ",;:)"
"""What no sentence ends with."""


def function_words(text: str, analyzer: Analyzer) -> list[str]:
    """Return the function words of a text that say something, in order; none where stop words are terms like others.

    >>> from byheart import Analyzer
    >>> function_words("Not before lunch, and not at home", Analyzer())
    ['not', 'before', 'and', 'not']
    >>> function_words("Not before lunch", Analyzer(stop_words=None))
    []
    """
    words = light_for(analyzer)
    if not words:
        return []
    return [*filter(words.__contains__, small_words(text)), *names_in_capitals(text)]


def names_in_capitals(text: str) -> list[str]:
    """Return the stop words, but for those that are light, that a text writes as a name, in lower case and in order.

    "A" behind what ends no sentence; "I" behind a capitalised word that begins none; longer ones in capitals. Of a text
    all in capitals there is none.

    >>> names_in_capitals("Gate A is for the WHO; World War I ended. A visitor and I left.")
    ['a', 'who', 'i']

    """
    if text[1:].islower() or _MAYBE.search(text) is None or text.isupper():
        return []
    words, found = text.split(" "), list[str]()
    for at, word in enumerate(words):
        name = word.strip(_AROUND)
        if name == "A":
            is_name = at > 0 and _goes_on(words[at - 1])
        elif name == "I":
            is_name = at > 1 and _is_capitalised(words[at - 1]) and _goes_on(words[at - 2])
        else:
            is_name = len(name) > 1 and name.isascii() and name.isupper() and name.lower() in _capitals()
        if is_name:
            found.append(name.lower())
    return found


def _goes_on(word: str) -> bool:
    """Return whether a sentence goes on behind a word."""
    return word != "" and (word[-1] in _ON or word[-1].isalnum())


def _is_capitalised(word: str) -> bool:
    return len(word) > 1 and word.isascii() and word.isalpha() and word[0].isupper()


@cache
def _stop_words() -> frozenset[str]:
    from .._core import stop_words

    return frozenset(stop_words())


@cache
def _capitals() -> frozenset[str]:
    return _stop_words() - WORDS


@lru_cache(maxsize=16)
def stop_words_of(analyzer: Analyzer) -> frozenset[str]:
    """Return the words that an analyser has no term for, as they are written; none where they are terms like others."""
    words = _stop_words() if light_for(analyzer) else ()
    return frozenset(form for word in words for form in (word, word.capitalize(), word.upper()))


@lru_cache(maxsize=16)
def light_for(analyzer: Analyzer) -> frozenset[str]:
    """Return the function words that are light terms; none where stop words are terms like others."""
    return WORDS if "+english+" in analyzer.name else frozenset()
