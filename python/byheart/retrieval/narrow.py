"""Searching among some records only: the filter is part of the search, so that it never starves the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass

_GROWTH = 4
_FEW = 500  # names that are handed over more quickly than the cell is searched twice

Hits = list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Narrow:
    """Which records may be found.

    Attributes:
        among: these only; None for all.
        without: none of these.

    """

    among: Set[str] | None = None
    without: Set[str] = frozenset()

    def both(self, among: Set[str] | None) -> Narrow:
        """Return the narrowing to those of these, too.

        >>> Narrow({"a", "b"}).both({"b", "c"}).among
        {'b'}
        """
        if among is None:
            return self
        return Narrow(among if self.among is None else self.among & among, self.without)

    @property
    def wide(self) -> bool:
        """Whether every record may be found."""
        return self.among is None and not self.without

    def holds(self, id: str) -> bool:
        """Return whether a record may be found."""
        return (self.among is None or id in self.among) and id not in self.without


def search(ask: Callable[[int, Set[str] | None], Iterable[tuple[str, float]]], k: int, narrow: Narrow) -> Hits:
    """Return the best k of the records that may be found, as a search of only those would.

    `ask` returns the best of the records that it is given, or of all, in order. Where records are left out it is asked
    for more, until there are enough or no more.

    >>> ranked = [("a", 3.0), ("b", 2.0), ("c", 1.0)]
    >>> search(lambda k, among: ranked[:k], 2, Narrow(without={"a"}))
    [('b', 2.0), ('c', 1.0)]
    """
    if narrow.among is not None:
        return list(ask(k, narrow.among - narrow.without))
    return widened(ask, k, narrow)


def of_many(ask: Callable[[int, Set[str] | None], Iterable[tuple[str, float]]], k: int, narrow: Narrow) -> Hits:
    """Return the same of an exact `ask`, quickly where the records that may be found are many: few are handed to it.

    It is asked for the best of all, and those are kept that may be found; only where they lie far down, or are few, is
    it given their names.

    >>> ranked = [("a", 3.0), ("b", 2.0), ("c", 1.0)]
    >>> of_many(lambda k, among: [hit for hit in ranked if among is None or hit[0] in among][:k], 1, Narrow({"b", "c"}))
    [('b', 2.0)]
    """
    among = narrow.among
    if among is None or len(among) <= _FEW:
        return search(ask, k, narrow)
    for width in (k * _GROWTH, k * _GROWTH**2, k * _GROWTH**3):
        found = list(ask(width, None))
        kept = [hit for hit in found if narrow.holds(hit[0])]
        if len(kept) >= k or len(found) < width:
            return kept[:k]
    return search(ask, k, narrow)


def widened(ask: Callable[[int, Set[str] | None], Iterable[tuple[str, float]]], k: int, narrow: Narrow) -> Hits:
    """Return the same of an `ask` that always looks at all records."""
    width = k + min(len(narrow.without), k * _GROWTH)
    while True:
        found = list(ask(width, None))
        kept = [hit for hit in found if narrow.holds(hit[0])]
        if len(kept) >= k or len(found) < width:
            return kept[:k]
        width *= _GROWTH


@dataclass(frozen=True, slots=True)
class Found:
    """What a narrowed search found, to be read like a `Ranking`."""

    hits: Hits

    @property
    def ids(self) -> list[str]:
        """The ids, best first."""
        return [id for id, _ in self.hits]

    @property
    def scores(self) -> list[float]:
        """The scores, in the same order."""
        return [score for _, score in self.hits]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.hits)

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Give ids and scores."""
        return iter(self.hits)
