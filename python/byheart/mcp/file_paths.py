"""Paths of files that are records: `/memories/notes/todo.md` is the id of one. They never become paths of a disk.

All the same nothing is taken that could leave a folder if it did: a host may show, log or copy them.
"""

from __future__ import annotations

from urllib.parse import unquote

from ..validation import MAX_ID_BYTES
from .failures import Refused

ROOT = "/memories"


def path_of(asked: str) -> str:
    """Return a path as it is kept: below the root or the root itself, without a slash at its end.

    Raises:
        Refused: it is not below the root, climbs, holds what cannot be seen, or is too long.

    >>> path_of("/memories/notes/"), path_of("/memories")
    ('/memories/notes', '/memories')
    >>> path_of("/memories/../etc/passwd")
    Traceback (most recent call last):
        ...
    byheart.mcp.failures.Refused: path: a part of it is empty, '.' or '..', also if written with %

    """
    if not asked.isprintable():
        raise _wrong("holds a character that cannot be seen")
    if asked != ROOT and not is_below_root(asked):
        raise _wrong(f"must be {ROOT} or begin with {ROOT}/")
    kept = asked.removesuffix("/")
    for part in kept[1:].split("/"):
        if any(_climbs(form) for form in (part, unquote(part), unquote(unquote(part)))):
            raise _wrong("a part of it is empty, '.' or '..', also if written with %")
    if len(kept.encode("utf-8", "replace")) > MAX_ID_BYTES:
        raise _wrong(f"is longer than {MAX_ID_BYTES} bytes")
    return kept


def is_below_root(path: str) -> bool:
    """Return whether a path, or an id, begins as that of a file does."""
    return path.startswith(f"{ROOT}/")


def words_of(path: str) -> str:
    """Return what a path says, so that a file is found by its name.

    >>> words_of("/memories/notes/to_do.md")
    'notes to_do.md'
    """
    return path.removeprefix(f"{ROOT}/").replace("/", " ")


def _climbs(part: str) -> bool:
    return part.strip() in ("", ".", "..") or "/" in part or "\\" in part


def _wrong(why: str) -> Refused:
    return Refused("VALIDATION_ERROR", f"path: {why}")
