"""What: ten of 1,000 candidates by maximal marginal relevance, the call from Python included. Corpus: 1,000 unit rows
of 768 float32 around 40 centres, a query near one, scores by cosine; seed 7. Compare: langchain-core, which has
the query and scores by itself, so that in its case everybody does; NumPy, a loop that keeps each candidate's largest
similarity and trusts the rows to be of unit length, which byheart does not.
"""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
from harness import emit, in_turns, note, pin, repeated, row
from langchain_core.vectorstores.utils import maximal_marginal_relevance

import byheart

COUNT, DIMENSIONS, CENTRES, K, SEED = 1_000, 768, 40, 10, 7
NUMPY, LANGCHAIN = f"NumPy {version('numpy')}, incremental", f"langchain-core {version('langchain-core')}"


def corpus() -> tuple[np.ndarray, np.ndarray]:
    """Return a query and the rows, all of unit length."""
    random = np.random.default_rng(SEED)
    centres = random.standard_normal((CENTRES, DIMENSIONS))
    rows = centres[random.integers(0, CENTRES, COUNT)] + 0.8 * random.standard_normal((COUNT, DIMENSIONS))
    query = centres[0] + 0.8 * random.standard_normal(DIMENSIONS)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return (query / np.linalg.norm(query)).astype(np.float32), rows.astype(np.float32)


def incremental(scores: np.ndarray, rows: np.ndarray, trade_off: float) -> list[int]:
    """Return what byheart is asked for, by way of NumPy."""
    nearest = np.full(len(rows), -1.0, dtype=np.float32)
    relevance = trade_off * scores
    picked = [int(scores.argmax())]
    while len(picked) < K:
        np.maximum(nearest, rows @ rows[picked[-1]], out=nearest)
        values = relevance - (1.0 - trade_off) * nearest
        values[picked] = -np.inf
        picked.append(int(values.argmax()))
    return picked


def selections(trade_off: float) -> None:
    """Measure one trade-off: scores given, then only the query given."""
    query, rows = corpus()
    scores = (rows @ query).astype(np.float64)
    name = f"{K} of {COUNT:,} x {DIMENSIONS}, trade-off {trade_off}"
    note(name)
    ours = byheart.maximal_marginal_relevance(scores, rows, K, trade_off)

    def shared(picks: list[int]) -> float:
        return len(set(picks) & set(ours)) / K

    samples = in_turns({
        "byheart": lambda: repeated(lambda: byheart.maximal_marginal_relevance(scores, rows, K, trade_off)),
        NUMPY: lambda: repeated(lambda: incremental(scores, rows, trade_off)),
    })  # fmt: skip
    emit(row("mmr", name, "us", samples, agreement={NUMPY: shared(incremental(scores, rows, trade_off))}))
    samples = in_turns({
        "byheart": lambda: repeated(lambda: byheart.maximal_marginal_relevance(rows @ query, rows, K, trade_off)),
        NUMPY: lambda: repeated(lambda: incremental(rows @ query, rows, trade_off)),
        LANGCHAIN: lambda: repeated(lambda: maximal_marginal_relevance(query, rows, trade_off, K)),
    })  # fmt: skip
    theirs = maximal_marginal_relevance(query, rows, trade_off, K)
    emit(row("mmr", f"{name}, scored too", "us", samples, agreement={LANGCHAIN: shared(theirs)}))


def main() -> None:
    """Measure two trade-offs."""
    pin()
    for trade_off in (0.85, 0.5):
        selections(trade_off)


if __name__ == "__main__":
    main()
