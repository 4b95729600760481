"""The writer of a memory: the store changes first, then the indexes; what is erased leaves saved indexes too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..boundary import Boundary
from ..errors import (
    AmbiguousId,
    CorruptRecord,
    DuplicateId,
    InvalidArgument,
    ReadOnlyStore,
    VersionMismatch,
)
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.indexes import INDEX, Indexes, Moved
from ..index.saving import Saver
from ..records import Record
from ..retrieval.symbolic import Vocabulary
from ..storage import Key, Problem, SalvagingStore, Since, Vectors, VectorStore, by_id, key_of, salvage, write_if
from ..storage.attempts import attempts
from .completion import Completion, updated
from .lineage import Lineage, Removal
from .noise_policy import NoisePolicy

if TYPE_CHECKING:
    from pathlib import Path

    from ..embedding import Embedder
    from ..retrieval.filter import Filter
    from .receipts import ForgetReceipt

_MOVES = frozenset(("text", "topic", "claim", "procedure", "scope", "boundary_class"))
"""What a change of may remove something: the old text, or the old place."""

Given = Mapping[int, bytes]
"""Vectors that the caller brought, by the place of their record in the call."""

Seen = Callable[[Record], bool]
"""Tells a record that a verb would have looked at, had it been there."""


@dataclass(slots=True)
class Change:
    """One write, and what must still stand for it.

    Attributes:
        put: the records to be stored, by key.
        expected: what was read, as it is stored, by key.
        absent: where nothing is stored.
        remove: what goes.
        made: whose vectors are made anew; the others' are kept.
        moved: from where the vector of a record comes that is kept, if the record lay in another cell.
        seen: tells a record that was looked for, as one of a kind: had somebody put one since, something else would
            have come out. None where nothing was looked for but what is named above.

    """

    put: dict[Key, Record]
    expected: dict[Key, Record] = field(default_factory=dict)
    absent: list[Key] = field(default_factory=list)
    remove: dict[Key, None] = field(default_factory=dict)
    made: dict[Key, Record] = field(default_factory=dict)
    moved: dict[Key, Key] = field(default_factory=dict)
    seen: Seen | None = None

    @property
    def removed(self) -> list[Key]:
        """What goes and is not put again."""
        return [key for key in self.remove if key not in self.put]


class Known(dict[str, bytes]):
    """Vectors by text, made while no lock is held: an embedder may take as long as it likes.

    Args:
        embedder: makes them; None or one that makes none: nothing is ever lacking.

    """

    def __init__(self, embedder: Embedder | None) -> None:
        super().__init__()
        self._embedder = embedder
        self._lacking: list[str] = []

    def turn_to(self, embedder: Embedder | None) -> None:
        """Let go of what another embedder has made."""
        if embedder is not self._embedder:
            self.clear()
            self._embedder = embedder

    def lacks(self, texts: Iterable[str]) -> bool:
        """Return whether some texts have no vector yet, which is noted."""
        self._lacking = [] if not self._makes() else [text for text in dict.fromkeys(texts) if text not in self]
        return bool(self._lacking)

    def make(self, texts: Iterable[str] = ()) -> None:
        """Make the vectors that were lacking, and those of some more texts."""
        self._lacking += [text for text in dict.fromkeys(texts) if text not in self] if self._makes() else []
        if self._embedder is not None and self._lacking:
            self.update(zip(self._lacking, embeddings.of_texts(self._embedder, self._lacking), strict=True))
        self._lacking = []

    def _makes(self) -> bool:
        return self._embedder is not None and embeddings.makes_vectors(self._embedder)


class Writer:
    """Remembers, changes and removes records, each call all or nothing: it writes only if what it read still stands.

    Within what the memory was opened for, an id is one record: what is remembered under it takes its place, in another
    cell too. Records outside are not looked at, whatever their ids.

    Args:
        store: where the records are.
        indexes: of the store; their lock is held by whoever writes.
        saver: of the indexes.
        completion: what records lack, and what they may not be.
        vocabulary: what facts may say.
        embedder: makes vectors of texts; None without one.
        read_only: refuse every write.

    Attributes:
        embedder: may be changed, together with the indexes.

    """

    def __init__(
        self,
        store: VectorStore,
        indexes: Indexes,
        saver: Saver,
        completion: Completion,
        vocabulary: Vocabulary,
        embedder: Embedder | None,
        *,
        read_only: bool = False,
    ) -> None:
        self._store, self._indexes, self._saver = store, indexes, saver
        self._completion, self._vocabulary = completion, vocabulary
        self.embedder, self._read_only = embedder, read_only

    # ---- remember, update

    def remember(self, records: Sequence[Record], *, given: Given | None = None, several: bool = False) -> list[str]:
        """Put records, in one write; return their ids.

        Where a record takes the place of one with another text, its durable copy says the new text too, and summaries
        that say the old one go; what lay in another cell moves.

        Args:
            records: as they came.
            given: vectors that the caller brought; those of other records are made.
            several: whether one id may be given in several cells.

        Raises:
            AmbiguousId: records of several cells bear an id, and the new one lies in none of them.
            StoreBusy: others wrote what was read during each of several attempts.

        """
        return self._remember(records, list, given or {}, several=several)

    def _remember(
        self,
        records: Sequence[Record],
        instead_of: Callable[[], Sequence[Record]],
        given: Given,
        *,
        several: bool = False,
        alone: bool = False,
        seen: Seen | None = None,
    ) -> list[str]:
        """Put records and remove others, which are found anew in each attempt; `alone` where some surely are.

        What tells such another one is `seen`: if somebody puts one meanwhile, it is removed, too.
        """
        self.check_writable()
        for record in records:
            self._vocabulary.check(record)
            self._completion.check(record)
        known = Known(self.embedder)
        known.make(record.gist() for number, record in enumerate(records) if number not in given)
        for _ in attempts("remember"):
            with suppress(Moved), self._saver.alone() if alone else nullcontext(), self._indexes.lock:
                self._indexes.catch_up()
                complete = self.completed(records, time.time(), several=several)
                change = self.planned([(record, self.place_of(record)) for record in complete], instead_of())
                change.seen = seen
                if change.removed and not alone:
                    alone = True  # the saver's turn is taken before the lock
                    continue
                brought = {key_of(complete[number]): row for number, row in given.items()}
                if self._done(change, known, brought):
                    break
            known.make()
        self._saver.nudge()
        return [record.id or "" for record in complete]

    def reach(self, tenant: str) -> Boundary:
        """Return all of a tenant that the memory was opened for."""
        return self._completion.reach.of(tenant)

    def _lineage(self, within: Boundary) -> Lineage:
        return Lineage(self._indexes[within.tenant], within, self._reader(within.tenant))

    def place_of(self, record: Record) -> str | None:
        """Return the row of the record whose place a complete one takes; None if it takes nobody's."""
        key = key_of(record)
        partition = self._indexes[key.tenant]
        rows = selecting.inside(partition, self.reach(key.tenant), [key.id])
        if len(rows) < 2:
            return rows[0] if rows else None
        cells = [cell for row in rows if (cell := partition.cell_of(row)) is not None]
        if key.cell not in cells:
            raise AmbiguousId(key.id, cells)
        return rows[cells.index(key.cell)]

    def planned(
        self,
        places: Sequence[tuple[Record, str | None]],
        instead_of: Iterable[Record] = (),
        within: Boundary | None = None,
        *,
        keeps_vectors: bool = False,
    ) -> Change:
        """Return the write that puts complete records in the place of what is known by a row; the caller has the lock.

        Args:
            places: the records, and whose places they take.
            instead_of: what goes besides, as it is stored.
            within: where to look for what follows; without it, all that the memory was opened for.
            keeps_vectors: whether a record keeps its vector where its text stays.

        """
        change = Change({key_of(record): record for record, _ in places})
        rewritten: list[tuple[str, Record]] = []
        for each in instead_of:
            change.expected[key_of(each)] = each
            change.remove[key_of(each)] = None
        for record, row in places:
            key, old = key_of(record), None
            if row is not None:
                [old] = self._indexes.stored(key.tenant, [row])
            if old is None or key_of(old) != key:
                change.absent.append(key)
            if old is None or row is None:
                change.made[key] = record
                continue
            was = key_of(old)
            change.expected[was] = old
            if was != key:
                change.remove[was] = None
            if keeps_vectors and old.gist() == record.gist():
                change.moved[key] = was
            else:
                change.made[key] = record
            if old.text != record.text or was != key:
                rewritten.append((row, record))
        for row, record in rewritten:  # once it is known what is put and what goes
            self._follow(change, row, record, within or self.reach(record.tenant or ""))
        return change

    def _follow(self, change: Change, row: str, record: Record, within: Boundary) -> None:
        """Add to a write what follows from a record's new text, or from its new place.

        Raises:
            DuplicateId: a copy would follow to where another record bears its id.

        """
        follows = self._lineage(within).rewriting(row, record)
        for old, new in zip(follows.copies, follows.changed, strict=True):
            was, key = key_of(old), key_of(new)
            change.expected[was] = old
            if was in change.put or was in change.remove or key in change.put:
                continue
            change.put[key] = new
            if was != key:
                self._check_free(key)
                change.remove[was] = None
                change.absent.append(key)
            if old.gist() == new.gist():
                change.moved[key] = was
            else:
                change.made[key] = new
        change.remove.update(dict.fromkeys(follows.summaries))
        for old, new in zip(follows.archived, follows.released, strict=True):
            key = key_of(old)
            change.expected[key] = old
            if key not in change.put and key not in change.remove:
                change.put[key] = new
                change.moved[key] = key

    def completed(self, records: Sequence[Record], now: float, *, several: bool = False) -> list[Record]:
        """Return records as they will be stored; the caller holds the lock of the indexes, which are up to date.

        Raises:
            BoundaryViolation, DuplicateId, InvalidArgument: a record that may not be stored.

        """
        return self._completion.complete(records, now, self.is_taken, several=several)

    def is_reserved(self, tenant: str, id: str) -> bool:
        """Return whether an id is that of an invariant of this memory."""
        return (tenant, id) in self._completion.reserved

    def check_variant(self, record: Record) -> None:
        """Refuse a complete record that is an invariant, or has the id of one. Errors as in `Completion`."""
        self._completion.check_variant(record, key_of(record).name)

    def is_taken(self, tenant: str, id: str) -> bool:
        """Return whether a record of this id can be seen by the memory."""
        return self._indexes.sees(self._completion.reach, tenant, id)

    def replace_sources(self, sources: Mapping[str, Sequence[Record]]) -> list[str]:
        """Put the records of sources in the place of what these said before.

        Raises:
            InvalidArgument: a record says that it is of another source.

        """
        for name, records in sources.items():
            if any(record.provenance.get("source_name") != name for record in records):
                raise InvalidArgument(f"source {name!r}: a record's provenance names another source_name")
        records = [record for records in sources.values() for record in records]
        return self._remember(
            records,
            lambda: self._said_by(sources),
            {},
            alone=True,
            seen=lambda record: record.provenance.get("source_name") in sources,
        )

    def _said_by(self, sources: Mapping[str, Sequence[Record]]) -> list[Record]:
        """Return what the sources said before to the tenants that they speak to now."""
        names: dict[str, set[str]] = {}
        own = self._completion.tenant
        for name, records in sources.items():
            for tenant in {record.tenant or own for record in records} or {own}:
                names.setdefault(tenant, set()).add(name)
        found: list[Record] = []
        for boundary in self._completion.reach.boundaries(self._indexes.tenants()):
            tenant = boundary.tenant
            if tenant in names:
                said = self._reader(tenant)(selecting.of_sources(self._indexes[tenant], boundary, names[tenant]))
                found += [record for record in said if record is not None]
        return found

    def update(
        self,
        id: str,
        inside: Boundary,
        changes: Mapping[str, Any],
        noise: NoisePolicy,
        *,
        cell: tuple[str, str] | None = None,
        if_version: str | None = None,
    ) -> None:
        """Change fields of a record; its vector is kept where its text is. With scope or class it moves.

        With the text, a turn's durable copy changes too, and the summaries that say the old text go; what these stood
        for beside it is found again.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            AmbiguousId: several do, and no cell was named.
            VersionMismatch: it is stored in another version than the one that is expected.
            DuplicateId: another record with this id lies where it would move to.
            NoiseRefused: the new text is not let in.
            StoreBusy: others changed it, or what follows, during each of several attempts.

        """
        self.check_writable()
        known = Known(self.embedder)
        for _ in attempts(f"change record {id!r}"):
            alone = self._saver.alone() if not _MOVES.isdisjoint(changes) else nullcontext()
            with suppress(Moved), alone, self._indexes.lock:
                self._indexes.catch_up()
                row = selecting.the_row(self._indexes[inside.tenant], inside, id, cell)
                old = self._indexes.stored(inside.tenant, [row])[0] if row is not None else None
                if old is None:
                    raise inside.lacks(id)
                if if_version is not None and old.version != if_version:
                    raise VersionMismatch(id, if_version, old.version)
                change = self._updating(old, row, inside, changes, noise)
                if self._done(change, known, {}):
                    return
            known.make()

    def _updating(
        self, old: Record, row: str | None, inside: Boundary, changes: Mapping[str, Any], noise: NoisePolicy
    ) -> Change:
        """Return the write that changes fields of a stored record."""
        now = time.time()
        record = updated(old, changes, now)
        self._vocabulary.check(record)
        if record.text != old.text:
            noise.check(record)
        [complete] = self._completion.complete([record], now, lambda tenant, id: True)
        key = key_of(complete)
        if key != key_of(old):
            self._check_free(key)
        change = self.planned([(complete, row)], within=inside, keeps_vectors=True)
        if old.archived_by in {gone.id for gone in change.removed}:  # what stood for it has gone
            change.put[key] = complete.completed(archived_by=None)
            if key in change.made:
                change.made[key] = change.put[key]
        return change

    def _check_free(self, key: Key) -> None:
        """Refuse to move a record to where another one bears its id.

        Raises:
            DuplicateId: one does.

        """
        partition = self._indexes[key.tenant]
        if any(partition.cell_of(other) == key.cell for other in partition.rows_of(key.id)):
            raise DuplicateId(f"id {key.id!r}: another record bears it in the cell {key.cell}; forget one of them")

    def _done(self, change: Change, known: Known, given: Mapping[Key, bytes]) -> bool:
        """Commit a change if all its vectors are at hand, and return whether it was done; the caller has the lock.

        If it was not, `known` says what to make before the next attempt.
        """
        known.turn_to(self.embedder)
        wanted = {key: record.gist() for key, record in change.made.items() if key not in given}
        return not known.lacks(wanted.values()) and self.commit(change, self._vectors(change, known, given, wanted))

    def _vectors(
        self, change: Change, known: Known, given: Mapping[Key, bytes], wanted: Mapping[Key, str]
    ) -> Vectors | None:
        """Return the vectors of what is put: brought, made of its text, or kept."""
        embedder = self.embedder
        kept = embeddings.kept(self._store, list(change.moved.values()), embedder) if change.moved else None
        rows = dict(given)
        if kept is not None:
            rows.update({key: kept.rows[was] for key, was in change.moved.items() if was in kept.rows})
        if embedder is None:
            return None if kept is None else replace(kept, rows=rows)
        rows.update({key: known[text] for key, text in wanted.items() if text in known})
        return Vectors(str(embedder.fingerprint), rows) if rows else None

    def keep_vectors(self, records: Sequence[Record], vectors: Vectors) -> bool:
        """Store vectors that were made of records if these still stand, and return whether they do."""
        with self._indexes.lock:
            self._indexes.catch_up()
            return self.exchange(records, [], [], vectors)

    def commit(self, change: Change, vectors: Vectors | None) -> bool:
        """Write a change if all of it still stands, and return whether it did. Where it removes, see `exchange`."""
        expected, put = list(change.expected.values()), list(change.put.values())
        return self.exchange(expected, put, sorted(change.removed, key=by_id), vectors, change.absent, seen=change.seen)

    def exchange(
        self,
        expected: Sequence[Record],
        put: Sequence[Record],
        remove: Sequence[Key],
        vectors: Vectors | None,
        absent: Sequence[Key] = (),
        erased: list[Path] | None = None,
        seen: Seen | None = None,
    ) -> bool:
        """Put complete records and remove others, in one write, if what was read still stands; return whether it did.

        This is the one place where a memory writes records. What was read still stands if the `expected` records are
        stored as they are here, nothing is stored under the keys that are to be `absent`, and nobody has put a record
        under any of their names since the indexes looked, in a cell that the memory may see: within that an id is one
        record. Nor may a record have been put there since that would have been `seen`.

        Where some are removed, the caller has the saver's turn; `erased` takes the files that go with them.
        """
        self.check_writable()
        with self._indexes.lock:
            for key in map(key_of, put):
                if key in self._indexes.aside:
                    raise _damaged(key.id)
            touched = [*map(key_of, expected), *map(key_of, put), *remove, *absent]
            since = Since(self._indexes.sequence, self._matters({key.name for key in touched}, seen))
            self._indexes.mark(touched)
            if remove:
                files = self._saver.erase()  # first: were the process killed in between, the call could be repeated
                if erased is not None:
                    erased[:] = files
            done = write_if(self._store, expected, put, remove, vectors, absent, since)
            self._indexes.catch_up()
        self._saver.nudge()
        return done

    def _matters(self, names: set[tuple[str, str]], seen: Seen | None) -> Callable[[Key], bool]:
        """Return what tells a key inside the reach that bears one of these names, or whose record was looked for."""
        reach = self._completion.reach

        def matters(key: Key) -> bool:
            if not reach.holds(key.tenant, *key.cell):
                return False
            return key.name in names or (seen is not None and any(map(seen, self._readable([key]))))

        return matters

    @property
    def writable(self) -> bool:
        """Whether the memory may be changed."""
        return not self._read_only

    def check_writable(self) -> None:
        """Refuse to change a memory that is only read.

        Raises:
            ReadOnlyStore: it is.

        """
        if self._read_only:
            raise ReadOnlyStore("the memory was opened with read_only=True; open it without, to change it")

    # ---- forget

    def forget(
        self,
        inside: Boundary,
        wanted: Sequence[str] | None,
        where: Filter | None,
        *,
        dry_run: bool,
        with_sources: bool,
        cell: tuple[str, str] | None = None,
    ) -> ForgetReceipt:
        """Remove the records inside a boundary with these ids, or that a filter lets through; or say which they are."""

        def find() -> list[tuple[Boundary, Removal]]:
            partition, lineage = self._indexes[inside.tenant], self._lineage(inside)
            found = (
                partition.rows_in(inside, where.canonical)
                if where is not None
                else selecting.inside(partition, inside, wanted)
            )
            if cell is not None:
                found = [row for row in found if partition.cell_of(row) == cell]
            if with_sources:
                found = lineage.with_sources(found)
            removal = lineage.removal(found, wanted or ())
            sure = not self._completion.reach.sees_all  # who owns all may name what only seems to be a record's
            aside = self._indexes.aside_in(inside, wanted, sure=sure) if wanted else []
            damaged = [key for key in aside if cell is None or key.cell == cell]
            return [(inside, replace(removal, asked=(*removal.asked, *damaged)))]

        if dry_run:
            return _receipt(selecting.at_once(self._indexes, find), wanted or ())
        return self._erase(find, wanted or ())

    def purge(self, now: float) -> ForgetReceipt:
        """Remove the records whose end has come."""

        def find() -> list[tuple[Boundary, Removal]]:
            return [
                (
                    within,
                    self._lineage(within).removal(selecting.expired(self._indexes, within, now), with_copies=False),
                )
                for within in self._completion.reach.boundaries(self._indexes.tenants())
            ]

        return self._erase(find, ())

    def _erase(self, find: Callable[[], list[tuple[Boundary, Removal]]], wanted: Sequence[str]) -> ForgetReceipt:
        """Remove what is found, and the saved indexes that hold it; found again if others change it meanwhile.

        Raises:
            StoreBusy: others changed it each time.

        """
        self.check_writable()
        for _ in attempts("forget records"):
            done = False
            with suppress(Moved), self._saver.alone(), self._indexes.lock:
                self._indexes.catch_up()
                found = find()
                keys = [key for _, each in found for key in each.gone()]
                if not keys:
                    break
                released = [record for _, each in found for record in each.released()]
                expected = [*self._readable(keys), *(record for _, each in found for record in each.archived)]
                self._indexes.check_unmoved(keys)
                vectors = embeddings.kept(self._store, list(map(key_of, released))) if released else None
                files: list[Path] = []
                done = self.exchange(expected, released, keys, vectors, erased=files)
            if done:
                told = files if self._completion.reach.sees_all else ()  # a file's name counts everybody's changes
                return replace(_receipt(found, wanted), files=tuple(path.name for path in told))
        return _receipt(found, wanted)

    def _readable(self, keys: Sequence[Key]) -> list[Record]:
        """Return the records of keys as they are stored; those that are damaged can be forgotten all the same."""
        return [record for record in salvage.records(self._store, keys, []) if record is not None]

    def check_sound(self, inside: Boundary, id: str, cell: tuple[str, str] | None = None) -> None:
        """Refuse a record that is set aside.

        Raises:
            CorruptRecord: it is.

        """
        for key in self._indexes.aside_in(inside, [id]):
            if cell is None or key.cell == cell:
                raise _damaged(id)

    def repair(self, found: Sequence[Problem]) -> None:
        """Remove for good what a check has found to be damaged, and make the indexes anew.

        A memory that was opened without a boundary has the whole store repaired; another one, its own records alone.
        """
        self.check_writable()
        for _ in attempts("repair what is damaged"):
            with self._saver.alone(), self._indexes.lock:
                self._saver.erase()  # first: they may hold what the damaged records said
                self._indexes.catch_up()
                wrong = {key for each in found if each.where != INDEX and (key := each.key) is not None}
                refused = self._indexes.aside.keys() & {each.key for each in found if each.key is not None}
                if self._completion.reach.sees_all and isinstance(self._store, SalvagingStore):
                    self._store.repair()
                    wrong = set()
                    self._indexes.catch_up()
                done = self.exchange([], [], sorted(wrong | refused, key=by_id), None)
                self._indexes.rebuild()
            if done:
                return

    def _reader(self, tenant: str) -> selecting.Read:
        return lambda rows: self._indexes.stored(tenant, rows)


def _damaged(id: str) -> CorruptRecord:
    return CorruptRecord(f"record {id!r} is damaged and set aside; forget it, then remember it again")


def _receipt(found: Sequence[tuple[Boundary, Removal]], wanted: Sequence[str]) -> ForgetReceipt:
    """Return what to say of removals; of the ids asked for, those that nothing had are missing."""
    from .receipts import ForgetReceipt

    asked = [key for _, each in found for key in each.asked]
    cells: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for key in sorted(asked, key=by_id):
        cells.setdefault(key.name, []).append(key.cell)
    gone = {key.id for key in asked}
    return ForgetReceipt(
        tuple(sorted(key.id for key in asked)),
        tuple(id for id in wanted if id not in gone),
        summaries=tuple(sorted(key.id for _, each in found for key in each.summaries)),
        copies=tuple(sorted(key.id for _, each in found for key in each.copies)),
        released=tuple(sorted(record.id or "" for _, each in found for record in each.archived)),
        several=tuple((id, tuple(own)) for (_, id), own in cells.items() if len(own) > 1),
    )
