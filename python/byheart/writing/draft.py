"""The draft of a call: records as they are to be beside what is there, looked up by what they say and whom they name.

What a call plans for records that are stored, and for its own, is kept here until it is written in one write, with what
was read for it: that has to stand still. Whoever looks sees each record as it is to be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..boundary import Boundary
from ..index.indexes import Indexes
from ..records import Record
from ..retrieval import sameness
from ..retrieval.filter.canonical import all_of, membership
from ..retrieval.symbolic import Vocabulary
from ..storage import Key, key_of
from .change import Change, Seen

MARKS: Final = (
    "superseded_by", "superseded_at", "superseded_from", "superseded_to", "supersedes", "contradicts", "seen_count",
    "seen_at", "near_duplicates",
)  # fmt: skip
"""The fields that say how a record stands beside others."""
MOST_ALIKE: Final = 16
"""Where more records begin alike than these, that is a form and no correction: none is taken for a near-duplicate."""
MOST_FACTS: Final = 128
"""Of a fact that changed more often, one that comes late is put among those that hold alone."""
_NAMING: Final = ("superseded_by", "supersedes", "contradicts", "near_duplicates")
AT_ONCE: Final = 1_000
"""So many names are looked for at a time: a filter has at most 10,000 values."""


class Draft:
    """The records of one call, and those beside them, on one state of the store; the caller holds the lock.

    Args:
        indexes: of the store, up to date.
        vocabulary: what facts may say, and which relations have one value.
        several: whether the call is of several records, which are looked at beside each other.

    """

    def __init__(self, indexes: Indexes, vocabulary: Vocabulary, *, several: bool) -> None:
        self._indexes, self._vocabulary, self._several = indexes, vocabulary, several
        self._read: dict[Key, Record] = {}  # as stored
        self._now: dict[Key, Record] = {}  # as they are to be
        self._own: dict[str, dict[float, tuple[Key, ...]]] = {}  # the records of the call, by mark
        self._whole: set[Key] = set()  # those that the call is of
        self._gone: set[Key] = set()  # those that the call takes elsewhere
        self._rests: set[Key] = set()  # what has to be there for it
        self._names: dict[tuple[str, str, tuple[str, str], str], set[Key]] = {}  # which name an id in a field
        self._named_in: set[str] = set()  # the fields of those
        self._asked: set[tuple[str, float]] = set()  # the marks that were looked for
        self._sought: list[Record] = []  # those whose names were looked for

    # ---- noted

    def hold(self, record: Record) -> None:
        """Note a record as it is stored."""
        self._read.setdefault(key_of(record), record)

    def rest_on(self, record: Record) -> None:
        """Have the write depend on a record that was looked up."""
        self._rests.add(key_of(record))

    def moved(self, old: Record, record: Record) -> None:
        """Note that a record is to be another one: if that lies in another cell, nothing finds it in the old one."""
        if (key := key_of(old)) != key_of(record):
            self._gone.add(key)
            self._now.pop(key, None)

    def own(self, record: Record) -> Key:
        """Note a record of the call as it is to be; return its key."""
        key = self.put(record)
        self._whole.add(key)
        return key

    def add_to(self, change: Change) -> None:
        """Add to a write how its records stand, and what follows for others."""
        for key in self._rests:
            if key in self._read:
                change.expected.setdefault(key, self._read[key])
        for key, record in self._now.items():
            was = self._read.get(key)
            if key in change.put:
                self._merge(change, key)
            elif was is not None and key not in change.remove and record != was:
                change.expected[key], change.put[key], change.moved[key] = was, record, key
        asked, vocabulary = set(self._asked), self._vocabulary

        def alike(record: Record) -> bool:
            own = sameness.marks(record, vocabulary).items()
            return any((field, value) in asked for field, values in own for value in values)

        if asked:
            change.seen = either(change.seen, alike)
        if self._sought:
            change.seen = either(change.seen, names_any(self._sought))

    def _merge(self, change: Change, key: Key) -> None:
        """Have a record that is written say how it stands."""
        now = self._now[key]
        whole = key in self._whole
        change.put[key] = now if whole else with_marks(change.put[key], now)
        if now.archived_by is None and change.put[key].archived_by is not None:  # what stood for it goes
            change.put[key] = change.put[key].completed(archived_by=None)
        if key in change.made:
            change.made[key] = change.put[key]

    def marked(self) -> Iterator[tuple[Record, Record]]:
        """Give what changes beside the records of the call: as it is stored, and as it is to be."""
        for key, record in self._now.items():
            was = self._read.get(key)
            if was is not None and record != was:
                yield was, record

    def put(self, record: Record) -> Key:
        """Note a record as it is to be; return its key."""
        key = key_of(record)
        self._now[key] = record
        if record.superseded_by is None and not record.supersedes and not record.near_duplicates:
            return key
        for field in _NAMING:
            for id in _names_in(record, field):
                self._named_in.add(field)
                self._names.setdefault((field, key.tenant, key.cell, id), set()).add(key)
        return key

    def note(self, record: Record, key: Key) -> None:
        """Note a record of the call under its marks, for those behind it: as many as are ever looked at."""
        if not self._several:
            return
        for field, values in sameness.marks(record, self._vocabulary).items():
            alike, mark = self._own.setdefault(field, {}), float(values[0])
            own = alike.get(mark, ())
            if field == sameness.STATED and len(own) > MOST_FACTS:
                own = tuple(key for key in own if self._now[key].superseded_by is None)
            alike[mark] = (*own, key) if field == sameness.STATED or len(own) <= MOST_ALIKE else own

    def latest(self, record: Record) -> Record:
        """Return a record as it is to be, with what followed from others of the call."""
        return self._now.get(key_of(record), record)

    def bearing(self, field: str, beside: Record, limit: int = MOST_ALIKE) -> list[Record]:
        """Return the records that have a mark of a record, as they are to be; where there are more than `limit`, none.

        Of a fact that changed more often, those that nothing stands in the place of.
        """
        tenant, mark = beside.tenant or "", sameness.mark(beside, field, self._vocabulary)
        if mark is None:
            return []
        self._asked.add((field, mark))
        rows = self._indexes[tenant].bearing(field, mark, limit)
        if rows is None and field == sameness.STATED:  # of a fact that changed that often
            asked = [("range", field, mark, True, mark, True), ("exists", "superseded_by", False)]
            rows = self._indexes[tenant].rows(all_of(asked))
        kept = self._own.get(field, {}).get(mark, ())
        many = rows is None or len(rows) + len(kept) > limit
        if (many and field != sameness.STATED) or not (rows or kept):
            return []
        found = self._of_rows(tenant, rows or ())
        cell, there = (beside.scope, beside.boundary_class), set(map(key_of, found))
        own = [self._now[key] for key in kept if key not in there and key in self._now]
        return [each for each in (*found, *own) if key_of(each).cell == cell and each.user_id == beside.user_id]

    def said(self, beside: Record) -> list[Record]:
        """Return the stored records that say what one does; where there are many, those with the same metadata."""
        if found := self.bearing(sameness.SAID, beside):
            return found
        if beside.metadata:
            return self.bearing(sameness.WHOLE, beside)
        tenant, mark = beside.tenant or "", sameness.mark(beside, sameness.SAID, self._vocabulary)
        if mark is None:
            return []
        if self._indexes[tenant].bearing(sameness.SAID, mark, MOST_ALIKE) is not None:
            return []
        plain = all_of([("range", sameness.SAID, mark, True, mark, True), ("exists", sameness.WHOLE, False)])
        return self._of_rows(tenant, self._indexes[tenant].rows(plain))

    def _of_rows(self, tenant: str, rows: Sequence[str]) -> list[Record]:
        stored = [each for each in self._indexes.stored(tenant, rows) if each is not None] if rows else []
        for each in stored:
            self._read.setdefault(key_of(each), each)
        return [self.latest(each) for each in stored if key_of(each) not in self._gone]

    def stored(self, beside: Record, rows: Sequence[str]) -> list[Record]:
        """Return the records of rows in the tenant of another one, as they are to be."""
        return self._of_rows(beside.tenant or "", rows)

    def planned(self, key: Key) -> Record | None:
        """Return the record of a key as it is to be, if the call plans anything for it."""
        return self._now.get(key)

    def lookup(self, beside: Record, id: str) -> Record | None:
        """Return the record with an id in the cell of another one."""
        key = Key(*key_of(beside)[:3], id)
        if key in self._now:
            return self._now[key]
        partition = self._indexes[key.tenant]
        rows = partition.rows_named(id, lambda row: partition.cell_of(row) == key.cell)
        found = self._of_rows(key.tenant, rows)
        return found[0] if found else None

    def names_in(self, field: str) -> bool:
        """Return whether a record that the call plans names another one in a field."""
        return field in self._named_in

    def naming(self, field: str, records: Sequence[Record]) -> list[Record]:
        """Return the records that name one of these in a field, in the cell of that one; those of the call too."""
        cells: dict[tuple[str, tuple[str, str]], set[str]] = {}
        self._sought += records
        for record in records:
            cells.setdefault((record.tenant or "", key_of(record).cell), set()).add(record.id or "")
        found: dict[Key, Record] = {}
        for (tenant, (scope, boundary_class)), ids in cells.items():
            inside = Boundary.of_cell(tenant, scope, boundary_class)
            partition, names = self._indexes[tenant], sorted(ids)
            for start in range(0, len(names), AT_ONCE):
                rows = partition.rows_in(inside, membership(field, names[start : start + AT_ONCE]))
                found.update((key_of(each), each) for each in self._of_rows(tenant, rows))
            own = (key for id in names for key in self._names.get((field, tenant, (scope, boundary_class), id), ()))
            found.update((key, self._now[key]) for key in own if key in self._now)
            here = [key for key in found if key.tenant == tenant and key.cell == (scope, boundary_class)]
            for key in here:
                if ids.isdisjoint(_names_in(found[key], field)):
                    del found[key]
        return [found[key] for key in sorted(found)]


def with_marks(record: Record, like: Record) -> Record:
    """Return a record that stands beside others as another version of it does."""
    return record.completed(**{name: getattr(like, name) for name in MARKS})


def names_any(records: Sequence[Record]) -> Seen:
    """Return what tells a record that says of one of these how it stands to it."""
    places = {(key_of(record).cell, record.tenant, record.id) for record in records}
    everywhere = {(record.tenant, record.id) for record in records}

    def names(record: Record) -> bool:
        cell = key_of(record).cell
        if record.archived_by is not None and (record.tenant, record.archived_by) in everywhere:
            return True
        said = (id for field in _NAMING for id in _names_in(record, field))
        return any((cell, record.tenant, id) in places for id in said)

    return names


def either(one: Seen | None, other: Seen) -> Seen:
    """Return what tells a record that one of two would have looked at."""
    return other if one is None else lambda record: one(record) or other(record)


def _names_in(record: Record, field: str) -> tuple[str, ...]:
    """Return the ids that a record names in a field."""
    named = getattr(record, field)
    return named if isinstance(named, tuple) else () if named is None else (named,)
