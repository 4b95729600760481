"""The planner of writes: whose place each record takes, what goes for it, and what follows for copies and summaries."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..boundary import Boundary
from ..errors import AmbiguousId, DuplicateId
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.indexes import Indexes
from ..index.whose import DURABLE, TURN
from ..records import Record
from ..storage import Key, key_of
from .change import Change
from .copies import ends_sooner, is_followed
from .lineage import Lineage

if TYPE_CHECKING:
    from ..embedding import Embedder


class Planner:
    """Plans writes, on one state of the store; the caller holds the lock of the indexes, which are up to date.

    Args:
        indexes: of the store.
        reach: gives what the memory may see of a tenant.
        embedder: gives what makes vectors of texts; None without one.

    """

    def __init__(
        self, indexes: Indexes, reach: Callable[[str], Boundary], embedder: Callable[[], Embedder | None]
    ) -> None:
        self._indexes, self._reach, self._embedder = indexes, reach, embedder

    def place_of(self, record: Record) -> str | None:
        """Return the row of the record whose place a complete one takes; None if it takes nobody's."""
        key = key_of(record)
        partition = self._indexes[key.tenant]
        rows = selecting.inside(partition, self._reach(key.tenant), [key.id])
        if len(rows) < 2:
            return rows[0] if rows else None
        cells = [cell for row in rows if (cell := partition.cell_of(row)) is not None]
        if key.cell not in cells:
            raise AmbiguousId(key.id, cells, "name one of them by scope= and boundary_class=, or give another id")
        return rows[cells.index(key.cell)]

    def row_of(self, key: Key) -> str | None:
        """Return the row of the record with a key; None if there is none."""
        partition = self._indexes[key.tenant]
        return next((row for row in partition.rows_of(key.id) if partition.cell_of(row) == key.cell), None)

    def turn_of(self, copy: Record, within: Boundary) -> Record | None:
        """Return the turn that a durable copy was made of, if it is inside and says the same; None of other records."""
        source, row = copy.provenance.get("source_id"), self.row_of(key_of(copy))
        if copy.kind != DURABLE or source is None or row is None:
            return None
        read = partial(self._indexes.stored, within.tenant)
        named = Lineage(self._indexes[within.tenant], within, read).named(row, str(source))
        said = (each for each in read(named) if each is not None and each.kind == TURN and each.text == copy.text)
        return next(said, None)

    def counterparts(self, record: Record, within: Boundary) -> list[Record]:
        """Return the durable copies of a turn, or the turn of a copy, that are inside and say the same."""
        row = self.row_of(key_of(record))
        if row is None:
            return []
        read = partial(self._indexes.stored, within.tenant)
        rows = Lineage(self._indexes[within.tenant], within, read).copies(key_of(record).id, row)
        found = [*read(rows), self.turn_of(record, within)]
        return [each for each in found if each is not None and each.text == record.text]

    def planned(
        self,
        records: Sequence[Record],
        rows: Sequence[str | None],
        instead_of: Iterable[Record] = (),
        within: Boundary | None = None,
        *,
        keeps_vectors: bool = False,
    ) -> Change:
        """Return the write that puts complete records in the place of what is known by a row.

        Args:
            records: complete.
            rows: of each, whose place it takes.
            instead_of: what goes besides, as it is stored.
            within: where to look for what follows; without it, all that the memory was opened for.
            keeps_vectors: whether a record keeps its vector where its text stays.

        """
        keys = list(map(key_of, records))  # once: of many records, a key of each
        change = Change(dict(zip(keys, records, strict=True)))
        changed: list[tuple[str, Record, Record]] = []
        for each in instead_of:
            change.expected[key_of(each)] = each
            change.remove[key_of(each)] = None
        for key, record, row in zip(keys, records, rows, strict=True):
            old = None
            if row is not None:
                [old] = self._indexes.stored(key.tenant, [row])
            if old is None or key_of(old) != key:
                change.absent.append(key)
            if old is None or row is None:
                change.made[key] = record
                continue
            was = key_of(old)
            change.expected[was] = change.instead[key] = old
            if was != key:
                change.remove[was] = None
            if keeps_vectors and self._keeps_vector(old, record):
                change.moved[key] = was
            else:
                change.made[key] = record
            changed.append((row, record, old))
        for row, record, old in changed:  # once it is known what is put and what goes
            self._follow(change, row, record, old, within or self._reach(record.tenant or ""))
        return change

    def _follow(self, change: Change, row: str, record: Record, old: Record, within: Boundary) -> None:
        """Add to a write what follows from a record's new text, user, place or end, and from what its copy takes of it.

        Raises:
            DuplicateId: a copy would follow to where another record bears its id.

        """
        if not is_followed(record, old):
            return
        tenant = within.tenant
        lineage = Lineage(self._indexes[tenant], within, partial(self._indexes.stored, tenant))
        told_anew = (old.text, old.user_id) != (record.text, record.user_id) or key_of(old) != key_of(record)
        if told_anew or ends_sooner(record, old):  # a summary would outlive it
            follows = lineage.rewriting(row, record, old, with_deleted=told_anew)
        else:
            follows = lineage.changing(row, record, old)
        for copy, new in zip(follows.copies, follows.changed, strict=True):
            was, key = key_of(copy), key_of(new)
            change.expected[was] = copy
            if was in change.put or was in change.remove or key in change.put:
                continue
            change.put[key], change.copies[key] = new, copy
            if was != key:
                self.check_free(key)
                change.remove[was] = None
                change.absent.append(key)
            if self._keeps_vector(copy, new):
                change.moved[key] = was
            else:
                change.made[key] = new
        _go(change, follows.summaries, follows.archived)

    def leave_summaries(self, change: Change) -> None:
        """Have the summaries go that were made of what is superseded now: they would say it as if it held.

        What else they stood for is found again.
        """
        for key, old in list(change.expected.items()):
            now = change.put.get(key)
            begins = now is not None and now.superseded_by is not None and old.superseded_by is None
            if now is None or not begins or old.archived_by in (None, old.id):
                continue
            partition, tenant = self._indexes[key.tenant], key.tenant
            lineage = Lineage(partition, self._reach(tenant), partial(self._indexes.stored, tenant))
            gone = lineage.removal([row for row in partition.rows_of(key.id) if partition.cell_of(row) == key.cell],
                                   with_copies=False)  # fmt: skip
            _go(change, gone.summaries, gone.archived)
            names = {summary.id for summary in gone.summaries}
            for each in (key, *map(key_of, gone.archived)):  # some are put as others have it
                _release(change, each, names)

    def release(self, change: Change, records: Iterable[Record]) -> None:
        """Have changed records be found again if what stood for them goes with the write; none stands for itself.

        What moves is there still, under the same id: noise is archived as its own.
        """
        names = {gone.id for gone in change.removed}.difference(key.id for key in change.put)
        for record in records:
            _release(change, key_of(record), names)

    def check_free(self, key: Key) -> None:
        """Refuse to move a record to where another one bears its id.

        Raises:
            DuplicateId: one does.

        """
        if self.row_of(key) is not None:
            raise DuplicateId(f"id {key.id!r}: another record bears it in the cell {key.cell}; forget one of them")

    def _keeps_vector(self, old: Record, new: Record) -> bool:
        """Return whether a record's vector still says what it did: of a new title alone, where the caller makes them.

        Without a model it is let go of, so that `embed` makes it anew for whoever has one.
        """
        embedder = self._embedder()
        is_made = embedder is None or embeddings.makes_vectors(embedder)
        return old.embedded() == new.embedded() or (not is_made and old.gist() == new.gist())


def _release(change: Change, key: Key, gone: Collection[str]) -> None:
    """Have a record be found again that is put, if what stands for it is one of those that go."""
    if key in change.put and change.put[key].archived_by in gone:
        change.put[key] = change.put[key].completed(archived_by=None)
        if key in change.made:
            change.made[key] = change.put[key]


def _go(change: Change, summaries: Iterable[Key], archived: Iterable[Record]) -> None:
    """Add to a write that summaries go, and that what they alone stood for is found again."""
    change.remove.update(dict.fromkeys(summaries))
    for each in archived:
        key = key_of(each)
        change.expected[key] = each
        if key not in change.put and key not in change.remove:
            change.put[key] = each.completed(archived_by=None)
            change.moved[key] = key
