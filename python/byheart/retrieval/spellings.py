"""Words that others write in one, apart or with a hyphen: "Wi-Fi" and "wifi", "data set" and "dataset", 4TB and 4 TB.

What a question says stays as long as one record has all of it. Else the spelling that records do have takes its place:
it is the same word and no guess, as a misspelled one is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from ..light.expressions import expression
from .marked_terms import MARK

if TYPE_CHECKING:
    from .._core import Analyzer, Partition

_HYPHENS: Final = "[-\u2010\u2011]"
_MOST: Final = 16
"""Words of a question of which other spellings are looked for, the first ones."""
_SHORTEST, _LONGEST = 4, 24
"""Letters of a word that may have a hyphen."""


class Spelled(NamedTuple):
    """The terms of a question as records spell them, and what each other spelling stands for."""

    terms: Sequence[str]
    read_for: dict[str, str]


def maybe_closed(text: str, stop_words: Collection[str]) -> str:
    """Return each two words of a text in one, and words without their hyphens: most are no words.

    None begins with one of the stop words, as `in_one` has none.

    >>> maybe_closed("is the Wi-Fi up?", ()), maybe_closed("is the wifi up?", {"is", "the"})
    ('isthe theWi-Fi Wi-Fiup? is the WiFi up?', 'wifiup?')
    """
    words = text.split()[: _MOST + 1]
    pairs = " ".join([one + other for one, other in pairwise(words) if one not in stop_words])
    return pairs if "-" not in text and text.isascii() else f"{pairs} {re.sub(_HYPHENS, '', text)}"


def closed_of(text: str) -> list[tuple[str, str]]:
    """Return words with hyphens, and two words with a blank between them, each with both in one.

    >>> closed_of("is the Wi-Fi up?")
    [('Wi-Fi', 'WiFi'), ('is the', 'isthe')]
    """
    words, pairs = (pattern.findall(text)[:_MOST] for pattern in _in_several())
    return [*((word, re.sub(_HYPHENS, "", word)) for word in words), *((f"{a} {b}", a + b) for a, b in pairs)]


@lru_cache(maxsize=1)
def _in_several() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of words with hyphens, and of two words with a blank between them."""
    return (
        expression(rf"(?<![\w-])[^\W_]+(?:{_HYPHENS}[^\W_]+)+(?![\w-])"),
        expression(r"(?<![\w'’.,:-])(?=(\d[\d.,:]{0,11}|[^\W\d_]{2,24}) ([^\W\d_]{2,24})(?![\w'’-]))"),
    )


def in_one(terms: Sequence[str], text: str, analyzer: Analyzer, core: Partition, cells: Sequence[str]) -> Spelled:
    """Return terms with words in one in the place of those that no record holds together."""
    read_for: dict[str, str] = {}
    for surface, word in closed_of(text):
        own, one = analyzer.terms(surface), analyzer.terms(word)
        parts = analyzer.terms(re.sub(_HYPHENS, " ", surface))
        begins = "-" in surface or bool(analyzer.terms(surface.split()[0]))  # "on call" asks for a call
        if not begins or not own or len(one) != 1 or one[0] in terms or not core.held_terms(one, MARK, cells=cells)[0]:
            continue
        if _together(own, core, cells) or (len(parts) > 1 and _together(parts, core, cells)):
            continue
        placed = _placed(terms, own, one)
        if placed is not None:
            terms, read_for[one[0]] = placed, surface
    return Spelled(terms, read_for)


def apart(
    terms: Sequence[str], text: str, missing: set[str], analyzer: Analyzer, core: Partition, cells: Sequence[str]
) -> Spelled:
    """Return terms with words that have a hyphen, or numbers and units, in the place of those that no record holds."""
    read_for: dict[str, str] = {}
    for word in _words().findall(text)[: 4 * _MOST]:
        own = analyzer.terms(word) if len(word) <= _LONGEST else []
        if not missing.isdisjoint(own[:1]) and (others := _ways(word, analyzer, core, cells)):
            placed = _placed(terms, own, others)
            if placed is not None:
                terms = placed
                read_for |= dict.fromkeys(others, word)
    return Spelled(terms, read_for)


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    return expression(
        r"(?<![\d.,:])\d[\d.,:]{0,63}[^\W\d_]+(?!\w)|(?<!\w)[^\W\d_]{1,2}\d{1,4}\.\d{1,4}(?![\w.])|[^\W_]+"
    )


@lru_cache(maxsize=1)
def _measure() -> re.Pattern[str]:
    """Return the pattern of a number and its unit, "4TB", and of a letter or two and a number, "HS3", in one."""
    return expression(r"(\d[\d.,:]{0,11})([^\W\d_]{1,5})(?!\w)|([^\W\d_]{1,2})(\d[\d.]{0,5}(?<!\.))(?!\w)")


def _ways(word: str, analyzer: Analyzer, core: Partition, cells: Sequence[str]) -> list[str]:
    """Return the terms of a word with a hyphen in it, or of a number and what stands beside it, that records hold."""
    measure = _measure().fullmatch(word)
    if measure is not None:
        pair = analyzer.terms(" ".join(filter(None, measure.groups())))
        return pair if len(pair) > 1 and _together(pair, core, cells) else []
    if len(word) < _SHORTEST:
        return []
    said = [analyzer.terms(f"{word[:at]}-{word[at:]}") for at in range(1, len(word))]
    ways = [way[0] for way in said if way]
    return [way for way, is_held in zip(ways, core.held_terms(ways, MARK, cells=cells), strict=True) if is_held][:1]


def _together(terms: Sequence[str], core: Partition, cells: Sequence[str]) -> bool:
    """Return whether a record holds all of some terms."""
    if not all(core.held_terms(terms, MARK, cells=cells)):
        return False
    return len(terms) == 1 or bool(core.holding([[term, MARK + term] for term in terms], cells))


def _placed(terms: Sequence[str], own: Sequence[str], others: Sequence[str]) -> list[str] | None:
    """Return terms with others in the place of some that stand one behind the other; None if they do not."""
    for at in range(len(terms) - len(own) + 1):
        if list(terms[at : at + len(own)]) == list(own):
            return [*terms[:at], *others, *terms[at + len(own) :]]
    return None
