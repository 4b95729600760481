"""The group of a process's changes that share a commit: whoever comes first commits for all that wait.

A commit costs milliseconds, which the medium takes; a change costs microseconds. So a thread that has planned a change
hands it in and lets go of the lock of the indexes. If nobody is committing it does so itself, with all that came
meanwhile, in the order in which they came; else it waits, is told what became of its change, or is the next to commit.
There is no thread of our own: nothing is left behind by a fork or at the end.

The main thread, which an interrupt may end anywhere, keeps the lock and commits nobody's changes but its own.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from typing import Any, Final

from ..errors import StoreError
from ..records import Record
from ..storage import Outcome, Write

WriteEach = Callable[[Sequence[Write]], list[Outcome]]
_LEAST, _MOST = 0.001, 0.02  # seconds to wait for the next one of those who may come...
_SHARE: Final = 8  # ...one for so many that the last commit took
_AGAIN: Final = range(100)
_INTERRUPTIBLE: Final = 0.1  # seconds after which a waiting main thread looks whether it was interrupted


class Ticket:
    """A change that was handed in: its outcome, and a lock that opens when the outcome is known or its turn has come.

    Attributes:
        write: the change.
        joins: whether it may share a commit with those before it: it looks at nothing that these may write but what
            the store itself compares.
        shares: whether its thread has let go of the lock of the indexes meanwhile, so that others may come after it.
        outcome: None until it is known.
        told: whether it leads, and its thread was told so.

    """

    __slots__ = ("joins", "outcome", "shares", "told", "woken", "write")

    def __init__(self, write: Write, *, joins: bool, shares: bool) -> None:
        self.write, self.joins, self.shares = write, joins, shares
        self.outcome: Outcome | None = None
        self.told = False
        self.woken = threading.Lock()
        self.woken.acquire()


class Group:
    """The changes of one handle that wait for a commit.

    Args:
        write_each: commits several.
        lock: gives the lock of the indexes, under which changes are planned and handed in.

    """

    def __init__(self, write_each: WriteEach, lock: Callable[[], Any]) -> None:
        self._write_each, self._lock = write_each, lock
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._mutex = threading.Lock()
        self._came = threading.Condition(self._mutex)
        self._waiting: deque[Ticket] = deque()
        self._leader: Ticket | None = None
        self._pause = _LEAST
        self._last = 1  # how many shared a commit the last time
        self._planning: set[int] = set()  # threads by their identity

    @contextmanager
    def planning(self) -> Iterator[None]:
        """Tell whoever is about to commit that a change is being planned, for the length of a `with` block."""
        if self._process != os.getpid():  # the threads that waited are the parent's
            self._begin()
        own = threading.get_ident()
        try:
            self._planning.add(own)
            yield
        finally:
            self._planning.discard(own)

    def commit(self, write: Write, *, joins: bool, shares: bool) -> bool:
        """Hand a change in, and return whether it was done once that is durable; the caller holds the lock.

        Args:
            write: the change.
            joins: see `Ticket`.
            shares: let go of the lock meanwhile, so that others plan theirs.

        """
        if self._process != os.getpid():
            self._begin()
        ticket = Ticket(write, joins=joins, shares=shares and not _is_main())
        if not ticket.shares:
            outcome = self._outcome(ticket)
        else:
            lock = self._lock()
            depth = lock._release_save()
            try:
                outcome = self._outcome(ticket)
            finally:
                lock._acquire_restore(depth)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def puts(self, seen: Callable[[Record], bool]) -> bool:
        """Return whether a change that waits puts a record that would be seen; the caller holds the lock."""
        with self._mutex:
            waiting = list(self._waiting)
        return any(seen(record) for ticket in waiting for record in ticket.write.put)

    def drain(self) -> None:
        """Wait until all that was handed in is committed; the caller holds the lock, so that nothing more comes."""
        if self._leader is not None:
            self.commit(Write(), joins=True, shares=False)

    def _outcome(self, ticket: Ticket) -> Outcome:
        try:
            with self._mutex:
                self._waiting.append(ticket)
                self._planning.discard(threading.get_ident())
                if self._leader is None:
                    self._leader, ticket.told = ticket, True
                self._came.notify()
            if self._leader is not ticket:
                self._wait(ticket)
            if ticket.outcome is None:
                self._lead(ticket)
        finally:
            broken: BaseException | None = None
            for _ in _AGAIN:  # an interrupt may come here as well, and whoever stayed would be waited for for ever
                try:
                    self._leave(ticket)
                    break
                except BaseException as error:
                    broken = error
            if broken is not None:
                raise broken
        assert ticket.outcome is not None, "who leads learns what became of it"
        return ticket.outcome

    def _wait(self, ticket: Ticket) -> None:
        """Wait until it is known what became of a change, or its turn to commit has come.

        An interrupt that comes just before a thread sleeps, or that another thread is given, does not wake it.
        """
        while not ticket.woken.acquire(timeout=_INTERRUPTIBLE if _is_main() else -1):
            pass

    def _gather(self) -> None:
        """Let those hand in their changes first who are planning, or did so last time, as long as they come quickly."""
        with self._mutex:
            while (self._planning or len(self._waiting) < self._last) and self._waiting[-1].shares:
                there = len(self._waiting)
                self._came.wait(self._pause)
                if len(self._waiting) == there:
                    break

    def _lead(self, ticket: Ticket) -> None:
        """Commit what waits, and tell everybody what became of it."""
        alone = _is_main()
        if not alone:
            self._gather()
        with self._mutex:
            batch = [self._waiting.popleft()]
            while not alone and self._waiting and self._waiting[0].joins:
                batch.append(self._waiting.popleft())
            self._last = len(batch)
        began = time.monotonic()
        outcomes: list[Outcome] = [
            StoreError("the commit was broken off: a change is whole or not there") for _ in batch
        ]
        try:
            outcomes = self._write_each([each.write for each in batch])
        except Exception as error:
            outcomes = [error] if len(batch) == 1 else [copy(error) for _ in batch]  # each is raised somewhere else
        finally:
            self._pause = min(max((time.monotonic() - began) / _SHARE, _LEAST), _MOST)
            for each, outcome in zip(batch, outcomes, strict=True):
                each.outcome = outcome
                if each is not ticket:
                    each.woken.release()

    def _leave(self, ticket: Ticket) -> None:
        """Have nobody wait for a thread that goes: its change is not handed in any more, and somebody else leads.

        Broken off anywhere, it can be done again.
        """
        with self._mutex:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            if self._leader is ticket:
                self._leader = self._waiting[0] if self._waiting else None
            ahead = self._leader
            if ahead is not None and not ahead.told:
                with suppress(RuntimeError):  # it was woken before this was broken off
                    ahead.woken.release()
                ahead.told = True


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
