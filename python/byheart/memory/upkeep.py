"""The upkeep of a memory: tenants, counts and settings, the removal of what has ended, checks, rebuilding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING
from typing import Any

from .._core import __version__
from ..boundary.reach import Reach
from ..errors import StoreError
from ..frozen import Document, plain
from ..index import vectors as embeddings
from ..index.aside import INDEX, tellable
from ..recall.question import BoundaryLike
from ..storage import CheckedStore, NotedStore, Problem
from ..validation import call_time, check_at_least_one, check_flag
from ..words import Time
from . import kinds
from .engine import Engine, Handle

SET_ASIDE = "set aside"
_PATIENCE = 0.1  # seconds
_MOST_NAMED = 5  # records that are set aside, in one sentence


def purge(self: Handle, now: Time | None = None) -> kinds.ForgetReceipt:
    """Remove the records whose `expires_at` has come, and return which: recalls leave them out already.

    All tenants are looked at, unless the memory was opened with a boundary: then what lies inside it. Active contexts
    and observations whose time is over go too, and are not named. A turn's durable copy ends with the turn, and is
    named in `copies`; one that was given a later end since stays until then.

    Args:
        now: the time to measure against, a datetime, ISO text or epoch seconds; without it the clock's.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> memory.remember_many([{"id": "a", "text": "tea", "expires_at": 60}, {"id": "b", "text": "rice"}])
    ['a', 'b']
    >>> memory.purge(now=59).ids, memory.purge(now=60).ids, memory.stats()["records"]
    ((), ('a',), 1)

    """
    at = call_time(now)
    removed = self._engine.eraser.purge(at)
    self._engine.prune(at)
    return removed


def tenants(self: Handle) -> list[str]:
    """Return the tenants that have records, inside what the memory was opened for."""
    indexes = self._engine.indexes
    with indexes.lock:
        indexes.catch_up()
        within = self._engine.reach.boundaries(indexes.tenants())
        return [one.tenant for one in within if indexes[one.tenant].records_in(one)]


class Stats(dict[str, Any], Document):
    """The counts and settings of a memory, as a mapping.

    It holds `records` that can be found, and how many of each of `cells`, by scope and class; the `boundary` of the
    counts; `analyzer`, `preset`, `hypervectors`, `embedder` (None without one); how many records have `vectors` that
    are not all zero; and the `version` of byheart.
    """

    __slots__ = ()

    def __init__(self, **parts: Any) -> None:
        super().__init__(parts)

    def _form(self) -> dict[str, Any]:
        return {name: plain(value) for name, value in self.items()}

    @classmethod
    def _hints(cls) -> Mapping[str, tuple[str, Any]]:
        hints = {
            "records": "int", "cells": "Mapping[str, int]", "boundary": "Mapping[str, Any]", "analyzer": "str",
            "preset": "str", "hypervectors": "str", "embedder": "str | None", "vectors": "int", "version": "str",
        }  # fmt: skip
        return {name: (hint, MISSING) for name, hint in hints.items()}


def stats(self: Handle, *, boundary: BoundaryLike | None = None) -> Stats:
    """Return counts and settings, counted inside the boundary only; what is archived is not counted (`count` does)."""
    engine, inside = self._engine, self._engine.inside(boundary)
    with engine.indexes.lock:
        engine.indexes.catch_up()
        partition = engine.indexes[inside.tenant]
        cells = {cell: size.active for cell, size in partition.sizes_in(inside).items() if size.active}
        blank = partition.without_vector(partition.cells_in(inside))
    return Stats(
        records=sum(cells.values()),
        cells={f"{scope}/{boundary_class}": size for (scope, boundary_class), size in cells.items()},
        boundary=inside.to_dict(),
        analyzer=engine.settings.analyzer.name,
        preset=engine.settings.preset,
        hypervectors=engine.settings.encoder,
        embedder=None if engine.embedder is None else str(engine.embedder.fingerprint),
        vectors=0 if engine.embedder is None else sum(cells.values()) - blank,
        version=__version__,
    )


def shown(self: Handle) -> str:
    """Return the memory as it is shown on a line: counts of what it may see, as it was looked at last.

    Nothing is read for it, and nobody is waited for long: where another thread is amid a change, there are no counts.
    """
    engine = self._engine
    store, embedder, lock = engine.store, engine.embedder, engine.indexes.lock
    parts = [repr(str(store.path))] if hasattr(store, "path") else ["in process"]
    if engine.closed:
        return f"Memory({parts[0]}, closed)"
    if lock.acquire(timeout=_PATIENCE):
        try:
            within = engine.reach.boundaries(engine.indexes.tenants())
            counts = [engine.indexes[one.tenant].records_in(one) for one in within]
        finally:
            lock.release()
        parts += [f"records={sum(counts)}", f"tenants={sum(map(bool, counts))}"]
    parts += [] if engine.reach.ceiling is None else [f"boundary=({engine.reach.ceiling.in_words()})"]
    model = None if embedder is None else f"{embedder.fingerprint.family} {embedder.dimensions}"
    settings = {"embedder": model, "analyzer": engine.settings.analyzer.name, "preset": engine.settings.preset}
    settings |= {"durability": "normal"} if getattr(store, "durability", "full") == "normal" else {}
    policy = engine.governed.policy
    settings |= {} if policy is None else {"policy": str(policy.version)}
    parts += [f"{name}={value!r}" for name, value in settings.items() if value is not None]
    return f"Memory({', '.join([*parts, *([] if engine.writable else ['read_only'])])})"


def opened(self: Handle) -> str:
    """Return how the indexes came to be at opening, what lies beside the file, and what is damaged and set aside.

    A memory that was opened with a boundary is told what is set aside inside it.
    """
    reach = self._engine.reach
    damaged = _told(self._engine.indexes.amiss(reach))
    if not reach.sees_all:
        told = "opened with a boundary; how the indexes came to be is told to who sees all that they hold"
        return "; ".join((told, *damaged))
    store, saved = self._engine.store, self._engine.saved
    notes = [*(store.notes() if isinstance(store, NotedStore) else ()), *(saved.notes() if saved is not None else ())]
    return "; ".join((self._engine.indexes.opened, *notes, *damaged))


def check(self: Handle, *, repair: bool = False) -> list[Problem]:
    """Return what is wrong with the store, and with the indexes where they differ from it; nothing if all is well.

    The indexes are compared with new ones made of the records; that takes as long as opening without a generation. Of a
    memory that was opened with a boundary, what is wrong outside is not told, nor what cannot be said to lie inside.

    Args:
        repair: remove for good what is damaged or could not be indexed, and return what it was. Saved indexes, which
            may hold what it said, go too, and all are made anew. A damaged record is in no answer, and stays as it is
            until this, or until it is forgotten. Of a record whose vector alone is wrong that alone is removed: it is
            found by its words, and `embed` makes another one.

    Raises:
        ReadOnlyStore: something is to be repaired in a memory that is only read.

    """
    check_flag("repair", repair)
    engine = self._engine
    if repair:
        engine.writer.commits.check_writable()
    found = _wrong(engine)
    if repair and found:
        engine.eraser.repair(found)
    return found


def _wrong(engine: Engine) -> list[Problem]:
    """Return what is wrong, as far as the memory may see it."""
    store = engine.store
    with engine.indexes.lock:
        engine.indexes.catch_up()
        checked = isinstance(store, CheckedStore)
        found = list(store.check()) if isinstance(store, CheckedStore) else []
        found += [each for each in engine.indexes.amiss(Reach()) if each.where == INDEX or not checked]
        named = {each.key for each in found}
        found += [each for each in engine.indexes.check() if each.key not in named]
        found += embeddings.unfit(store, engine.embedder if engine.indexes.model is not None else None)
    return tellable(found, engine.reach)


def _told(problems: Sequence[Problem]) -> list[str]:
    """Return a sentence about what is set aside, if anything is."""
    if not problems:
        return []
    keys = [each.key for each in problems[:_MOST_NAMED] if each.key is not None]
    named = ", ".join(f"{key.id!r} of tenant {key.tenant!r}" for key in keys)
    more = f" ({named}{' ...' if len(problems) > len(keys) else ''})" if named else ""
    more += "".join(f"; {each.message}" for each in problems if each.key is None)
    return [f"{SET_ASIDE}, since it is damaged: {len(problems)}{more}; `check` says more"]


def rebuild(self: Handle) -> None:
    """Throw the indexes away, those that are saved too, and make them anew of the records."""
    self._engine.rebuild()


def flush(self: Handle) -> None:
    """Return once all that was written so far is on the medium.

    With `durability="full"`, and in a memory that is in no file, that is so already, and nothing is done. With
    "normal" it would be so some milliseconds later: call this before telling somebody that something is kept for good.

    Raises:
        StoreError: calls that had returned could not be written and are undone; the memory holds what the file holds.
            Also of an earlier time, if this was not called since.
        StoreBusy: another process read the file all the time, ten seconds; nothing is lost, and it is tried again.

    >>> import tempfile, pathlib
    >>> from byheart import Memory
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "memory.db"
    ...     with Memory(file, durability="normal") as memory, Memory(file) as other:
    ...         ids = [memory.remember(f"The kettle was descaled in week {week}.") for week in range(100)]
    ...         memory.flush()
    ...         other.count()
    100

    """
    if self._engine.closed:
        raise StoreError("flush: the memory is closed; open it again")
    self._engine.writer.commits.flush()


def embed(self: Handle, embedder: kinds.Embedder | None = None, *, batch: int = 256) -> kinds.EmbedReceipt:
    """Make the vectors that are missing; with another embedder make all of them anew, and use it from then on.

    Each batch is stored as it is made: a call that was broken off goes on where it stopped. Until all are
    there the old vectors are the ones that are searched; old and new are never mixed. A record whose text is
    changed meanwhile gets the vector of its new text.

    The texts are those inside what the memory was opened for, and so are the counts of the receipt. The vectors of
    a store are of one model, so that only a memory that sees all of it can change that.

    Raises:
        BoundaryViolation: the memory was opened with a boundary, and the store has vectors of another model.
        FingerprintMismatch: none was given, and others have given the store vectors of another model since the memory
            was opened.
        InvalidArgument: there is no embedder, or `batch` is below 1.
        ReadOnlyStore: the memory is only read.

    """
    return self._engine.embed(embedder, batch=check_at_least_one("batch", batch))
