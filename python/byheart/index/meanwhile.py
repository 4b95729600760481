"""Work for the time in which its caller waits for the medium, in a thread of its own that ends with it.

The result is asked for when the wait is over. What has not begun by then, since no processor was free for it, is not
done any more: whoever needs it does it himself. So nobody ever waits for a thread that has not begun.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

T = TypeVar("T")


class Meanwhile(Generic[T]):
    """A call that may be made while its caller waits; it changes nothing, and what it fails of is not told.

    >>> waiting = Meanwhile(lambda: 6 * 7)
    >>> waiting.begin()
    >>> waiting.result() in (42, None), Meanwhile(lambda: 6 * 7).result()
    (True, None)

    """

    __slots__ = ("_begun", "_done", "_made", "_work")

    def __init__(self, work: Callable[[], T]) -> None:
        self._work, self._made = work, list[T]()
        self._begun, self._done = allocate_lock(), allocate_lock()  # a `threading.Thread` takes longer than such work
        self._done.acquire()

    def begin(self) -> None:
        """Begin, where a thread can be had."""
        with suppress(RuntimeError):
            start_new_thread(self._run, ())

    def _run(self) -> None:
        if self._begun.acquire(blocking=False):
            try:
                with suppress(Exception):
                    self._made.append(self._work())
            finally:
                self._done.release()

    def result(self) -> T | None:
        """Return what came of it; None if it was not begun, or failed. It is asked once."""
        if not self._begun.acquire(blocking=False):
            self._done.acquire()
        return self._made[0] if self._made else None
