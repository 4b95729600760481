"""The indexes of all tenants, kept at what the store says: caches, which can be thrown away and made again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from threading import RLock

from .partition import Partition
from .records import Record
from .storage import Key, VectorStore, key_of

NewPartition = Callable[[], Partition]  # makes an empty one


class Indexes:
    """One partition a tenant, and the records that were written and are not yet indexed.

    Args:
        store: the truth.
        new_partition: makes an empty partition.
        model: whose vectors are indexed; None for none.

    """

    def __init__(self, store: VectorStore, new_partition: NewPartition, model: str | None) -> None:
        """Index what the store holds."""
        self.lock = RLock()
        self._store = store
        self._stale: set[Key] = set()
        self.reset(new_partition, model)

    def reset(self, new_partition: NewPartition, model: str | None) -> None:
        """Make every index anew."""
        partitions: dict[str, Partition] = {}
        by_tenant: dict[str, list[Record]] = {}
        vectors = {} if model is None else dict(self._store.vectors(model))
        for record in self._store.load():
            by_tenant.setdefault(record.tenant or "", []).append(record)
        for tenant, own in by_tenant.items():
            partitions[tenant] = new_partition()
            partitions[tenant].put(own, [vectors.get(key_of(record)) for record in own])
        self._new_partition, self._model = new_partition, model
        self._empty = new_partition()
        self._partitions = partitions
        self._stale.clear()

    def __getitem__(self, tenant: str) -> Partition:
        """Return the indexes of a tenant; empty ones if it has no records."""
        return self._partitions.get(tenant, self._empty)

    def tenants(self) -> list[str]:
        """Return the tenants that have records."""
        return sorted(self._partitions)

    def mark(self, keys: Iterable[Key]) -> None:
        """Note which records are about to be written: whatever comes of it, they are looked at again."""
        self._stale.update(keys)

    def catch_up(self) -> None:
        """Bring the indexes up to what the store says of every record that was marked.

        If it is interrupted, the same records are still marked, and the next call does it again.
        """
        if not self._stale:
            return
        with self.lock:
            by_tenant: dict[str, list[str]] = {}
            for tenant, id in sorted(self._stale):
                by_tenant.setdefault(tenant, []).append(id)
            for tenant, ids in by_tenant.items():
                self._follow(tenant, ids)
            self._stale.clear()

    def _follow(self, tenant: str, ids: Sequence[str]) -> None:
        stored = self._store.get(tenant, ids)
        partition = self._partitions.setdefault(tenant, self._new_partition())
        partition.remove([id for id, record in zip(ids, stored, strict=True) if record is None])
        alive = [record for record in stored if record is not None]
        keys = [key_of(record) for record in alive]
        vectors = {} if self._model is None else dict(self._store.vectors(self._model, keys))
        partition.put(alive, [vectors.get(key) for key in keys])
        if not partition.cell_sizes:
            del self._partitions[tenant]
