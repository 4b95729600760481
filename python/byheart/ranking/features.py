"""The columns that stages read of records: by name, a number or None for each row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..records import Record
from .algebra import Stage, StageContext
from .candidates import Candidates

_DAY = 86_400.0

SESSION, USER, GLOBAL = 0.0, 1.0, 2.0
"""The values of the column "scope", the narrowest first."""

OWNERS = ("session", "user", "global")
"""Whose a record is in a recall, the narrowest first: rates, weights and legs of profiles name them so."""

SUMMARY = "summary"
"""The kind of a record that is a summary."""


def scope_of(record: Record, session_id: str | None, user_id: str | None) -> float:
    """Return the value of a record's column "scope" in a recall: that of its session, else its user, else global.

    >>> scope_of(Record(text="x", session_id="s2", user_id="u"), "s1", "u") == USER
    True
    """
    # docs/sources.md: A1.1.6.
    return scope_among((record.session_id, record.user_id), session_id, user_id)


def scope_among(whose: tuple[Any, Any], session_id: str | None, user_id: str | None) -> float:
    """Return the scope of what belongs to this session and this user; None, or what is no id, is nobody's.

    >>> scope_among(("s1", None), "s1", "u") == SESSION, scope_among((None, None), None, None) == GLOBAL
    (True, True)
    """
    session, user = whose
    if session_id is not None and session == session_id:
        return SESSION
    return USER if user_id is not None and user == user_id else GLOBAL


def age_seconds(record: Record, now: float) -> float:
    """Return how old a record is: since it was changed or made, never below 0; 0 if it says neither."""
    since = record.updated_at if record.updated_at is not None else record.created_at
    return 0.0 if since is None else max(0.0, now - since)


def days_since_access(record: Record, now: float) -> float | None:
    """Return how long a record has not been used on purpose, never below 0; None if it never was."""
    return None if record.accessed_at is None else max(0.0, now - record.accessed_at) / _DAY


FEATURES: Mapping[str, Callable[[Record, StageContext], float | None]] = {
    "age_seconds": lambda record, context: age_seconds(record, context.now),
    "age_days": lambda record, context: age_seconds(record, context.now) / _DAY,
    "importance": lambda record, context: record.importance,
    "confidence": lambda record, context: record.confidence,
    "utility": lambda record, context: record.utility,
    "quality": lambda record, context: record.quality,
    "authority": lambda record, context: record.authority,
    "length": lambda record, context: float(len(record.text)),
    "access_count": lambda record, context: float(record.access_count),
    "days_since_access": lambda record, context: days_since_access(record, context.now),
    "scope": lambda record, context: scope_of(record, context.session_id, context.user_id),
    "decay_rate": lambda record, context: record.decay_rate,
    "summary": lambda record, context: float(record.kind == SUMMARY),
    "invariant": lambda record, context: float(record.invariant),
}


def gather(table: Candidates, stages: Iterable[Stage], context: StageContext) -> Candidates:
    """Return the table with the features that some stages read, as far as they are no columns yet."""
    inputs = dict.fromkeys(name for stage in stages for name in stage.inputs)
    wanted = [name for name in inputs if name in FEATURES and name not in table.columns]
    if not wanted:
        return table
    records = [context.records[key] for key in table.keys]
    return table.with_columns({name: [FEATURES[name](record, context) for record in records] for name in wanted})
