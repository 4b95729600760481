"""The rows of near-duplicates: those that are brought in beside a hit, and when each was said last."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from math import inf
from typing import Final

from ..boundary import id_of
from ..records import Record
from .absolute import NOTHING
from .agreement import DUPLICATE_OF
from .algebra import StageContext
from .candidates import Applied, Candidates, RowKey
from .dates import periods
from .near_pairs import least_in_question
from .told_later import NAMED_TIME

BESIDE = Applied("near_duplicate", "add", detail="beside a hit")
"""The score of what is brought in."""
_TOLD_AFTER: Final = 7 * 86_400.0
MANY = 4
"""What names so many, which is as many as it may, is one of many of one form: nothing is brought in for its sake."""


def brought_in(
    table: Candidates, near: Mapping[RowKey, Sequence[str]], context: StageContext
) -> tuple[Candidates, dict[RowKey, Record]]:
    """Return the table with the near-duplicates that are no rows, each scored as the first row that names it.

    So are those that have nothing of the question, unless a row says the same: a search of vectors finds anything.

    Those of rows with less than half of the best score stay away: nobody asks for them, nor for what says nearly the
    same.
    """
    empty = {gone.id for gone in table.dropped if gone.reason == NOTHING}
    known = {*table.ids, *(gone.id for gone in table.dropped)} - empty
    wanted: dict[str, float] = {}
    scores = table.scores()
    least = least_in_question(scores)
    for key, score in zip(table.keys, scores, strict=True):
        ids = near.get(key, ())
        for id in ids if len(ids) < MANY and score >= least else ():
            if id not in known:
                wanted.setdefault(id, score)
    found = context.related(list(wanted)) if wanted else {}
    rows = {context.row_of(id): record for id, record in found.items() if _names(record, near)}
    added = [row for row in rows if row not in table.keys]
    if not empty.isdisjoint(map(id_of, added)):
        hashes = context.content_hashes([*table.keys, *added])
        said = {hashes.get(key) for key in table.keys}
        added = [row for row in added if id_of(row) not in empty or hashes.get(row) not in said]
    if not added:
        return table, {}
    their = [None] * len(table.keys) + [wanted[id_of(row)] for row in added]
    return table.without_dropped(added).with_rows(added).changed(BESIDE, their), {row: rows[row] for row in added}


def twins_of(table: Candidates) -> dict[str, str]:
    """Return for what was dropped as a duplicate the row that says the same."""
    said = ((gone.id, gone.reason.partition(DUPLICATE_OF)) for gone in table.dropped)
    return {id: of for id, (before, found, of) in said if found and not before}


def newness_of(
    table: Candidates,
    beside: Mapping[RowKey, Record],
    twins: Mapping[str, str],
    replaced: Container[RowKey],
    context: StageContext,
) -> dict[RowKey, tuple[float, bool, float]]:
    """Return how near each row lies to a named time, whether it holds, and when it was said last, be it by a twin."""
    none = (None,) * len(table.keys)
    seen, made, near = (table.columns.get(name, none) for name in ("seen_at", "created_at", NAMED_TIME))
    known_at = context.known_at
    said = {key: said_last(seen[row], made[row], known_at) for row, key in enumerate(table.keys)}
    said.update({key: said_last(record.seen_at, record.created_at, known_at) for key, record in beside.items()})
    again: dict[str, float] = {}
    for twin, record in (context.related(list(twins)) if twins else {}).items():
        at, of = said_last(record.seen_at, record.created_at, known_at), twins[twin]
        again[of] = max(at, again.get(of, at))
    last = {key: max(at, again.get(id_of(key), at)) for key, at in said.items()}
    behind = _behind(context) if NAMED_TIME in table.columns else inf
    late = [at is not None and at > behind for at in made]
    return {key: ((near[row] or 0.0) - late[row], key not in replaced, last[key]) for row, key in enumerate(said)}


def _behind(context: StageContext) -> float:
    """Return from when on something was said too late to have held at the times that a question names.

    What was so in August is what was said last before its end; of a day people may tell in the days after it.
    """
    named = periods(context.query, context.now)
    return max((each.end for each in named), default=inf) + _TOLD_AFTER


def _names(record: Record, near: Mapping[RowKey, Sequence[str]]) -> bool:
    """Return whether a record names one of those that name it: ids of other cells may be the same."""
    return any(id_of(key) in record.near_duplicates for key in near)


def said_last(seen: float | None, made: float | None, known_at: float = inf) -> float:
    """Return when something was said last, of when it was seen again and when it was made, as far as that was known."""
    at = made if seen is None or seen > known_at else seen
    return float("-inf") if at is None else at
