"""What: the 10 nearest of N embeddings of 768 dimensions by cosine, one query and 32 at once, call and all included.

Corpus: seed 7, synthetic: clusters of 50 around a common mean, the variance of dimension i falling as 1 / (i + 8), so
that half of a row's energy lies in its first 64 dimensions and three quarters in the first 256; queries are drawn like
rows. Neighbours lie at a cosine of about 0.65, the bulk at 0.2. Compare: one rival a process, since usearch and numkong
slow each other down when loaded together. `agreement` is the share of the true ten that the rival finds, so it is the
recall of a rival that is not exact; the recall of ours in the modes that are not exact is a fact of their rows.

    python benches/dense.py --rival faiss-flat --rows 10000
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np
from harness import busy, emit, in_turns, note, per_call, pin, row

import byheart

K = 10
BATCH = 32
DIMENSIONS = 768
MEMBERS = 50
Search = Callable[[np.ndarray], np.ndarray]


def highest(scores: np.ndarray) -> np.ndarray:
    """Return the columns of the 10 highest scores of each row, in order."""
    near = np.argpartition(-scores, K, axis=1)[:, :K]
    order = (-np.take_along_axis(scores, near, axis=1)).argsort(axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1)


def numpy(rows: np.ndarray) -> Search:
    return lambda queries: highest(queries @ rows.T)


def faiss_flat(rows: np.ndarray) -> Search:
    return faiss_index(rows, "Flat")


def faiss_sq8(rows: np.ndarray) -> Search:
    return faiss_index(rows, "SQ8")


def faiss_hnsw(rows: np.ndarray) -> Search:
    return faiss_index(rows, "HNSW32")


def faiss_index(rows: np.ndarray, kind: str) -> Search:
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.index_factory(DIMENSIONS, kind, faiss.METRIC_INNER_PRODUCT)
    index.train(rows)
    index.add(rows)
    return lambda queries: index.search(queries, K)[1]


def usearch_f32(rows: np.ndarray) -> Search:
    return usearch_exact(rows, lambda values: values)


def usearch_i8(rows: np.ndarray) -> Search:
    return usearch_exact(rows, as_bytes)


def usearch_exact(rows: np.ndarray, form: Callable[[np.ndarray], np.ndarray]) -> Search:
    from usearch.index import MetricKind, search

    held = form(rows)

    def nearest(queries: np.ndarray) -> np.ndarray:
        found = search(held, form(queries), K, MetricKind.Cos, exact=True, threads=1)
        return np.asarray(found.keys).reshape(len(queries), K)

    return nearest


def numkong_i8(rows: np.ndarray) -> Search:
    import numkong

    step = float(np.abs(rows).max()) / 127  # one for all: it compares dot products, not cosines
    packed = numkong.dots_pack(np.rint(rows / step).astype(np.int8))
    return lambda queries: highest(np.asarray(numkong.dots_packed(as_bytes(queries), packed)))


def as_bytes(values: np.ndarray) -> np.ndarray:
    """Return rows as int8, each scaled by its own largest value: what users of int8 do."""
    return np.rint(values * (127 / np.abs(values).max(axis=1, keepdims=True))).astype(np.int8)


# name: the package whose version is shown, and how to search
RIVALS: dict[str, tuple[str, Callable[[np.ndarray], Search]]] = {
    "numpy": ("numpy", numpy),
    "faiss-flat": ("faiss-cpu", faiss_flat),
    "faiss-sq8": ("faiss-cpu", faiss_sq8),
    "faiss-hnsw": ("faiss-cpu", faiss_hnsw),
    "usearch-f32": ("usearch", usearch_f32),
    "usearch-i8": ("usearch", usearch_i8),
    "numkong-i8": ("numkong", numkong_i8),
}


def data(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and queries of unit length."""
    draw = np.random.default_rng(7)
    spread = ((np.arange(DIMENSIONS) + 8.0) ** -0.5).astype(np.float32)

    def noise(number: int) -> np.ndarray:
        return draw.standard_normal((number, DIMENSIONS), dtype=np.float32) * spread

    mean, centres = 0.55 * noise(1), 0.75 * noise(count // MEMBERS)
    rows = np.repeat(centres, MEMBERS, axis=0)
    for start in range(0, count, 10_000):  # by parts, so that the noise does not double the memory
        part = rows[start : start + 10_000]
        part += mean + 0.75 * noise(len(part))
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    queries = mean + centres[draw.integers(0, len(centres), BATCH)] + 0.75 * noise(BATCH)
    return rows, queries / np.linalg.norm(queries, axis=1, keepdims=True)


def recall(found: list[byheart.Ranking], truth: list[byheart.Ranking]) -> float:
    """Return the share of the true ids that were found."""
    hits = sum(len(set(one.ids) & set(true.ids)) for one, true in zip(found, truth, strict=True))
    return round(hits / (K * len(truth)), 3)


def main() -> None:
    """Measure one rival at one size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rival", choices=RIVALS, required=True)
    parser.add_argument("--rows", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    rows, queries = data(wanted.rows)
    package, make = RIVALS[wanted.rival]
    name = wanted.rival if wanted.rival == package else f"{wanted.rival} ({package})"
    name = f"{name} {version(package)}"
    note(f"dense, {wanted.rows:,} rows: {name}")
    index = byheart.DenseIndex()
    for start in range(0, wanted.rows, 10_000):
        part = rows[start : start + 10_000]
        index.add([str(start + n) for n in range(len(part))], part)
    search = make(rows)
    truth = index.search_many(queries, K)
    theirs = search(queries)
    same = [len({str(number) for number in found} & set(true.ids)) for found, true in zip(theirs, truth, strict=True)]
    agreed = {name: round(sum(same) / (K * BATCH), 3)}
    singles, vectors = [query.reshape(1, -1) for query in queries], list(queries)

    def measure(case: str, ours: Callable[[np.ndarray], Any], **facts: Any) -> None:
        turns = {"byheart": lambda: per_call(ours, vectors), name: lambda: per_call(search, singles)}
        emit(row("dense", f"{wanted.rows:,} rows, {case}", "us", in_turns(turns), agreement=agreed, **facts))

    work = truth[0].counters
    measure("one query", lambda query: index.search(query, K), rescored=work["rescored"])
    if wanted.rival == "numpy":
        few = index.search_many(queries, K, mode="approx")
        measure("shortlist", lambda query: index.search(query, K, mode="approx"), recall=recall(few, truth))
        early = index.search_many(queries, K, mode="early_exit", time_budget_ms=None)
        exits = sum(found.tier < 3 for found in early) / BATCH
        measure(
            "early exit",
            lambda query: index.search(query, K, mode="early_exit", time_budget_ms=None),
            recall=recall(early, truth),
            exit_rate=exits,
        )
    many = in_turns({
        "byheart": lambda: busy(lambda: index.search_many(queries, K)) / BATCH,
        name: lambda: busy(lambda: search(queries)) / BATCH,
    })  # fmt: skip
    emit(row("dense", f"{wanted.rows:,} rows, batch of {BATCH}", "us/query", many, agreement=agreed))


if __name__ == "__main__":
    main()
