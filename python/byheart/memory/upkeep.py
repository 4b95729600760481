"""What an owner does with a memory: list, export and import records, count, embed, purge, check, rebuild."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from .. import boundary as boundaries
from .._core import __version__
from ..recall.question import BoundaryLike
from ..records import Record
from ..storage import CheckedStore, Problem
from ..validation import epoch_seconds
from ..index import selection as selecting
from .opening import Opened

if TYPE_CHECKING:
    from ..storage.tiers import Backfill
    from ..writing.receipts import ForgetReceipt


class Upkeep(Opened):
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

    # ---- all records: list, export, import

    def tenants(self) -> list[str]:
        """Return the tenants that have records, inside what the memory was opened for."""
        with self._indexes.lock:
            self._indexes.catch_up()
            within = selecting.reach(self._indexes, self._ceiling)
            return [one.tenant for one in within if self._indexes[one.tenant].records_in(one)]

    def records(self, *, boundary: BoundaryLike | None = None) -> list[Record]:
        """Return all records inside the boundary, in order of their ids, as of one moment; expired ones too.

        >>> from byheart import Memory
        >>> memory = Memory()
        >>> memory.remember_many([{"id": "b", "text": "rice"}, {"id": "a", "text": "tea"}])
        ['b', 'a']
        >>> [record.text for record in memory.records()]
        ['tea', 'rice']

        """
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        return selecting.records(self._store, self._indexes, lambda: [inside])

    def export_to(self, path: str | os.PathLike[str]) -> int:
        """Write the records into a new text file (`byheart.storage.jsonl`), private to its owner; return how many.

        All tenants are written, unless the memory was opened with a boundary: then what lies inside it. Equal records
        give equal bytes. Vectors are left out: they can be made again.

        Raises:
            InvalidArgument: the file is there already.
            CorruptRecord, StoreBusy: a record is damaged, or the store was never quiet. No file is written.

        """
        from ..storage.exchange import write_jsonl

        found = selecting.records(self._store, self._indexes, lambda: selecting.reach(self._indexes, self._ceiling))
        return write_jsonl(found, path)

    def import_from(self, path: str | os.PathLike[str]) -> int:
        """Remember the records of a file that `export_to` wrote, as they are, all or none; return how many.

        A record with a known id is replaced, and none is looked at for noise.

        Raises:
            InvalidArgument: there is no such file.
            CorruptRecord: a line is no record; names it.
            BoundaryViolation: a record lies outside the boundary that the memory was opened with.

        >>> import tempfile, pathlib
        >>> from byheart import Memory
        >>> with tempfile.TemporaryDirectory() as folder, Memory() as memory, Memory() as other:
        ...     id = memory.remember("Steep the tea for three minutes.", id="tea")
        ...     file = pathlib.Path(folder) / "memory.jsonl"
        ...     memory.export_to(file), other.import_from(file), other.records() == memory.records()
        (1, 1, True)

        """
        from ..storage.exchange import read_jsonl

        return len(self._writer.remember(read_jsonl(path), several=True))

    # ---- stats, upkeep, close

    def stats(self, *, boundary: BoundaryLike | None = None) -> dict[str, Any]:
        """Return counts and settings, counted inside the boundary only."""
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        with self._indexes.lock:
            self._indexes.catch_up()
            partition = self._indexes[inside.tenant]
            sizes = dict(partition.cell_sizes)
            blank = len(partition.without_vector(partition.cells_in(inside)))
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
        """How the indexes of the whole store came to be at opening, and why saved ones were not used."""
        return self._indexes.opened

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
