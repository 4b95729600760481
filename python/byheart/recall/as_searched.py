"""A question as it is searched for by its words: without words that only ask, and with values as records write them."""

from __future__ import annotations

from dataclasses import replace

from ..index.cells import Inside
from ..patterns.values_said import may_say
from ..retrieval.asking_words import content_of
from ..retrieval.question import Question
from ..retrieval.words import content_searched
from .sources import Sources


def as_searched(question: Question, sources: Sources, inside: Inside) -> Question:
    """Return a question with the terms that are searched for.

    Args:
        question: what was asked.
        sources: what is read from.
        inside: what lies inside the boundary.

    """
    return _with_values_read(_in_content_words(question, sources), sources, inside)


def _in_content_words(question: Question, sources: Sources) -> Question:
    """Return a question without the terms of words that only ask."""
    if not isinstance(question.query, str):
        return question
    analyzer = sources.partition.settings.analyzer
    said = content_of(question.query, analyzer)
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
