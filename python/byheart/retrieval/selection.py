"""Which records a search may find; and searches among them, so that a filter never starves an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from itertools import count

_GROWTH = 4
_ROUNDS = 4

ONE_BY_ONE = 1_000
"""So many records are looked at one by one, rather than found among all."""

Hits = list[tuple[str, float]]
Ask = Callable[[int, Set[str] | None], Iterable[tuple[str, float]]]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which records may be found.

    Attributes:
        among: these only; None for all.
        without: none of these.

    """

    among: Set[str] | None = None
    without: Set[str] = frozenset()

    def both(self, among: Set[str] | None) -> Selection:
        """Return the selection of those that are among these, too.

        >>> Selection({"a", "b"}).both({"b", "c"}).among
        {'b'}
        """
        if among is None:
            return self
        return replace(self, among=among if self.among is None else self.among & among)

    @property
    def everything(self) -> bool:
        """Whether every record may be found."""
        return self.among is None and not self.without

    def holds(self, id: str) -> bool:
        """Return whether a record may be found."""
        return (self.among is None or id in self.among) and id not in self.without


@dataclass(frozen=True, slots=True)
class Selected:
    """What a search among some records found, and what the search of all found that a score may rest on.

    Attributes:
        hits: the best of the records that may be found.
        top: the best raw score of all; None if nothing was found.
        count: how many the search of all proposed.

    """

    hits: Hits
    top: float | None
    count: int

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Give ids and scores."""
        return iter(self.hits)


def search(ask: Ask, k: int, selection: Selection, *, narrows: bool = True) -> Selected:
    """Return the best k of the records that may be found, as a search of only those would.

    `ask` returns the best of the records that it is given, or of all, in order, and exactly so. It is given them if
    they are few; otherwise it is asked for more of all, until enough of them may be found, and given them if that takes
    too long.

    Args:
        ask: the search.
        k: how many.
        selection: which may be found.
        narrows: whether `ask` can look among some; if not, it is asked for more of all as long as there is more.

    >>> ranked = [("a", 3.0), ("b", 2.0), ("c", 1.0)]
    >>> found = search(lambda k, among: ranked[:k], 2, Selection(without={"a"}))
    >>> found.hits, found.top, found.count
    ([('b', 2.0), ('c', 1.0)], 3.0, 2)

    """
    whole = list(ask(k, None))
    top, counted = whole[0][1] if whole else None, len(whole)
    if selection.everything:
        return Selected(whole, top, counted)
    kept = [hit for hit in whole if selection.holds(hit[0])]
    if len(kept) < k and counted == k:
        kept = _more(ask, k, selection, narrows=narrows)
    return Selected(kept[:k], top, counted)


def _more(ask: Ask, k: int, selection: Selection, *, narrows: bool) -> Hits:
    among = selection.among
    if narrows and among is not None and len(among) <= ONE_BY_ONE:
        return list(ask(k, among - selection.without))
    width = k + min(len(selection.without), k * _GROWTH)
    for turn in count(1):
        found = list(ask(width, None))
        kept = [hit for hit in found if selection.holds(hit[0])]
        if len(kept) >= k or len(found) < width:
            return kept
        if narrows and among is not None and turn == _ROUNDS:
            return list(ask(k, among - selection.without))
        width *= _GROWTH
    raise AssertionError("unreachable: a search ends where there is no more")
