"""Expressions with a long list of words in them: a text that has none of the words is read by one without the list.

To compile the list costs as much as all the rest, several times over where it stands in several places, and few texts
have a word of it. An expression without the list finds the same in the others: where no word of a list stands in a
text, no alternative of it matches. Whether one does is looked up for ASCII alone, of which a small letter is matched by
itself and by its capital and by nothing else; other texts are read by the whole expression.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression

_NONE: Final = "(?!)"
"""What stands in the place of the list: it matches nothing."""
_WORD: Final = expression(r"\w+")


class ListedWords:
    r"""An expression in which the words of a list stand, case being of no matter.

    Args:
        source: the expression, with the list in it.
        words: the list as it stands there, plain words and "|" between them, each where a word of a text begins.
        flags: those of `re`.

    >>> aged = ListedWords(r"\b(?:[0-9]+|two|three) years old", "two|three", re.IGNORECASE)
    >>> [aged.search(text) is not None for text in ("She is 3 years old.", "Three years old", "Four years old")]
    [True, True, False]

    """

    def __init__(self, source: str, words: str, flags: int) -> None:
        if words not in source:
            raise ValueError("the expression has no such list")
        self._words = words
        self._whole = expression(source, flags)
        self._without = expression(source.replace(words, _NONE), flags)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first place that it matches."""
        return self._for(text).search(text)

    def sub(self, by: str, text: str) -> str:
        """Return the text with another in the places that it matches."""
        return self._for(text).sub(by, text)

    def _for(self, text: str) -> re.Pattern[str]:
        return self._whole if has_one(text, self._words) else self._without


@lru_cache(maxsize=64)  # of one question each rule asks; what the texts of records say is kept by who asks
def words_in(text: str) -> frozenset[str]:
    """Return the words of a text in small letters, parted as `re` parts them.

    >>> sorted(words_in("Ann's own, Ann's!"))
    ['ann', 'own', 's']
    """
    return frozenset(_WORD.findall(text.lower()))


@lru_cache(maxsize=1024)
def has_one(text: str, words: str) -> bool:
    """Return whether a word of a list may stand in a text, whatever follows it: it always may beyond ASCII.

    >>> has_one("Twofold", "two|three"), has_one("often four", "ten|three"), has_one("vier für", "two|three")
    (True, False, True)
    """
    return not text.isascii() or any(word.startswith(_known(words)) for word in words_in(text))


@lru_cache(maxsize=64)
def _known(words: str) -> tuple[str, ...]:
    return tuple(words.split("|"))
