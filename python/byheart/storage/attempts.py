"""Attempts: how often a call that others came before begins again, and what it says in the end.

A verb that writes reads, computes, and writes only if what it read still stands; one that reads wants all of one
moment. Where others were quicker it begins again, and each attempt that fails is one that another has won. Beside
others who write without a pause a slow one may lose many in a row, so that it gives up only after many of them and
after a while; both are the same for all verbs.
"""

import time
from collections.abc import Iterator
from typing import Final

from ..errors import StoreBusy

TRIES: Final = 64
SECONDS: Final = 10.0  # as long as one waits for a lock


def attempts(to_do: str) -> Iterator[int]:
    """Give the number of each attempt, from 0; the caller leaves the loop when one has succeeded.

    Raises:
        StoreBusy: there were `TRIES` of them, and they took `SECONDS`.

    >>> next(attempts("keep a turn"))
    0

    """
    number, since = 0, time.monotonic() if TRIES else float("-inf")
    while number < TRIES or time.monotonic() - since < SECONDS:
        yield number
        number += 1
    raise StoreBusy(f"others wrote to the store during each of {number} attempts to {to_do}; try again")
