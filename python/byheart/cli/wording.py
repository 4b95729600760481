"""What the package says of its own arguments, in the words of the command line."""

from __future__ import annotations

from ..errors import AmbiguousId


def told(error: Exception) -> str:
    """Return the message of an error, with the options of the command line in place of arguments.

    >>> told(PermissionError(13, "Permission denied", "me.jsonl"))
    'me.jsonl: Permission denied'
    """
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, AmbiguousId):
        return str(error).replace("by cell=", "by --scope and --class")
    return str(error)
