"""Credentials found in linear time: tokens by their beginnings, JSON web tokens, private keys, fields, payment cards.

Every pattern here is a fixed beginning and one class of characters behind it, so that a match never has to be given
back; what needs more is cut into pieces first.
"""
# docs/sources.md: B1.16.6.

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from .letters import Span

_TOKENS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<![A-Za-z0-9])(?i:sk-[a-z0-9]{10,})",
        r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{20,}",
        r"gh[pousr]_[A-Za-z0-9]{30,}",
        r"github_pat_[A-Za-z0-9_]{22,}",
        r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
        r"(?:AKIA|ASIA)[0-9A-Z]{16}",
    )
)
_PIECES = re.compile(r"[A-Za-z0-9_.-]+")
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re.compile(r"[A-Za-z0-9+/=\s\\]*")
_WORD = r"(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|authorization)"
_FIELD = re.compile(rf'{_WORD}"\s{{0,20}}:\s{{0,20}}("?)', re.IGNORECASE)
_SETTING = re.compile(rf'{_WORD}=("?)', re.IGNORECASE)
_QUOTED = re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL)
_BARE = re.compile(r"[^\s,;&\"'}\]]+")
_PLACEHOLDER = re.compile(r"\[[a-z_]+\]")
"""At the start of a value that was hidden before."""
_NOTHING = ("", "null", "true", "false", "[")
_CARD_RUN = re.compile(r"[0-9][0-9 -]*")
_GROUP = re.compile(r"[0-9]+")
_CARD_DIGITS = range(13, 20)


def secrets(text: str) -> Iterator[Span]:
    """Yield where credentials stand: tokens, keys, JSON web tokens, private keys, values of fields such as "password".

    >>> list(secrets('{"password": "tea"} AKIAABCDEFGHIJKLMNOP'))
    [(20, 40), (14, 17)]
    """
    if "-" in text or "_" in text or "AKIA" in text or "ASIA" in text:  # in the beginning of every token
        for pattern in _TOKENS:
            for found in pattern.finditer(text):
                yield found.span()
    yield from web_tokens(text)
    yield from private_keys(text)
    yield from fields(text)


def web_tokens(text: str) -> Iterator[Span]:
    """Yield where JSON web tokens stand: three parts with dots between, of which the first two start with "eyJ".

    >>> list(web_tokens("Bearer eyJhbGciOiJ9.eyJzdWIiOiJ9.c2ln"))
    [(7, 37)]
    """
    if "eyJ" not in text:
        return
    for run in _PIECES.finditer(text):
        ends, start = [], run.start()
        for part in run.group().split("."):
            ends.append((start, start + len(part)))
            start += len(part) + 1
        at = 0
        while at + 2 < len(ends):
            first, second, third = ends[at : at + 3]
            begin = text.find("eyJ", *first)
            if begin >= 0 and text.startswith("eyJ", second[0]) and third[1] > third[0]:
                yield begin, third[1]
                at += 3
            else:
                at += 1


def private_keys(text: str) -> Iterator[Span]:
    r"""Yield where blocks of private keys stand; one without an end goes as far as its letters do.

    >>> block = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----"
    >>> list(private_keys(f"a {block} b")) == [(2, 2 + len(block))]
    True
    """
    begins = list(_BEGIN.finditer(text)) if "-----" in text else []
    if not begins:
        return
    ends = [found.span() for found in _END.finditer(text)]
    floor = 0
    for place, begin in enumerate(begins):
        if begin.start() < floor:
            continue
        following = begins[place + 1].start() if place + 1 < len(begins) else len(text)
        at = bisect_left(ends, (begin.end(), 0))
        if at < len(ends) and ends[at][0] < following:
            floor = ends[at][1]
        else:
            body = _BODY.match(text, begin.end(), following)
            floor = body.end() if body else begin.end()
        yield begin.start(), floor


def fields(text: str) -> Iterator[Span]:
    """Yield the values of fields whose name says that they are secret: `"password": "..."` and `password=...`.

    >>> [text[a:b] for text in ['{"api_key": "x y"}', "TOKEN=abc&x=1"] for a, b in fields(text)]
    ['x y', 'abc']
    """
    for name, sign in ((_FIELD, '"'), (_SETTING, "=")):
        if sign not in text:
            continue
        at = 0
        while found := name.search(text, at):  # a value is looked at once, whatever names stand in it
            value = (_QUOTED if found[1] else _BARE).match(text, found.end())
            at = max(found.end(), value.end() if value else 0)
            if value and value.group() not in _NOTHING and not _PLACEHOLDER.match(text, value.start()):
                yield value.span()


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
