"""The journal of a memory: the rows of its store that are not records (policies, events, contexts, signals).

A row lies under the reserved tenant (`byheart.storage.reserved`), in the cell of the tenant that it is about and of the
strictest class that it may speak of; beside its content it says what the call that wrote it could see. A handle is
given the rows of calls that saw no more than it may see itself. Rows are written in one write with what they tell of.
"""
# docs/sources.md: B1.10.6, B1.13.5, decision 28.

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ..boundary import Boundary
from ..boundary.policy import strictest
from ..boundary.reach import Reach
from ..index.indexes import Indexes
from ..index.whose import ORIGIN
from ..knowledge import digest
from ..light.classes import dataclass
from ..records import Record
from ..storage import JOURNAL, OBSERVATIONS, Key, by_id, key_of
from ..validation import CLASSES
from ..writing.completion import first_free
from .ids import id_digest, named_in, renamed

if TYPE_CHECKING:
    from ..retrieval.filter import Filter

EVENTS, FEEDBACKS, CONTEXTS = "events", "feedbacks", "active_contexts"
POLICIES = "policies"
KINDS = (EVENTS, FEEDBACKS, CONTEXTS, OBSERVATIONS, POLICIES)
_WITHIN = "within"

_BLANK = Record(metadata={"-": 0}).completed(metadata={})
"""A record that says nothing: rows are made of it unchecked, since what they hold was checked before."""


def plain(value: Any) -> Any:
    """Return a value as JSON gives it back: lists for tuples, names in order.

    >>> plain({"b": (1, 2), "a": None})
    {'a': None, 'b': [1, 2]}
    """
    if isinstance(value, (str, float, int)) or value is None:  # as most are
        return value
    if isinstance(value, Mapping):
        return {name: plain(value[name]) for name in sorted(value)}
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the journal.

    Attributes:
        kind: one of `KINDS`.
        id: its own among those of its kind and tenant.
        at: when it was written, as the caller's clock has it.
        within: what the call could see that wrote it.
        content: plain JSON.
        expires_at: when it is over; None: never.

    """

    kind: str
    id: str
    at: float
    within: Boundary
    content: Mapping[str, Any] = field(default_factory=dict)
    expires_at: float | None = None

    def is_inside(self, boundary: Boundary) -> bool:
        """Return whether all that the call could see lies inside a boundary."""
        return all(boundary.holds(scope, name) for scope in self.within.scopes or () for name in self.within.classes)

    def to_record(self) -> Record:
        """Return the record as which a store keeps it."""
        scopes = None if self.within.scopes is None else list(self.within.scopes)
        return _BLANK.completed(
            id=f"{self.kind}/{self.id}", tenant=JOURNAL, scope=self.within.tenant,
            boundary_class=strictest(self.within.classes or CLASSES[:1]), kind=self.kind, created_at=self.at,
            expires_at=self.expires_at, metadata={"content": plain(self.content)},
            provenance={_WITHIN: {"classes": list(self.within.classes), "scopes": scopes}},
        )  # fmt: skip

    @classmethod
    def of_record(cls, record: Record) -> Row:
        """Return the row that a stored record is."""
        kind, _, id = (record.id or "").partition("/")
        within = record.provenance[_WITHIN]
        boundary = Boundary(record.scope or "", within["scopes"], tuple(within["classes"]))
        content: Mapping[str, Any] = record.metadata["content"]
        return cls(kind, id, record.created_at or 0.0, boundary, content, record.expires_at)


def key_of_row(kind: str, id: str, tenant: str, boundary_class: str) -> Key:
    """Return the key under which a store keeps a row."""
    return Key(JOURNAL, tenant, boundary_class, f"{kind}/{id}")


def let_through(where: Filter, row: Row) -> bool:
    """Return whether a filter lets an observation through as if it were a record of whoever said it."""
    said, within = row.content, row.within
    record = _BLANK.completed(
        id=row.id, tenant=within.tenant, scope=(within.scopes or ("",))[0], boundary_class=within.classes[0],
        kind="observation", created_at=row.at, expires_at=row.expires_at, user_id=said.get("actor"),
        tags=tuple(said.get("tags", ())), provenance=said.get("provenance", {}), text=said.get("content") or "",
    )  # fmt: skip
    return where.matches(record)


class Journal:
    """The rows that a store holds.

    Args:
        indexes: of the store; they follow which rows are there, and their lock is held by whoever writes.
        reach: gives what the memory may see now.

    """

    def __init__(self, indexes: Indexes, reach: Callable[[], Reach]) -> None:
        self._indexes, self._reach = indexes, reach
        self._named: dict[str, set[Key]] = {}  # by what a row names
        self._names: dict[Key, frozenset[str]] = {}  # the other way round

    def keys(self, kind: str, tenant: str | None = None) -> list[Key]:
        """Return the keys of a kind's rows, as far as their class may be seen; the caller holds the lock."""
        reach = self._reach()
        start = kind + "/"
        found = [
            key
            for key in self._indexes.contents.journal
            if key.id.startswith(start)
            and (tenant is None or key.scope == tenant)
            and _in_class(reach, key.scope, key.boundary_class)
        ]
        return sorted(found, key=_by_row)

    def rows(self, kind: str, tenant: str) -> list[Row]:
        """Return the rows of a kind that may be seen, the oldest first."""
        with self._indexes.lock:
            self._indexes.catch_up()
            found = [row for row, _ in self._seen(self.keys(kind, tenant))]
        return sorted(found, key=lambda row: (row.at, row.id))

    def get(self, kind: str, id: str, tenant: str) -> tuple[Row, Record] | None:
        """Return a row, and as what it is stored; None if there is none that may be seen."""
        with self._indexes.lock:
            self._indexes.catch_up()
            return self._held(kind, id, tenant)

    def _held(self, kind: str, id: str, tenant: str) -> tuple[Row, Record] | None:
        keys = [key_of_row(kind, id, tenant, name) for name in CLASSES]
        found = list(self._seen([key for key in keys if key in self._indexes.contents.journal]))
        return found[0] if found else None

    def free(self, kind: str, id: str, within: Boundary) -> str:
        """Return an id like this one that no row has yet; the caller holds the lock."""
        name = strictest(within.classes or CLASSES[:1])

        def named(number: int) -> str:
            return id if number == 1 else f"{id}-{number}"

        taken = self._indexes.contents.journal
        return named(first_free(lambda number: key_of_row(kind, named(number), within.tenant, name) in taken))

    def holds(self, record: Record) -> bool:
        """Return whether a row is there already; the caller holds the lock."""
        return key_of(record) in self._indexes.contents.journal

    def over(self, now: float) -> list[Record]:
        """Return the rows whose time is over and that may be seen, as they are stored; the caller holds the lock."""
        keys = [key for kind in (CONTEXTS, OBSERVATIONS) for key in self.keys(kind)]
        return [stored for row, stored in self._seen(keys) if row.expires_at is not None and row.expires_at <= now]

    def observations(self, tenant: str, ids: Sequence[str] | None, chosen: Callable[[Row], bool]) -> list[Record]:
        """Return the observations of some ids, or of any, that are chosen and may be seen, as they are stored.

        The caller holds the lock.
        """
        there = self._indexes.contents.journal
        if ids is None:
            keys = self.keys(OBSERVATIONS, tenant)
        else:
            named = (key_of_row(OBSERVATIONS, id, tenant, name) for id in dict.fromkeys(ids) for name in CLASSES)
            keys = [key for key in named if key in there]
        return [stored for row, stored in self._seen(keys) if chosen(row)]

    def forgetting(
        self, gone: Sequence[Key], records: Sequence[Record] = (), observed: Sequence[Record] = ()
    ) -> tuple[list[Record], list[Record], list[Key]]:
        """Return the rows that name records to be removed: as stored, as they are to be, and which are removed too.

        In the place of ids stand digests; items of contexts go, and so do the observations that a claim was made of.
        The caller holds the lock.

        Args:
            gone: the keys of records.
            records: those of them that can be read.
            observed: observations that go by themselves, as they are stored.

        """
        self._learn()
        old, new = [], []
        names: dict[str, list[Key]] = {}
        for key in [*gone, *map(_named_as, observed)]:
            names.setdefault(key.id, []).append(key)
        going = set(map(key_of, observed))
        rows = {key for id in names for key in self._named.get(id, ())} - going
        for row, stored in self._seen(sorted(rows, key=_by_row)):
            about = {
                id: key
                for id, keys in names.items()
                for key in keys
                if key.tenant == row.within.tenant and row.within.holds(*key.cell)
            }
            changed = _without(row, about)
            if changed is not row:
                old.append(stored)
                new.append(changed.to_record())
        made_of = [(str(record.provenance.get(ORIGIN)), record.tenant or "") for record in records]
        # As of the same moment as the rows: what was written since has the write refused.
        found = (self._held(OBSERVATIONS, id, tenant) for id, tenant in made_of)
        dropped = [stored for held in found if held is not None for stored in held[1:] if key_of(stored) not in going]
        return [*old, *dropped, *observed], new, [*map(key_of, dropped), *going]

    def about(self, record: Record) -> list[Row]:
        """Return the signals about a record, as far as they may be seen; the caller holds the lock."""
        self._learn()
        key = key_of(record)
        keys = [name for name in self._named.get(key.id, ()) if name.id.startswith(FEEDBACKS + "/")]
        rows = [row for row, _ in self._seen(sorted(keys))]
        return [
            row
            for row in rows
            if row.content["claim_id"] == key.id and row.within.tenant == key.tenant and row.within.holds(*key.cell)
        ]

    def speaks(self, record: Record, gone: Sequence[Key]) -> bool:
        """Return whether a row, as it is stored, names one of these records, as far as it may be seen."""
        row = Row.of_record(record)
        if not _covers(self._reach(), row.within):
            return False
        about = {key.id for key in gone if key.tenant == row.within.tenant and row.within.holds(*key.cell)}
        return not about.isdisjoint(named_in(row.content))

    def moved(self, was: Key, now: Key) -> tuple[list[Record], list[Record]]:
        """Return the signals about a record, as they are stored and as they are to be, now that another stands for it.

        They lie where that one lies; the caller removes what does not stay under its key, and holds the lock.
        """
        self._learn()
        old, new = [], []
        rows = [key for key in self._named.get(was.id, ()) if key.id.startswith(FEEDBACKS)]
        for row, stored in self._seen(sorted(rows)):
            if row.content["claim_id"] == was.id and row.within.tenant == was.tenant and row.within.holds(*was.cell):
                within = Boundary.of_cell(now.tenant, now.scope, now.boundary_class)
                content = {**row.content, "claim_id": now.id}
                old.append(stored)
                new.append(Row(row.kind, row.id, row.at, within, content, row.expires_at).to_record())
        return old, new

    def _learn(self) -> None:
        """Read the rows that were written since the last time, and note what they name."""
        changed = sorted(self._indexes.contents.noted, key=by_id)
        there = [key for key in changed if key in self._indexes.contents.journal]
        records = self._indexes.get(there)
        for key in changed:
            for id in self._names.pop(key, ()):
                self._named[id].discard(key)
        for key, record in zip(there, records, strict=True):
            if record is not None:
                names = self._names[key] = frozenset(named_in(record.metadata.get("content", {})))
                for id in names:
                    self._named.setdefault(id, set()).add(key)
        self._indexes.contents.noted.difference_update(changed)

    def _seen(self, keys: Sequence[Key]) -> Iterator[tuple[Row, Record]]:
        reach = self._reach()
        for record in self._indexes.get(keys):
            if record is not None:
                row = Row.of_record(record)
                if _covers(reach, row.within):
                    yield row, record


def _named_as(observed: Record) -> Key:
    """Return the key that an observation would have as a record, by which rows name it."""
    row = Row.of_record(observed)
    return Key(row.within.tenant, (row.within.scopes or ("",))[0], row.within.classes[0], row.id)


def _by_row(key: Key) -> tuple[str, Key]:
    """Return what rows are ordered by: where two cells hold one id their cells decide, and never a set's order."""
    return key.id, key


def _in_class(reach: Reach, tenant: str, boundary_class: str) -> bool:
    ceiling = reach.ceiling
    return ceiling is None or (tenant == ceiling.tenant and boundary_class in (*CLASSES[:1], *ceiling.classes))


def _covers(reach: Reach, within: Boundary) -> bool:
    """Return whether all that a call could see lies inside what a memory may see."""
    ceiling = reach.ceiling
    if ceiling is None:
        return True
    scopes = ceiling.scopes is None or (within.scopes is not None and set(within.scopes) <= set(ceiling.scopes))
    return within.tenant == ceiling.tenant and scopes and set(within.classes) <= set(ceiling.classes)


def _without(row: Row, about: Mapping[str, Key]) -> Row:
    """Return a row with digests in the place of ids, and without a context's items of these."""
    digests = {id: id_digest(id, key[:3]) for id, key in about.items()}
    content = dict(row.content)
    if row.kind == CONTEXTS:
        content["items"] = [item for item in content["items"] if item["claim_id"] not in about]
    content = renamed(content, digests)
    return row if content == row.content else Row(row.kind, row.id, row.at, row.within, content, row.expires_at)


def row_id(*parts: object) -> str:
    """Return an id made of what a row is about.

    >>> row_id("a", 1.0) == row_id("a", 1.0), len(row_id("a"))
    (True, 24)
    """
    return digest("\x1f".join(map(str, parts)))[:24]
