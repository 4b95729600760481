"""The changes of a store file, each in a transaction of its own, and the writes that are made parts of them."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from ..errors import ByheartError
from . import Key, Since, Write, key_of
from .change import Change
from .delay import Delay
from .known import Known
from .reading import writable_state
from .session import Session
from .upkeep import Upkeep


class Writer:
    """The way to change one file.

    Args:
        session: with the file.
        where: the file's name, for errors.
        known: what is known of the records, which follows the changes.
        upkeep: makes room before a change.
        delay: of the calls that wait, which are committed before anything else is changed.

    """

    def __init__(self, session: Session, where: str, known: Known, upkeep: Upkeep, delay: Delay) -> None:
        self._session, self._where, self._known = session, where, known
        self._upkeep, self._delay = upkeep, delay

    @contextmanager
    def written(self) -> Iterator[sqlite3.Connection]:
        """Hold the turn to write, with nothing that waits to be committed."""
        while True:
            self._delay.settle()
            with self._session.written() as connection:
                if not self._delay.open:
                    yield connection
                    return

    @contextmanager
    def change(self) -> Iterator[Change]:
        """Run one change in a transaction, and let what is known follow: nobody needs a look at the file for that."""
        pair = self._session.pair
        with self.written() as connection:
            looked = pair.looked
            while True:
                with pair.transaction(connection):
                    state = writable_state(connection, self._where)
                    if not self._upkeep.is_due(connection, state):
                        with self._session.reading:
                            directory = self._known.follow(connection, state)
                        if looked is None or looked[0] is not connection:  # else what it said before tells more
                            looked = self._session.look(connection)
                        change = Change(connection, state, directory, self._where)
                        yield change
                        if not change.empty:
                            change.finish()
                        if len(change.meanwhile) == 1:  # where several wait, others plan theirs meanwhile
                            change.meanwhile[0]()
                        break
                self._upkeep.make_room(connection)
            with self._session.reading:
                self._known.take_in(change)
                pair.looked = looked

    def is_undone(self, change: Change | None) -> bool:
        """Return whether it is certain that nothing of a change stands that was broken off."""
        if change is None or not change.finished:
            return True
        try:
            state = self._session.snapshot(lambda connection: writable_state(connection, self._where))
        except ByheartError:
            return False
        return state.sequence < change.state.sequence

    def make(self, change: Change, write: Write, encoded: Mapping[Key, str]) -> bool:
        """Make a write part of a change if all that it expects stands, and return whether it was made so.

        Args:
            change: the change.
            write: the write.
            encoded: its records as they are stored.

        """
        change.begin()
        if says_nothing(write):
            return True
        if not change.holds(write.expected, self._known.kept.records) or not change.lacks(write.absent):
            return False
        if write.since is not None and not self._spared(write.since, change):
            return False
        records = {key_of(record): record for record in write.put}
        for key in write.remove:
            change.remove(key)
        for key, content in encoded.items():
            change.put(key, records[key], content)
        if write.vectors is not None:
            change.keep(write.vectors)
        if write.meanwhile is not None:
            change.meanwhile.append(write.meanwhile)
        return True

    def _spared(self, since: Since, change: Change) -> bool:
        """Return whether nothing that matters was put since, nor undone of what the writer may have seen."""
        if since.undone != self._delay.undone:
            return False
        self._session.pending.asking = True
        try:
            return since.spared(change.put_since(since.sequence))
        finally:
            self._session.pending.asking = False


def says_nothing(write: Write) -> bool:
    """Return whether a write changes nothing, whatever is stored."""
    return not write.put and not write.remove and (write.vectors is None or not write.vectors.rows)
