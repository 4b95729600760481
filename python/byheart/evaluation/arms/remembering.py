"""The memory of a history: a record for each session, whose text is its turns, and the time at which it is asked."""

from __future__ import annotations

from collections.abc import Iterable

from ...memory.memory import Memory
from ...records import Record
from ...words import Preset
from ..converters.conversations import Session
from ..dates import moment
from ..filling import UNDATED


def remember(memory: Memory, sessions: Iterable[Session]) -> float:
    """Remember sessions, and return the time of the newest: "now" of the questions about them.

    What says nothing is not remembered. A session without a date counts as of the newest one's.
    """
    told = [session for session in sessions if text_of(session).strip()]
    dates = [None if session.date is None else moment(session.date) for session in told]
    now = max((date for date in dates if date is not None), default=UNDATED)
    memory.remember_many(
        [
            Record(
                id=session.id,
                text=text_of(session),
                topic=session.metadata.get("title"),
                session_id=session.id,
                created_at=now if date is None else date,
            )
            for session, date in zip(told, dates, strict=True)
        ]
    )
    return now


def text_of(session: Session) -> str:
    r"""Return a session as one text: a line a turn, each behind its speaker.

    >>> from byheart.evaluation.converters.conversations import Turn
    >>> text_of(Session("s", None, (Turn("t1", "user", "Tea?"), Turn("t2", "", "Yes."))))
    'user: Tea?\nYes.'
    """
    return "\n".join(f"{turn.speaker}: {turn.text}" if turn.speaker else turn.text for turn in session.turns)


def preset_of(sessions: Iterable[Session]) -> Preset:
    """Return the preset of the lexical index that suits sessions: chat turns name their speakers."""
    return "conversation" if any(turn.speaker for session in sessions for turn in session.turns) else "default"
