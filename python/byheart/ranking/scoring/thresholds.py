"""Stages that drop what scores too little: before reranking, and after all scoring."""
# docs/sources.md: A2.1.6, A2.4.7.

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...light.classes import dataclass
from ...validation import check_share
from ..algebra import Stage, StageContext
from ..candidates import Candidates


@dataclass(frozen=True, slots=True)
class MinimumScore(Stage):
    """Drops rows that score less than a limit; the limit itself is enough, and 0 turns the stage off.

    >>> from byheart.ranking.candidates import join
    >>> table = join({"dense": [("a", 0.8), ("b", 0.2931)]}).scored("cosine", "add", [0.8, 0.2931])
    >>> MinimumScore(0.3)(table, StageContext(now=0.0, k=1)).dropped[0].reason
    'below the minimum score (0.2931 < 0.3)'
    """

    at_least: float = 0.3

    name: ClassVar[str] = "minimum score"
    inputs: ClassVar[tuple[str, ...]] = ("score",)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1}

    def __post_init__(self) -> None:
        """Check the range."""
        check_share(self.name, self.at_least)

    @property
    def reason(self) -> str:
        """How the reason of a row that is dropped begins."""
        return f"below the {self.name}"

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without those rows."""
        low = {
            row: f"{self.reason} ({score:.4f} < {self.at_least:g})"
            for row, score in enumerate(table.scores())
            if score < self.at_least
        }
        return table.drop(low)


@dataclass(frozen=True, slots=True)
class HardMinimum(MinimumScore):
    """The same after all stages that change scores: what is left is worth showing."""

    at_least: float = 0.35

    name: ClassVar[str] = "hard minimum"
