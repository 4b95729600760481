"""What: whole calls as users feel them: recalls by text, by vectors and by both, of one tenant among twenty, through a
filter; forgetting a user; the first recall for a user; a message of a conversation taken in. Corpus: English turns,
seed 7, a minute apart, of 1,000 users with sessions of twenty turns; vectors of 384 dimensions, seed 7, which are drawn
and looked up, so that making them takes no time. Compare: the same calls of another checkout, in a process of its own
that takes turns with this one.

    python benches/whole.py --records 10000 [--before OTHER/python]
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import corpora
import numpy as np
from harness import BYHEART, ROUNDS, emit, note, per_call, pin, row

import byheart
from byheart.embedding import Fingerprint, Vectors

WIDTH, QUERIES, TENANTS, USERS, GROUPS, K = 384, 300, 20, 1_000, 100, 10
START, GAP = 1.7e9, 60.0
BEFORE = "before"


class Drawn:
    """An embedder that draws a text's vector once and looks it up from then on."""

    dimensions = WIDTH
    fingerprint = Fingerprint("drawn", WIDTH, True, "", "", "1")

    def __init__(self) -> None:
        self._draw = np.random.default_rng(7)
        self._known: dict[str, np.ndarray] = {}

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        for text in texts:
            if text not in self._known:
                drawn = self._draw.standard_normal(WIDTH, dtype=np.float32)
                self._known[text] = drawn / np.linalg.norm(drawn)
        return np.stack([self._known[text] for text in texts])

    embed_queries = embed_documents


def records_of(turns: Sequence[str], tenants: int) -> Iterable[byheart.Record]:
    """Give a record for each turn, tenants and users in turn."""
    for number, turn in enumerate(turns):
        yield byheart.Record(
            id=f"r{number}",
            text=turn,
            tenant=f"t{number % tenants}",
            created_at=START + GAP * number,
            session_id=f"s{number // 20}",
            user_id=f"u{number % USERS}",
            metadata={"group": f"g{number % GROUPS}"},
        )


def memory_of(
    turns: Sequence[str], *, embedder: Drawn | None = None, tenants: int = 1, path: Path | None = None
) -> byheart.Memory:
    """Return a memory that holds the turns."""
    memory = byheart.Memory(path, embedder=embedder, tenant="t0")
    memory.remember_many(records_of(turns, tenants))
    return memory


def recalls(turns: Sequence[str], folder: Path) -> Mapping[str, tuple[Callable[[str], object], Sequence[str]]]:
    """Return the recalls that are measured, with their questions."""
    queries = corpora.queries(turns, "sentence", QUERIES)
    drawn = Drawn()
    drawn.embed_queries(list(queries))
    words, both = memory_of(turns), memory_of(turns, embedder=drawn)
    shared = memory_of(turns, embedder=drawn, tenants=TENANTS)
    memory_of(turns, path=folder / "words.db").close()
    filed = byheart.Memory(folder / "words.db", tenant="t0")
    now, few = START + GAP * len(turns), {"metadata.group": "g7"}
    return {
        "text, in process": (lambda query: words.recall(query, K, "kb-fast"), queries),
        "text, from a file": (lambda query: filed.recall(query, K, "kb-fast"), queries),
        "text, auto": (lambda query: words.recall(query, K), queries),
        "text and vectors, auto": (lambda query: both.recall(query, K), queries),
        "text, kb-balanced": (lambda query: words.recall(query, K, "kb-balanced"), queries),
        "vectors": (lambda query: both.recall(query, K, "dense"), queries),
        "vectors, of 1 %": (lambda query: both.recall(query, K, "dense", where=few), queries),
        "text and vectors, auto, of 1 %": (lambda query: both.recall(query, K, where=few), queries),
        "vectors of one tenant": (lambda query: shared.recall(query, K, "dense"), queries),
        "hybrid": (lambda query: both.recall(query, K, "hybrid", now=now), queries),
        "scoped, for a user": (lambda query: both.recall(query, K, "scoped", user_id="u7", now=now), queries),
    }


def once(call: Callable[[int], object], times: int = 9) -> float:
    """Return the median microseconds of calls that change what they are about, so that each is made once."""
    found = []
    for number in range(times):
        start = time.perf_counter_ns()
        call(number)
        found.append((time.perf_counter_ns() - start) / 1000.0)
    return statistics.median(found)


def ingested(turns: Sequence[str]) -> float:
    """Return the median microseconds in which a message is taken in, without its vector and a file."""
    drawn, said = Drawn(), [f"{turn} Now." for turn in turns[:QUERIES]]
    drawn.embed_documents(said)
    memory = memory_of(turns, embedder=drawn)
    return per_call(lambda text: memory.ingest_turn(text, session_id="s1", user_id="u0"), said, cold=True)


def measured(turns: Sequence[str]) -> Mapping[str, float]:
    """Return microseconds by case."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (ask, queries) in recalls(turns, Path(folder)).items():
            note(f"{len(turns):,} records, {name}")
            found[name] = per_call(ask, queries)
        memory = memory_of(turns)
        note("forgetting and first recalls")
        found["forget(where=user)"] = once(lambda number: memory.forget(where={"user_id": f"u{number}"}))
        given = memory_of(turns, embedder=Drawn())
        first = corpora.queries(turns, "sentence", 9)
        given.recall("what", profile="scoped", now=START)
        changed = itertools.count()

        def ask_after_a_change(number: int) -> None:
            given.touch(f"r{next(changed)}", now=START)
            given.recall(first[number], profile="scoped", user_id=f"u{number}", now=START)

        found["first scoped recall of a user, after a change"] = once(ask_after_a_change)
        found["ingest_turn"] = ingested(turns)
    return found


def turns_of(argument: Sequence[str], pythonpath: str | None) -> Mapping[str, float]:
    """Return what a process of its own measures."""
    environment = os.environ | ({"PYTHONPATH": pythonpath} if pythonpath else {})
    command = [sys.executable, __file__, *argument, "--alone"]
    out = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    found: Mapping[str, float] = json.loads(out)
    return found


def main() -> None:
    """Measure, a process a round."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    parser.add_argument("--before", help="the Python folder of another checkout that was built")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--alone", action="store_true", help="measure once, in this process")
    wanted = parser.parse_args()
    if wanted.alone:
        pin()
        sys.stdout.write(json.dumps(measured(corpora.load("english", wanted.records))))
        return
    corpora.load("english", wanted.records)
    argument = ["--records", str(wanted.records)]
    samples: dict[str, dict[str, list[float]]] = {}
    for turn in range(wanted.rounds):
        engines = [(BYHEART, None), *([(BEFORE, wanted.before)] if wanted.before else [])]
        for engine, pythonpath in engines if turn % 2 == 0 else engines[::-1]:
            for case, value in turns_of(argument, pythonpath).items():
                samples.setdefault(case, {}).setdefault(engine, []).append(value)
    for case, of_engines in samples.items():
        emit(row("whole calls", f"{wanted.records:,} records, {case}", "us", of_engines))


if __name__ == "__main__":
    main()
