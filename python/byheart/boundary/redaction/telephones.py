"""Telephone numbers found in linear time: by a plus, by how their digits are grouped, or by a word for a telephone.

A bare run of digits is a number of an order, a time or an article as often as one to be called, and is taken only
where a word such as "call" stands before it or "(mobile)" behind it. Days of the calendar, spans of years and numbers
of books are none. Every pattern here gives back at most a fixed number of characters.
"""
# docs/sources.md: B1.16.2, B1.16.4, B2.1.11.

from __future__ import annotations

import re
from collections.abc import Iterator

from ...light.expressions import expression
from .letters import Span

_DAY, _MONTH = "(?:0?[1-9]|[12][0-9]|3[01])", "(?:0?[1-9]|1[0-2])"
_YEAR = "(?:1[5-9]|20|21)[0-9]{2}"
_DATE = expression(
    r"(?<![0-9-])[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?![0-9-])"
    rf"|(?<![0-9./-])(?:{_YEAR}[./]{_MONTH}[./]{_DAY}|(?:{_DAY}[./-]{_MONTH}|{_MONTH}[./-]{_DAY})[./-]{_YEAR})"
    r"(?![0-9-]|[./][0-9])"
)
_ZONE = expression(r"[0-9(+][0-9 \t()./+-]*")
"""All that a number or a day is written with."""
_SPACED = expression(
    r"\+?(?<![0-9])(?:0[0-9]{1,4}[ \t-]{1,3}[0-9]{9,10}(?![0-9])"
    r"|[0-9]{1,8}(?![0-9])(?:[ \t-]+[0-9]{1,8}(?![0-9]))*)"
)
"""Groups with blanks and hyphens between; a group of more digits is a bare run, unless a dialling code is before it."""
_ABROAD = expression(r"\+\(?[1-9](?:[ \t().-]{0,3}/?[0-9])*")
_BRACKETS = expression(
    r"\((0[0-9]{1,5})\)(?:[ \t/-]{0,3}[0-9])+|\([2-9][0-9]{2}\)[ \t-]{0,3}[0-9]{3}[ \t.-][0-9]{4}(?![0-9])"
)
_MIDDLE = expression(r"(?<![0-9])0[0-9]{1,4}\([0-9]{1,4}\)[0-9]{3,4}(?![0-9])")
_DOTTED = expression(r"(?<![0-9.])(?:1\.)?[2-9][0-9]{2}\.[0-9]{3}\.[0-9]{4}(?![0-9]|\.[0-9])")
_TRUNK = expression(r"(?<![0-9./])0[0-9]{1,5}(?:[./ -][0-9]{2,10})+(?![0-9]|\.[0-9])")
_BARE = expression(r"(?<![0-9])[0-9]{6,15}(?![0-9])")
_ADDRESS = expression(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")

_WORDS = (
    "tele(?:ph|f)one?|phone|fon|mobile|mobil|m[oó]vil|cell|cellphone|handy|fax|call|ring|dial|whatsapp|sms|"
    "t[eé]l[eé]phone|t[eé]l[eé]fono|t[eé]l|portable|電話|携帯|でんわ|ファックス|"
    "(?:my|his|her|our|their) number|(?:meine|deine|seine|ihre|unsere) nummer|(?:mi|su) n[uú]mero|"
    "(?:mon|son) num[eé]ro|(?:mio|suo) numero"
)
_BETWEEN = "me|us|him|her|them|at|on|is|my|number|no|nr|nummer|unter|auf|an|ist|under|es|est|番号|は|が"
_BEFORE = expression(
    rf"(?:(?<![^\W_])|(?<![A-Za-z])(?=[^A-Za-z]))(?:{_WORDS})[^\w\[\]]{{0,4}}(?:(?:{_BETWEEN})[^\w\[\]]{{0,4}}){{0,3}}$",
    re.IGNORECASE,
)
_BEHIND = expression(r"[ ,]{0,2}\(?(?:phone|tel|mobile|mobil|cell|fax|handy)(?![^\W_])", re.IGNORECASE)
_ARTICLE = expression(r"(?:ISBN|ISSN|EAN|GTIN|UPC)(?:-1[03])?[ :-]{0,3}$", re.IGNORECASE)
_LIST = expression(r"[ ]{0,2}(?:[,;/&]|and|or|und|oder)[ ]{0,2}")
_YEARS = expression(rf"{_YEAR}")
_LOOK_BACK = 40
_LEAST, _FEWEST, _FEWEST_SIGNS = 9, 7, 6


def telephones(text: str) -> Iterator[Span]:
    """Yield where telephone numbers stand, in order, none of which overlap.

    >>> text = "due 2025-11-11, order 4500123456, call 4155552671 or +1 (415) 555-2671"
    >>> [text[a:b] for a, b in telephones(text)]
    ['4155552671', '+1 (415) 555-2671']
    """
    last: Span | None = None
    pieces = list(_pieces(text))
    found = [span for piece in pieces for span in _found(text, *piece)]
    for start, end in sorted([*found, *_bare(text, pieces)]):
        if last and start < last[1]:
            last = last[0], max(last[1], end)
            continue
        if last:
            yield last
        last = start, end
    if last:
        yield last


def _pieces(text: str) -> Iterator[Span]:
    """Yield the stretches, between days of the calendar, in which a number can stand."""
    for zone in _ZONE.finditer(text):
        start, end = zone.span()
        if end - start < _FEWEST_SIGNS:
            continue
        for date in _DATE.finditer(text, start, end):
            yield start, date.start()
            start = date.end()
        yield start, end


def _found(text: str, start: int, end: int) -> Iterator[Span]:
    for found in _SPACED.finditer(text, start, end):
        if _grouped(text, found.start(), found.group()):
            yield found.span()
    signs = text[start:end]
    if "+" in signs:
        yield from _with_digits(_ABROAD, text, start, end, _FEWEST)
    if "(" in signs:
        yield from _with_digits(_BRACKETS, text, start, end, _FEWEST)
        yield from _with_digits(_MIDDLE, text, start, end, _FEWEST)
    if "." in signs or "/" in signs:
        yield from _with_digits(_DOTTED, text, start, end, _FEWEST)
        for first, last in _with_digits(_TRUNK, text, start, end, _LEAST):
            said = text[first:last]
            if (said.count(".") > 1 or "/" in said) and not _ADDRESS.fullmatch(said):
                yield first, last


def _with_digits(pattern: re.Pattern[str], text: str, start: int, end: int, least: int) -> Iterator[Span]:
    for found in pattern.finditer(text, start, end):
        if sum(sign.isdigit() for sign in found.group()) >= least:
            yield found.span()


def _grouped(text: str, start: int, said: str) -> bool:
    """Return whether groups of digits with blanks and hyphens between are a telephone number."""
    groups = re.findall("[0-9]+", said)
    if len(groups) < 2 or _ARTICLE.search(text[max(0, start - _LOOK_BACK) : start]):
        return False
    if len(said) < _LEAST:
        return sum(map(len, groups)) >= 6 and _near(text, start, start + len(said))
    return not (all(map(_YEARS.fullmatch, groups)) or _book("".join(groups)))


def _book(digits: str) -> bool:
    """Return whether digits are the number of a book, check digit and all (ISBN-13)."""
    if len(digits) != 13 or not digits.startswith(("978", "979")):
        return False
    return sum(int(digit) * (1 + 2 * (place % 2)) for place, digit in enumerate(digits)) % 10 == 0


def _bare(text: str, pieces: list[Span]) -> Iterator[Span]:
    """Yield bare runs of digits beside a word for a telephone, and what is listed behind such a one."""
    floor = -1
    for start, end in pieces:
        for found in _BARE.finditer(text, start, end):
            listed = floor >= 0 and _LIST.fullmatch(text, floor, found.start())
            if listed or _near(text, *found.span()):
                yield found.span()
                floor = found.end()


def _near(text: str, start: int, end: int) -> bool:
    """Return whether a word for a telephone stands right before a place or right behind it."""
    return bool(_BEFORE.search(text[max(0, start - _LOOK_BACK) : start]) or _BEHIND.match(text, end))
