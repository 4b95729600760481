"""A deterministic scheduler: several calls, each in a thread of its own, of which one goes on at a time.

A thread stops before each call of its store, before and after it takes a lock of a file, inside a transaction, and
where an embedder or a summariser is asked; whoever is chosen goes on to its next stop. A lock that another one holds
is a stop, too: the thread tries again once somebody has moved. If nobody can move, that is a deadlock, and said so.

The same choices give the same run, so that a run that went wrong can be repeated.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, Final
from unittest.mock import patch

from byheart.embedding import HashingEmbedder
from byheart.index.partition import Partition
from byheart.storage import InProcessStore, Store, in_process, locking
from byheart.storage.place import Place
from byheart.writing.group import Group, Ticket

PATIENCE: Final = 60.0  # seconds, for what takes milliseconds: a lock that the scheduler does not know of
Choose = Callable[[Sequence[int], Sequence[int]], int]
"""Chooses who goes on: of those that can, given how many stops each thread has made."""

_CALLS: Final = (
    "load", "get", "write", "write_if", "write_each", "sequence", "changes", "keys", "get_as_of", "model", "adopt",
    "vectors", "check", "repair", "witness", "bears_out",
)  # fmt: skip
_own = threading.local()


class Deadlock(AssertionError):
    """Every thread waits for another one."""


class _Thread:
    """One of the threads: whether it can go on, and how often it has tried what it waits for."""

    def __init__(self, number: int) -> None:
        self.number, self.go = number, threading.Semaphore(0)
        self.done = self.waits = False
        self.tries = 0
        self.raised: BaseException | None = None


class Abandoned(BaseException):
    """Ends a thread whose run is over."""


class Scheduler:
    """Runs acts side by side.

    Args:
        choose: who goes on.

    Attributes:
        trace: who went on, and where each one stopped then.

    """

    def __init__(self, choose: Choose) -> None:
        self._choose, self._threads = choose, list[_Thread]()
        self._back = threading.Semaphore(0)
        self._over = False
        self.trace: list[tuple[int, str]] = []

    def run(self, acts: Sequence[Callable[[], object]]) -> None:
        """Run all to their ends; raise what one of them raises.

        Raises:
            Deadlock: none can go on.

        """
        self._threads = [_Thread(number) for number in range(len(acts))]
        running = [
            threading.Thread(target=self._run, args=pair, daemon=True) for pair in zip(self._threads, acts, strict=True)
        ]
        for thread in running:
            thread.start()
        try:
            self._let_go(len(acts))
        finally:
            self._end(running)
        for thread in self._threads:
            if thread.raised is not None:
                raise thread.raised

    def _let_go(self, count: int) -> None:
        stops = [0] * count
        while not all(thread.done for thread in self._threads):
            able = [thread.number for thread in self._threads if not thread.done and not thread.waits]
            if not able:
                raise Deadlock(f"all wait: {self.trace[-12:]}")
            chosen = self._threads[self._choose(able, stops)]
            stops[chosen.number] += 1
            chosen.go.release()
            if not self._back.acquire(timeout=PATIENCE):
                raise Deadlock(f"thread {chosen.number} did not come back: {self.trace[-12:]}")
            if not chosen.waits or chosen.tries == 1:  # on its way to what it waits for now it may have let go of locks
                for thread in self._threads:
                    thread.waits = thread is chosen and chosen.waits

    def _end(self, running: Sequence[threading.Thread]) -> None:
        """Have the threads end that are still halted: a lock that one of them holds would stop every later fork."""
        self._over = True
        for thread in self._threads:
            if not thread.done:
                thread.go.release()
        for each in running:
            each.join(PATIENCE)

    def _run(self, own: _Thread, act: Callable[[], object]) -> None:
        _own.thread, _own.scheduler = own, self
        own.go.acquire()
        try:
            if not self._over:
                act()
        except BaseException as error:
            own.raised = error
        finally:
            self.trace.append((own.number, "end"))
            own.done, own.waits = True, False
            self._back.release()

    def halt(self, own: _Thread, where: str, *, waits: bool = False) -> None:
        """Give the turn back, and go on when it comes again."""
        if self._over:
            raise Abandoned
        self.trace.append((own.number, where))
        own.waits = waits
        self._back.release()
        own.go.acquire()
        if self._over:
            raise Abandoned


def stop(where: str) -> None:
    """Stop, if this is one of a scheduler's threads."""
    thread = getattr(_own, "thread", None)
    if thread is not None and not thread.done:
        thread.tries = 0
        _own.scheduler.halt(thread, where)


def wait(where: str) -> bool:
    """Wait until another thread has moved, and return whether this is one of a scheduler's."""
    thread = getattr(_own, "thread", None)
    if thread is None or thread.done:
        return False
    thread.tries += 1
    _own.scheduler.halt(thread, where, waits=True)
    return True


class Lock:
    """A reentrant lock whose holder may be stopped: others wait at the scheduler and not at the system."""

    def __init__(self) -> None:
        self._holder: int | None = None
        self._depth = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        own = threading.get_ident()
        while self._holder not in (None, own):
            if not blocking or not wait("a lock of this process"):
                assert not blocking, "only a scheduler's threads share this lock"
                return False
        self._holder, self._depth = own, self._depth + 1
        if (thread := getattr(_own, "thread", None)) is not None:
            thread.tries = 0
        return True

    def release(self) -> None:
        assert self._is_owned()
        self._depth -= 1
        if not self._depth:
            self._holder = None

    def _is_owned(self) -> bool:
        return self._holder == threading.get_ident()

    def _release_save(self) -> int:
        assert self._is_owned()
        depth, self._depth, self._holder = self._depth, 0, None
        return depth

    def _acquire_restore(self, depth: int) -> None:
        self.acquire()
        self._depth = depth

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *_: object) -> None:
        self.release()


def stops_at_calls(store: Store) -> None:
    """Have the threads of a scheduler stop before each call of a store."""

    def stopping(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any, **named: Any) -> Any:
            stop(name)
            return call(*given, **named)

        return called

    stopped = [name for name in _CALLS if hasattr(store, name)]
    assert "write_if" in stopped
    for name in stopped:
        setattr(store, name, stopping(name, getattr(store, name)))
    if isinstance(store, InProcessStore):
        store._turn = Lock()  # type: ignore[assignment]


class StoppingEmbedder(HashingEmbedder):
    """An embedder that a thread stops at: it is asked without a lock, and others may act meanwhile."""

    def embed_documents(self, texts: Sequence[str]) -> Any:
        stop("the embedder")
        return super().embed_documents(texts)


@contextmanager
def stopping(now: float) -> Iterator[None]:
    """Have time stand still, and threads of a scheduler stop at locks and inside transactions, for a `with` block."""
    try_lock, note, holds, leave = locking._try_lock, Place.note, in_process.holds, Group._leave
    sections = Partition.sections

    def tried(descriptor: int) -> bool:
        stop("before a file's lock")
        while not try_lock(descriptor):
            if not wait("a file's lock"):
                return False
        stop("holding a file's lock")
        return True

    def noted(place: Place) -> None:
        note(place)
        stop("inside a transaction")

    def held(*given: Any) -> bool:
        found = holds(*given)
        stop("between look and write")
        return found

    def woken(group: Group, ticket: Ticket) -> None:
        while not ticket.woken.acquire(blocking=False):
            assert wait("another's commit"), "only a scheduler's threads share a handle"

    def sectioned(partition: Partition, **how: bool) -> Iterator[tuple[str, bytes]]:
        stop("before a tenant's sections")
        yield from sections(partition, **how)

    def left(group: Group, ticket: Ticket) -> None:
        leave(group, ticket)
        stop("after a commit")

    def slept(seconds: float) -> None:
        if not wait("another's transaction"):
            time.sleep(seconds)

    clock = SimpleNamespace(monotonic=time.monotonic, sleep=slept)
    with (
        patch("byheart.storage.locking._try_lock", tried),
        patch("byheart.storage.connection.time", clock),
        patch("byheart.storage.in_process.holds", held),
        patch.object(Place, "note", noted),
        patch.object(Partition, "sections", sectioned),
        patch.object(Group, "_wait", woken),
        patch.object(Group, "_leave", left),
        patch.object(Group, "_gather", lambda group: stop("before a commit for all that wait")),
        patch("time.time", lambda: now),
    ):
        yield
