"""The days ahead that a question names, such as "tomorrow": which of them it means, and how they are searched for.

Where it asks for nothing else, records are found by the days that they say. Where it does ("who is on call next week?")
its other words find them, and what says the day goes before what says another: a date of two words would otherwise
weigh more than all that is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..index import whose
from ..patterns.days_ahead import Ahead, dates_ahead, day_of, days_ahead, may_name_ahead
from ..retrieval.asking_words import content_of, has_asian
from ..retrieval.marked_terms import MARK
from ..retrieval.question import Question
from ..retrieval.words import content_searched
from .by_time import asks_nothing_else
from .naming_times import asks_for_the_past

if TYPE_CHECKING:
    from .._core import Analyzer, Partition
    from ..index.cells import Inside
    from .sources import Sources

_PLANS: Final = """
    agenda anything appointment appointments arranged booked busy calendar coming due event events expected expecting
    free happening have going list lined meeting meetings need next on plan planned planning plans schedule scheduled
    supposed todo up ansteht anstehen geplant gibt kalender termin termine vor vorhaben 予定
    prévu prevu prévue rendez-vous rdv programme faire planes plan previsto cita citas compromisos programma impegni
    appuntamenti impegno fare
"""
"""Words that ask what there is on a day, whatever it is."""


def with_days_ahead(question: Question, sources: Sources, inside: Inside, now: float) -> Question:
    """Return a question with the days ahead that it names as records say them.

    Args:
        question: with its values read.
        sources: what is read from.
        inside: what lies inside the boundary.
        now: when it is asked, in epoch seconds.

    """
    query = question.query
    if not isinstance(query, str) or (question.told is not None and query not in question.told):
        return question
    from ..retrieval.ahead_read import read_days_ahead  # its patterns are compiled where a question has a day ahead

    partition, analyzer = sources.partition, sources.partition.settings.analyzer
    mine = None if question.user_id is None else whose.of_user_or_none(question.user_id)
    named = _meant(query, now, analyzer)
    found = read_days_ahead(query, named, now, analyzer, partition.core, inside.cells, sources.read, mine)
    if not found.read_as or (found.unsaid and not may_name_ahead(query)):
        return question  # a date alone may be of the past, and is searched for as it stands
    read_as = found.read_as
    if found.rows and _asks_beside(_without(query, named), analyzer, partition.core, inside.cells):
        pairs = zip(read_as, named, strict=True)  # "on Sunday" says as well what is so on Sundays: it is searched for
        read_as = tuple(each._replace(text="") for each, day in pairs if day.surely)
    words = [each.words for each in read_as]
    others = [each for each in question.read_as if not any(each.words in own for own in words)]
    saying, unsaid = question.saying | found.rows, found.unsaid
    question = replace(question, read_as=(*others, *read_as), saying=saying, unsaid=unsaid)
    absent = [term for each in question.read_as for term in each.absent]
    return replace(question, terms=[*analyzer.terms(content_searched(question, analyzer)), *absent])


def _meant(query: str, now: float, analyzer: Analyzer) -> list[Ahead]:
    """Return the days ahead that a question means; "today" is often only "now", and "on Friday" may be last Friday."""
    today = day_of(now)
    named = [] if today is None else days_ahead(query, today) or dates_ahead(query, today)
    if today is None or all(each.surely for each in named):
        return named
    past = "た" in query if has_asian(query) else asks_for_the_past(query)
    general = asks_nothing_else(_without(query, named), analyzer)
    return [each for each in named if each.surely or not (past or (each.first <= today and not general))]


def _without(query: str, named: Sequence[Ahead]) -> str:
    """Return a question without the letters that name days."""
    signs = list(query)
    for each in named:
        signs[each.begin : each.end] = " " * (each.end - each.begin)
    return "".join(signs)


def _asks_beside(rest: str, analyzer: Analyzer, core: Partition, cells: Sequence[str]) -> bool:
    """Return whether the rest of a question asks for something that some record speaks of."""
    if asks_nothing_else(rest, analyzer):
        return False
    terms = [term for term in analyzer.terms(content_of(rest, analyzer)) if term not in _of_plans(analyzer)]
    return bool(terms) and any(core.held_terms(terms, MARK, cells=cells))


@lru_cache(maxsize=16)
def _of_plans(analyzer: Analyzer) -> frozenset[str]:
    return frozenset(analyzer.terms(_PLANS))
