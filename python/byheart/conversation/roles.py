"""Roles: who says a turn, in the words that hosts use, and the four that are kept."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import UnknownRole
from ..validation import nearest, plain_text

USER, ASSISTANT, SYSTEM, TOOL = ROLES = ("user", "assistant", "system", "tool")
"""The roles that turns are kept under."""

_MEANT: Mapping[str, str] = {**{role: role for role in ROLES}, "human": USER, "ai": ASSISTANT}


def role_of(said: str) -> str:
    """Return the role that a host means, as turns keep it; case does not matter.

    Raises:
        UnknownRole: it is none; the message names the nearest.
        TypeError: it is no text.

    >>> role_of("Human"), role_of("AI"), role_of("tool")
    ('user', 'assistant', 'tool')

    """
    known = known_role(said)
    if known is None:
        raise UnknownRole(
            f"role: {said[:64]!r} is none; use {', '.join(ROLES)}, human or ai{nearest(said.lower(), _MEANT)}"
        )
    return known


def known_role(said: str) -> str | None:
    """Return what `role_of` does; None for what is no role, such as the name of a speaker.

    >>> known_role("Assistant"), known_role("Ann")
    ('assistant', None)
    """
    if not isinstance(said, str):
        raise TypeError(f"role must be str, not {type(said).__name__}")
    return _MEANT.get(plain_text(said).strip().lower())
