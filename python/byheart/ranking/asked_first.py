"""Answers before what is none: of rows that fit about as well, those whose texts say that they do not answer go behind.

Words do not tell a denial from what it denies, nor whose fact a record tells, nor that a value is new, nor the first of
several from the last. So the texts of the first rows are looked at: what says of something else that it is not so goes
behind what says so (`patterns.denying`), what another person has behind what the asker has, or who is named
(`patterns.subjects`), the contrary way behind the one that is asked for (`patterns.opposites`), another thing of the
kind behind what is asked for (`patterns.qualifying`), an older value behind one that is said to be new
(`patterns.renewing`), what does not say the property that is asked for behind what may (`patterns.property_order`), how
a thing is behind what it is (`patterns.complements`), an assistant's echo behind what it repeats (`patterns.echoing`),
and a note behind one that was told later and gives as much (`patterns.told_anew`); and where the first or the last is
asked for, those that say as much of the question stand in the order of their times (`patterns.order_asked`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from ..boundary import id_of
from ..light.classes import dataclass
from .algebra import Stage, StageContext
from .candidates import Candidates, RowKey
from .next_of_all import asks_for_the_next, next_first
from .rows_in_time import in_order, in_time, is_said
from .text_rules import TextRules
from .time_apart import TimeApart
from .told_later import NAMED_TIME
from .told_rows import Told, Why

LOOKED_AT: Final = 10
"""So many of the first rows are looked at; where the first or the last is asked for, all."""


class Rules:
    """What a question asks of the order of rows.

    Args:
        question: the text.
        named: whether a time is named: that says which of several is asked for.
        now: when the question is asked; None: nothing is said of what lies in a time.
        moment: gives that time where it was not read before; None: nothing is said of what is to come.

    """

    def __init__(
        self,
        question: str,
        *,
        named: bool = False,
        now: float | None = None,
        moment: Callable[[], float] | None = None,
    ) -> None:
        from ..patterns.order_asked import order_asked  # its patterns are compiled for the first question

        self.order = None if named else order_asked(question)
        self._next = None if named or moment is None else asks_for_the_next(question)
        self._question, self._moment = question, moment
        self._rules = TextRules(question, named=named, in_order=self.order is not None, moment=moment)
        self._apart = TimeApart(question, now) if named and now is not None else None

    def moves(self, rows: Sequence[Told]) -> bool:
        """Return whether one of the first rows goes before another one, or may: of an order all rows decide."""
        return (self.order is not None and not is_said(rows, self.order)) or bool(self._by_texts(rows)[1])

    @property
    def looked_at(self) -> int | None:
        """How many rows are looked at; None: all."""
        return LOOKED_AT if self.order is None else None

    def arranged(self, rows: Sequence[Told]) -> tuple[list[Told], Why]:
        """Return rows in order, and before which each was put, and why."""
        final, passed = self._by_texts(rows)
        if self.order is not None:
            return in_order(final, passed, self.order, self._moment)
        if self._next is not None and self._moment is not None:
            final, why = next_first(final, self._next, self._question, self._moment())
            passed = {**passed, **why}
        return final, passed

    def _by_texts(self, rows: Sequence[Told]) -> tuple[list[Told], dict[RowKey, tuple[RowKey, str]]]:
        """Return rows in order, each before the first that its text goes before, and which that is."""
        if self._apart is not None:
            final, passed = in_time(rows, self._apart)
            if passed:
                return final, passed
        return self._rules.arranged(rows)


@dataclass(frozen=True, slots=True)
class AskedFirst(Stage):
    """Puts rows whose texts answer a question before those whose texts say that they cannot. Rows keep their scores."""

    name: ClassVar[str] = "asked first"
    inputs: ClassVar[tuple[str, ...]] = ("score",)
    bare: ClassVar[bool] = True

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order; as it is where no text decides."""
        final = self._arranged(table, context)[0]
        if final == list(table.keys[: len(final)]):
            return table
        places = {key: row for row, key in enumerate(table.keys)}
        return table.reordered([*(places[key] for key in final), *range(len(final), len(table.keys))])

    def standing(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> tuple[str, ...]:
        """Return before which row one was put, and why."""
        passed = self._arranged(before, context)[1].get(key)
        return () if passed is None else (f"stands before {id_of(passed[0])}: {passed[1]}",)

    def _arranged(self, table: Candidates, context: StageContext) -> tuple[list[RowKey], Why]:
        """Return the first rows in order; none where no rule holds. What is worked out for explanations is kept."""
        known: tuple[Candidates, tuple[list[RowKey], Why]] | None = context.made.get(self.name)
        if known is None or known[0] is not table:
            known = context.made[self.name] = table, _of_table(table, context)
        return known[1]


def _of_table(table: Candidates, context: StageContext) -> tuple[list[RowKey], Why]:
    rules = Rules(context.query, named=any(table.columns.get(NAMED_TIME, ())), now=context.now, moment=context.moment)
    if len(table.keys) < 2:
        return [], {}
    keys = table.keys[: rules.looked_at]
    found = context.related([id_of(key) for key in keys])
    told = {key: found.get(id_of(key)) if context.row_of(id_of(key)) == key else None for key in keys}
    rows = [
        Told(key, score, record, context.known_at)
        for key, score in zip(keys, table.scores(), strict=False)
        if (record := told[key]) is not None
    ]
    if len(rows) < len(keys):
        return [], {}
    final, passed = rules.arranged(rows)
    return [row.key for row in final], passed
