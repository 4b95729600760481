"""The recaller: a question answered on one version of the store, with its explanation and its receipt."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import repeat
from typing import TYPE_CHECKING, Final, TypeVar

from .._core import Analyzer
from ..boundary import Boundary
from ..boundary.reach import Reach
from ..errors import IndexNotMade
from ..frozen import maker
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.indexes import Indexes, Moved
from ..profiles.profile import Profile
from ..ranking.candidates import Candidates
from ..ranking.explanation import Explanation
from ..ranking.strength import strengths
from ..records import Record
from ..retrieval.dense import BY_TRAINING
from ..retrieval.hypervector import NAME as HYPERVECTOR
from ..retrieval.question import Question
from ..storage import VectorStore, key_of
from ..storage.attempts import TRIES, attempts
from ..storage.salvage import vectors
from . import explain as explaining
from .absolute import Fused
from .answer_table import Account, AnswerTable, table_of
from .answers import Recall
from .by_sentence import run
from .depth import FirstRows
from .hits import Hit
from .plan import plan_of
from .question_vector import QuestionVector, Together
from .receipt import Asked, receipt_of
from .routing import Latencies
from .run import Run
from .sources import Reader, Sources
from .without_hits import all_hidden

if TYPE_CHECKING:
    from ..embedding import Embedder
    from ..embedding.unrelated import Measured

T = TypeVar("T")

Done = Run | FirstRows | Fused

UNREADABLE = (
    "a part of the file could not be read, and records may be missing here; `check` says what is damaged, a backup may"
    " hold it, and export_to (`byheart export FILE`) writes what can be read into a new file"
)
"""What an answer says of a damaged file."""
UNSEARCHED = (
    "dense: the records have vectors, and the memory was opened without the embedder that made them; the answer rests"
    " on words"
)
"""What an answer says that could have been better."""

_LOOKED_AT: Final = 4
"""So many records of a kind tell whether there are vectors."""
_UNLOCKED: Final = nullcontext()
_BOUNDARIES: Final = 1_000
"""Of so many boundaries it is known what searches took; then that is learnt anew."""
_hit, _recall = maker(Hit), maker(Recall)


class Recaller:
    """Answers what was asked of a memory, from its indexes and its store.

    Args:
        store: where the records are.
        indexes: of the store.
        analyzer, preset, encoder: how the indexes were made.
        embedder: makes vectors of queries; None without one.
        invariants: the records that stand in every context.
        reach: what the memory may see.

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
        invariants: Sequence[Record] = (),
        reach: Callable[[], Reach] = Reach,
    ) -> None:
        self._reach = reach
        self._store, self._indexes, self._invariants = store, indexes, invariants
        self._analyzer, self._preset, self._encoder = analyzer, preset, encoder
        self.embedder = embedder
        self._model: tuple[int, str | None] | None = None  # of the store, where this memory has none, at a sequence
        self._measured: dict[int, Measured] = {}
        self._trained: tuple[Embedder, bool] | None = None
        self._latencies: dict[Boundary, Latencies] = {}

    def recall(
        self, question: Question, profile: Profile, *, explain: bool, together: Together | None = None
    ) -> Recall:
        """Return the records that answer, best first; `together` makes the vectors of several questions."""

        def answered(done: Done) -> Recall:
            trace = figures = routing = None
            drawn: Callable[[], Candidates] = done.drawn
            if isinstance(done, Run):
                rows = zip(done.hits(), strengths(done.table), strict=True)
                hits = tuple(
                    [
                        _hit(id, score, record, explaining.explain(done, key) if explain else None, strength)
                        for (key, id, score, record), strength in rows
                    ]
                )
                trace = explaining.trace(done) if explain else None
                drawn = partial(_as_it_is, done.table)  # the rest of the run holds indexes, and may go
                figures = None if done.legs.routing is None else done.legs.routing.figures()
                routing = done.routing
            elif isinstance(done, Fused):
                hits = tuple(map(_hit, done.keys, done.found.scores, done.records, repeat(None), done.strengths()))
            else:
                hits = tuple(map(_hit, done.agreed.keys, done.agreed.scores, done.records))
            asked = Asked(
                question, profile, done.inside, done.now, done.escalated, done.mode, *self._settings(), figures
            )
            timings = done.timings
            degraded = self._degraded(done, question, profile, hits)
            account = Account(partial(table_of, drawn, degraded, hits, timings), partial(receipt_of, asked, hits))
            return _recall(hits, degraded, account, timings, trace, routing=routing)

        return self._run(question, profile, answered, whole=explain, together=together)

    def unasked(self, question: Question, profile: Profile, why: str, adaptive: str | None = None) -> Recall:
        """Return the answer to a question that nothing is searched for, why, and by which pattern profile."""
        with self._indexes.lock:
            self._indexes.catch_up()
            records = self._indexes[question.boundary.tenant].records_in(question.boundary)
        asked = Asked(question, profile, records, question.now, False, None, *self._settings())
        receipt = replace(receipt_of(asked, ()), adaptive=adaptive)
        degraded = (*all_hidden(question), *self._unreadable())
        nothing = AnswerTable((), {}, degraded=degraded, receipt=receipt, skipped=why)
        return Recall((), degraded, Account(lambda receipt: nothing, lambda: receipt), skipped=why)

    def _degraded(self, done: Done, question: Question, profile: Profile, hits: Sequence[Hit] = ()) -> tuple[str, ...]:
        """Return what to say beside an answer: what could not be done as asked, and what cannot be found."""
        unsearched = () if self.embedder is not None else self._unsearched(question, profile, hits)
        return (*done.degraded, *all_hidden(question), *unsearched, *self._lacking(question.boundary))

    def _unsearched(self, question: Question, profile: Profile, hits: Sequence[Hit]) -> tuple[str, ...]:
        """Return what to say where records have vectors of which an optional leg makes nothing, since it has no model.

        Those are looked at that were found first, and those that were made first and last. No answer fails of a remark:
        `check` says what is damaged.
        """
        if not any(leg.optional for leg in profile.legs):
            return ()
        try:
            return (UNSEARCHED,) if self._has_vectors(question.boundary, hits) else ()
        except Exception:  # whatever a store raises that was not asked for vectors otherwise
            return ()

    def _has_vectors(self, inside: Boundary, hits: Sequence[Hit]) -> bool:
        indexes = self._indexes
        if self._model is None or self._model[0] != indexes.sequence:
            self._model = indexes.sequence, self._store.model()
        if (model := self._model[1]) is None:
            return False
        keys = [key_of(hit.record) for hit in hits[:_LOOKED_AT] if hit.record is not None]
        if vectors(self._store, model, keys, []):
            return True
        with indexes.lock:
            partition = indexes[inside.tenant]
            cells = partition.all_cells_in(inside)
            rows = [
                row
                for down in (False, True)
                for row in partition.core.first("created_at", _LOOKED_AT, down=down, cells=cells)
            ]
            keys = indexes.keys(inside.tenant, list(dict.fromkeys(rows)))
        return bool(vectors(self._store, model, keys, []))

    def _lacking(self, boundary: Boundary) -> Sequence[str]:
        """Return what to say of records that cannot be found though they were stored."""
        if self._indexes.sound:  # as nearly all are
            return ()
        return (*self._damaged(boundary), *self._unreadable())

    def _damaged(self, boundary: Boundary) -> list[str]:
        """Return what to say of the records inside a boundary that are set aside."""
        return [f"record {key.id!r} is damaged and set aside; forget it" for key in self._indexes.aside_in(boundary)]

    def _unreadable(self) -> tuple[str, ...]:
        """Return what to say where records may be missing that nobody can name."""
        return (UNREADABLE,) if self._indexes.lost(self._reach()) else ()

    def _settings(self) -> tuple[str, str, str, Embedder | None]:
        return self._analyzer.name, self._preset, self._encoder, self.embedder

    def explain(
        self, question: Question, profile: Profile, id: str, cell: tuple[str, str] | None = None
    ) -> Explanation:
        """Return how a recall scores one record.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            AmbiguousId: several do, and no cell was named.

        """

        def answered(done: Done) -> Explanation | None:
            assert isinstance(done, Run), "a whole run was asked for"
            row = selecting.the_row(done.legs.queries.sources.partition, question.boundary, id, cell)
            if row is None:
                return None
            told = explaining.explain(done, row)
            degraded = self._degraded(done, question, profile)
            unsaid = [each for each in degraded if each not in told.notes]  # a recall says them beside its hits
            return replace(told, notes=(*told.notes, *unsaid)) if unsaid else told

        explanation = self._run(question, profile, answered, whole=True)
        if explanation is None:
            raise question.boundary.lacks(id)
        return explanation

    def _run(
        self,
        question: Question,
        profile: Profile,
        answered: Callable[[Done], T],
        *,
        whole: bool,
        together: Together | None = None,
    ) -> T:
        """Return the answer to a recall on one version of the store: again, if that was written to meanwhile.

        The version is that of the beginning: whoever writes later is not waited for. First without the lock; if other
        threads keep changing the indexes, with it.
        """
        indexes, vector = self._indexes, QuestionVector(question, together, self._store.model, self._unrelated)
        for attempt in attempts("answer a recall"):
            with _UNLOCKED if attempt < TRIES // 2 else indexes.lock:
                mark = indexes.settled()
                read = partial(indexes.read, question.boundary.tenant, sequence=indexes.sequence)
                try:
                    answer = answered(
                        run(question, profile, self._sources(question, profile, read, vector), whole=whole)
                    )
                except Moved:
                    continue
                except IndexNotMade:  # a leg has asked hypervectors, the first time
                    with suppress(Moved):
                        indexes.encode(question.boundary.tenant, read, partial(self._stored, question.boundary.tenant))
                    continue
                except Exception:
                    if indexes.still(mark):
                        raise
                    continue  # two versions were seen at once
                if indexes.still(mark):
                    return answer
        raise AssertionError("attempts end with an error")

    def _is_trained(self, embedder: Embedder) -> bool:
        """Return whether the embedder's model was trained for vectors that can be cut; looked up once."""
        if self._trained is None or self._trained[0] is not embedder:
            self._trained = embedder, embeddings.is_matryoshka(embedder)
        return self._trained[1]

    def _unrelated(self, embedder: Embedder) -> float:
        """Return the cosine that texts with nothing in common reach by an embedder.

        Raises:
            Exception: whatever the embedder raises (see `byheart.embedding.unrelated.Measured`).

        """
        known = self._measured.get(id(embedder))
        if known is None:
            from ..embedding.unrelated import Measured

            known = self._measured.setdefault(id(embedder), Measured(embedder))  # which holds it: no other has its id
        return known.cosine()

    def _sources(self, question: Question, profile: Profile, read: Reader, vector: QuestionVector) -> Sources:
        """Return what the run reads from; the indexes that the profile asks are there then."""
        tenant, embedder = question.boundary.tenant, self.embedder
        partition = self._indexes[tenant]
        names = plan_of(profile).retrievers
        unknown = [name for name in names if name != HYPERVECTOR and not partition.knows(name)]
        if unknown:
            with self._indexes.lock:
                partition = self._indexes[tenant]
                for name in unknown:
                    partition.learn(name, read)
        return Sources(
            partition=partition,
            read=read,
            clock=time.time,
            vector=vector.by(embedder),
            embeddings=partial(self._stored, tenant),
            trained=profile.mode in BY_TRAINING and embedder is not None and self._is_trained(embedder),
            invariants=self._invariants and [rule for rule in self._invariants if _lies_in(rule, question.boundary)],
            latencies=self._latencies_inside(question.boundary),
        )

    def _latencies_inside(self, boundary: Boundary) -> Latencies:
        """Return what searches inside a boundary took: those of others decide nothing there."""
        known = self._latencies.get(boundary)
        if known is None:
            if len(self._latencies) >= _BOUNDARIES:
                self._latencies = {}
            known = self._latencies.setdefault(boundary, Latencies())
        return known

    def _stored(self, tenant: str, rows: Sequence[str]) -> Mapping[str, bytes]:
        """Return the vectors of rows as they are stored."""
        return embeddings.stored(self._store, self._indexes, self.embedder, tenant, rows)


def _lies_in(record: Record, boundary: Boundary) -> bool:
    return record.tenant == boundary.tenant and boundary.holds(record.scope or "", record.boundary_class or "")


def _as_it_is(table: Candidates) -> Candidates:
    return table
