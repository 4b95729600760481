"""The order in which a fork waits for locks: whoever was opened first, those of the indexes come before the stores'.

Python runs what was registered last first, so that the order would follow from what a program happened to open first; a
thread that writes takes the lock of its indexes and then the store's, and a fork that took them the other way round
would wait for it for ever.
"""

from __future__ import annotations

import _imp
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from threading import get_ident
from typing import Any, Final, NamedTuple

INDEXES: Final = 0
"""Whose locks are taken first, and given back last."""
STORES: Final = 1
_OURS: Final = f"{__name__.partition('.')[0]}."


class _Step(NamedTuple):
    """What one module does around a fork."""

    level: int
    before: Callable[[], None]
    in_parent: Callable[[], None]
    in_child: Callable[[], None]


_STEPS: list[_Step] = []
_MOST_AWAITED: Final = 1_000  # imports; a program that imports for ever is forked all the same
_HELD: list[bool] = []  # whether this fork holds the import lock
_TAKEN: list[_Step] = []  # by the fork that is under way, in which nothing else is registered


def at_fork(
    level: int, *, before: Callable[[], None], in_parent: Callable[[], None], in_child: Callable[[], None]
) -> None:
    """Have this done around every fork of the process from now on.

    Args:
        level: `INDEXES` or `STORES`.
        before: waits until no thread is amid a change.
        in_parent: lets them go on.
        in_child: likewise, where those threads are not there any more.

    """
    if not _STEPS and hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
    _STEPS.append(_Step(level, before, in_parent, in_child))


def _before() -> None:
    _TAKEN[:] = sorted(_STEPS, key=lambda step: step.level)
    _all(step.before for step in _TAKEN)
    _await_imports()


def _await_imports() -> None:
    """Wait for modules of ours that other threads import on use, and let none begin: a child would wait for ever.

    The import lock is held from then on until the fork is over: whoever begins to import needs it.
    """
    for _ in range(_MOST_AWAITED):
        _imp.acquire_lock()
        _HELD[:] = [True]
        name = next(_amid_import(), None)
        if name is None:
            return
        _let_import()
        with suppress(Exception):  # it is raised where that is imported
            import_module(name)


def _amid_import() -> Iterator[str]:
    """Give the modules of ours that another thread has begun to look for, or to run."""
    locks: dict[str, Any] = getattr(sys.modules.get("_frozen_importlib"), "_module_locks", {})
    for name, reference in list(locks.items()):
        owner = getattr(reference(), "owner", None) if name.startswith(_OURS) else None
        if owner is not None and owner != get_ident():
            yield name


def _let_import() -> None:
    """Give the import lock back, if it is held."""
    if _HELD:
        _HELD.clear()
        with suppress(RuntimeError):  # nothing else that is done around a fork may be left out for it
            _imp.release_lock()


def _in_parent() -> None:
    _let_import()
    _all(step.in_parent for step in reversed(_TAKEN))


def _in_child() -> None:
    _let_import()
    _all(step.in_child for step in reversed(_TAKEN))


def _all(calls: Iterable[Callable[[], None]]) -> None:
    """Call all, whatever one of them raises: Python tells of it, and forks all the same."""
    failed: BaseException | None = None
    for call in calls:
        try:
            call()
        except BaseException as error:
            failed = failed or error
    if failed is not None:
        raise failed
