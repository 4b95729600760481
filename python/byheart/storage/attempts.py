"""Attempts: how often a call that others came before begins again, and what it says in the end.

A verb that writes reads, computes, and writes only if what it read still stands; one that reads wants all of one
moment. Where others were quicker it begins again, and each attempt that fails is one that another has won. The number
of attempts is one for all verbs, so that it has one meaning: so many others came first, in a row.
"""

from collections.abc import Iterator
from typing import Final

from ..errors import StoreBusy

TRIES: Final = 64


def attempts(to_do: str) -> Iterator[int]:
    """Give the number of each attempt, from 0; the caller leaves the loop when one has succeeded.

    Raises:
        StoreBusy: all of them were used up.

    >>> next(attempts("keep a turn"))
    0

    """
    yield from range(TRIES)
    raise StoreBusy(f"others wrote to the store during each of {TRIES} attempts to {to_do}; try again")
