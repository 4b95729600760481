"""Vectors without a model: words and their letters, hashed into signed counts.

Signed feature hashing (Weinberger et al. 2009): each feature of a text adds +1 or -1 to one component, so that
unrelated features cancel on average. Features are the terms of the analyser and the three-letter pieces of each, so
that `kettle` and `kettles` are alike. It knows no meaning. For tests, and where no model is at hand; a real model finds
more.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from .._core import Analyzer
from ..errors import InvalidArgument
from .fingerprint import Fingerprint, check_dimensions
from .protocol import Vectors, check_texts, unit_rows

TERM_WEIGHT = 2  # beside 1 for each piece: a whole word says more than one of its pieces
PIECE_LENGTH = 3
_REMEMBERED_TERMS = 65_536
_SCHEME = "1"  # part of the fingerprint: another way to hash is another model


class HashingEmbedder:
    """A deterministic embedder that needs no model: the same text gives the same bytes on every machine.

    All arithmetic up to the last division is on whole numbers, and the terms come from the core, which carries its own
    Unicode tables. A text without terms (empty, or stop words alone) has a zero row.

    Args:
        dimensions: components of a vector, 1 to 4,096. With few of them features collide, and can cancel altogether.
        seed: another seed gives other, unrelated vectors; 0 to 2**64 - 1.

    Raises:
        InvalidArgument: dimensions or seed are outside their range.

    >>> rows = HashingEmbedder().embed_documents(["descale the kettle", "kettles, descaled", "a cat sleeps"])
    >>> float(rows[0] @ rows[1]) > 0.9, abs(float(rows[0] @ rows[2])) < 0.3
    (True, True)

    """

    def __init__(self, dimensions: int = 256, seed: int = 0) -> None:
        """Make an embedder of this width."""
        check_dimensions(dimensions)
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise TypeError(f"seed must be int, not {type(seed).__name__}")
        if not 0 <= seed < 2**64:
            raise InvalidArgument(f"seed: is {seed}; it must lie between 0 and 2**64 - 1")
        analyzer = Analyzer()
        version = f"{_SCHEME}-{seed}-{analyzer.name}"
        self._fingerprint = Fingerprint("hashing", dimensions, True, "", "", version)
        self._analyzer = analyzer
        self._seed, self._key = seed, seed.to_bytes(8, "little")
        self._places = lru_cache(_REMEMBERED_TERMS)(self._term_places)

    def __reduce__(self) -> tuple[type[HashingEmbedder], tuple[int, int]]:
        """Return what it is made of again, in a worker process, say: what it remembers of terms it makes anew."""
        return type(self), (self.dimensions, self._seed)

    @property
    def dimensions(self) -> int:
        """Return the number of components of each vector."""
        return self._fingerprint.dimensions

    @property
    def fingerprint(self) -> Fingerprint:
        """Return what made the vectors: width, seed and analyser."""
        return self._fingerprint

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each text, shape (n, dimensions), unit or zero."""
        rows = [self._counts(text) for text in check_texts(texts)]
        return unit_rows(np.array(rows, np.float64).reshape(len(rows), self.dimensions))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Return what `embed_documents` returns: a query is no different."""
        return self.embed_documents(texts)

    def _counts(self, text: str) -> list[int]:
        """Return the signed counts of a text's features, component by component."""
        counts = [0] * self.dimensions
        for term, times in Counter(self._analyzer.terms(text)).items():
            for place, step in self._places(term):
                counts[place] += times * step
        return counts

    def _term_places(self, term: str) -> tuple[tuple[int, int], ...]:
        """Return the components that a term changes, and by how much."""
        bounded = f"^{term}$"
        pieces = {bounded[at : at + PIECE_LENGTH] for at in range(len(bounded) - PIECE_LENGTH + 1)}
        steps: Counter[int] = Counter()
        for feature, weight in [(f"term {term}", TERM_WEIGHT), *((f"piece {piece}", 1) for piece in pieces)]:
            digest = hashlib.blake2b(feature.encode(), digest_size=8, key=self._key).digest()
            number = int.from_bytes(digest, "little")
            steps[(number >> 1) % self.dimensions] += weight if number & 1 else -weight
        return tuple(steps.items())
