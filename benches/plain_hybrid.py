"""Seed 001's pipeline as a good user would write it: NumPy over arrays, bm25s, a little Python. The rival of staged.py.

The numbers and the order of the stages are those of `byheart.reference.hybrid`, reranked by cosines; rows are array
indices, all arithmetic is vectorised, and near-duplicates are found in one product of matrices. It has no tenants, no
explanation, no reasons for what it drops, and its BM25 looks at one field.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
DAY = 86_400.0
NOISE = re.compile(r"^(hi|hello|hey|thanks|ok|okay|bye)\b|\bi (don't|do not) (know|recall|remember)\b", re.IGNORECASE)


class PlainHybrid:
    """Texts with their vectors, asked by text and vector."""

    name = f"NumPy {np.__version__}, bm25s {version('bm25s')} numba"

    def __init__(self, texts: Sequence[str], vectors: Floats, created: NDArray[np.float64]) -> None:
        import bm25s
        from Stemmer import Stemmer

        self.texts, self.vectors, self.created = texts, vectors, created
        self.lengths = np.array([len(text) for text in texts], dtype=np.float64)
        self.importance = np.full(len(texts), 0.7)
        self.tokenizer = bm25s.tokenization.Tokenizer(stopwords="english", stemmer=Stemmer("english"))
        tokens = self.tokenizer.tokenize(list(texts), return_as="tuple", show_progress=False)
        self.index = bm25s.BM25(k1=1.2, b=0.75, backend="numba")
        self.index.index(tokens, show_progress=False)

    def recall(self, query: str, vector: Floats, now: float, k: int = 10) -> list[tuple[int, float, str]]:
        """Return at most `k` rows with score and text."""
        rows, cosines, words = self.candidates(query, vector, max(20, 2 * k))
        logistic = np.maximum(0.5, 1.0 / (1.0 + np.exp(-np.maximum(words, 0.0) / 5.0)))
        scores = np.where(np.isnan(cosines), logistic, cosines * np.where(np.isnan(words), 1.0, 1.15)).clip(0.0, 1.0)
        first = np.argsort(-scores, kind="stable")[: 2 * k]
        first = first[scores[first] >= 0.3]
        rows, scores = rows[first], scores[first]
        scores = (0.7 * scores + 0.3 * (self.vectors[rows] @ vector)).clip(0.0, 1.0)
        days = np.maximum(now - self.created[rows], 0.0) / DAY
        scores = (scores + 0.1 * np.exp(-days / 14.0)).clip(0.0, 1.0)
        scores *= 0.7 + 0.3 * self.importance[rows]
        scores /= 1.0 + 0.5 * np.log2(np.maximum(self.lengths[rows] / 500.0, 1.0))
        scores *= 0.5 + 0.5 * np.exp(-days / 60.0)
        order = np.argsort(-scores, kind="stable")
        kept = [at for at in order if scores[at] >= 0.35 and not NOISE.search(self.texts[rows[at]])]
        return [(int(rows[at]), float(scores[at]), self.texts[rows[at]]) for at in self.unlike_first(rows, kept)[:k]]

    def candidates(self, query: str, vector: Floats, pool: int) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Return the rows that either search proposes, with cosines and BM25 scores, NaN where there is none."""
        cosines = self.vectors @ vector
        nearest = np.argpartition(-cosines, pool)[:pool]
        nearest = nearest[np.argsort(-cosines[nearest], kind="stable")]
        nearest = nearest[cosines[nearest] >= 0.1]
        tokens = self.tokenizer.tokenize([query], update_vocab=False, return_as="ids", show_progress=False)
        found, scores = self.index.retrieve(tokens, k=pool, n_threads=1, show_progress=False)
        worded = {int(row): float(score) for row, score in zip(found[0], scores[0], strict=True) if score > 0.0}
        alone = [row for row in worded if row not in set(nearest.tolist())]
        rows = np.concatenate([nearest, np.array(alone, dtype=np.int64)])
        near = np.concatenate([cosines[nearest], np.full(len(alone), np.nan, np.float32)])
        return rows, near, np.array([worded.get(int(row), np.nan) for row in rows])

    def unlike_first(self, rows: NDArray[np.int64], kept: Sequence[int]) -> list[int]:
        """Return the rows in order, near-duplicates last."""
        vectors = self.vectors[rows[list(kept)]]
        alike = vectors @ vectors.T > 0.85
        unlike: list[int] = []
        for at in range(len(kept)):
            if not alike[at, unlike].any():
                unlike.append(at)
        return [kept[at] for at in [*unlike, *(at for at in range(len(kept)) if at not in unlike)]]
