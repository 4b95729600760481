"""Words of a question, and those by which records tell the same: "marry" for "wife", "tyres" for "tires".

Only where nothing of whom the question asks about says the word itself, and something says the other one. The records
that hold a word are read for that, if they are few; the index is asked for the cells that may be looked at, and nothing
is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from ..light.classes import dataclass
from ..light.expressions import expression
from ..patterns.places import people
from ..patterns.properties import Property, property_asked
from ..patterns.subjects import names_asked_of, names_own, says_own, subject_of
from ..patterns.told_by import told_by
from ..patterns.word_forms import bases_for
from .marked_terms import MARK

if TYPE_CHECKING:
    from .._core import Analyzer, Partition
    from ..records import Record

MOST_ROWS: Final = 24
"""Records that are read for a word: what more hold is said of many."""
MOST_READ: Final = 2
"""Words of a question that are read as others, the first ones."""
_MOST_WORDS: Final = 16
_WORD: Final = expression(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class _Looking:
    analyzer: Analyzer
    core: Partition
    cells: Sequence[str]
    read: Callable[[Sequence[str]], Sequence[Record | None]]
    is_own: bool
    kin: frozenset[str]
    names: frozenset[str]
    asked: Property | None

    def held(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that any record holds."""
        terms = list(dict.fromkeys(terms))
        there = self.core.held_terms(terms, MARK, cells=self.cells)
        return {term for term, is_held in zip(terms, there, strict=True) if is_held}

    def is_said(self, term: str, *, by_many: bool) -> bool:
        """Return whether a record of whom is asked about holds a term; `by_many` where too many do to be read.

        What cannot say the property that is asked for says it of nobody: an old friend tells no age.
        """
        if not (self.is_own or self.names):
            return True
        rows = self.core.holding([[term, MARK + term]], self.cells)
        if len(rows) > MOST_ROWS:
            return by_many
        return any(self._is_of(record) for record in self.read(rows) if record is not None)

    def _is_of(self, record: Record) -> bool:
        said = " ".join(filter(None, (record.speaker, *record.indexed().values())))
        if self.asked is not None and not self.asked.says(said):
            return False
        if self.is_own:
            return says_own(said) or subject_of(said)[0] is None or not self.kin.isdisjoint(people(said))
        return not self.names.isdisjoint(word.lower() for word in _WORD.findall(said))


def told_otherwise(
    query: str,
    analyzer: Analyzer,
    core: Partition,
    cells: Sequence[str],
    read: Callable[[Sequence[str]], Sequence[Record | None]],
) -> dict[str, str]:
    """Return words of a question, each with the one by which records tell it.

    Args:
        query: the question.
        analyzer: of the memory.
        core: the partition of the tenant.
        cells: those that may be looked at.
        read: gives records by their rows.

    """
    if not bases_for(analyzer) or not query.isascii():
        return {}
    names = names_asked_of(query)
    words = [word for word in dict.fromkeys(_WORD.findall(query)) if word.lower() not in names][:_MOST_WORDS]
    others = {word: told for word in words if (told := _told_by(word.lower(), analyzer))}
    if not others:
        return {}
    asked = property_asked(query)
    looking = _Looking(analyzer, core, cells, read, names_own(query), people(query), names, asked)
    terms = {word: analyzer.terms(word) for word in others}
    held = looking.held(chain(*(own[:1] for own in terms.values()), *(told.values() for told in others.values())))
    found: dict[str, str] = {}
    for word, told in others.items():
        own = terms[word]
        if held.isdisjoint(told.values()) or (own[:1] and own[0] in held and looking.is_said(own[0], by_many=True)):
            continue
        there = (each for each, term in told.items() if term in held and term not in own)
        other = next((each for each in there if looking.is_said(told[each], by_many=False)), None)
        if other is not None:
            found[word] = other
        if len(found) == MOST_READ:
            break
    return found


@lru_cache(maxsize=1_024)
def _told_by(word: str, analyzer: Analyzer) -> Mapping[str, str]:
    """Return the words by which records tell what a word asks for, the best first, and the first term of each.

    Kept are those of some hundred questions: a word has 20 others, of some 2 KB.
    """
    found: dict[str, str] = {}
    for other in told_by(word):
        term = next(iter(analyzer.terms(other)), None)
        if term is not None and term not in found.values():
            found[other] = term
    return found
