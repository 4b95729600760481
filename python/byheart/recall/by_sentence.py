"""The answer to a message of several sentences: to one of them, where the message as a whole is refused.

People lead up to a question: "Good morning! My sister is here with her laptop. What is the wifi password?" Of so many
words the right record says few, so that the memory seems to know nothing about the message. Then each sentence is asked
by itself, those that ask if any does, and the strongest answer is given, which says so.

Ten questions behind 13, 17 and 36 words of small talk, right first: 9, 6 and 10; as one message 5, 0 and 0, and ranked
by the whole message whatever its strength 9, 2 and 0.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..light.expressions import expression
from ..patterns.asking import MOST_CHARACTERS, asks, sentences
from ..patterns.values_said import may_say, whole_values
from ..profiles.profile import Profile
from ..ranking.property_said import LOOKED_AT
from ..ranking.strength import Strength
from ..records import Record
from ..retrieval.question import Question
from . import run as plainly
from .absolute import Fused
from .depth import FirstRows
from .other_words import in_other_words
from .sources import Sources

MOST: Final = 8
"""Sentences that are asked at most: the last ones."""
_TITLE: Final = expression(r"\b(?:dr|mr|mrs|ms|prof|st)\.$", re.IGNORECASE)
Done = plainly.Run | FirstRows | Fused


def run(question: Question, profile: Profile, sources: Sources, *, whole: bool = False) -> Done:
    """Run a profile inside the question's boundary (`byheart.recall.run`), otherwise or by sentences if need be."""
    done = plainly.run(question, profile, sources, whole=whole)
    if done.rows or not any(isinstance(stage, Strength) for stage in profile.stages):
        return done
    if (otherwise := in_other_words(question, sources)) is not None:
        found = plainly.run(otherwise.question, profile, sources, whole=whole)
        if found.rows and otherwise.is_answered_by(_first(found)):
            return _noted(found, otherwise.note)
    best: tuple[float, Done] | None = None
    for part in asked_parts(question):
        terms = sources.partition.settings.analyzer.terms(part)
        own = replace(question, query=part, terms=terms, told=question.text)
        found = plainly.run(own, profile, sources, whole=whole) if terms else done
        if found.rows and (best is None or _strength(found) > best[0]):
            note = f"the message as a whole is refused: answered is its sentence {part!r}"
            best = _strength(found), _noted(found, note)
    return done if best is None else best[1]


def asked_parts(question: Question) -> tuple[str, ...]:
    """Return the sentences by which a message is asked, where it has several: those that ask, or all if none does.

    Terms and what has operators, or is hidden in part, are asked as they are.
    """
    query = question.query
    if not isinstance(query, str) or len(query) > MOST_CHARACTERS:
        return ()
    if question.operators is not None or question.is_typed or question.told is not None:
        return ()
    parts = whole_titles(sentences(query))
    if len(parts) > 1 and may_say(query):
        parts = whole_values(query, parts)
    asking = tuple(part for part in parts if asks(part))
    return (asking or parts)[-MOST:] if len(parts) > 1 else ()


def whole_titles(parts: Sequence[str]) -> tuple[str, ...]:
    """Return sentences, of which none ends with a title: its name stands behind it.

    >>> whole_titles(("Where is Dr.", "Salis?", "Is she in?"))
    ('Where is Dr. Salis?', 'Is she in?')
    """
    found: list[str] = []
    for part in parts:
        if found and _TITLE.search(found[-1]):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return tuple(found)


def _first(done: Done) -> list[Record]:
    records = [record for *_, record in done.hits()] if isinstance(done, plainly.Run) else list(done.records)
    return records[:LOOKED_AT]


def _noted(done: Done, note: str) -> Done:
    if isinstance(done, plainly.Run):
        done.legs.queries.degraded += (note,)
    else:
        done.degraded += (note,)
    return done


def _strength(done: Done) -> float:
    figures = done.figures if isinstance(done, Fused) else done.drawn().figures["strength"]
    return float(figures["best"])
