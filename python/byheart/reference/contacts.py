"""E-mail addresses and telephone numbers as the usual detectors find them, by trying every place of a text."""
# docs/sources.md: B1.16.2, B2.1.11.

from __future__ import annotations

import re
import unicodedata

Span = tuple[int, int]

_CALLS = r"""telephone telephon telefone telefon tel phone fon mobile mobil m[oó]vil cell cellphone handy fax call ring
    dial whatsapp sms t[eé]l[eé]phone t[eé]l[eé]fono t[eé]l portable 電話 携帯 でんわ ファックス"""
_FILLERS = "me us him her them at on is my number no nr nummer unter auf an ist under es est 番号 は が"

_ASCII_LOCAL = re.compile(r"[A-Za-z0-9._%+-]+")
_ASCII_DOMAIN = re.compile(r"[A-Za-z0-9.-]+\.[A-Za-z]{2,}")
_DAYS = (
    r"(?<![0-9-])[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?![0-9-])",
    r"(?<![0-9./-])(1[5-9]|2[01])[0-9][0-9][./](0?[1-9]|1[0-2])[./](0?[1-9]|[12][0-9]|3[01])(?![0-9-]|[./][0-9])",
    r"(?<![0-9./-])(0?[1-9]|[12][0-9]|3[01])[./-](0?[1-9]|1[0-2])[./-](1[5-9]|2[01])[0-9][0-9](?![0-9-]|[./][0-9])",
    r"(?<![0-9./-])(0?[1-9]|1[0-2])[./-](0?[1-9]|[12][0-9]|3[01])[./-](1[5-9]|2[01])[0-9][0-9](?![0-9-]|[./][0-9])",
)
_FORMS = (
    (r"\+\(?[1-9]([ \t().-]{0,3}/?[0-9])*", 7),
    (r"\(0[0-9]{1,5}\)([ \t/-]{0,3}[0-9])+", 7),
    (r"\([2-9][0-9]{2}\)[ \t-]{0,3}[0-9]{3}[ \t.-][0-9]{4}(?![0-9])", 7),
    (r"(?<![0-9])0[0-9]{1,4}\([0-9]{1,4}\)[0-9]{3,4}(?![0-9])", 7),
    (r"(?<![0-9.])(1\.)?[2-9][0-9]{2}\.[0-9]{3}\.[0-9]{4}(?![0-9]|\.[0-9])", 7),
)
_TRUNK = r"(?<![0-9./])0[0-9]{1,5}([./ -][0-9]{2,10})+(?![0-9]|\.[0-9])"
_SPACED = r"\+?(?<![0-9])(0[0-9]{1,4}[ \t-]{1,3}[0-9]{9,10}(?![0-9])|[0-9]{1,8}(?![0-9])([ \t-]+[0-9]{1,8}(?![0-9]))*)"
_WORD = rf"(?:(?<![^\W_])|(?<![A-Za-z])(?=[^A-Za-z]))(?:{'|'.join(_CALLS.split())})"
_BEFORE = rf"{_WORD}[^\w\[\]]{{0,4}}((?:{'|'.join(_FILLERS.split())})[^\w\[\]]{{0,4}}){{0,3}}$"
_BEHIND = r"[ ,]{0,2}\(?(phone|tel|mobile|mobil|cell|fax|handy)(?![^\W_])"
_LISTED = r" {0,2}([,;/&]|and|or|und|oder) {0,2}"


def mails(text: str) -> list[Span]:
    """Return where e-mail addresses stand: at each `@`, the earliest start and the last end that fit.

    >>> mails("an jürgen.müller@example.de")
    [(3, 27)]
    """
    found: list[Span] = []
    for at in (place for place, sign in enumerate(text) if sign == "@"):
        floor = found[-1][1] if found else 0
        starts = [start for start in range(floor, at) if _local(text[start:at])]
        ends = [end for end in range(at + 2, len(text) + 1) if _domain(text[at + 1 : end], text[end : end + 1])]
        if at >= floor and starts and ends:
            found.append((starts[0], ends[-1]))
    return found


def _letter(sign: str) -> bool:
    return not sign.isascii() and (sign.isalnum() or unicodedata.category(sign)[0] == "M")


def _local(said: str) -> bool:
    wide = said[-1] >= "\u2e80"
    for place, sign in enumerate(said):
        apostrophe = sign == "'" and 0 < place < len(said) - 1 and said[place - 1].isalpha()
        if not (_ASCII_LOCAL.match(sign) or apostrophe or (_letter(sign) and (wide or sign < "\u2e80"))):
            return False
    return True


def _domain(said: str, following: str) -> bool:
    if _ASCII_DOMAIN.fullmatch(said):
        return True
    labels = said.split(".")
    for label in labels:
        wide = label[:1] >= "\u2e80"
        if not label or not all(map(_of_label, label)) or (not wide and any(sign >= "\u2e80" for sign in label)):
            return False
    last = labels[-1]
    goes_on = following and _of_label(following) and (last[0] >= "\u2e80" or following < "\u2e80")
    return len(labels) > 1 and len(last) > 1 and not goes_on and not any(sign == "-" or sign.isdigit() for sign in last)


def _of_label(sign: str) -> bool:
    return (sign.isalnum() or sign == "-") if sign.isascii() else _letter(sign)


def telephones(text: str) -> list[Span]:
    """Return where telephone numbers stand: all that any form finds between days of the calendar, joined.

    >>> telephones("due 2025-11-11, call 4155552671")
    [(21, 31)]
    """
    bare = text
    while day := min(
        (m for each in _DAYS if (m := re.search(each, bare))), key=lambda m: (m.start(), -m.end()), default=None
    ):
        bare = bare[: day.start()] + "\0" * len(day.group()) + bare[day.end() :]
    joined: list[Span] = []
    for start, end in sorted(_forms(bare, text)):
        if any(first < end and start < last for first, last in joined):
            start, end = joined[-1][0], max(joined.pop()[1], end)
        joined.append((start, end))
    return joined


def _forms(text: str, written: str) -> list[Span]:
    """Return what each form finds in a text without days; words are looked for in the text as it is written."""
    found = [m.span() for form, least in _FORMS for m in re.finditer(form, text) if _digits(m.group()) >= least]
    for m in re.finditer(_TRUNK, text):
        address = re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3}){3}", m.group())
        if _digits(m.group()) >= 9 and ("/" in m.group() or m.group().count(".") > 1) and not address:
            found.append(m.span())
    found += [m.span() for m in re.finditer(_SPACED, text) if _spaced(written, m.start(), m.group())]
    floor = None
    for m in re.finditer(r"(?<![0-9])[0-9]{6,15}(?![0-9])", text):
        if _near(written, *m.span()) or (floor is not None and re.fullmatch(_LISTED, written[floor : m.start()])):
            found.append(m.span())
            floor = m.end()
    return found


def _spaced(text: str, start: int, said: str) -> bool:
    groups = re.split(r"[^0-9]+", said.lstrip("+"))
    article = re.search(r"(?i)(ISBN|ISSN|EAN|GTIN|UPC)(-1[03])?[ :-]{0,3}$", text[:start])
    if len(groups) == 1 or article:
        return False
    if len(said) < 9:
        return _digits(said) > 5 and _near(text, start, start + len(said))
    digits = "".join(groups)
    book = len(digits) == 13 and digits[:3] in ("978", "979")
    book = book and not sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(digits)) % 10
    return not book and not all(re.fullmatch("(1[5-9]|20|21)[0-9][0-9]", group) for group in groups)


def _near(text: str, start: int, end: int) -> bool:
    return bool(re.search(f"(?i){_BEFORE}", text[max(0, start - 40) : start]) or re.match(f"(?i){_BEHIND}", text[end:]))


def _digits(said: str) -> int:
    return sum("0" <= sign <= "9" for sign in said)
