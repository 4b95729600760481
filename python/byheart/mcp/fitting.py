"""The fitting of hits into a number of tokens: whole texts, and of long ones the passage that was asked about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from ..recall.answers import Recall
from .showing import CHARACTERS

LEAST = 16
"""Tokens: less of a long text is not worth its place."""

_PER_TOKEN = 4  # characters, where text is written with spaces


def fitting(found: Recall, query: str, budget: float, terms: Callable[[str], Sequence[str]]) -> dict[int, str]:
    """Return what is shown of the hits that fit, by their place, best first: no more than `budget` tokens in all.

    What is longer than 4,000 characters is cut to the passage that has most of the question's words; so is the best hit
    where it does not fit, within its sentence if need be. Others that do not fit are passed over.

    Args:
        found: the answer.
        query: what was asked.
        budget: in tokens, as `byheart.ranking.tokens.HostTokens` counts them.
        terms: gives the terms of a text.

    """
    from ..conversation.passages import passage
    from ..ranking.tokens import HostTokens

    tokens = HostTokens()

    def cost(text: str) -> float:
        return max(tokens.count(text), len(text) / _PER_TOKEN)

    left, shown = float(budget), dict[int, str]()
    for place, hit in enumerate(found.hits):
        text = hit.record.gist()
        is_long = len(text) > CHARACTERS
        if is_long or tokens.count(text) > left:
            if shown and not is_long:
                continue
            room = min(left, CHARACTERS / _PER_TOKEN)
            part = passage(text, Fraction(room), cost, LEAST, query, terms)
            if part is None and shown:
                continue
            text = _begun(text, room, cost) if part is None else part[0]
        shown[place] = text
        left -= tokens.count(text)
    return shown


def _begun(text: str, room: float, cost: Callable[[str], float]) -> str:
    """Return as much of the beginning as there is room for."""
    low, high = 0, min(len(text), CHARACTERS)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost(text[:middle] + " …") <= room else (low, middle - 1)
    return text[:low] + " …"
