"""Answering a recall: on one version of the store, with its explanation and its receipt."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from .. import recall as pipeline
from .._core import Analyzer, __version__
from ..errors import RecordNotFound
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.indexes import Indexes, Moved
from ..index.partition import Partition
from ..ranking.candidates import Candidates
from ..ranking.explanation import Explanation
from ..retrieval.hypervector import EMBEDDING
from ..retrieval.symbolic import question
from ..storage import VectorStore
from ..storage.attempts import TRIES, attempts
from .answers import Hit, Recall, Receipt
from .question import Asked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..embedding import Embedder

T = TypeVar("T")


class Recaller:
    """Answers what was asked of a memory, from its indexes and its store.

    Args:
        store: where the records are.
        indexes: of the store.
        analyzer, preset, encoder: how the indexes were made.
        embedder: makes vectors of queries; None without one.

    Attributes:
        embedder: may be changed, together with the indexes.

    """

    def __init__(
        self,
        store: VectorStore,
        indexes: Indexes,
        analyzer: Analyzer,
        preset: str,
        encoder: str,
        embedder: Embedder | None,
    ) -> None:
        self._store, self._indexes = store, indexes
        self._analyzer, self._preset, self._encoder = analyzer, preset, encoder
        self.embedder = embedder

    def recall(self, asked: Asked, *, explain: bool) -> Recall:
        """Return the records that answer, best first."""

        def answered(run: pipeline.Request[Any], partition: Partition, done: pipeline.Run) -> Recall:
            hits = tuple(
                Hit(
                    partition.id_of(row),
                    score,
                    done.records[row],
                    self._explained(run, partition, done, row) if explain else None,
                )
                for row, score in zip(done.table.ids, done.table.scores(), strict=True)
            )
            dropped = tuple(each._replace(id=partition.id_of(each.id)) for each in done.table.dropped)
            receipt = self._receipt(asked, run.records, done.now, done.escalated, hits)
            trace = pipeline.trace(run, done) if explain else None
            return Recall(hits, dropped, done.degraded, receipt, done.table, done.timings, trace)

        return self._run(asked, answered)

    def unasked(self, asked: Asked, why: str) -> Recall:
        """Return the answer to a question that nothing is searched for, and why."""
        with self._indexes.lock:
            self._indexes.catch_up()
            records = self._indexes[asked.inside.tenant].records_in(asked.inside)
        return Recall((), (), (), self._receipt(asked, records, asked.now, False, ()), Candidates((), {}), skipped=why)

    @staticmethod
    def _explained(run: pipeline.Request[Any], partition: Partition, done: pipeline.Run, row: str) -> Explanation:
        """Return the explanation of a row, under the true id of its record."""
        found = pipeline.explain(run, partition, done, row)
        return found if found.id == partition.id_of(row) else replace(found, id=partition.id_of(row))

    def explain(self, asked: Asked, id: str, cell: tuple[str, str] | None = None) -> Explanation:
        """Return how a recall scores one record.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            AmbiguousId: several do, and no cell was named.

        """

        def answered(run: pipeline.Request[Any], partition: Partition, done: pipeline.Run) -> Explanation | None:
            row = selecting.the_row(partition, asked.inside, id, cell)
            return None if row is None else self._explained(run, partition, done, row)

        explanation = self._run(asked, answered)
        if explanation is None:
            raise RecordNotFound(f"no record {id!r} lies inside the boundary")
        return explanation

    def _run(self, asked: Asked, answered: Callable[[pipeline.Request[Any], Partition, pipeline.Run], T]) -> T:
        """Return the answer to a recall on one version of the store: again, if that was written to meanwhile.

        The version is that of the beginning: whoever writes later is not waited for. First without the lock; if other
        threads keep changing the indexes, with it.
        """
        indexes = self._indexes
        for attempt in attempts("answer a recall"):
            with nullcontext() if attempt < TRIES // 2 else indexes.lock:
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
        raise AssertionError("attempts end with an error")

    def _prepare(self, asked: Asked, read: pipeline.Reader) -> tuple[pipeline.Request[Any], Partition]:
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
            text=asked.text(),
            deadline=asked.deadline,
            session_id=asked.session_id,
            user_id=asked.user_id,
            category=asked.category,
            exclude=frozenset(row for id in asked.exclude for row in _excluded(partition, id)),
            embed=self._embedding_of(asked),
            embeddings_of=lambda ids: embeddings.stored(self._store, self._indexes, self.embedder, tenant, ids),
        )
        return ready, partition

    def _embedding_of(self, asked: Asked) -> Callable[[], NDArray[np.float32]] | None:
        embedder = self.embedder
        return None if embedder is None else lambda: embeddings.of_query(embedder, asked.text())

    def _receipt(
        self, asked: Asked, records: int, now: float | None, escalated: bool, hits: tuple[Hit, ...]
    ) -> Receipt:
        uses_vectors = self.embedder is not None and (asked.profile.asks_vectors or self._encoder == EMBEDDING)
        return Receipt(
            version=__version__,
            query=asked.query if isinstance(asked.query, str) else tuple(asked.query),
            profile=asked.profile.name,
            k=asked.k,
            boundary=asked.inside.to_dict(),
            act=asked.act,
            needed_roles=asked.needed_roles,
            now=now,
            analyzer=self._analyzer.name,
            preset=self._preset,
            hypervectors=self._encoder,
            records=records,
            escalated=escalated,
            hits=tuple((hit.id, hit.score.hex()) for hit in hits),
            embedder=str(self.embedder.fingerprint) if uses_vectors and self.embedder is not None else None,
            mode=asked.profile.mode if asked.profile.asks_vectors else None,
            session_id=asked.session_id,
            user_id=asked.user_id,
            category=asked.category,
            exclude=tuple(sorted(asked.exclude)),
        )


def _excluded(partition: Partition, id: str) -> Iterator[str]:
    """Give the rows of a record that is not to be found, and of its durable copies."""
    yield from partition.rows_of(id)
    yield from partition.members.copies_of(id)
