"""A preference: what tells of two texts that the one answers a question rather than the other, and where to look."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Rather(NamedTuple):
    """Whether the first of two texts answers a question rather than the second, for all that they say.

    Attributes:
        is_one: whether a text may be one of the two at all, a quick look: where none is, no pair need be looked at.
        holds: whether it does.

    """

    is_one: Callable[[str], bool]
    holds: Callable[[str, str], bool]
