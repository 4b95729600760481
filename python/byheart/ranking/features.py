"""The columns that stages read of records: by name, a number or None for each row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from ..knowledge import text_mark
from ..records import Record
from ..words import Owner, words_of
from .algebra import Stage, StageContext
from .candidates import Candidates

_DAY = 86_400.0

SESSION, USER, GLOBAL = 0.0, 1.0, 2.0
"""The values of the column "scope", the narrowest first."""

OWNERS: tuple[str, ...] = words_of(Owner)
"""Whose a record is in a recall, the narrowest first: rates, weights and legs of profiles name them so."""

SUMMARY = "summary"
"""The kind of a record that is a summary."""

LENGTH = "length"
"""How long a text is, in code points."""

TEXT_MARK = "text_mark"
"""A number that texts have in common which are the same but for case, width and white space, and few others."""

FORM = "opening mark"
"""How a short statement begins, as a number (`byheart.retrieval.sameness.OPENING`); None of what is none."""

_SINCE = ("updated_at", "created_at")
_TOLD = ("told_before", "told_after", "told_whole", "cosine")


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
    return _age(now, record.updated_at, record.created_at)


def _age(now: float, updated: float | None, created: float | None) -> float:
    since = created if updated is None else updated
    return 0.0 if since is None or since >= now else now - since


def _days_since(now: float, accessed: float | None) -> float | None:
    return None if accessed is None else max(0.0, now - accessed) / _DAY


class Feature(NamedTuple):
    """A number that stages read of a record.

    Attributes:
        reads: the fields of the record that it is made of.
        of: makes it of their values and of what the stages may know; None where there is none.

    """

    reads: tuple[str, ...]
    of: Callable[..., float | None]

    def of_record(self, record: Record, context: StageContext) -> float | None:
        """Return the number of a record."""
        return self.of(context, *[_READ.get(name, attrgetter(name))(record) for name in self.reads])


def _as_it_is(name: str) -> Feature:
    return Feature((name,), lambda context, value: value)


_READ: Mapping[str, Callable[[Record], Any]] = {
    LENGTH: lambda record: float(len(record.text)),
    TEXT_MARK: lambda record: text_mark(record.gist()),
    FORM: lambda record: None,  # the directory alone knows it
}

FEATURES: Mapping[str, Feature] = {
    "age_seconds": Feature(_SINCE, lambda context, updated, created: _age(context.now, updated, created)),
    "age_days": Feature(_SINCE, lambda context, updated, created: _age(context.now, updated, created) / _DAY),
    **{name: _as_it_is(name) for name in ("importance", "confidence", "utility", "quality", "authority", "decay_rate")},
    "length": _as_it_is(LENGTH),
    TEXT_MARK: _as_it_is(TEXT_MARK),
    FORM: _as_it_is(FORM),
    "created_at": _as_it_is("created_at"),
    "updated_at": _as_it_is("updated_at"),
    "accessed_at": _as_it_is("accessed_at"),
    "valid_from": _as_it_is("valid_from"),
    "seen_at": _as_it_is("seen_at"),
    "recency_anchor": _as_it_is("recency_anchor"),
    "access_count": Feature(("access_count",), lambda context, count: float(count or 0)),
    "days_since_access": Feature(("accessed_at",), lambda context, at: _days_since(context.now, at)),
    "scope": Feature(
        ("session_id", "user_id"),
        lambda context, session, user: scope_among((session, user), context.session_id, context.user_id),
    ),
    **{name: _as_it_is(name) for name in _TOLD},
    "summary": Feature(("kind",), lambda context, kind: float(kind == SUMMARY)),
    "invariant": Feature(("invariant",), lambda context, invariant: float(invariant)),
}

NUMBERS: frozenset[str] = frozenset(
    ("created_at", "updated_at", "accessed_at", "valid_from", "seen_at", "importance", "confidence", "utility",
     "quality", "authority", "decay_rate", "access_count", LENGTH, TEXT_MARK, FORM)
)  # fmt: skip
"""The fields that the directory of a partition keeps as columns of numbers."""

TOLD: frozenset[str] = frozenset(_TOLD)
"""What the core says of every proposed record where words are searched: of its conversation, and its own cosine."""

WORDS: frozenset[str] = frozenset(("session_id", "user_id", "kind", "invariant"))
"""The fields that it keeps as words and flags, one a record."""


def wanted(stages: Iterable[Stage]) -> tuple[str, ...]:
    """Return the features that some stages read."""
    inputs = dict.fromkeys(name for stage in stages for name in stage.inputs)
    return tuple(name for name in inputs if name in FEATURES)


def gather(table: Candidates, stages: Iterable[Stage], context: StageContext) -> Candidates:
    """Return the table with the features that some stages read, as far as they are no columns yet."""
    return filled(table, wanted(stages), context)


def filled(
    table: Candidates,
    names: Iterable[str],
    context: StageContext,
    held: Mapping[str, Sequence[Any]] | None = None,
) -> Candidates:
    """Return the table with features, as far as they are no columns yet.

    Args:
        table: the rows.
        names: of the features.
        context: what stages may know.
        held: fields of the records, by row; without them the records are asked.

    """
    missing = [name for name in names if name not in table.columns]
    if not missing:
        return table
    made: dict[str, list[float | None]] = {}
    for name in missing:
        if name in TOLD and (held is None or name not in held):
            continue  # nobody was asked, or nothing is told: no record says it either
        feature = FEATURES[name]
        if held is not None and all(field in held for field in feature.reads):
            of = partial(feature.of, context)
            made[name] = list(map(of, *[held[field] for field in feature.reads]))
        else:
            made[name] = [feature.of_record(context.records[key], context) for key in table.keys]
    return table.with_columns(made)
