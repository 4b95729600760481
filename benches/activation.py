"""What: an activation, a search and the recall behind them, of a memory under a policy, by words and by the question's
vector. Corpus: English turns and unit vectors of 384 dimensions, seed 7. Compare: the same answer as one statement of
DuckDB over the same records (full scans; its index of words cannot be had without a network).

    python benches/activation.py --records 1000
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import corpora
import numpy as np
from harness import BYHEART, ROUNDS, emit, note, per_call, pin, row

import byheart
from byheart.integrations.duckdb import DuckActivation

WIDTH, CALLS = 384, 100
RIVAL_CALLS = 5  # of a tenth of a second each


def filled(path: Path | None, texts: list[str], vectors: Any) -> byheart.Memory:
    """Return a memory under the usual policy that holds texts with their vectors."""
    memory = byheart.Memory(path, policy="default", vectors=f"seeded:{WIDTH}", noise=None)
    memory.remember_many(
        {"id": f"{number:x}", "text": text, "vector": vector, "created_at": 1e9 + number}
        for number, (text, vector) in enumerate(zip(texts, vectors, strict=True))
    )
    return memory


def main() -> None:
    """Measure a memory in this process, and the same in a file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    records = parser.parse_args().records
    pin()
    random = np.random.default_rng(7)
    texts = corpora.load("english", records)
    vectors = random.normal(size=(records, WIDTH)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    near = vectors[random.integers(0, records, CALLS)] + 0.02 * random.normal(size=(CALLS, WIDTH)).astype(np.float32)
    questions = list(zip(corpora.queries(texts, "sentence", CALLS), near, strict=True))
    now = 1e9 + records
    note(f"activation, {records:,} records")
    with tempfile.TemporaryDirectory() as name:
        memory, file = filled(None, texts, vectors), filled(Path(name) / "memory.db", texts, vectors)
        with DuckActivation(memory, extensions=()) as tables:
            calls = {
                "recall": lambda asked: memory.recall(asked[0], profile="activation", vector=asked[1], now=now),
                "search": lambda asked: memory.search(asked[0], vector=asked[1], now=now),
                "activate": lambda asked: memory.activate(asked[0], vector=asked[1], now=now),
                "activate, in a file": lambda asked: file.activate(asked[0], vector=asked[1], now=now),
            }
            found: dict[str, list[float]] = {case: [] for case in (*calls, "duckdb")}
            for _ in range(ROUNDS):
                for case, call in calls.items():
                    found[case].append(per_call(call, questions))
                found["duckdb"].append(per_call(lambda asked: tables.search(*asked, now=now), questions[:RIVAL_CALLS]))
        file.close()
    for case in calls:
        samples = {BYHEART: found[case], "duckdb": found["duckdb"]}
        emit(row("activation", f"{case}, {records:,} records, p50", "us", samples))


if __name__ == "__main__":
    main()
