"""The store that lies at a path: a text file or the durable one, by its name."""

from __future__ import annotations

import os

from ..errors import InvalidArgument
from .in_process import InProcessStore, WithVectors
from .protocol import Store, VectorStore

TEXT = ".jsonl"


def is_text(path: str | os.PathLike[str]) -> bool:
    """Return whether a path names a text file.

    >>> is_text("notes.jsonl"), is_text("notes.db")
    (True, False)
    """
    return os.fspath(path).endswith(TEXT)


def open_store(
    path: str | os.PathLike[str] | None = None, store: Store | None = None, *, read_only: bool = False
) -> VectorStore:
    """Return the store at a path, or the one that is given, or else a new one in this process.

    Args:
        path: of a file.
        store: in place of a path.
        read_only: open the file for reading, and make none.

    Raises:
        InvalidArgument: both are given; or a new store in this process, which nothing could be read from.
        ReadOnlyStore: there is no file, and none may be made.

    """
    if path is not None and store is not None:
        raise InvalidArgument("path, store: give one of them, not both")
    if path is not None and is_text(path):
        from .jsonl import JsonlStore

        store = JsonlStore(path, read_only=read_only)
    elif path is not None:
        from .sqlite import SqliteStore

        store = SqliteStore(path, read_only=True if read_only else None)
    if store is None and read_only:
        raise InvalidArgument("read_only: there is nothing to be read; give a path, or a store")
    chosen = store if store is not None else InProcessStore()
    return chosen if isinstance(chosen, VectorStore) else WithVectors(chosen)
