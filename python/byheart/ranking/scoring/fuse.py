"""The first stage: the lists of a vector search and of a word search become one score."""
# docs/sources.md: A2.2.

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from ...light.classes import dataclass
from ...validation import check_between, check_one_of, check_share
from ...words import HybridFusion, Normaliser, VectorScore, words_of
from .. import fusion, normalisation
from ..algebra import Stage, StageContext
from ..candidates import Candidates, Column
from ..fusion import Summands

STRATEGIES: tuple[str, ...] = words_of(HybridFusion)
NORMALISERS: tuple[str, ...] = words_of(Normaliser)
VECTOR_SCORES: tuple[str, ...] = words_of(VectorScore)

_SCALES: Mapping[str, Callable[[float], float]] = {
    "logistic": normalisation.logistic,
    "ratio": normalisation.ratio,
    "none": lambda score: normalisation.clamped(score) if math.isfinite(score) else score,
}
_OF = {"vector": "dense", "words": "lexical"}
_CHOICES = {"strategy": STRATEGIES, "normaliser": NORMALISERS, "vector_score": VECTOR_SCORES}


@dataclass(frozen=True, slots=True)
class Fuse(Stage):
    """Joins the columns "dense" (cosines) and "lexical" (BM25) into the score, and sorts by it.

    Adds columns on the way: "dense_normalised" and "lexical_normalised"; "dense_rank" and "lexical_rank", from 1 on,
    unless they are there; and the summands "vector", "words", "agreement". A list that found nothing changes nothing.

    Attributes:
        strategy: "bonus15" (`fusion.bonus`), "weighted" (`fusion.convex`), or "rrf": reciprocal rank fusion, divided by
            the score of a record that is first in every list that found something, so that thresholds keep a meaning.
        normaliser: of the words: "logistic", "ratio", "min_max", or "none" where they lie in [0, 1] already.
        vector_score: "cosine" clamped to [0, 1], or "inverse_distance": 1 / (1 + cosine distance).
        vector_weight, words_weight: of "weighted"; the others do not look at them.
        rank_constant: k of "rrf".

    """

    strategy: str = "bonus15"
    normaliser: str = "logistic"
    vector_score: str = "cosine"
    vector_weight: float = 0.7
    words_weight: float = 0.3
    rank_constant: int = 60

    name: ClassVar[str] = "fusion"
    inputs: ClassVar[tuple[str, ...]] = ("dense", "lexical", "dense_rank", "lexical_rank")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"dense": 1, "lexical": 1}

    def __post_init__(self) -> None:
        """Check the names and ranges."""
        for what, names in _CHOICES.items():
            check_one_of(what, getattr(self, what), names)
        check_share("vector_weight", self.vector_weight)
        check_share("words_weight", self.words_weight)
        check_between("rank_constant", self.rank_constant, 0, 1_000_000)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the summands and the score, best first; equal scores in the order of the rows."""
        blank: Column = (None,) * len(table.keys)
        dense, lexical = table.columns.get("dense", blank), table.columns.get("lexical", blank)
        more: dict[str, Column] = {
            "dense_normalised": self._vectors(dense),
            "lexical_normalised": self._words(lexical),
        }
        for arm, column in (("dense", dense), ("lexical", lexical)):
            if f"{arm}_rank" not in table.columns:
                more[f"{arm}_rank"] = ranks(table.ids, column)
        table = table.with_columns(more)
        for name, operands in zip(Summands._fields, self._summands(table), strict=False):
            if any([operand is not None for operand in operands]):
                table = table.scored(name, "add", operands, clamp=True, of=_OF.get(name))
        if self.strategy == "rrf":
            table = self._divided(table)
        return table.sorted_stably()

    def _vectors(self, cosines: Column) -> list[float | None]:
        if self.vector_score == "cosine":  # as `normalisation.clamped`
            return [
                c if c is None or not math.isfinite(c) else (c if c < 1.0 else 1.0) if c > 0.0 else 0.0 for c in cosines
            ]
        return [c if c is None or not math.isfinite(c) else normalisation.inverse_distance(1.0 - c) for c in cosines]

    def _words(self, raw: Column) -> list[float | None]:
        found = [score for score in raw if score is not None]
        if self.normaliser == "min_max":
            scaled = normalisation.min_max(found)
        else:
            scaled = [_SCALES[self.normaliser](score) for score in found]
        following = iter(scaled)
        return [None if score is None else next(following) for score in raw]

    def _summands(self, table: Candidates) -> Sequence[Column]:
        """Return what is added up for each row, summand by summand."""
        columns = table.columns
        if self.strategy == "rrf":
            return [[self._of_rank(rank) for rank in columns[f"{arm}_rank"]] for arm in ("dense", "lexical")]
        vectors, words = columns["dense_normalised"], columns["lexical_normalised"]
        if self.strategy == "bonus15":
            return fusion.bonus_columns(vectors, words)
        weights = {"vector_weight": self.vector_weight, "words_weight": self.words_weight}
        pairs = zip(vectors, words, strict=True)
        return list(zip(*[fusion.convex_summands(*pair, **weights) for pair in pairs], strict=True))

    def _of_rank(self, rank: float | None) -> float | None:
        return None if rank is None else 1.0 / (self.rank_constant + rank)

    def _divided(self, table: Candidates) -> Candidates:
        arms = [
            name for name in ("dense_rank", "lexical_rank") if any(rank is not None for rank in table.columns[name])
        ]
        best = 0.0
        for _ in arms:
            best += 1.0 / (self.rank_constant + 1.0)
        return table.scored("of_the_best", "divide", [best] * len(table.keys), clamp=True) if arms else table


def ranks(ids: Sequence[str], scores: Column) -> list[float | None]:
    """Return the rank of each row in its list, from 1 on: score descending, then id; None for a row without a score.

    >>> ranks(["a", "b", "c"], [0.5, None, 0.9])
    [2.0, None, 1.0]
    """
    found = [
        (_descending(score), id, row)
        for row, (id, score) in enumerate(zip(ids, scores, strict=True))
        if score is not None
    ]
    placed: list[float | None] = [None] * len(ids)
    for rank, (_, _, row) in enumerate(sorted(found), 1):
        placed[row] = float(rank)
    return placed


def _descending(score: float) -> float:
    """Return a key by which the highest score comes first, and NaN last."""
    return math.inf if math.isnan(score) else -score
