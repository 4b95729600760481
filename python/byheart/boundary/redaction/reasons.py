"""Reasons that are given on: what somebody else's code raised, fit for a reply."""

from __future__ import annotations

from .redactor import Redactor


def reason_of(error: BaseException) -> str:
    """Return the kind of an error and what it says, without keys, addresses and numbers of people.

    An embedder's error often quotes the request: its key, and the text that was to be embedded.

    >>> reason_of(ValueError("401 for key=sk-abcdefghijklmnop1234, input=x@example.com"))
    'ValueError: 401 for key=[secret], input=[email]'
    """
    said = str(error).encode("utf-8", "replace").decode()
    return f"{type(error).__name__}: {Redactor().redact(said).text}"
