"""The store that lies at a path: a text file or the durable one, by its name."""

from __future__ import annotations

import os
from typing import Any

from ..errors import InvalidArgument
from ..light.expressions import expression
from .delay import Durability, check_durability
from .in_process import InProcessStore, WithVectors
from .protocol import Store, VectorStore

TEXT = ".jsonl"
_URL = expression(r"[A-Za-z][A-Za-z0-9+.-]*://")
IN_PROCESS = ":memory:"
"""The name that means no file at all, as it does in SQLite."""


def is_text(path: str | os.PathLike[str]) -> bool:
    """Return whether a path names a text file.

    >>> is_text("notes.jsonl"), is_text("NOTES.JSONL"), is_text("notes.db")
    (True, True, False)
    """
    return os.fspath(path).lower().endswith(TEXT)


def is_in_process(path: str | os.PathLike[str]) -> bool:
    """Return whether a path means a store in this process alone.

    >>> is_in_process(":memory:"), is_in_process("notes.db")
    (True, False)
    """
    return os.fspath(path) == IN_PROCESS


def check_path(path: object) -> None:
    """Refuse what is no path, or a blank one, which would be a folder, and what is meant for a server."""
    if isinstance(path, bytes) or not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be str or os.PathLike, not {type(path).__name__}")
    written = os.fspath(path)
    if isinstance(written, str) and not written.strip():
        raise InvalidArgument(f"path: is blank; name a file, or give {IN_PROCESS!r} for a memory without one")
    check_nameable(written)
    _check_user(written)
    if _URL.match(str(written)):
        raise InvalidArgument(f"path: {written!r} looks like a URL; a memory is a file: give its path, such as 'me.db'")


def _check_user(written: str) -> None:
    """Refuse the home of a user who is not there: a folder would be made that is called like it."""
    home = at_home(written).partition(os.sep)
    if home[0].startswith("~") and home[1] and not os.path.isdir(home[0]):  # noqa: PTH112 - as `at_home`
        raise InvalidArgument(
            f"path: {written!r}: there is no user {home[0][1:]!r}; for a folder of that name write './{written}'"
        )


def check_nameable(path: str | os.PathLike[str]) -> None:
    """Refuse a path that no file can have."""
    if isinstance(path, bytes) or not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be str or os.PathLike, not {type(path).__name__}")
    if "\0" in os.fspath(path):
        raise InvalidArgument(f"path: {path!r} has a sign in it that no file's name can have, NUL")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise InvalidArgument(f"path: {path!r} has a sign in it that no file's name can have, a surrogate") from None


def at_home(path: str | os.PathLike[str]) -> str:
    """Return a path with the user's folder in the place of a leading `~`; one of a user who is not there stays."""
    return os.path.expanduser(os.fspath(path))  # noqa: PTH111 - pathlib refuses such users


def open_store(
    path: str | os.PathLike[str] | None = None,
    store: Store | None = None,
    *,
    read_only: bool = False,
    durability: Durability = "full",
) -> VectorStore:
    """Return the store at a path, or the one that is given, or else a new one in this process.

    Args:
        path: of a file; `~` is the user's folder, and ":memory:" no file, but a store in this process.
        store: in place of a path.
        read_only: open the file for reading, and make none.
        durability: when a write to the file returns (`byheart.storage.delay`). A store in this process has no such
            moment, and what is only read neither.

    Raises:
        InvalidArgument: both are given; or a store, whose durability was said when it was opened; or a new store in
            this process, which nothing could be read from.
        ReadOnlyStore: there is no file, and none may be made.
        TypeError: the path is neither text nor a path, or the store is none.

    """
    if path is not None and store is not None:
        raise InvalidArgument("path, store: give one of them, not both")
    check_durability(durability)
    if store is not None:
        _check_store(store)
    if store is not None and durability != "full":
        raise InvalidArgument("durability, store: the store that is given was opened already; say it there")
    if path is not None:
        check_path(path)
    if path is not None and is_in_process(path):
        path = None
    elif path is not None:
        path = at_home(path)
    if path is not None and is_text(path):
        from .jsonl import JsonlStore

        store = text = JsonlStore(path, read_only=read_only, durability=durability)
        if not read_only:
            text.make()
    elif path is not None:
        from .sqlite import SqliteStore

        store = SqliteStore(path, read_only=True if read_only else None, durability=durability)
    if store is None and read_only:
        raise InvalidArgument("read_only: there is nothing to be read; give a path, or a store")
    chosen = store if store is not None else InProcessStore()
    return chosen if isinstance(chosen, VectorStore) else WithVectors(chosen)


def _check_store(store: Any) -> None:
    """Refuse what is no store, or is the class of one."""
    if isinstance(store, type):
        raise TypeError(f"store is the class {store.__name__}; give an instance")
    if not all(callable(getattr(store, verb, None)) for verb in ("load", "get", "write", "close")):
        more = "; a path is given by path=" if isinstance(store, (str, os.PathLike)) else ""
        raise TypeError(
            "store must be one of `byheart.storage`, such as InProcessStore(), or work like one, not "
            f"{type(store).__name__}{more}"
        )
