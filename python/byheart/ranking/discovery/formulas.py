"""The formulas of two-pass discovery, and the numbers in them.

    omega   = alpha_r * exp(-lambda_r * age) + alpha_f * ln(1 + uses) / ln(1 + most uses) + alpha_a * a
    S_final = omega * max(sim, 0) * (1 + kappa * M) / (1 + kappa)

M is the share of the query's key terms that the text has (`byheart.ranking.keywords.coverage`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..._core import ln
from ...errors import InvalidArgument
from ...validation import check_nonnegative, check_one_of, check_share
from ...words import Smoothing, words_of
from ..normalisation import clamped
from ..scoped import check_rate, recency

WEIGHTS = (0.5, 0.2, 0.3)
"""Of recency, frequency and authored authority."""

RATE = 1e-5
"""Decay of recency per second: a half-life of 19 hours."""

KAPPA, FLOOR, HOP_DECAY, HOP_FLOOR, TOP_K = 0.3, 0.20, 0.5, 0.15, 8

SMOOTHINGS: tuple[str, ...] = words_of(Smoothing)

_TOLERANCE = 1e-9


def authority_weight(
    age_seconds: float | None,
    uses: float,
    most_uses: float,
    authority: float | None,
    *,
    weights: Sequence[float] = WEIGHTS,
    rate: float = RATE,
    smoothing: str = "plain",
) -> float:
    """Return omega, in [0, 1]: how much a document is worth before it is compared with any query.

    Args:
        age_seconds: a missing or future time counts as now.
        uses: how often it was used, 0 or more.
        most_uses: the same of the document that was used most; where that is 0, frequency counts 0.
        authority: as authored, 0 to 1; None, where nobody said so, is 0.
        weights: of recency, frequency and authority, 0 to 1 each; they sum to 1.
        rate: decay of recency per second.
        smoothing: "plain" divides by ln(1 + most_uses), "plus_one" by ln(1 + most_uses + 1).

    Raises:
        InvalidArgument: a number is outside its domain.

    >>> authority_weight(0.0, 5, 5, 1.0, weights=(0, 1, 0)), authority_weight(0.0, 0, 0, None)
    (1.0, 0.5)

    """
    # docs/sources.md: A1.7.2.
    check_weights(weights, rate, smoothing)
    check_share("authority", authority)
    if not (0.0 <= uses < math.inf and 0.0 <= most_uses < math.inf):
        raise InvalidArgument(f"uses: are {uses} and {most_uses}; they must be finite and at least 0")
    by_recency, by_uses, by_authority = weights
    frequency = 0.0
    if most_uses > 0.0:
        most = 1.0 + most_uses if smoothing == "plain" else 1.0 + most_uses + 1.0
        frequency = min(1.0, ln(1.0 + uses) / ln(most))  # uses may rise between the counting and here
    said = authority if authority is not None else 0.0
    return min(1.0, by_recency * recency(age_seconds, rate) + by_uses * frequency + by_authority * said)


def final_score(authority_weight: float, similarity: float, coverage: float, kappa: float = KAPPA) -> float:
    """Return S_final, in [0, 1] and, up to rounding, at most the authority weight.

    The normalised form, which needs no clamp and so keeps the order at the top, was suggested by GitHub contributor
    @JuanHuaXu. Read kappa so: full coverage scores 1 + kappa times as high as none, and a document
    without any key term keeps 1 / (1 + kappa) of the ceiling: 10/13 at 0.3, two thirds at 0.5, half at 1. ("Up to
    a one-third relative boost", as is said of 0.5, is the same third seen from the top.)

    Args:
        authority_weight: omega, 0 to 1.
        similarity: cosine of query and document; clamped to [0, 1].
        coverage: M, 0 to 1.
        kappa: what words count, 0 (nothing) or more.

    Raises:
        InvalidArgument: a number is outside its domain.

    >>> final_score(1.0, 1.0, 0.0, kappa=1.0), final_score(0.5, 0.8, 0.5)
    (0.5, 0.3538461538461538)

    """
    # docs/sources.md: A1.7.4, A1.7.5.
    check_share("authority_weight", authority_weight)
    check_share("coverage", coverage)
    check_kappa(kappa)
    return authority_weight * clamped(similarity) * (1.0 + kappa * coverage) / (1.0 + kappa)


def check_weights(weights: Sequence[float], rate: float, smoothing: str) -> None:
    """Refuse weights of authority that do not sum to 1, and what else is outside its domain."""
    if len(weights) != 3:
        raise InvalidArgument(f"weights: are {len(weights)}; recency, frequency and authority need one each")
    for name, weight in zip(("recency", "frequency", "authority"), weights, strict=True):
        check_share(f"weight of {name}", weight)
    total = weights[0] + weights[1] + weights[2]
    if abs(total - 1.0) > _TOLERANCE:
        raise InvalidArgument(f"weights: {', '.join(f'{weight:g}' for weight in weights)} sum to {total:g}, not to 1")
    check_rate("rate", rate)
    check_one_of("smoothing", smoothing, SMOOTHINGS)


def check_kappa(kappa: float) -> None:
    """Refuse a kappa that is no finite number of at least 0."""
    check_nonnegative("kappa", kappa)
