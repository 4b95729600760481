"""Records and vectors of a table's rows, read when they are first asked for: those of all rows at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..ranking.candidates import RowKey
from ..records import Record
from .sources import Reader


class Records(Mapping[RowKey, Record]):
    """Records by key, read when they are first asked for: all rows of the table at once."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._held: dict[RowKey, Record | None] = {}
        self._rows: tuple[RowKey, ...] = ()

    def expect(self, keys: Sequence[RowKey]) -> None:
        """Name the rows that are read together."""
        self._rows = tuple(keys)

    def load(self, keys: Sequence[RowKey]) -> list[Record | None]:
        """Read records, as far as they were not, and return them all; None for what is not there."""
        held = self._held
        missing = [key for key in keys if key not in held] if held else list(keys)
        if missing:
            held.update(zip(missing, self._read(missing), strict=True))
        return [held[key] for key in keys]

    def held(self, key: RowKey) -> Record | None:
        """Return a record if it was read and is there."""
        return self._held.get(key)

    def __getitem__(self, key: RowKey) -> Record:
        """Return a record; the first question reads those of all rows."""
        if key not in self._held:
            self.load(list(dict.fromkeys((*self._rows, key))))
        record = self._held[key]
        if record is None:
            raise KeyError(key)
        return record

    def __iter__(self) -> Iterator[RowKey]:
        """Give the keys of the records that were read."""
        return (key for key, record in self._held.items() if record is not None)

    def __len__(self) -> int:
        """Return how many were read."""
        return sum(record is not None for record in self._held.values())


class Vectors:
    """Vectors of records by key, read when they are first asked for: those of all rows of the table at once."""

    def __init__(self, read: Callable[[Sequence[RowKey]], Sequence[Any | None]]) -> None:
        self._read = read
        self._held: dict[RowKey, Any | None] = {}
        self._rows: tuple[RowKey, ...] = ()

    def expect(self, keys: tuple[RowKey, ...]) -> None:
        """Name the rows that are read together."""
        self._rows = keys

    def of(self, key: RowKey) -> Any | None:
        """Return a record's unit vector, or None."""
        if key not in self._held:
            keys = [each for each in dict.fromkeys((*self._rows, key)) if each not in self._held]
            self._held.update(zip(keys, self._read(keys), strict=True))
        return self._held[key]
