"""The figures over a tenant's records: what a recall wants to know of all of them, counted once for each version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .._core import Partition as CorePartition
from ..retrieval.filter.canonical import membership
from .cells import Inside
from .spread import Spread, spread_of

_KEPT = 64  # figures that are remembered
_LINKED = 512  # records: to look at more, after each change, takes longer than a search

T = TypeVar("T")


class Figures:
    """Figures over the records of some cells, remembered while the records stay as they are.

    Args:
        core: what knows the records.

    Attributes:
        core: likewise; another one is put in its place while there are no figures yet.
        version: how often the records have changed: raised by whoever changes them, before and after.

    """

    def __init__(self, core: CorePartition) -> None:
        self.core, self.version = core, 0
        self._kept: dict[tuple[str, ...], tuple[int, Any]] = {}  # by name and cells: of which version

    def max_access_count(self, cells: Sequence[str]) -> int:
        """Return the greatest access count of the records in cells given by their keys; archived ones do not count."""
        return self._of("most used", cells, lambda: int(self.core.greatest("access_count", cells) or 0))

    def spread(self, column: str, inside: Inside) -> Spread:
        """Return the spread of a number over what lies inside a boundary; what has none counts as 0."""

        def count() -> Spread:
            held = self.core.numbers(column, inside.cells)
            return spread_of(held, inside.records - len(held))

        return self._of(column, inside.cells, count)

    def linked(self, field: str, cells: Sequence[str]) -> frozenset[bytes] | None:
        """Return the hashes of what names other records in a field, or is named; None where too many do."""

        def look() -> frozenset[bytes] | None:
            hashes = self.core.linked(field, _LINKED, cells)
            return None if hashes is None else frozenset(hashes)

        return self._of(f"linked by {field}", cells, look)

    def says(self, field: str, cells: Sequence[str]) -> bool:
        """Return whether a record in cells says something in a field."""
        return self._of(f"says {field}", cells, lambda: self.core.count(("exists", field, True), cells) > 0)

    def tells(self, field: str, kinds: tuple[str, ...], cells: Sequence[str]) -> bool:
        """Return whether a record in cells says something in a field, or is of one of some kinds."""

        def look() -> bool:
            return self.says(field, cells) or self.core.count(membership("kind", kinds), cells) > 0

        return self._of(f"tells {field} {kinds}", cells, look)

    def _of(self, name: str, cells: Sequence[str], count: Callable[[], T]) -> T:
        """Return a figure over the records of cells, counted once for each version of the records."""
        key, version = (name, *cells), self.version
        known = self._kept.get(key)
        if known is None or known[0] != version:
            if len(self._kept) >= _KEPT:
                self._kept = {}
            known = self._kept[key] = (version, count())
        figure: T = known[1]
        return figure
