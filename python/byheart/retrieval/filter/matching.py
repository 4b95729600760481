"""The test of one record against a filter, for where no directory of records answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .canonical import Canonical, Value


def matches(canonical: Canonical, fields: Mapping[str, Sequence[Value]]) -> bool:
    """Return whether a filter matches a record with these fields, as `fields_of` gives them.

    >>> matches(("in", "topic", ("rice", "tea")), {"topic": ("tea",)})
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
        return bool(values) is canonical[2]
    if word == "in":
        # A tuple's `in` takes True for 1.0, so the kind is compared as well.
        return any(value == wanted and type(value) is type(wanted) for value in values for wanted in canonical[2])
    _, _, low, low_inclusive, high, high_inclusive = canonical
    kind = type(high if low is None else low)
    return any(
        type(value) is kind
        and (low is None or value > low or (low_inclusive and value == low))
        and (high is None or value < high or (high_inclusive and value == high))
        for value in values
    )
