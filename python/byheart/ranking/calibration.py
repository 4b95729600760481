"""Isotonic regression: the rising step function nearest to what was observed.

For calibration: from scores, and what they turned out to be worth, to the worth that a score promises, and to the score
from which on it promises enough. Fitted by pooling adjacent violators; not for curves that may fall.
"""
# docs/sources.md: A1.6.11.

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable

from ..errors import InvalidArgument
from ..light.classes import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """A step: from the score `low` to the score `high` the worth is `value`."""

    low: float
    high: float
    value: float


@dataclass(frozen=True, slots=True)
class Isotonic:
    """A fitted curve: blocks in rising order of score and of value."""

    blocks: tuple[Block, ...]

    @classmethod
    def fit(cls, points: Iterable[tuple[float, float]]) -> Isotonic:
        """Return the curve nearest to points (score, worth), by least squares.

        Raises:
            InvalidArgument: there is no point, or one is not finite.

        >>> [block.value for block in Isotonic.fit([(0.1, 0), (0.2, 1), (0.3, 0), (0.4, 1)]).blocks]
        [0.0, 0.5, 1.0]

        """
        pooled: dict[float, list[float]] = {}  # points of one score are one point, at their mean
        for score, worth in sorted((float(score), float(worth)) for score, worth in points):
            if not (math.isfinite(score) and math.isfinite(worth)):
                raise InvalidArgument(f"points: ({score}, {worth}) is not finite")
            pooled.setdefault(score, []).append(worth)
        stack: list[tuple[float, float, float, int]] = []  # low, high, sum, count
        for score, worths in pooled.items():
            low, high, total, count = score, score, math.fsum(worths), len(worths)
            while stack and stack[-1][2] / stack[-1][3] > total / count:
                before = stack.pop()
                low, total, count = before[0], before[2] + total, before[3] + count
            stack.append((low, high, total, count))
        if not stack:
            raise InvalidArgument("points: are empty; give at least one (score, worth)")
        return cls(tuple(Block(low, high, total / count) for low, high, total, count in stack))

    def predict(self, score: float) -> float:
        """Return the worth of a score: linear between the edges of blocks, the outermost values outside.

        >>> Isotonic.fit([(0.1, 0), (0.2, 1), (0.3, 0), (0.4, 1)]).predict(0.35)
        0.7499999999999999
        """
        place = bisect_right(self.blocks, score, key=lambda block: block.low)
        if place == 0:
            return self.blocks[0].value
        left = self.blocks[place - 1]
        if score <= left.high or place == len(self.blocks):
            return left.value
        right = self.blocks[place]
        return left.value + (right.value - left.value) * (score - left.high) / (right.low - left.high)

    def threshold(self, worth: float) -> float | None:
        """Return the smallest observed score from which on the worth is at least this; None if none is.

        >>> Isotonic.fit([(0.2, 0), (0.3, 0), (0.4, 1)]).threshold(0.5), Isotonic.fit([(0.2, 0)]).threshold(0.5)
        (0.4, None)
        """
        return next((block.low for block in self.blocks if block.value >= worth), None)
