"""The candidate table: one row a record, one column a number, and a reason for every dropped row.

Stages are pure functions from table to table. The explanation of an answer is the table itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import chain
from operator import ge, itemgetter, le
from typing import Any, NamedTuple

from ..boundary import SEPARATOR, id_of
from ..errors import InvalidArgument
from ..frozen import Document, maker
from ..light.classes import dataclass
from ..words import Operation, words_of

Column = Sequence[float | None]


RowKey = str
"""What a row is known by: the id, or id and cell where several cells have the id (`byheart.boundary.id_of`)."""

_OPERATIONS = words_of(Operation)


class Dropped(NamedTuple):
    """A record that was a candidate and is no hit, with the reason."""

    id: str
    reason: str


class Applied(NamedTuple):
    """A column that changed the score, and how.

    Attributes:
        column: its name.
        operation: "add", "multiply" or "divide".
        clamped: whether the score was brought into [0, 1] after.
        of: the retriever whose raw score the operand was made of, if it was of one.
        detail: how the operand came about, for explanations.

    """

    column: str
    operation: Operation
    clamped: bool = False
    of: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Candidates(Document):
    """Rows in order, with named columns of the same length; and the rows that were dropped on the way.

    Attributes:
        keys: what the rows are known by, in order: ids, or id and cell where an id stands for several records.
        columns: numbers by row; None where the row has none.
        dropped: the rows that are no longer there, with reasons.
        notes: remarks about how the table came to be.
        applied: the columns that the score is made of, in order.
        degraded: what could not be done as asked.
        figures: what stages say of all rows that they saw, by name: numbers, and mappings of them.

    >>> table = join({"lexical": [("a", 2.0), ("b", 1.0)], "hypervector": [("b", 0.5)]})
    >>> table.ids, table.columns["hypervector"]
    (('a', 'b'), (None, 0.5))

    """

    keys: tuple[RowKey, ...]
    columns: Mapping[str, tuple[float | None, ...]]
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    applied: tuple[Applied, ...] = ()
    degraded: tuple[str, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the rows, in order."""
        if self._plain():
            return self.keys
        return tuple([id_of(key) for key in self.keys])

    def _plain(self) -> bool:
        """Return whether every row is known by its plain id, as nearly always."""
        return SEPARATOR not in "".join(self.keys)

    def with_column(self, name: str, values: Iterable[float | None]) -> Candidates:
        """Return the table with one more column."""
        return self._with(columns={**self.columns, name: tuple(values)})

    def with_columns(self, columns: Mapping[str, Iterable[float | None]]) -> Candidates:
        """Return the table with more columns."""
        return self._with(columns={**self.columns, **{name: tuple(values) for name, values in columns.items()}})

    def with_note(self, note: str) -> Candidates:
        """Return the table with a remark about how it came to be."""
        return self._with(notes=(*self.notes, note))

    def with_degraded(self, reason: str) -> Candidates:
        """Return the table with a reason why the answer is less than what was asked for."""
        return self._with(degraded=(*self.degraded, reason))

    def with_figures(self, figures: Mapping[str, Any]) -> Candidates:
        """Return the table with numbers about all of its rows, which stay when rows are dropped."""
        return self._with(figures={**self.figures, **figures})

    def scored(
        self,
        column: str,
        operation: Operation,
        operands: Iterable[float | None],
        *,
        clamp: bool = False,
        of: str | None = None,
        detail: str = "",
    ) -> Candidates:
        """Return the table with one more column, and the column "score" changed by it, row by row.

        The score starts at 0.0. A row whose operand is None keeps its score. With `clamp` the score is brought into
        [0, 1] afterwards.

        Args:
            column: what the operand is called in explanations.
            operation: "add", "multiply" or "divide".
            operands: one a row.
            clamp: bring the scores into [0, 1].
            of: the retriever whose raw score the operand is made of.
            detail: how the operand came about, for explanations.

        >>> table = join({"dense": [("a", 0.5)]}).scored("cosine", "add", [0.5]).scored("importance", "multiply", [0.9])
        >>> table.columns["score"], table.applied[1].column
        ((0.45,), 'importance')

        """
        values = tuple(operands)
        scores = _applied(operation, self.scores(), values, clamp=clamp)
        columns = {**self.columns, column: values, "score": scores}
        return self._with(columns=columns, applied=(*self.applied, Applied(column, operation, clamp, of, detail)))

    def changed(self, how: Applied, operands: Iterable[float | None]) -> Candidates:
        """Return the table with the score changed as `how` says; see `scored`."""
        return self.scored(how.column, how.operation, operands, clamp=how.clamped, of=how.of, detail=how.detail)

    def row(self, key: RowKey) -> dict[str, float]:
        """Return the numbers that a row has, by column.

        >>> join({"lexical": [("a", 2.0), ("b", 1.0)], "hypervector": [("b", 0.5)]}).row("a")
        {'lexical': 2.0}
        """
        at = self.keys.index(key)
        return {name: value for name, values in self.columns.items() if (value := values[at]) is not None}

    def scores(self) -> list[float]:
        """Return the column "score", which has a number in every row once the lists are fused; before, 0.0."""
        scores = self.columns.get("score")
        return [0.0] * len(self.keys) if scores is None else [0.0 if score is None else score for score in scores]

    def sorted_by_score(self) -> Candidates:
        """Return the rows by score descending, then id ascending, then cell: a total order."""
        order: Sequence[Any] = self.keys if self._plain() else self.order()
        keys = list(zip([-score for score in self.scores()], order, strict=True))
        if all(map(le, keys, keys[1:])):
            return self  # as a search gives them
        return self._take(sorted(range(len(keys)), key=keys.__getitem__))

    def order(self) -> list[tuple[str, str]]:
        """Return what decides between rows of one score: id, then cell."""
        if self._plain():
            return [(key, "") for key in self.keys]
        return [(key, "") if isinstance(key, str) else (key.id, key.cell) for key in self.keys]

    def sorted_stably(self) -> Candidates:
        """Return the rows by score descending; rows of one score keep their order."""
        scores = self.scores()
        if all(map(ge, scores, scores[1:])):
            return self
        return self._take(sorted(range(len(scores)), key=[-score for score in scores].__getitem__))

    def reordered(self, rows: Sequence[int]) -> Candidates:
        """Return the rows in another order: every row number, each once."""
        if sorted(rows) != list(range(len(self.keys))):
            raise ValueError("rows: every row number is needed, each once")
        return self._take(rows)

    def drop(self, reasons: Mapping[int, str]) -> Candidates:
        """Return the table without these rows; `reasons` says why, by row number.

        Raises:
            TypeError: it is no mapping.
            InvalidArgument: there is no such row.

        >>> table = Candidates(("a", "b"), {"score": (2.0, 1.0)})
        >>> table.drop({1: "too old"}).ids
        ('a',)

        """
        if not isinstance(reasons, Mapping):
            raise TypeError(f'reasons must be a mapping such as {{3: "too old"}}, not {type(reasons).__name__}')
        if not reasons:
            return self
        ids = self.ids
        rows = sorted(reasons)
        if not 0 <= rows[0] <= rows[-1] < len(ids):
            wrong = rows[0] if rows[0] < 0 else rows[-1]
            raise InvalidArgument(f"reasons: there is no row {wrong}; the table has {len(ids)}, from 0")
        dropped = tuple(map(Dropped, [ids[row] for row in rows], [reasons[row] for row in rows]))
        if rows[0] == len(ids) - len(rows):  # the end of the table, as cuts drop it
            kept = self._first(rows[0])
        else:
            kept = self._take([row for row in range(len(ids)) if row not in reasons])
        return kept._with(dropped=self.dropped + dropped)

    def with_rows(self, keys: Iterable[RowKey]) -> Candidates:
        """Return the table with more rows at its end; every column is None in them, and the score 0.0."""
        added = tuple(keys)
        columns = {
            name: (*values, *((0.0 if name == "score" else None,) * len(added)))
            for name, values in self.columns.items()
        }
        return self._with(keys=(*self.keys, *added), columns=columns)

    def without_dropped(self, keys: Iterable[RowKey]) -> Candidates:
        """Return the table with these no longer among what was dropped."""
        back = set(map(id_of, keys))
        return self._with(dropped=tuple(row for row in self.dropped if row.id not in back))

    def __str__(self) -> str:
        """Draw the table for a terminal: rows with their columns, dropped rows with their reasons."""
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """Return what `str` draws, line by line; the rows come first, one a line."""
        names = list(self.columns)
        lines = []
        for row, id in enumerate(self.ids):
            values = (self.columns[name][row] for name in names)
            cells = "  ".join(
                f"{name} {'-' if value is None else format(value, '.4f')}"
                for name, value in zip(names, values, strict=True)
            )
            lines.append(f"{row + 1:>3}. {id}  {cells}")
        lines += [f"  -  {gone.id}  dropped: {gone.reason}" for gone in self.dropped]
        lines += [f"note: {note}" for note in self.notes]
        return lines + [f"degraded: {reason}" for reason in self.degraded]

    def _first(self, count: int) -> Candidates:
        """Return the first rows."""
        return self._with(
            keys=self.keys[:count], columns={name: values[:count] for name, values in self.columns.items()}
        )

    def _take(self, rows: Sequence[int]) -> Candidates:
        if len(rows) < 2:  # of one row `itemgetter` gives no tuple
            columns = {name: tuple([values[row] for row in rows]) for name, values in self.columns.items()}
            return self._with(keys=tuple(self.keys[row] for row in rows), columns=columns)
        picked = itemgetter(*rows)
        return self._with(
            keys=picked(self.keys), columns={name: picked(values) for name, values in self.columns.items()}
        )

    def _with(
        self,
        keys: tuple[RowKey, ...] | None = None,
        columns: Mapping[str, tuple[float | None, ...]] | None = None,
        dropped: tuple[Dropped, ...] | None = None,
        notes: tuple[str, ...] | None = None,
        applied: tuple[Applied, ...] | None = None,
        degraded: tuple[str, ...] | None = None,
        figures: Mapping[str, Any] | None = None,
    ) -> Candidates:
        """Return a copy with some attributes changed: `dataclasses.replace` takes ten times as long, 40 a recall."""
        return _candidates(
            self.keys if keys is None else keys,
            self.columns if columns is None else columns,
            self.dropped if dropped is None else dropped,
            self.notes if notes is None else notes,
            self.applied if applied is None else applied,
            self.degraded if degraded is None else degraded,
            self.figures if figures is None else figures,
        )


_candidates = maker(Candidates)


def apply(operation: Operation, score: float, operand: float, *, clamp: bool = False) -> float:
    """Return a score changed by an operand.

    >>> apply("add", 0.75, 0.5), apply("add", 0.75, 0.5, clamp=True), apply("divide", 3.0, 4.0)
    (1.25, 1.0, 0.75)
    """
    if operation not in _OPERATIONS:
        raise ValueError(f"operation: {operation!r} is none; use one of {', '.join(_OPERATIONS)}")
    if operation == "add":
        changed = score + operand
    elif operation == "multiply":
        changed = score * operand
    else:
        changed = score / operand
    return min(1.0, max(0.0, changed)) if clamp else changed


def _applied(
    operation: Operation, scores: Sequence[float], operands: Sequence[float | None], *, clamp: bool
) -> tuple[float, ...]:
    """Return `apply` of each pair, and the score where there is no operand; the usual cases without a call a row."""
    pairs = zip(scores, operands, strict=True)
    if clamp and operation == "multiply":
        changed = [score if by is None else score * by for score, by in pairs]
    elif clamp and operation == "add":
        changed = [score if by is None else score + by for score, by in pairs]
    elif operation == "add":
        return tuple([score if by is None else score + by for score, by in pairs])
    elif operation == "multiply":
        return tuple([score if by is None else score * by for score, by in pairs])
    else:
        return tuple([score if by is None else apply(operation, score, by, clamp=clamp) for score, by in pairs])
    # As min(1.0, max(0.0, score)), for NaN and -0.0 too; a score without an operand stays as it is.
    return tuple(
        [
            score if by is None else (score if score < 1.0 else 1.0) if score > 0.0 else 0.0
            for score, by in zip(changed, operands, strict=True)
        ]
    )


def join(lists: Mapping[str, Iterable[tuple[RowKey, float]]]) -> Candidates:
    """Return the union of the retrievers' lists: a column of raw scores each, None where it did not find the row."""
    scores = {name: dict(hits) for name, hits in lists.items()}
    keys = tuple(dict.fromkeys(chain.from_iterable(scores.values())))
    columns = {name: tuple(map(hits.get, keys)) for name, hits in scores.items()}
    return Candidates(keys, columns)
