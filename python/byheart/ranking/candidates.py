"""The candidate table: one row a record, one column a number, and a reason for every dropped row.

Stages are pure functions from table to table. The explanation of an answer is the table itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

Column = Sequence[float | None]


class Dropped(NamedTuple):
    """A record that was a candidate and is no hit, with the reason."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Candidates:
    """Rows in order, with named columns of the same length; and the rows that were dropped on the way.

    >>> table = join({"lexical": [("a", 2.0), ("b", 1.0)], "hypervector": [("b", 0.5)]})
    >>> table.ids, table.columns["hypervector"]
    (('a', 'b'), (None, 0.5))
    """

    ids: tuple[str, ...]
    columns: Mapping[str, tuple[float | None, ...]]
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()

    def with_column(self, name: str, values: Iterable[float | None]) -> Candidates:
        """Return the table with one more column."""
        return replace(self, columns={**self.columns, name: tuple(values)})

    def with_note(self, note: str) -> Candidates:
        """Return the table with a remark about how it came to be."""
        return replace(self, notes=(*self.notes, note))

    def scores(self) -> list[float]:
        """Return the column "score", which has a number in every row once the lists are fused."""
        return [score if score is not None else 0.0 for score in self.columns["score"]]

    def sorted_by_score(self) -> Candidates:
        """Return the rows by score descending, then id ascending: a total order."""
        scores = self.scores()
        return self._take(sorted(range(len(self.ids)), key=lambda row: (-scores[row], self.ids[row])))

    def drop(self, reasons: Mapping[int, str]) -> Candidates:
        """Return the table without these rows; `reasons` says why, by row number."""
        if not reasons:
            return self
        dropped = tuple(Dropped(self.ids[row], reason) for row, reason in sorted(reasons.items()))
        kept = self._take([row for row in range(len(self.ids)) if row not in reasons])
        return replace(kept, dropped=self.dropped + dropped)

    def _take(self, rows: Sequence[int]) -> Candidates:
        columns = {name: tuple(values[row] for row in rows) for name, values in self.columns.items()}
        return replace(self, ids=tuple(self.ids[row] for row in rows), columns=columns)


def join(lists: Mapping[str, Iterable[tuple[str, float]]]) -> Candidates:
    """Return the union of the retrievers' lists: a column of raw scores each, None where it did not find the row."""
    scores = {name: dict(hits) for name, hits in lists.items()}
    ids = tuple(dict.fromkeys(id for hits in scores.values() for id in hits))
    columns = {name: tuple(hits.get(id) for id in ids) for name, hits in scores.items()}
    return Candidates(ids, columns)
