"""Failures of a call: a code, an HTTP status, and a sentence for the model.

What byheart says of an argument is passed on. What it says of files and other processes is not: a caller may be far
away, and it belongs into the log of the server.
"""
# docs/sources.md: B1.18.5.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..errors import (
    AmbiguousId,
    BoundaryViolation,
    ByheartError,
    ContextExpired,
    CorruptRecord,
    DuplicateId,
    InvalidArgument,
    InvalidPolicy,
    LimitExceeded,
    NoiseRefused,
    PolicyConflict,
    PolicyMissing,
    ReadOnlyStore,
    RecordNotFound,
    StoreBusy,
    StoreError,
    StoreReplaced,
    VersionMismatch,
)
from .wording import in_words

STATUS: Final[Mapping[str, int]] = {
    "VALIDATION_ERROR": 422,
    "INVALID_SCOPE": 422,
    "INVALID_POLICY": 422,
    "POLICY_INVALID": 422,
    "NOISE_REFUSED": 422,
    "UPSERT_FAILED": 422,
    "ACTIVATE_FAILED": 422,
    "FEEDBACK_FAILED": 422,
    "LIMIT_EXCEEDED": 413,
    "UNAUTHORIZED": 401,
    "BOUNDARY_DENIED": 403,
    "BOUNDARY_ERROR": 403,
    "READ_ONLY": 403,
    "UNKNOWN_CLAIM": 404,
    "DUPLICATE": 409,
    "AMBIGUOUS_ID": 409,
    "VERSION_MISMATCH": 409,
    "STATE_ERROR": 409,
    "EXPIRED": 410,
    "POLICY_MISSING": 424,
    "RATE_LIMIT": 429,
    "INTERNAL": 500,
    "STORE_REPLACED": 503,
    "BUSY": 503,
    "TIMEOUT": 504,
}
"""Every code there is, with its status."""

_CODES: Final[Mapping[type[BaseException], str]] = {
    NoiseRefused: "NOISE_REFUSED",
    DuplicateId: "DUPLICATE",
    AmbiguousId: "AMBIGUOUS_ID",
    InvalidPolicy: "POLICY_INVALID",
    PolicyMissing: "POLICY_MISSING",
    PolicyConflict: "STATE_ERROR",
    ContextExpired: "EXPIRED",
    LimitExceeded: "LIMIT_EXCEEDED",
    BoundaryViolation: "BOUNDARY_DENIED",
    RecordNotFound: "UNKNOWN_CLAIM",
    VersionMismatch: "VERSION_MISMATCH",
    InvalidArgument: "VALIDATION_ERROR",
    ReadOnlyStore: "READ_ONLY",
    StoreBusy: "BUSY",
    CorruptRecord: "INTERNAL",
    StoreReplaced: "STORE_REPLACED",
    StoreError: "INTERNAL",
}
_OWN_WORDS: Final[Mapping[str, str]] = {
    "BUSY": "another process holds the memory; try again in a moment",
    "READ_ONLY": "this memory is only read; nothing was changed",
    "STORE_REPLACED": (
        "the memory's file was moved, removed or replaced while the server had it open; nothing was read or written;"
        " put it back, or start the server anew"
    ),
    "INTERNAL": "the server could not do this; its log says why",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong.

    >>> Failure("UNKNOWN_CLAIM", "no such record").status
    404
    """

    code: str
    message: str
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The status that HTTP has for it."""
        return STATUS[self.code]


class Refused(ByheartError):
    """A tool says no, with a code of its own: `raise Refused("EXPIRED", "the context is over; make another")`."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.failure = Failure(code, message, details)


def failure_of(error: BaseException, own: Mapping[type[BaseException], str] | None = None) -> Failure:
    """Return what to tell a caller of an error; `own` are the codes of the tool.

    >>> failure_of(InvalidArgument("k: is 0")), failure_of(OSError("/data/ann")).code
    (Failure(code='VALIDATION_ERROR', message='k: is 0', details={}), 'INTERNAL')

    """
    if isinstance(error, Refused):
        return error.failure
    found = {**(own or {}), **{kind: code for kind, code in _CODES.items() if kind not in (own or {})}}
    code = next((code for kind, code in found.items() if isinstance(error, kind)), "INTERNAL")
    details: dict[str, Any] = {}
    if isinstance(error, VersionMismatch):
        details = {"id": error.id, "stored_version": error.stored}
    said = str(error)
    if isinstance(error, NoiseRefused):
        said = said.partition("; to keep it")[0]  # what a program can do about it, a host cannot
    return Failure(code, _OWN_WORDS.get(code) or speakable(in_words(said)), details)


def speakable(text: str) -> str:
    """Return a message that any wire carries: lone surrogates replaced, and not longer than a message should be."""
    return text[:2_000].encode("utf-8", "replace").decode()
