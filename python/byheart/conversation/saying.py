"""Scores of a handful of texts among themselves: BM25, without an index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from .._core import ln

_K1, _B = 0.6, 0.3  # of short turns, as in `retrieval.words`
_MOST: Final = _K1 + 1.0


class Texts:
    """Texts as their terms, and how rare these are among them.

    >>> texts = Texts([["tea", "time"], ["tea"], ["sea"]])
    >>> [round(score, 2) for score in texts.scores({"tea": 1.0})], texts.holding["tea"]
    ([0.44, 0.48, 0.0], 2)

    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        """Count the terms.

        Args:
            texts: the terms of each.

        """
        self.counts = [Counter(text) for text in texts]
        self.lengths = [len(text) for text in texts]
        self.holding = Counter(chain.from_iterable(self.counts))
        self.average = sum(self.lengths) / len(texts) if any(texts) else 1.0
        self._weights: dict[int, float] = {}  # by how many texts hold a term: most terms are held by few

    def weight(self, term: str) -> float:
        """Return the idf of a term: high where few texts hold it."""
        holding = self.holding[term]
        weight = self._weights.get(holding)
        if weight is None:
            weight = self._weights[holding] = ln(1.0 + (len(self.counts) - holding + 0.5) / (holding + 0.5))
        return weight

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
        most = sum(share * self.weight(term) * _MOST for term, share in wanted.items())
        return [score / most if most else 0.0 for score in self.scores(wanted)]
