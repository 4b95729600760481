"""Numbers in a list without blanks, such as "4711,4712,4713", "[101,102]", "4711;4712" and "2026-01-05,Anna,13,9.99".

A comma between digits belongs to one number, "1,250,000" or "13,99", or it parts two. It parts them where no way of
writing one number has it, behind a day or a time, and in square brackets. Semicolons and bars always part.
"""

from __future__ import annotations

import re
from typing import Final

from ..light.expressions import expression

_MAYBE: Final = expression(r"[0-9][,;|][0-9]")
_TOKENS: Final = expression(r"\S+")
_SIGNS: Final = expression(r"(?<=[0-9])[;|](?=[0-9])")
_NUMBERS: Final = expression(r"[0-9]+(?:[.,][0-9]+)+")
_ONE: Final = expression(
    r"[0-9]{1,3}(?:,[0-9]{2,3})*,[0-9]{3}(?:\.[0-9]+)?"  # "1,250.00", and "12,34,567" as in India
    r"|[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+"
    r"|[0-9]+(?:\.[0-9]+)+"  # versions, addresses, days
    r"|(?![0-9]{4,},[0-9]{3})[0-9]+,[0-9]+"
)
_LETTER: Final = expression(r"[A-Za-z\u00aa-\u058f]")


def listed(token: str) -> str:
    """Return what stands between two blanks with the numbers of lists in it apart.

    Beside a word each number is found anyway where no comma joins it to another: there it has a semicolon in its place.

    >>> [listed(token) for token in ("4711,4712", "[101,102]", "12:30;13:45", "Anna,4711,13.99", "1,250.00", "13,99")]
    ['4711 4712', '[101 102]', '12:30 13:45', 'Anna,4711;13.99', '1,250.00', '13,99']
    """
    if _MAYBE.search(token) is None:
        return token
    mark = ";" if _LETTER.search(token) is not None else " "
    said = _NUMBERS.sub(lambda found: found[0] if _is_one(found) else found[0].replace(",", mark), token)
    return said if mark == ";" else _SIGNS.sub(mark, said)


def _is_one(found: re.Match[str]) -> bool:
    """Return whether digits with points and commas in them are one number."""
    text, (begin, end) = found.string, found.span()
    is_behind = begin > 1 and text[begin - 1] in "-:/" and text[begin - 2] in "0123456789"
    is_bracketed = text[begin - 1 : begin] == "[" and text[end : end + 1] == "]"
    return "," not in found[0] or not (is_behind or is_bracketed or _ONE.fullmatch(found[0]) is None)


def all_listed(text: str) -> str:
    """Return a text with the numbers of its lists apart.

    >>> all_listed("of 4711,4712 for 1,250")
    'of 4711 4712 for 1,250'
    """
    return text if _MAYBE.search(text) is None else _TOKENS.sub(lambda found: listed(found[0]), text)
