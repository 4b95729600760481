"""A question as it is searched for by its words: without words that only ask, and with values as records write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from .._core import Analyzer
from ..index import whose
from ..index.cells import Inside
from ..light.expressions import expression
from ..patterns.values_said import may_say
from ..retrieval.asked_by import asked_about, asked_by
from ..retrieval.asking_words import content_of, has_asian, language_asked
from ..retrieval.marked_terms import MARK
from ..retrieval.question import Question
from ..retrieval.selection import Selection
from ..retrieval.spellings import closed_of
from ..retrieval.words import content_searched, terms_of
from .days_asked import with_days_ahead
from .sources import Sources

_OTHER: Final = "the other "
_OTHER_DAY: Final = expression(r"\bthe other (?:day|night|evening|morning|afternoon|week)\b", re.IGNORECASE)
"""Names a time by words that say nothing of when: no record that is asked for holds them."""


def as_searched(question: Question, sources: Sources, inside: Inside, now: float | None) -> Question:
    """Return a question with the terms that are searched for.

    Args:
        question: what was asked.
        sources: what is read from.
        inside: what lies inside the boundary.
        now: when it is asked, in epoch seconds, if it may name days ahead.

    """
    question = _with_values_read(_in_content_words(question, sources), sources, inside)
    if now is not None:
        question = with_days_ahead(question, sources, inside, now)
    question = _with_kinds_read(question, sources, inside)
    return _by_what_is_held(question, sources, inside)


def _in_content_words(question: Question, sources: Sources) -> Question:
    """Return a question without the terms of words that only ask."""
    if not isinstance(question.query, str):
        return question
    analyzer = sources.partition.settings.analyzer
    said = content_of(question.query, analyzer)
    if _OTHER in question.query.lower() and _OTHER_DAY.search(question.query):
        rest = content_of(_OTHER_DAY.sub(" ", question.query), analyzer)
        said = rest if analyzer.terms(rest) else said
    return question if said == question.query else replace(question, terms=analyzer.terms(said))


def _with_values_read(question: Question, sources: Sources, inside: Inside) -> Question:
    """Return a question with its values, such as times and amounts, as records write them."""
    query, told = question.query, question.told
    if not isinstance(query, str) or not may_say(query):
        return question
    if told is not None and query not in told:  # a policy hides some of it, which no explanation repeats
        return question
    from ..retrieval.values_read import read_values  # its patterns are compiled where a question has a value

    partition, analyzer = sources.partition, sources.partition.settings.analyzer
    found = read_values(query, analyzer, partition.core, inside.cells, sources.read)
    question = replace(question, read_as=found.read_as, saying=found.rows, unsaid=found.unsaid)
    if not found.read_as:
        return question
    absent = [term for each in found.read_as for term in each.absent]
    return replace(question, terms=[*analyzer.terms(content_searched(question, analyzer)), *absent])


def _with_kinds_read(question: Question, sources: Sources, inside: Inside) -> Question:
    """Return a Japanese question with words of the kinds that it names and no record does; or that it is of nobody."""
    query = question.query
    if not isinstance(query, str) or query.isascii() or not has_asian(query) or question.told is not None:
        return question
    from ..retrieval.kinds_asian import read_kinds
    from ..retrieval.property_japanese import is_known_of_nobody

    partition, analyzer = sources.partition, sources.partition.settings.analyzer
    mine = Selection(None, None, None, partition.passes)
    if question.user_id is not None:  # what others say tells nothing
        mine = mine.both(whose.of_user_or_none(question.user_id))

    def holding(groups: Sequence[Sequence[str]]) -> list[str]:
        return partition.core.holding(groups, inside.cells, filter=mine.filter)

    if is_known_of_nobody(query, analyzer, holding, sources.read):
        return replace(question, is_of_nothing=True)
    found = read_kinds(query, analyzer, partition.core, inside.cells)
    if not found:
        return question
    question = replace(question, read_as=(*question.read_as, *found))
    absent = [term for each in question.read_as for term in each.absent]
    return replace(question, terms=[*analyzer.terms(content_searched(question, analyzer)), *absent])


def _by_what_is_held(question: Question, sources: Sources, inside: Inside) -> Question:
    """Return a question without words by which it asks that no record holds, and whether nothing it asks about is held.

    No record need say "much", for it to be known how much the rent is. But beside the name of a cat the name of a
    lawyer is not known: there no record says what is asked about, however few say "name".
    """
    query, partition = question.query, sources.partition
    if not isinstance(query, str):
        return question
    analyzer, core = partition.settings.analyzer, partition.core
    asking = asked_by(query, language_asked(query, analyzer), analyzer)
    if asking.isdisjoint(question.terms):  # as of most questions
        return question

    def held(terms: Sequence[str]) -> list[bool]:
        return core.held_terms(terms, MARK, cells=inside.cells)

    said = [term for term in dict.fromkeys(question.terms) if term in asking]
    unheld = {term for term, is_held in zip(said, held(said), strict=True) if not is_held}
    left = [term for term in question.terms if term not in unheld]
    if unheld and left and not any(held(_in_one(query, analyzer))):  # "first name" may be a "firstname"
        question = replace(question, terms=left, unheld=frozenset(unheld))
    about = asked_about(query)
    own = [] if about is None else analyzer.terms(content_of(about, analyzer))
    if about is None or not own:
        return question
    sought = terms_of(replace(question, query=about, terms=own, read_as=()), partition.settings, core, inside.cells)
    is_held = any(held([term for term in sought.terms if not term.startswith(MARK)]))
    return question if is_held else replace(question, is_of_nothing=True)


def _in_one(query: str, analyzer: Analyzer) -> list[str]:
    """Return the terms of words of a question with others of it in one."""
    return analyzer.terms(" ".join(word for _, word in closed_of(query)))
