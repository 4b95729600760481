"""Failures of questions as codes: what went wrong, in which phase, and whether to try again may help."""
# docs/sources.md: A3.6.6.

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from subprocess import CalledProcessError, TimeoutExpired
from typing import Any, Final, NamedTuple

from ...errors import MissingExtra, ModelError, RerankFailed, StoreBusy, StoreError

PHASES: Final = ("preindex", "clear", "ingest", "await_indexing", "search", "score")


class Code(NamedTuple):
    """A kind of failure."""

    name: str
    category: str
    retryable: bool


CODES: Final = (
    Code("TIMEOUT", "timeout", True),
    Code("COMMAND_NOT_FOUND", "environment", False),
    Code("PARSE_ERROR", "parse", False),
    Code("DATA_VALIDATION_ERROR", "validation", False),
    Code("ADAPTER_COMMAND_FAILED", "adapter-runtime", True),
    Code("UNEXPECTED_ERROR", "unknown", False),
)
# The first that fits counts: JSON's error is a ValueError, and so is much of ours.
_KINDS: Final[tuple[tuple[Code, tuple[type[BaseException], ...]], ...]] = (
    (CODES[0], (TimeoutError, TimeoutExpired, StoreBusy)),
    (CODES[1], (FileNotFoundError, ImportError, MissingExtra)),
    (CODES[2], (json.JSONDecodeError, UnicodeDecodeError)),
    (CODES[3], (ValueError,)),
    (CODES[4], (CalledProcessError, RuntimeError, RerankFailed, ModelError, StoreError, OSError)),
)


def code_of(error: BaseException) -> Code:
    """Return the kind of failure that an error is.

    >>> code_of(TimeoutError()).name, code_of(ValueError()).category, code_of(KeyError("x")).name
    ('TIMEOUT', 'validation', 'UNEXPECTED_ERROR')
    """
    return next((code for code, kinds in _KINDS if isinstance(error, kinds)), CODES[-1])


def failure(question: str, text: str, phase: str, error: BaseException) -> dict[str, Any]:
    """Return a question's failure as a report tells it. `question` is the id; the text lets a replay fail again."""
    assert phase in PHASES, phase
    code = code_of(error)
    return {
        "question_id": question,
        "question": text,
        "phase": phase,
        "error_code": code.name,
        "error_category": code.category,
        "retryable": code.retryable,
        "exception_type": type(error).__name__,
        "error": str(error),
    }


def breakdown(failures: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return how many failures there are of each code, category and phase.

    >>> breakdown([failure("q1", "tea?", "search", TimeoutError("late"))])["by_phase"]
    {'search': 1}
    """
    told = list(failures)
    names = {"by_code": "error_code", "by_category": "error_category", "by_phase": "phase"}
    return {name: dict(sorted(Counter(each[field] for each in told).items())) for name, field in names.items()}
