"""A refused question, asked once more in the words by which records tell what it asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from ..light.expressions import expression
from ..patterns.asking import MOST_CHARACTERS
from ..ranking.property_said import text_of
from ..records import Record
from ..retrieval.asking_words import language_asked
from ..retrieval.question import Question
from .sources import Sources

_IN_THE_SENSE: Final[Mapping[str, re.Pattern[str]]] = {
    "see": expression(
        r"\b(?:see|sees|seeing|saw)\s+(?:(?:my|our|the|a|an)\s+(?:\w+\s+)?(?:doctor|dentist|vet|gp|nurse|lawyer|therapist"
        r"|physio\w*|\w+ologist|optician|surgeon|accountant|advis[eo]r|agent|midwife)\b|(?-i:Dr|Prof|Mr|Mrs|Ms|[A-Z]\w+)\b)",
        re.IGNORECASE,
    ),
    "order": expression(
        r"\border(?:ed|ing)\b|\b(?:i|we|you|he|she|they|to|will|'ll)\s+order\b|\border\s+(?:an?|some|two|three|more)\b"
        r"|\b(?:my|our|the|this|that|an?)\s+order\b(?!\s+of\b)",
        re.IGNORECASE,
    ),
    "pin": expression(r"\bpins?\b", re.IGNORECASE),
}
"""Words that others are read as in one sense alone: who sees a diff has no appointment."""


class Otherwise(NamedTuple):
    """A question in other words, and which of its words each stands for."""

    question: Question
    read: Mapping[str, str]

    @property
    def note(self) -> str:
        """What to say of an answer to it."""
        read = " and ".join(f"{word!r} is read as {other!r}" for word, other in self.read.items())
        return f"as it stands it is refused: {read}"

    def is_answered_by(self, records: Sequence[Record]) -> bool:
        """Return whether records say what the question asks for as it was asked: a property, or a kind of answer."""
        from ..patterns.answers_sought import may_hold, sought
        from ..patterns.properties import property_asked

        if self.question.told is None:
            return True
        told, texts = str(self.question.told), [text_of(record) for record in records]
        senses = [sense for other in self.read.values() if (sense := _IN_THE_SENSE.get(other)) is not None]
        if not all(sense.search(text.text) for sense in senses for text in texts[:1]):
            return False
        if (asked := property_asked(told)) is not None:
            return asked.read_as(self.read).is_said(texts)
        kind = sought(told)
        return kind is None or any(may_hold(kind, text, told) for text in texts[:1])


def in_other_words(question: Question, sources: Sources) -> Otherwise | None:
    """Return a question with words in the place of some of its own; None where there are none.

    Terms and what has operators, or is hidden in part, are asked as they are.
    """
    query, partition = question.query, sources.partition
    if not isinstance(query, str) or len(query) > MOST_CHARACTERS:
        return None
    if question.operators is not None or question.is_typed or question.told is not None:
        return None
    analyzer = partition.settings.analyzer
    if language_asked(query, analyzer) is not None:
        return None
    from ..retrieval.other_words import told_otherwise  # its tables are made where a question was refused

    inside = partition.inside(question.boundary)
    found = told_otherwise(query, analyzer, partition.core, inside.cells, sources.read)
    if not found:
        return None
    said = re.sub(rf"\b(?:{'|'.join(found)})\b", lambda word: found[word[0]], query)
    return Otherwise(replace(question, query=said, terms=analyzer.terms(said), told=query), found)
