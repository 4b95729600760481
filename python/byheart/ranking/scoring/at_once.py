"""The stages of hybrid recall up to its hard minimum, in one pass of the core: the table that they make one by one.

With the usual settings each stage adds a column, changes forty scores and sorts. Eight tables for that cost as much as
the searches. Where a setting or a row is out of the ordinary, there is no pass, and the stages run.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..._core import Staged
from ...boundary import id_of
from ...light.classes import dataclass
from ..algebra import Stage
from ..candidates import Applied, Candidates, Dropped
from ..rerank.stage import Rerank
from .fuse import Fuse
from .thresholds import HardMinimum, MinimumScore
from .time import Recency, TimeDecay
from .weights import Importance, LengthNormalisation

_FIRST = (Fuse, MinimumScore)
_LAST = (Recency, Importance, LengthNormalisation, TimeDecay, HardMinimum)
_OF = {"vector": "dense", "words": "lexical"}


@dataclass(frozen=True, slots=True)
class Scoring:
    """What the first stages of a hybrid profile come to.

    Attributes:
        stages: how many stages these are.
        minimum: the least fused score.
        window: how many rows are compared with the question's vector; None for none.
        recency: half-life and weight of the bonus for youth.
        anchor: the length up to which nothing is taken.
        decay: the half-life of the discount for age.
        hard: the least score in the end.

    """

    stages: int
    minimum: float
    window: int | None
    recency: tuple[float, float]
    anchor: float
    decay: float
    hard: float

    def table(self, staged: Staged, notes: tuple[str, ...]) -> Candidates:
        """Return the table that the stages make, of what the core says."""
        applied = tuple(
            [
                Applied(name, "multiply" if multiplies else "add", clamps, _OF.get(name))
                for name, multiplies, clamps in staged.changes
            ]
        )
        return Candidates(staged.keys, staged.columns, self._dropped(staged), notes, applied)

    def _dropped(self, staged: Staged) -> tuple[Dropped, ...]:
        """Return the rows that were dropped, with the reasons that the stages give."""
        dropped = []
        for row, why, score in staged.dropped:
            if why == "window":
                reason = f"beyond the rerank window ({self.window})"
            else:
                name, least = ("minimum score", self.minimum) if why == "minimum" else ("hard minimum", self.hard)
                reason = f"below the {name} ({score:.4f} < {least:g})"
            dropped.append(Dropped(id_of(row), reason))
        return tuple(dropped)


def scoring(stages: Sequence[Stage]) -> Scoring | None:
    """Return what the first stages of a profile come to; None where these are others, or set otherwise than usual."""
    first, rest = stages[:2], stages[2:]
    window = None
    if rest and isinstance(rest[0], Rerank):
        if rest[0].reranker is not None or rest[0].window is None:
            return None
        window, rest = rest[0].window, rest[1:]
    last = rest[: len(_LAST)]
    if tuple(map(type, first)) != _FIRST or tuple(map(type, last)) != _LAST:
        return None
    fuse, minimum = first
    recency, _, length, decay, hard = last
    assert isinstance(fuse, Fuse) and isinstance(minimum, MinimumScore) and isinstance(recency, Recency)
    assert isinstance(length, LengthNormalisation) and isinstance(decay, TimeDecay) and isinstance(hard, HardMinimum)
    usual = fuse.strategy, fuse.normaliser, fuse.vector_score, recency.base, decay.base, length.unit
    if usual != ("bonus15", "logistic", "cosine", "e", "e", "codepoint"):
        return None
    return Scoring(
        stages=len(stages) - len(rest) + len(_LAST),
        minimum=minimum.at_least,
        window=window,
        recency=(recency.half_life_days, recency.weight),
        anchor=length.anchor,
        decay=decay.half_life_days,
        hard=hard.at_least,
    )
