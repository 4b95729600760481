"""The cells of a tenant, and how many records each holds; to find those inside a boundary, no other is looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..boundary import Boundary
from ..light.classes import dataclass

Cell = tuple[str, str]
"""Scope and class."""


class Size(NamedTuple):
    """How many records of a cell can be found, and how many are archived."""

    active: int
    archived: int


NOBODY = Size(0, 0)


@dataclass(frozen=True, slots=True)
class Inside:
    """What lies inside a boundary, as far as it can be found.

    Attributes:
        cells: the keys of its cells that hold such records.
        records: how many there are.
        ends: whether one of them ever ends.
        dated: whether one of them says from when or until when it holds.
        superseded: whether another one stands in the place of one of them.
        blank: how many are in no index of vectors, if there is one: they have no vector, or one of zeros.

    """

    cells: list[str]
    records: int
    ends: bool
    blank: int
    dated: bool = False
    superseded: bool = False

    @property
    def timed(self) -> bool:
        """Whether it depends on the time what can be found."""
        return self.ends or self.dated


class Cells:
    """The sizes of cells, by class and then by scope; empty cells are not in it.

    >>> cells = Cells()
    >>> cells.reset({("s", "public"): (2, 1), ("t", "secret"): (1, 0)})
    >>> dict(cells.inside(Boundary(classes=("public",))))
    {('s', 'public'): Size(active=2, archived=1)}

    """

    def __init__(self) -> None:
        """Start without cells."""
        self._scopes: dict[str, dict[str, Size]] = {}

    def reset(self, sizes: Mapping[Cell, tuple[int, int]]) -> None:
        """Know these cells and no others."""
        self._scopes = {}
        for (scope, boundary_class), size in sizes.items():
            self._scopes.setdefault(boundary_class, {})[scope] = Size(*size)

    def changed(self, sizes: Mapping[Cell, tuple[int, int]]) -> None:
        """Take in the sizes that cells have now."""
        for (scope, boundary_class), size in sizes.items():
            scopes = self._scopes.setdefault(boundary_class, {})
            if size == NOBODY:
                scopes.pop(scope, None)
            else:
                scopes[scope] = Size(*size)

    def inside(self, boundary: Boundary) -> Iterator[tuple[Cell, Size]]:
        """Give the cells inside a boundary with their sizes, in order."""
        found = []
        for boundary_class in boundary.classes:
            scopes = self._scopes.get(boundary_class, {})
            named: Iterable[str] = scopes if boundary.scopes is None else boundary.scopes
            found += [((scope, boundary_class), scopes[scope]) for scope in named if scope in scopes]
        return iter(sorted(found))

    def all(self) -> dict[Cell, Size]:
        """Return all cells with their sizes."""
        return {
            (scope, boundary_class): size
            for boundary_class, scopes in self._scopes.items()
            for scope, size in scopes.items()
        }
