"""The recent tail: the last turns of a conversation, kept word for word.

What lies in it is neither compacted nor searched for: it stands in the prompt as it is. A request and its response, a
bundle, stay together. Pure: turns and their costs in, ids out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..validation import shortly

LEAST_TURNS = 4
BUDGET = 128


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: its id, its cost in tokens, and the bundle that it must not be parted from."""

    id: str
    cost: float
    bundle: str | None = None


@dataclass(frozen=True, slots=True)
class RecentTail:
    """Ids in the order of the conversation: what lies before the tail, its last turns, and the whole tail."""

    older: tuple[str, ...]
    base: tuple[str, ...]
    recent: tuple[str, ...]


def recent_tail(turns: Iterable[Turn], least: int = LEAST_TURNS, budget: float = BUDGET) -> RecentTail:
    """Return the tail: the last `least` turns whatever they cost, and as many more as the whole still fits the budget.

    It grows backwards, bundle by bundle, and stops at the first that does not fit.

    Raises:
        InvalidArgument: a cost or the budget is negative or no number, or `least` is negative.

    >>> recent_tail([Turn("a", 9), Turn("b", 2), Turn("c", 2)], least=1, budget=4).recent
    ('b', 'c')

    """
    turns = list(turns)
    for what, value in [("least", least), ("budget", budget), *((f"cost of {turn.id!r}", turn.cost) for turn in turns)]:
        if not 0 <= value < math.inf:  # NaN fails here too
            raise InvalidArgument(f"{what}: is {shortly(value)}; give a number of at least 0")
    first: dict[str, int] = {}
    for place, turn in enumerate(turns):
        if turn.bundle is not None:
            first.setdefault(turn.bundle, place)
    base = max(len(turns) - least, 0)
    start = _whole(turns, first, base, len(turns))
    spent = math.fsum(turn.cost for turn in turns[start:])
    while start > 0:
        further = _whole(turns, first, start - 1, start)
        spent = math.fsum((spent, *(turn.cost for turn in turns[further:start])))
        if spent > budget:
            break
        start = further
    ids = tuple(turn.id for turn in turns)
    return RecentTail(ids[:start], ids[base:], ids[start:])


def _whole(turns: list[Turn], first: dict[str, int], start: int, end: int) -> int:
    """Return where a part has to begin so that no bundle in it was begun before; looks at each turn once."""
    place = end
    while place > start:
        place -= 1
        bundle = turns[place].bundle
        if bundle is not None:
            start = min(start, first[bundle])
    return start
