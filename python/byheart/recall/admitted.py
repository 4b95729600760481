"""The records that a question admits: by time, owner and filters, and by its operators, before anything is searched.

Records that hold a phrase hold every word of it, so the index of words names the few whose texts have to be read. What
these say is what the call may read: nothing that a policy hides, or that lies outside the boundary, is looked at.

Of a phrase of common words these are not few, and they are read in order of their rows, as far as somebody asks: the
first hits of a question that has no other word need the first of them (`Passing`), a selection needs them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from ..boundary import SEPARATOR
from ..frozen import maker
from ..index import standing, whose
from ..light.once import once
from ..records import Record
from ..retrieval.filter.canonical import EVERYTHING, Canonical, all_of, any_of, membership, negated
from ..retrieval.operators import Clause, Operators, holding
from ..retrieval.question import Question
from ..retrieval.selection import Selection

if TYPE_CHECKING:
    from ..index.cells import Inside
    from ..index.partition import Partition
    from .sources import Reader

NO_WORD = "the question has no word to look for: it says only what must not be found"

_selection = maker(Selection)

_FIRST, _MORE, _AT_ONCE = 64, 4, 4_096
"""So many texts are read first, then so many times more, and so many at most."""


def selection_of(
    question: Question, partition: Partition, inside: Inside, now: float | None, *, own: bool
) -> Selection:
    """Return which records may be found: what lives and holds, is not excluded, passes the filters.

    Args:
        question: what was asked.
        partition: of the tenant.
        inside: what lies inside the boundary, which says whether a time matters, and which of its rules do.
        now: the time; None where none matters.
        own: whether no other user's records are found.

    """
    at = now if question.as_of is None else question.as_of
    gone = _gone(question, inside, at)
    selection = _selection(None, at if inside.ends else None, gone, partition.passes)
    if question.user_id is not None and own:
        selection = selection.both(whose.of_user_or_none(question.user_id))
    if question.exclude:
        selection = selection.both(whose.none_of(question.exclude))
    if question.category is not None:
        selection = selection.both(whose.of_category(question.category))
    return selection if question.filter is None else selection.both(question.filter.canonical)


def _gone(question: Question, inside: Inside, at: float | None, *, changed: bool = True) -> Canonical | None:
    if not (inside.dated or inside.superseded or question.as_of is not None):
        return None
    superseded = inside.superseded and not question.include_superseded
    return standing.gone(at, question.as_of, dated=inside.dated, superseded=superseded, changed=changed)


def said_otherwise(question: Question, selection: Selection, partition: Partition, inside: Inside) -> tuple[str, ...]:
    """Return what to say of the records that the question asks for, and that said something else as of its time.

    Args:
        question: what was asked.
        selection: which records may be found.
        partition: of the tenant.
        inside: the cells of the boundary.

    """
    as_of = question.as_of
    if as_of is None or not question.terms or not partition.core.count(standing.changed_later(as_of), inside.cells):
        return ()
    among = replace(selection, gone=_gone(question, inside, as_of, changed=False))
    among = among.both(standing.changed_later(as_of))
    if question.user_id is not None:  # which some profiles leave to their legs
        among = among.both(whose.of_user_or_none(question.user_id))
    rows = _rows_holding([question.terms], among, partition, inside)
    many = f"{len(rows):,} records that hold a word of the question are left out: what they said then was changed later"
    one = "1 record that holds a word of the question is left out: what it said then was changed later"
    return () if not rows else (one if len(rows) == 1 else many,)


class Passing:
    """The rows of the records that hold all that is wanted and nothing else, in order, found as far as somebody asks.

    >>> passing = Passing(iter(["a", "b", "c"]))
    >>> passing.first(2), bool(passing), len(passing)
    (['a', 'b'], True, 3)
    """

    def __init__(self, rows: Iterator[str]) -> None:
        """Take what gives the rows."""
        self._found: list[str] = []
        self._rows = rows

    def first(self, most: int) -> list[str]:
        """Return the first rows, so many at most."""
        self._found += islice(self._rows, max(0, most - len(self._found)))
        return self._found[:most]

    def __iter__(self) -> Iterator[str]:
        """Give all of them."""
        return iter(self._all())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._all())

    def __bool__(self) -> bool:
        """Return whether there is one."""
        return bool(self.first(1))

    def _all(self) -> list[str]:
        self._found += self._rows
        return self._found


class Admitted:
    """What the operators of a question come to: they are looked at as far as somebody asks.

    Args:
        question: what was asked.
        selection: which records may be found, but for operators.
        partition: of the tenant.
        inside: the cells of the boundary.
        read: gives records by their rows.

    Attributes:
        passing: the rows of those that hold all that is wanted and nothing else; None where nothing is wanted.

    """

    def __init__(
        self, question: Question, selection: Selection, partition: Partition, inside: Inside, read: Reader
    ) -> None:
        self._question, self._selection, self._partition = question, selection, partition
        self._inside, self._read = inside, read
        self.passing = None if question.operators is None else self._passing(question.operators)

    @once
    def _looking(self) -> _Looking:
        return _Looking(self._selection, self._partition, self._inside, self._read)

    def _passing(self, operators: Operators) -> Passing | None:
        if not operators.wanted:
            return None
        terms = dict.fromkeys(term for clause in operators.wanted for term in clause.terms)
        return Passing(self._looking.passing(list(terms), operators.admit))

    @once
    def said(self) -> tuple[str, ...]:
        """Return what to say of them."""
        operators = self._question.operators
        if operators is None:
            return ()
        said = () if self._question.text.strip() else (NO_WORD,)
        return said if self.passing is None or self.passing else (*said, _why(operators, self._looking))

    @once
    def selection(self) -> Selection:
        """Those that they let through, too; all texts that may hold what they name are looked at."""
        if self._question.operators is None:
            return self._selection
        if self.passing is not None:
            return self._selection.saying(_named(self._partition, self.passing))
        gone = dict.fromkeys(chain.from_iterable(self._held.values()))
        return self._selection.saying(negated(_named(self._partition, gone)) if gone else EVERYTHING)

    @property
    def left_out(self) -> Mapping[Clause, int]:
        """How many records each operator leaves out, where nothing is wanted."""
        return {clause: len(rows) for clause, rows in self._held.items() if rows}

    @once
    def _held(self) -> Mapping[Clause, Sequence[str]]:
        """Return the rows that hold what none may hold, by clause, where nothing is wanted."""
        operators = self._question.operators
        if operators is None or operators.wanted:
            return {}
        return {clause: list(self._looking.holding(operators, clause)) for clause in operators.unwanted}


class _Looking:
    """A look at the texts of records that may be found and hold some words."""

    def __init__(self, selection: Selection, partition: Partition, inside: Inside, read: Reader) -> None:
        self._partition, self._inside, self._read = partition, inside, read
        self._selection = selection

    def passing(
        self, terms: Sequence[tuple[str, ...]], admit: Callable[[Sequence[Record]], Sequence[object]]
    ) -> Iterator[str]:
        """Give the rows of those that hold one of each group of terms and are admitted."""
        rows = _rows_holding(terms, self._selection, self._partition, self._inside)
        start, many = 0, _FIRST
        while start < len(rows):
            some = rows[start : start + many]
            start, many = start + many, min(many * _MORE, _AT_ONCE)
            there = [(row, record) for row, record in zip(some, self._read(some), strict=True) if record is not None]
            admitted = admit([record for _, record in there])
            yield from (row for (row, _), passes in zip(there, admitted, strict=True) if passes)

    def holding(self, operators: Operators, clause: Clause) -> Iterator[str]:
        """Give the rows of those that hold a phrase or word."""
        return self.passing(clause.terms, lambda records: holding(records, [clause], operators.analyzer))


def _rows_holding(groups: Sequence[Sequence[str]], among: Selection, partition: Partition, inside: Inside) -> list[str]:
    """Return the rows of those that may be found and hold one term of each group."""
    return partition.core.holding(groups, inside.cells, filter=among.filter, now=among.now, gone=among.gone)


def _why(operators: Operators, looking: _Looking) -> str:
    """Return why nothing passes: the first phrase or word that nothing holds, or all together."""
    if len(operators.wanted) == 1 and not operators.unwanted and not operators.names:
        return f"nothing that may be found holds {operators.wanted[0]}"  # that is what was looked for
    for clause in operators.wanted:
        if next(looking.holding(operators, clause), None) is None:
            return f"nothing that may be found holds {clause}"
    return f"nothing that may be found passes {operators}"


def _named(partition: Partition, rows: Iterable[str]) -> Canonical:
    """Return the filter for the records of some rows: by id, and by cell too where others have the id."""
    plain: list[str] = []
    parts: list[Canonical] = []
    for row in rows:
        place = partition.places([row])[0] if SEPARATOR in row else None
        if place is None:
            plain.append(row)
        else:
            id, (scope, boundary_class) = place
            cell = (membership("scope", (scope,)), membership("boundary_class", (boundary_class,)))
            parts.append(all_of([whose.one_of([id]), *cell]))
    return any_of([whose.one_of(plain), *parts]) if parts else whose.one_of(plain)
