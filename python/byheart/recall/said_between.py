"""Facts that were outdated as of a time, though they were said again later: then nobody knew that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..retrieval.filter.canonical import all_of

if TYPE_CHECKING:
    from ..index.cells import Inside
    from ..records import Record
    from ..retrieval.question import Question
    from .sources import Sources


def outdated_then(question: Question, sources: Sources, inside: Inside) -> list[str]:
    """Return the ids of facts that another one stood in the place of as of the question's time.

    "I live in Rome." of January, said again in March, is one record, and stands in the place of "I live in Oslo." of
    February. As of February nobody knew what was said in March: then Oslo stood in the place of Rome.
    """
    as_of, partition = question.as_of, sources.partition
    if as_of is None or question.include_superseded or not partition.figures.says("contradicts", inside.cells):
        return []
    again = [("range", "seen_at", as_of, False, None, True), ("exists", "contradicts", True)]
    found = [each for each in sources.read(sorted(partition.rows(all_of(again), inside.cells))) if each is not None]
    ids = sorted({id for record in found for id in record.contradicts})
    rows = [row for row in partition.core.findable(ids, inside.cells) if row is not None] if ids else []
    others = {each.id: each for each in sources.read(rows) if each is not None}
    return sorted({record.id or "" for record in found if _is_outdated(record, others, as_of)})


def _is_outdated(record: Record, others: dict[str | None, Record], as_of: float) -> bool:
    """Return whether one that was said behind the first time of a fact, and was known, held as of a time."""
    made = record.created_at or 0.0
    between = [each for id in record.contradicts if (each := others.get(id)) is not None]
    between = [each for each in between if made < (each.created_at or 0.0) <= as_of]
    begun = any(each.valid_from is None or each.valid_from <= as_of for each in between)
    return begun and any(each.valid_to is None or each.valid_to > as_of for each in between)
