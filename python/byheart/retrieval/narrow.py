"""Searching among some records only: the filter is part of the search, so that it never starves the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from itertools import count

_GROWTH = 4
_ROUNDS = 4

FEW = 1_000
"""So many records are looked at one by one, rather than found among all."""

Hits = list[tuple[str, float]]
Ask = Callable[[int, Set[str] | None], Iterable[tuple[str, float]]]


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
        return replace(self, among=among if self.among is None else self.among & among)

    @property
    def wide(self) -> bool:
        """Whether every record may be found."""
        return self.among is None and not self.without

    def holds(self, id: str) -> bool:
        """Return whether a record may be found."""
        return (self.among is None or id in self.among) and id not in self.without


def search(ask: Ask, k: int, narrow: Narrow) -> Hits:
    """Return the best k of the records that may be found, as a search of only those would.

    `ask` returns the best of the records that it is given, or of all, in order, and exactly so. It is given them if
    they are few; otherwise it is asked for more of all, until enough of them may be found, and given them if that takes
    too long.

    >>> ranked = [("a", 3.0), ("b", 2.0), ("c", 1.0)]
    >>> search(lambda k, among: ranked[:k], 2, Narrow(without={"a"}))
    [('b', 2.0), ('c', 1.0)]
    """
    if narrow.among is None:
        return widened(ask, k, narrow)
    found = None if len(narrow.among) <= FEW else _widened(ask, k, narrow, _ROUNDS)
    return found if found is not None else list(ask(k, narrow.among - narrow.without))


def widened(ask: Ask, k: int, narrow: Narrow) -> Hits:
    """Return the same of an `ask` that always looks at all records."""
    found = _widened(ask, k, narrow, rounds=None)
    assert found is not None, "without a limit it ends where there is no more"
    return found


def _widened(ask: Ask, k: int, narrow: Narrow, rounds: int | None) -> Hits | None:
    width = k + min(len(narrow.without), k * _GROWTH)
    for turn in count(1):
        found = list(ask(width, None))
        kept = [hit for hit in found if narrow.holds(hit[0])]
        if len(kept) >= k or len(found) < width:
            return kept[:k]
        if turn == rounds:
            break
        width *= _GROWTH
    return None


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
