"""The log of a store in this process: the keys of each change, so that indexes can follow it."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from itertools import chain, islice
from typing import Final

from .._core import Numbering
from ..frozen import maker
from .numbering import NumberedKeys
from .protocol import Changes, Key

_KEPT: Final = 16_384  # keys beside those of the last change; who is further behind loads everything

_MANY: Final = 256  # keys of one change; more are kept in the core's form, a quarter of the size

_changes = maker(Changes)


class Log:
    """The changes of a store by number; not safe by itself, the store holds its lock.

    Attributes:
        sequence: the number of the last change.

    >>> log = Log()
    >>> log.note([Key("t", "s", "public", "a")])
    >>> log.changes(0).sequence, [key.id for key in log.changes(0).keys], log.changes(1).keys
    (1, ['a'], frozenset())

    """

    def __init__(self) -> None:
        """Start before any change."""
        self.sequence = 0
        self._floor = self._size = 0  # changes up to the floor are no longer told apart
        self._noted: deque[tuple[int, Collection[Key]]] = deque()

    def note(self, keys: Iterable[Key]) -> None:
        """Count one change, of these keys."""
        noted = _compact(keys)
        self._noted.append((self.sequence + 1, noted))
        self._size += len(noted)
        while self._size > _KEPT and len(self._noted) > 1:  # whoever made the change follows it
            self._floor, gone = self._noted.popleft()
            self._size -= len(gone)
        self.sequence += 1  # last: who sees the number finds the change

    def note_all(self) -> None:
        """Count one change that nobody can follow: everything has to be loaded again."""
        self._noted.clear()
        self._size, self._floor = 0, self.sequence + 1
        self.sequence += 1

    def changes(self, since: int) -> Changes:
        """Return what changed after a number; the keys are None where that cannot be told any more."""
        found = set[Key]()
        sequence = self.sequence
        if not self._floor <= since <= sequence:
            return Changes(sequence, None)
        for number, keys in reversed(self._noted):
            if number <= since:
                break
            found.update(keys)
        return _changes(sequence, frozenset(found))


def _compact(keys: Iterable[Key]) -> Collection[Key]:
    """Return keys so that they take little: objects that stay keep the memory beside them from being given back."""
    left = iter(keys)
    few = frozenset(islice(left, _MANY + 1))
    more = next(left, None)
    if more is None and len(few) <= _MANY:
        return tuple(few)  # a set takes five times as much
    numbering = Numbering()
    for number, key in enumerate(chain(few, () if more is None else (more,), left)):
        numbering.put(key, number)
    return NumberedKeys(numbering)
