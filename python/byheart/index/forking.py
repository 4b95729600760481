"""The fork of a process with memories open: no child inherits half of a change, or a lock that nobody holds."""

from __future__ import annotations

import weakref
from threading import Lock
from typing import TYPE_CHECKING

from ..storage.forks import INDEXES, at_fork

if TYPE_CHECKING:
    from .indexes import Indexes

_REGISTER = Lock()
_OPEN: weakref.WeakSet[Indexes] = weakref.WeakSet()
_HELD: list[Indexes] = []


def watch(indexes: Indexes) -> None:
    """Have a fork wait until no thread is changing these indexes, and the child know that they are inherited."""
    with _REGISTER:
        _OPEN.add(indexes)


def _hold_all() -> None:
    _REGISTER.acquire()
    for indexes in sorted(_OPEN, key=id):
        indexes.lock.acquire()
        _HELD.append(indexes)


def _release_all() -> None:
    while _HELD:
        _HELD.pop().lock.release()
    _REGISTER.release()


def _inherit_all() -> None:
    for indexes in _HELD:
        indexes.inherited, indexes.saving = True, False
    _release_all()


at_fork(INDEXES, before=_hold_all, in_parent=_release_all, in_child=_inherit_all)
