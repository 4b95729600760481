"""The fork of a process with memories open: no child inherits half of a change, or a lock that nobody holds."""

from __future__ import annotations

import os
import weakref
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .indexes import Indexes

_REGISTER = Lock()
_DURABLE: weakref.WeakSet[Indexes] = weakref.WeakSet()
_HELD: list[Indexes] = []


def watch(indexes: Indexes) -> None:
    """Have a fork wait until no thread is changing these indexes, and the child know that they are inherited."""
    _register()
    with _REGISTER:
        _DURABLE.add(indexes)


@cache
def _register() -> None:
    """Have a fork wait until no thread is changing indexes: no child inherits half of a change, or a lock held.

    Done with the first durable store and not at import, since Python runs first what was registered last: these locks
    are then taken before the store's own, here as everywhere.
    """
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_hold_all, after_in_parent=_release_all, after_in_child=_inherit_all)


def _hold_all() -> None:
    _REGISTER.acquire()
    for indexes in sorted(_DURABLE, key=id):
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
