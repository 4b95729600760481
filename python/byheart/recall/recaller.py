"""The recaller: a question answered on one version of the store, with its explanation and its receipt."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from .._core import Analyzer, __version__
from ..errors import RecordNotFound
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.indexes import Indexes, Moved
from ..profiles.profile import Profile
from ..ranking.explanation import Explanation
from ..retrieval.hypervector import EMBEDDING
from ..retrieval.question import Question
from ..storage import VectorStore
from ..storage.attempts import TRIES, attempts
from . import explain as explaining
from .answers import AnswerTable, Hit, Recall, Receipt
from .legs import Reader, Sources
from .run import Run, run

if TYPE_CHECKING:
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

    def recall(self, question: Question, profile: Profile, *, explain: bool) -> Recall:
        """Return the records that answer, best first."""

        def answered(done: Run) -> Recall:
            table = done.table
            records = done.records
            rows = zip(table.keys, table.ids, table.scores(), strict=True)
            if explain:
                hits = tuple([Hit(id, score, records[key], explaining.explain(done, key)) for key, id, score in rows])
            else:
                hits = tuple([Hit(id, score, records[key]) for key, id, score in rows])
            receipt = self._receipt(
                question, profile, done.inside, done.now, hits, escalated=done.escalated, mode=done.legs.mode
            )
            trace = explaining.trace(done) if explain else None
            aside = self._indexes.aside_in(question.boundary) if self._indexes.aside else ()
            degraded = (*done.degraded, *(f"record {key.id!r} is damaged and set aside; forget it" for key in aside))
            return Recall(
                hits, table.dropped, degraded, receipt, _drawn(done, hits, receipt, degraded), done.timings, trace
            )  # fmt: skip

        return self._run(question, profile, answered, whole=explain)

    def unasked(self, question: Question, profile: Profile, why: str) -> Recall:
        """Return the answer to a question that nothing is searched for, and why."""
        with self._indexes.lock:
            self._indexes.catch_up()
            records = self._indexes[question.boundary.tenant].records_in(question.boundary)
        receipt = self._receipt(question, profile, records, question.now, (), escalated=False, mode=None)
        return Recall((), (), (), receipt, AnswerTable((), {}, receipt=receipt, skipped=why), skipped=why)

    def explain(
        self, question: Question, profile: Profile, id: str, cell: tuple[str, str] | None = None
    ) -> Explanation:
        """Return how a recall scores one record.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            AmbiguousId: several do, and no cell was named.

        """

        def answered(done: Run) -> Explanation | None:
            row = selecting.the_row(done.legs.sources.partition, question.boundary, id, cell)
            return None if row is None else explaining.explain(done, row)

        explanation = self._run(question, profile, answered, whole=True)
        if explanation is None:
            raise RecordNotFound(f"no record {id!r} lies inside the boundary")
        return explanation

    def _run(self, question: Question, profile: Profile, answered: Callable[[Run], T], *, whole: bool) -> T:
        """Return the answer to a recall on one version of the store: again, if that was written to meanwhile.

        The version is that of the beginning: whoever writes later is not waited for. First without the lock; if other
        threads keep changing the indexes, with it.
        """
        indexes = self._indexes
        for attempt in attempts("answer a recall"):
            with nullcontext() if attempt < TRIES // 2 else indexes.lock:
                mark = indexes.settled()
                read = partial(indexes.read, question.boundary.tenant, sequence=indexes.sequence)
                try:
                    answer = answered(run(question, profile, self._sources(question, profile, read), whole=whole))
                except Moved:
                    continue
                except Exception:
                    if indexes.still(mark):
                        raise
                    continue  # two versions were seen at once
                if indexes.still(mark):
                    return answer
        raise AssertionError("attempts end with an error")

    def _sources(self, question: Question, profile: Profile, read: Reader) -> Sources:
        """Return what the run reads from; the indexes that the profile asks are there then."""
        tenant, embedder = question.boundary.tenant, self.embedder
        partition = self._indexes[tenant]
        unknown = [name for name in profile.retrievers if not partition.knows(name)]
        if unknown:
            with self._indexes.lock:
                partition = self._indexes[tenant]
                for name in unknown:
                    partition.learn(name, read)
        return Sources(
            partition=partition,
            read=read,
            clock=time.time,
            embed=None if embedder is None else lambda: embeddings.of_query(embedder, question.text),
            embeddings=lambda ids: embeddings.stored(self._store, self._indexes, embedder, tenant, ids),
            trained=embedder is not None and embeddings.is_matryoshka(embedder),
        )

    def _receipt(
        self,
        question: Question,
        profile: Profile,
        records: int,
        now: float | None,
        hits: tuple[Hit, ...],
        *,
        escalated: bool,
        mode: str | None,
    ) -> Receipt:
        uses_vectors = profile.asks("dense") or self._encoder == EMBEDDING
        return Receipt(
            version=__version__,
            query=question.query if isinstance(question.query, str) else tuple(question.query),
            profile=profile.name,
            k=question.k,
            boundary=question.boundary.to_dict(),
            act=question.act,
            needed_roles=question.needed_roles,
            now=now,
            analyzer=self._analyzer.name,
            preset=self._preset,
            hypervectors=self._encoder,
            records=records,
            escalated=escalated,
            hits=tuple([(hit.id, hit.score.hex()) for hit in hits]),
            embedder=str(self.embedder.fingerprint) if uses_vectors and self.embedder is not None else None,
            mode=mode,
            session_id=question.session_id,
            user_id=question.user_id,
            category=question.category,
            exclude=tuple(sorted(question.exclude)),
            filter=None if question.filter is None else question.filter.to_dict(),
            vector=None if question.vector is None else sha256(question.vector.tobytes()).hexdigest(),
            settings=profile,
        )


def _drawn(done: Run, hits: tuple[Hit, ...], receipt: Receipt, degraded: tuple[str, ...]) -> AnswerTable:
    """Return the table of a run as an answer holds it."""
    table = done.table
    return AnswerTable(
        table.keys, table.columns, table.dropped, table.notes, table.applied, degraded, hits, receipt, done.timings
    )
