"""Numbers of payment cards found in linear time: groups of digits whose check digit is right."""
# docs/sources.md: B1.16.6.

from __future__ import annotations

import re
from collections.abc import Iterator

from .letters import Span

_CARD_RUN = re.compile(r"[0-9][0-9 -]*")
_GROUP = re.compile(r"[0-9]+")
_CARD_DIGITS = range(13, 20)


def cards(text: str) -> Iterator[Span]:
    """Yield where numbers of payment cards stand: 13 to 19 digits, alone or in groups, whose check digit is right.

    >>> list(cards("4111 1111 1111 1111 and 4111 1111 1111 1112"))
    [(0, 19)]
    """
    for run in _CARD_RUN.finditer(text):
        groups = [found.span() for found in _GROUP.finditer(text, run.start(), run.end())]
        at = 0
        while at < len(groups):
            last = _card_end(text, groups, at)
            if last is not None:
                yield groups[at][0], groups[last][1]
                at = last
            at += 1


def _card_end(text: str, groups: list[Span], first: int) -> int | None:
    """Return the last group of the longest card that starts with a group; None if none does."""
    digits, best = "", None
    for place in range(first, len(groups)):
        start, end = groups[place]
        if place > first and start - groups[place - 1][1] != 1:
            break
        if len(digits) + end - start > _CARD_DIGITS[-1]:
            break
        digits += text[start:end]
        if len(digits) in _CARD_DIGITS and digits[0] in "23456" and luhn(digits):
            best = place
    return best


def luhn(digits: str) -> bool:
    """Return whether the last digit is the check digit of the others (ISO/IEC 7812-1).

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0
