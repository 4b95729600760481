"""Policies of keeping: which sessions an arm remembers, in which form, and what that saves.

    all           every session as it was said
    must          those that must be kept
    must+nice     those too that are nice to have
    observations  every session, cut to its first lines

A session that was not kept cannot be found, and what is right stays what it was: a question whose answer was dropped
scores 0. It is never given another answer in the place of that one.
"""
# docs/sources.md: A3.6.9, A3.6.10, A3.6.12.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from ...errors import InvalidArgument
from ..bench import importance_label
from ..converters.conversations import Session

ALL: Final = "all"
OBSERVATIONS: Final = "observations"
POLICIES: Final = (ALL, "must", "must+nice", OBSERVATIONS)
MAX_LINES: Final = 12
MAX_CHARACTERS: Final = 240


def kept(sessions: Iterable[Session], policy: str) -> tuple[Session, ...]:
    """Return the sessions that a policy keeps, as it keeps them.

    Raises:
        InvalidArgument: there is no such policy.

    >>> from byheart.evaluation.converters.conversations import Turn
    >>> kettle = Session("s1", None, (Turn("t", "user", "The deadline of the kettle."),))
    >>> tea = Session("s2", None, (Turn("t", "user", "Tea."),))
    >>> [session.id for session in kept([kettle, tea], "must")]
    ['s1']

    """
    if policy not in POLICIES:
        raise InvalidArgument(f"policy: {policy!r} does not exist; there are {', '.join(POLICIES)}")
    if policy == OBSERVATIONS:
        return tuple(observed(session) for session in sessions)
    wanted = policy.split("+")
    return tuple(session for session in sessions if policy == ALL or _label(session) in wanted)


def observed(session: Session) -> Session:
    """Return a session as a log: its first turns, a line each, cut where they are long.

    >>> from byheart.evaluation.converters.conversations import Turn
    >>> observed(Session("s", None, (Turn("t", "user", "tea " * 100),))).turns[0].text[-4:]
    'tea…'
    """
    turns = session.turns[:MAX_LINES]
    return replace(session, turns=tuple(replace(turn, text=_line(turn.text)) for turn in turns))


def compression(whole: Sequence[Session], left: Sequence[Session]) -> dict[str, Any]:
    """Return what a policy saved: sessions and characters, before and after, and their ratios.

    >>> from byheart.evaluation.converters.conversations import Turn
    >>> tea = Session("s", None, (Turn("t", "user", "Tea."),))
    >>> compression([tea, tea], [tea])["compression_ratio_chars"]
    0.5
    """
    characters = [sum(len(turn.text) for session in sessions for turn in session.turns) for sessions in (whole, left)]
    return {
        "sessions_total": len(whole),
        "sessions_kept": len(left),
        "chars_total": characters[0],
        "chars_kept": characters[1],
        "compression_ratio_items": len(left) / len(whole) if whole else 0.0,
        "compression_ratio_chars": characters[1] / characters[0] if characters[0] else 0.0,
    }


def _label(session: Session) -> str:
    return importance_label(session.metadata, (turn.text for turn in session.turns))


def _line(text: str) -> str:
    """Return a text on one line, with a mark where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_CHARACTERS else line[: MAX_CHARACTERS - 1].rstrip() + "…"
