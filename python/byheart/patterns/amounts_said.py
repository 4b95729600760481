"""Amounts as people write them: "250k", "250,000", "1.5 million", "€1,200", "1.200 EUR", "15%", "fifteen percent".

An amount is a number and what it is of: a currency, hundredths, or nothing that is said. Numbers that stand alone are
amounts from 1,000 on, and with two places, as "13.99"; versions ("1.10.0") are none. "1.200" is a thousand and two
hundred, as "1,200" is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from ..light.expressions import expression
from .letters import letters_of
from .number_words import NUMBERS, english_words, german_words

if TYPE_CHECKING:
    from fractions import Fraction

PERCENT: Final = "%"
_UNITS: Final[Mapping[str, str]] = {
    unit: sign for sign, units in {
        "€": "€ eur euro euros", "$": "$ usd dollar dollars", "£": "£ gbp pound pounds pfund",
        PERCENT: "% percent prozent", "chf": "chf franken francs",
    }.items() for unit in units.split()
} | {"per cent": PERCENT}  # fmt: skip
_SCALES: Final[Mapping[str, int]] = {
    "k": 10**3, "thousand": 10**3, "tausend": 10**3, "tsd": 10**3, "m": 10**6, "mn": 10**6, "mio": 10**6,
    "million": 10**6, "millions": 10**6, "millionen": 10**6, "bn": 10**9, "mrd": 10**9, "billion": 10**9,
    "billions": 10**9, "milliarde": 10**9, "milliarden": 10**9,
}  # fmt: skip
_NAMES: Final = (
    (10**3, "k thousand tausend tsd"),
    (10**6, "m million millionen mio"),
    (10**9, "bn billion milliarden mrd"),
)
_OF: Final = frozenset([*_UNITS, *_SCALES, "cent"])
_NUMBERS: Final = frozenset(word.partition("-")[0] for word in NUMBERS)
_DIGIT: Final = expression(r"\d")
_LEAST_ALONE: Final = 1_000
_TWO_PLACES: Final = expression(r".*[.,]\d\d")


class Amount(NamedTuple):
    """A number, and what it is of: a currency's sign, "%", or "" where that is not said."""

    number: Fraction
    unit: str = ""

    def agrees(self, other: Amount) -> bool:
        """Return whether another one may be the same; hundredths are of no currency, and no bare number.

        >>> from fractions import Fraction
        >>> [Amount(Fraction(15), unit).agrees(Amount(Fraction(15))) for unit in ("€", "%")]
        [True, False]
        """
        if self.number != other.number:
            return False
        return self.unit == other.unit or (PERCENT not in (self.unit, other.unit) and "" in (self.unit, other.unit))


def amounts_said(text: str) -> Iterator[tuple[int, int, Amount]]:
    """Give where a text says an amount, and which.

    >>> [(str(number), unit) for *_, (number, unit) in amounts_said("250k or 1.5 million, €1,200, 15 % of 1.10.0")]
    [('250000', ''), ('1500000', ''), ('1200', '€'), ('15', '%')]
    >>> [(str(number), unit) for *_, (number, unit) in amounts_said("1.200 EUR sind fünfzehn Prozent, 5 apples")]
    [('1200', '€'), ('15', '%')]
    """
    of_digits, of_words = _patterns()
    words = letters_of(text.lower())
    for found in of_digits.finditer(text) if _DIGIT.search(text) is not None else ():
        if (amount := _amount(found)) is not None:
            yield found.start(), found.end(), amount
    if _OF.isdisjoint(words) or _NUMBERS.isdisjoint(words):  # as most texts
        return
    for found in of_words.finditer(text):
        if (amount := _amount(found)) is not None:
            yield found.start(), found.end(), amount


def _amount(found: re.Match[str]) -> Amount | None:
    said, scale = found["said"].lower(), (found["scale"] or "").rstrip(".").lower()
    unit = _UNITS.get((found["sign"] or found["unit"] or "").lower(), "")
    if scale == "m" and found["scale"] != "M" and not unit:  # metres
        return None
    is_grouped = _GROUPED.fullmatch(said) is not None and (not scale or said.count(",") + said.count(".") > 1)
    from fractions import Fraction  # on use: most texts say no amount

    number = Fraction(NUMBERS[said]) if said in NUMBERS else _read(said, grouped=is_grouped)
    number *= _SCALES.get(scale, 1)
    if not (scale or unit) and number < _LEAST_ALONE and _TWO_PLACES.fullmatch(said) is None:
        return None
    return Amount(number, unit)


_GROUPED: Final = expression(r"[1-9]\d{0,2}(?:([,.' \u00a0\u202f])\d{3})(?:\1\d{3})*")


def _read(said: str, *, grouped: bool) -> Fraction:
    from fractions import Fraction

    if grouped:
        return Fraction(re.sub(r"\D", "", said))
    whole, mark, part = said.rpartition("," if said.rfind(",") > said.rfind(".") else ".")
    return Fraction(re.sub(r"\D", "", whole) + "." + part) if mark else Fraction(said)


@lru_cache(maxsize=1)
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the pattern of amounts in digits, and that of amounts that begin with a word."""

    def one_of(names: Iterable[str]) -> str:
        return "|".join(sorted(map(re.escape, names), key=lambda name: (-len(name), name)))

    grouped = r"[1-9]\d{0,2}(?:(?P<mark>[,.'\u00a0\u202f\ ])\d{3})(?:(?P=mark)\d{3})*(?:[.,]\d{1,2})?"
    behind = rf"""(?:[\ \u00a0\u202f]?(?P<scale>{one_of(_SCALES)})\b\.?)?
        (?:[\ \u00a0\u202f]?(?P<unit>{one_of(_UNITS)})(?!\w))?(?!\w|:\d)"""
    digits = rf"(?<![\w#])(?<!\d[.,:/-])(?:(?P<sign>[€$£])\ ?)?(?P<said>{grouped}|\d+(?:[.,]\d+)?)(?!\d|[.,:/-]\d)"
    words = rf"(?<![\w-])(?P<sign>)(?P<said>{one_of(NUMBERS)})(?=\ )"
    flags = re.VERBOSE | re.IGNORECASE
    return expression(digits + behind, flags), expression(words + behind, flags)


def without_unit(words: str) -> str:
    """Return the words of an amount without those of what it is of.

    >>> [without_unit(words) for words in ("1,850 euros", "€1,200", "1.5 million dollars", "fifteen per cent", "250k")]
    ['1,850', '1,200', '1.5 million', 'fifteen', '250k']
    """
    found = next((found for pattern in _patterns() if (found := pattern.fullmatch(words)) is not None), None)
    return words if found is None else words[found.start("said") : max(found.end("said"), found.end("scale"))]


def amounts_written(amount: Amount) -> Iterator[str]:
    """Give the ways in which people write an amount, in small letters, without what it is of unless that is a word.

    >>> from fractions import Fraction
    >>> list(amounts_written(Amount(Fraction(250_000))))[:5]
    ['250000', '250000.00', '250000,00', '250,000', '250,000.00']
    >>> list(amounts_written(Amount(Fraction(250_000))))[-4:]
    ['250k', '250 thousand', '250 tausend', '250 tsd']
    >>> list(amounts_written(Amount(Fraction(15), "%")))[3:]
    ['fifteen percent', 'fünfzehn prozent', 'fifteen per cent']
    """
    number, unit = amount
    yield from _plainly(number)
    if number.denominator == 1 and number < 100 and unit:
        words = (english_words(int(number)), german_words(int(number)))
        if unit == PERCENT:
            yield from (f"{words[0]} percent", f"{words[1]} prozent", f"{words[0]} per cent")
        else:
            yield from words
    for scale, names in _NAMES:
        share = number / scale
        if scale <= number < 1_000 * scale and (share * 100).denominator == 1:
            short, *long = names.split()
            for form in _decimals(share):
                yield f"{form}{short}"
                yield from (f"{form} {name}" for name in long)


_MARKS: Final = (("", "."), ("", ","), (",", "."), (".", ","), (" ", ","), ("'", "."))
"""What parts thousands, and what stands before the places; the first two part none."""


def _plainly(number: Fraction) -> Iterator[str]:
    if (number * 100).denominator != 1:
        return
    whole, places = divmod(int(number * 100), 100)
    ends = dict.fromkeys((f"{places:02}".rstrip("0"), f"{places:02}"))  # none, and two; or one, and two
    ways = ((f"{whole:,}".replace(",", mark), point) for mark, point in _MARKS[: 2 if whole < 1_000 else None])
    yield from dict.fromkeys(said + (end and point + end) for said, point in ways for end in ends)


def _decimals(number: Fraction) -> Iterator[str]:
    """Give a number with few places behind its point: "1.5", and "1,5"."""
    said = f"{float(number):.2f}".rstrip("0").rstrip(".")
    yield from dict.fromkeys((said, said.replace(".", ",")))
