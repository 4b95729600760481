"""The upkeep of a memory: tenants, counts and settings, the removal of what has ended, checks, rebuilding."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from .. import boundary as boundaries
from .._core import __version__
from ..index import selection as selecting
from ..recall.question import BoundaryLike
from ..storage import CheckedStore, NotedStore, Problem
from ..validation import epoch_seconds
from .records import Recorded

if TYPE_CHECKING:
    from ..storage.tiers import Backfill
    from ..writing.receipts import ForgetReceipt


class Upkeep(Recorded):
    """The verbs of whoever looks after a memory."""

    def purge(self, now: Any = None) -> ForgetReceipt:
        """Remove the records whose `expires_at` has come, and return which: recalls leave them out already.

        All tenants are looked at, unless the memory was opened with a boundary: then what lies inside it.

        Args:
            now: the time to measure against, an aware datetime or epoch seconds; without it the clock's.

        >>> from byheart import Memory
        >>> memory = Memory()
        >>> memory.remember_many([{"id": "a", "text": "tea", "expires_at": 60}, {"id": "b", "text": "rice"}])
        ['a', 'b']
        >>> memory.purge(now=59).ids, memory.purge(now=60).ids, memory.stats()["records"]
        ((), ('a',), 1)

        """
        moment = epoch_seconds("now", now)
        return self._writer.purge(time.time() if moment is None else moment)

    def tenants(self) -> list[str]:
        """Return the tenants that have records, inside what the memory was opened for."""
        with self._indexes.lock:
            self._indexes.catch_up()
            within = selecting.reach(self._indexes, self._ceiling)
            return [one.tenant for one in within if self._indexes[one.tenant].records_in(one)]

    # ---- stats, upkeep, close

    def stats(self, *, boundary: BoundaryLike | None = None) -> dict[str, Any]:
        """Return counts and settings, counted inside the boundary only."""
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        with self._indexes.lock:
            self._indexes.catch_up()
            partition = self._indexes[inside.tenant]
            sizes = {cell: active for cell, (active, _) in partition.sizes().items() if active}
            blank = partition.without_vector(partition.cells_in(inside))
        cells = {cell: size for cell, size in sorted(sizes.items()) if inside.holds(*cell)}
        return {
            "records": sum(cells.values()),
            "cells": {f"{scope}/{boundary_class}": size for (scope, boundary_class), size in cells.items()},
            "boundary": inside.to_dict(),
            "analyzer": self._analyzer.name,
            "preset": self._preset,
            "hypervectors": self._encoder,
            "embedder": None if self._embedder is None else str(self._embedder.fingerprint),
            "vectors": 0 if self._embedder is None else sum(cells.values()) - blank,
            "version": __version__,
        }

    @property
    def opened(self) -> str:
        """How the indexes of the whole store came to be at opening, and why saved ones were not used.

        Copies of the file from before it was migrated are named, too, as long as they lie beside it.
        """
        return (
            "; ".join((self._indexes.opened, *self._store.notes()))
            if isinstance(self._store, NotedStore)
            else (self._indexes.opened)
        )

    @property
    def backfill(self) -> Backfill | None:
        """What became, at opening, of the tiers that were marked as not written; None without an embedder."""
        return self._backfill

    def check(self) -> list[Problem]:
        """Return what is wrong with the store, and with the indexes where they differ from it; nothing if all is well.

        The indexes are compared with new ones made of the records; that takes as long as opening without a generation.
        """
        found = list(self._store.check()) if isinstance(self._store, CheckedStore) else []
        return found if found else self._indexes.check()

    def rebuild(self) -> None:
        """Throw the indexes away, those that are saved too, and make them anew of the records."""
        with self._saver.alone():
            self._saver.erase()
        self._indexes.reset(self._new_partition, self._indexes.model)
        self._saver.nudge()
