"""The property that a question asks for, and whether the texts of the first rows say it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..boundary import id_of
from ..records import Record
from .algebra import StageContext
from .candidates import Candidates

if TYPE_CHECKING:
    from ..patterns.properties import Property, Text

FIRST, LOOKED_AT = 10, 48
"""So many of the first rows are looked at, and so many if these do not say it."""


def unsaid(table: Candidates, context: StageContext) -> Property | None:
    """Return the property that a question asks for, if rows speak of what has it, and none may say it; else None."""
    from ..patterns.properties import property_asked  # its patterns are compiled for the first question

    asked = None if context.is_marked else property_asked(context.query)
    if asked is None or not table.keys:
        return None
    texts: list[Text] = []
    for start, end in ((0, FIRST), (FIRST, LOOKED_AT)):
        found = context.related([id_of(key) for key in table.keys[start:end]])
        for record in found.values():
            texts.append(text_of(record))
            if asked.is_said_plainly(texts[-1:]):
                return None  # as the first one does, of most questions
    return asked if asked.is_unsaid(texts) else None


def text_of(record: Record) -> Text:
    """Return what a record says, by whom, and in which session."""
    said = " ".join(filter(None, (record.speaker, *record.indexed().values())))
    return _text()(said, record.session_id)


@lru_cache(maxsize=1)
def _text() -> type[Text]:
    """Return the class of texts, which comes with the patterns: an import for each record takes as long as the rest."""
    from ..patterns.properties import Text

    return Text
