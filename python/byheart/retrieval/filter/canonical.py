"""The canonical form of filters: nested tuples, which the core and `byheart.reference.filters` read.

Two filters that were written differently and say the same by their form (order, doubles, brackets, a double "not")
have one canonical form. What this does not do: simplify by what values mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from ...errors import LimitExceeded
from ...validation import normal_forms

Canonical: TypeAlias = tuple[Any, ...]
"""("and" | "or", (filter, ...)), ("not", filter), ("in", field, (value, ...)), ("exists", field, flag) or
("range", field, low | None, low_inclusive, high | None, high_inclusive)."""

Value: TypeAlias = str | float | bool

MAX_LEVELS = 32
MAX_VALUES = 10_000

EVERYTHING: Canonical = ("and", ())


def all_of(parts: Iterable[Canonical]) -> Canonical:
    """Return what matches where all parts match; without a part, everything."""
    return _joined("and", parts)


def any_of(parts: Iterable[Canonical]) -> Canonical:
    """Return what matches where one of the parts matches; there must be one."""
    return _joined("or", parts)


def negated(part: Canonical) -> Canonical:
    """Return what matches where the part does not.

    >>> negated(negated(("in", "topic", ("tea",))))
    ('in', 'topic', ('tea',))
    """
    if part[0] == "not":
        inner: Canonical = part[1]
        return inner
    return ("exists", part[1], not part[2]) if part[0] == "exists" else ("not", part)


def membership(field: str, values: Iterable[Value]) -> Canonical:
    """Return what matches records with one of these values, each named once and in order; texts in any normal form.

    >>> membership("metadata.seats", ["four", 4.0, True, 4.0])
    ('in', 'metadata.seats', (True, 4.0, 'four'))
    """
    if type(values) is not tuple or len(values) != 1:  # as few are
        values = distinct(values)
    if any(isinstance(value, str) and not value.isascii() for value in values):
        values = distinct(form for value in values for form in _forms(value))
    return ("in", field, values)


def _forms(value: Value) -> tuple[Value, ...]:
    return normal_forms(value) if isinstance(value, str) else (value,)


def distinct(values: Iterable[Value]) -> tuple[Value, ...]:
    """Return each value once: flags, numbers, then texts, each kind in its own order."""
    kept = {(_rank(value), value) for value in values}
    return tuple(value for _, value in sorted(kept, key=lambda pair: pair))


def names(canonical: Canonical, field: str) -> bool:
    """Return whether all that a filter lets through has one of the values that it names for a field.

    >>> tea, ann = ("in", "topic", ("tea",)), ("in", "user_id", ("ann",))
    >>> names(("and", (tea, ann)), "user_id"), names(("or", (tea, ann)), "user_id"), names(("not", ann), "user_id")
    (True, False, False)
    """
    word, inner = canonical[0], canonical[1]
    if word == "and":
        return any(names(part, field) for part in inner)
    if word == "or":
        return all(names(part, field) for part in inner)
    return bool(word == "in" and inner == field)


def over(now: float) -> Canonical:
    """Return the filter for the records whose time is over."""
    return ("range", "expires_at", None, False, float(now), True)


def check_size(canonical: Canonical) -> Canonical:
    """Return a filter that is no deeper and no larger than filters may be.

    Raises:
        LimitExceeded: more than 32 levels, or more than 10,000 values.

    """
    levels, values = _size(canonical)
    check_levels(levels)
    check_values(values)
    return canonical


def check_levels(levels: int) -> None:
    """Refuse a filter of more than 32 levels."""
    if levels > MAX_LEVELS:
        raise LimitExceeded(f"where: filters inside filters are over the limit of {MAX_LEVELS} levels; flatten it")


def check_values(values: int) -> None:
    """Refuse a filter of more than 10,000 values."""
    if values > MAX_VALUES:
        raise LimitExceeded(f"where: {values} values are over the limit of {MAX_VALUES}; ask in several calls")


def _joined(word: str, parts: Iterable[Canonical]) -> Canonical:
    """Join filters; those of the same word are taken out of their brackets. By `repr`, True and 1.0 differ."""
    flat = [each for part in parts for each in (part[1] if part[0] == word else (part,))]
    if len(flat) == 1:  # as most are
        return flat[0]
    kept = {repr(each): each for each in flat}
    if len(kept) == 1:
        return next(iter(kept.values()))
    return (word, tuple(kept[key] for key in sorted(kept)))


def _size(canonical: Canonical) -> tuple[int, int]:
    """Return how many levels and values there are; a question whether something exists counts as a value."""
    word = canonical[0]
    if word in ("and", "or"):
        sizes = [_size(part) for part in canonical[1]]
        return 1 + max((levels for levels, _ in sizes), default=0), sum(values for _, values in sizes)
    if word == "not":
        levels, values = _size(canonical[1])
        return levels + 1, values
    return 1, len(canonical[2]) if word == "in" else 1


def _rank(value: Value) -> int:
    return 0 if isinstance(value, bool) else 1 if isinstance(value, float) else 2
