"""The delay of a store's commits: several calls that have returned share one, which begins some milliseconds later.

While calls wait, their store has its file locked: nobody else writes between what they looked at and the medium, and
what they were told stays true. Only a crash or a disk that refuses can take them, all of one commit together. The
first is what the delay is chosen for, the second is told by the next call.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from copy import copy
from functools import partial
from typing import Final, Literal, Protocol, TypeAlias, get_args

from ..errors import ByheartError, StoreBusy, StoreError
from ..records import Record
from ..validation import check_one_of
from .protocol import Write, key_of

Durability: TypeAlias = Literal["full", "normal"]
"""When a call that writes returns: once it is on the medium, or at most 50 ms before its flush begins."""

_SECONDS: Final = 0.03  # and one more call of `_MOST` records, and a thread that wakes late: together below 0.05
_GAP: Final = 0.002  # for which the file is free after a commit, so that other processes have their turn
_MOST: Final = 256  # records of one call; what writes more waits for the medium, which is little beside the rest
_MARKS: Final = (
    "importance", "confidence", "utility", "quality", "authority", "decay_rate", "access_count", "updated_at",
    "accessed_at", "archived_by", "valid_to", "superseded_by", "superseded_at", "supersedes", "seen_count", "seen_at",
    "near_duplicates", "recency_anchor", "decayed_at",
)  # fmt: skip


def check_durability(durability: object) -> None:
    """Refuse a word that is none of the two.

    >>> check_durability("fast")
    Traceback (most recent call last):
        ...
    byheart.errors.InvalidArgument: durability: 'fast' is unknown; use one of full, normal

    """
    check_one_of("durability", durability, get_args(Durability))


def can_wait(writes: Sequence[Write]) -> bool:
    """Return whether writes may be committed later: they are few records, and take nothing away that was said.

    What is removed or replaced has to be gone when the call returns. Where a record takes the place of one that says
    the same, and only counts and marks differ, nothing is.
    """
    if sum(len(write.put) for write in writes) > _MOST:
        return False
    return not any(write.remove or _replaces(write) for write in writes)


def _replaces(write: Write) -> bool:
    new, before = set(write.absent), {key_of(record): record for record in write.expected}
    return any(
        key not in new and (key not in before or not _says_the_same(before[key], record))
        for key, record in ((key_of(record), record) for record in write.put)
    )


def _says_the_same(old: Record, record: Record) -> bool:
    return old.completed(**{name: getattr(record, name) for name in _MARKS}) == record


class Owner(Protocol):
    """What a delay asks of its store."""

    def turn(self) -> AbstractContextManager[None]:
        """Keep others of this process from writing and reading."""

    def commit_waiting(self) -> None:
        """Make durable what waits, or see that it is so already; the turn is held.

        A `StoreError` says that it failed for good; other errors are for `patiently`.
        """

    def undo_waiting(self) -> None:
        """Go back to what the file holds, after that."""

    def patiently(self, run: Callable[[], None]) -> None:
        """Run something until nobody else is in the way, for as long as a call waits."""


class Delay:
    """The calls of one store that have returned and are not on the medium yet.

    Args:
        owner: the store; it outlives what waits, and not more.

    Attributes:
        open: whether the file is locked for calls that wait.
        calls: how many wait.
        undone: how often calls that had returned were undone; who holds what they said has to look again.

    """

    def __init__(self, owner: Owner) -> None:
        self._owner = weakref.ref(owner)
        self.undone = 0
        self.reset()
        _DELAYS.add(self)

    def reset(self) -> None:
        """Begin anew, with nothing that waits: in a child, what the parent had is the parent's."""
        self.open, self.calls = False, 0
        self._due = self._free = 0.0
        self._mutex, self._thread = threading.Lock(), None
        self._failure: StoreError | None = None
        self._told = True

    _thread: threading.Thread | None

    @property
    def overdue(self) -> bool:
        """Whether what waits has waited long enough."""
        return self.open and time.monotonic() >= self._due

    def pause(self) -> float:
        """Return the seconds for which the file is still left to others."""
        return self._free - time.monotonic()

    def begin(self) -> None:
        """Have what is acknowledged from now on committed in time; the caller has the turn, and the file is locked."""
        _commit_at_the_end_of_a_child()
        self._due = time.monotonic() + _SECONDS
        self.open = True
        with self._mutex:
            if self._thread is not None:
                return
            thread = self._thread = threading.Thread(
                target=self._run, args=(self._owner(),), name="byheart-commit", daemon=True
            )
            try:
                thread.start()
            except RuntimeError:  # the interpreter is ending and starts none: who writes commits
                self._due = 0.0
            finally:
                if thread.ident is None:
                    self._thread = None

    def acknowledge(self) -> None:
        """Count a call that returns now; where no thread can be had, it is committed. The caller has the turn."""
        self.calls += 1
        if self._thread is None:
            self.settle()

    def commit(self) -> None:
        """Commit what waits.

        Raises:
            StoreBusy: others were in the way all the time; what waits is tried again.
            StoreError: it could not be written, and is undone; `tell` says so, too.

        """
        owner = self._owner()
        if self.open and owner is not None:
            owner.patiently(partial(self._once, owner))

    def _once(self, owner: Owner) -> None:
        with owner.turn():
            if not self.open:
                return
            try:
                owner.commit_waiting()
            except StoreError as error:
                raise self._failed(owner, error) from error
            self.close()

    def settle(self) -> None:
        """Commit what waits, for a call that is told of what fails. Errors as in `commit`."""
        try:
            self.commit()
        except StoreError:
            self._told = True
            raise

    def flush(self) -> None:
        """Commit what waits; and raise what an earlier commit failed of, if nobody asked for that yet.

        Errors as in `commit`.
        """
        with suppress(StoreError):  # which is noted
            self.commit()
        failure, self._failure, self._told = self._failure, None, True
        if failure is not None:
            raise failure

    def finish(self) -> None:
        """Commit what waits for the last time: what cannot be written now is undone. Errors as in `commit`."""
        self.leave()
        self.tell()

    def leave(self) -> None:
        """Commit what waits, or undo it: before a fork, or at the end, nothing may be left. `tell` says what failed."""
        owner = self._owner()
        try:
            self.commit()
        except StoreBusy as error:
            if owner is not None:
                with owner.turn():
                    self._failed(owner, error)
        except StoreError:  # which is noted
            pass

    def tell(self) -> None:
        """Raise what a commit failed of whose calls had returned, once.

        Raises:
            StoreError: these calls are undone.

        """
        if not self._told:
            self._told = True
            if self._failure is not None:
                raise copy(self._failure)

    def _failed(self, owner: Owner, error: ByheartError) -> ByheartError:
        """Go back to what the file holds, and return what to say, which is noted."""
        owner.undo_waiting()
        calls, self.undone = self.calls, self.undone + 1
        self.close()
        if not calls:
            return error
        said = f"{calls} calls that had returned" if calls > 1 else "a call that had returned"
        self._failure = StoreError(f"{error}; {said} within the last moments could not be made durable, read again")
        self._told = False
        return self._failure

    def close(self) -> None:
        """Note that nothing waits any more; the caller has the turn."""
        self.calls, self._free = 0, time.monotonic() + _GAP
        self.open = False

    def _run(self, owner: Owner) -> None:
        """Commit in time, until nothing waits any more; meanwhile the owner is there."""
        while True:
            with self._mutex:
                if not self.open:
                    self._thread = None
                    return
            time.sleep(max(self._due - time.monotonic(), 0.0))
            if self.overdue:
                try:
                    self.commit()
                except ByheartError:  # the next call is told, or it is tried again
                    time.sleep(_GAP)


class Delayed:
    """A store whose calls may return before they are on the medium: what it tells of these."""

    _delay: Delay
    durability: Durability

    def delays(self, write: Write) -> bool:
        """Return whether a write would be acknowledged first, and committed a moment later."""
        return self.durability == "normal" and can_wait([write])

    def flush(self) -> None:
        """Return once all that was acknowledged is on the medium; with durability "full" it is so already.

        Raises:
            StoreError: it could not be written, and is undone; also of an earlier time, if nobody asked yet.
            StoreBusy: other processes were in the way all the time; it is tried again.

        """
        self._delay.flush()

    def settle(self) -> None:
        """Do what `flush` does, for somebody who is not the one to be told of earlier times."""
        self._delay.commit()

    def tell(self) -> None:
        """Raise what became of calls that had been acknowledged and could not be written, once.

        Raises:
            StoreError: they are undone.

        """
        self._delay.tell()

    def undone(self) -> int:
        """Return how often that happened."""
        return self._delay.undone


_DELAYS: weakref.WeakSet[Delay] = weakref.WeakSet()


def _at_exit() -> None:
    """Commit what waits in any store; what fails is said on the standard error as errors at the end are."""
    failures = []
    for delay in list(_DELAYS):
        try:
            delay.commit()
        except ByheartError as error:
            failures.append(error)
    for failure in failures:
        raise failure


atexit.register(_at_exit)
_in_process = 0


def _commit_at_the_end_of_a_child() -> None:
    """Commit what waits at the end of a child of multiprocessing, too: it ends without what is registered above."""
    global _in_process
    util = sys.modules.get("multiprocessing.util")
    if util is not None and _in_process != os.getpid():
        _in_process = os.getpid()
        util.Finalize(None, _at_exit, exitpriority=0)


def _after_fork() -> None:
    """Have a child begin with nothing that waits, and a lock that no thread of its parent has."""
    for delay in list(_DELAYS):
        delay.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
