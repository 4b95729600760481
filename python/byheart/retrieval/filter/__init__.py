"""Filters: which records may be found, by their fields and by metadata of one's own.

A filter is written as a mapping, which is also JSON, or by comparing a `field`. It says which records may be found, and
changes no score. The boundary comes first: a filter never reaches a record outside it.

    {"field": value}                      the field has this value; None: it has none
    {"field": [value, ...]}               one of these
    {"field": {">=": a, "<": b}}          > >= < <= == != in, "not in", exists (True or False), not
    {"field": ..., "other": ...}          several keys: all of them
    {"and": [...]} {"or": [...]} {"not": ...}

The spellings `$eq $ne $gt $gte $lt $lte $in $nin $exists $and $or $not` mean the same. "not", "!=" and "not in" match
records that do not have the field; ranges do not. True is not 1, and 1 is 1.0. Of a list in a record, such as `tags`,
one value must match. A metadata key that no record has, or a value of another type, matches nothing.
"""

from __future__ import annotations

from typing import Any

from ...errors import InvalidArgument
from ...light.classes import dataclass
from ...records import Record
from ...validation import epoch_seconds
from .builder import Field, field
from .canonical import EVERYTHING, Canonical, Value, all_of, any_of, check_size, negated
from .fields import KINDS, fields_of
from .matching import matches
from .reading import OPERATORS, read, written
from .typed import Condition, FieldFilter, Operators, Scalar, Where

__all__ = [
    "EVERYTHING",
    "KINDS",
    "OPERATORS",
    "Canonical",
    "Condition",
    "Field",
    "FieldFilter",
    "Filter",
    "Operators",
    "Scalar",
    "Value",
    "Where",
    "field",
    "fields_of",
]


@dataclass(frozen=True, slots=True, eq=False)
class Filter:
    """Which records may be found. Made by `Filter.parse`, or by comparing a `field`; equal if it says the same.

    >>> kitchen = Filter.parse({"metadata.room": "kitchen"})
    >>> kitchen == (field("metadata.room") == "kitchen")
    True
    >>> (kitchen | ~field("user_id").exists()).to_dict()
    {'or': [{'user_id': {'exists': False}}, {'metadata.room': 'kitchen'}]}

    """

    canonical: Canonical = EVERYTHING

    @classmethod
    def parse(cls, where: Where | Filter) -> Filter:
        """Return the filter that a mapping describes; a filter is returned as it is.

        Raises:
            TypeError: neither a mapping nor a filter.
            UnknownField: a field that records do not have; the message gives the nearest one.
            InvalidArgument: an operator that does not exist, or a value that the field does not take.
            LimitExceeded: more than 32 levels, or more than 10,000 values.

        >>> Filter.parse({"importance": {"$gte": 0.5}}) == Filter.parse({"importance": {">=": 0.5}})
        True

        """
        return where if isinstance(where, Filter) else cls(read(where))

    @classmethod
    def asked(
        cls,
        where: Where | Filter | None = None,
        *,
        since: Scalar | None = None,
        until: Scalar | None = None,
    ) -> Filter | None:
        """Return what a call asked for by `where`, `since` and `until`; None if every record may be found.

        >>> Filter.asked() is None
        True
        """
        made = cls.between(since, until)
        if where is not None:
            said = cls.parse(where)
            made = said if made.wide else cls.all_of(said, made)
        return None if made.wide else made

    @classmethod
    def between(cls, since: Scalar | None = None, until: Scalar | None = None) -> Filter:
        """Return what matches records made from `since` on and before `until`; None leaves an end open.

        Raises:
            InvalidArgument: a time that cannot be read, or `since` is after `until`.

        >>> Filter.between("2026-01-01T00:00:00Z", 1767312000).to_dict()
        {'created_at': {'>=': 1767225600.0, '<': 1767312000.0}}

        """
        asked = {sign: time for sign, time in ((">=", since), ("<", until)) if time is not None}
        if not asked:
            return cls()
        for name, time in (("since", since), ("until", until)):
            epoch_seconds(name, time)  # an error names what was given
        made = cls(read({"created_at": asked}))
        _, _, low, _, high, _ = made.canonical
        if low is not None and high is not None and low > high:
            raise InvalidArgument(f"since: {since} is after until, {until}; give the earlier time first")
        return made

    @classmethod
    def all_of(cls, *filters: Filter) -> Filter:
        """Return what matches where all of the filters match; without any, everything."""
        return cls(check_size(all_of(each.canonical for each in filters)))

    @classmethod
    def any_of(cls, *filters: Filter) -> Filter:
        """Return what matches where one of the filters matches.

        Raises:
            InvalidArgument: no filter was given.

        """
        if not filters:
            raise InvalidArgument("filter: any_of needs at least one filter")
        return cls(check_size(any_of(each.canonical for each in filters)))

    @property
    def wide(self) -> bool:
        """Whether it lets every record through because it asks for nothing."""
        return self.canonical == EVERYTHING

    def matches(self, record: Record) -> bool:
        """Return whether a record has what is asked for.

        >>> Filter.parse({"tags": ["tea"]}).matches(Record(text="-"))
        False
        """
        return matches(self.canonical, fields_of(record))

    def to_dict(self) -> dict[str, Any]:
        """Return the filter as JSON can hold it; `Filter.parse` makes an equal one of it."""
        return written(self.canonical)

    def __and__(self, other: Filter) -> Filter:
        return Filter.all_of(self, other) if isinstance(other, Filter) else NotImplemented

    def __or__(self, other: Filter) -> Filter:
        return Filter.any_of(self, other) if isinstance(other, Filter) else NotImplemented

    def __invert__(self) -> Filter:
        return Filter(check_size(negated(self.canonical)))

    # By `repr`, since True == 1.0 in Python and not here.
    def __eq__(self, other: object) -> bool:
        return repr(self.canonical) == repr(other.canonical) if isinstance(other, Filter) else NotImplemented

    def __hash__(self) -> int:
        return hash(repr(self.canonical))

    def __bool__(self) -> bool:
        raise TypeError("a filter is neither true nor false; join filters by & | ~ instead of and, or, not")

    def __repr__(self) -> str:
        return f"Filter.parse({self.to_dict()!r})"
