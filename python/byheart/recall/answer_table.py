"""The table of an answer, and the account that makes it and the receipt when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from ..boundary import SEPARATOR, id_of
from ..light.classes import dataclass
from ..ranking.candidates import Candidates, RowKey
from .hits import Hit, snippet
from .receipt import Receipt


@dataclass(frozen=True, slots=True)
class AnswerTable(Candidates):
    """The candidate table of an answer: the hits' rows and columns, and why the other candidates are none.

    `str(table)` draws it for a terminal, with the beginnings of the texts and, where they were asked for, explanations.
    """

    hits: tuple[Hit, ...] = ()
    receipt: Receipt | None = None
    timings: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)
    skipped: str | None = None

    def __str__(self) -> str:
        """Draw the table for a terminal: hits with their columns, dropped rows with their reasons."""
        told = Candidates.lines(self)
        lines: list[str] = []
        if self.receipt is not None:
            steps = ", ".join(f"{name} {value:.0f} us" for name, value in self.timings.items())
            lines.append(f"{self.receipt.profile}: {len(self.hits)} of {self.receipt.records} records  ({steps})")
        for line, hit in zip(told, self.hits, strict=False):
            lines += [line, f"     {snippet(hit.text)}"]
            if hit.explanation is not None:
                lines += ["     " + each for each in str(hit.explanation).splitlines()[1:]]
        lines += told[len(self.hits) :]
        return "\n".join([*lines, *([f"not searched: {self.skipped}"] if self.skipped is not None else [])])


def table_of(
    drawn: Callable[[], Candidates],
    degraded: tuple[str, ...],
    hits: tuple[Hit, ...],
    timings: Mapping[str, float],
    receipt: Receipt | None,
) -> AnswerTable:
    """Return the table of a run as an answer holds it."""
    table = drawn()
    return AnswerTable(
        _names(table.keys),
        table.columns,
        table.dropped,
        table.notes,
        table.applied,
        degraded,
        table.figures,
        hits,
        receipt,
        timings,
    )


def _names(keys: tuple[RowKey, ...]) -> tuple[RowKey, ...]:
    """Return what rows are known by in an answer: by more than the id where several of these rows have it.

    Inside the indexes they are known so where any cell has the id, of which an answer tells nothing.
    """
    if SEPARATOR not in "".join(keys):
        return keys
    ids = [id_of(key) for key in keys]
    return tuple([key if ids.count(id) > 1 else id for key, id in zip(keys, ids, strict=True)])


class Account:
    """The table and the receipt of an answer, made when somebody first asks for them.

    Most callers want the hits. What these are made of is kept, so that they are the same whenever they are made.
    """

    __slots__ = ("_draw", "_drawn", "_write", "_written")

    def __init__(self, draw: Callable[[Receipt | None], AnswerTable], write: Callable[[], Receipt]) -> None:
        self._draw, self._write = draw, write
        self._drawn: AnswerTable | None = None
        self._written: Receipt | None = None

    def receipt(self) -> Receipt:
        """Return what was asked and what came out."""
        if self._written is None:
            self._written = self._write()
        return self._written

    def table(self) -> AnswerTable:
        """Return the table of the hits."""
        if self._drawn is None:
            self._drawn = self._draw(self.receipt())
        return self._drawn

    def bare(self) -> AnswerTable:
        """Return the table without the receipt, which takes longer to write than all the rest."""
        return self._drawn if self._drawn is not None else self._draw(None)

    def __reduce__(self) -> tuple[Callable[[AnswerTable, Receipt], Account], tuple[AnswerTable, Receipt]]:
        """Be copied as what it gives."""
        return account_of, (self.table(), self.receipt())


def account_of(table: AnswerTable, receipt: Receipt) -> Account:
    """Return the account of a table and a receipt that are there."""
    account = Account(lambda receipt: table, lambda: receipt)
    account.table()
    return account
