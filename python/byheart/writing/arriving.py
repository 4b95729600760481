"""The arrival of records as they are, from a file: what hides one of them is there, and is not hidden by it in turn.

Nothing follows from such records, since they say themselves how they stand. What they say has to be so: else a ring of
them would be stored and found by nobody. A file may be of a part of a memory: what hid one of its records there and is
not here hides nothing here, as if it had been forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..errors import InvalidArgument, RecordNotFound
from ..records import Record
from ..storage import Key, key_of
from .change import Change
from .marks import UNPLACED, Stander, row_order, with_stander
from .standing import Standing


def settle_arriving(records: Sequence[Record], standing: Standing, change: Change) -> list[Record]:
    """Return records that come as they are without the marks of what is neither there nor among them.

    The caller has the lock.

    Args:
        records: complete.
        standing: of the call.
        change: their write, which then puts what is returned, and depends on what was looked up.

    Raises:
        InvalidArgument: one stands behind what is another user's, or lies in another cell; or some stand behind each
            other in a ring.

    """
    standing.named.expect(records)
    settled = [_released(record, standing, change) if _is_hidden(record) else record for record in records]
    for record, was in zip(settled, records, strict=True):
        if record is not was:
            key = key_of(record)
            change.put[key] = record
            if key in change.made:
                change.made[key] = record
    _check_hidden(settled, standing, change)
    return settled


def _released(record: Record, standing: Standing, change: Change) -> Record:
    """Return a record without the marks of what is not there; the next that stands in its place does so from now on."""
    if _stands_so(record, change.instead.get(key_of(record))):
        return record
    named, changed = standing.named, record
    if record.archived_by not in (None, record.id) and named.lacks(record, record.archived_by or ""):
        change.absent.append(key_of(record)._replace(id=record.archived_by or ""))
        changed = changed.completed(archived_by=None)
    if record.superseded_by is not None and named.lacks(record, record.superseded_by):
        change.absent.append(key_of(record)._replace(id=record.superseded_by))
        changed = changed.completed(**UNPLACED)
        for each in sorted(named.in_place_of(record), key=row_order):
            changed = with_stander(changed, Stander(each, each.created_at))
    return changed


def _check_hidden(records: Sequence[Record], standing: Standing, change: Change) -> None:
    """Refuse records that stand behind what they cannot. Errors as in `settle_arriving`."""
    marked = [each for each in records if _is_hidden(each)]
    if not marked:
        return
    behind: dict[Key, list[Key]] = {}
    waiting: list[Record] = []
    for record in marked:
        if _stands_so(record, change.instead.get(key_of(record))):
            waiting.append(record)
            continue
        found = standing.named.hiding(record)
        behind[key_of(record)] = list(map(key_of, found))
        waiting += found
    while waiting:
        each = waiting.pop()
        if (key := key_of(each)) in behind:
            continue
        if key not in standing.named.coming:
            change.expected.setdefault(key, each)
        behind[key] = []
        with suppress(RecordNotFound, InvalidArgument):  # it is there already, however it stands
            more = standing.named.hiding(each) if _is_hidden(each) else []
            behind[key] = list(map(key_of, more))
            waiting += more
    _check_rings(behind)


def _is_hidden(record: Record) -> bool:
    return record.superseded_by is not None or record.archived_by not in (None, record.id)


def _stands_so(record: Record, old: Record | None) -> bool:
    """Return whether a record stands behind the same already, as it is stored: nobody says anything new."""
    if old is None or (key_of(old), old.user_id) != (key_of(record), record.user_id):
        return False
    return all(getattr(record, name) in (None, getattr(old, name)) for name in ("superseded_by", "archived_by"))


def _check_rings(behind: dict[Key, list[Key]]) -> None:
    """Refuse records of which each stands behind the next one, and the last behind the first."""
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter(behind).prepare()
    except CycleError as error:
        ring = ", ".join(repr(key.id) for key in error.args[1][1:])
        raise InvalidArgument(
            f"superseded_by, archived_by: in the ring of {ring} each stands behind the next, and none would be found; "
            "take the mark from one of them"
        ) from None
