"""A rule of order: whether one of two texts answers a question rather than the other.

Of ten texts most have no part in a rule. So each is looked at once: whether it may go before another one, and whether
it may go behind. Two are compared only where one may go before, and the other behind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from ..light.classes import dataclass
from .labels import without_label

MOST_SAID: Final = 90
"""A longer text says more than one thing, and its words do not tell which of them a denial or a name is of."""

Front = TypeVar("Front")
Back = TypeVar("Back")


@dataclass(frozen=True, slots=True)
class Rather(Generic[Front, Back]):
    """Tells whether one text answers a question rather than another one.

    Attributes:
        front: returns what a text says that may go before another one; None of one that may not.
        back: returns what a text says that may go behind another one; None of one that may not.
        decides: returns whether what says the first goes before what says the second.

    """

    front: Callable[[str], Front | None]
    back: Callable[[str], Back | None]
    decides: Callable[[Front, Back], bool]

    def __call__(self, one: str, other: str) -> bool:
        """Return whether `one` answers rather than `other`, whatever label either has at its front."""
        behind = self.back(without_label(other))
        before = None if behind is None else self.front(without_label(one))
        return behind is not None and before is not None and self.decides(before, behind)
