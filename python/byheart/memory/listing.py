"""The listing that the directory can do alone: the first records of an order, and how many have each value.

Only what the directory keeps as it is shown is answered so: times that no use changes, and names that no policy
redacts. Of everything else records are read.
"""

from __future__ import annotations

from heapq import nsmallest
from math import inf
from typing import TYPE_CHECKING, Final

from ..boundary import Boundary
from ..index.indexes import Indexes
from ..retrieval.filter.canonical import Canonical, all_of
from ..storage import Key
from .page import Order, Place

if TYPE_CHECKING:
    from ..retrieval.filter.canonical import Value

TIMES: Final = frozenset({"created_at", "updated_at", "expires_at"})
_NUMBER: Final = 2  # what `Order.place` says of a number
NAMES: Final = frozenset({"user_id", "session_id", "kind", "ku_type"})


def first_keys(
    indexes: Indexes, inside: Boundary, filter: Canonical | None, order: Order, start: Place | None, most: int
) -> list[Key] | None:
    """Return the keys of the first records of an order, behind a place if one is given; the caller has the lock.

    None where the directory does not have the order.
    """
    if order.field not in TIMES or (start is not None and not start[0] and start[1] != _NUMBER):
        return None
    partition, sign = indexes[inside.tenant], -1.0 if order.down else 1.0
    rows = partition.rows_in(inside, filter)
    times = partition.column_of(order.field, rows)
    ranks = [inf if time is None else sign * time for time in times]  # records without a value come last
    begin = -inf if start is None else inf if start[0] else sign * start[2]
    there = [at for at, rank in enumerate(ranks) if rank >= begin]
    if len(there) > most:
        tied = sum(ranks[at] == begin for at in there)  # of which some may lie before the place
        bound = nsmallest(most + tied, [ranks[at] for at in there])[-1]
        there = [at for at in there if ranks[at] <= bound]
    placed: list[tuple[Place, Key]] = []
    for at, key in zip(there, indexes.keys(inside.tenant, [rows[at] for at in there]), strict=True):
        missing, kind = times[at] is None, 0 if times[at] is None else _NUMBER
        place: Place = (missing, kind, times[at], key.id, key.scope, key.boundary_class)
        if start is None or order.after(place, start):
            placed.append((place, key))
    placed.sort(key=lambda each: (each[0][0], sign * (each[0][2] or 0.0), each[0][3:]))
    return [key for _, key in placed[:most]]


def counts(indexes: Indexes, inside: Boundary, filter: Canonical | None, field: str) -> dict[Value | None, int] | None:
    """Return how many records have each value of a field; None where the directory cannot say. The caller has the lock.

    Each of these fields has one value at most.
    """
    if field not in NAMES:
        return None
    partition = indexes[inside.tenant]
    found: dict[Value | None, int] = dict(partition.counts_in(inside, field, filter))
    absent: Canonical = ("exists", field, False)
    without = partition.count_in(inside, absent if filter is None else all_of([filter, absent]))
    return {**found, None: without} if without else found
