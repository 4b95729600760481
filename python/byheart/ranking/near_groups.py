"""Groups of near-duplicates: the rows that are connected, and in which order those of one stand that fit about as well.

A record names few others, however many say nearly the same: all of them are one group, if one leads to the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .candidates import RowKey

Newness = Mapping[RowKey, tuple[float, float]]
"""How near each row lies to a time that the question names, and when it was said last."""


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
    ordered: list[RowKey], groups: Sequence[Sequence[RowKey]], at: Newness, as_well: Callable[[RowKey, RowKey], bool]
) -> list[RowKey]:
    """Return the rows with those of a group that fit about as well in the places that they share, the newest first.

    The best of a group and those that fit about as well as it come first; then likewise the best of those left.

    >>> at = {"a": (0.0, 1.0), "b": (0.0, 2.0), "c": (0.0, 9.0)}
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
