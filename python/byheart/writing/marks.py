"""The marks of one record that others stand in its place, or it in theirs: each function returns the record with more.

`byheart.writing.places` says which records those are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..light.classes import dataclass
from ..records import Record
from ..retrieval import sameness

UNPLACED: Final = {"superseded_by": None, "superseded_at": None, "superseded_from": None, "superseded_to": None}
"""The marks of a record that nothing stands in the place of."""


@dataclass(frozen=True, slots=True)
class Stander:
    """A record that stands in the place of another: since when that is known, and whether by its fact."""

    record: Record
    since: float | None
    by_fact: bool = False


def is_unplaced(record: Record) -> bool:
    """Return whether a record says nothing of what stands in its place."""
    return (
        record.superseded_by is None
        and record.superseded_at is None
        and record.superseded_from is None
        and record.superseded_to is None
    )


def span(record: Record) -> dict[str, float | None]:
    """Return the times for which a record or its successors hold, as marks of the record that it supersedes."""
    return dict(zip(("superseded_from", "superseded_to"), span_of(record), strict=True))


def span_of(record: Record) -> tuple[float | None, float | None]:
    """Return the times for which a record or its successors hold: from and to, None where that is open."""
    ends = [end for end in (record.valid_to, record.expires_at) if end is not None]
    own = record.valid_from, min(ends, default=None)
    if record.superseded_by is None:
        return own
    return _hull(own, (record.superseded_from, record.superseded_to))


def _hull(
    one: tuple[float | None, float | None], other: tuple[float | None, float | None]
) -> tuple[float | None, float | None]:
    begun = None if one[0] is None or other[0] is None else min(one[0], other[0])
    ended = None if one[1] is None or other[1] is None else max(one[1], other[1])
    return begun, ended


def with_stander(record: Record, stander: Stander) -> Record:
    """Return a record in whose place one more stands; the earliest is the one that it says."""
    by, since, times = stander.record.id, stander.since, span_of(stander.record)
    if record.superseded_by is not None:
        times = _hull(times, (record.superseded_from, record.superseded_to))
        at = record.superseded_at
        if since is None or at is None or at <= since:
            by, since = record.superseded_by, at
    if (by, since, *times) == (
        record.superseded_by,
        record.superseded_at,
        record.superseded_from,
        record.superseded_to,
    ):
        return record  # as nearly always, of a row of facts
    return record.completed(superseded_by=by, superseded_at=since, superseded_from=times[0], superseded_to=times[1])


def standing_by_fact(record: Record, ids: Sequence[str]) -> Record:
    """Return a record that stands in the place of some more by its fact."""
    new = [id for id in dict.fromkeys(ids) if id not in record.supersedes]
    if not new:
        return record
    return record.completed(supersedes=(*record.supersedes, *new), contradicts=(*record.contradicts, *new))


def standing_by_name(record: Record, *ids: str) -> Record:
    """Return a record that stands in the place of some more because somebody said so."""
    new = [id for id in ids if id not in record.supersedes]
    return record.completed(supersedes=(*record.supersedes, *new)) if new else record


def names_of(record: Record) -> tuple[str, ...]:
    """Return those in whose place somebody said that a record stands."""
    return tuple(id for id in record.supersedes if id not in record.contradicts)


def without_name(record: Record, id: str) -> Record:
    """Return a record that does not stand in the place of another one any more."""
    return record.completed(
        supersedes=tuple(each for each in record.supersedes if each != id),
        contradicts=tuple(each for each in record.contradicts if each != id),
    )


def said_last(record: Record) -> float:
    """Return when a fact was said last: what is said again holds again, whatever was said in between.

    >>> said_last(Record(text="tea", created_at=3.0)), said_last(Record(text="tea", created_at=3.0, seen_at=9.0))
    (3.0, 9.0)
    """
    return max(record.created_at or 0.0, record.seen_at or 0.0)


def since(later: Record, record: Record) -> float | None:
    """Return since when a fact stands in the place of one that was said before it: when that was first known."""
    return later.created_at if (later.created_at or 0.0) >= said_last(record) else said_last(later)


def row_order(record: Record) -> tuple[float, str]:
    """Return by what facts stand in a row: their time, and their id where it is the same."""
    return said_last(record), record.id or ""


def contradict(one: Record, its: sameness.Fact, other: Record, others: sameness.Fact) -> bool:
    """Return whether two facts say something else of the same, for a time at which both hold.

    What ended before another began contradicts nothing.
    """
    if (its.subject, its.relation) != (others.subject, others.relation) or its.object == others.object:
        return False
    return not any(
        each.valid_to is not None and its.valid_from is not None and each.valid_to <= its.valid_from
        for each, its in ((one, other), (other, one))
    )
