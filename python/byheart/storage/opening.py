"""Which store lies at a path: a text file or the durable one, by its name."""

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


def open_store(path: str | os.PathLike[str] | None = None, store: Store | None = None) -> VectorStore:
    """Return the store at a path, or the one that is given, or else a new one in this process.

    Raises:
        InvalidArgument: both are given.

    """
    if path is not None and store is not None:
        raise InvalidArgument("path, store: give one of them, not both")
    if path is not None and is_text(path):
        from .jsonl import JsonlStore

        store = JsonlStore(path)
    elif path is not None:
        from .sqlite import SqliteStore

        store = SqliteStore(path)
    chosen = store if store is not None else InProcessStore()
    return chosen if isinstance(chosen, VectorStore) else WithVectors(chosen)
