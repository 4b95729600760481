"""Vectors of texts: hashed counts, the mean of token rows, windows of long texts, and unit length.

Sums are exact here (whole numbers, or fractions), so that the one rounding is the last.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Sequence
from fractions import Fraction


def hashed_counts(terms: Sequence[str], dimensions: int, seed: int = 0) -> list[int]:
    """Return the signed counts of the terms' features: 2 for each term, 1 for each different piece of three letters.

    Args:
        terms: the terms of a text, as `text.terms` gives them.
        dimensions: how many components.
        seed: the key of the hash.

    >>> sum(map(abs, hashed_counts(["fox"], 4_096)))  # the term, and ^fo, fox, ox$
    5

    """
    counts = [0] * dimensions
    for term in terms:
        bounded = "^" + term + "$"
        pieces = sorted({bounded[at : at + 3] for at in range(len(bounded) - 2)})
        for feature, weight in [("term " + term, 2)] + [("piece " + piece, 1) for piece in pieces]:
            key = seed.to_bytes(8, "little")
            digest = hashlib.blake2b(feature.encode(), digest_size=8, key=key).digest()
            number = int.from_bytes(digest, "little")
            sign = 1 if number % 2 == 1 else -1
            counts[number // 2 % dimensions] += sign * weight
    return counts


def mean_row(
    rows: Sequence[Sequence[float]],
    tokens: Sequence[int],
    weights: Sequence[float] | None = None,
    mapping: Sequence[int] | None = None,
) -> list[float]:
    """Return the mean of the tokens' rows, each times its weight; zeros for no tokens.

    >>> mean_row([[1.0, 0.0], [0.0, 1.0]], [0, 1, 1, 1])
    [0.25, 0.75]

    """
    total = [Fraction(0)] * len(rows[0])
    for token in tokens:
        row = rows[token if mapping is None else mapping[token]]
        weight = Fraction(1 if weights is None else weights[token])
        total = [sum_ + Fraction(value) * weight for sum_, value in zip(total, row, strict=True)]
    return [float(sum_) / max(len(tokens), 1) for sum_ in total]


def unit_row(row: Sequence[float]) -> list[float]:
    """Return the row at unit length, each component rounded to 32 bits; a row of zeros stays as it is.

    >>> unit_row([3.0, 4.0]), unit_row([0.0])
    ([0.6000000238418579, 0.800000011920929], [0.0])

    """
    squares = sum((Fraction(value) ** 2 for value in row), Fraction(0))
    if squares == 0:
        return [0.0] * len(row)
    length = math.sqrt(float(squares))
    return [struct.unpack("<f", struct.pack("<f", value / length))[0] for value in row]


def window_spans(tokens: int, size: int, stride: int) -> list[tuple[int, int]]:
    """Return where windows of a text begin and end: each `stride` after the one before, until one reaches the end.

    Args:
        tokens: of the text, at least 1.
        size: tokens of a window at most.
        stride: from beginning to beginning; no more than `size` is used, so that no token is left out.

    >>> window_spans(6, 3, 2)
    [(0, 3), (2, 5), (4, 6)]

    """
    spans = [(0, min(size, tokens))]
    while spans[-1][1] < tokens:
        begin = spans[-1][0] + min(stride, size)
        spans.append((begin, min(begin + size, tokens)))
    return spans


def mean_of_windows(rows: Sequence[Sequence[float]], weights: Sequence[int]) -> list[float]:
    """Return the mean of the windows' rows, each counted as often as its weight says.

    >>> mean_of_windows([[0.0, 1.0], [1.0, 0.0]], [3, 1])
    [0.25, 0.75]

    """
    exact = [[Fraction(value) for value in row] for row in rows]
    total = [
        sum((row[at] * weight for row, weight in zip(exact, weights, strict=True)), Fraction(0))
        for at in range(len(rows[0]))
    ]
    return [float(value / sum(weights)) for value in total]


def layer_norm(row: Sequence[float], epsilon: float = 1e-5) -> list[float]:
    """Return the row less its mean, divided by its deviation; `epsilon` is added to the variance (Ba et al. 2016).

    >>> [round(value, 3) for value in layer_norm([1.0, 3.0])]
    [-1.0, 1.0]

    """
    mean = sum((Fraction(value) for value in row), Fraction(0)) / len(row)
    variance = sum(((Fraction(value) - mean) ** 2 for value in row), Fraction(0)) / len(row)
    deviation = math.sqrt(float(variance) + epsilon)
    return [float(Fraction(value) - mean) / deviation for value in row]
