"""The contents of the indexes: a partition a tenant, what is set aside, and the keys of what is no record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ..errors import CorruptRecord
from ..records import Record
from ..storage import JOURNAL, Key, Problem, VectorStore, by_id, is_reserved, key_of, salvage
from . import aside as asides
from .comparing import journal_of, missing_of, unknown_of
from .meanwhile import Meanwhile
from .partition import Partition
from .taken_in import Made

NewPartition = Callable[[], Partition]  # makes an empty one
_MADE = 8  # records of a write, of which something is made while it waits
_FEW = 256  # records that a generation may lack
_AT_ONCE = 500  # records that are read and put at a time


class AtHand(NamedTuple):
    """What is known of records that were just written: `read` gives them, or None; and what was made of them."""

    read: Callable[[Sequence[Key]], Sequence[Record | None] | None]
    made: Made | None


class Contents:
    """What is indexed of a store, and what is not, and why: at first nothing.

    It is read and changed as it is told, whatever the store has had since; whoever changes it holds the lock of the
    indexes (`byheart.index.indexes`), which follow the store.

    Args:
        store: the truth.
        new_partition: makes an empty partition.
        model: whose vectors are indexed; None for none.
        lent: whether the store keeps vectors in this process, so that partitions hold no second copy of them.

    Attributes:
        new_partition, model: see above.
        partitions: by tenant; none is empty.
        empty: the partition of whoever has no records.
        aside: what is stored and not indexed, by key, and why: it is damaged, or no index takes it in.
        amiss: what is wrong in the store and is no record's that can be named.
        journal: the keys of rows that are no records (`byheart.storage.reserved`), which no index takes in either.
        noted: those of them that were written or removed since somebody took them from here.

    """

    def __init__(self, store: VectorStore, new_partition: NewPartition, model: str | None, *, lent: bool) -> None:
        self._store, self._lent = store, lent
        self.new_partition, self.model = new_partition, model
        self.empty = new_partition()
        self.partitions: dict[str, Partition] = {}
        self.aside: dict[Key, Problem] = {}
        self.amiss: list[Problem] = []
        self.journal: set[Key] = set()
        self.noted: set[Key] = set()

    def records(self) -> int:
        """Return how many records are indexed."""
        return sum(len(partition) for partition in self.partitions.values())

    # ---- read from the store

    def take_in_all(self) -> int:
        """Index all that the store holds, which nothing is of yet, and return how many records that are."""
        problems: list[Problem] = []
        by_tenant: dict[str, list[Record]] = {}
        vectors = {} if self.model is None else salvage.vectors(self._store, self.model, None, problems)
        records = salvage.all_records(self._store, problems)
        self.journal = journal = set(filter(is_reserved, map(key_of, records)))
        for record in records:
            if journal and key_of(record) in journal:
                continue
            by_tenant.setdefault(record.tenant or "", []).append(record)
        self.aside, self.amiss = asides.of_load(problems, records)
        for tenant, own in by_tenant.items():
            partition = self._fresh()
            self.aside.update(asides.taken_in(partition, own, [vectors.get(key_of(record)) for record in own]))
            if len(partition):
                self.partitions[tenant] = partition
        return sum(map(len, by_tenant.values()))

    def put(self, keys: Iterable[Key], at_hand: AtHand | None = None) -> None:
        """Look again at what is stored under some keys, as far as that is not at hand."""
        by_tenant: dict[str, set[Key]] = {}
        for key in keys:
            by_tenant.setdefault(key.tenant, set()).add(key)
        for tenant, own in by_tenant.items():
            if tenant == JOURNAL:
                self._note(own)
            else:
                self._put_of(tenant, own, at_hand)

    def _note(self, keys: set[Key]) -> None:
        """Note which rows that are no records are there; those that are damaged are set aside as records are."""
        problems: list[Problem] = []
        asked = sorted(keys, key=by_id)
        stored = zip(asked, salvage.records(self._store, asked, problems), strict=True)
        for key, row in stored:
            if row is None:
                self.journal.discard(key)
            else:
                self.journal.add(key)
        self.noted |= keys
        aside = {each.key: each for each in problems if each.key is not None}
        if self.aside or aside:
            self.aside = {key: why for key, why in self.aside.items() if key not in keys} | aside

    def _put_of(self, tenant: str, keys: set[Key], at_hand: AtHand | None) -> None:
        """Look again at records of a tenant, some at a time, so that what is made of them is soon let go."""
        partition = self.partitions.get(tenant)
        if partition is None:
            partition = self.partitions[tenant] = self._fresh()
        ordered = sorted(keys, key=by_id)
        for start in range(0, len(ordered), _AT_ONCE):
            self._put_some(partition, ordered[start : start + _AT_ONCE], at_hand)
        if not len(partition):
            del self.partitions[tenant]

    def _put_some(self, partition: Partition, keys: list[Key], at_hand: AtHand | None) -> None:
        problems: list[Problem] = []
        stored = self._stored(keys, problems, at_hand)
        alive = [record for record in stored if record is not None]
        found = keys if len(alive) == len(keys) else list(map(key_of, alive))
        aside = {each.key: each for each in problems if each.key is not None} if problems else {}
        gone = () if found is keys else set(keys).difference(found)
        partition.remove([(key.id, key.cell) for key in gone])
        vectors = {} if self.model is None else salvage.vectors(self._store, self.model, found, [])
        made = None if at_hand is None else at_hand.made
        aside.update(asides.taken_in(partition, alive, [vectors.get(key) for key in found], made))
        if self.aside or aside:
            again = set(keys)
            self.aside = {key: why for key, why in self.aside.items() if key not in again} | aside

    def _stored(self, keys: list[Key], problems: list[Problem], at_hand: AtHand | None) -> Sequence[Record | None]:
        with suppress(CorruptRecord):  # which is told apart below
            if at_hand is not None and (found := at_hand.read(keys)) is not None:
                return found
        return salvage.records(self._store, keys, problems)

    def set_aside(self, problems: Iterable[Problem]) -> None:
        """Take out records that turned out to be damaged, and say so from then on."""
        for problem in problems:
            key = problem.key
            if key is None:
                continue
            self.aside[key] = problem
            partition = self.partitions.get(key.tenant)
            if partition is not None:
                partition.remove([(key.id, key.cell)])
                if not len(partition):
                    del self.partitions[key.tenant]

    def _fresh(self) -> Partition:
        """Return an empty partition. Where the store keeps vectors in this process, it has no second copy of them."""
        partition = self.new_partition()
        partition.lent = self._lent
        return partition

    def making(self, put: Sequence[Record], vectors: Mapping[Key, bytes]) -> Meanwhile[Made] | None:
        """Return what can be made of records while their write waits for the medium; None of many, or of none."""
        partition = self.partitions.get(put[0].tenant or "") if 0 < len(put) <= _MADE else None
        if partition is None or any(record.tenant != put[0].tenant or record.archived_by for record in put):
            return None
        records = sorted(put, key=lambda record: by_id(key_of(record)))
        return Meanwhile(partial(partition.make, records, [vectors.get(key_of(record)) for record in records]))

    # ---- saved and restored

    def restored(self, sections: Mapping[str, bytes]) -> Partition:
        """Return the partition that gave these sections. Errors as in `Partition.restore`."""
        partition = self._fresh()
        partition.restore(sections)
        return partition

    def copies(self) -> dict[str, Partition]:
        """Return copies of all partitions, by tenant."""
        return {tenant: self.restored(dict(old.sections())) for tenant, old in self.partitions.items()}

    def bring_vectors(self) -> set[Key]:
        """Bring restored partitions the vectors that the store keeps; return the keys of what these are not of.

        That is what has changed since, and what is damaged: it is looked at again.
        """
        if self.model is None:
            return set()
        numbered = getattr(self._store, "numbered_vectors", None)
        if numbered is not None:
            cores = {tenant: partition.core for tenant, partition in self.partitions.items()}
            numbered(self.model, lambda numbering: numbering.awaiting(cores).bring)
        else:
            by_tenant: dict[str, list[tuple[Key, bytes]]] = {}
            for key, vector in salvage.vectors(self._store, self.model, None, []).items():
                by_tenant.setdefault(key.tenant, []).append((key, vector))
            for tenant in by_tenant.keys() & self.partitions.keys():
                self.partitions[tenant].come(by_tenant[tenant])
        return {
            Key(tenant, *cell, id)
            for tenant, partition in self.partitions.items()
            for id, cell in partition.wait_no_longer()
        }

    def holds(self, stored: Set[Key]) -> bool:
        """Return whether the records that are indexed are those with these keys, which are all that is stored.

        A few may be missing: what is damaged, or could not be indexed, is in no generation. They are looked at again.
        """
        journal = set(journal_of(stored))
        missing = missing_of(self.partitions, stored)
        if missing is None or len(missing) > _FEW:
            return False
        self.noted |= self.journal ^ journal
        self.journal = journal
        if missing:
            self.put(missing)
        return missing <= self.aside.keys()

    def holds_still(self, stored: Set[Key], doubtful: Set[Key]) -> bool:
        """Return whether the records that are indexed are those with these keys, where all but some surely are.

        They are if each of the doubtful ones that is stored is here, none that is not stored is, and there are as many.
        """
        apart = self.journal | self.aside.keys()
        doubtful = doubtful - apart
        unknown = unknown_of(self.partitions, doubtful)
        return (
            apart <= stored
            and self.records() + len(apart) == len(stored)
            and all((key in stored) != (key in unknown) for key in doubtful)
        )
