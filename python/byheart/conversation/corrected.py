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
from ..patterns.saying import said
from ..patterns.updating import values_of
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
    """A turn that is corrected, what others said of it again, and its durable copies; nothing if there is none."""

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
    told = [each for each in indexes.stored(key.tenant, rows) if each is not None and _is_turn(each, turn)]
    told.sort(key=lambda each: (each.created_at or 0.0, by_id(key_of(each))), reverse=True)
    own = [each for each in told if _is_by(each, turn) and sameness.may_state(each)]
    for before in own[:MOST_BEFORE]:
        if is_current(before, now) and corrects(turn.text, before.text):
            copies = indexes.stored(key.tenant, partition.rows(whose.copies_of(before.id or ""), cells))
            echoes = [each for each in told[: told.index(before)] if _is_echo(each, before, turn)]
            return Corrected(
                (before, *echoes[:MOST_BEFORE]),
                tuple([each for each in copies if each is not None and is_current(each, now)]),
            )
    return Corrected()


def _is_echo(told: Record, before: Record, turn: Record) -> bool:
    """Return whether somebody else said again what is corrected: "Your interview is on Wednesday, good luck!"."""
    given = values_of(before.text) or said(before.text).names
    again = given & (values_of(told.text) | said(told.text).names)
    return not _is_by(told, turn) and bool(again) and corrects(turn.text, told.text)


def _is_by(one: Record, other: Record) -> bool:
    """Return whether two turns are of one speaker."""
    return (one.speaker, one.metadata.get("role")) == (other.speaker, other.metadata.get("role"))


def _is_turn(before: Record, turn: Record) -> bool:
    """Return whether a record is another turn with the same user."""
    return before.kind == whose.TURN and before.user_id == turn.user_id and before.id != turn.id
