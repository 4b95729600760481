"""Telephone numbers, however their digits are parted: "+43 664 123 4567", "+436641234567", "0664/1234567".

A number with its country is the same as one without it, and with a 0 in its place, if all other digits are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ..light.expressions import expression
from .letters import in_small_letters

_LEAST, _MOST = 7, 15
_IN_PAIRS: Final = 9
_NUMBER: Final = expression(
    r"(?<![\w.,:/-])(?P<points>0\d(?:\.\d\d){4})(?![\w]|[.,:/-]\d)"
    r"|(?:(?<![\w.,:/-])|(?<=[\u3041-\u30ff\u4e00-\u9fff]))(?P<begin>\+|00|0)?\(?\d(?:[ \u00a0()/-]{0,2}\d){6,16}"
    r"(?:(?![\w]|[.,:/-]\d)|(?=[\u3041-\u30ff\u4e00-\u9fff]))"
)
_CALLED: Final = expression(
    r"phone|number|call|mobile|\bcell\b|\btel\b|\bfax\b|telefon|nummer|handy|mobil|anruf|numéro|téléphone|número"
    r"|numero|teléfono|móvil|movil|cellulare|portable|番号|電話|携帯"
)
_OF_COUNTRIES = """1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 52 54 55 56 57 60 61 62 63 64 65 66 81 82
    84 86 90 91 92 351 352 353 354 358 359 370 371 372 380 381 385 386 420 421 423"""
_COUNTRIES: Final = _OF_COUNTRIES.split()
"""Numbers of countries with which one that is said without may be written in one."""
_DIGITS: Final = expression(r"\d[ \u00a0().+/-]{0,2}\d[ \u00a0().+/-]{0,2}\d")
_ALONE: Final = expression(r"\W*\d[\d \u00a0()/-]{5,}\d\W*")
"""A text of one number and nothing else: who asks so looks for whose it is."""
_DATES: Final = expression(r"(?:19|20)\d\d[-/ ]\d\d[-/ ]\d\d|\d\d?[-/ ]\d\d?[-/ ](?:19|20)\d\d")


class Telephone(NamedTuple):
    """The digits of a number behind 00 or +, or behind the 0 that it begins with.

    Attributes:
        digits: those.
        country: whether the number of a country is among them; None where that is not said.

    """

    digits: str
    country: bool | None

    def agrees(self, other: Telephone) -> bool:
        """Return whether another one may be the same.

        >>> Telephone("436641234567", True).agrees(Telephone("6641234567", False))
        True
        >>> Telephone("436641234567", True).agrees(Telephone("436641234568", True))
        False
        """
        if self.country == other.country:
            return self.digits == other.digits
        long, short = sorted((self.digits, other.digits), key=len, reverse=True)
        return long == short or (long.endswith(short) and 0 < len(long) - len(short) <= 3 and len(short) >= _LEAST)


def telephones_said(text: str) -> Iterator[tuple[int, int, Telephone]]:
    """Give where a text says a telephone number, and which.

    Digits without + or 0 before them are one where the text speaks of telephones.

    >>> [tuple(number) for *_, number in telephones_said("call +43 664 123-4567, or 0664/1234567")]
    [('436641234567', True), ('6641234567', False)]
    >>> list(telephones_said("order 123 456 789")), list(telephones_said("my number is 2026-05-03"))
    ([], [])
    """
    if _DIGITS.search(text) is None:  # as in most texts
        return
    lower = in_small_letters(text)
    is_called = _CALLED.search(lower) is not None or _is_alone(lower)
    for found in _NUMBER.finditer(lower):
        begin, digits = "0" if found["points"] else found["begin"], re.sub(r"\D", "", found.group())
        if _DATES.fullmatch(found.group().strip()) or (begin is None and not is_called):
            continue
        digits = digits[2:] if begin == "00" else digits[1:] if begin == "0" else digits
        if _LEAST - 1 <= len(digits) <= _MOST:
            country = True if begin in ("+", "00") else False if begin == "0" else None
            yield found.start(), found.end(), Telephone(digits, country)


def _is_alone(text: str) -> bool:
    """Return whether a text is a number and nothing else, and no day."""
    return _ALONE.fullmatch(text) is not None and _DATES.search(text) is None


def last_digits(number: Telephone) -> Iterator[str]:
    """Give the ends of a number, as the last group of its digits may be written, and the whole with a 0 before it.

    >>> list(last_digits(Telephone("436641234567", True)))[-3:]
    ['0436641234567', '06.41.23.45.67', '00436641234567']
    """
    digits = number.digits
    for length in range(2, len(digits) + 1):
        yield digits[-length:]
        if length >= _LEAST:
            yield f"0{digits[-length:]}"
    if len(digits) >= _IN_PAIRS:  # as the French write it
        own = f"0{digits[-_IN_PAIRS:]}"
        yield ".".join(own[at : at + 2] for at in range(0, len(own), 2))
    yield f"00{digits}"
    if not number.country:
        yield from (f"{code}{digits}" for code in _COUNTRIES)
