"""The indexes of all tenants, kept at what the store says: caches, which can be thrown away and made again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from threading import RLock
from typing import TYPE_CHECKING

from ..boundary import Boundary
from ..boundary.reach import Reach
from ..errors import CorruptIndex, CorruptRecord, CorruptStore, StoreBusy, UnsupportedFormat
from ..records import Record
from ..storage import (
    Changes,
    DelayedStore,
    DurableStore,
    FollowedStore,
    Key,
    Problem,
    VectorStore,
    by_id,
    salvage,
)
from ..storage.attempts import TRIES, attempts
from . import aside as asides
from . import forking
from .ahead import Ahead
from .comparing import differing, differs, unknown_in_time
from .contents import AtHand, Contents, NewPartition
from .partition import Partition, Read
from .taken_in import Made

if TYPE_CHECKING:
    from .saved import Saved

_FEW = 256  # rows whose keys are remembered: those of hits, not of whole tenants


class Moved(Exception):
    """The store or the indexes are no longer what they were when the caller began: what it read is of two moments."""


class Indexes:
    """One partition a tenant, following the store.

    Of a store that says what changed they follow the changes, whoever made them, and of a durable one they may be
    opened from what `saved` holds. Of any other they follow what `mark` was told.

    Args:
        store: the truth.
        new_partition: makes an empty partition.
        model: whose vectors are indexed; None for none.
        saved: where generations of a durable store's indexes are kept; None for nowhere.

    Attributes:
        lock: held by whoever changes records or indexes.
        in_haste: whether somebody waits for a generation, so that it is made without pauses.
        saving: whether sections are being made of the indexes, for which whoever changes them waits.
        sequence: the change of a store that says what changed that the indexes are at.
        undone: how often the store had undone what was acknowledged when they looked (`DelayedStore`).
        opened: how they came to be, in words.
        contents: what is indexed, and what is not; another one once all is made anew.

    """

    def __init__(
        self, store: VectorStore, new_partition: NewPartition, model: str | None, saved: Saved | None = None
    ) -> None:
        """Open what is saved, or index what the store holds."""
        self.lock = RLock()
        self.sequence = self.undone = 0
        self.opened = ""
        self._store, self._saved = store, saved
        self._followed = store if isinstance(store, FollowedStore) else None
        self._delayed = store if isinstance(store, DelayedStore) else None
        self._durable = store if isinstance(store, DurableStore) else None
        self._own_changes = getattr(store, "own_changes", None)
        self._get_as_of = getattr(store, "get_as_of", None)
        self._stale: set[Key] = set()
        self.contents = self._nothing(new_partition, model)
        self._changing = self._changes = 0  # how many changes are under way, and how many have begun
        self.in_haste = self.saving = False
        self.inherited = False  # by a fork: locks inside the indexes may be held by threads that are not here
        if not self._open_saved():
            self.reset(new_partition, model)
        forking.watch(self)

    def reset(self, new_partition: NewPartition, model: str | None) -> None:
        """Make every index anew."""
        with self._changed():
            undone = self._undone()
            sequence = 0 if self._followed is None else self._followed.sequence()
            old, new = self.contents, self._nothing(new_partition, model)
            records = new.take_in_all()
            new.noted = old.noted | old.journal | new.journal
            self.contents, self.sequence, self.inherited = new, sequence, False  # at once, whoever interrupts
            self._stale, self.undone = set(), undone
            passed_over = [] if self._saved is None else self._saved.passed_over
            why = f" ({'; '.join(passed_over)})" if passed_over else ""
            self.opened = f"indexed {records} records{why}"

    def _nothing(self, new_partition: NewPartition, model: str | None) -> Contents:
        return Contents(self._store, new_partition, model, lent=self._durable is None)

    def encode(self, tenant: str, read: Read, embeddings: Callable[[Sequence[str]], Mapping[str, bytes]]) -> None:
        """Make the hypervectors of a tenant, which are made when they are first asked for (`Partition.encode`)."""
        with self._changed():
            self._own_again()
            self[tenant].encode(read, embeddings)

    def rebuild(self) -> None:
        """Make every index anew, as they were made."""
        self.reset(self.contents.new_partition, self.contents.model)

    def __getitem__(self, tenant: str) -> Partition:
        """Return the indexes of a tenant; empty ones if it has no records."""
        contents = self.contents
        return contents.partitions.get(tenant, contents.empty)

    def tenants(self) -> list[str]:
        """Return the tenants that have records."""
        return sorted(self.contents.partitions)

    def records(self) -> int:
        """Return how many records are indexed."""
        return self.contents.records()

    def sees(self, reach: Reach, tenant: str, id: str) -> bool:
        """Return whether a record with this id lies inside what a memory may see."""
        partition = self[tenant]
        places = filter(None, partition.places(partition.rows_of(id)))
        return any(reach.holds(tenant, *cell) for _, cell in places)

    def mark(self, written: Iterable[Key], looked_at: Iterable[Key] = ()) -> None:
        """Note which records are about to be written: whatever comes of it, they are looked at again.

        Of a store that does not say what changed, also those that were looked at for the write.
        """
        if self._durable is None:
            self._stale.update(written)
            if self._followed is None:
                self._stale.update(looked_at)

    def behind(self) -> bool:
        """Return whether the store says something that is not indexed."""
        if self._stale or self._undone() != self.undone:
            return True
        return self._followed is not None and self._followed.sequence() != self.sequence

    def _undone(self) -> int:
        return 0 if self._delayed is None else self._delayed.undone()

    def catch_up(self) -> None:
        """Bring the indexes up to what the store says.

        If it is interrupted, the same records are looked at again by the next call.

        Raises:
            StoreBusy: this thread is changing them already: a signal's handler would see them half done.

        """
        if self._changing and self.lock._is_owned():  # type: ignore[attr-defined]
            raise StoreBusy("this thread is changing the indexes, which a signal's handler has interrupted; read later")
        if not self.behind():
            return
        with self._changed():
            self._own_again()
            if self._followed is None:
                self.contents.put(self._stale)
                self._stale.clear()
            else:
                self._follow(self._followed)

    def follow_own(self, made: Made | None = None) -> None:
        """Take in what was just written here, of a store that knows it without a look at what others write.

        Whoever asks the indexes next looks, and sees that. If nothing was written, or more, they catch up.
        """
        own: Changes | None = None if self._own_changes is None else self._own_changes(self.sequence)
        if own is None or own.keys is None or not self._stale <= own.keys or self._undone() != self.undone:
            self.catch_up()
            return
        with self._changed():
            self._own_again()
            self.contents.put(own.keys, AtHand(partial(self._read, sequence=own.sequence), made))
            self.sequence = own.sequence
            self._stale.clear()

    def _follow(self, store: FollowedStore) -> None:
        """Take in what changed, until nothing more has: what is read last may be newer than what was asked first."""
        for _ in range(TRIES):
            changes = store.changes(self.sequence)
            if changes.keys is None or self._undone() != self.undone:
                self.rebuild()
            else:
                self.contents.put(changes.keys | self._stale)
                self.sequence = changes.sequence
                self._stale.clear()
            if not self.behind():
                return

    @contextmanager
    def _changed(self) -> Iterator[None]:
        """Hold the lock while the indexes change, and have `still` know of it."""
        with self.lock:
            before = self._changing
            try:
                self._changing = before + 1
                self._changes += 1  # second: who sees the new number sees that a change is under way
                yield
            finally:
                self._changing = before

    def settled(self) -> int:
        """Catch up, and return what `still` takes. Errors as in `catch_up`."""
        self.catch_up()
        mark = self._changes
        if self._changing:
            with self.lock:
                mark = self._changes
        return mark

    def still(self, mark: int) -> bool:
        """Return whether the indexes are as they were when `settled` gave the mark. It does not look at the file."""
        return not self._changing and self._changes == mark and not self._stale

    def keys(self, tenant: str, rows: Iterable[str]) -> list[Key]:
        """Return the keys of what a tenant's indexes know by these names; of an unknown one, a key that nothing has."""
        known, partition = list(rows), self[tenant]
        held = partition.names() if len(known) <= _FEW else {}
        try:
            return [held[row] for row in known]
        except KeyError:
            pass
        for row, place in zip(known, partition.places(known), strict=True):
            if place is not None:
                held[row] = Key(tenant, *place[1], place[0])
        return [held.get(row) or Key(tenant, "", "", row) for row in known]

    def stored(self, tenant: str, rows: Sequence[str]) -> Sequence[Record | None]:
        """Return records by what the indexes know them by, as they were stored when the indexes looked.

        None where there is none, or where it is damaged. So what a verb looks at is of one moment, however often it
        reads: that of the indexes, whose lock the caller holds.

        Raises:
            Moved: others have changed one of them since.

        """
        if not rows:
            return []
        keys = self.keys(tenant, rows)
        found = self.get(keys)
        self.check_unmoved(keys)
        return found

    def check_unmoved(self, keys: Iterable[Key]) -> None:
        """Refuse to go on with records that others have changed since the indexes looked.

        Raises:
            Moved: they have changed one of these.

        """
        if self._followed is None or not self.behind():
            return
        changed = self._followed.changes(self.sequence).keys
        if changed is None or not changed.isdisjoint(keys):
            raise Moved

    def get(self, keys: Sequence[Key]) -> list[Record | None]:
        """Return records as they are stored; None where there is none, or where it is damaged: that is set aside."""
        problems: list[Problem] = []
        found = salvage.records(self._store, keys, problems)
        if problems:
            self._set_aside(problems)
        return found

    def read(self, tenant: str, rows: Sequence[str], sequence: int) -> Sequence[Record | None]:
        """Return records as the indexes at that sequence know them.

        Raises:
            Moved: the store has moved on.

        """
        keys = self.keys(tenant, rows)
        try:
            found = self._read(keys, sequence)
        except CorruptStore:
            raise
        except CorruptRecord:
            problems: list[Problem] = []
            salvage.records(self._store, keys, problems)
            if not problems:
                raise
            self._set_aside(problems)
            found = None
        if found is None:
            raise Moved
        return found

    def _read(self, keys: Sequence[Key], sequence: int) -> Sequence[Record | None] | None:
        """Return records as the store has them at a sequence; None if it has moved on."""
        if self._get_as_of is not None:
            as_of: Sequence[Record | None] | None = self._get_as_of(sequence, keys)
            return as_of
        found = self._store.get(keys)
        moved = self._followed is not None and self._followed.sequence() != sequence
        return None if moved else found

    def _set_aside(self, problems: Iterable[Problem]) -> None:
        """Take records out of the indexes that turned out to be damaged, and say so from then on."""
        with self._changed():
            self._own_again()
            self.contents.set_aside(problems)

    @property
    def sound(self) -> bool:
        """Whether all that is stored is indexed."""
        return not (self.contents.aside or self.contents.amiss)

    def amiss(self, reach: Reach) -> list[Problem]:
        """Return what is set aside, as far as a memory may be told."""
        return asides.told(self.contents.aside, self.contents.amiss, reach)

    def lost(self, reach: Reach) -> bool:
        """Return whether records may be missing that nobody can name; told to those alone who see all of the store."""
        amiss = self.contents.amiss
        return bool(amiss) and reach.sees_all and any(each.key is None for each in amiss)

    def aside_in(self, within: Boundary, ids: Iterable[str] | None = None, *, sure: bool = True) -> list[Key]:
        """Return the keys inside a boundary, with these ids, that are set aside; if `sure`, those that are certain."""
        return asides.inside(self.contents.aside, within, ids, sure=sure)

    def rows_aside_in(self, within: Boundary, ids: Iterable[str] | None, *, sure: bool = True) -> list[Key]:
        """Return the same of the journal's observations."""
        return asides.rows_inside(self.contents.aside, within, ids, sure=sure)

    def _own_again(self) -> None:
        """After a fork, copy the indexes: they can be read, but a reader that is not here would keep a writer out."""
        if self.inherited:
            copies = self.contents.copies()
            self.contents.partitions, self.inherited = copies, False

    @property
    def model(self) -> str | None:
        """Whose vectors are indexed."""
        return self.contents.model

    def check(self) -> list[Problem]:
        """Return where the indexes differ from new ones made of the records.

        What others write meanwhile is no difference: what seems to be one is looked at again.
        """
        wrong: set[Key] | None = None
        for _ in attempts("compare the indexes with the store"):
            with self.lock:
                self.catch_up()
                sequence, held = self.sequence, self.contents
                wrong = differing(held.partitions, self._store, held.model, held.new_partition, wrong)
                if not wrong or (sequence == self.sequence and not self.behind()):
                    break
        assert wrong is not None, "there is an attempt"
        return [differs(key) for key in sorted(wrong, key=by_id)]

    # ---- generations

    def _open_saved(self) -> bool:
        """Take the newest generation that is whole, and follow what changed since; False if there is none."""
        if self._saved is None or self._durable is None:
            return False
        with self.lock:
            found, contents = self._saved.newest(), self.contents
            if found is None:
                return False
            try:
                tenants = found.tenants
                restoring = Ahead(lambda: {tenant: contents.restored(own) for tenant, own in tenants.items()})
                self._durable.keys()  # the store reads them now, while the core works
                contents.partitions = restoring.result()
                tenants.clear()  # what is not needed any more makes room for vectors
            except (CorruptIndex, UnsupportedFormat) as error:
                self._saved.pass_over(str(error))
                self.contents.partitions = {}
                return False
            self.sequence = found.sequence
            self.opened = f"opened generation {found.sequence}"
            lacking = contents.bring_vectors()
            self.catch_up()
            if not self._holds_what_is_stored(self._durable):
                self._saved.pass_over(f"generation {found.sequence}: it holds other records than the store")
                self.contents.partitions = {}
                return False
            self.contents.put(lacking)  # once it is sure that the generation is of these records and no others
        return True

    def _holds_what_is_stored(self, store: DurableStore) -> bool:
        """Return whether the records of the indexes are those of the store, by their keys (see `Contents.holds`)."""
        for _ in range(TRIES):
            stored = store.keys()
            if stored.sequence == self.sequence:
                return self.contents.holds(stored.keys)
            self.catch_up()
        return False

    def save(self, *, at_least: int = 1) -> bool:
        """Write a generation, if the store has changed that often since the last; return whether one was written.

        None is written while records are missing that nobody can name: whoever opened it would not be told.
        """
        saved = self._saved
        few = saved is not None and self.sequence - saved.sequence < at_least
        if saved is None or self._durable is None or few or self._model_is_changing():
            return False
        looked_at = self._looked_through(self._durable)  # before others who forget have to wait
        with saved.alone():
            undone = self._undone()
            try:
                taken = self._taken(self._durable, looked_at)
                return taken is not None and self._stands(undone) and saved.write(*taken)
            finally:
                self.saving = False

    def _stands(self, undone: int) -> bool:
        """Return whether all that the indexes took in since then is on the medium, and nothing of it was undone."""
        if self._delayed is not None:
            self._delayed.settle()
        return self._undone() == undone

    def _taken(
        self, store: DurableStore, looked_at: tuple[int, set[Key]]
    ) -> tuple[int, dict[str, list[tuple[str, bytes]]]] | None:
        """Return the sections of each tenant, and up to which change they are at least; None if they may not be saved.

        They are made without the lock, and what is written meanwhile stands in none of them or in some: whoever opens
        them follows the changes since that one, in any case.
        """
        with self.lock:
            self.catch_up()
            if self._model_is_changing() or self.contents.amiss:
                return None
            if not (self._holds_still(store, looked_at) or self._holds_what_is_stored(store)):
                self.rebuild()  # else words that were erased would be written again
            sequence, partitions = self.sequence, dict(self.contents.partitions)
            self.saving = True
            foreign = {tenant: partition for tenant, partition in partitions.items() if partition.indexes}
            sections = {tenant: list(partition.sections(vectors=False)) for tenant, partition in foreign.items()}
        for tenant, partition in partitions.items():
            if tenant not in sections:  # what is not ours may change while it is written, unless the lock is held
                sections[tenant] = list(partition.sections(vectors=False))
        return sequence, sections

    def _looked_through(self, store: DurableStore) -> tuple[int, set[Key]]:
        """Return a change of the store, and which keys of the records there were then are not indexed."""
        with self.lock:
            stored, partitions = store.keys(), dict(self.contents.partitions)
        return stored.sequence, unknown_in_time(partitions, stored.keys, lambda: self.in_haste)

    def _holds_still(self, store: DurableStore, looked_at: tuple[int, set[Key]]) -> bool:
        """Return whether the records of the indexes are those of the store, given what was looked through before."""
        since, missing = looked_at
        stored, changes = store.keys(), store.changes(since)
        if changes.keys is None or not stored.sequence == changes.sequence == self.sequence:
            return False
        return self.contents.holds_still(stored.keys, missing | changes.keys)

    def _model_is_changing(self) -> bool:
        model = self.contents.model
        return model is not None and self._store.model() != model
