"""The typed spelling of filters: `field("topic") == "tea"`, joined by `&`, `|` and `~`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...validation import counted
from .canonical import MAX_VALUES
from .fields import kind_of
from .reading import read

if TYPE_CHECKING:
    from . import Filter, Scalar


class Field:
    """A field that a filter asks for; comparing it makes a `Filter`.

    >>> from byheart import field
    >>> made = (field("created_at") >= 0) & ~field("user_id").is_in(["ann", "bob"])
    >>> made.to_dict()
    {'not': {'user_id': ['ann', 'bob']}, 'created_at': {'>=': 0.0}}

    """

    __slots__ = ("_name",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, name: str) -> None:
        self._name = kind_of(name)[0]

    def __eq__(self, value: Scalar | None) -> Filter:  # type: ignore[override]
        """Match records with this value; None matches records without one."""
        return self._asked("==", value)

    def __ne__(self, value: Scalar | None) -> Filter:  # type: ignore[override]
        """Match records without this value, those that have none included."""
        return self._asked("!=", value)

    def __lt__(self, value: Scalar) -> Filter:
        """Match records with a smaller value."""
        return self._asked("<", value)

    def __le__(self, value: Scalar) -> Filter:
        """Match records with this value or a smaller one."""
        return self._asked("<=", value)

    def __gt__(self, value: Scalar) -> Filter:
        """Match records with a larger value."""
        return self._asked(">", value)

    def __ge__(self, value: Scalar) -> Filter:
        """Match records with this value or a larger one."""
        return self._asked(">=", value)

    def is_in(self, values: Iterable[Scalar | None]) -> Filter:
        """Match records with one of these values."""
        return self._asked("in", _listed(values))

    def not_in(self, values: Iterable[Scalar | None]) -> Filter:
        """Match records with none of these values."""
        return self._asked("not in", _listed(values))

    def exists(self) -> Filter:
        """Match records that have a value."""
        return self._asked("exists", True)

    def missing(self) -> Filter:
        """Match records that have no value."""
        return self._asked("exists", False)

    def __repr__(self) -> str:
        return f"field({self._name!r})"

    def _asked(self, operator: str, value: object) -> Filter:
        from . import Filter

        return Filter(read({self._name: {operator: value}}))


def field(name: str) -> Field:
    """Return a field to be compared: one of a record's, or `metadata.KEY`.

    Raises:
        UnknownField: records have no such field; the message gives the nearest one.

    >>> (field("metadata.room") == "kitchen").to_dict()
    {'metadata.room': 'kitchen'}

    """
    return Field(name)


def _listed(values: Iterable[Scalar | None]) -> object:
    """Return the values as a list; a text is handed on as it is, to be refused rather than cut into letters."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        return values
    return list(counted("values", values, MAX_VALUES))
