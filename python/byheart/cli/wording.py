"""Errors and notes of the package in the words of the command line: options in place of arguments."""

from __future__ import annotations

from typing import Final

from ..errors import FingerprintMismatch

IN_WORDS: Final = {
    "by cell=": "by --scope and --class",
    "by scope= and boundary_class=": "by --scope and --class",
    "operators=False takes marks as text": "--no-operators takes marks as text",
    "ask with operators=False": "ask with --no-operators",
    "(Memory.embed makes them)": "(`byheart embed` makes them)",
    "under their ids, with vector=": "under their ids, with --vector",
    "session_id: is missing": "--session: is missing",
    "declared by Memory(relations=[...]), or single_valued=[...]": "declared by --relations, or --single-valued",
    "open with the model that made the vectors, or embed anew": (
        "name the embedder that made the vectors, or make them anew: `byheart embed --embedder NAME`"
    ),
}
"""What errors and notes say, and how it is said here. What a program reads with `--json` stays as it is."""


def told(error: Exception) -> str:
    """Return the message of an error, with the options of the command line in place of arguments.

    >>> told(PermissionError(13, "Permission denied", "me.jsonl"))
    'me.jsonl: Permission denied'
    """
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, FingerprintMismatch):
        return in_words(str(error).partition(". Stored: ")[0])
    return in_words(str(error))


def in_words(said: str) -> str:
    """Return what an error or a note says, with options in place of arguments.

    >>> in_words("dense: 1 of 2 records have no vector (Memory.embed makes them)")
    'dense: 1 of 2 records have no vector (`byheart embed` makes them)'
    """
    for argument, option in IN_WORDS.items():
        said = said.replace(argument, option)
    return said
