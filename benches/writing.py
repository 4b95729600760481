"""What: a durable record beside many, as it is and while a generation is saved; the first one after opening; calls that
return before their flush; many coroutines that remember at once. Corpus: English turns, seed 7. Compare: `sqlite3` with
a table of the same records by id, and nothing else: the same journal (TRUNCATE), synced as fully, a commit a record, in
pairs with ours on one disk.
Times on the clock: what they wait for is the disk, and the generation is made on another core, so none is pinned.

    python benches/writing.py --records 100000
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import corpora
from harness import BYHEART, emit, note, quantile, row, timed

import byheart

SQLITE = f"SQLite {sqlite3.sqlite_version}, a table"
FULL, NORMAL = BYHEART, "byheart, durability normal"
ROUNDS, PAIRS, AT_ONCE, FILLED_AT_ONCE = 5, 100, 400, 10_000
Write = Callable[[str, str], object]


def filled(folder: Path, texts: Sequence[str]) -> tuple[Path, Write]:
    """Make a memory file of the texts, and a table of the same; return the file, and what inserts into the table."""
    with byheart.Memory(folder / "memory.db", noise=None) as memory:
        for start in range(0, len(texts), FILLED_AT_ONCE):
            part = enumerate(texts[start : start + FILLED_AT_ONCE], start)
            memory.remember_many(byheart.Record(id=f"r{n}", text=text, created_at=1.7e9) for n, text in part)
        memory._engine.indexes.save(at_least=0)
    connection = sqlite3.connect(folder / "plain.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode = TRUNCATE")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE records (id TEXT PRIMARY KEY, text TEXT)")
    connection.execute("BEGIN")
    connection.executemany("INSERT INTO records VALUES (?, ?)", ((f"r{n}", text) for n, text in enumerate(texts)))
    connection.execute("COMMIT")

    def write(id: str, text: str) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO records VALUES (?, ?)", (id, text))
        connection.execute("COMMIT")

    return folder / "memory.db", write


@contextmanager
def saving(memory: byheart.Memory) -> Iterator[None]:
    """Have one generation after the other saved, in a thread, for the length of a `with` block."""
    stop = threading.Event()

    def save() -> None:
        while not stop.is_set():
            memory._engine.saver._save(at_least=0)

    thread = threading.Thread(target=save)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def singles(memory: byheart.Memory, plain: Write, texts: Sequence[str], name: str, case: str) -> None:
    """Measure records one by one, in pairs: p50, p99, and the one over the other."""
    rounds: dict[str, list[list[float]]] = {BYHEART: [], SQLITE: []}
    for round_ in range(ROUNDS):
        times: dict[str, list[float]] = {BYHEART: [], SQLITE: []}
        for number in range(PAIRS):
            id, text = f"{name}{round_}-{number}", texts[number]
            pair = {BYHEART: lambda: memory.remember(text, id=id), SQLITE: lambda: plain(id, text)}  # noqa: B023
            for engine in list(pair)[:: 1 if number % 2 else -1]:
                times[engine].append(timed(pair[engine]))
        for engine, found in times.items():
            rounds[engine].append(found)
    for share, label in ((0.5, "p50"), (0.99, "p99")):
        emit(
            row(
                "writing", f"{case}, {label}", "ms", {e: [quantile(t, share) for t in own] for e, own in rounds.items()}
            )
        )
    over = {e: [quantile(t, 0.99) / quantile(t, 0.5) for t in own] for e, own in rounds.items()}
    emit(row("writing", f"{case}, p99 over p50", "x", over))


def delayed(folder: Path, texts: Sequence[str]) -> None:
    """Measure records one by one with either durability, each handle on a file of its own, beside a table's commits."""
    rounds: dict[str, list[list[float]]] = {FULL: [], NORMAL: [], SQLITE: []}
    made: dict[str, tuple[Path, Write]] = {}
    for name in (FULL, NORMAL):
        (folder / name).mkdir()
        made[name] = filled(folder / name, texts)
    with (
        byheart.Memory(made[FULL][0], noise=None) as full,
        byheart.Memory(made[NORMAL][0], noise=None, durability="normal") as normal,
    ):
        full.remember(texts[0], id="first")
        normal.remember(texts[0], id="first")
        for round_ in range(ROUNDS):
            times: dict[str, list[float]] = {FULL: [], NORMAL: [], SQLITE: []}
            calls: dict[str, Write] = {
                FULL: lambda id, text: full.remember(text, id=id),
                NORMAL: lambda id, text: normal.remember(text, id=id),
                SQLITE: made[FULL][1],
            }
            for engine in sorted(
                calls, key=lambda each: (each != NORMAL) ^ bool(round_ % 2)
            ):  # each in a row of its own
                for number in range(PAIRS):
                    id, text = f"{round_}-{number}", texts[number]
                    times[engine].append(timed(lambda: calls[engine](id, text)))  # noqa: B023
                normal.flush()
            for engine, found in times.items():
                rounds[engine].append(found)
    for share, label in ((0.5, "p50"), (0.99, "p99")):
        samples = {engine: [quantile(found, share) for found in own] for engine, own in rounds.items()}
        emit(row("writing", f"a record in a row of {PAIRS}, by durability, {label}", "ms", samples, limit=SQLITE))


def at_once(folder: Path, texts: Sequence[str]) -> None:
    """Measure many coroutines that remember, beside as many calls in a row and as many commits of a table."""
    samples: dict[str, list[float]] = {BYHEART: [], "one after the other": [], SQLITE: []}
    for _ in range(3):
        with tempfile.TemporaryDirectory(dir=folder) as name, suppress(FileNotFoundError):
            path, plain = filled(Path(name), texts[:1_000])
            with byheart.Memory(path, noise=None) as memory:

                async def several(memory: byheart.Memory = memory) -> None:
                    calls = (memory.aremember(texts[n], id=f"async{n}") for n in range(AT_ONCE))
                    await asyncio.gather(*calls)

                def in_a_row(memory: byheart.Memory = memory) -> None:
                    for number in range(AT_ONCE):
                        memory.remember(texts[number], id=f"row{number}")

                def by_hand(plain: Write = plain) -> None:
                    for number in range(AT_ONCE):
                        plain(f"row{number}", texts[number])

                samples[BYHEART].append(timed(lambda: asyncio.run(several())))
                samples["one after the other"].append(timed(in_a_row))
                samples[SQLITE].append(timed(by_hand))
    emit(row("writing", f"{AT_ONCE} coroutines that remember", "ms", samples, limit="one after the other"))


def main() -> None:
    """Measure single writes, those beside a saver, and many at once."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    wanted = parser.parse_args()
    texts = corpora.load("english", wanted.records)
    gc.disable()
    with tempfile.TemporaryDirectory() as name:
        note(f"writing, {wanted.records:,} records")
        path, plain = filled(Path(name), texts)
        with byheart.Memory(path, noise=None) as memory:
            first = timed(lambda: memory.remember(texts[0], id="first"))
            emit(row("writing", "the first record after opening", "ms", {BYHEART: [first]}))
            singles(memory, plain, texts, "quiet", f"a record beside {wanted.records:,}")
            with saving(memory):
                singles(memory, plain, texts, "saving", f"a record beside {wanted.records:,} while they are saved")
        note("writing, by durability")
        delayed(Path(name), texts)
        note("writing, many at once")
        at_once(Path(name), texts)


if __name__ == "__main__":
    main()
