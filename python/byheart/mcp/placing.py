"""The placing of records under names: one is put where nothing is, or moved there, or it is said that it was not.

`Memory.remember` replaces what lies under an id. Where several hosts write, a name has to be taken once: both functions
here are one write of the store, done only if what was read still stands.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

from ..index import vectors as embeddings
from ..memory.memory import Memory
from ..records import Record
from ..storage import Vectors, key_of
from ..storage.attempts import attempts

if TYPE_CHECKING:
    from ..embedding import Embedder
    from ..storage import Key, VectorStore


def create(memory: Memory, record: Record) -> Record | None:
    """Store a record under its id, if the memory sees no record of that id; return it as stored, or None.

    Raises:
        NoiseRefused: the memory refuses such texts.
        BoundaryViolation, InvalidArgument, LimitExceeded, ReadOnlyStore, StoreBusy: see the message.

    >>> memory = Memory(noise=None)
    >>> [create(memory, Record(id="tea", text=text)) is None for text in ("green tea", "rice")]
    [False, True]

    """
    memory._engine.noise.check(record)
    return _exchange(memory, [(None, record)])


def move(memory: Memory, moves: Sequence[tuple[Record, Record]]) -> bool:
    """Put records in the place of stored ones, under other ids; return whether it was done: all of them, or none.

    It is not done where one has changed since it was read, or something lies under a new id. Vectors go with their
    records: the texts have to be the same.

    Args:
        memory: of the records.
        moves: each record as it is stored, and as it shall be.

    """
    return _exchange(memory, moves) is not None


def _exchange(memory: Memory, moves: Sequence[tuple[Record | None, Record]]) -> Record | None:
    """Write a record if its place is free and the record to remove is unchanged; return the removed one, or None."""
    engine = memory._engine
    engine.writer.commits.check_writable()
    moves = [(was, record if was is not None else engine.writer.admitted(record)) for was, record in moves]
    old = [record for record, _ in moves if record is not None]
    for attempt in attempts("keep a record under its name"):
        embedder = engine.embedder
        made = _made(embedder, [record for was, record in moves if was is None])
        with (
            engine.saver.alone() if old else nullcontext(),
            engine.writer.commits.planning(alone=bool(old) or attempt > 0),
        ):
            if engine.embedder is not embedder:
                continue
            complete = engine.writer.completed([record for _, record in moves], time.time())
            if any(engine.writer.is_taken(each.tenant or "", each.id or "") for each in complete):
                return None
            keys, was = [key_of(each) for each in complete], [key_of(record) for record in old]
            if engine.indexes.get(was) != old:
                return None
            vectors = None if embedder is None else _vectors(engine.store, embedder, made, keys, was)
            if engine.writer.commits.exchange(old, complete, was, vectors, keys):
                return complete[-1]
    raise AssertionError("attempts end with an error")


def _made(embedder: Embedder | None, records: Sequence[Record]) -> list[bytes]:
    """Return the vectors of new records, made while no lock is held; none without an embedder that makes any."""
    if embedder is None or not records or not embeddings.makes_vectors(embedder):
        return []
    return embeddings.of_texts(embedder, [record.embedded() for record in records])


def _vectors(
    store: VectorStore, embedder: Embedder, made: Sequence[bytes], keys: Sequence[Key], was: Sequence[Key]
) -> Vectors | None:
    """Return the vectors that are written: those that were made, or those of the old places."""
    if not was:
        return Vectors(str(embedder.fingerprint), dict(zip(keys, made, strict=True))) if made else None
    kept = embeddings.kept(store, was, embedder)
    if kept is None:
        return None
    return Vectors(kept.model, {new: kept.rows[old] for new, old in zip(keys, was, strict=True) if old in kept.rows})
