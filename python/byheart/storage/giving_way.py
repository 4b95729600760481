"""The courtesy of a lock that is asked for again and again: whoever comes lets those try first who wait already.

A process that writes without a pause lets go of its lock for a moment only, which others who look every few
milliseconds would hardly ever meet: they waited for seconds, and in the end were told that the store is busy. So
whoever waits says so, by the time that the lock file bears, and who comes later gives way once, until the other has
looked again.
"""

import os
import time
from contextlib import suppress
from typing import Final

POLL_SECONDS: Final = 0.004
"""How long who waits sleeps between two looks."""
_RECENT: Final = 100_000_000  # nanoseconds since somebody said that he waits; by then he has gone, or was given up
_MOST: Final = 5  # polls for which who comes gives way
_NOBODY: Final = (0, 0)
_CAN: Final = os.utime in os.supports_fd  # elsewhere nobody gives way


def say_waiting(descriptor: int) -> None:
    """Say in a lock file that somebody waits for it."""
    if _CAN:
        with suppress(OSError):
            os.utime(descriptor)


def give_way(descriptor: int) -> None:
    """Wait until who said that he waits has said so again, or holds the lock; not long, since he may be gone."""
    said = _said(descriptor)
    for _ in range(_MOST if said is not None else 0):
        time.sleep(POLL_SECONDS)
        if _said(descriptor) != said:
            break


def say_held(descriptor: int) -> None:
    """Say that nobody waits: who holds the lock does, and who waits says so again."""
    if _CAN and os.fstat(descriptor).st_mtime_ns:
        with suppress(OSError):
            os.utime(descriptor, ns=_NOBODY)


def _said(descriptor: int) -> int | None:
    """Return when somebody said that he waits; None if that is long ago."""
    at = os.fstat(descriptor).st_mtime_ns
    return at if _CAN and at > 0 and time.time_ns() - at < _RECENT else None
