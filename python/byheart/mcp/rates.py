"""The rate of calls: how many a process answers in a time, and when it answers again."""
# docs/sources.md: B1.18.5.

from __future__ import annotations

import math
import re
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import InvalidArgument
from .failures import Refused

_FORM = re.compile(r"([0-9]{1,7})/([0-9]{1,5})")
MOST_CALLS = 1_000_000


@dataclass(frozen=True, slots=True)
class Rate:
    """How many calls are answered in any so many seconds."""

    calls: int = 1_000
    seconds: int = 10

    def __post_init__(self) -> None:
        """Refuse what would answer nobody."""
        if not (1 <= self.calls <= MOST_CALLS and self.seconds >= 1):
            raise InvalidArgument(f"rate: give 1 to {MOST_CALLS} calls and at least a second, or 0 for any number")

    @classmethod
    def parse(cls, text: str) -> Rate | None:
        """Return the rate that a text says; None for "0", which is any number of calls.

        Raises:
            InvalidArgument: it is neither.

        >>> Rate.parse("1000/10"), Rate.parse("0")
        (Rate(calls=1000, seconds=10), None)

        """
        if text == "0":
            return None
        found = _FORM.fullmatch(text)
        if found is None:
            raise InvalidArgument(f"rate: is {text[:40]!r}; write CALLS/SECONDS, such as 1000/10, or 0 for any number")
        return cls(int(found[1]), int(found[2]))


class Limiter:
    """Counts the calls of a process; of those that it refuses none is counted.

    Args:
        rate: how many are answered.
        clock: gives seconds that never go back.

    >>> limiter = Limiter(Rate(1, 10), clock=lambda: 0.0)
    >>> limiter.take()
    >>> limiter.take()
    Traceback (most recent call last):
        ...
    byheart.mcp.failures.Refused: more than 1 calls in 10 s; call again in 10 s

    """

    def __init__(self, rate: Rate, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate, self._clock = rate, clock
        self._taken: deque[float] = deque()
        self._lock = threading.Lock()

    def take(self) -> None:
        """Count a call.

        Raises:
            Refused: it is one too many; the details say when to call again, by the names that headers have.

        """
        calls, seconds = self.rate.calls, self.rate.seconds
        with self._lock:
            now = self._clock()
            while self._taken and now - self._taken[0] >= seconds:
                self._taken.popleft()
            if len(self._taken) < calls:
                self._taken.append(now)
                return
            next_one, all_of_them = (max(1, math.ceil(at + seconds - now)) for at in (self._taken[0], self._taken[-1]))
        details = {
            "Retry-After": next_one, "X-RateLimit-Limit": calls, "X-RateLimit-Remaining": 0,
            "X-RateLimit-Reset": all_of_them,
        }  # fmt: skip
        raise Refused("RATE_LIMIT", f"more than {calls} calls in {seconds} s; call again in {next_one} s", **details)
