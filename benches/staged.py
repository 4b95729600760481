"""What: recalls of the profiles that are lists of stages (hybrid, scoped, discovery), and a context; where their
microseconds go. Corpus: English turns, seed 7, a minute apart, of 50 sessions and 5 users; vectors of 384 dimensions.
Compare: the same hybrid pipeline by hand over NumPy and bm25s (plain_hybrid.py), in turns with byheart.

"Vector given": the embedder looks the query's vector up, so that the pipeline is seen alone; the rival gets it, too.
"Text hashed": `HashingEmbedder(384)` makes it, which is no real model: one would take ten to a hundred times as long.
"From a file": the same memory in SQLite. The parts are a recall's own timings, in runs of their own.

    python benches/staged.py --records 10000
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import corpora
import numpy as np
from harness import ROUNDS, emit, in_turns, note, per_call, pin, row
from plain_hybrid import PlainHybrid

import byheart
from byheart.embedding import Fingerprint, HashingEmbedder, Vectors

WIDTH, QUERIES = 384, 300
START, GAP = 1.7e9, 60.0
HYBRID = "hybrid"
SESSION = {"session_id": "s3", "user_id": "u3"}
CASES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    HYBRID: ("hybrid", {}),
    "scoped, for nobody": ("scoped", {}),
    "scoped, for a session": ("scoped", SESSION),
    "discovery": ("discovery", {}),
}
Ask = Callable[[str], object]


class Given:
    """An embedder that has made the vectors of some queries before."""

    def __init__(self, inner: HashingEmbedder, queries: Sequence[str]) -> None:
        self._inner = inner
        self.known = {query: inner.embed_queries([query]) for query in queries}

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def fingerprint(self) -> Fingerprint:
        return self._inner.fingerprint

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        return self._inner.embed_documents(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        (text,) = texts
        return self.known[text]


def memory_of(turns: Sequence[str], embedder: HashingEmbedder | Given, path: Path | None = None) -> byheart.Memory:
    """Return a memory that holds the turns."""
    memory = byheart.Memory(path, embedder=embedder)
    memory.remember_many(
        byheart.Record(
            id=f"r{number}",
            text=turn,
            created_at=START + GAP * number,
            session_id=f"s{number % 50}",
            user_id=f"u{number % 5}",
        )
        for number, turn in enumerate(turns)
    )
    return memory


def asking(memory: byheart.Memory, profile: str, given: Mapping[str, Any], now: float) -> Ask:
    """Return the call that is measured."""
    return lambda query: memory.recall(query, profile=profile, now=now, **given)


def parts(ask: Callable[[str], Any], queries: Sequence[str]) -> dict[str, float]:
    """Return the median microseconds of the steps by a recall's own timings, and of what lies around them."""
    found: dict[str, list[float]] = {}
    gc.disable()
    for query in (*queries, *queries):
        start = perf_counter_ns()
        timings = ask(query).timings
        whole = (perf_counter_ns() - start) / 1000.0
        for name, value in {**timings, "arguments, analysis, hits, receipt": whole - sum(timings.values())}.items():
            found.setdefault(name, []).append(value)
    gc.enable()
    medians = {name: statistics.median(values[len(values) // 2 :]) for name, values in found.items()}
    return dict(sorted(medians.items(), key=lambda part: -part[1]))


def main() -> None:
    """Measure every profile in memory and in a file, and the rival."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    turns = corpora.load("english", wanted.records)
    queries, now = corpora.queries(turns, "sentence", QUERIES), START + GAP * wanted.records
    hashing = HashingEmbedder(WIDTH)
    given = Given(hashing, queries)
    note("staged, building")
    inside, hashed = memory_of(turns, given), memory_of(turns, hashing)
    vectors = np.concatenate([hashing.embed_documents([turn]) for turn in turns])
    plain = PlainHybrid(turns, vectors, START + GAP * np.arange(wanted.records))

    def rival(query: str) -> object:
        return plain.recall(query, given.known[query][0], now)

    with tempfile.TemporaryDirectory() as folder, memory_of(turns, given, Path(folder) / "memory.db") as filed:
        for case, (profile, more) in CASES.items():
            name = f"{wanted.records:,} records, {case}"
            note(f"staged, {name}")
            ask = asking(inside, profile, more, now)
            engines = {"byheart": ask} | ({plain.name: rival} if case == HYBRID else {})
            measure(f"{name}, vector given", engines, queries)
            measure(f"{name}, text hashed", {"byheart": asking(hashed, profile, more, now)}, queries)
            measure(
                f"{name}, from a file",
                {"byheart": asking(filed, profile, more, now), "in process": ask},
                queries,
                "in process",
            )
            emit({"area": "recall parts", "case": f"{name}, vector given", "parts": parts(ask, queries)})
        packed = {"byheart": lambda query: inside.context(query, 1_500, profile=HYBRID, now=now)}
        measure(f"{wanted.records:,} records, context of hybrid, vector given", packed, queries)


def measure(case: str, engines: Mapping[str, Ask], queries: Sequence[str], limit: str | None = None) -> None:
    """Measure some engines in turns."""
    turns = {name: lambda ask=ask: per_call(ask, queries) for name, ask in engines.items()}  # type: ignore[misc]
    emit(row("staged recall", case, "us", in_turns(turns, ROUNDS), limit=limit))


if __name__ == "__main__":
    main()
