"""Memory: what an agent does with its memories. Each verb checks its arguments and delegates."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from . import boundary as boundaries
from . import embeddings, knowledge, pipeline, request, saving
from ._core import Analyzer, __version__
from .answers import EmbedReceipt, ForgetReceipt, Hit, Recall, Receipt
from .boundary import Boundary
from .errors import InvalidArgument, RecordNotFound, StoreBusy, UnknownField
from .indexes import Indexes, Moved
from .ingestion.completion import Completion, as_record
from .partition import Partition
from .profiles import Profile
from .ranking.explanation import Explanation
from .records import Record
from .request import Asked, BoundaryLike, Query
from .retrieval.hypervector import EMBEDDING, check_encoder
from .retrieval.symbolic import Vocabulary, question
from .rules import SHIPPED, Rule
from .storage import CheckedStore, InProcessStore, Key, Problem, Store, VectorStore, key_of
from .storage.in_process import WithVectors
from .validation import check_id, check_name, strings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .embedding import Embedder

_TRIES = 32
T = TypeVar("T")


class Memory:
    """An embedded memory: remember texts, recall the few that matter, read why.

    Args:
        tenant, scope: what records get that name none.
        boundary: what calls may see at most, and see by default. Without it a call may name any boundary, and
            sees this memory's tenant, every scope, and the classes public and internal by default.
        path: the file in which records live, durable and shared between processes (see `byheart.storage.sqlite`); one
            whose name ends in ".jsonl" is a text file. Without a path, in this process only.
        store: where records live instead of a path.
        embedder: makes vectors of texts; see `byheart.embedding`. Without one there is no dense retrieval.
        reembed: accept a store whose vectors another embedder made, and make them all anew at opening. Without it
            such a store is refused.
        analyzer: how text becomes terms.
        preset: k1 and b of the lexical index: "default", or "conversation" for memories of chat turns.
        hypervectors: what a text's hypervector is made of: "subwords" (finds misspelled words), "ngrams" (seed
            003's), "tokens", or "embedding" (the signs of random projections of its embedding).
        relations: what facts may say beside the eleven relations of `byheart.knowledge.RELATIONS`.
        rules: what follows from facts; see `byheart.rules`.

    >>> memory = Memory()
    >>> memory.remember("Ada Lovelace wrote the first program", id="ada")
    'ada'
    >>> [hit.id for hit in memory.recall("who wrote programs?")]
    ['ada']

    Raises:
        FingerprintMismatch: the store's vectors were made by another embedder; the message names both.

    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        tenant: str = boundaries.DEFAULT_TENANT,
        scope: str = boundaries.DEFAULT_SCOPE,
        boundary: BoundaryLike | None = None,
        store: Store | None = None,
        embedder: Embedder | None = None,
        reembed: bool = False,
        analyzer: Analyzer | None = None,
        preset: str = "default",
        hypervectors: str = "subwords",
        relations: Sequence[str] = (),
        rules: Sequence[Rule] = SHIPPED,
    ) -> None:
        """Open the memory and index what the store holds."""
        check_name("tenant", tenant)
        check_name("scope", scope)
        check_encoder(hypervectors, has_embedder=embedder is not None)
        own = Boundary(tenant)
        self._ceiling = None if boundary is None else boundaries.resolve(boundary, own, None)
        self._default = self._ceiling or own
        self._completion = Completion(tenant, scope, self._ceiling)
        self._analyzer = analyzer if analyzer is not None else Analyzer()
        self._preset, self._encoder = preset, hypervectors
        self._vocabulary = Vocabulary((*knowledge.RELATIONS, *strings("relations", relations)), tuple(rules))
        self._store = _opened(path, store)
        self._embedder = embedder
        try:
            model = None if embedder is None else embeddings.open_model(self._store, embedder, reembed=reembed)
            self._saved = saving.of(self._store, self._settings())
            self._indexes = Indexes(self._store, self._new_partition, model, self._saved)
            self._saver = saving.Saver(self._indexes, self._saved)
            if reembed:
                self.embed()
        except BaseException:
            if path is not None:
                self._store.close()
            raise

    # ---- remember

    def remember(self, text_or_record: str | Record | Mapping[str, Any], **fields: Any) -> str:
        """Remember one text or record and return its id; a record with the same id is replaced.

        Keyword arguments are fields of `Record`. Without an id one is made of the content.

        Raises:
            InvalidArgument, LimitExceeded, TypeError: a field that cannot be taken; nothing is remembered then.
            ModelError: the embedder's answer cannot be used; nothing is remembered then.

        """
        return self._remember([as_record(text_or_record, fields)])[0]

    def remember_many(self, records: Iterable[str | Record | Mapping[str, Any]]) -> list[str]:
        """Remember several texts or records, all or none, and return their ids in order.

        Raises:
            DuplicateId: one id occurs twice in the call.

        """
        if isinstance(records, (str, Mapping)):
            raise TypeError("records must be a list of texts or records, not one of them")
        return self._remember([as_record(record, {}) for record in records])

    def replace_source(self, name: str, records: Iterable[Record]) -> list[str]:
        """Remember the records of a source and forget what it said before, in one write (spec B1.44.5).

        A record belongs to the source that its provenance calls `source_name`; each of these must say `name`.
        What the source said before is looked for in the tenants of the new records, or in this memory's own.
        """
        given = list(records)
        if any(record.provenance.get("source_name") != name for record in given):
            raise InvalidArgument(f"source {name!r}: a record's provenance names another source_name")
        with self._saved_alone(), self._indexes.lock:
            self._indexes.catch_up()
            own = self._completion.tenant
            tenants = {record.tenant or own for record in given} or {own}
            return self._remember(given, [key for tenant in tenants for key in self._said_by(name, tenant)])

    def _said_by(self, name: str, tenant: str) -> Iterable[Key]:
        ids = self._indexes[tenant].ids()
        for id, record in zip(ids, self._store.get(tenant, ids), strict=True):
            if record is not None and record.provenance.get("source_name") == name:
                yield tenant, id

    def _remember(self, records: list[Record], instead_of: Sequence[Key] = ()) -> list[str]:
        for record in records:
            self._vocabulary.check(record)
        indexes = self._indexes
        with indexes.lock:
            indexes.catch_up()
            complete = self._completion.complete(records, time.time(), lambda tenant, id: id in indexes[tenant])
            vectors = None if self._embedder is None else embeddings.of_records(self._embedder, complete)
            keys = [key_of(record) for record in complete]
            gone = sorted(set(instead_of) - set(keys))
            indexes.mark([*keys, *gone])
            if gone:
                self._erase_saved()
            self._store.write(complete, gone, vectors)
            indexes.catch_up()
        self._saver.nudge()
        return [id for _, id in keys]

    def embed(self, embedder: Embedder | None = None, *, batch: int = 256) -> EmbedReceipt:
        """Make the vectors that are missing; with another embedder make all of them anew, and use it from then on.

        Each batch is stored as it is made: a call that was broken off goes on where it stopped. Until all are
        there the old vectors are the ones that are searched; old and new are never mixed.

        Raises:
            InvalidArgument: there is no embedder, or `batch` is below 1.

        """
        if batch < 1:
            raise InvalidArgument(f"batch: is {batch}; give at least 1")
        new = embedder if embedder is not None else self._embedder
        if new is None:
            raise InvalidArgument("embed: the memory has no embedder; give one")
        made = embeddings.embed_missing(self._store, self._indexes, new, batch)
        with self._saved_alone(), self._indexes.lock:
            self._embedder = new
            if self._saved is not None:
                self._saved.of(self._settings())
            self._indexes.reset(self._new_partition, str(new.fingerprint))
        return made

    # ---- recall

    def recall(
        self,
        query: Query,
        k: int | None = None,
        profile: str | Profile = "kb-balanced",
        *,
        boundary: BoundaryLike | None = None,
        now: Any = None,
        explain: bool = False,
        act: str | None = None,
        needed_roles: Sequence[str] = (),
        deadline: float | None = None,
        mode: str | None = None,
    ) -> Recall:
        """Return the records that answer a query, best first.

        Args:
            query: a text in plain words, or a list of terms analysed before.
            k: hits at most, 1 to 100,000; without it the profile's own number.
            profile: the name of a profile, or a Profile.
            boundary: what to look at: tenant, scopes, classes.
            now: the time that expiry is measured against, an aware datetime or epoch seconds.
            explain: give each hit its explanation, and the recall its trace.
            act: what the answer is for ("explain", "compare" ...): roles that serve it are boosted.
            needed_roles: roles to look for by hypervectors; without them, those of the act.
            deadline: seconds after which a closure over facts stops with what it has found; the answer then
                depends on the clock, and says that it is degraded.
            mode: how vectors are searched, if the profile searches them: "exact", "early_exit" or "approx".

        Raises:
            UnknownProfile, InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: see the message.

        """
        asked = self._asked(query, k, profile, boundary, now, act, needed_roles, deadline, mode)

        def answered(run: pipeline.Request, partition: Partition, done: pipeline.Run) -> Recall:
            hits = tuple(
                Hit(id, score, done.records[id], pipeline.explain(run, partition, done, id) if explain else None)
                for id, score in zip(done.table.ids, done.table.scores(), strict=True)
            )
            receipt = self._receipt(asked, run, done, hits)
            trace = pipeline.trace(run, done) if explain else None
            return Recall(hits, done.table.dropped, done.degraded, receipt, done.table, done.timings, trace)

        return self._run(asked, answered)

    def explain(
        self,
        query: Query,
        id: str,
        *,
        k: int | None = None,
        profile: str | Profile = "kb-balanced",
        boundary: BoundaryLike | None = None,
        now: Any = None,
        act: str | None = None,
        needed_roles: Sequence[str] = (),
        deadline: float | None = None,
        mode: str | None = None,
    ) -> Explanation:
        """Return how a recall scores one record, or why the record is no hit. Arguments as in `recall`.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.

        """
        check_id(id)
        asked = self._asked(query, k, profile, boundary, now, act, needed_roles, deadline, mode)

        def answered(run: pipeline.Request, partition: Partition, done: pipeline.Run) -> Explanation | None:
            cell = partition.cell_of(id)
            inside = cell is not None and asked.inside.holds(*cell)
            return pipeline.explain(run, partition, done, id) if inside else None

        explanation = self._run(asked, answered)
        if explanation is None:
            raise RecordNotFound(f"no record {id!r} lies inside the boundary")
        return explanation

    def _asked(
        self,
        query: Query,
        k: int | None,
        profile: str | Profile,
        boundary: BoundaryLike | None,
        now: Any,
        act: str | None,
        needed_roles: Sequence[str],
        deadline: float | None,
        mode: str | None,
    ) -> Asked:
        return request.check(
            query,
            default=self._default,
            ceiling=self._ceiling,
            k=k,
            profile=profile,
            boundary=boundary,
            now=now,
            act=act,
            needed_roles=needed_roles,
            deadline=deadline,
            mode=mode,
        )

    def _run(self, asked: Asked, answered: Callable[[pipeline.Request, Partition, pipeline.Run], T]) -> T:
        """Return the answer to a recall on one version of the store: again, if that was written to meanwhile.

        The version is that of the beginning: whoever writes later is not waited for. First without the lock; if other
        threads keep changing the indexes, with it.
        """
        indexes = self._indexes
        for attempt in range(_TRIES):
            with nullcontext() if attempt < _TRIES // 2 else indexes.lock:
                mark = indexes.settled()
                read = partial(indexes.read, asked.inside.tenant, sequence=indexes.sequence)
                try:
                    run, partition = self._prepare(asked, read)
                    answer = answered(run, partition, pipeline.run(run, partition, read, time.time))
                except Moved:
                    continue
                except Exception:
                    if indexes.still(mark):
                        raise
                    continue  # two versions were seen at once
                if indexes.still(mark):
                    return answer
        raise StoreBusy(f"recall: the store was written to during each of {_TRIES} attempts; try again")

    def _prepare(self, asked: Asked, read: pipeline.Reader) -> tuple[pipeline.Request, Partition]:
        """Return what the pipeline needs to run, and whose indexes are asked."""
        tenant, profile = asked.inside.tenant, asked.profile
        partition = self._indexes[tenant]
        if profile.asks_facts and not partition.knows_facts:
            with self._indexes.lock:
                partition = self._indexes[tenant]
                partition.learn_facts(read)
        ready = pipeline.Request(
            terms=asked.terms(self._analyzer),
            k=asked.k,
            profile=profile,
            cells=partition.cells_in(asked.inside),
            records=partition.records_in(asked.inside),
            act=asked.act,
            needed_roles=asked.needed_roles,
            now=asked.now,
            question=question(asked.query) if profile.asks_facts else None,
            deadline=asked.deadline,
            embed=self._embedding_of(asked),
            embedding_of=lambda id: embeddings.stored(self._store, self._embedder, (tenant, id)),
        )
        return ready, partition

    def _embedding_of(self, asked: Asked) -> Callable[[], NDArray[np.float32]] | None:
        embedder = self._embedder
        return None if embedder is None else lambda: embeddings.of_query(embedder, asked.text())

    def _receipt(self, asked: Asked, run: pipeline.Request, done: pipeline.Run, hits: tuple[Hit, ...]) -> Receipt:
        uses_vectors = self._embedder is not None and (asked.profile.asks_vectors or self._encoder == EMBEDDING)
        return Receipt(
            version=__version__,
            query=asked.query if isinstance(asked.query, str) else tuple(asked.query),
            profile=asked.profile.name,
            k=asked.k,
            boundary=asked.inside.to_dict(),
            act=asked.act,
            needed_roles=asked.needed_roles,
            now=done.now,
            analyzer=self._analyzer.name,
            preset=self._preset,
            hypervectors=self._encoder,
            records=run.records,
            escalated=done.escalated,
            hits=tuple((hit.id, hit.score.hex()) for hit in hits),
            embedder=str(self._embedder.fingerprint) if uses_vectors and self._embedder is not None else None,
            mode=asked.profile.mode if asked.profile.asks_vectors else None,
        )

    # ---- forget, stats, close

    def forget(
        self,
        ids: str | Sequence[str] | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        boundary: BoundaryLike | None = None,
    ) -> ForgetReceipt:
        """Remove records by id, or all inside the boundary whose fields have these values.

        `where` maps field names of `Record` to a value, or to a list of values of which one must match.

        Raises:
            UnknownField: `where` names a field that records do not have.
            InvalidArgument: neither ids nor where, or both.

        """
        if (ids is None) == (where is None):
            raise InvalidArgument("forget: give either ids or where")
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        with self._saved_alone(), self._indexes.lock:
            self._indexes.catch_up()
            partition = self._indexes[inside.tenant]
            wanted = strings("ids", [ids] if isinstance(ids, str) else ids) if ids is not None else None
            candidates = partition.ids() if wanted is None else list(dict.fromkeys(wanted))
            found = [id for id in candidates if (cell := partition.cell_of(id)) is not None and inside.holds(*cell)]
            if where is not None:
                found = self._matching(inside.tenant, found, where)
            keys = [(inside.tenant, id) for id in found]
            self._indexes.mark(keys)
            files = self._erase_saved() if keys else []
            self._store.write([], keys)
            self._indexes.catch_up()
        gone = set(found)
        missing = tuple(id for id in wanted or () if id not in gone)
        return ForgetReceipt(tuple(sorted(found)), missing, tuple(path.name for path in files))

    def _erase_saved(self) -> list[Path]:
        """Remove what is saved of the indexes, before records go: a call that is broken off in between can be repeated.

        Were it done after, what a killed process left would hold records that nobody can forget any more.
        """
        return [] if self._saved is None else self._saved.erase()

    def _saved_alone(self) -> AbstractContextManager[None]:
        """Keep generations from being written while what they hold is erased."""
        return nullcontext() if self._saved is None else self._saved.alone()

    def _matching(self, tenant: str, ids: list[str], where: Mapping[str, Any]) -> list[str]:
        known = {spec.name for spec in fields(Record)}
        for name in where:
            if name not in known:
                raise UnknownField(f"where: unknown field {name!r}")
        if not where:
            raise InvalidArgument("where: is empty; name at least one field, or give ids")
        wanted = {name: value if isinstance(value, (list, tuple, set)) else [value] for name, value in where.items()}
        records = zip(ids, self._store.get(tenant, ids), strict=True)
        return [
            id
            for id, record in records
            if record is not None and all(getattr(record, name) in values for name, values in wanted.items())
        ]

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

    def check(self) -> list[Problem]:
        """Return what is wrong with the store, and with the indexes where they differ from it; nothing if all is well.

        The indexes are compared with new ones made of the records; that takes as long as opening without a generation.
        """
        found = list(self._store.check()) if isinstance(self._store, CheckedStore) else []
        return found if found else self._indexes.check()

    def rebuild(self) -> None:
        """Throw the indexes away, those that are saved too, and make them anew of the records."""
        with self._saved_alone():
            self._erase_saved()
        self._indexes.reset(self._new_partition, self._indexes.model)
        self._saver.nudge()

    def close(self) -> None:
        """Save the indexes of a durable store, if enough has changed, and let go of the store."""
        self._saver.finish()
        self._store.close()

    def __enter__(self) -> Memory:
        """Return the memory; leaving the block closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def __reduce__(self) -> str:
        """Refuse to be pickled: an index is a cache, and the store is the truth."""
        raise TypeError("Memory cannot be pickled; open its store again instead")

    def _settings(self) -> dict[str, object]:
        """Return what the indexes depend on beside the records."""
        model = None if self._embedder is None else str(self._embedder.fingerprint)
        return {
            "analyzer": self._analyzer.name,
            "preset": self._preset,
            "hypervectors": self._encoder,
            "model": model,
            "version": __version__,
        }

    def _new_partition(self) -> Partition:
        dimensions = None if self._embedder is None else self._embedder.dimensions
        return Partition(self._analyzer, self._preset, self._encoder, self._vocabulary, dimensions)


def _opened(path: str | os.PathLike[str] | None, store: Store | None) -> VectorStore:
    """Return the store that a memory was given, or that lies at a path."""
    if path is not None and store is not None:
        raise InvalidArgument("path, store: give one of them, not both")
    if path is not None and os.fspath(path).endswith(".jsonl"):
        from .storage.jsonl import JsonlStore

        store = JsonlStore(path)
    elif path is not None:
        from .storage.sqlite import SqliteStore

        store = SqliteStore(path)
    chosen = store if store is not None else InProcessStore()
    return chosen if isinstance(chosen, VectorStore) else WithVectors(chosen)
