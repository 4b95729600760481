"""The standing of records: which are superseded, and which hold at a time, as filters over the directory.

A record that another stands in the place of, or that does not hold at the time of the question, is kept and left out,
as one that has ended is: the core takes it out before anything is searched, and nothing follows from it.
`byheart.reference.standing` says the same of one record at a time.
"""

from __future__ import annotations

from typing import Final

from ..records import Record
from ..retrieval.filter.canonical import Canonical, all_of, any_of, negated

SUPERSEDED: Final[Canonical] = ("exists", "superseded_by", True)
"""Whether another record stands in its place."""

DATED: Final[Canonical] = any_of(
    [("exists", field, True) for field in ("valid_from", "valid_to", "superseded_from", "superseded_to")]
)
"""Whether it says from when or until when it holds, or another one in its place."""


SAID_SINCE: Final = "said since"
"""The field of the directory since when a record says what it says, if it said something else before; no filter of a
user can name it."""


def said_since(record: Record) -> float | None:
    """Return since when a record says what it says; None if it never said anything else.

    >>> changes = [(1.0, "remembered", ()), (5.0, "updated", ("text",)), (9.0, "updated", ("importance",))]
    >>> said_since(Record(text="tea", revisions=changes)), said_since(Record(text="tea", revisions=changes[:1]))
    (5.0, None)

    """
    if not record.revisions:
        return None
    at, how, _ = next(filter(record.says_since, reversed(record.revisions)), record.revisions[0])
    return None if how == "remembered" else at  # the first that is known where others were dropped


def changed_later(as_of: float) -> Canonical:
    """Return the filter for the records that were made by a time, and say something else since."""
    return all_of([negated(_after("created_at", as_of)), _after(SAID_SINCE, as_of)])


def _after(field: str, time: float) -> Canonical:
    return ("range", field, time, False, None, False)


def gone(
    at: float | None, as_of: float | None, *, dated: bool, superseded: bool, changed: bool = True
) -> Canonical | None:
    """Return the filter for the records that are left out; None where no rule leaves out any.

    Args:
        at: the time at which records have to hold; None where none says when it does.
        as_of: the time at which they have to be known, too; None for now.
        dated: whether a record says when it holds.
        superseded: whether a record is superseded and those that are shall be left out.
        changed: whether those are left out that were known then, and said something else.

    >>> gone(9.0, None, dated=False, superseded=True)
    ('exists', 'superseded_by', True)
    >>> gone(None, None, dated=False, superseded=False) is None
    True

    """
    parts: list[Canonical] = []
    if superseded:
        replaced: list[Canonical] = [SUPERSEDED]
        if as_of is not None:
            since: list[Canonical] = [("range", "superseded_at", None, False, as_of, True)]
            since.append(("exists", "superseded_at", False))  # nobody knows since when
            replaced.append(any_of(since))
        if dated and at is not None:  # what stands in its place holds then
            replaced.append(negated(("range", "superseded_from", at, False, None, False)))
            replaced.append(negated(("range", "superseded_to", None, False, at, True)))
        parts.append(all_of(replaced))
    if dated and at is not None:
        parts.append(("range", "valid_from", at, False, None, False))
        parts.append(("range", "valid_to", None, False, at, True))
    if as_of is not None:
        parts.append(_after("created_at", as_of))
        if changed:
            parts.append(_after(SAID_SINCE, as_of))
    return any_of(parts) if parts else None
