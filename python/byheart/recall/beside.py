"""Neighbours of records: the turns told right before and after them in their sessions, as far as they may be found."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ..index.indexes import Indexes
from ..index.partition import Partition
from ..index.selection import at_once
from ..records import Record
from ..retrieval.question import Question
from ..retrieval.words import telling
from ..storage import key_of
from .admitted import selection_of

Beside = tuple[list[Record], list[Record]]


def beside(indexes: Indexes, question: Question, records: Sequence[Record], reach: int) -> list[Beside]:
    """Return for each record what was told right before it and right after it, the nearest first.

    What a question may not find is left out, and nothing stands in its place: not what a filter, an operator or an
    exclusion keeps out, nor what has ended or is archived. All of it is of one moment.

    Args:
        indexes: of the store.
        question: for which they were found.
        records: hits of it, which may be gone meanwhile.
        reach: how many steps away at most; of 0, nothing is looked up.

    Raises:
        StoreBusy: other processes wrote to the store whenever it was read.

    """
    tenant = question.boundary.tenant
    if reach < 1 or not records:
        return [([], []) for _ in records]

    def read() -> list[Beside]:
        partition = indexes[tenant]
        inside = partition.inside(question.boundary)
        now = time.time() if question.now is None and inside.timed else question.now
        selection = selection_of(question, partition, inside, now, own=True)
        around = partition.beside([_row(partition, record) for record in records], telling(reach))
        named = list(dict.fromkeys(row for sides in around for side in sides for row in side))
        found = selection.rows(partition.core, inside.cells, among=named) if named else set()
        rows = [row for row in named if row in found]
        held = _admitted(question, dict(zip(rows, indexes.stored(tenant, rows), strict=True)))
        return [(_there(before, held), _there(after, held)) for before, after in around]

    return at_once(indexes, read)


def _admitted(question: Question, held: dict[str, Record | None]) -> dict[str, Record | None]:
    """Return those that the operators of a question let through: of these few the texts tell, no other is looked at."""
    there = {row: record for row, record in held.items() if record is not None}
    if question.operators is None or not there:
        return held
    passes = question.operators.admit(list(there.values()))
    return {row: record for (row, record), passed in zip(there.items(), passes, strict=True) if passed}


def _row(partition: Partition, record: Record) -> str:
    """Return what the indexes know a record by; a name that nothing has if it is gone."""
    rows, cell = partition.rows_of(record.id or ""), key_of(record).cell
    return next((row for row in rows if len(rows) == 1 or partition.cell_of(row) == cell), "")


def _there(rows: Sequence[str], held: dict[str, Record | None]) -> list[Record]:
    return [record for row in rows if (record := held.get(row)) is not None]
