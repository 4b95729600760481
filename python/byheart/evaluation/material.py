"""Made-up texts to time things on: the same ones on every run, with words as unevenly used as in a language."""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import Final

STREAM: Final = 7
WORDS: Final = 20_000
_SOUNDS = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]


@cache
def vocabulary() -> tuple[list[str], list[float]]:
    """Return words, and for each the sum of its share and those of the words before it (Zipf's law, exponent 1)."""
    words = ["".join(_SOUNDS[(rank // size) % len(_SOUNDS)] for size in (1, 70, 4900)) for rank in range(WORDS)]
    return words, list(accumulate(1.0 / rank for rank in range(2, WORDS + 2)))


def texts(count: int) -> Iterator[str]:
    """Give texts of 8 to 40 words; the first ones are the same whatever the count.

    >>> [len(text.split()) for text in texts(3)], list(texts(3))[:2] == list(texts(2)), next(texts(1))[:20]
    ([18, 21, 17], True, 'bubaba lufaba bebaba')
    """
    draw = random.Random(STREAM).random  # its numbers are documented to stay the same
    words, shares = vocabulary()
    for _ in range(count):
        yield " ".join(words[bisect(shares, draw() * shares[-1])] for _ in range(8 + int(draw() * 33)))


def questions(known: list[str], count: int) -> list[str]:
    """Return questions of 3 to 6 words that stand in one of the texts.

    >>> all(set(question.split()) <= set(text.split()) for text in texts(1) for question in questions([text], 5))
    True
    """
    draw = random.Random(STREAM + 1).random
    asked = []
    for _ in range(count):
        words = known[int(draw() * len(known))].split()
        asked.append(" ".join(words[int(draw() * len(words))] for _ in range(3 + int(draw() * 4))))
    return asked
