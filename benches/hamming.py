"""What: the 10 nearest of N hypervectors of 4,096 bits, one query and 32 at once, call and selection included.

Corpus: seed 7, random rows; a query is a row with 40 % of its bits drawn anew. Compare: one rival a process, since
usearch, simsimd and numkong slow each other down when loaded together; and a read of the same bytes, in turns.

    python benches/hamming.py --rival simsimd --rows 10000
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any

import numpy as np
from baseline.build import load
from harness import busy, emit, in_turns, note, per_call, pin, row

import byheart

K = 10
BATCH = 32
SINGLES = 25
Search = Callable[[np.ndarray], Any]
READ = "read of the same bytes"


def smallest(distances: np.ndarray) -> np.ndarray:
    """Return the columns of the 10 smallest distances of each row, in order."""
    near = np.argpartition(distances, K, axis=1)[:, :K]
    order = np.take_along_axis(distances, near, axis=1).argsort(axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1)


def simsimd(rows: np.ndarray) -> Search:
    import simsimd

    return lambda queries: smallest(np.asarray(simsimd.cdist(queries, rows, metric="hamming", dtype="bin8")))


def numkong(rows: np.ndarray) -> Search:
    import numkong

    packed = numkong.hammings_pack(rows)
    return lambda queries: smallest(np.asarray(numkong.hammings_packed(queries, packed)))


def faiss(rows: np.ndarray) -> Search:
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryFlat(rows.shape[1] * 8)
    index.add(rows)
    return lambda queries: index.search(queries, K)[1]


def usearch(rows: np.ndarray) -> Search:
    from usearch.index import MetricKind, search

    def nearest(queries: np.ndarray) -> np.ndarray:
        found = search(rows, queries, K, MetricKind.Hamming, exact=True, threads=1)
        return np.asarray(found.keys).reshape(len(queries), K)

    return nearest


def numpy(rows: np.ndarray) -> Search:
    words = rows.view(np.uint64)

    def nearest(queries: np.ndarray) -> np.ndarray:
        counts = [np.bitwise_count(words ^ query).sum(axis=1, dtype=np.uint16) for query in queries.view(np.uint64)]
        return smallest(np.stack(counts))

    return nearest


def baseline(rows: np.ndarray) -> Search:
    loops = load()
    return lambda queries: np.array([[number for _, number in loops.nearest(rows, query, K)] for query in queries])


RIVALS: dict[str, Callable[[np.ndarray], Search]] = {
    "simsimd": simsimd,
    "numkong": numkong,
    "faiss-cpu": faiss,
    "usearch": usearch,
    "numpy": numpy,
    "baseline": baseline,
}


def data(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and queries."""
    draw = np.random.default_rng(7)
    rows = np.frombuffer(draw.bytes(count * 512), dtype=np.uint8).reshape(count, 512).copy()
    queries = rows[draw.integers(0, count, BATCH)].copy()
    for query in queries:
        changed = draw.random(4096) < 0.4
        noise = draw.integers(0, 2, 4096).astype(bool)
        query ^= np.packbits(changed & noise)
    return rows, queries


def index_of(rows: np.ndarray) -> byheart.HypervectorIndex:
    """Return byheart's index over the rows, put in by ten thousands."""
    index, numbered = byheart.HypervectorIndex(), iter(enumerate(rows))
    while part := list(itertools.islice(numbered, 10_000)):
        vectors = [byheart.HyperVector.from_bytes(vector.tobytes()) for _, vector in part]
        index.add([str(number) for number, _ in part], vectors)
    return index


def agreement(rows: np.ndarray, queries: np.ndarray, ours: Iterable[byheart.Ranking], theirs: np.ndarray) -> float:
    """Return which share of the rival's rows lies no farther than byheart's tenth: ties may be broken otherwise."""
    near = [
        np.bitwise_count(rows[list(set(found.tolist()))] ^ query).sum(axis=1) <= round((1 - mine.scores[-1]) * 4096)
        for query, mine, found in zip(queries, ours, theirs, strict=True)
    ]
    return round(float(np.concatenate(near).sum()) / (K * len(queries)), 3)


def main() -> None:
    """Measure one rival at one size."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rival", choices=RIVALS, required=True)
    parser.add_argument("--rows", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    rows, queries = data(wanted.rows)
    name = "C++ baseline" if wanted.rival == "baseline" else f"{wanted.rival} {version(wanted.rival)}"
    note(f"hamming, {wanted.rows:,} rows: {name}")
    index, search, read = index_of(rows), RIVALS[wanted.rival](rows), load().read
    vectors = [byheart.HyperVector.from_bytes(query.tobytes()) for query in queries]
    singles = [query.reshape(1, -1) for query in queries]
    agreed = {name: agreement(rows, queries, index.search_many(vectors), search(queries))}

    turns = {
        "byheart": lambda: per_call(index.search, vectors[:SINGLES]),
        name: lambda: per_call(search, singles[:SINGLES]),
        READ: lambda: per_call(read, [rows] * SINGLES),
    }
    one = in_turns(turns)
    emit(row("hamming", f"{wanted.rows:,} rows, one query", "us", one, agreement=agreed, limit=READ))
    many = in_turns({
        "byheart": lambda: busy(lambda: index.search_many(vectors)) / BATCH,
        name: lambda: busy(lambda: search(queries)) / BATCH,
    })  # fmt: skip
    of_single = round(min(many["byheart"]) / min(one["byheart"]), 3)
    emit(
        row(
            "hamming",
            f"{wanted.rows:,} rows, batch of {BATCH}",
            "us/query",
            many,
            agreement=agreed,
            of_a_single=of_single,
        )
    )


if __name__ == "__main__":
    main()
