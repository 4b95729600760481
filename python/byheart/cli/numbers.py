"""Numbers as they are typed: each kind says what it takes when it is given something else; bounds are the package's."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T", int, float)


def _kind(read: Callable[[str], T], wanted: str) -> Callable[[str], T]:
    """Return what reads a number, or says what was wanted in its place."""

    def take(typed: str) -> T:
        try:
            return read(typed)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{typed!r} is no number; give {wanted}") from None

    return take


WHOLE: Final = _kind(int, "a whole number")
COUNT: Final = _kind(int, "a whole number, at least 1")
HITS: Final = _kind(int, "a whole number from 1 to 100000")
NUMBER: Final = _kind(float, "one, such as 0.5")
AMOUNT: Final = _kind(float, "one that is at least 0")
SHARE: Final = _kind(float, "one from 0 to 1")
