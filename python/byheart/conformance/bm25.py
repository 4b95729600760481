"""BM25's formulas as plain functions, for reading and for checking by hand; the search itself runs in the core.

Source: Robertson and Zaragoza (2009) with Lucene's idf.
"""
# docs/sources.md: B1.33.

from __future__ import annotations

from .._core import bm25_idf, bm25_part


def idf(records: int, document_frequency: int) -> float:
    """Return ln((N - df + 0.5) / (df + 0.5) + 1), with the core's own logarithm. Always greater than 0.

    >>> round(idf(2, 1), 12)
    0.69314718056
    """
    return bm25_idf(records, document_frequency)


def term_score(*, tf: float, dl: float, avgdl: float, idf: float, k1: float = 1.2, b: float = 0.75) -> float:
    """Return what one term adds: tf occurrences in a field of dl terms, avgdl on average (0 counts as 1).

    >>> term_score(tf=1, dl=10, avgdl=10, idf=1.0)
    1.0
    """
    return bm25_part(tf, dl, avgdl, idf, k1, b)
