"""The ends of records' lives, by cell and in order of time: what has ended is found without a walk over the rest."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any


class Ends:
    """When the records end that ever do."""

    def __init__(self) -> None:
        self._by_cell: dict[str, dict[str, float]] = {}
        self._ordered: dict[str, list[tuple[float, str]]] = {}

    def put(self, cell: str, id: str, end: float) -> None:
        """Note when a record ends."""
        self.leave(cell, id)
        self._by_cell.setdefault(cell, {})[id] = end
        insort(self._ordered.setdefault(cell, []), (end, id))

    def leave(self, cell: str, id: str) -> None:
        """Take a record out; an unknown one is passed over."""
        ends = self._by_cell.get(cell, {})
        end = ends.pop(id, None)
        if end is None:
            return
        ordered = self._ordered[cell]
        del ordered[bisect_right(ordered, (end, id)) - 1]
        if not ends:
            del self._by_cell[cell], self._ordered[cell]

    def any_in(self, cells: Iterable[str]) -> bool:
        """Return whether a record of some cells ever ends."""
        return any(cell in self._by_cell for cell in cells)

    def over(self, cells: Iterable[str], now: float) -> list[str]:
        """Return the records of some cells whose time is over.

        >>> ends = Ends()
        >>> ends.put("c", "a", 10.0), ends.put("c", "b", 20.0)
        (None, None)
        >>> ends.over(["c"], 10.0), ends.over(["other"], 10.0)
        (['a'], [])
        """
        found: list[str] = []
        for cell in cells:
            ordered = self._ordered.get(cell, [])
            found += [id for _, id in ordered[: bisect_right(ordered, now, key=lambda row: row[0])]]
        return found

    def items(self, holds: Callable[[str], bool]) -> Iterator[tuple[str, float]]:
        """Give ids and ends of the cells that `holds` is true of."""
        return ((id, end) for cell, ends in self._by_cell.items() if holds(cell) for id, end in ends.items())

    def table(self) -> Mapping[str, Mapping[str, float]]:
        """Return what `restore` makes the same of."""
        return self._by_cell

    def restore(self, table: Mapping[str, Any]) -> None:
        """Become what gave this table; raise what Python raises if it is none."""
        self._by_cell = {cell: {id: float(end) for id, end in ends.items()} for cell, ends in table.items()}
        self._ordered = {cell: sorted((end, id) for id, end in ends.items()) for cell, ends in self._by_cell.items()}
        if not all(math.isfinite(end) for ends in self._by_cell.values() for end in ends.values()):
            raise ValueError("the table has ends that are no times")
