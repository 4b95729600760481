"""A handful of texts scored among themselves, written for reading: `byheart._core.Handful` gives the same bits."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from statistics import median
from typing import Final

from .mathematics import ln

_K1, _B = 0.6, 0.3  # of short turns, as in `retrieval.words`
_MOST: Final = _K1 + 1.0
_FIRST, _WORDS = 10, 10  # the best texts, and how many of their words are looked for in others


class Handful:
    """Texts as their terms, and how rare these are among them.

    Args:
        texts: the terms of each.
        sizes: how many code points each text has.

    >>> texts = Handful([["tea", "time"], ["tea"], ["sea"]], [8, 3, 3])
    >>> [round(score, 2) for score in texts.scores({"tea": 1.0})], texts.holding["tea"]
    ([0.44, 0.48, 0.0], 2)

    """

    def __init__(self, texts: Sequence[Sequence[str]], sizes: Sequence[int]) -> None:
        """Count the terms."""
        self.counts = [Counter(text) for text in texts]
        self.lengths = [len(text) for text in texts]
        self.sizes = sizes
        self.holding = Counter(chain.from_iterable(self.counts))
        self.average = sum(self.lengths) / len(texts) if any(texts) else 1.0

    def weight(self, term: str) -> float:
        """Return the idf of a term: high where few texts hold it."""
        holding = self.holding[term]
        return ln(1.0 + (len(self.counts) - holding + 0.5) / (holding + 0.5))

    def scores(self, wanted: Mapping[str, float]) -> list[float]:
        """Return BM25 of each text for terms that count so much."""
        found = [0.0] * len(self.counts)
        for term, share in wanted.items():
            weight = share * self.weight(term) * _MOST
            for at, count in enumerate(self.counts):
                if often := count[term]:
                    length = 1.0 - _B + _B * self.lengths[at] / self.average
                    found[at] += weight * often / (often + _K1 * length)
        return found

    def shares(self, query: Sequence[str]) -> list[float]:
        """Return the same for a query, as a share of what its words weigh here."""
        wanted = {term: float(often) for term, often in Counter(query).items()}
        most = _in_order([share * self.weight(term) * _MOST for term, share in wanted.items()])
        return [score / most if most else 0.0 for score in self.scores(wanted)]

    def kin(self, worth: Sequence[float], query: Sequence[str]) -> list[float]:
        """Return the scores of words of the best texts that others have too, and that the query has not."""
        first = sorted(range(len(worth)), key=lambda at: (-worth[at], at))[:_FIRST]
        found: dict[str, float] = {}
        for at in first:
            for term in self.counts[at]:
                if term not in query and self.holding[term] > 1:
                    said = worth[at] * self.weight(term) / math.sqrt(self.lengths[at])
                    found[term] = found.get(term, 0.0) + said
        return self.scores(dict(sorted(found.items(), key=lambda one: -one[1])[:_WORDS]))

    def rich(self) -> list[float]:
        """Return how much rarer the terms of each are for its length than is usual: -1 to 1."""
        if not self.counts:
            return []
        rare = [
            _in_order([self.weight(term) for term in count]) / max(size, 1)
            for count, size in zip(self.counts, self.sizes, strict=True)
        ]
        usual = median(rare)
        return [min(each / usual, 2.0) - 1.0 if usual else 0.0 for each in rare]


def _in_order(values: Sequence[float]) -> float:
    """Return the sum, rounded at each step: `sum` rounds otherwise from Python 3.12 on."""
    found = 0.0
    for value in values:
        found += value
    return found
