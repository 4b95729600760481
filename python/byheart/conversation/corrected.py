"""The turn that a short correction corrects: what the same speaker said last in the session, if it has such a value.

"No wait, it's Thursday." shares no word with "My dentist appointment is on Wednesday at 5pm.", and is told by where it
stands alone. Looked at are the last turns of a few minutes, whatever the length of the conversation, and of a message
that begins as a correction does alone.
"""

from __future__ import annotations

from typing import Final

from ..boundary import cell_key
from ..index import whose
from ..index.indexes import Indexes
from ..light.classes import dataclass
from ..patterns.correcting import corrected_value, corrects
from ..records import Record
from ..retrieval import sameness
from ..retrieval.filter.canonical import Canonical, all_of
from ..storage import by_id, key_of
from ..writing.counterparts import is_current

WITHIN: Final = 900.0
"""Seconds: what was said longer ago is not corrected without a word of it."""
MOST_BEFORE: Final = 3
"""So many turns of the speaker's before a correction are looked at; answers in between do not count."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """A turn that is corrected, and its durable copies; nothing if there is none."""

    turns: tuple[Record, ...] = ()
    copies: tuple[Record, ...] = ()


def corrected_by(turn: Record, indexes: Indexes, now: float) -> Corrected:
    """Return what a complete turn corrects; the caller holds the lock of the indexes, which are up to date."""
    if corrected_value(turn.text) is None or not sameness.may_state(turn) or turn.session_id is None:
        return Corrected()
    key, at = key_of(turn), turn.created_at or 0.0
    partition, cells = indexes[key.tenant], [cell_key(*key.cell)]
    lately: Canonical = ("range", "created_at", at - WITHIN, True, at, True)
    recent = all_of([whose.of_session(turn.session_id), whose.ACTIVE, lately])
    rows = partition.rows(recent, cells)
    told = [each for each in indexes.stored(key.tenant, rows) if each is not None and _is_of(each, turn)]
    told.sort(key=lambda each: (each.created_at or 0.0, by_id(key_of(each))), reverse=True)
    for before in told[:MOST_BEFORE]:
        if is_current(before, now) and corrects(turn.text, before.text):
            copies = indexes.stored(key.tenant, partition.rows(whose.copies_of(before.id or ""), cells))
            return Corrected((before,), tuple([each for each in copies if each is not None and is_current(each, now)]))
    return Corrected()


def _is_of(before: Record, turn: Record) -> bool:
    """Return whether the speaker of a turn said a record, as a turn before it."""
    same = before.user_id == turn.user_id and before.speaker == turn.speaker
    return before.kind == whose.TURN and before.id != turn.id and same and sameness.may_state(before)
