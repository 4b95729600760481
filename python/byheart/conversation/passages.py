"""Passages of long texts: the sentences that a question asks about, as many as there is room for.

A passage begins with the sentence that has the most of the question's words, or with the one before it, and says by a
mark what was left out before and behind it. A text that has none of the words is shown from its beginning.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import Final

from ..ingestion.chunking import sentences

BEFORE: Final = "… "
MARK: Final = " …"
_STEPS_BACK: Final = (1, 0, 3)  # sentences before the best one, as tried: what it begins in, itself, more at an end

Span = tuple[int, int]


def passage(
    text: str, room: Fraction, cost: Callable[[str], float], least: float, wanted: Collection[str],
    terms: Callable[[str], Sequence[str]],
) -> tuple[str, float] | None:  # fmt: skip
    """Return the passage of a text that fits, and its cost; None if none does.

    Args:
        text: which does not fit as a whole.
        room: what it may cost.
        cost: of a passage.
        least: what it costs at least: less is of no use.
        wanted: the terms of the question.
        terms: gives the terms of a text.

    >>> text = "We met. It rained. The kettle was blue. It leaked. Then we left."
    >>> passage(text, Fraction(40), len, 5, {"kettle"}, lambda text: text.lower().split())
    ('… It rained. The kettle was blue. …', 35.0)

    """
    if room < least:
        return None
    spans = list(sentences(text))
    best = _best(text, spans, frozenset(wanted), terms)
    for first in dict.fromkeys([*(max(best - back, 0) for back in _STEPS_BACK), 0] if best else [0]):
        found = _longest(text, spans, first, room, cost)
        if found is None or found[1] < least or (first and found[2] <= best):
            continue
        return found[0], float(found[1])
    return None


def _best(text: str, spans: Sequence[Span], wanted: frozenset[str], terms: Callable[[str], Sequence[str]]) -> int:
    """Return the number of the first sentence with the most of the wanted terms."""
    counts = [len(wanted.intersection(terms(text[begin:end]))) for begin, end in spans]
    return max(range(len(counts)), key=lambda at: (counts[at], -at), default=0)


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
