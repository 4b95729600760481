"""Rows in order of time: those of a time that a question names, and the first or the last where one is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from ..records import SUMMARY
from .candidates import RowKey
from .near_pairs import FAIRLY
from .next_of_all import is_to_be
from .time_apart import TimeApart
from .told_rows import MUCH_LESS, Told, Why

if TYPE_CHECKING:
    from ..patterns.order_asked import Asked

_ELSEWHERE: Final = "is of the time that the question names; that one lies elsewhere, and has words of it alone"


def in_time(rows: Sequence[Told], apart: TimeApart) -> tuple[list[Told], dict[RowKey, tuple[RowKey, str]]]:
    """Return rows with those of the time asked for before those that have words of it and lie elsewhere."""
    elsewhere = {row.key for row in rows if apart.says_it_elsewhere(row.record)}
    final: list[Told] = []
    passed: dict[RowKey, tuple[RowKey, str]] = {}
    for row in rows:
        place = len(final)
        if elsewhere and row.key not in elsewhere and apart.lies_in_it(row.record):
            place = next(
                (
                    at
                    for at, other in enumerate(final)
                    if other.key in elsewhere
                    and row.score >= FAIRLY * other.score
                    and apart.says_as_much(row.record, other.record)
                ),
                place,
            )
        if place < len(final):
            passed[row.key] = final[place].key, _ELSEWHERE
        final.insert(place, row)
    return final, passed


def in_order(
    rows: list[Told],
    passed: dict[RowKey, tuple[RowKey, str]],
    asked: Asked,
    moment: Callable[[], float] | None = None,
) -> tuple[list[Told], dict[RowKey, tuple[RowKey, str]]]:
    """Return rows with those that say most of what a question asks about in the order of their times.

    What says less, and was found by the word of the order, goes behind them. What is yet to be has not been the last.
    """
    from ..patterns.order_asked import held, owes_it

    of = [row for row in rows if row.record.kind != SUMMARY and not row.is_of_file]
    told = {row.key: held(asked, row.text) for row in of}
    says = {key: len(words) + len(words & asked.names) for key, words in told.items()}  # "see Dr. Lim" is of Lim first
    most = max(says.values(), default=0)
    if most == 0 or is_said(rows, asked):
        return rows, passed
    fitting = [row for row in of if says[row.key] == most]
    least = MUCH_LESS * max(row.score for row in fitting)
    fitting = [row for row in fitting if row.score >= least]
    keys = {row.key for row in fitting}
    last = max(place for place, row in enumerate(rows) if row.key in keys)
    lacking = [row for row in rows[:last] if 2 * says.get(row.key, most) <= most and owes_it(asked, row.text)]
    to_be = {row.key for row in fitting if is_to_be(row, moment())} if asked.order == "last" and moment else set()
    times = {row.key: row.made if asked.order == "first" else -row.said for row in fitting}
    in_order = iter(sorted(fitting, key=lambda row: (row.key in to_be, times[row.key])))
    kept = [row for row in rows[: last + 1] if row not in lacking]
    final = [*(next(in_order) if row.key in keys else row for row in kept), *lacking, *rows[last + 1 :]]
    return final, {**passed, **_passed_by(rows, final, keys, asked.order)}


def is_said(rows: Sequence[Told], asked: Asked) -> bool:
    """Return whether a row that fits has the words of the order itself."""
    from ..patterns.order_asked import says_it

    least = MUCH_LESS * max((row.score for row in rows), default=0.0)
    return any(row.score >= least and row.record.kind != SUMMARY and says_it(asked, row.text) for row in rows)


def _passed_by(before: Sequence[Told], after: Sequence[Told], keys: set[RowKey], order: str) -> Why:
    """Return before which row each was put that stands where its score would not have put it."""
    was = {row.key: place for place, row in enumerate(before)}
    why = f"the question asks for the {order}"
    found: dict[RowKey, tuple[RowKey, str]] = {}
    for place, row in enumerate(after):
        other = next((each for each in after[place + 1 :] if was[each.key] < was[row.key]), None)
        if other is not None:
            found[row.key] = other.key, why if other.key in keys else f"{why}, of which that one says less"
    return found
