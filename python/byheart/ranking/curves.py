"""Curves of models: how strong an answer is by its words and its vectors, and how much vectors count, by who made them.

A question that a memory can answer shares words with the best record, and words with many others: what people ask about
is what the memory is about. They were fitted on questions whose topic is in a memory, and on such whose topic is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import sqrt
from typing import Final

from .._core import exp
from ..frozen import maker
from ..light.classes import dataclass

FEW, MANY = 4.0, 8.0
"""Between so many words, what a share of a question says grows with the root of their number."""
FEWEST = 2.0
SHORT, MOST_FAMILIAR = 0.36, 0.3
"""What a share says of how familiar the words of a question are that has two; nothing where it has `FEW`."""
PIECE = 0.2
"""What a piece of writing without spaces is of a word: a question in Japanese has about five for each."""


def as_familiar(familiarity: float, share: float, greatest: float) -> float:
    """Return how familiar words are of which a record says a share, and the best that may be found the greatest.

    >>> as_familiar(0.2, 0.1, 0.4), as_familiar(0.2, 0.4, 0.4), as_familiar(0.2, 0.0, 0.0)
    (0.05, 0.2, 0.2)
    """
    return familiarity * (share / greatest) if share < greatest else familiarity


def as_short(familiarity: float, share: float, words: float) -> float:
    """Return how familiar the words of a question are of which a record says a share, where it has so few.

    Of two words the one that is held is mostly what the question is about: "rent arrears" is about the rent. That one
    record of thousands holds it makes it no less so.

    >>> [round(as_short(0.05, 1 / 3, words), 3) for words in (2, 3, 4)], as_short(0.0, 1.0, 1)
    ([0.13, 0.058, 0.05], 0.3)
    """
    few = (FEW - min(max(words, FEWEST), FEW)) / (FEW - FEWEST)
    said = SHORT * few * few * share
    return min(sqrt(familiarity * familiarity + said * said), MOST_FAMILIAR) if said else familiarity


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve: strength = 1 / (1 + exp(-(bias + words x share + meaning x above + familiar x familiarity))).

    Attributes:
        bias: where nothing is alike.
        words: for the share of the question's words that the best record says, 0 to 1.
        meaning: for how far its cosine lies above what texts with nothing in common reach, 0 to 1.
        familiar: for how common the question's words are in the records that may be found, 0 to 0.3: the root of the
            share of these that hold a word, a mean over the words by their idf, as for records of 25 words; for a hit
            as far as it says as much of them as the best.
        floor: answers that are weaker are empty, unless a recall says otherwise; chosen so that it costs answers to
            questions whose topic is there at most a hundredth of their nDCG@10.
        weight: what the meaning counts beside the words in the score of a record that is in no conversation.
        lengthens: whether a share says more of a longer question, and more of one of fewer than four words.

    """

    bias: float
    words: float
    meaning: float = 0.0
    familiar: float = 0.0
    floor: float = 0.1
    weight: float = 0.5
    lengthens: bool = False

    def asked(self, words: float) -> Curve:
        """Return the curve of a question of so many words: half of eight is met by chance less often.

        >>> WORDS.asked(3) is WORDS, round(WORDS.asked(8).words / WORDS.words, 3)
        (True, 1.414)
        """
        if not self.lengthens or words <= FEW:
            return self
        longer = self.words * sqrt(min(words, MANY) / FEW)
        return _curve(self.bias, longer, self.meaning, self.familiar, self.floor, self.weight)

    def of(self, share: float, above: float = 0.0, familiarity: float = 0.0) -> float:
        """Return the strength of a share of words and a cosine above the floor, where the words are so familiar.

        >>> round(WORDS.of(0.1), 3), round(WORDS.of(0.4), 3), round(WORDS.of(0.4, familiarity=0.2), 3)
        (0.029, 0.14, 0.846)
        """
        return 1.0 / (1.0 + exp(-(self.bias + self.words * share + self.meaning * above + self.familiar * familiarity)))


_curve = maker(Curve)

WORDS: Final = Curve(-4.10, 5.72, familiar=17.58, floor=0.2, lengthens=True)
UNKNOWN: Final = replace(WORDS, floor=0.0)
"""Of a model that nobody has measured: words alone say how strong an answer is, and none is emptied."""
CURVES: Final[Mapping[str, Curve]] = {
    "hashing": Curve(-4.29, 7.09, 3.96, 16.26, floor=0.2),
    "wordllama-l2-supercat": Curve(-4.78, 6.83, 9.17, 9.52, floor=0.2),
    "all-MiniLM-L6-v2": Curve(-5.40, 7.85, 10.96, 6.04, floor=0.2, weight=0.75),
}
"""By the family of the model, as its fingerprint says it. Fitted by `benches/quality/strength.py`.

The weights by nDCG@10: with WordLlama 0.3, 0.5 and 0.7 reach .708, .707 and .702 on scifact-train and .417, .420 and
.419 on cosqa-dev; with MiniLM 0.5, 0.75 and 0.9 reach .732, .735 and .733, and .526, .545 and .556.
"""


def words_in(terms: Iterable[str]) -> float:
    """Return how many different words there are among terms: one or two letters outside ASCII are a piece of one.

    >>> words_in(["kettle", "descal", "kettle"]), words_in(["東", "東京", "京", "京都", "都"])
    (2.0, 1.0)
    """
    different = dict.fromkeys(terms)
    if "".join(different).isascii():
        return float(len(different))
    pieces = sum(len(term) <= 2 and not term.isascii() for term in different)
    return len(different) - pieces + PIECE * pieces


def curve_of(family: str | None) -> Curve:
    """Return the curve of a family of models; None for a memory of words only.

    >>> curve_of("sentence-transformers/all-MiniLM-L6-v2") == curve_of("all-MiniLM-L6-v2")  # whoever published it
    True
    """
    return WORDS if family is None else CURVES.get(family.rpartition("/")[2], UNKNOWN)


def is_measured(family: str | None) -> bool:
    """Return whether it is known what the cosines of a family of models say."""
    return curve_of(family) is not UNKNOWN
