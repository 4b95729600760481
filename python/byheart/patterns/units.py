"""Units behind numbers: of what kind an amount is, by the word that follows it, in English."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .plain_numbers import WORDS

_KINDS: Final = {
    "time": "seconds? secs? minutes? mins? hours? hrs? days? nights? weeks? months? years?",
    "data": "bytes? [kmgt]i?b",
    "mass": "mg g kg grams? kilos? kilograms? tons? tonnes? lbs? ounces? oz",
    "length": "mm cm m km met(?:re|er)s? kilomet(?:re|er)s? miles? feet foot inch(?:es)? yards?",
    "volume": "ml cl l lit(?:re|er)s? gallons? pints?",
    "money": "euros? eur dollars? usd cents? chf",
    "part": "percent %",
}
_AMOUNT: Final = expression(
    rf"(?<![\w.])(?:\d[\d.,]*|{WORDS})[ -]?(?:"
    + "|".join(f"(?P<{kind}>{'|'.join(units.split())})" for kind, units in _KINDS.items())
    + r")(?!\w)",
    re.IGNORECASE,
)


@lru_cache(maxsize=512)
def units_in(text: str) -> frozenset[str]:
    """Return the kinds of the amounts whose units a text says.

    >>> sorted(units_in("The build takes 12 minutes and 4 GB.")), sorted(units_in("Room 12 is free."))
    (['data', 'time'], [])
    """
    return frozenset(str(found.lastgroup) for found in _AMOUNT.finditer(text))


def without_others(text: str, kind: str) -> str:
    """Return a text without the amounts whose units are of another kind.

    >>> without_others("It takes 4 GB and two hours.", "time")
    'It takes   and two hours.'
    """
    return _AMOUNT.sub(lambda found: found[0] if found.lastgroup == kind else " ", text)
