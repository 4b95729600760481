"""The calls of a store that have returned and wait in one open transaction, to be committed a moment later.

Each is a part of that transaction, whole or not at all, and is read from then on as if it were committed. When the
commit begins is the delay's to say (`byheart.storage.delay`).
"""

import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Final, TypeAlias

from ..errors import ByheartError, StoreError
from . import Key, Outcome, Write, key_of
from .change import Change
from .delay import Delay
from .encoding import encode
from .known import Known
from .reading import writable_state
from .session import Session
from .upkeep import Upkeep

Make: TypeAlias = Callable[[Change, Write, Mapping[Key, str]], bool]
"""Makes a write part of a change, with its records as they are stored, and returns whether it was made so."""

_NOTHING: Final = -1  # the number of no change
_PAUSE: Final = 0.001  # seconds, until another process is looked for that may be done


class Waiting:
    """The calls of one store that wait, as their delay's owner.

    Args:
        session: with the file.
        where: the file's name, for errors.
        known: what is known of the records, which follows the calls.
        upkeep: makes room before the transaction begins.

    Attributes:
        delay: of their commit.

    """

    def __init__(self, session: Session, where: str, known: Known, upkeep: Upkeep) -> None:
        self._session, self._where, self._known, self._upkeep = session, where, known, upkeep
        self._last = _NOTHING  # the last change of the calls that wait to be committed
        self.delay = Delay(self)
        session.leave = self.delay.leave

    def acknowledged(self, writes: Sequence[Write], make: Make) -> list[Outcome]:
        """Do each of these writes, in this order, to be committed a moment later; return what became of each."""
        encoded = [{key_of(record): encode(record) for record in write.put} for write in writes]
        outcomes: list[Outcome] = []
        while len(outcomes) < len(writes):
            with self._open_transaction():
                for write, lines in list(zip(writes, encoded, strict=True))[len(outcomes) :]:
                    outcomes.append(self._call(write, lines, make))
                    if not self.delay.open:  # it failed of the system: what waited before stands by now
                        break
        return outcomes

    def _call(self, write: Write, encoded: Mapping[Key, str], make: Make) -> Outcome:
        """Make a write part of the open transaction, whole or not at all."""
        before = self._last
        try:
            self._session.check_usable()
            with self._session.pending.call() as connection:
                state = writable_state(connection, self._where)
                change = Change(connection, state, self._known.follow(connection, state), self._where)
                done = make(change, write, encoded)
                if not change.empty:
                    change.finish()
                    self._last = change.state.sequence
            if not change.empty:
                self._known.take_in(change)
        except ByheartError as error:
            self._last = before
            if isinstance(error, StoreError):
                self.delay.settle()
            return error
        if done:
            self.delay.acknowledge()
        return done

    @contextmanager
    def _open_transaction(self) -> Iterator[None]:
        """Hold the turn to add to the transaction that is open for calls that wait; it is begun if there is none."""
        delay, session = self.delay, self._session
        deadline = time.monotonic() + session.place.lock_seconds
        while True:
            if delay.overdue:
                delay.settle()
            pause = delay.pause()
            with session.turns():
                session.pending.check_not_amid()
                try:
                    if (delay.open and not delay.overdue) or (pause <= 0 and self._has_begun(deadline)):
                        yield
                        return
                finally:
                    if session.pending.waits and not delay.calls:
                        self._end_transaction()
            time.sleep(max(pause, _PAUSE))

    def _has_begun(self, deadline: float) -> bool:
        """Begin a transaction that stays open, and return whether nobody is in the way; the caller has the turns."""
        if self.delay.open:
            return False  # it is overdue
        try:
            self._last = _NOTHING
            self._session.check_usable()
            self._session.pending.begin(self._upkeep.make_room)
        except sqlite3.OperationalError as error:
            if time.monotonic() < deadline:
                return False
            raise self._session.place.busy() from error
        self.delay.begin()
        return True

    def _end_transaction(self) -> None:
        """Have nobody wait for a transaction in which nothing waits; but what was broken off once it stood there."""
        if self._last == _NOTHING:
            self._session.pending.end()
            self.delay.close()
        else:
            self.delay.begin()
            self.delay.acknowledge()

    # ---- what the delay asks of its owner

    def turn(self) -> AbstractContextManager[None]:
        """Keep other threads of this process from writing and reading (`byheart.storage.delay.Owner`)."""
        return self._session.turns()

    def patiently(self, run: Callable[[], None]) -> None:
        """Run something until no other process is in the way."""
        self._session.place.patiently(run)

    def commit_waiting(self) -> None:
        """Commit the calls that wait; the caller has the turn."""
        self._session.pending.commit(lambda: self._session.snapshot(self._stand))

    def _stand(self, connection: sqlite3.Connection) -> bool:
        """Return whether the file holds the calls that wait."""
        return writable_state(connection, self._where).sequence >= self._last

    def undo_waiting(self) -> None:
        """Undo the calls that wait, and know nothing of what they said; the caller has the turn."""
        self._session.pending.undo()
        self._known.forget()
