"""The stages of agreement over one search, in one pass of the core: the table that they make one after the other.

Most recalls ask one search, and then each stage does little: one list of scores is divided, weighted, and cut. Seven
tables for that cost more than the search. Where anything is out of the ordinary, there is no pass, and the stages run.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._core import Agreement
from ..light.classes import dataclass
from .agreement import (
    BELOW_MINIMUM,
    DUPLICATE_OF,
    RECORDS_FOR_A_FLOOR,
    AgreementFusion,
    DropDuplicates,
    DropUnlike,
    GapPruning,
    Normalise,
    ScoreFloor,
)
from .algebra import Stage
from .candidates import Applied, Candidates, Dropped

_STAGES = (DropUnlike, Normalise, AgreementFusion, ScoreFloor, DropDuplicates, GapPruning)
_CLAMPED = "dense"


@dataclass(frozen=True, slots=True)
class Pass:
    """What the stages of a profile come to over the rows of one retriever.

    Attributes:
        name: of the retriever.
        weight: of its normalised scores.
        floor: the least score; `literal` on tiny boundaries too.
        gap: the least share of the best score.

    """

    name: str
    weight: float
    floor: float
    literal: bool
    gap: float

    @property
    def clamps(self) -> bool:
        """Whether raw scores are cosines."""
        return self.name == _CLAMPED

    def floor_for(self, inside: int) -> float | None:
        """Return the least score in a boundary of so many records; None where it is waived."""
        return self.floor if self.literal or inside >= RECORDS_FOR_A_FLOOR else None

    def table(self, agreed: Agreement, inside: int, k: int, notes: tuple[str, ...]) -> Candidates:
        """Return the table that the stages and the cut at `k` make, of what the core says."""
        if self.floor_for(inside) is None:
            few = f"{inside} records inside the boundary, fewer than {RECORDS_FOR_A_FLOOR}"
            notes = (*notes, f"minimum score {self.floor:g} waived: {few}")
        scores = agreed.scores
        columns = {
            self.name: agreed.raw,
            f"{self.name}_normalised": agreed.scaled,
            "score": scores,
            f"{self.name}_weighted": scores,
        }
        applied = Applied(
            f"{self.name}_weighted", "add", False, self.name, f"weight {self.weight:g} x {self._scale(agreed)}"
        )
        return Candidates(agreed.keys, columns, self._dropped(agreed, k), notes, (applied,))

    def _scale(self, agreed: Agreement) -> str:
        return "cosine, clamped to [0, 1]" if self.clamps else f"raw / max(best raw {agreed.top or 0.0:.6f}, 1)"

    def _dropped(self, agreed: Agreement, k: int) -> tuple[Dropped, ...]:
        """Return the rows that were dropped, with the reasons that the stages give."""
        dropped = []
        for id, why, score, of in agreed.dropped:
            if why == "floor":
                reason = f"{BELOW_MINIMUM} ({score:.4f} < {self.floor:g})"
            elif why == "repeats":
                reason = f"{DUPLICATE_OF}{of}"
            elif why == "gap":
                reason = f"gap ({score:.4f} < {agreed.limit:.4f})"
            else:
                reason = f"beyond k ({k})"
            dropped.append(Dropped(id, reason))
        return tuple(dropped)


def one_pass(stages: Sequence[Stage], name: str) -> Pass | None:
    """Return what stages come to over the rows of one retriever; None where these are other stages."""
    if tuple(map(type, stages)) != _STAGES or name not in ("lexical", _CLAMPED):
        return None
    _, _, fusion, floor, _, gap = stages
    assert isinstance(fusion, AgreementFusion) and isinstance(floor, ScoreFloor) and isinstance(gap, GapPruning)
    weight = fusion.weights.get(name)
    return None if weight is None else Pass(name, weight, floor.at_least, floor.literal, gap.gap)
