"""The filter of a search, by its definition: whether a record has the values that were asked for.

A record is a mapping of field names to the values that it has; a field without a value is left out, or has none. A
filter is one of these nested tuples:

    ("and", (filter, ...))     all of them; with none, everything
    ("or", (filter, ...))      one of them
    ("not", filter)            what the filter does not match: records without the field, too
    ("in", field, (value, ...))    one value of the record is one of these
    ("range", field, low or None, whether low itself counts, high or None, whether high itself counts)
                               one value of the record lies between the two
    ("exists", field, flag)    whether the record has a value there

A value is a text, a number or a flag. Values of two kinds are never equal and have no order: True is not 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Value = str | int | float | bool


def matches(canonical: tuple[Any, ...], fields: Mapping[str, Sequence[Value]]) -> bool:
    """Return whether a filter matches a record with these fields.

    >>> room = ("in", "metadata.room", ("kitchen",))
    >>> matches(room, {"metadata.room": ("kitchen", "hall")}), matches(("not", room), {})
    (True, True)
    >>> matches(("range", "importance", 0.5, True, None, False), {"importance": (0.5,)})
    True
    """
    word = canonical[0]
    if word == "and":
        return all(matches(part, fields) for part in canonical[1])
    if word == "or":
        return any(matches(part, fields) for part in canonical[1])
    if word == "not":
        return not matches(canonical[1], fields)
    values = fields.get(canonical[1], ())
    if word == "exists":
        wanted: bool = canonical[2]
        return (len(values) > 0) == wanted
    if word == "in":
        return any(equal(value, one) for value in values for one in canonical[2])
    if word == "range":
        return any(between(value, *canonical[2:]) for value in values)
    raise ValueError(f"filter: unknown word {word!r}")


def kind(value: Value) -> str:
    """Return the kind of a value: "flag", "number" or "text".

    >>> kind(True), kind(1), kind("1")
    ('flag', 'number', 'text')
    """
    if isinstance(value, bool):
        return "flag"
    return "text" if isinstance(value, str) else "number"


def equal(one: Value, other: Value) -> bool:
    """Return whether two values are of one kind and equal.

    >>> equal(1, 1.0), equal(1, True), equal("1", 1)
    (True, False, False)
    """
    return kind(one) == kind(other) and one == other


def between(value: Value, low: Value | None, low_inclusive: bool, high: Value | None, high_inclusive: bool) -> bool:
    """Return whether a value lies between two bounds of its kind; numbers by size, texts by code points.

    >>> between(3, 1, True, 3, False), between("b", "a", True, None, False), between("b", 1, True, None, False)
    (False, True, False)
    """
    if low is None and high is None:
        return False
    if low is not None:
        if kind(value) != kind(low) or value < low:  # type: ignore[operator]
            return False
        if value == low and not low_inclusive:
            return False
    if high is not None:
        if kind(value) != kind(high) or value > high:  # type: ignore[operator]
            return False
        if value == high and not high_inclusive:
            return False
    return True
