"""Passages of long texts: the sentences that a question asks about, as many as there is room for.

A passage begins with the sentence that has the most of the question's words, or with the one before it, and says by a
mark what was left out before and behind it. A text that has none of the words is shown from its beginning. Of a
sentence that has no room, which a list, a log or a program is to whoever looks for full stops, each line counts as one,
and of a long line some words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Final, TypeAlias

from ..ingestion.chunking import sentences
from ..light.expressions import expression
from ..retrieval.identifiers import parts_of

BEFORE: Final = "… "
MARK: Final = " …"
_STEPS_BACK: Final = (1, 0, 3)  # sentences before the best one, as tried: what it begins in, itself, more at an end

_LINE: Final = expression(r"\S[^\r\n]*")
_WORDS: Final = expression(
    r"\S.{0,60}[\s,;|、，；}\])]|\S.{0,60}(?![\u0300-\u036f\u200d\ufe0f])",
    re.DOTALL,  # else amid a word, not amid a letter
)
_SHORT: Final = 80  # characters: what is shorter is one piece

Span = tuple[int, int]
Terms: TypeAlias = Callable[[str], Sequence[str]]


def passage(
    text: str, room: Fraction, cost: Callable[[str], float], least: float, question: str, terms: Terms
) -> tuple[str, float] | None:
    """Return the passage of a text that fits, and its cost; None if none does.

    Args:
        text: which does not fit as a whole.
        room: what it may cost.
        cost: of a passage.
        least: what it costs at least: less is of no use.
        question: what is asked.
        terms: gives the terms of a text.

    >>> text = "We met. It rained. The kettle was blue. It leaked. Then we left."
    >>> passage(text, Fraction(40), len, 5, "which kettle?", lambda text: text.lower().strip("?").split())
    ('… It rained. The kettle was blue. …', 35.0)

    """
    if room < least:
        return None
    spans = list(_pieces(text, room, cost))
    best = _best(text, spans, question, terms)
    for first in dict.fromkeys([*(max(best - back, 0) for back in _STEPS_BACK), 0] if best else [0]):
        found = _longest(text, spans, first, room, cost)
        if found is None or found[1] < least or (first and found[2] <= best):
            continue
        return found[0], float(found[1])
    return None


def _pieces(text: str, room: Fraction, cost: Callable[[str], float]) -> Iterator[Span]:
    """Yield the sentences of a text, and of those that have no room the lines, or some words at a time."""
    for begin, end in sentences(text):
        if end - begin <= _SHORT or cost(text[begin:end]) <= room:
            yield begin, end
            continue
        for line in _LINE.finditer(text, begin, end):
            if line.end() - line.start() <= _SHORT:
                yield line.span()
            else:
                yield from (some.span() for some in _WORDS.finditer(text, *line.span()))


def _best(text: str, spans: Sequence[Span], question: str, terms: Terms) -> int:
    """Return the number of the piece with the most of the question's words, of several with the rarest one."""
    wanted = _words(question, terms)
    said = [wanted.intersection(_words(text[begin:end], terms)) for begin, end in spans]
    often = Counter(chain.from_iterable(said))
    rarest = [min((often[word] for word in words), default=0) for words in said]
    return max(range(len(said)), key=lambda at: (len(said[at]), -rarest[at], -at), default=0)


def _words(text: str, terms: Terms) -> frozenset[str]:
    """Return the terms of a text, with those of what marks join, as in programs and tables."""
    return frozenset(terms(text)).union(terms(" ".join(parts_of(text))))


def _longest(
    text: str, spans: Sequence[Span], first: int, room: Fraction, cost: Callable[[str], float]
) -> tuple[str, Fraction, int] | None:
    """Return the longest run of sentences from one on that fits, its cost, and the number of the sentence behind it."""
    ends = range(first + 1, len(spans) + (first > 0))
    prices: dict[int, Fraction] = {}

    def shown(end: int) -> str:
        before, behind = BEFORE if first else "", MARK if end < len(spans) else ""
        return before + text[spans[first][0] if first else 0 : spans[end - 1][1]].rstrip() + behind

    def price(end: int) -> Fraction:
        if end not in prices:
            prices[end] = Fraction(cost(shown(end)))
        return prices[end]

    place = bisect_right(ends, room, key=price)  # what lies before it was looked at, so that it fits whatever estimates
    return (shown(ends[place - 1]), price(ends[place - 1]), ends[place - 1]) if place else None
