"""Values of a question, read as records write them: "18:30" as "6:30 pm", "3. Mai" as "03.05.", "250k" as "250,000".

The index is asked which of the ways of writing a value it holds. The records that hold one are read, since "9" may be
nine of anything, and their own words for the value are searched for, beside those of the question where a record says
these. A day or an hour that no record says carries nothing: its number, which stands beside another month, is not
looked for, and weighs as a word that nothing holds. The index is asked for the cells that may be looked at, whatever
else may not be found, as the spelling of a word is; nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ..light.expressions import expression
from ..patterns.amounts_said import Amount, without_unit
from ..patterns.calendar_days_said import Day
from ..patterns.values_said import Said, Value, saying, values_said, ways_of
from .marked_terms import MARK
from .question import ReadAs

if TYPE_CHECKING:
    from .._core import Analyzer, Partition
    from ..records import Record

MOST_VALUES: Final = 4
"""Values of a question that are looked for in other ways of writing, the first ones."""
MOST_WAYS: Final = 3
"""Other words for one value that are searched for: those of most records."""
MOST_ROWS: Final = 48
"""Records that are read for one way of writing. What more hold is too common a number to tell anything."""
_SHORT: Final = expression(r"\d{1,3}")


class Reading(NamedTuple):
    """What the values of a question are read as.

    Attributes:
        read_as: those that are read as something else.
        rows: of the records that say a value whose own words are in others, too.
        unsaid: whether no record says one of them.

    """

    read_as: tuple[ReadAs, ...] = ()
    rows: frozenset[str] = frozenset()
    unsaid: bool = False


class _Looking(NamedTuple):
    analyzer: Analyzer
    core: Partition
    cells: Sequence[str]
    read: Callable[[Sequence[str]], Sequence[Record | None]]

    def held(self, ways: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
        """Return the ways of which each term is held, be it in several records."""
        ways = [way for way in dict.fromkeys(ways) if way]
        terms = list(dict.fromkeys(term for way in ways for term in way))
        there = dict(zip(terms, self.core.held_terms(terms, MARK, cells=self.cells), strict=True))
        return [way for way in ways if all(there[term] for term in way)]

    def holding(self, way: tuple[str, ...]) -> list[str]:
        """Return the rows that hold all terms of a way."""
        return self.core.holding([[term, MARK + term] for term in way], self.cells)


def read_values(
    query: str,
    analyzer: Analyzer,
    core: Partition,
    cells: Sequence[str],
    read: Callable[[Sequence[str]], Sequence[Record | None]],
) -> Reading:
    """Return what the values of a question are read as.

    Args:
        query: the question.
        analyzer: of the memory.
        core: the partition of the tenant.
        cells: those that may be looked at.
        read: gives records by their rows.

    """
    looking = _Looking(analyzer, core, cells, read)
    found = [_reading(said, looking) for said in values_said(query)[:MOST_VALUES]]
    rows = frozenset(row for each in found for row in each.rows)
    return Reading(tuple(one for each in found for one in each.read_as), rows, any(each.unsaid for each in found))


def _reading(said: Said, looking: _Looking) -> Reading:
    """Return what one value is read as."""
    analyzer, value = looking.analyzer, said.value
    own = tuple(analyzer.terms(said.words))
    is_time = isinstance(value, frozenset) or (isinstance(value, Day) and value.day is not None)
    is_weak = is_time or any(map(_SHORT.fullmatch, own))
    ways = [way for way in looking.held(tuple(analyzer.terms(way)) for way in ways_of(value)) if way != own]
    is_held = not (ways and is_weak) and bool(looking.held([own])) and bool(looking.holding(own))
    if not ways and not is_time:
        return Reading(unsaid=not is_held)
    is_said = is_held and not is_weak
    rows: dict[str, None] = {}
    unsure = False
    for way in [own, *ways] if is_weak and own else ways:
        held = looking.holding(way)
        unsure = unsure or len(held) > MOST_ROWS
        rows.update(dict.fromkeys(held if len(held) <= MOST_ROWS else ()))
    told = _told(value, list(rows), own, looking)
    least = _least(value, [level for level, _, _ in told], is_held=is_said)
    words: dict[tuple[str, ...], list[str]] = {}
    for level, each, _ in told:
        if level >= least:
            words.setdefault(tuple(analyzer.terms(each)), []).append(each)
    is_said = is_said or own in words or (is_weak and unsure)
    others = sorted((way for way in words if way and way != own), key=lambda way: -len(words[way]))[:MOST_WAYS]
    saying_it = frozenset(row for level, _, row in told if level >= least) if is_time else frozenset[str]()
    if others:
        texts = [said.words] * is_said + [words[way][0] for way in others]
        return Reading((ReadAs(said.words, " ".join(texts)),), saying_it)
    if not is_said and is_time and (isinstance(value, Day) or any(map(_SHORT.fullmatch, own))):
        return Reading(
            (ReadAs(said.words, "", tuple(f"{term}\u00b7{said.words.lower()}" for term in own)),), unsaid=True
        )
    return Reading((), saying_it, not is_said)


def _least(value: Value, told: Sequence[int], *, is_held: bool) -> int:
    """Return how well a record must say a value, for its words to be searched for: as well as any that was read does.

    That a record holds "1200" says nothing against the "$1,200" of another one: a bare number may be of anything.
    """
    if isinstance(value, Amount) and not value.unit:
        return 1
    return 2 if is_held and isinstance(value, Day) else max(told, default=0)


def _told(value: Value, rows: Sequence[str], own: tuple[str, ...], looking: _Looking) -> list[tuple[int, str, str]]:
    """Return how well the records of rows say a value, with which words, and the row: of each the best that it says.

    What an amount is of is none of its words unless the question's own terms have it: "euros" finds all that costs any.
    """
    found = []
    for row, record in zip(rows, looking.read(rows), strict=True):
        texts = [] if record is None else record.indexed().values()
        said = [each for text in texts for each in saying(value, text)]
        if said:
            level, words = max(said, key=lambda each: each[0])
            if isinstance(value, Amount) and not set(own).issuperset(_unit_terms(words, looking.analyzer)):
                words = without_unit(words)
            found.append((level, words, row))
    return found


def _unit_terms(words: str, analyzer: Analyzer) -> list[str]:
    """Return the terms of what an amount is of, which stand behind those of its number."""
    return analyzer.terms(words)[len(analyzer.terms(without_unit(words))) :]
