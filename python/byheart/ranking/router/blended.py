"""The third stage: a second opinion on the merged list, blended by place. It finds nothing new.

A reranker reads the piece of each text that has most of the question's words. What it says stays in the column
"reranked" as it was given: the first place keeps 0.75 of its score whatever that is.
"""
# docs/sources.md: A3.1.1, A3.7.6, A3.7.7.

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from ...errors import RerankFailed
from ...light.classes import dataclass
from ...validation import check_at_least_one
from ..algebra import Stage, StageContext
from ..candidates import Candidates
from ..qmd import chunks, scores
from ..rerank.protocol import Reranker, checked

WINDOW = 40


@dataclass(frozen=True, slots=True)
class BlendByPlace(Stage):
    """Scores the first rows by w / place + (1 - w) * the reranker's score, w falling from 0.75 to 0.4.

    Where the reranker fails, scores and order stay, and the table says so in `degraded`. A row that it left out, or
    gave a score that is not finite, counts as scored 0; so do rows behind the window.

    Attributes:
        reranker: whom to ask.
        window: how many rows are sent.

    """

    reranker: Reranker
    window: int = WINDOW

    name: ClassVar[str] = "blend by place"
    inputs: ClassVar[tuple[str, ...]] = ("score", "text")

    def __post_init__(self) -> None:
        """Check the reranker and the window."""
        if not isinstance(self.reranker, Reranker):
            raise TypeError(f"reranker must be a Reranker, not {type(self.reranker).__name__}; see CallableReranker")
        check_at_least_one("window", self.window)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the columns "place" and "opinion" in the place of the score, sorted anew."""
        texts = [_read(context.records[key].gist(), context.query) for key in table.keys[: self.window]]
        if not texts:
            return table
        try:
            said = self._said(texts, context)
        except RerankFailed as failure:
            reason = f"rerank by {self.reranker.name} failed ({failure.reason}): scores and order as before"
            return table.with_degraded(reason)
        rows = range(len(table.keys))
        behind = [None] * (len(rows) - len(said))
        table = table.with_column("reranked", [*said, *behind])
        places = [scores.place_weight(row + 1) * (1.0 / (row + 1)) for row in rows]
        opinions = [(1.0 - scores.place_weight(row + 1)) * (score or 0.0) for row, score in enumerate([*said, *behind])]
        table = table.scored("before", "multiply", [0.0] * len(rows), detail="the place counts, not the score")
        table = table.scored("place", "add", places, detail="w / place")
        return table.scored("opinion", "add", opinions, detail="(1 - w) * reranked").sorted_stably()

    def _said(self, texts: Sequence[str], context: StageContext) -> list[float | None]:
        """Return what the reranker says of each text; whatever it raises is a failure."""
        try:
            given = list(self.reranker.scores(context.query, texts, deadline=context.deadline))
        except RerankFailed:
            raise
        except Exception as error:
            raise RerankFailed(f"raised {type(error).__name__}") from error
        first: dict[int, float] = {}
        for each in checked(given, len(texts)):
            first.setdefault(each.index, each.score)
        found = [first.get(row) for row in range(len(texts))]
        return [None if score is None or not math.isfinite(score) else score for score in found]


def _read(text: str, query: str) -> str:
    """Return the piece of a text that a reranker reads for the whole."""
    return chunks.best_piece(chunks.pieces(text), query).text
