"""Parts of messages: how a value looks in few characters, and the nearest name that exists."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from typing import Any

from ..errors import InvalidArgument
from .limits import MAX_NAME


def shortly(value: Any) -> str:
    """Return how a value looks, in few characters: of anything, however deep or long, or unable to say it.

    >>> shortly({"a": list(range(100))}), shortly(10**5_000)
    ("{'a': [0, 1, 2, 3, 4, 5, ...]}", 'some int')
    """
    try:
        return reprlib.repr(value)
    except Exception:  # an int of more digits than Python writes, or what somebody's own type raises
        return f"some {type(value).__name__}"


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: "; did you mean ...?", or nothing where nothing is near.

    >>> nearest("sesion_id", ["user_id", "session_id"])
    "; did you mean 'session_id'?"
    """
    import difflib  # on use: only a mistake needs it

    near = difflib.get_close_matches(name[:MAX_NAME], list(known), n=1, cutoff=0.62)
    return f"; did you mean {near[0]!r}?" if near else ""


def renamed(error: InvalidArgument, was: str, name: str) -> InvalidArgument:
    """Return an error of a part under the name that its caller has for the argument.

    >>> renamed(InvalidArgument("profile: 'x' is none"), "profile", "noise_profile")
    InvalidArgument("noise_profile: 'x' is none")
    """
    return InvalidArgument(f"{name}: {str(error).removeprefix(f'{was}: ')}")
