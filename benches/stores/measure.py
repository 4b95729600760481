"""One store in a process of its own: filled, or opened again and asked. What it finds goes to standard output as JSON.

    python benches/stores/measure.py --store byheart --phase fill --data FOLDER --folder FOLDER --records 10000

`fill`: many records at once in lists of a thousand, until they are durable and the store has settled; then one by one,
each made durable. `ask`: opening until the first answer, then questions of each kind. Memory is what the process holds
beyond Python, NumPy and this program, before and after; of it, `anonymous` is no page of a file.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import above  # noqa: F401
import adapter
import data
from harness import emit, quantile, resident, timed
from rivals import stores

WARM = 20
MEBIBYTE = 2**20
Found = dict[str, float]


def told(line: str) -> int:
    """Return the bytes that the system tells of this process in a line of its status."""
    return int(Path("/proc/self/status").read_text(encoding="utf-8").partition(f"{line}:")[2].split()[0]) * 1024


def held() -> tuple[int, int]:
    """Return the bytes resident, and those of them that are no page of a file."""
    return resident(), told("RssAnon")


def beyond(start: tuple[int, int], where: str) -> Found:
    """Return the mebibytes held beyond what was held before."""
    now = held()
    return {f"{where}, resident": (now[0] - start[0]) / MEBIBYTE, f"{where}, anonymous": (now[1] - start[1]) / MEBIBYTE}


def on_disk(folder: Path) -> int:
    """Return the bytes that a folder's files take on the disk; holes take none."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def fill(store: adapter.Store, source: Path, records: int, singles: int) -> Found:
    """Put records in, many at once and then one by one."""
    start = held()
    for module in store.imports:
        importlib.import_module(module)
    store.create()
    spent = 0.0
    for batch in data.items(source, 0, records):
        spent += timed(lambda: store.add(batch))  # noqa: B023
    spent += timed(store.sync)
    spent += timed(store.settle)
    found = {"many": records / spent * 1e3} | beyond(start, "filled")
    found["peak"] = (told("VmHWM") - start[0]) / MEBIBYTE
    times = []
    for (item,) in ([item] for batch in data.items(source, records, records + singles) for item in batch):
        began = time.perf_counter()
        store.add([item])
        store.sync()
        times.append((time.perf_counter() - began) * 1e3)
    found |= {"one, p50": quantile(times, 0.5), "one, p99": quantile(times, 0.99)}
    store.settle()
    store.close()
    return found | {"disk": on_disk(store.folder) / MEBIBYTE}


def calls(store: adapter.Store) -> Mapping[str, Callable[[data.Question], adapter.Answer]]:
    """Return how each kind of question is put to the store."""
    every: Mapping[str, Callable[[data.Question], adapter.Answer]] = {
        "text": lambda asked: store.text(asked.words),
        "vector": lambda asked: store.vector(asked.vector),
        "hybrid": lambda asked: store.hybrid(asked.words, asked.vector),
        "filtered": lambda asked: store.filtered(asked.vector, asked.group),
    }
    return {kind: call for kind, call in every.items() if kind not in store.cannot}


def put(
    call: Callable[[data.Question], adapter.Answer], questions: Sequence[data.Question]
) -> tuple[list[float], list[set[int]]]:
    """Return the milliseconds of each question, and the numbers of its answer."""
    for question in questions[:WARM]:
        call(question)
    times, answers = [], []
    for question in questions:
        start = time.perf_counter()
        answer = call(question)
        times.append((time.perf_counter() - start) * 1e3)
        assert all(text for _, text in answer), f"an answer without its text: {answer}"
        answers.append({number for number, _ in answer})
    return times, answers


def ask(store: adapter.Store, source: Path) -> Found:
    """Open what was filled, and ask."""
    questions = data.questions(source)
    start = held()
    for module in store.imports:
        importlib.import_module(module)
    began = time.perf_counter()
    store.open()
    first = store.vector(questions[0].vector)
    found = {"open": (time.perf_counter() - began) * 1e3} | beyond(start, "opened")
    assert len(first) == data.TOP, f"{len(first)} answers to the first question"
    exact = {"vector": [each.nearest for each in questions], "filtered": [each.nearest_of_group for each in questions]}
    for kind, call in calls(store).items():
        times, answers = put(call, questions)
        found |= {f"{kind}, p50": quantile(times, 0.5), f"{kind}, p99": quantile(times, 0.99)}
        if kind in exact:
            shares = [len(answer & right) / len(right) for answer, right in zip(answers, exact[kind], strict=True)]
            found[f"{kind}, recall"] = sum(shares) / len(shares)
        else:
            found[f"{kind}, answered"] = sum(map(bool, answers)) / len(answers)
    found |= beyond(start, "asked")
    store.close()
    return found


def main() -> None:
    """Measure one phase of one store."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--store", choices=stores(), required=True)
    parser.add_argument("--phase", choices=("fill", "ask"), required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--records", type=int, required=True)
    parser.add_argument("--singles", type=int, required=True)
    wanted = parser.parse_args()
    store = stores()[wanted.store](wanted.folder)
    found: dict[str, Any]
    if wanted.phase == "fill":
        found = fill(store, wanted.data, wanted.records, wanted.singles)
    else:
        found = ask(store, wanted.data)
    emit(found)
    sys.stdout.flush()
    os._exit(0)  # some leave threads behind that a Python waits for


if __name__ == "__main__":
    main()
