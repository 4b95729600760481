"""Words as people type them: without accents, elisions and marks of no width, and times without their dates."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ..light.expressions import expression

LONGEST: Final = 64
"""Longer words are no identifiers but hashes, keys and encoded bytes, whose parts say nothing."""

OTHERS: Final = "\u0590"
"""From this letter on writing has no spaces, or signs between its letters, which part no words."""
ARTICLES: Final = (
    "c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
    "un", "gl", "all", "dall", "dell", "nell", "sull", "quell", "quest",
)  # fmt: skip
"""What French and Italian write with an apostrophe before a word that begins with a vowel."""
_ELISION: Final = expression(
    rf"(?<![\w\u0300-\u036f])(?<!\w['’])({'|'.join(ARTICLES)})['’]"
    r"(?=[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]{2,56}(?![\w\u0300-\u036f]|['’]\w))",
    re.IGNORECASE,
)
_LETTER: Final = f"(?:(?=[\\x00-{chr(ord(OTHERS) - 1)}])(?:[^\\W_]|[\u0300-\u034e\u0350-\u036f]))"
_NO_WIDTH: Final = "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
_UNSEEN: Final = expression(_NO_WIDTH)
_UNSEEN_WITHIN: Final = expression(f"(?<={_LETTER}){_NO_WIDTH}++(?={_LETTER})")
"""Marks without width within a word, such as soft hyphens, of writing in which they part no words."""
_BROKEN: Final = expression(f"(?<!{_LETTER}){_LETTER}++(?:{_NO_WIDTH}++{_LETTER}++)+")
_STAMP: Final = expression(r"(?<!\d)\d{4}-\d\d-\d\dT(\d\d:\d\d)(:\d\d)?(?!\d)")

_LATIN: Final = expression(r"[A-Za-z\u00c0-\u024f\u0300-\u036f\u1e00-\u1eff]+")
_WRITTEN: Final = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th",
                                 "ı": "i", "Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "Þ": "TH"})  # fmt: skip
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def unaccented(text: str) -> list[str]:
    """Return the words of Latin letters that have accents, without them, in order; umlauts also as with an e.

    >>> unaccented("The café in Zürich, groß; 東京")
    ['cafe', 'Zurich', 'Zuerich', 'gross']
    """
    if text.isascii():
        return []
    found = []
    for word in _LATIN.findall(text):
        if word.isascii() or len(word) > LONGEST:
            continue
        composed = unicodedata.normalize("NFC", word)
        for form in dict.fromkeys((composed, composed.translate(_UMLAUTS))):
            letters = unicodedata.normalize("NFKD", form.translate(_WRITTEN))
            plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
            if plain.isascii() and plain.isalpha():
                found.append(plain)
    return found


def without_elisions(text: str) -> str:
    """Return a text with a blank in the place of the apostrophe behind a French or Italian article.

    >>> without_elisions("L'école dell’arte, don't, rock'n'roll")
    "L école dell arte, don't, rock'n'roll"
    """
    return _ELISION.sub(r"\1 ", text) if "'" in text or "’" in text else text


def is_article(word: str) -> bool:
    """Return whether a word is written with an apostrophe before others; no index has it by itself.

    >>> is_article("l"), is_article("dell"), is_article("la")
    (True, True, False)
    """
    return word in ARTICLES


def unbroken(text: str) -> list[str]:
    r"""Return the words of a text that hold marks without width, without these, in order: as they are typed.

    >>> unbroken("The refrig\u00aderator hums, co\u200b-\u200bop")
    ['refrigerator']
    """
    return [] if text.isascii() else list(map(without_unseen, _BROKEN.findall(text)))


def without_unseen(text: str) -> str:
    r"""Return a text without the marks of no width in its words.

    >>> without_unseen("The refrig\u00aderator hums")
    'The refrigerator hums'
    """
    return text if text.isascii() or _UNSEEN.search(text) is None else _UNSEEN_WITHIN.sub("", text)


def clock_times(text: str) -> list[str]:
    """Return the times of the stamps in a text, such as logs have, to the minute and to the second, in order.

    >>> clock_times("from 2024-05-03T18:30 to 2024-05-04T07:45:10Z, at 9:15")
    ['18:30', '07:45', '07:45:10']
    """
    stamps = _STAMP.findall(text) if "T" in text else ()
    return [time for minute, second in stamps for time in (minute, *([minute + second] if second else []))]
