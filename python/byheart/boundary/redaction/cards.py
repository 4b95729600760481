"""Numbers of payment cards and of bank accounts found in linear time: groups of signs whose check digits are right."""
# docs/sources.md: B1.16.6.

from __future__ import annotations

import re
from collections.abc import Iterator

from ...light.expressions import expression
from .letters import Span

_CARD_RUN = expression(r"[0-9][0-9 ./_-]*")
_GROUP = expression(r"[0-9]+")
_CARD_DIGITS, _FOUR = range(13, 20), 4
_ACCOUNT = expression(r"[A-Z]{2}(?<![A-Za-z0-9][A-Z]{2})[0-9]{2}(?:[ -]?[A-Z0-9]){11,33}(?![a-z])")
_PARTS, _PAUSE = re.compile(r"[A-Z0-9]+"), re.compile(r"[ -]")
_ACCOUNT_SIGNS = range(15, 35)


def cards(text: str) -> Iterator[Span]:
    """Yield where numbers of payment cards stand: 13 to 19 digits, alone or in groups, whose check digit is right.

    And those of bank accounts (see `accounts`).

    >>> list(cards("4111 1111 1111 1111 and 4111 1111 1111 1112"))
    [(0, 19)]
    """
    yield from accounts(text)
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
        if place > first and not _goes_on(text, groups[first], groups[place - 1][1], groups[place]):
            break
        if len(digits) + end - start > _CARD_DIGITS[-1]:
            break
        digits += text[start:end]
        if len(digits) in _CARD_DIGITS and digits[0] in "23456" and luhn(digits):
            best = place
    return best


def _goes_on(text: str, first: Span, before: int, group: Span) -> bool:
    """Return whether a group of digits goes on with a card: behind one sign, which between fours may be any."""
    one = group[0] - before == 1
    return one and (text[before] in " -" or first[1] - first[0] == group[1] - group[0] == _FOUR)


def accounts(text: str) -> Iterator[Span]:
    """Yield where international numbers of bank accounts (IBAN) stand, whole; of several ends the last that checks.

    >>> list(accounts("pay DE89 3704 0044 0532 0130 00 TODAY, or DE88 3704 0044 0532 0130 00"))
    [(4, 31)]
    """
    at = 0
    while found := _ACCOUNT.search(text, at):
        at = found.start() + 4
        ends = (part.end() for part in _PARTS.finditer(text, *found.span()))
        right = [end for end in ends if _checks(_PAUSE.sub("", text[found.start() : end]))]
        if right:
            at = right[-1]
            yield found.start(), at


def _checks(signs: str) -> bool:
    """Return whether the check digits of an IBAN are right (ISO 7064, MOD 97-10)."""
    return len(signs) in _ACCOUNT_SIGNS and int("".join(str(int(sign, 36)) for sign in signs[4:] + signs[:4])) % 97 == 1


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
