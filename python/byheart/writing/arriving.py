"""The arrival of records as they are, from a file: what hides one of them is there, and is not hidden by it in turn.

Nothing follows from such records, since they say themselves how they stand. What they say has to be so: else one that
names what is not there, or a ring of them, would be stored and found by nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..errors import InvalidArgument, RecordNotFound
from ..records import Record
from ..storage import Key, key_of
from .change import Change
from .standing import Standing


def check_arriving(records: Sequence[Record], standing: Standing, change: Change) -> None:
    """Refuse records that come as they are and say that they stand behind what they cannot; the caller has the lock.

    Args:
        records: complete.
        standing: of the call.
        change: their write, which then depends on what was looked up.

    Raises:
        RecordNotFound: one is superseded by what is neither there nor among them.
        InvalidArgument: likewise archived; or for what is another user's; or some stand behind each other in a ring.

    """
    marked = [each for each in records if _is_hidden(each)]
    if not marked:
        return
    standing.named.expect(records)
    behind: dict[Key, list[Key]] = {}
    waiting: list[Record] = []
    for record in marked:
        if _stands_so(record, change.instead.get(key_of(record))):
            waiting.append(record)
            continue
        try:
            found = standing.named.hiding(record)
        except RecordNotFound as error:
            raise RecordNotFound(
                f"superseded_by of record {record.id!r}: {error}; import that one too, or leave the mark out"
            ) from None
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
