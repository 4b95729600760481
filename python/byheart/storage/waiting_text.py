"""The calls of a text store that have returned and wait for one writing of its file, which is locked meanwhile.

What they put is read from then on as if it were in the file. When the writing begins is the delay's to say
(`byheart.storage.delay`).
"""

import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import Lock, RLock

from ..errors import CorruptRecord, StoreBusy, StoreError, UnsupportedFormat
from . import Write
from .delay import Delay
from .forks import STORES, at_fork
from .lines import Lines
from .text import Encoded, Text, encoded
from .text_file import told


class WaitingText:
    """The calls of one store that wait, as their delay's owner.

    Args:
        text: what is known of the file, which is ahead of it while something waits.

    Attributes:
        delay: of the writing.

    """

    def __init__(self, text: Text) -> None:
        self._text = text
        self._locks: ExitStack | None = None  # hold the file for what waits to be written to it
        self._before = Lines()  # what the file holds meanwhile
        self._tried: Lines | None = None  # what it holds if the end of its writing was broken off
        self._amid = False  # whether more is being added to that
        self._gate = RLock()  # of those who do so; taken before the turn
        self.delay = Delay(self)
        _OPEN.add(self)

    def acknowledged(self, writes: Sequence[Write], lock_seconds: float) -> list[bool]:
        """Write all that stand, a moment later, and return whether each did.

        Args:
            writes: to be done, in this order.
            lock_seconds: how long to wait for another process that is writing.

        """
        lines = encoded(writes)
        with self.turn():
            try:
                self._begin(lock_seconds)
                done = self._added(writes, lines)
                for _ in filter(None, done):
                    self.delay.acknowledge()
            finally:
                if not self.delay.calls and self._locks is not None:
                    self._end_unless_added()
        return done

    def _added(self, writes: Sequence[Write], lines: Sequence[Encoded]) -> list[bool]:
        """Add all that stand to what waits, and return whether each did."""
        text = self._text
        self._amid = True
        try:
            done, made, changed = text.made(writes, lines)
            if any(done):
                before = text.lines
                try:
                    text.lines = made
                    text.note(before, changed)
                except BaseException:
                    text.log.note_all()
                    raise
        finally:
            self._amid = False
        return done

    def _begin(self, lock_seconds: float) -> None:
        """Lock the file for what is to wait, unless it is so already; the caller has the turn."""
        if self.delay.overdue:
            self.delay.settle()
        if self._locks is not None:
            return
        time.sleep(max(self.delay.pause(), 0.0))  # other processes have their turn
        text = self._text
        with ExitStack() as locks:
            locks.enter_context(text.file.locked(lock_seconds))
            text.look()
            self._before, self._locks, text.ahead = text.lines, locks.pop_all(), True
        self.delay.begin()

    def _end_unless_added(self) -> None:
        """Have nobody wait where nothing waits to be written; but what was broken off once it was added does."""
        if self._text.lines is self._before:
            self._end()
            self.delay.close()
        else:
            self.delay.begin()
            self.delay.acknowledge()

    def _end(self) -> None:
        """Let others write again."""
        locks, self._locks, self._text.ahead, self._tried = self._locks, None, False, None
        if locks is not None:
            locks.close()

    # ---- what the delay asks of its owner

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Keep other threads of this process from writing (`byheart.storage.delay.Owner`)."""
        with self._gate, self._text.turn:
            if self._amid:
                raise StoreBusy(
                    f"{self._text.file.path}: this thread is writing already; a signal's handler cannot write as well"
                )
            yield

    def patiently(self, run: Callable[[], None]) -> None:
        """Run something at once: the lock is held already."""
        run()

    def commit_waiting(self) -> None:
        """Write the file with all that waits; the caller has the turn.

        Raises:
            StoreError: it cannot be written, or another program has changed it without asking for the lock.

        """
        file, made = self._text.file, self._text.lines
        try:
            with told(file.path):
                if file.now() != file.seen and not self._is_written(made):
                    raise StoreError(f"{file.path}: another program has changed it, and did not ask for its lock")
                before = self._before
                if file.seen is None or made.lines != before.lines or made.damage() != before.damage():
                    self._tried = made
                    file.replace(made)
        except StoreBusy as error:  # it was not there, and has come to be
            raise StoreError(str(error)) from error
        self._end()

    def _is_written(self, made: Lines) -> bool:
        """Return whether the file is as it was left: where only the end of its writing was broken off, it holds more.

        That is what was written then, be it these lines or what waited before more was added.
        """
        file = self._text.file
        try:
            found, seen = file.read()
        except (CorruptRecord, UnsupportedFormat):  # it is no memory file any more
            return False
        for known in (made, self._tried):
            if known is not None and (found.lines, found.damage()) == (known.lines, known.damage()):
                file.seen, self._before = seen, known
                break
        return file.seen == seen

    def undo_waiting(self) -> None:
        """Know nothing of what waited: the file says what is so; the caller has the turn."""
        self._text.lines, self._text.unsure = self._before, True
        self._end()


_OPEN: weakref.WeakSet[WaitingText] = weakref.WeakSet()
_FORKING: list[WaitingText] = []
_REGISTER = Lock()  # for that


def _before_fork() -> None:
    """Write what waits, and let no more of it come: no child inherits the lock that is held for it."""
    _REGISTER.acquire()
    for waiting in sorted(_OPEN, key=id):
        waiting._gate.acquire()
        _FORKING.append(waiting)
        waiting.delay.leave()


def _after_fork() -> None:
    while _FORKING:
        _FORKING.pop()._gate.release()
    _REGISTER.release()


def _after_fork_in_child() -> None:
    """Give a child turns of its own: one that another thread had at the fork would never be given back."""
    _FORKING.clear()
    for waiting in list(_OPEN):
        waiting._text.turn, waiting._gate = RLock(), RLock()
    _REGISTER.release()


at_fork(STORES, before=_before_fork, in_parent=_after_fork, in_child=_after_fork_in_child)
