"""The property, code or kind of answer that a question asks for, and whether the texts of the first rows say it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from ..boundary import id_of
from ..light.expressions import expression
from ..records import Record
from .algebra import StageContext
from .candidates import Candidates

if TYPE_CHECKING:
    from ..patterns.answers_sought import Sought
    from ..patterns.codes_asked import CodeAsked
    from ..patterns.properties import Property, Text

_OF_CODES: Final = expression("[0-9_]")  # what each code has
FIRST, LOOKED_AT = 10, 48
"""So many of the first rows are looked at, and so many if these do not say it."""
NEARLY = 0.8
"""Rows with that share of the best score are as likely the answer: none of them may hold the kind that is sought.

On the notes of `benches/quality/notes.py` 20 of the 195 unknown questions that are answered have an empty answer for
that, and none of the 446 known ones. With 0.9 it is 22 and none, with 0.5 18 and none; of the best row alone, 30 and
one.
"""


def lacking(table: Candidates, context: StageContext) -> Property | CodeAsked | Sought | None:
    """Return the property or code that a question asks for, or else the kind of answer, where no row may say it."""
    if context.is_marked or not table.keys:
        return None
    asked = asked_for(context.query)
    found = next((each for each in asked if unsaid(each, table, context) is not None), None)
    return unheld(table, context) if found is None and not _has_property(asked) else found


def asked_for(question: str) -> Sequence[Property | CodeAsked]:
    """Return the code that a question asks about, and the property that it asks for, as far as there are such."""
    from ..patterns.properties import property_asked  # its patterns are compiled for the first question

    asked = property_asked(question)
    if _OF_CODES.search(question) is None:  # as of most
        return () if asked is None else (asked,)
    from ..patterns.codes_asked import code_asked

    return tuple(each for each in (code_asked(question), asked) if each is not None)


def _has_property(asked: Sequence[Property | CodeAsked]) -> bool:
    """Return whether a property is among what a question asks for: then no kind of answer is looked for."""
    from ..patterns.codes_asked import CodeAsked

    return any(not isinstance(each, CodeAsked) for each in asked)


def unheld(table: Candidates, context: StageContext) -> Sought | None:
    """Return the kind of answer that a question seeks, if none of the best rows may hold it; else None."""
    from ..patterns.answers_sought import may_hold, sought

    asked = sought(context.query)
    if asked is None:
        return None
    scores = table.scores()[:FIRST]
    best = [key for key, score in zip(table.keys, scores, strict=False) if score >= NEARLY * scores[0]]
    texts = [text_of(each) for each in context.related([id_of(key) for key in best]).values()]
    return None if not texts or any(may_hold(asked, text, context.query) for text in texts) else asked


def unsaid(asked: Property | CodeAsked, table: Candidates, context: StageContext) -> Property | CodeAsked | None:
    """Return what is asked for, if rows speak of what has it, or of another code, and none may say it; else None."""
    texts: list[Text] = []
    for start, end in ((0, FIRST), (FIRST, LOOKED_AT)):
        found = context.related([id_of(key) for key in table.keys[start:end]])
        for record in found.values():
            texts.append(text_of(record))
            if asked.is_said_plainly(texts[-1:]):
                return None  # as the first one does, of most questions
    return asked if asked.is_unsaid(texts) else None


def text_of(record: Record) -> Text:
    """Return what a record says, by whom, and in which session; a summary says what it stands for, too."""
    said = " ".join(filter(None, (record.speaker, *record.indexed().values(), record.source_words)))
    return _text()(said, record.session_id)


@lru_cache(maxsize=1)
def _text() -> type[Text]:
    """Return the class of texts, which comes with the patterns: an import for each record takes as long as the rest."""
    from ..patterns.properties import Text

    return Text
