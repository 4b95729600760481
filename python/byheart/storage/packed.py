"""A record as a few bytes in this process: the values that say something, and which fields they are of.

A `Record` has some sixty fields, most of which say nothing; as an object it takes more than its text. What is packed is
never on disk and never leaves the process, so it is in no form that others read.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple

from .._core import Table
from ..frozen import teller
from ..frozen.read_only import ReadOnlyDict
from ..frozen.sorted_json import line_writer
from ..records import DEFAULTS, Record
from .encoding import UNSAYABLE, unsaid
from .protocol import Key, key_of

_BLANK: Final = Record(text="-")
_MAPPINGS: Final = ("provenance", "metadata")
_SHARED: Final = ("tenant", "scope", "boundary_class")
_SCALARS: Final = frozenset((str, int, float, bool, type(None)))
_LISTS: Final = frozenset(name for name, default in DEFAULTS.items() if default == ())
_MADE: Final = frozenset((*_MAPPINGS, *_LISTS, "revisions"))  # of what JSON says
# Made once: to make one takes as long as to write a row.
_encoded: Final = line_writer(sort_keys=False, separators=(",", ":"), allow_nan=True)
_decoded: Final = json.JSONDecoder().raw_decode
_Name = str | tuple[str, ...]
"""A field, or one that is a mapping with the keys that it has."""
_CELL: Final = attrgetter(*_SHARED)
_told: Final = teller(
    {name: default for name, default in DEFAULTS.items() if name not in ("id", *_SHARED)}, always="text"
)
_MOST_SHAPES: Final = 4_096  # that name the keys of mappings, too: of more, each row names its own
_MOST: Final = 4_096  # records that are kept as objects, too: those that are read again and again
_LATELY: Final = 16  # that were written last and are kept so: whoever writes a few has them indexed next
_FEW: Final = 256  # that are read at once for an answer; more are read to be indexed or compared


class _Shape(NamedTuple):
    """What records have in common that lie in one cell and have the same fields.

    Attributes:
        names: of the fields that say something.
        cell: where they lie, by field.
        plain: whether JSON says the value of each field as it is.

    """

    names: tuple[Any, ...]
    cell: dict[str, str]
    plain: bool


class Packer:
    """Packs records and unpacks them; where a record lies and which fields it has is kept once for all that are alike.

    >>> packer, record = Packer(), Record(text="tea", id="a", scope="kitchen", metadata={"litres": 2})
    >>> packer.unpacked(packer.packed(record), "a") == record, len(packer.packed(record)) < 50
    (True, True)
    """

    def __init__(self) -> None:
        self._shapes: list[_Shape] = []
        self._numbers: dict[tuple[Any, ...], int] = {}

    def packed(self, record: Record) -> bytes:
        """Return a record as bytes, without its id."""
        return self.packed_plainly(record)[0]

    def packed_plainly(self, record: Record) -> tuple[bytes, bool]:
        """Return a record as bytes, without its id, and whether they say all of it: then `unpacked` gives its equal.

        A text of a type of one's own comes back as a plain one.
        """
        cell, has_room = _CELL(record), len(self._shapes) < _MOST_SHAPES
        is_plain = record.invariant is False and _SCALARS.issuperset(map(type, (record.id, *cell)))
        names: list[_Name] = []
        values: list[Any] = []
        for name, value in _told(record):
            kind = type(value)
            if kind is ReadOnlyDict and has_room and _SCALARS.issuperset(map(type, value.values())):
                names.append((name, *value))
                values += value.values()
                continue
            is_plain = is_plain and kind in _SCALARS
            names.append(name)
            values.append(value)
        return _encoded([self._number((*names, cell)), *values]).encode(), is_plain

    def _number(self, shape: tuple[Any, ...]) -> int:
        number = self._numbers.get(shape)
        if number is None:
            *names, cell = shape
            plain = _MADE.isdisjoint(names) and all(isinstance(name, str) for name in names)
            own = _Shape(tuple(names), dict(zip(_SHARED, cell, strict=True)), plain)
            self._shapes.append(own)  # first: who sees it finds it
            number = self._numbers[shape] = len(self._shapes) - 1
        return number

    def unpacked(self, row: bytes, id: str) -> Record:
        """Return the record of a row."""
        (number, *said), _ = _decoded(row.decode())
        names, cell, is_plain = self._shapes[number]
        if is_plain:  # as most
            return _BLANK.retold({**dict(zip(names, said, strict=True)), **cell, "id": id})
        each = iter(said)
        values: dict[str, Any] = {name: {} for name in _MAPPINGS}
        for name in names:
            if isinstance(name, str):
                values[name] = next(each)
            else:
                mapping, *keys = name
                values[mapping] = dict(zip(keys, each, strict=False))  # the rest is of the next
        for name in _LISTS.intersection(values):
            values[name] = tuple(values[name])
        if "revisions" in values:
            values["revisions"] = tuple((at, how, tuple(of)) for at, how, of in values["revisions"])
        return _BLANK.completed(**values, id=id, **cell)


class Packed(NamedTuple):
    """A record and its bytes, and whether these say all of it."""

    record: Record
    row: bytes
    plain: bool


class PackedTogether:
    """Packed records: of many, their bytes in one row after the other, since an object for each takes as much again."""

    def __init__(self, records: Sequence[Record], packed: Iterable[Packed]) -> None:
        """Take in what `packed` gives of the records, in order."""
        self.records = records
        self._few = list(packed) if len(records) <= _LATELY else None
        self._bytes, self._plain, self._ends = bytearray(), bytearray(), array("Q")
        for _, row, plain in packed if self._few is None else ():
            self._bytes += row
            self._plain.append(plain)
            self._ends.append(len(self._bytes))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.records)

    def __iter__(self) -> Iterator[tuple[Key, Packed]]:
        """Give each with its key; of two with one key, the later one counts."""
        if self._few is not None:
            yield from zip(map(key_of, self.records), self._few, strict=True)
            return
        start = 0
        for record, end, plain in zip(self.records, self._ends, self._plain, strict=True):
            yield key_of(record), Packed(record, bytes(self._bytes[start:end]), bool(plain))
            start = end


_Held = tuple[int, bytes, Record]
"""A record as an object, its row, and the version at which that was looked at: of another one it is looked at again."""


class PackedRecords:
    """Records by key, packed; a few that were read lately are kept as objects, as long as their rows stand."""

    def __init__(self, table: Table) -> None:
        """Keep the rows in a table, which may hold vectors too."""
        self._packer = Packer()
        self._rows = table
        self._version = 0  # raised once a row was put or removed
        self._read: dict[Key, _Held] = {}
        self._put: dict[Key, _Held] = {}

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._rows)

    def among(self, keys: Iterable[Key]) -> frozenset[Key]:
        """Return those of some keys that have a record."""
        return frozenset(key for key in keys if key in self._rows)

    def all(self) -> list[Record]:
        """Return every record."""
        return [self._packer.unpacked(row, id) for (*_, id), row in self._rows.items()]

    def get(self, keys: Sequence[Key]) -> list[Record | None]:
        """Return the records of these keys, None where there is none; those of many are not kept as objects."""
        if len(keys) <= _FEW:
            version, held = self._version, map(self._read.get, keys)
            return [
                each[2] if each is not None and each[0] == version else self._get(key)
                for key, each in zip(keys, held, strict=True)
            ]
        rows = zip(self._rows.rows(keys), keys, strict=True)
        return [None if row is None else self._packer.unpacked(row, key.id) for row, key in rows]

    def _get(self, key: Key) -> Record | None:
        version = self._version  # before the row: what is written from here on makes it an older one
        row = self._rows.row(key)
        if row is None:
            return None
        held = self._read.get(key) or self._put.get(key)
        record = held[2] if held is not None and held[1] == row else self._packer.unpacked(row, key.id)
        if len(self._read) >= _MOST:
            self._read = {}
        self._read[key] = version, row, record
        if self._version != version:  # written or removed meanwhile: nothing of what it said stays
            self._read.pop(key, None)
        return record

    def packed_together(self, records: Sequence[Record]) -> PackedTogether:
        """Return records as `put_all` takes them. Errors as in `packed`."""
        return PackedTogether(records, map(self.packed, records))

    def put_all(self, together: PackedTogether) -> None:
        """Put records, in the place of older ones."""
        few = len(together) <= _LATELY  # of many, those kept as objects would hold the memory beside them
        for key, packed in together:
            self.put(key, packed, lately=few)

    def packed(self, record: Record) -> Packed:
        """Return a record as `put` takes it; an error if JSON cannot say what it holds."""
        try:
            return Packed(record, *self._packer.packed_plainly(record))
        except UNSAYABLE as error:
            raise unsaid(record, error) from error

    def put(self, key: Key, packed: Packed, *, lately: bool = True) -> None:
        """Put a record, in the place of an older one."""
        record, row, plain = packed
        self._rows.put(key, row)
        self._forget(key)
        if plain and lately:
            if len(self._put) >= _LATELY:
                self._put = {}
            self._put[key] = self._version, row, record

    def remove(self, key: Key) -> None:
        """Remove a record; an unknown one is passed over."""
        self._rows.remove(key)
        self._forget(key)

    def _forget(self, key: Key) -> None:
        self._version += 1
        self._read.pop(key, None)
        self._put.pop(key, None)
