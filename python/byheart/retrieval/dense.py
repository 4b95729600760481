"""The dense retriever: the records nearest by the cosine of their embeddings."""
# docs/sources.md: A1.4.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._core import DenseIndex, Proposal
from ..errors import DimensionMismatch
from ..ranking.explanation import Explanation, Part
from ..ranking.normalisation import clamped
from .protocol import CoreRetriever, Found, LegQuery, found_by

# Widths that Matryoshka-trained models are made for; the last tier is the whole vector.
_RUNGS = (64, 256)

# Above which best score a cascade leaves at a rung (docs/sources.md: A1.4.4).
_THRESHOLDS = (0.92, 0.80)


def ladder(dimensions: int) -> tuple[int, ...]:
    """Return the tiers of vectors of this width: 64 and 256 as far as they are narrower, then all of it.

    >>> ladder(768), ladder(256), ladder(32)
    ((64, 256, 768), (64, 256), (32,))
    """
    return (*(rung for rung in _RUNGS if rung < dimensions), dimensions)


BY_TRAINING = ("by_model", "approx")
"""The modes that depend on whether the model was trained for vectors that can be cut (Matryoshka)."""


def chosen(mode: str, pool: int, records: int, *, trained: bool) -> str:
    """Return how vectors are searched: "exact", "early_exit" or "approx".

    A shortlist by the first tier is worth it where the beginnings of vectors are vectors too. Elsewhere it loses much
    and saves nothing: among 10,000 random vectors of 384 numbers, a pool of 100 has 76 % of the true ten, in more time
    than the exact search takes. So these are searched exactly, unless the shortlist holds every record.

    Args:
        mode: what the profile asks for.
        pool: how many records are proposed.
        records: inside the boundary.
        trained: whether the model was trained for vectors that can be cut.

    >>> chosen("approx", 100, 10_000, trained=False), chosen("approx", 100, 10_000, trained=True)
    ('exact', 'approx')

    """
    if mode == "by_model":
        return "early_exit" if trained else "exact"
    if mode == "approx" and not trained and records > _LISTED * pool + records // 100:
        return "exact"
    return mode


_LISTED = 20  # rows on the core's shortlist for each that is proposed, beside a hundredth of all


def new_index(dimensions: int) -> DenseIndex:
    """Return an empty index of vectors of this width."""
    return DenseIndex(dimensions, tiers=ladder(dimensions))


def is_blank(row: bytes) -> bool:
    """Return whether a stored vector is all zero: of a text with nothing to be found by."""
    return not row.strip(b"\0")


def explain(cosine: float, id: str) -> Explanation:
    """Return what a cosine adds up to."""
    value = clamped(cosine)
    return Explanation(id, value, (Part("cosine", value, f"cosine {cosine:.6f}, clamped to [0, 1]"),), value)


class Dense(CoreRetriever):
    """Vectors: the nearest by cosine. Records without a vector are not in its index, and kept count of."""

    name = "dense"

    def lacking(self, missing: int, records: int) -> str:
        """Return what an answer says about records without a vector."""
        return f"dense: {missing} of {records} records have no vector (Memory.embed makes them)"

    def form(self, asked: LegQuery) -> Mapping[str, Any] | None:
        """Return the question's vector; None where there is none, or no index of vectors."""
        vector = asked.embed()
        width = None if asked.settings is None else asked.settings.dimensions
        if vector is None or width is None:
            return None
        if len(vector) != width:
            raise DimensionMismatch(f"vector: has {len(vector)} numbers; those of the memory have {width}")
        return {"vector": vector}

    def leg(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return how vectors are searched."""
        if asked.mode != "early_exit" or asked.settings is None or asked.settings.dimensions is None:
            return {"mode": asked.mode}
        return {"mode": asked.mode, "thresholds": _THRESHOLDS[: len(ladder(asked.settings.dimensions)) - 1]}

    def found(self, asked: LegQuery, form: Mapping[str, Any], proposal: Proposal, leg: int) -> Found:
        """Return what the leg says, and how vectors were searched."""
        return found_by(proposal, leg, asked.mode)

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return what the cosine adds up to."""
        return None if score is None else explain(score, id)
