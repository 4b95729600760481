"""Summaries behind what says as much of a question itself: a record that answers stands before what tells of it.

A summary has what was told around it in its favour, and a copy that was kept for good has lost that. Who asks wants the
statement; so each that says about as much of the question goes before the summaries that say no more. What stands
before it since it says that this has changed goes along, though it says less of the question.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from .candidates import RowKey

ABOUT_AS_WELL = 0.9
"""What says so much of what a summary says of the question goes before it."""


def says_as_much(one: RowKey, summary: RowKey, summaries: Collection[RowKey], own: Mapping[RowKey, float]) -> bool:
    """Return whether a row is no summary, another one is, and the first says about as much of the question itself."""
    of, other = own.get(one, 0.0), own.get(summary, 0.0)
    return summary in summaries and one not in summaries and of > 0.0 and of >= ABOUT_AS_WELL * other


def _leads_none(one: RowKey, row: RowKey) -> bool:
    return False


def summaries_behind(
    rows: Sequence[RowKey],
    summaries: Collection[RowKey],
    own: Mapping[RowKey, float],
    leads: Callable[[RowKey, RowKey], bool] = _leads_none,
) -> list[RowKey]:
    """Return rows in order, each that is no summary before the first summary that says no more of the question.

    Args:
        rows: in order.
        summaries: which of them are.
        own: what each says of the question itself.
        leads: whether the first of two, which stands before the second, goes along with it.

    >>> summaries_behind(["s", "a", "t", "b"], {"s", "t"}, {"s": 1.0, "a": 0.5, "t": 0.5, "b": 0.9})
    ['b', 's', 'a', 't']

    """
    if not summaries:
        return list(rows)
    ordered: list[RowKey] = []
    for row in rows:
        place = next((at for at, each in enumerate(ordered) if says_as_much(row, each, summaries, own)), len(ordered))
        passed = ordered[place:]
        along = [each for each in passed if each not in summaries and leads(each, row)]
        ordered[place:] = [*along, row, *(each for each in passed if each not in along)]
    return ordered
