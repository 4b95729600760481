"""The last turns of a session: as many as somebody wants, in a time that the length of the conversation has no part in.

As in compaction, a turn is any record of the session that is no summary, and that none stands for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from ..boundary import Boundary
from ..light.classes import dataclass
from ..records import SUMMARY, Record
from ..retrieval.filter.canonical import Canonical, all_of, membership, negated
from ..storage import by_id, key_of
from . import standing, whose
from .indexes import Indexes
from .partition import Partition
from .selection import at_once

_BUNDLE = "bundle"  # the key of metadata by which turns belong together
_SLACK = 4  # times as many as were asked for may be read
_STEP = 60.0  # seconds: the first step back in time
_LONGEST = 1e13  # seconds: nothing that is remembered lies further away


@dataclass(frozen=True, slots=True)
class Told:
    """The end of a conversation.

    Attributes:
        turns: its last ones, oldest first: at least as many as were asked for, or all.
        total: how many there are.
        begun_before: the bundles of these turns of which more lies before them.

    """

    turns: tuple[Record, ...]
    total: int
    begun_before: frozenset[str] = frozenset()

    @property
    def whole(self) -> bool:
        """Whether these are all."""
        return len(self.turns) >= self.total


def bundle_of(turn: Record) -> str | None:
    """Return the bundle that a turn must not be parted from."""
    bundle = turn.metadata.get(_BUNDLE)
    return bundle if isinstance(bundle, str) else None


def last_turns(
    indexes: Indexes,
    boundary: Boundary,
    session_id: str,
    wanted: int,
    now: float,
    without: Collection[str] = (),
    *,
    user_id: str | None = None,
    as_of: float | None = None,
    include_superseded: bool = False,
    among: Canonical | None = None,
) -> Told:
    """Return the last turns of a session that lie inside a boundary, as of one moment; those that are over are none.

    Nor are those that are superseded, do not hold at the time, or are another user's: names of sessions are not unique.

    Args:
        indexes: of the store.
        boundary: what can be seen.
        session_id: whose turns.
        wanted: how many, at least 1.
        now: the time to measure against.
        without: ids of records that do not count.
        user_id: for whom; None: whoever told them.
        as_of: the time of what was known, as of a question; None for now.
        include_superseded: whether those that are superseded count.
        among: the filter of a question; None: all count.

    Raises:
        StoreBusy: other processes wrote to the store whenever it was read.

    """
    kept = [whose.of_session(session_id), whose.ACTIVE, negated(membership("kind", (SUMMARY,)))]
    if user_id is not None:
        kept.append(whose.of_user_or_none(user_id))
    if among is not None:
        kept.append(among)
    at = now if as_of is None else as_of
    alive = [*kept, negated(whose.over(at)), *([negated(whose.one_of(sorted(without)))] if without else [])]

    def read() -> Told:
        partition = indexes[boundary.tenant]
        inside = partition.whole(boundary)
        cells, superseded = inside.cells, inside.superseded and not include_superseded
        gone = standing.gone(at, as_of, dated=inside.dated, superseded=superseded)
        kept = alive if gone is None else [*alive, negated(gone)]

        def count(*more: Canonical) -> int:
            return partition.core.count(all_of([*kept, *more]), cells)

        total = count()
        rows = _rows(partition, cells, kept, wanted, lambda since: count(_from(since)), total, now)
        found = [record for record in indexes.stored(boundary.tenant, rows) if record is not None]
        found.sort(key=lambda record: (record.created_at or 0.0, by_id(key_of(record))))
        begun: set[str] = set()
        if len(found) < total:
            own = [bundle for turn in found if (bundle := bundle_of(turn)) is not None]
            begun = {name for name in set(own) if count(membership(f"metadata.{_BUNDLE}", (name,))) > own.count(name)}
        return Told(tuple(found), total, frozenset(begun))

    return at_once(indexes, read)


def _from(since: float, until: float | None = None, *, inclusive: bool = True) -> Canonical:
    return ("range", "created_at", since, inclusive, until, True)


def _rows(
    partition: Partition,
    cells: list[str],
    kept: list[Canonical],
    wanted: int,
    count: Callable[[float], int],
    total: int,
    now: float,
) -> list[str]:
    """Return the rows of the last turns: not many more than are wanted, or all if there are no more."""
    if total <= wanted * _SLACK:
        return partition.rows(all_of(kept), cells)
    since = _since(count, wanted, now)
    if count(since) <= wanted * _SLACK:
        return partition.rows(all_of([*kept, _from(since)]), cells)
    newer = partition.rows(all_of([*kept, _from(since, inclusive=False)]), cells)
    told_then = partition.rows(all_of([*kept, _from(since, since)]), cells)  # at one moment: ids are their order
    return [*told_then[len(newer) - wanted :], *newer]


def _since(count: Callable[[float], int], wanted: int, now: float) -> float:
    """Return a time from which on there are turns enough, and not many more; or else the latest such time there is."""
    few, step = now, _STEP
    while count(few) >= wanted and step < _LONGEST:  # turns of the future
        few, step = few + step, step * _SLACK
    enough, step = few - _STEP, _STEP
    while count(enough) < wanted and step < _LONGEST:
        few, enough, step = enough, enough - step, step * _SLACK
    while count(enough) > wanted * _SLACK:
        middle = enough + (few - enough) / 2
        if not enough < middle < few or not math.isfinite(middle):
            break
        if count(middle) >= wanted:
            enough = middle
        else:
            few = middle
    return enough
