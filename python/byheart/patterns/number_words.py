"""Numbers in words, English and German: "fifteen", "twenty-five", "fünfundzwanzig"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_IN_ENGLISH = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen"""
_ENGLISH: Final = _IN_ENGLISH.split()
_ENGLISH_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_IN_GERMAN = """null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn
    sechzehn siebzehn achtzehn neunzehn"""
_GERMAN: Final = _IN_GERMAN.split()
_GERMAN_TENS: Final = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")


def _made() -> Mapping[str, int]:
    found = {word: number for words in (_ENGLISH, _GERMAN) for number, word in enumerate(words)} | {"ein": 1}
    for at, (english, german) in enumerate(zip(_ENGLISH_TENS, _GERMAN_TENS, strict=True), 2):
        found |= {english: 10 * at, german: 10 * at}
        for ones in range(1, 10):
            found[f"{english}-{_ENGLISH[ones]}"] = 10 * at + ones
            found[f"{'ein' if ones == 1 else _GERMAN[ones]}und{german}"] = 10 * at + ones
    return found


NUMBERS: Final[Mapping[str, int]] = _made()
"""The numbers from 0 to 99 by their words in small letters."""


def english_words(number: int) -> str:
    """Return a number from 0 to 99 in English.

    >>> english_words(15), english_words(42), NUMBERS["zweiundvierzig"]
    ('fifteen', 'forty-two', 42)
    """
    tens, ones = divmod(number, 10)
    if number < len(_ENGLISH):
        return _ENGLISH[number]
    return _ENGLISH_TENS[tens - 2] + (f"-{_ENGLISH[ones]}" if ones else "")


def german_words(number: int) -> str:
    """Return a number from 0 to 99 in German.

    >>> german_words(7), german_words(21), german_words(30)
    ('sieben', 'einundzwanzig', 'dreißig')
    """
    tens, ones = divmod(number, 10)
    if number < len(_GERMAN):
        return _GERMAN[number]
    return (f"{'ein' if ones == 1 else _GERMAN[ones]}und" if ones else "") + _GERMAN_TENS[tens - 2]
