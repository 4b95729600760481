"""Checks of numbers and flags: shares, counts, seconds from now."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from ..errors import InvalidArgument, LimitExceeded
from .limits import MAX_K
from .messages import shortly


def plain_number(value: Any) -> int | float | None:
    """Return a number as `int` or `float`, from NumPy's too; None for what is no number, such as a flag.

    >>> import numpy as np
    >>> plain_number(np.float32(0.5)), plain_number(np.int64(3)), plain_number(True), plain_number("3")
    (0.5, 3, None, None)
    """
    if type(value) is float or type(value) is int:  # as nearly all are
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return int(value) if isinstance(value, Integral) else float(value)
    except OverflowError:  # as of a fraction without end
        return float("inf") if value == abs(value) else float("-inf")


def check_flag(what: str, value: Any) -> None:
    """Refuse what is neither True nor False.

    >>> check_flag("receipt", 1)
    Traceback (most recent call last):
        ...
    TypeError: receipt must be bool, not int
    """
    if not isinstance(value, bool):
        raise TypeError(f"{what} must be bool, not {type(value).__name__}")


def check_number(what: str, value: Any) -> int | float:
    """Return a number as Python's own, NaN and infinities too; refuse what is none."""
    number = plain_number(value)
    if number is None:
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    return number


def check_int(what: str, value: Any) -> int:
    """Return a whole number as Python's own; refuse what is none, such as 1.0 or a flag."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} must be int, not {type(value).__name__}")
    return int(value.__index__())


def check_between(what: str, value: Any, low: float, high: float) -> float:
    """Return a number between two others, both included.

    >>> check_between("weight", 3, 0.0, 0.5)
    Traceback (most recent call last):
        ...
    byheart.errors.InvalidArgument: weight: is 3; it must lie between 0 and 0.5
    """
    number = check_number(what, value)
    if not low <= number <= high:  # NaN fails here too
        raise InvalidArgument(f"{what}: is {shortly(value)}; it must lie between {low:.12g} and {high:.12g}")
    return number


def check_share(what: str, value: Any) -> float | None:
    """Return a number between 0 and 1; None without one."""
    return None if value is None else check_between(what, value, 0.0, 1.0)


def check_nonnegative(what: str, value: Any) -> float:
    """Return a finite number of at least 0."""
    number = check_number(what, value)
    if not 0.0 <= number <= 1e300:  # NaN fails here too
        raise InvalidArgument(f"{what}: is {shortly(value)}; it must be finite and at least 0")
    return number


def check_finite(what: str, value: Any) -> float | None:
    """Return a finite number; None without one."""
    if value is None:
        return None
    number = check_number(what, value)
    if not abs(number) < 1e300:  # NaN fails here too
        raise InvalidArgument(f"{what}: is {shortly(value)}; give a finite number")
    return number


def check_whole(what: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number in a range."""
    number = check_int(what, value)
    if number < least or (most is not None and number > most):
        wanted = f"be at least {least}" if most is None else f"lie between {least} and {most}"
        raise InvalidArgument(f"{what}: is {shortly(value)}; it must {wanted}")
    return number


def check_at_least_one(what: str, value: Any) -> int:
    """Return a setting that counts something, such as threads: a whole number from 1 on."""
    return check_whole(what, value, 1)


def check_k(k: Any) -> int:
    """Return a number of results, 1 to 100,000."""
    number = check_int("k", k)
    if number < 1:
        raise InvalidArgument(f"k: is {shortly(number)}; ask for at least 1 result")
    if number > MAX_K:
        raise LimitExceeded(f"k: {shortly(number)} is over the limit of {MAX_K}")
    return number


def check_deadline(seconds: Any) -> float | None:
    """Return a number of seconds from now, at least 0; None for no deadline."""
    if seconds is None:
        return None
    number = plain_number(seconds)
    if number is None:
        raise TypeError(f"deadline must be a number of seconds, not {type(seconds).__name__}")
    if not 0.0 <= number < 1e9:
        raise InvalidArgument(f"deadline: is {shortly(seconds)}; give seconds from now, at least 0")
    return float(number)
