"""The records that those of a call name: what they stand in the place of, and what stands in theirs.

Each has to be there, or to come with the call; it lies in the same cell and is the same user's. A turn and its durable
copy are one statement: whoever names one of them names both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..boundary import Boundary
from ..errors import InvalidArgument
from ..index import selection as selecting
from ..index.indexes import Indexes
from ..index.whose import DURABLE, copies_of
from ..records import Record
from ..retrieval.filter.canonical import membership
from ..storage import Key, key_of
from .draft import AT_ONCE, Draft
from .marks import UNPLACED, is_unplaced, names_of, span
from .places import Places


class Named:
    """The records that a call's records name, on one state of the store; the caller holds the lock.

    Args:
        indexes: of the store, up to date.
        reach: gives what the memory may see of a tenant.
        draft: of the call.
        places: of its records.

    """

    def __init__(self, indexes: Indexes, reach: Callable[[str], Boundary], draft: Draft, places: Places) -> None:
        self._indexes, self._reach, self._draft, self._places = indexes, reach, draft, places
        self._expected: Sequence[Record] = ()
        self._coming: dict[Key, Record] | None = None
        self._copies: dict[Key, list[Record]] | None = None
        self._ids: dict[tuple[str, str], list[Record]] | None = None
        self._over: dict[Key, list[Record]] | None = None
        self._waiting: dict[Key, list[str]] = {}  # whom those will name that are still to come

    def as_stored(self, record: Record) -> Record:
        """Return a record that names others as they are stored, in whatever normal form their ids were given."""
        marked = {name: getattr(record, name) for name in ("superseded_by", "archived_by") if getattr(record, name)}
        if "".join((*record.supersedes, *marked.values())).isascii():  # as nearly always
            return record

        def stored(id: str) -> str:
            own = id == record.id or Key(*key_of(record)[:3], id) in self.coming
            found = None if own else self._draft.lookup(record, id)
            return id if found is None else found.id or id

        named = {name: stored(id) for name, id in marked.items()}
        return record.completed(supersedes=tuple(map(stored, record.supersedes)), **named)

    def by_those_before(self, record: Record) -> Record:
        """Return a record that stands in the place of those of the call that have named it before it came."""
        waiting = self._waiting.pop(key_of(record), ()) if self._waiting else ()
        return record.completed(supersedes=(*record.supersedes, *waiting)) if waiting else record

    def placed(self, record: Record, old: Record | None) -> Record:
        """Return a record whose caller may say that another one stands in its place, which must be there."""
        by = record.superseded_by
        if by is None:  # nothing else says since when, or for which times
            return record if is_unplaced(record) else record.completed(**UNPLACED)
        if old is not None and by == old.superseded_by:
            return record
        if by == record.id:
            raise InvalidArgument(f"superseded_by: {by!r} cannot stand in its own place; name another record")
        other = self._named(record, by, "superseded_by")
        if record.id in self._places.above(other):
            raise InvalidArgument(f"superseded_by: {record.id!r} stands in the place of {by!r} itself")
        self._draft.rest_on(other)
        at = record.created_at if record.superseded_at is None else record.superseded_at
        return record.completed(superseded_at=at, **span(other))

    def check_archived(self, record: Record, old: Record | None) -> None:
        """Refuse to archive a record for what cannot be, or stands behind it itself: both would be found by nobody.

        Only the library archives what is nobody's for somebody's: an assistant's turns, for a summary.

        Raises:
            InvalidArgument: what its caller says that it is archived for is not there, is another's, lies in another
                cell, or stands there.

        """
        if record.archived_by in (None, record.id, None if old is None else old.archived_by):
            return
        self._archived(record, record.archived_by or "")
        other = self._named(record, record.archived_by or "", "archived_by")
        self._draft.rest_on(other)
        if record.id in self._places.above(other):
            raise InvalidArgument(f"archived_by: {other.id!r} stands behind {record.id!r} itself; name another one")

    def released(self, record: Record) -> Record:
        """Return a record that has come to another owner or cell: archived for what is there alone, or for itself."""
        if record.archived_by in (None, record.id):
            return record
        by = self._draft.lookup(record, record.archived_by or "")
        return record if by is not None and by.user_id == record.user_id else record.completed(archived_by=None)

    def name(self, record: Record, old: Record | None) -> None:
        """Have the one name a record in whose place the caller says that it stands, be it there or still to come."""
        by = record.superseded_by
        if by is None or (old is not None and by == old.superseded_by):
            return
        key = Key(*key_of(record)[:3], by)
        if self._draft.lookup(record, by) is None and key in self.coming:
            self._waiting.setdefault(key, []).append(record.id or "")
        else:
            self._places.name(record, by)

    def marked(
        self, record: Record, ids: Sequence[str], at: float, old: Record | None
    ) -> tuple[Record, tuple[str, ...]]:
        """Put a record in the place of those that it names; return it, and which these are."""
        held = () if old is None else names_of(old)
        done: list[str] = []
        if not ids:
            return record, ()
        above = self._places.above(record if old is None else old.completed(archived_by=record.archived_by))
        both = dict.fromkeys(ids)
        for id in dict.fromkeys(ids):
            if id in held:
                continue  # it does already
            if id == record.id:
                raise InvalidArgument(f"supersedes: {id!r} cannot stand in its own place; name another record")
            other = self._named(record, id)
            self._draft.rest_on(other)
            if id in above:
                raise InvalidArgument(f"supersedes: {id!r} stands in the place of {record.id!r} itself; use another id")
            self._places.mark(other, record, at)
            done.append(id)
            for each in self.along(other):
                if each.id in both or each.id in held or each.id in above or each.id == record.id:
                    continue
                self._draft.rest_on(each)
                self._places.mark(self._draft.latest(each), record, at)
                both[each.id or ""] = None
                done.append(each.id or "")
        supersedes = tuple(dict.fromkeys((*record.supersedes, *both)))
        contradicts = tuple(id for id in record.contradicts if id not in both)
        return record.completed(supersedes=supersedes, contradicts=contradicts), tuple(done)

    def as_its_turn(self, record: Record) -> Record:
        """Return a copy that is made only now of a turn that another record stands in the place of: of it, too."""
        turn = record.provenance.get("source_id")
        own = self._draft.lookup(record, turn) if record.kind == DURABLE and isinstance(turn, str) else None
        if own is None or own.superseded_by is None or (own.user_id, own.text) != (record.user_id, record.text):
            return record
        for each in self._draft.naming("supersedes", [own]):
            self._places.name(record, each.id or "")
        return record.completed(superseded_by=own.superseded_by, superseded_at=own.superseded_at)

    def along(self, record: Record) -> list[Record]:
        """Return what says the same beside a record, as the same user's: a turn's copy, and the turn of a copy."""
        turn = record.provenance.get("source_id")
        if record.kind == DURABLE and isinstance(turn, str):
            own = self._draft.lookup(record, turn) or self.coming.get(Key(*key_of(record)[:3], turn))
            found = [] if own is None else [own]
        else:
            rows = self._indexes[record.tenant or ""].rows(copies_of(record.id or ""))
            found = [*self._draft.stored(record, sorted(rows)), *self._copies_coming.get(key_of(record), ())]
        beside = {key_of(each): self._draft.latest(each) for each in found if key_of(each).cell == key_of(record).cell}
        return [each for each in beside.values() if each.user_id == record.user_id]

    def archived_for(self, gone: Sequence[Record]) -> list[Record]:
        """Return what is archived for records that go, in any cell, where nothing stands for it any more."""
        going = set(map(key_of, gone))
        found: list[Record] = []
        for tenant in sorted({key.tenant for key in going}):
            own = [record for record in gone if record.tenant == tenant]
            for start in range(0, len(own), AT_ONCE):
                names = {record.id or "" for record in own[start : start + AT_ONCE]}
                rows = self._indexes[tenant].rows_in(self._reach(tenant), membership("archived_by", names))
                found += self._draft.stored(own[0], rows) if rows else []
        return [each for each in found if key_of(each) not in going and self._stands_in(each) <= going]

    def _stands_in(self, record: Record) -> set[Key]:
        """Return the keys of what a record is archived for: in its own cell, else wherever the memory sees it."""
        tenant, id = record.tenant or "", record.archived_by or ""
        rows = selecting.inside(self._indexes[tenant], self._reach(tenant), [id])
        keys = set(self._indexes.keys(tenant, rows))
        return {key for key in keys if key.cell == key_of(record).cell} or keys

    @property
    def _copies_coming(self) -> Mapping[Key, list[Record]]:
        """The copies that are expected, by the key of their turn."""
        if self._copies is None:
            self._copies = {}
            for key, each in self.coming.items():
                if each.kind == DURABLE and isinstance(turn := each.provenance.get("source_id"), str):
                    self._copies.setdefault(Key(*key[:3], turn), []).append(each)
        return self._copies

    @property
    def _named_so(self) -> Mapping[tuple[str, str], list[Record]]:
        """What is expected, by tenant and id, in whatever cell."""
        if self._ids is None:
            self._ids = {}
            for key, each in self.coming.items():
                self._ids.setdefault(key.name, []).append(each)
        return self._ids

    def expect(self, records: Sequence[Record]) -> None:
        """Take it that these records come with the call: others of it may name them, whatever the order."""
        self._expected = records
        self._coming = self._copies = self._ids = self._over = None

    @property
    def coming(self) -> Mapping[Key, Record]:
        """What is expected, by key: made once somebody names a record that is not there."""
        if self._coming is None:
            self._coming = {key_of(record): record for record in self._expected}
        return self._coming

    def lacks(self, record: Record, id: str) -> bool:
        """Return whether nothing bears an id that a record names: nothing that is expected, or that the memory sees."""
        tenant = record.tenant or ""
        if (tenant, id) in self._named_so:
            return False
        return not selecting.inside(self._indexes[tenant], self._reach(tenant), [id])

    def in_place_of(self, record: Record) -> list[Record]:
        """Return what is expected, or stored, and says that it stands in the place of a record, as its owner's."""
        coming = self._coming_over.get(key_of(record), ())
        there = [each for each in self._draft.naming("supersedes", [record]) if key_of(each) not in self.coming]
        return [each for each in (*coming, *there) if each.user_id == record.user_id and each.id != record.id]

    @property
    def _coming_over(self) -> Mapping[Key, list[Record]]:
        """What is expected, by the keys of those in whose place it says that it stands."""
        if self._over is None:
            self._over = {}
            for key, each in self.coming.items():
                for id in each.supersedes:
                    self._over.setdefault(Key(*key[:3], id), []).append(each)
        return self._over

    def hiding(self, record: Record) -> list[Record]:
        """Return what a record that comes as it is says that it stands behind; it has to be there, and its owner's.

        Raises:
            RecordNotFound: what stands in its place is not there.
            InvalidArgument: that is another user's, or lies in another cell; or what it is archived for does not do.

        """
        found: list[Record] = []
        by, key = record.superseded_by, key_of(record)
        if by is not None:
            found.append(self.coming.get(Key(*key[:3], by)) or self._named(record, by, "superseded_by"))
        if record.archived_by not in (None, record.id):
            found += self._archived(record, record.archived_by or "")
        return found

    def _archived(self, record: Record, id: str) -> list[Record]:
        """Return what a record says that it is archived for, in any cell that the memory sees, as its owner's.

        Nobody's may be archived for somebody's: an assistant's turns are in the summary of who talked to it.
        """
        tenant = record.tenant or ""
        rows = selecting.inside(self._indexes[tenant], self._reach(tenant), [id])
        there = [each for each in self._draft.stored(record, rows) if key_of(each) not in self.coming]
        found = [*self._named_so.get((tenant, id), ()), *there]
        if not found:
            raise InvalidArgument(f"archived_by: there is no record {id!r}; remember that one first, or leave it out")
        own = [each for each in found if record.user_id in (None, each.user_id)]
        if not own:
            raise InvalidArgument(f"archived_by: {id!r} is another user's than the record; each keeps their own")
        return own

    def _named(self, record: Record, id: str, field: str = "supersedes") -> Record:
        """Return the record that another one names. Errors as in `stand`."""
        found = self._draft.lookup(record, id) or self.coming.get(Key(*key_of(record)[:3], id))
        reach = self._reach(record.tenant or "")
        if found is None:
            if selecting.inside(self._indexes[record.tenant or ""], reach, [id]):
                raise InvalidArgument(
                    f"{field}: {id!r} lies in another scope or class than the record; whoever sees one of them alone "
                    "could not tell what holds; remember the record where the other one is"
                )
            raise reach.lacks(id)
        if found.user_id != record.user_id:
            raise InvalidArgument(f"{field}: {id!r} is another user's than the record; each keeps their own")
        return found
