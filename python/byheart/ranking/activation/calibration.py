"""Calibration: from a leg's raw scores to what they promise, by coefficients that were fitted beforehand.

Three methods: the share of training scores that lie below (quantile), the rising curve nearest to what was judged
(isotonic), and a logistic curve (Platt 1999). Coefficients name the leg, the model and the policy that they were
fitted for,
and are refused for any other: whoever has none goes on with min-max and (cosine + 1) / 2.
"""
# docs/sources.md: B1.4.4 to B1.4.7.

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from ..._core import exp, ln
from ...errors import CalibrationMismatch, InvalidArgument
from ...light.classes import dataclass
from ..calibration import Block, Isotonic
from .formulas import sigmoid

LEGS = ("text", "vec")
METHODS = ("quantile", "isotonic", "platt")
MAX_POINTS = 100_000
_ROUNDS = 200


def quantile(train: Sequence[float], x: float) -> float:
    """Return the share of sorted training scores below x, half of those equal to it included.

    >>> quantile([0.1, 0.2, 0.2, 0.4, 0.8], 0.2)
    0.4
    """
    below, upto = bisect_left(train, x), bisect_right(train, x)
    return (below + 0.5 * (upto - below)) / len(train)


def platt(a: float, b: float, f: float) -> float:
    """Return 1 / (1 + e^(a * f + b)).

    >>> platt(-2.0, 1.0, 0.5)
    0.5
    """
    return sigmoid(-(a * f + b))


def fit_platt(scores: Sequence[float], relevant: Sequence[int]) -> tuple[float, float]:
    """Return the coefficients of the logistic curve nearest to judgements of 0 and 1.

    Newton's method with step halving (Lin, Lin and Weng 2007) on the cross entropy, whose targets are not quite 0 and
    1: (N+ + 1) / (N+ + 2) and 1 / (N- + 2). It looks at scores from their middle, in units of how far they lie apart:
    so the least loss is found however near they are to each other.

    Raises:
        InvalidArgument: there are no judgements, or one is neither 0 nor 1, or a score is not finite.

    """
    _check(scores, relevant)
    positive = sum(1 for y in relevant if y)
    high, low = (positive + 1.0) / (positive + 2.0), 1.0 / (len(relevant) - positive + 2.0)
    middle = (min(scores) + max(scores)) / 2.0
    unit = (max(scores) - min(scores)) / 2.0 or 1.0
    points = [((f - middle) / unit, high if y else low) for f, y in zip(scores, relevant, strict=True)]
    a, b = 0.0, ln((len(relevant) - positive + 1.0) / (positive + 1.0))
    loss = _loss(points, a, b)
    for _ in range(_ROUNDS):
        down_a, down_b = _newton(points, a, b)
        step = 1.0
        while step >= 1e-10:
            nearer = a + step * down_a, b + step * down_b
            found = _loss(points, *nearer)
            if found < loss:
                break
            step /= 2.0
        else:
            break  # no step is nearer: this is the minimum, as far as doubles tell
        moved = max(abs(nearer[0] - a), abs(nearer[1] - b))
        (a, b), loss = nearer, found
        if moved <= 1e-14 * max(1.0, abs(a), abs(b)):
            break
    return a / unit, b - a * middle / unit


def _newton(points: Sequence[tuple[float, float]], a: float, b: float) -> tuple[float, float]:
    """Return Newton's step; a millionth of a millionth on the diagonal keeps it defined where all scores are equal."""
    h11 = h22 = 1e-12
    h21 = g1 = g2 = 0.0
    for f, target in points:
        p = platt(a, b, f)
        weight, error = p * (1.0 - p), target - p
        h11, h22, h21 = h11 + f * f * weight, h22 + weight, h21 + f * weight
        g1, g2 = g1 + f * error, g2 + error
    determinant = h11 * h22 - h21 * h21
    return -(h22 * g1 - h21 * g2) / determinant, -(h11 * g2 - h21 * g1) / determinant


def _loss(points: Sequence[tuple[float, float]], a: float, b: float) -> float:
    """Return the cross entropy, by the form that cannot overflow."""
    total = 0.0
    for f, target in points:
        x = a * f + b
        total += target * x + ln(1.0 + exp(-x)) if x >= 0.0 else (target - 1.0) * x + ln(1.0 + exp(x))
    return total


def _check(scores: Sequence[float], relevant: Sequence[int] | None) -> None:
    if not 0 < len(scores) <= MAX_POINTS:
        raise InvalidArgument(f"scores: are {len(scores)}; give 1 to {MAX_POINTS}")
    if not all(math.isfinite(score) for score in scores):
        raise InvalidArgument("scores: hold a number that is not finite")
    if relevant is not None and (len(relevant) != len(scores) or not set(relevant) <= {0, 1}):
        raise InvalidArgument("relevant: give a 0 or a 1 for each score")


@dataclass(frozen=True, slots=True)
class Calibration:
    """Coefficients of one leg.

    Attributes:
        leg: "text" or "vec".
        method: "quantile", "isotonic" or "platt".
        model_version: of the embedding model, or of the index whose scores were judged.
        policy_version: of the policy that they belong to.
        n: how many scores they were fitted on.
        params: the sorted training scores, the blocks, or the two coefficients.
        fitted_at: when, in epoch seconds.
        query_set_hash: of the questions that were asked.

    >>> fitted = Calibration.fit("vec", "quantile", [0.1, 0.9], model_version="m", policy_version="1.0.0")
    >>> fitted.apply(0.5), Calibration.of_dict(fitted.to_dict()) == fitted
    (0.5, True)

    """

    leg: str
    method: str
    model_version: str
    policy_version: str
    n: int
    params: tuple[tuple[float, ...], ...]
    fitted_at: float = 0.0
    query_set_hash: str = ""

    @classmethod
    def fit(
        cls,
        leg: str,
        method: str,
        scores: Sequence[float],
        relevant: Sequence[int] | None = None,
        *,
        model_version: str,
        policy_version: str,
        fitted_at: float = 0.0,
        query_set_hash: str = "",
    ) -> Calibration:
        """Return the coefficients for raw scores and, but for quantiles, what they turned out to be worth (0 or 1).

        Raises:
            InvalidArgument: there is no such leg or method, or nothing to fit to.

        """
        if leg not in LEGS or method not in METHODS:
            raise InvalidArgument(f"calibration: {method!r} of {leg!r}; methods are {METHODS}, legs {LEGS}")
        _check(scores, relevant)
        if method == "quantile":
            params: tuple[tuple[float, ...], ...] = (tuple(sorted(float(score) for score in scores)),)
        elif relevant is None:
            raise InvalidArgument(f"relevant: {method} needs a 0 or a 1 for each score")
        elif method == "isotonic":
            fitted = Isotonic.fit(zip(scores, relevant, strict=True))
            params = tuple((block.low, block.high, block.value) for block in fitted.blocks)
        else:
            params = (fit_platt(scores, relevant),)
        return cls(leg, method, model_version, policy_version, len(scores), params, fitted_at, query_set_hash)

    def apply(self, raw: float) -> float:
        """Return what a raw score promises, in [0, 1].

        >>> sure = Calibration.fit("text", "isotonic", [1.0, 2.0], [0, 1], model_version="", policy_version="")
        >>> sure.apply(1.5)
        0.5
        """
        if self.method == "quantile":
            return quantile(self.params[0], raw)
        if self.method == "platt":
            return platt(self.params[0][0], self.params[0][1], raw)
        return Isotonic(tuple(Block(*block) for block in self.params)).predict(raw)

    def check(self, leg: str, model_version: str, policy_version: str) -> None:
        """Refuse another leg, model or policy than the one that these were fitted for.

        Raises:
            CalibrationMismatch: it is another.

        """
        for what, ours, asked in (
            ("leg", self.leg, leg),
            ("model", self.model_version, model_version),
            ("policy", self.policy_version, policy_version),
        ):
            if ours != asked:
                raise CalibrationMismatch(
                    f"calibration: was fitted for {what} {ours!r}, and this is {asked!r}; fit it anew"
                )

    def to_dict(self) -> dict[str, Any]:
        """Return the coefficients as a JSON-able mapping, as a policy keeps them."""
        return {
            "leg": self.leg,
            "method": self.method,
            "model_version": self.model_version,
            "policy_version": self.policy_version,
            "n": self.n,
            "params": [list(row) for row in self.params],
            "fitted_at": self.fitted_at,
            "query_set_hash": self.query_set_hash,
        }

    @classmethod
    def of_dict(cls, given: Mapping[str, Any]) -> Calibration:
        """Return the coefficients that a mapping holds.

        Raises:
            InvalidArgument: it holds none; the message says why.

        """
        try:
            params = tuple(tuple(float(value) for value in row) for row in given["params"])
            found = cls(
                str(given["leg"]), str(given["method"]), str(given["model_version"]), str(given["policy_version"]),
                int(given["n"]), params, float(given.get("fitted_at", 0.0)), str(given.get("query_set_hash", "")),
            )  # fmt: skip
        except (LookupError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise InvalidArgument(f"calibration: cannot be read ({type(error).__name__}: {error})") from None
        _check_params(found)
        return found


def _check_params(found: Calibration) -> None:
    if found.leg not in LEGS or found.method not in METHODS:
        raise InvalidArgument(f"calibration: {found.method!r} of {found.leg!r}; methods are {METHODS}, legs {LEGS}")
    if not all(math.isfinite(value) for row in found.params for value in row):
        raise InvalidArgument("calibration: holds a number that is not finite")
    shapes = {"quantile": len(found.params) == 1 and len(found.params[0]) > 0,
              "platt": len(found.params) == 1 and len(found.params[0]) == 2,
              "isotonic": len(found.params) > 0 and all(len(row) == 3 for row in found.params)}  # fmt: skip
    rising = [value for row in found.params for value in (row[:2] if found.method == "isotonic" else row)]
    values = [row[2] for row in found.params] if found.method == "isotonic" and shapes["isotonic"] else []
    if not shapes[found.method]:
        raise InvalidArgument(f"calibration: its params are none of {found.method}")
    if found.method != "platt" and (rising != sorted(rising) or values != sorted(values)):
        raise InvalidArgument("calibration: its params do not rise")
