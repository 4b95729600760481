"""Threads in the middle of a write: a handler of signals that writes as well is refused, and waits for none.

Python runs such a handler in the main thread, between two steps of what it interrupts. What that holds it would wait
for, and what is half done it would see; it cannot be let go on first.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ..errors import StoreBusy

_REFUSED: Final = (
    "this thread is in the middle of a write to this memory, which a signal's handler has interrupted; within it the"
    " handler can neither write nor close, and nothing of that was done: have it set a flag, and do so once the call"
    " has returned"
)


class Amid:
    """The threads that are writing to one memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self._threads, self._process = set[int](), os.getpid()

    def check(self) -> None:
        """Refuse to begin a write within another one of the same thread, or to close what it writes to.

        Raises:
            StoreBusy: it is in the middle of one.

        """
        if threading.get_ident() not in self._threads:
            return
        if self._process == os.getpid():
            raise StoreBusy(_REFUSED)
        self._threads, self._process = set(), os.getpid()  # the threads that were writing are the parent's

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Note that this thread writes, for the length of a `with` block. Errors as in `check`."""
        self.check()
        own, threads = threading.get_ident(), self._threads
        try:
            threads.add(own)
            yield
        finally:
            threads.discard(own)
