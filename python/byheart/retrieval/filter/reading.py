"""The written form of filters, which is also JSON: from it to the canonical one, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...errors import InvalidArgument
from ...validation import nearest, plain_text
from ...words import Operator, words_of
from .canonical import (
    Canonical,
    Value,
    all_of,
    any_of,
    check_levels,
    check_size,
    check_values,
    membership,
    negated,
)
from .fields import Kind, kind_of, shown, value_of

_JOINS: Mapping[str, Callable[[list[Canonical]], Canonical]] = {
    "and": all_of, "$and": all_of, "or": any_of, "$or": any_of,
}  # fmt: skip
_NOT = ("not", "$not")
_EQUAL = {"==": True, "=": True, "$eq": True, "!=": False, "$ne": False}
_MEMBER = {"in": True, "$in": True, "not in": False, "$nin": False}
_EXISTS = ("exists", "$exists")
_BOUNDS = {">": ">", "$gt": ">", ">=": ">=", "$gte": ">=", "<": "<", "$lt": "<", "<=": "<=", "$lte": "<="}
_WORDS = (*_EQUAL, *_MEMBER, *_EXISTS, *_BOUNDS, *_NOT)
OPERATORS: tuple[str, ...] = words_of(Operator)


def read(where: object) -> Canonical:
    """Return the canonical form of a written filter.

    Raises:
        TypeError: it is no mapping.
        UnknownField: a field that records do not have.
        InvalidArgument: an operator that does not exist, or a value that a field does not take.
        LimitExceeded: more than 32 levels, or more than 10,000 values.

    >>> read({"metadata.room": "kitchen", "importance": {">=": 0.5}})
    ('and', (('in', 'metadata.room', ('kitchen',)), ('range', 'importance', 0.5, True, None, False)))

    """
    if not isinstance(where, Mapping):
        raise TypeError(f"where must be a mapping such as {{'topic': 'tea'}}, not {type(where).__name__}")
    return check_size(_Reading().filter(where, 1))


class _Reading:
    """One filter being read; it counts as it goes, so that a huge one is refused early."""

    def __init__(self) -> None:
        self._values = 0

    def filter(self, where: object, level: int) -> Canonical:
        """Return a whole filter: several keys are "and"."""
        check_levels(level)
        if not isinstance(where, Mapping):
            raise InvalidArgument(f"where: a filter is a mapping such as {{'topic': 'tea'}}, not {shown(where)}")
        return all_of([self._entry(key, value, level) for key, value in where.items()])

    def _entry(self, key: object, value: object, level: int) -> Canonical:
        key = plain_text(key)
        if isinstance(key, str):
            if key in _JOINS:
                return _JOINS[key]([self.filter(part, level + 1) for part in _listed(key, value)])
            if key in _NOT:
                return negated(self.filter(value, level + 1))
        field, kind = kind_of(key)
        return self._condition(field, kind, value, level)

    def _condition(self, field: str, kind: Kind, value: object, level: int) -> Canonical:
        """Return what a field's value says: a value, a list of values, or a mapping of operators."""
        check_levels(level)
        if isinstance(value, Mapping):
            return self._operators(field, kind, value, level)
        return self._membership(field, kind, value if _is_list(value) else [value])

    def _operators(self, field: str, kind: Kind, operators: Mapping[Any, object], level: int) -> Canonical:
        if not operators:
            raise InvalidArgument(f"where: {field}: names no operator; use one of {', '.join(OPERATORS)}")
        parts: list[Canonical] = []
        bounds: list[tuple[str, object]] = []
        for given, value in operators.items():
            operator = plain_text(given)
            if operator in _BOUNDS:
                bounds.append((_BOUNDS[operator], value))
            else:
                parts.append(self._operator(field, kind, operator, value, level))
        return all_of([*parts, *self._ranges(field, kind, bounds)])

    def _operator(self, field: str, kind: Kind, operator: Any, value: object, level: int) -> Canonical:
        if operator in _EQUAL:
            if _is_list(value):
                raise InvalidArgument(f"where: {field}: {operator!r} takes one value; 'in' and 'not in' take a list")
            return _said(_EQUAL[operator], self._membership(field, kind, [value]))
        if operator in _MEMBER:
            if not _is_list(value):
                raise InvalidArgument(f"where: {field}: {operator!r} takes a list, not {shown(value)}")
            return _said(_MEMBER[operator], self._membership(field, kind, value))
        if operator in _EXISTS:
            if not isinstance(value, bool):
                raise InvalidArgument(f"where: {field}: {operator!r} takes True or False, not {shown(value)}")
            self._count(1)
            return ("exists", field, value)
        if operator in _NOT:
            return negated(self._condition(field, kind, value, level + 1))
        near = nearest(operator, _WORDS) if isinstance(operator, str) else ""
        known = ", ".join(OPERATORS)
        raise InvalidArgument(f"where: {field}: unknown operator {shown(operator)}; there are {known}{near}")

    def _membership(self, field: str, kind: Kind, values: Any) -> Canonical:
        """Return what matches one of some values, of which None is having none."""
        self._count(max(1, len(values)))
        there = membership(field, [value_of(field, kind, value) for value in values if value is not None])
        if all(value is not None for value in values):
            return there
        missing: Canonical = ("exists", field, False)
        return any_of([there, missing]) if there[2] else missing

    def _ranges(self, field: str, kind: Kind, bounds: list[tuple[str, object]]) -> Iterator[Canonical]:
        """Give one range for a lower and an upper bound; a second lower or upper one is a range of its own."""
        self._count(len(bounds))
        lows: list[tuple[Value, bool]] = []
        highs: list[tuple[Value, bool]] = []
        for sign, given in bounds:
            bound = value_of(field, kind, given, exact=False)
            if isinstance(bound, bool):
                raise InvalidArgument(f"where: {field}: {sign!r} takes no {given}; flags have no order")
            (lows if sign[0] == ">" else highs).append((bound, len(sign) == 2))
        for place in range(max(len(lows), len(highs))):
            low, low_inclusive = lows[place] if place < len(lows) else (None, False)
            high, high_inclusive = highs[place] if place < len(highs) else (None, False)
            if low is not None and high is not None and type(low) is not type(high):
                raise InvalidArgument(f"where: {field}: no value lies between {shown(low)} and {shown(high)}")
            yield ("range", field, low, low_inclusive, high, high_inclusive)

    def _count(self, values: int) -> None:
        self._values += values
        check_values(self._values)


def _said(positive: bool, part: Canonical) -> Canonical:
    return part if positive else negated(part)


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple, set, frozenset))


def _listed(word: str, value: object) -> list[object]:
    if not isinstance(value, (list, tuple)):
        raise InvalidArgument(f"where: {word!r} takes a list of filters, not {shown(value)}")
    if not value:
        raise InvalidArgument(f"where: {word!r} is empty; give at least one filter, or leave it out")
    return list(value)


def written(canonical: Canonical) -> dict[str, Any]:
    """Return the written form of a canonical filter; `read` gives the filter again.

    >>> written(read({"topic": ["tea", "rice"], "importance": {">=": 0.5, "<": 1}}))
    {'topic': ['rice', 'tea'], 'importance': {'>=': 0.5, '<': 1.0}}
    """
    word = canonical[0]
    if word == "not":
        return {"not": written(canonical[1])}
    if word in ("and", "or"):
        parts = [written(part) for part in canonical[1]]
        if word == "or":
            return {"or": parts}
        merged = {key: value for part in parts for key, value in part.items()}
        return merged if len(merged) == sum(len(part) for part in parts) else {"and": parts}
    field = canonical[1]
    if word == "exists":
        return {field: {"exists": canonical[2]}}
    if word == "in":
        values = canonical[2]
        return {field: values[0] if len(values) == 1 else list(values)}
    _, _, low, low_inclusive, high, high_inclusive = canonical
    lower = {} if low is None else {">=" if low_inclusive else ">": low}
    upper = {} if high is None else {"<=" if high_inclusive else "<": high}
    return {field: lower | upper}
