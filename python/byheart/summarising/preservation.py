"""Preservation: what a summary keeps of its turns, measured in the embedder's space, where it will be searched.

A model's own confidence says how sure it was of its words; it may be sure and have drifted. So a written summary is
accepted only where its vector points where the turns' do, and else an extract stands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..errors import DimensionMismatch, InvalidArgument
from ..light.classes import dataclass
from ..validation import check_share
from .likeness import centroid, clamp, doubles, likeness, vectors_of_turns

ACCEPTED_FROM: Final = 0.65
PRESERVED_SHARE: Final = 0.8
OWN_SHARE: Final = 0.2
"""The parts that preservation and the model's own confidence have in the final confidence of a written summary."""


@dataclass(frozen=True, slots=True)
class Preservation:
    """How well a summary stands for its turns.

    Attributes:
        alignment: the cosine of the summary's vector to the mean of the turns', -1 to 1.
        coverage: the mean of its cosines to the single turns, negative ones counted as 0; 0 to 1.

    """

    alignment: float
    coverage: float

    @property
    def confidence(self) -> float:
        """Return the mean of both, clamped to [0, 1].

        >>> Preservation(alignment=1.0, coverage=0.5).confidence
        0.75

        """
        return clamp((self.alignment + self.coverage) / 2.0)

    def accepted(self, threshold: float = ACCEPTED_FROM) -> bool:
        """Return whether a written summary may stand for its turns: the alignment reaches the threshold.

        >>> Preservation(0.65, 0.1).accepted(), Preservation(0.64, 1.0).accepted()
        (True, False)

        """
        return self.alignment >= threshold

    def final_confidence(self, own: float | None = None) -> float:
        """Return the confidence that the record of the summary gets, 0 to 1.

        Args:
            own: the model's confidence in a written summary; None for an extract, which has none.

        Raises:
            InvalidArgument: `own` lies outside [0, 1].

        >>> Preservation(0.8, 0.8).final_confidence(), round(Preservation(0.8, 0.8).final_confidence(0.9), 12)
        (0.8, 0.82)

        """
        if own is None:
            return self.confidence
        check_share("own", own)
        return PRESERVED_SHARE * self.confidence + OWN_SHARE * own


def preservation(summary: Any, vectors: Sequence[Any]) -> Preservation:
    """Return how well a summary's vector stands for the vectors of its turns.

    Args:
        summary: the vector of the summary's text, of any type of number. One of zeros preserves nothing.
        vectors: one for each turn, at least one, of the same length.

    Raises:
        DimensionMismatch: the vectors have different lengths.
        InvalidArgument: there are no turns, or a vector holds NaN.

    >>> preservation([0.8, 0.6], [[1, 0], [1, 0]])
    Preservation(alignment=0.8, coverage=0.8)

    """
    written, turns = doubles("vector of the summary", summary), vectors_of_turns(vectors)
    if not turns:
        raise InvalidArgument("vectors: there are none; a summary has at least one turn")
    for row, vector in enumerate(turns):
        if vector is None or len(vector) != len(written):
            given = "is missing" if vector is None else f"has {len(vector)} dimensions"
            raise DimensionMismatch(f"vector of turn {row}: {given}; the summary's has {len(written)}")
    total = 0.0
    for vector in turns:
        total += max(0.0, likeness(written, vector))
    return Preservation(likeness(written, centroid(turns)), total / len(turns))
