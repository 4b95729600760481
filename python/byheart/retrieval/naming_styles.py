"""Naming styles: the names in a text as programs in another style write them, getUserById and get_user_by_id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .identifiers import parts_of, wholes_of

if TYPE_CHECKING:
    from .._core import Analyzer


def in_other_styles(text: str, analyzer: Analyzer) -> list[str]:
    """Return the terms of the names in a text, in one piece and with underscores.

    >>> from byheart import Analyzer
    >>> in_other_styles("getUserById or read_all_lines?", Analyzer())
    ['getuserbyid', 'get_user_by_id', 'readalllin', 'read_all_lin']

    """
    found: dict[str, None] = {}
    for whole in wholes_of(text):
        parts = [part.lower() for part in parts_of(whole)]
        if len(parts) > 1 and all(map(str.isalnum, parts)):
            found.update(dict.fromkeys(sign.join(parts) for sign in ("", "_")))
    return analyzer.terms(" ".join(found)) if found else []
