"""What: a whole recall, and where its microseconds go. Corpus: English turns, seed 7, as records of the four fields
that hypervectors look at: a turn's first three words are the topic, the turn and a number of its own the claim, roles
take turns and bring their acts.

kb-fast gets sentences of the corpus. kb-balanced gets one record's number among words that no record holds, and an act,
so that it escalates to hypervectors over four fields. The parts are measured in runs of their own, see laps.py.

    python benches/recall.py --records 10000
"""

from __future__ import annotations

import argparse
import gc
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import corpora
from harness import ROUNDS, emit, in_turns, note, per_call, pin, row
from laps import Laps

import byheart
from byheart.knowledge import ROLES

QUERIES = 300


@dataclass(frozen=True)
class Case:
    """One profile with the queries and the act it is given."""

    name: str
    profile: str
    act: str | None
    queries: Sequence[str]

    def ask(self, memory: byheart.Memory) -> Callable[[str], byheart.Recall]:
        """Return the call that is measured."""
        return lambda query: memory.recall(query, profile=self.profile, act=self.act)


def memory_of(turns: Sequence[str]) -> byheart.Memory:
    """Return a memory that holds the turns."""
    memory = byheart.Memory()
    memory.remember_many(
        byheart.Record(
            id=f"r{number}",
            topic=" ".join(turn.split()[:3]),
            claim=f"{turn} note{number}",
            role=ROLES[number % len(ROLES)],
            created_at=1.7e9 + number,
        )
        for number, turn in enumerate(turns)
    )
    return memory


def spread(laps: Laps, call: Callable[[str], object], queries: Sequence[str]) -> dict[str, float]:
    """Return the median microseconds a step takes, over the queries."""
    found: dict[str, list[float]] = {}
    for query in queries:
        laps.spent.clear()
        call(query)
        for name, value in laps.spent.items():
            found.setdefault(name, []).append(value)
    return {name: statistics.median(values) for name, values in found.items()}


def parts(memory: byheart.Memory, case: Case) -> dict[str, float]:
    """Return where the microseconds of one recall go, the largest part first."""
    laps = Laps()
    gc.disable()
    with laps.around():
        rounds = [spread(laps, case.ask(memory), case.queries) for _ in range(ROUNDS)]
    gc.enable()
    medians = {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}
    return dict(sorted(medians.items(), key=lambda part: -part[1]))


def main() -> None:
    """Measure both profiles."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    turns = corpora.load("english", wanted.records)
    memory = memory_of(turns)
    numbers = range(0, wanted.records, wanted.records // QUERIES)[:QUERIES]
    odd = [f"note{number} xylophones zithers ocarinas theremins" for number in numbers]
    cases = (
        Case("kb-fast", "kb-fast", None, corpora.queries(turns, "sentence", QUERIES)),
        Case("kb-balanced, escalated, four fields", "kb-balanced", "explain", odd),
    )
    for case in cases:
        name = f"{wanted.records:,} records, {case.name}"
        note(f"recall, {name}")
        ask = case.ask(memory)
        assert all(ask(query).receipt.escalated == (case.act is not None) for query in case.queries), case.name
        emit(row("recall", name, "us", in_turns({"byheart": lambda: per_call(ask, case.queries)})))  # noqa: B023
        emit({"area": "recall parts", "case": name, "parts": parts(memory, case)})


if __name__ == "__main__":
    main()
