"""The topic of a question that names a time: what a memory has to know besides.

Records are of a time, and seldom say "last week". As words that nothing holds these weigh the more, the more records
there are, until no answer says enough of a question. So to the strength of an answer a time weighs as much as the rest
of the question, whatever its words; what is found, and in which order, goes by all of them.

Measured on the 114 questions of locomo-dev that name a time, each asked of its own conversation and of the four others:
112 of the own ones are answered, and 25 % of the others; with the weight of their words 106 and 27 %, with none 114 and
48 %, with half of it 114 and 34 %. Where a record says the time word by word, "12 June", the words count, too, if that
gives more: else "Am I free on 12 June?" is not answered by what is on that day. Then 28 % of the others are answered.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..ranking.algebra import Topic
from ..ranking.curves import words_in
from ..ranking.dates import without_times
from ..retrieval.asking_words import content_of
from ..retrieval.words import fields_of, terms_of

if TYPE_CHECKING:
    from .queries import Queries

OF_TIME = 1.0
"""So much weighs a time beside the rest of a question."""
_LOOKED_AT = 5
"""Records with the words of a time, of which one has to have all."""


def topic_of(queries: Queries, now: float) -> Topic | None:
    """Return how much a question that names times says, its time as much as the rest; None where that is nothing.

    Args:
        queries: what the legs were asked.
        now: the time of the question.

    """
    question, partition = queries.question, queries.sources.partition
    if not isinstance(question.query, str):
        return None
    settings, core, selection = partition.settings, partition.core, queries.selection
    rest = question.searched(without_times(question.query, now))
    own = settings.analyzer.terms(content_of(rest, settings.analyzer))
    terms = [term for term in own if term not in question.unheld]
    if not terms:
        return None
    said = terms_of(replace(question, query=rest, terms=terms, read_as=()), settings, core, queries.cells).terms
    leg = {"retriever": "words", "k": 1, "whole": True, **fields_of(settings, converses=queries.converses)}
    [found] = core.propose(
        [leg], queries.cells, terms=said, filter=selection.filter, now=selection.now, gone=selection.gone
    ).legs
    most = None if found.most is None else (1.0 + OF_TIME) * found.most
    return Topic(most, words_in(terms), found.familiarity or 0.0, _is_said(queries, rest))


def _is_said(queries: Queries, rest: str) -> bool:
    """Return whether a record has all words of the times that a question names beside `rest`: "12 June"."""
    question, partition, selection = queries.question, queries.sources.partition, queries.selection
    analyzer, core = partition.settings.analyzer, partition.core
    absent = {term for each in question.read_as for term in each.absent}
    times = {*analyzer.terms(question.searched(question.text)), *absent}.difference(analyzer.terms(rest))
    if not times:
        return False
    leg = {"retriever": "words", "k": _LOOKED_AT, **fields_of(partition.settings, converses=queries.converses)}
    found = core.propose(
        [leg], queries.cells, terms=sorted(times), filter=selection.filter, now=selection.now, gone=selection.gone
    )
    records = queries.sources.read(found.rows)
    return any(times.issubset(analyzer.terms(" ".join(record.indexed().values()))) for record in records if record)
