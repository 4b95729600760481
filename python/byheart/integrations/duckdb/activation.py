"""Activation by DuckDB: the statement over a memory's tables, then one of each text, and few about one entity.

    with DuckActivation(memory) as activation:
        found = activation.search("how is the kettle descaled?")

Scores are those of `Memory.recall(profile=activation(full_text=False))`, as far as other mathematics go; with the
extension fts, words have DuckDB's scores. The tables are `activation.connection`'s, for questions of one's own.
"""
# docs/sources.md: B1.2, B1.19.1, B1.22.

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

from ... import boundary as boundaries
from ...boundary import Boundary
from ...boundary.policy.retrieval import HALF_LIFE, HALF_LIVES, Retrieval
from ...embedding.extras import import_extra
from ...errors import InvalidArgument
from ...ranking.activation.formulas import share_of_vectors
from ...ranking.activation.matching import escaped
from ...ranking.activation.question_form import alpha_for
from ...ranking.activation.ranked import Scored, of_table
from ...ranking.activation.reasons import BELOW_THRESHOLD
from ...ranking.activation.stages import POOLS, CollapseTexts, DiverseEntities
from ...ranking.algebra import StageContext, run
from ...ranking.candidates import Candidates
from ...ranking.statistics import figures
from ...recall.question import BoundaryLike
from ...records import Record
from ...retrieval.substring import needles
from ...validation import MAX_QUERY_BYTES, call_time, check_k, check_text
from . import macros, tables
from .extensions import EXTENSIONS, USED, Fallback, index, load
from .reading import Held, OfMemory, OfRecords, Source
from .statement import statement

if TYPE_CHECKING:
    import numpy as np
    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray

    from ...memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Activated:
    """The answer to a question, with every part of its scores.

    Attributes:
        items: the accepted results in their order, which diversity decides, so that scores need not fall.
        below: the ids of candidates below the threshold, best first.
        alpha: the share of vectors that was used.
        levels: how "text" and "vec" looked: "L0" substrings, "L1" all vectors, "L2" full text, "L3" an approximate
            index, "none".
        fallbacks: legs that could not look as they were asked to, why, and what looked in their place.
        figures: mean, p50 and p90 of the parts of all scores, before anything was left out.

    """

    items: tuple[Scored, ...]
    below: tuple[str, ...]
    alpha: float
    levels: Mapping[str, str]
    fallbacks: tuple[Fallback, ...] = ()
    figures: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)


class DuckActivation:
    """Tables of records inside one boundary, in a DuckDB of this process, and the search over them.

    Args:
        source: an open memory, whose changes are followed from search to search; or records with ids.
        vectors: of records, by id; a memory has its own.
        boundary: what to look at, at most: as in `Memory.recall`; for records, the public and internal ones of tenant
            "default" where nothing is given.
        settings: the parameters of activation.
        extensions: what to use of DuckDB's extensions, if it is there: "fts", "vss".
        folder: where DuckDB looks for extensions; its own place without it.
        join: "outer" or "union": how both legs are joined; the answers are the same.

    Attributes:
        connection: the DuckDB connection with tables and macros. One thread at a time may use it.
        fallbacks: what could not be loaded at opening.

    Raises:
        MissingExtra: there is no DuckDB; the extra `duckdb` brings it.
        SqlFunctionError: this DuckDB computes the formulas otherwise.
        BoundaryViolation: a boundary beyond the memory's.

    >>> from byheart import Record
    >>> held = [Record(id="a", text="Descale the kettle", created_at=0), Record(id="b", text="Rice", created_at=0)]
    >>> with DuckActivation(held, vectors={"a": [1, 0], "b": [0, 1]}, extensions=()) as activation:
    ...     found = activation.search("kettle", [0.6, 0.8], now=0)
    >>> [(item.id, round(item.score, 6)) for item in found.items], found.levels
    ([('a', 0.417), ('b', 0.351)], {'text': 'L0', 'vec': 'L1'})

    """

    def __init__(
        self,
        source: Memory | Iterable[Record],
        *,
        vectors: Mapping[str, Any] | None = None,
        boundary: BoundaryLike | None = None,
        settings: Retrieval | None = None,
        extensions: Sequence[str] = EXTENSIONS,
        folder: str | None = None,
        join: str = "outer",
    ) -> None:
        """Open a database in this process, make and try the macros, and fill the tables."""
        self.settings = settings or Retrieval()
        self._source = _source(source, vectors, boundary)
        self._join = join
        statement(join=join)
        self._lock = RLock()
        self._held = Held((), (), ())
        self._places: dict[str, int] = {}
        self._indexed: frozenset[str] = frozenset()
        self._unindexed: tuple[Fallback, ...] = ()
        self.connection: DuckDBPyConnection = import_extra("duckdb", "duckdb").connect(":memory:")
        try:
            macros.install(self.connection)
            self._loaded, self.fallbacks = load(self.connection, extensions, folder)
            self._refresh()
        except BaseException:
            self.connection.close()
            raise

    def search(
        self,
        query: str,
        vector: Any = None,
        k: int | None = None,
        *,
        now: Any = None,
        boundary: BoundaryLike | None = None,
    ) -> Activated:
        """Return what a question calls up, best first.

        Args:
            query: a text.
            vector: of the question; without it, one that the memory's embedder makes, if it has one.
            k: results at most; it only cuts what the settings give (`k_final`, 12).
            now: a datetime, ISO text or epoch seconds; without it the clock's.
            boundary: what to look at; within that of opening.

        Raises:
            InvalidArgument, DimensionMismatch, BoundaryViolation, LimitExceeded: see the message.

        """
        check_text("query", query, MAX_QUERY_BYTES)
        most = self.settings.k_final if k is None else check_k(k)
        moment = call_time(now)
        own = self._source.boundary
        inside = boundaries.resolve(boundary, own, own)
        asked, failed = self._vector(query, vector)
        with self._lock:
            self._refresh()
            levels, told = self._levels(asked is not None, narrowed=inside != own)
            alpha = share_of_vectors(alpha_for(query, self.settings), text=True, vectors=asked is not None)
            rows = self._rows(query, asked, inside, moment, alpha, levels)
            table = run(_last(self.settings), _table(rows, levels["text"]), self._context(rows, moment))
        ranked = of_table(table.with_figures({"alpha": alpha}))
        return Activated(
            items=ranked.items[:most],
            below=ranked.below,
            alpha=ranked.alpha,
            levels=levels,
            fallbacks=(*self.fallbacks, *self._unindexed, *failed, *told),
            figures=ranked.figures,
        )

    def close(self) -> None:
        """Let go of the tables; the memory stays open."""
        self.connection.close()

    def __enter__(self) -> Self:
        """Return the activation; leaving the block closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    def _refresh(self) -> None:
        """Make the tables anew if the records have changed."""
        try:
            held = self._source.changed()
            if held is None:
                return
            tables.fill(self.connection, held)
            self._indexed, self._unindexed = index(self.connection, self._loaded, held)
            self._held, self._places = held, {key: place for place, key in enumerate(held.keys)}
        except BaseException:  # an interrupt too: what was not filled is not taken for filled
            self._source.again()
            raise

    def _vector(self, query: str, vector: Any) -> tuple[NDArray[np.float64] | None, tuple[Fallback, ...]]:
        """Return the question's vector, if there is one, and what is to be told of an embedder that failed."""
        if vector is not None:
            return self._source.vector_of(query, vector), ()
        try:
            return self._source.vector_of(query, None), ()
        except Exception as error:  # whatever a caller's embedder raises: this leg fails, and the answer says so
            return None, (Fallback("vec", f"the embedder failed ({type(error).__name__}: {error})", "none"),)

    def _levels(self, vectors: bool, *, narrowed: bool) -> tuple[dict[str, str], tuple[Fallback, ...]]:
        """Return how each leg looks, and what is told of an index that knows more than a call may see."""
        better = {"fts": ("text", "L2"), "vss": ("vec", "L3")}
        levels, told = {"text": USED["text"], "vec": USED["vec"] if vectors else "none"}, []
        for name in sorted(self._indexed):
            leg, level = better[name]
            if levels[leg] == "none":
                continue
            if narrowed:
                why = f"{name}: its index was made of more than the boundary of this call"
                told.append(Fallback(leg, why, USED[leg]))
            else:
                levels[leg] = level
        return levels, tuple(told)

    def _rows(
        self,
        query: str,
        vector: NDArray[np.float64] | None,
        inside: Boundary,
        now: float,
        alpha: float,
        levels: Mapping[str, str],
    ) -> list[dict[str, Any]]:
        """Return the rows of the statement, by column."""
        settings, (k_txt, k_vec) = self.settings, self.settings.candidates
        fixed = {} if settings.half_life_days is not None else dict(HALF_LIVES)
        by_kind = fixed | dict(settings.half_life_days_by_kind or {})
        parameters: dict[str, Any] = {
            "scopes": None if inside.scopes is None else list(inside.scopes), "classes": list(inside.classes),
            "vector": None if vector is None else vector.tolist(), "model": self._held.model, "now": now,
            "alpha": alpha, "min_score": settings.min_score, "k_txt": k_txt, "k_vec": k_vec, "kinds": list(by_kind),
            "half_lives": [float(days) for days in by_kind.values()],
            "half_life": HALF_LIFE if settings.half_life_days is None else float(settings.half_life_days),
            "anchored": settings.recency_anchor, "use_quality": settings.use_quality,
        }  # fmt: skip
        text, vectors = "substring", "scan"
        if levels["text"] == "L2":
            text, parameters["words"] = "fts", query
        else:
            how = "words" if settings.text_fallback == "words" else "query"
            parameters["patterns"] = [f"%{escaped(needle)}%" for needle in needles(query, how)]
        over = 0
        if levels["vec"] == "L3":
            vectors = "hnsw"
            over = sum(record.expires_at is not None and record.expires_at <= now for record in self._held.records)
        asked = statement(text, vectors, self._join, dimensions=self._held.dimensions or 1, looked_at=k_vec + over)
        found = self.connection.execute(asked, parameters)
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def _context(self, rows: Sequence[Mapping[str, Any]], now: float) -> StageContext:
        """Return what the last stages may know: texts, vectors and entities of the rows."""
        records = {row["key"]: self._held.records[self._places[row["key"]]] for row in rows}
        return StageContext(
            now=now,
            k=self.settings.k_final,
            records=records,
            vector_of=self._vector_of,
            values=lambda field, key: records[key].entities,
        )

    def _vector_of(self, key: str) -> Any | None:
        vector = self._held.vectors[self._places[key]]
        return None if vector is None else vector.astype("<f4", copy=False)


def _source(
    source: Memory | Iterable[Record], vectors: Mapping[str, Any] | None, boundary: BoundaryLike | None
) -> Source:
    from ...memory import Memory

    if not isinstance(source, Memory):
        return OfRecords(source, vectors, boundary)
    if vectors is not None:
        raise InvalidArgument("vectors: a memory has its own; give them with records alone")
    return OfMemory(source, boundary)


def _last(settings: Retrieval) -> tuple[CollapseTexts, DiverseEntities]:
    """Return the stages that the statement leaves over: those of a recall."""
    return (
        CollapseTexts(POOLS * settings.k_final),
        DiverseEntities(settings.k_final, settings.trade_off, settings.entity_cap),
    )


def _table(rows: Sequence[Mapping[str, Any]], text: str) -> Candidates:
    """Return the rows as a table of candidates, those below the threshold dropped, with the figures of all."""
    columns = {
        "score": "score_final", "s_text": "s_text", "s_vec": "s_vec", "S": "S", "g": "g", "util": "util",
        "conf": "conf", "rec": "rec", "quality_share": "quality_share", "age_days": "age_days", "dense": "similarity",
        "created_at": "created_at", "text_mark": "text_mark",
    }  # fmt: skip
    columns |= {"substring": "s_text"} if text == "L0" else {"lexical": "bm25", "lexical_rank": "rank"}
    table = Candidates(
        tuple(row["key"] for row in rows),
        {name: tuple(row[column] for row in rows) for name, column in columns.items()},
    )
    told = ("s_text", "s_vec", "S", "g", "score_final")
    table = table.with_figures({name: figures([row[name] or 0.0 for row in rows]) for name in told})
    return table.drop({place: BELOW_THRESHOLD for place, row in enumerate(rows) if not row["accepted"]})
