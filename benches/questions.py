"""What: a recall of `auto` for questions as people ask them, p50 and p99. Corpus: the 600 notes and 720 questions of
quality/notes, which nobody chose rules on, alone and beside 10,000 English texts, seed 7. Compare: the ten nearest by
BM25 alone, which is what rivals do, and `kb-fast` over the same memory.

A rival gives numbers of documents and reads no text. `auto` gives records, says how sure it is, refuses what the notes
do not say, and looks at the texts of the first rows for which of them answers: a ratio states what that costs.

    python benches/questions.py --beside 10000
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter_ns

import corpora
from harness import BYHEART, ROUNDS, emit, in_turns, note, pin, quantile, row
from lexical_engines import Bm25s, Tantivy

import byheart

NOTES = Path(__file__).parent / "quality" / "notes"
SETS = ("home", "team", "agent", "mixed")
WORDS_ALONE = f"{BYHEART}, kb-fast"
NOW = 1.79e9


def lines(kind: str, name: str) -> list[str]:
    """Return one field of the rows of a kind, of all sets."""
    files = ((NOTES / each / f"{kind}.jsonl").read_text(encoding="utf-8") for each in SETS)
    return [json.loads(line)[name] for file in files for line in file.splitlines()]


def memory_of(texts: Sequence[str]) -> byheart.Memory:
    """Return a memory of the texts, the last of them told last."""
    memory = byheart.Memory(noise=None)
    first = 1.7e9 - len(texts)
    memory.remember_many(
        byheart.Record(id=f"r{number}", text=text, created_at=first + number) for number, text in enumerate(texts)
    )
    return memory


def times(ask: Callable[[str], object], questions: Sequence[str]) -> list[float]:
    """Return the microseconds of each question: the least of three, so that a percentile is one of questions."""
    best = [math.inf] * len(questions)
    for _ in range(3):
        for place, question in enumerate(questions):
            start = perf_counter_ns()
            ask(question)
            best[place] = min(best[place], (perf_counter_ns() - start) / 1000.0)
    return best


def main() -> None:
    """Measure the questions beside so many texts."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--beside", type=int, default=0, help="English texts beside the notes")
    beside = parser.parse_args().beside
    pin()
    notes, questions = lines("records", "text"), lines("known", "question") + lines("unknown", "question")
    texts = [*(corpora.load("english", beside) if beside else ()), *notes]
    case = f"{len(questions)} questions, {len(notes)} notes" + (f" beside {beside:,} texts" if beside else "")
    note(case)
    memory = memory_of(texts)
    asks: dict[str, Callable[[str], object]] = {
        BYHEART: partial(memory.recall, now=NOW),
        WORDS_ALONE: partial(memory.recall, profile="kb-fast", k=10, now=NOW),
    }
    for kind in (Tantivy, Bm25s):
        engine = kind(english=True)
        engine.build(texts)
        asks[engine.name] = engine.search
    rounds: dict[str, list[list[float]]] = {engine: [] for engine in asks}

    def turn(engine: str) -> float:
        rounds[engine].append(times(asks[engine], questions))
        return 0.0

    in_turns({engine: partial(turn, engine) for engine in asks}, ROUNDS)
    for share, label in ((0.5, "p50"), (0.99, "p99")):
        samples = {engine: [quantile(found, share) for found in own] for engine, own in rounds.items()}
        emit(row("questions", f"{case}, {label}", "us", samples))


if __name__ == "__main__":
    main()
