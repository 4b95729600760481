"""What: bytes a record of a whole memory, beside what its texts and float32 vectors weigh; opening, first recall.

Corpus: English turns repeated to 250 bytes, vectors of 384 numbers, seed by seed. Each case is a process of its own: a
memory in this process, one that is being filled (its peak), one in a file reopened, the file itself. What is free is
given back to the system before and after, and what remains is the memory.

    python benches/memory_and_disk.py --records 100000
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import corpora
import numpy as np
from harness import emit, note, resident, row

import byheart

WIDTH, BYTES, BATCH = 384, 250, 5_000
MODEL = f"bench:{WIDTH}"
QUESTION = "what did the team decide"
WEIGHT = "texts and vectors"
ROUNDS = 3
USED = ("byheart.embedding.given", "byheart.index.saved", "byheart.storage.sqlite")


def vectors(start: int, end: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the vectors of some records, the same ones whenever they are asked for."""
    return np.random.default_rng(start).standard_normal((end - start, WIDTH)).astype(np.float32)


def batches(records: int) -> Iterator[list[dict[str, Any]]]:
    """Give the records, a batch at a time, so that nobody holds all of them but the memory."""
    texts = corpora.load("english", records)
    for start in range(0, records, BATCH):
        end = min(start + BATCH, records)
        rows = vectors(start, end)
        yield [
            {
                "id": f"r{n}",
                "text": (f"{texts[n]} " * BYTES)[:BYTES].rstrip(),
                "created_at": 1.7e9 + n,
                "vector": rows[n - start],
            }
            for n in range(start, end)
        ]


def peak() -> int:
    """Return the most bytes that this process has held in memory."""
    said = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * next(int(line.split()[1]) for line in said.splitlines() if line.startswith("VmHWM"))


def fill(memory: byheart.Memory, records: int) -> dict[str, float]:
    """Fill a memory; return what it holds then, and what it held at most, a record."""
    for batch in batches(BATCH):  # what every process needs once: modules, buffers, the corpus
        byheart.Memory(vectors=MODEL).remember_many(batch[:10])
    before = resident()
    for batch in batches(records):
        memory.remember_many(batch)
        del batch  # the last one is the caller's, too, and no part of the memory: 5,000 take 110 bytes a record
    most = peak()
    return {"holds": (resident() - before) / records, "peak": (most - before) / records}


def recalls(memory: byheart.Memory) -> list[float]:
    """Return the milliseconds of the first recall and of the second."""
    question, times = vectors(10**9, 10**9 + 1)[0], []
    for _ in range(2):
        start = time.perf_counter()
        memory.recall(QUESTION, vector=question)
        times.append((time.perf_counter() - start) * 1e3)
    return times


def measured(case: str, records: int, path: Path) -> dict[str, float]:
    """Return what one case measures; called in a process of its own."""
    if case == "in process":
        memory = byheart.Memory(vectors=MODEL)
        return fill(memory, records)
    if case == "into a file":
        with byheart.Memory(path, vectors=MODEL) as memory:
            return fill(memory, records)
    for module in USED:  # what is imported is no part of the memory
        import_module(module)
    before = resident()
    start = time.perf_counter()
    memory = byheart.Memory(path, vectors=MODEL)
    opened = (time.perf_counter() - start) * 1e3
    assert memory.opened.startswith("opened generation"), memory.opened
    first, second = recalls(memory)
    found = {"open": opened, "first": first, "second": second, "holds": (resident() - before) / records}
    memory._engine.store.close()  # without saving
    return found


def asked(case: str, records: int, path: Path) -> dict[str, float]:
    """Return what one case measures, in a new process."""
    command = [sys.executable, __file__, "--records", str(records), "--case", case, "--path", str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def compare(records: int) -> None:
    """Measure every case and emit its rows; what texts and vectors weigh stands beside it as the limit."""
    weight = [float(BYTES + 4 * WIDTH)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        inside, filling = asked("in process", records, path), asked("into a file", records, path)
        disk = sum(each.stat().st_size for each in Path(folder).rglob("*") if each.is_file()) / records
        reopened = [asked("reopened", records, path) for _ in range(ROUNDS)]
    sizes = {
        "in process": [inside["holds"]],
        "in process, at most while inserting": [inside["peak"]],
        "reopened from a file": [each["holds"] for each in reopened],
        "into a file, at most while inserting": [filling["peak"]],
        "on disk": [disk],
    }
    for name, found in sizes.items():
        samples = {"byheart": found, WEIGHT: weight * len(found)}
        emit(row("memory and disk", f"{records:,} records, {name}", "bytes/record", samples, limit=WEIGHT))
    for name, label in (("open", "open"), ("first", "first recall"), ("second", "second recall")):
        samples = {"byheart": [each[name] for each in reopened]}
        emit(row("memory and disk", f"{records:,} records with vectors, {label}", "ms", samples))


def main() -> None:
    """Measure one case, or all of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    parser.add_argument("--case", choices=("in process", "into a file", "reopened"))
    parser.add_argument("--path", type=Path)
    wanted = parser.parse_args()
    if wanted.case is None:
        note(f"memory and disk, {wanted.records:,} records")
        corpora.path_of("english", wanted.records)
        compare(wanted.records)
    else:
        sys.stdout.write(json.dumps(measured(wanted.case, wanted.records, wanted.path)) + "\n")


if __name__ == "__main__":
    main()
