"""A page of records: a list that knows where the next one begins.

The order is total: by the values of a field, records without one last, and then by id, scope and class. A cursor holds
the place of the last record of a page in that order, and not a number of records: what is remembered or forgotten
meanwhile neither doubles a record nor hides one.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING
from typing import Any, Final

from ..errors import InvalidArgument, UnknownField
from ..frozen import Document
from ..light.classes import dataclass
from ..records import OTHER_WORDS, Record
from ..retrieval.filter import KINDS, Value, fields_of
from ..storage import key_of
from ..validation import nearest, plain_text

_METADATA: Final = "metadata."
_SHOWN: Final = 3  # records, where a page is shown on a line
_LISTS: Final = frozenset(name for name in KINDS if isinstance(getattr(Record(text="-"), name, None), tuple))

Place = tuple[bool, int, Any, str, str, str]
"""Whether there is no value, its kind, the value, and what the record is known by."""


class Page(list[Record], Document):
    """Records in order, and where the next page begins.

    Attributes:
        cursor: what `Memory.records(cursor=...)` takes to go on; None at the end.

    """

    def __init__(self, records: Iterable[Record] = (), cursor: str | None = None) -> None:
        super().__init__(records)
        self.cursor = cursor

    def __repr__(self) -> str:
        """Show how many records there are, the first of them, and whether more come behind."""
        shown = [*map(repr, self[:_SHOWN]), *(["..."] if len(self) > _SHOWN else [])]
        return f"Page({len(self)} records{'' if self.cursor is None else ', more behind'}: [{', '.join(shown)}])"

    def _repr_html_(self) -> str:
        """Show the records as a table in a notebook."""
        from ..recall.showing import table

        names = ["id", "scope", "class", "kind", "text"]
        rows = [(each.id, each.scope, each.boundary_class, each.kind, each.gist()) for each in self]
        return table(f"{len(self)} records{'' if self.cursor is None else ', more behind'}", names, rows)

    @property
    def records(self) -> tuple[Record, ...]:
        """The records, in order."""
        return tuple(self)

    @classmethod
    def _hints(cls) -> Mapping[str, tuple[str, Any]]:
        return {"records": ("tuple[Record, ...]", MISSING), "cursor": ("str | None", None)}

    def __eq__(self, other: object) -> bool:
        """Return whether the records are the same, and the cursor of another page is; a list has none."""
        if not isinstance(other, list):
            return NotImplemented
        return list.__eq__(self, other) and getattr(other, "cursor", self.cursor) == self.cursor

    __hash__ = None  # type: ignore[assignment]  # a list


def check_field(what: str, name: object) -> str:
    """Return the name of a field that records have, or of a metadata key.

    Raises:
        UnknownField: there is none; the message gives the nearest one.

    >>> check_field("by", "metadata.room")
    'metadata.room'

    """
    if not isinstance(name, str):
        raise TypeError(f"{what} must be str, not {type(name).__name__}")
    name = plain_text(name)
    if name not in KINDS and not (name.startswith(_METADATA) and len(name) > len(_METADATA)):
        meant = OTHER_WORDS.get(name, name)
        raise UnknownField(f"{what}: unknown field {name[:80]!r}{nearest(meant if meant in KINDS else name, KINDS)}")
    return name


def values_of(record: Record, name: str) -> tuple[Value, ...]:
    """Return the values that a record has in a field."""
    return fields_of(record).get(name, ())


@dataclass(frozen=True, slots=True)
class Order:
    """An order of records: by a field, upwards or downwards.

    >>> Order.parse("-created_at")
    Order(field='created_at', down=True)

    """

    field: str
    down: bool = False

    @classmethod
    def parse(cls, order_by: str) -> Order:
        """Return the order that a field's name, or one with a "-" before it, stands for.

        Raises:
            UnknownField: there is no such field.
            InvalidArgument: its values are lists, which have no order.

        """
        if not isinstance(order_by, str):
            raise TypeError(f"order_by must be str, not {type(order_by).__name__}")
        order_by = plain_text(order_by)
        name = check_field("order_by", order_by.removeprefix("-"))
        if name in _LISTS:
            raise InvalidArgument(f"order_by: {name!r} holds lists, which have no order; use a field of one value")
        return cls(name, order_by.startswith("-"))

    def __str__(self) -> str:
        """Return what `parse` reads."""
        return f"-{self.field}" if self.down else self.field

    def place(self, record: Record) -> Place:
        """Return the place of a record in the order, to be compared by `after`; of several values, by the first."""
        key = key_of(record)
        found = values_of(record, self.field)
        value = found[0] if found else None
        kind = 0 if value is None else 1 if isinstance(value, bool) else 3 if isinstance(value, str) else 2
        return value is None, kind, value, key.id, key.scope, key.boundary_class

    def sorted(self, records: Iterable[Record]) -> list[Record]:
        """Return the records in this order."""
        placed = sorted(((self.place(record), record) for record in records), key=lambda each: each[0][3:])
        there = [each for each in placed if not each[0][0]]
        there.sort(key=lambda each: each[0][1:3], reverse=self.down)  # stable: ids stay in order
        return [record for _, record in (*there, *(each for each in placed if each[0][0]))]

    def after(self, place: Place, other: Place) -> bool:
        """Return whether a place comes after another."""
        if place[0] != other[0]:
            return place[0]
        if not place[0] and place[1:3] != other[1:3]:
            return bool(place[1:3] > other[1:3]) != self.down
        return place[3:] > other[3:]


def cursor_of(order: Order, record: Record) -> str:
    """Return the cursor that a page after this record begins at."""
    line = json.dumps([str(order), *order.place(record)], separators=(",", ":"))
    return base64.urlsafe_b64encode(line.encode()).decode()


def place_of(order: Order, cursor: str) -> Place:
    """Return the place that a cursor names.

    Raises:
        InvalidArgument: it is no cursor, or one of another order.

    """
    if not isinstance(cursor, str):
        raise TypeError(f"cursor must be str, not {type(cursor).__name__}")
    try:
        by, *place = json.loads(base64.urlsafe_b64decode(plain_text(cursor).encode("ascii")))
        missing, kind, value, id, scope, boundary_class = place
    except (ValueError, TypeError, RecursionError):
        raise InvalidArgument("cursor: is none; give the one of a page, as it is") from None
    good = isinstance(missing, bool) and type(kind) is int and all(isinstance(one, str) for one in place[3:])
    kinds: dict[int, type | tuple[type, ...]] = {0: type(None), 1: bool, 2: (int, float), 3: str}
    if not good or not isinstance(value, kinds.get(kind, ())) or missing != (kind == 0):
        raise InvalidArgument("cursor: is none; give the one of a page, as it is")
    if by != str(order):
        raise InvalidArgument(f"cursor: is of the order {by!r}, and {str(order)!r} is asked for; keep to one order")
    return missing, kind, value, id, scope, boundary_class
