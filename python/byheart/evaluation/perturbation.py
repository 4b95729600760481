"""Queries made worse on purpose, the same way on every run: misspelled, or shortened to their rarest words.

They keep the judgements of the queries they are made of, and show what a retriever does when words do not match.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping

from .._core import Analyzer, stop_words

LONG_WORD = 5  # letters; shorter words are typed right more often, and leave little to recognise
_WORD = re.compile(r"[^\W\d_]+")
_STOP_WORDS = frozenset(stop_words())


def misspell(text: str, seed: str) -> str:
    """Return the text with one letter swapped, left out or replaced in each content word of 5 letters or more.

    A content word is a run of letters that is no English stop word. Equal text and seed give an equal result,
    on every version of Python: only `random()` is drawn from, which is documented to stay the same.

    >>> misspell("When is the kettle descaled?", "7/q1")
    'When is the kettlq descaed?'
    """
    draw = random.Random(seed).random

    def damaged(match: re.Match[str]) -> str:
        word = match.group()
        return word if len(word) < LONG_WORD or word.lower() in _STOP_WORDS else _damage(word, draw(), draw(), draw())

    return _WORD.sub(damaged, text)


def _damage(word: str, kind: float, place: float, letter: float) -> str:
    """Return the word with one edit; the arguments lie in [0, 1) and choose it."""
    if kind < 1 / 3:
        # Swapping equal neighbours would change nothing; a word of one repeated letter falls through.
        places = [at for at in range(len(word) - 1) if word[at] != word[at + 1]]
        if places:
            at = places[int(place * len(places))]
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    at = int(place * len(word))
    if kind < 2 / 3:
        return word[:at] + word[at + 1 :]
    others = [other for other in string.ascii_lowercase if other != word[at].lower()]
    return word[:at] + others[int(letter * len(others))] + word[at + 1 :]


def rarest_words(text: str, count: int, document_frequency: Mapping[str, int], analyzer: Analyzer) -> str:
    """Return the `count` words of a query that the fewest documents hold, in the query's own order.

    A word is as rare as the rarest of its terms. Words that no document holds are left out: this is a query of a
    few telling words, not one of wrong words. The result is empty if no word of the query is known.

    >>> rarest_words("when is the old kettle descaled", 1, {"old": 9, "kettl": 2}, Analyzer())
    'kettle'
    """
    rarity: dict[str, int] = {}
    for word in dict.fromkeys(text.split()):
        known = [document_frequency[term] for term in analyzer.terms(word) if document_frequency.get(term)]
        if known:
            rarity[word] = min(known)
    chosen = sorted(rarity, key=lambda word: rarity[word])[:count]
    return " ".join(word for word in rarity if word in chosen)
