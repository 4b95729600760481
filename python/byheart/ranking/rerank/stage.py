"""Reranking as a stage: the best rows get a second opinion, and the rest are dropped.

What comes of an opinion is two columns, a factor and a summand, so that an explanation gives the score again without
asking anybody. The opinion itself is kept in the column "reranked", as it was given: a blend cannot show that even the
best row is beside the point. The stage is as pure as its reranker, whose answers depend on others and on time.
"""
# docs/sources.md: A2.1.7, A2.3.

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...errors import ByheartError, RerankFailed
from ...light.classes import dataclass
from ...validation import check_at_least_one
from ...words import RerankMode, words_of
from ..algebra import Stage, StageContext
from ..candidates import Candidates
from .apply import Operands, blend_operands, cosine_operands, cosines
from .protocol import Reranker, Scored, checked

MODES: tuple[str, ...] = words_of(RerankMode)


@dataclass(frozen=True, slots=True)
class Rerank(Stage):
    """Blends the score of the first rows with a reranker's, or with their cosine; drops the rows behind them.

    Where the reranker fails, cosines take its place, and the table says so in `degraded`; where there is no cosine
    either, because the query or a row has no vector, scores and order stay, which is said too; and so is a reranker
    that answers, but judges no row, or gives scores that are not finite.

    Attributes:
        reranker: whom to ask; None for cosines alone (the mode "lightweight").
        window: how many rows are looked at; None for twice as many as hits are asked for.
        floors: rows keep a share of their score, by the column "lexical_normalised", whatever the reranker says.

    >>> from byheart.ranking.candidates import join
    >>> from byheart.ranking.rerank import CallableReranker
    >>> from byheart.records import Record
    >>> records = {"a": Record(text="a cat"), "b": Record(text="hot tea")}
    >>> table = join({"lexical": [("a", 0.6), ("b", 0.5)]}).scored("words", "add", [0.6, 0.5])
    >>> judge = CallableReranker(lambda query, documents: [float(query in text) for text in documents])
    >>> after = Rerank(judge)(table, StageContext(now=0.0, k=2, query="tea", records=records))
    >>> after.ids, after.columns["score"], after.columns["reranked"]
    (('b', 'a'), (0.8, 0.24), (1.0, 0.0))

    """

    reranker: Reranker | None = None
    window: int | None = None
    floors: bool = False

    name: ClassVar[str] = "rerank"
    inputs: ClassVar[tuple[str, ...]] = ("score", "text", "vector")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1}

    def __post_init__(self) -> None:
        """Check the reranker and the window."""
        if self.reranker is not None and not isinstance(self.reranker, Reranker):
            raise TypeError(f"reranker must be a Reranker, not {type(self.reranker).__name__}; see CallableReranker")
        if self.window is not None:
            check_at_least_one("window", self.window)

    @property
    def reads_records(self) -> bool:
        """Whether it looks at records: a reranker reads their texts, cosines do not."""
        return self.reranker is not None

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the first rows with the columns "rerank_factor" and "rerank" applied, sorted anew."""
        window = 2 * context.k if self.window is None else self.window
        reason = f"beyond the rerank window ({window})"
        table = table.drop(dict.fromkeys(range(window, len(table.keys)), reason))
        if not table.keys:
            return table
        if self.reranker is None:
            return _by_cosine(table, context, "rerank by cosine failed")
        try:
            judged = _asked(self.reranker, table, context)
        except RerankFailed as failure:
            return _by_cosine(table, context, f"rerank by {self.reranker.name} failed ({failure.reason})", instead=True)
        said: dict[int, float] = {}
        for each in judged:
            said.setdefault(each.index, each.score)
        opinions = [said.get(row) for row in range(len(table.keys))]
        table = _noted(table, self.reranker.name, opinions)
        table = table.with_column("reranked", [None if s is None or not math.isfinite(s) else s for s in opinions])
        words = table.columns.get("lexical_normalised", (None,) * len(table.keys)) if self.floors else None
        return _applied(table, blend_operands(table.scores(), judged, lexical=words))


def _asked(reranker: Reranker, table: Candidates, context: StageContext) -> list[Scored]:
    """Return what the reranker says; whatever it raises, apart from refusing its arguments, is a failure."""
    texts = [context.records[key].gist() for key in table.keys]
    try:
        given = list(reranker.scores(context.query, texts, deadline=context.deadline))
    except ByheartError:
        raise
    except Exception as error:
        raise RerankFailed(f"raised {type(error).__name__}") from error
    return checked(given, len(texts))


def _noted(table: Candidates, name: str, opinions: Sequence[float | None]) -> Candidates:
    """Return the table, and in it that the reranker judged no row, or gave some of them what is no score."""
    given = [score for score in opinions if score is not None]
    if not given:
        return table.with_degraded(f"rerank by {name}: it judged none of {len(opinions)} rows")
    unusable = sum(not math.isfinite(score) for score in given)
    if unusable:
        return table.with_degraded(f"rerank by {name}: {unusable} of {len(opinions)} scores are not finite")
    return table


def _by_cosine(table: Candidates, context: StageContext, failed: str, *, instead: bool = False) -> Candidates:
    """Return the table by 0.7 score + 0.3 cosine; as it is, saying why, if there are not the vectors for it."""
    try:
        found = cosines(context.query_vector, [context.vector_of(key) for key in table.keys])
    except RerankFailed as failure:
        why = f", cosine too ({failure.reason})" if instead else f" ({failure.reason})"
        return table.with_degraded(f"{failed}{why}: scores and order as before")
    if instead:
        table = table.with_degraded(f"{failed}: cosine instead")
    return _applied(table, cosine_operands(table.scores(), found))


def _applied(table: Candidates, operands: Sequence[Operands]) -> Candidates:
    table = table.scored("rerank_factor", "multiply", [each.factor for each in operands])
    return table.scored("rerank", "add", [each.summand for each in operands], clamp=True).sorted_stably()
