"""The dense retriever: the records nearest by the cosine of their embeddings."""
# docs/sources.md: A1.4.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._core import DenseIndex, Proposal
from ..errors import DimensionMismatch, InvalidArgument
from ..ranking.explanation import Explanation, Part
from ..ranking.normalisation import clamped
from ..validation import check_at_least_one, check_finite
from ..words import ExitRule, Rescore, words_of
from .protocol import Found, LegQuery
from .together import CoreRetriever, found_by

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


CASCADE: Mapping[str, Any] = {
    "tiers": None, "thresholds": None, "exit_rule": "strict", "rescore": "full", "shortlist": None,
}  # fmt: skip
"""The settings of a leg: at which tiers a search with early exits may end, and above which best scores; whether that
score has to be exceeded or reached; which scores the hits have; and how many rows an approximate search looks at."""
_NEVER = 2.0  # no cosine is as high


def exits(
    dimensions: int, tiers: Sequence[int] | None = None, thresholds: Sequence[float] | None = None
) -> tuple[float, ...]:
    """Return the threshold of each tier but the last: those of the tiers named, and none to be reached elsewhere.

    Raises:
        InvalidArgument: vectors of this width have no such tier, or not as many thresholds as tiers.

    >>> exits(768), exits(768, [256], [0.9]), exits(128, thresholds=[0.5])
    ((0.92, 0.8), (2.0, 0.9), (0.5,))

    """
    there = ladder(dimensions)[:-1]
    wanted = there if tiers is None else tuple(tiers)
    for tier in wanted:
        if tier not in there:
            known = ", ".join(map(str, there)) or "none"
            raise InvalidArgument(f"tiers: vectors of {dimensions} numbers may leave at {known}, not at {tier}")
    given = dict(zip(there, _THRESHOLDS, strict=False))
    if thresholds is not None:
        if len(thresholds) != len(wanted):
            raise InvalidArgument(f"thresholds: are {len(thresholds)}; give one for each of the tiers {wanted}")
        given = dict(zip(wanted, thresholds, strict=True))
    return tuple(given[tier] if tier in wanted else _NEVER for tier in there)


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
    takes = CASCADE

    def check_settings(self, settings: Mapping[str, Any]) -> None:
        """Refuse thresholds that are no numbers, and words that there are not."""
        for name, kind in (("exit_rule", ExitRule), ("rescore", Rescore)):
            if settings[name] not in words_of(kind):
                raise InvalidArgument(f"{name}: is {settings[name]!r}; use one of {', '.join(words_of(kind))}")
        for name in ("tiers", "thresholds"):
            if settings[name] is not None and not isinstance(settings[name], (list, tuple)):
                raise TypeError(f"{name} must be a list of numbers, not {type(settings[name]).__name__}")
        for value in settings["thresholds"] or ():
            check_finite("thresholds", value)
        for name, values in (("tiers", settings["tiers"] or ()), ("shortlist", [settings["shortlist"] or 1])):
            for value in values:
                check_at_least_one(name, value)
        if settings["tiers"] is not None and settings["thresholds"] is not None:
            tiers, thresholds = len(settings["tiers"]), len(settings["thresholds"])
            if tiers != thresholds:
                raise InvalidArgument(f"thresholds: are {thresholds} for {tiers} tiers; give one for each")

    def lacking(self, missing: int, records: int) -> str:
        """Return what an answer says about records without a vector."""
        return f"dense: {missing} of {records} records have no vector"

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
        told = {**CASCADE, **asked.options}
        if asked.mode == "approx":
            return {"mode": asked.mode, "shortlist": told["shortlist"]}
        if asked.mode != "early_exit" or asked.settings is None or asked.settings.dimensions is None:
            return {"mode": asked.mode}
        thresholds = exits(asked.settings.dimensions, told["tiers"], told["thresholds"])
        return {
            "mode": asked.mode, "thresholds": thresholds, "exit_rule": told["exit_rule"], "rescore": told["rescore"],
        }  # fmt: skip

    def found(self, asked: LegQuery, form: Mapping[str, Any], proposal: Proposal, leg: int) -> Found:
        """Return what the leg says, and how vectors were searched."""
        return found_by(proposal, leg, asked.mode)

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return what the cosine adds up to."""
        return None if score is None else explain(score, id)
