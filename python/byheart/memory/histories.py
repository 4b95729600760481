"""The verb that tells what became of a record: history. Bound to `Memory`; it tells of changes, and never a text.

What a record said before it was changed is erased when it is changed. What is known of its changes lies with the
record, and with the signals about it; so it goes when the record is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from .. import boundary as boundaries
from ..boundary import Boundary, CellLike
from ..frozen import Document
from ..index import selection as selecting
from ..index.indexes import Indexes
from ..light.classes import dataclass
from ..recall.question import BoundaryLike
from ..records import SUMMARY, Record
from ..storage import key_of
from ..validation import check_id
from .engine import Engine, Handle


@dataclass(frozen=True, slots=True)
class Happened(Document):
    """One thing that happened to a record.

    Attributes:
        at: when, in epoch seconds; None where nobody noted it.
        what: "remembered", "said again", "replaced" (another text under its id), "updated", "superseded" (another one
            stands in its place), "supersedes" (it stands in the place of another), "compacted" (a summary stands for
            it), "archived", or a signal of `feedback`: "helpful", "harmful", "outdated", "duplicate".
        by: the id of the other record that it is about, as far as that may be seen.
        fields: of an update, which fields were changed.
        count: of what was said again, how often it was said in all.
        user_id, session_id: who said it, and where, as far as that is known.

    """

    at: float | None
    what: str
    by: str | None = None
    fields: tuple[str, ...] = ()
    count: int | None = None
    user_id: str | None = None
    session_id: str | None = None


def history(
    self: Handle, id: str, *, boundary: BoundaryLike | None = None, cell: CellLike | None = None
) -> list[Happened]:
    """Return the events of a record, the oldest first: the time, the kind, and the author where it is known.

    It holds no text, neither the record's nor one that was replaced; and nothing of what lies outside the boundary. Of
    many changes the last 64 are kept, with the last one of the text. Forgetting the record removes it.

    Args:
        id: of the record.
        boundary: what to look at.
        cell: scope and class of the record, where records of several cells bear the id.

    Raises:
        RecordNotFound: no record with this id lies inside the boundary.
        AmbiguousId: records of several cells bear the id, and no cell was named.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember("We meet at noon.", id="meeting", created_at=1)
    >>> id = memory.update("meeting", text="We meet at one.", updated_at=2)
    >>> id = memory.remember("We do not meet.", id="none", supersedes="meeting", created_at=3)
    >>> [(each.at, each.what, each.by) for each in memory.history("meeting")]
    [(1.0, 'remembered', None), (2.0, 'updated', None), (3.0, 'superseded', 'none')]

    """
    id = check_id(id)
    engine, inside, own = self._engine, self._engine.inside(boundary), boundaries.check_cell(cell)

    def read() -> list[Happened] | None:
        row = selecting.the_row(engine.indexes[inside.tenant], inside, id, own)
        [record] = [None] if row is None else engine.indexes.stored(inside.tenant, [row])
        return None if record is None else sorted(_all(engine, inside, record), key=_when)

    found = selecting.at_once(engine.indexes, read)
    if found is None:
        engine.eraser.check_sound(inside, id, own)
        raise inside.lacks(id)
    return found


def _when(happened: Happened) -> tuple[bool, float]:
    return happened.at is None, happened.at or 0.0


def _all(engine: Engine, inside: Boundary, record: Record) -> Iterator[Happened]:
    """Give what happened, in no order."""
    own = partial(Happened, user_id=record.user_id, session_id=record.session_id)
    for at, what, fields in record.revisions or ((record.created_at or 0.0, "remembered", ()),):
        yield Happened(at, what, fields=fields) if what == "updated" else own(at, what)
    if record.seen_count > 1:
        yield own(record.seen_at, "said again", count=record.seen_count)
    if record.superseded_by is not None:
        other = _seen(engine.indexes, inside, record, record.superseded_by)
        yield Happened(record.superseded_at, "superseded", None if other is None else other.id)
    for id in record.supersedes:
        other = _seen(engine.indexes, inside, record, id)
        if other is not None:
            mine = other.superseded_by == record.id
            yield own(other.superseded_at if mine else record.created_at, "supersedes", id)
    if record.archived_by is not None:
        yield _archived(engine.indexes, inside, record, record.archived_by)
    for row in engine.journal.about(record) if engine.indexes.contents.journal else ():
        yield Happened(row.content["at"], row.content["signal"])


def _archived(indexes: Indexes, inside: Boundary, record: Record, by: str) -> Happened:
    """Return what is known of a record that something else stands for, or that says nothing."""
    if by == record.id:
        return Happened(record.created_at, "archived")
    summary = _seen(indexes, inside, record, by)
    if summary is None:
        return Happened(None, "compacted")
    at = summary.metadata.get("compacted_at") if summary.kind == SUMMARY else None
    return Happened(at if isinstance(at, (int, float)) else None, "compacted", by)


def _seen(indexes: Indexes, inside: Boundary, record: Record, id: str) -> Record | None:
    """Return the record that another one names by an id, if it lies inside the boundary: beside it, or elsewhere."""
    partition = indexes[inside.tenant]
    rows = selecting.inside(partition, inside, [id])
    cell = key_of(record).cell
    rows = [row for row in rows if partition.cell_of(row) == cell] or rows
    found = [each for each in indexes.stored(inside.tenant, rows) if each is not None]
    return found[0] if found else None
