"""The rule by which an answer equals the expected one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TOLERANCE = 1e-9
"""Absolute; published scores are sums whose last bits depend on the order of addition."""


def equal(expected: Any, got: Any) -> bool:
    """Return whether two JSON values agree: numbers to 1e-9, nested ones too, everything else exactly.

    A bool is no number, an int and a float are, and NaN equals nothing. Tuples count as lists.

    >>> equal([1, {"score": 0.5}], (1.0, {"score": 0.5000000001})), equal(1, True), equal("a", "A")
    (True, False, False)
    """
    if _is_number(expected) and _is_number(got):
        return bool(expected == got or abs(expected - got) <= TOLERANCE)
    if isinstance(expected, Mapping) and isinstance(got, Mapping):
        return expected.keys() == got.keys() and all(equal(value, got[key]) for key, value in expected.items())
    if isinstance(expected, (list, tuple)) and isinstance(got, (list, tuple)):
        return len(expected) == len(got) and all(equal(*pair) for pair in zip(expected, got, strict=True))
    return type(expected) is type(got) and bool(expected == got)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
