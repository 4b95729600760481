"""Cursors of an answer: where its next page begins, of which question, and until when. Nothing is kept for them.

A cursor gives nothing away that its bearer could not ask for: it holds a place, a digest and two names, and what may be
seen is decided anew by the call that it comes with.
"""
# docs/sources.md: B1.18.2.

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import ContextExpired, RecordNotFound
from ..knowledge import digest
from .failures import Refused
from .tool import Call

FURTHEST = 10_000
_SAID = ("q", "query", "scope", "allow")
"""The arguments that make a question another one; how many are wanted of it does not."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where the next page begins.

    Attributes:
        after: how many results lie before it.
        question: a digest of the tool and of what it was asked.
        policy_version: of the policy that held.
        context: the active context of the page before; None of a search.

    >>> Cursor.of("abc")
    Traceback (most recent call last):
        ...
    byheart.mcp.failures.Refused: cursor: is none; give the next_cursor of an answer, as it is

    """

    after: int
    question: str
    policy_version: str | None = None
    context: str | None = None

    def __str__(self) -> str:
        """Return the cursor as a host gets it."""
        said = json.dumps([self.after, self.question, self.policy_version, self.context], separators=(",", ":"))
        return base64.urlsafe_b64encode(said.encode()).decode()

    @classmethod
    def of(cls, text: str) -> Cursor:
        """Return the cursor that a text is.

        Raises:
            Refused: it is none.

        """
        try:
            after, question, version, context = json.loads(base64.b64decode(text, b"-_", validate=True))
        except (ValueError, TypeError, RecursionError):
            raise _none() from None
        known = all(word is None or isinstance(word, str) for word in (version, context))
        if type(after) is not int or not 0 < after <= FURTHEST or not isinstance(question, str) or not known:
            raise _none()
        return cls(after, question, version, context)


def question_of(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return a digest of what a tool is asked, whatever page of it and however much at once.

    >>> question_of("search", {"query": "tea", "top_k": 3}) == question_of("search", {"query": "tea"})
    True
    """
    said = {name: sorted(set(value)) if isinstance(value, list) else value for name, value in arguments.items()}
    asked = {name: said[name] for name in _SAID if name in said}
    return digest(json.dumps([tool, asked], sort_keys=True))[:24]


def begin(call: Call, tool: str, arguments: Mapping[str, Any]) -> int:
    """Return how many results the page of a call leaves out: none, or what its cursor says.

    Raises:
        Refused: the cursor is none, or of another question; or its context has expired, or is of another policy.

    """
    if "cursor" not in arguments:
        return 0
    cursor = Cursor.of(arguments["cursor"])
    if cursor.question != question_of(tool, arguments):
        raise Refused("VALIDATION_ERROR", "cursor: is of another question; ask the same one, or leave the cursor out")
    if cursor.policy_version != call.service.version():
        raise Refused("EXPIRED", "cursor: another policy is in force by now; ask again without it")
    if cursor.context is not None:
        try:
            call.memory.active_context(cursor.context)
        except (ContextExpired, RecordNotFound):
            raise Refused("EXPIRED", "cursor: its active context is over; activate again without it") from None
    return cursor.after


def _none() -> Refused:
    return Refused("VALIDATION_ERROR", "cursor: is none; give the next_cursor of an answer, as it is")
