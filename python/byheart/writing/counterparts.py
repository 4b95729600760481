"""The counterpart of a record: one that a verb may take for it by itself, since it is its owner's and holds now.

What is said again, a claim that is there, what a duplicate repeats, and what keeps a turn from being kept twice: each
verb finds it among many, and nobody has named it. It has to be found by whoever looks for the record, and to hold when
that does; else what was said would be lost, or would stand in another one's record. So one rule is all of theirs.
"""

from __future__ import annotations

from ..index.whose import ACTIVE, TURN
from ..index.whose import over as ended
from ..records import SUMMARY, Record
from ..retrieval import sameness
from ..retrieval.filter.canonical import Canonical, all_of, membership, negated
from .marks import span_of


def is_current(record: Record, now: float) -> bool:
    """Return whether a record stands: it is not archived, nothing stands in its place, and it is not over."""
    over = record.expires_at is not None and record.expires_at <= now
    return record.archived_by is None and record.superseded_by is None and not over


def holds(record: Record, now: float) -> bool:
    """Return whether a record stands and holds at a time.

    >>> holds(Record(text="tea", valid_from=5), 4), holds(Record(text="tea", valid_from=5), 5)
    (False, True)

    """
    begun = record.valid_from is None or record.valid_from <= now
    return begun and (record.valid_to is None or record.valid_to > now) and is_current(record, now)


def is_counterpart(other: Record, record: Record, now: float) -> bool:
    """Return whether one record may be taken for another by itself: it is the same owner's, and is there now.

    A turn is found through its session alone and stands for turns alone; a summary, which goes with each of its
    sources, stands for nothing. Whether it says the same, and from when until when, is the verb's to compare.

    >>> one, other = Record(text="tea", user_id="ann"), Record(text="tea", user_id="bob")
    >>> is_counterpart(one, one, 0.0), is_counterpart(other, one, 0.0)
    (True, False)

    """
    of_a_kind = (other.kind == TURN) == (record.kind == TURN) and other.kind != SUMMARY
    return of_a_kind and sameness.one_owner(other, record) and is_current(other, now)


def counterparts_of(record: Record, now: float) -> Canonical:
    """Return the filter for the counterparts of a record that hold at a time, for searches; but for its tenant.

    A search for the nearest few asks with it: those of other owners would fill its places.
    """
    owner = [
        ("exists", name, False) if (value := getattr(record, name)) is None else membership(name, (value,))
        for name in ("scope", "user_id", "session_id")
    ]
    turn, summary = membership("kind", (TURN,)), membership("kind", (SUMMARY,))
    begins, ends = ("range", "valid_from", now, False, None, False), ("range", "valid_to", None, False, now, True)
    there = [ACTIVE, ("exists", "superseded_by", False), *map(negated, (ended(now), begins, ends))]
    return all_of([*owner, turn if record.kind == TURN else negated(turn), negated(summary), *there])


def lasts(other: Record, record: Record) -> bool:
    """Return whether a record holds whenever another one does.

    >>> ever, soon_over = Record(text="tea"), Record(text="tea", expires_at=5)
    >>> lasts(ever, soon_over), lasts(soon_over, ever)
    (True, False)

    """
    begins, ends = span_of(record)
    its_begin, its_end = span_of(other)
    begun = its_begin is None or (begins is not None and its_begin <= begins)
    return begun and (its_end is None or (ends is not None and ends <= its_end))


def later(one: float | None, other: float | None) -> float | None:
    """Return the later of two ends; without an end, none comes."""
    return None if one is None or other is None else max(one, other)
