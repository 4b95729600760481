"""The records that a question admits: by time, owner and filters, and by its operators, before anything is searched.

Records that hold a phrase hold every word of it, so the index of words names the few whose texts have to be read. What
these say is what the call may read: nothing that a policy hides, or that lies outside the boundary, is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from ..boundary import SEPARATOR
from ..classes import dataclass
from ..index import standing, whose
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

_AT_ONCE = 4_096


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
    selection = Selection(None, at if inside.ends else None, gone, partition.passes)
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


@dataclass(frozen=True, slots=True)
class Admitted:
    """What the operators of a question come to.

    Attributes:
        selection: those that they let through, too.
        said: what to say of them.
        passing: the rows of those that hold all that is wanted and nothing else, in order; None where nothing is.
        left_out: how many records each operator leaves out, where nothing is wanted.

    """

    selection: Selection
    said: tuple[str, ...] = ()
    passing: Sequence[str] | None = None
    left_out: Mapping[Clause, int] = field(default_factory=dict)


def admitted(question: Question, selection: Selection, partition: Partition, inside: Inside, read: Reader) -> Admitted:
    """Return which records the operators of a question let through, and what to say of them.

    Args:
        question: what was asked.
        selection: which records may be found, but for operators.
        partition: of the tenant.
        inside: the cells of the boundary.
        read: gives records by their rows.

    """
    operators = question.operators
    if operators is None:
        return Admitted(selection)
    looking = _Looking(selection, partition, inside, read)
    said = () if question.text.strip() else (NO_WORD,)
    if operators.wanted:
        terms = dict.fromkeys(term for clause in operators.wanted for term in clause.terms)
        rows = list(looking.passing(list(terms), operators.admit))
        found = selection.saying(_named(partition, rows))
        return Admitted(found, said if rows else (*said, _why(operators, looking)), rows)
    holding = {clause: list(looking.holding(operators, clause)) for clause in operators.unwanted}
    gone = dict.fromkeys(row for rows in holding.values() for row in rows)
    left = selection.saying(negated(_named(partition, list(gone))) if gone else EVERYTHING)
    return Admitted(left, said, None, {clause: len(rows) for clause, rows in holding.items() if rows})


class _Looking:
    """A look at the texts of records that may be found and hold some words."""

    def __init__(self, selection: Selection, partition: Partition, inside: Inside, read: Reader) -> None:
        self._partition, self._inside, self._read = partition, inside, read
        self._selection = selection

    def passing(
        self, terms: Sequence[tuple[str, str]], admit: Callable[[Sequence[Record]], Sequence[object]]
    ) -> Iterator[str]:
        """Give the rows of those that hold one of each pair of terms and are admitted."""
        rows = _rows_holding(terms, self._selection, self._partition, self._inside)
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
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
