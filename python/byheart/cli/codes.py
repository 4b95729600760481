"""Exit codes: how a command went, for a shell."""

from __future__ import annotations

from typing import Final

from ..errors import (
    BoundaryViolation,
    ByheartError,
    ContextExpired,
    NoiseRefused,
    PolicyConflict,
    PolicyMissing,
    RecordNotFound,
    VersionMismatch,
)

DONE: Final = 0
NO: Final = 1
WRONG: Final = 2
INTERRUPTED: Final = 130
UNREAD: Final = 141

TOLD: Final = "0 done; 1 {no}; 2 wrong usage, bad input, or it could not be done; 130 interrupted"
"""What the help of a command says of its codes."""


class Negative(ByheartError):
    """The answer is no, and has been shown: problems were found, another answer came, or nobody said yes."""


_NO = (
    Negative,
    BoundaryViolation,
    ContextExpired,
    NoiseRefused,
    PolicyConflict,
    PolicyMissing,
    RecordNotFound,
    VersionMismatch,
)


def code_of(error: ByheartError) -> int:
    """Return the exit code of an error: 1 if it is an answer, which is no; 2 if nothing could be answered.

    >>> from byheart.errors import StoreBusy
    >>> code_of(RecordNotFound("no such record")), code_of(StoreBusy("try again"))
    (1, 2)
    """
    return NO if isinstance(error, _NO) else WRONG


def found(something: object) -> int:
    """Return the exit code of a search: 0 if there is something, else 1.

    >>> found(["a hit"]), found([])
    (0, 1)
    """
    return DONE if something else NO
