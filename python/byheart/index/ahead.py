"""Work that a thread does while its caller reads on: the core and SQLite both let go of the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Ahead(Generic[T]):
    """A call that has begun; its caller asks for the result when he needs it.

    >>> begun = Ahead(lambda: 6 * 7)
    >>> begun.result()
    42

    """

    def __init__(self, work: Callable[[], T]) -> None:
        """Begin, or do all of it now where there are no threads."""
        self._work = work
        self._done: list[T] = []
        self._failed: BaseException | None = None
        self._thread = Thread(target=self._run, name="byheart-ahead", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._run()

    def _run(self) -> None:
        try:
            self._done.append(self._work())
        except BaseException as error:
            self._failed = error

    def result(self) -> T:
        """Return what came of it, or raise what went wrong."""
        if self._thread.ident is not None:
            self._thread.join()
        if self._failed is not None:
            raise self._failed
        return self._done[0]
