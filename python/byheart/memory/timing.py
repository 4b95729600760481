"""Calls with a limit of time: each in a thread that is kept for the next one, and left alone where it is late."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Timed:
    """Runs calls of others, and waits no longer than it is told.

    >>> Timed().run(lambda: 4, 1.0)
    4
    """

    def __init__(self) -> None:
        """Start no thread yet."""
        self._idle: list[SimpleQueue[Any]] = []

    def run(self, make: Callable[[], T], seconds: float) -> T:
        """Return what a call gives, or raise what it raises.

        Raises:
            TimeoutError: it takes longer; it goes on, and what it gives is thrown away.

        """
        from queue import Empty

        tasks = self._worker()
        answers: SimpleQueue[tuple[bool, Any]] = SimpleQueue()
        tasks.put((make, answers))
        try:
            done, given = answers.get(timeout=seconds)
        except Empty:
            tasks.put(None)  # it ends once the call has come back
            raise TimeoutError(f"no answer within {seconds:g} s") from None
        self._idle.append(tasks)
        if done:
            made: T = given
            return made
        raise given

    def _worker(self) -> SimpleQueue[Any]:
        try:
            return self._idle.pop()
        except IndexError:
            tasks: SimpleQueue[Any] = SimpleQueue()
            Thread(target=_work, args=(tasks,), name="byheart-timed", daemon=True).start()
            return tasks


def _work(tasks: SimpleQueue[Any]) -> None:
    while (task := tasks.get()) is not None:
        make, answers = task
        try:
            answers.put((True, make()))
        except BaseException as error:  # handed to whoever waits
            answers.put((False, error))
        del task, make, answers
