"""Groups of near-duplicates: which stand beside a row, the rows that are connected, and the order of those of a group.

A record names few others, however many say nearly the same: all of them are one group, if one leads to the other.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

from .candidates import RowKey

Newness = Mapping[RowKey, tuple[float, bool, float]]
"""How near each row lies to a time that the question names, whether nothing that is found stands in its place, and when
it was said last."""

MOST = 2
"""So many stand beside a row: where many records have one form, they would take the places of all others."""


def side_by_side(
    keys: Sequence[RowKey],
    links: Mapping[RowKey, set[RowKey]],
    beside: Container[RowKey],
    at: Newness,
    goes_before: Callable[[RowKey, RowKey], bool],
    fits_less: Callable[[RowKey, RowKey, RowKey], bool],
) -> list[RowKey]:
    """Return the rows with the newest of those that each is linked with beside it, before it or behind.

    Args:
        keys: the rows, best first.
        links: of each.
        beside: those that nothing found.
        at: when each was said last.
        goes_before: whether the first of two goes before the second, with which it is linked.
        fits_less: whether the first stays where it is, though it is linked with the second: the third fits better.

    >>> at = {"a": (0.0, True, 1.0), "b": (0.0, True, 2.0), "c": (0.0, True, 9.0)}
    >>> links = {"a": {"c"}, "c": {"a"}}
    >>> side_by_side("abc", links, (), at, lambda one, key: False, lambda one, key, other: False)
    ['a', 'c', 'b']
    >>> side_by_side("abc", links, (), at, lambda one, key: False, lambda one, key, other: other == "b")
    ['a', 'b', 'c']

    """
    ordered: dict[RowKey, None] = {}
    places = {key: place for place, key in enumerate(keys)}
    for place, key in enumerate(keys):
        if key in ordered or key in beside:
            continue
        named = links.get(key, set()).difference(ordered)
        others = [one for one in named if one in beside or key in links.get(one, ())]  # of many, one names few
        if others:
            behind = (row for row in keys[place + 1 :] if not (row in ordered or row in beside or row in named))
            other = next(behind, None)
            others = [one for one in others if other is None or not fits_less(one, key, other)]
        newest = sorted(others, key=lambda each: (*(-of for of in at[each]), places[each]))[:MOST]
        first = [one for one in newest if goes_before(one, key)]
        ordered.update(dict.fromkeys([*first, key, *(one for one in newest if one not in first)]))
    return list(ordered)


def connected(keys: Sequence[RowKey], links: Mapping[RowKey, set[RowKey]]) -> list[list[RowKey]]:
    """Return the rows that are connected, whichever names the other: each group in the order of the table.

    >>> connected("abcde", {"b": {"e"}, "d": {"e"}, "c": {"a"}})
    [['b', 'd', 'e'], ['a', 'c']]

    """
    sides: dict[RowKey, set[RowKey]] = {}
    for key, others in links.items():
        for other in others:
            sides.setdefault(key, set()).add(other)
            sides.setdefault(other, set()).add(key)
    groups: list[list[RowKey]] = []
    places = {key: place for place, key in enumerate(keys)}
    while sides:
        group = ahead = {next(iter(sides))}
        while ahead:
            ahead = {row for key in ahead for row in sides.pop(key)} - group
            group = group | ahead
        groups.append(sorted(group, key=places.__getitem__))
    return groups


def newest_first(
    ordered: list[RowKey], groups: Iterable[Sequence[RowKey]], at: Newness, as_well: Callable[[RowKey, RowKey], bool]
) -> list[RowKey]:
    """Return the rows with those of a group that fit about as well in the places that they share, the newest first.

    The best of a group and those that fit about as well as it come first; then likewise the best of those left.

    >>> at = {"a": (0.0, True, 1.0), "b": (0.0, True, 2.0), "c": (0.0, True, 9.0)}
    >>> newest_first(["a", "x", "b", "c"], [["a", "b", "c"]], at, lambda one, best: one != "c")
    ['b', 'x', 'a', 'c']

    """
    final, places = list(ordered), {row: place for place, row in enumerate(ordered)}
    for group in groups:
        left = list(group)
        while left:
            alike = {row for row in left if row == left[0] or as_well(row, left[0])}
            shared = sorted(places[row] for row in alike)
            newest = sorted((ordered[place] for place in shared), key=at.__getitem__, reverse=True)
            for place, row in zip(shared, newest, strict=True):
                final[place] = row
            left = [row for row in left if row not in alike]
    return final
