"""What: a memory in a file: remembering durably, opening, recalling, and the look whether others wrote.
Corpus: English turns, seed 7. Compare: `sqlite3` with FTS5 as one would set it up by hand, synced as fully; LanceDB and
Chroma where they are installed. Durable writes are timed on the clock, a call at a time, in turns: what they wait
for is the disk. byheart checks, hashes and blanks what it replaces, and indexes the record; FTS5 tokenises it.

    python benches/store.py --records 100000
"""

from __future__ import annotations

import argparse
import gc
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path

import corpora
from harness import ROUNDS, emit, in_turns, note, per_call, pin, quantile, repeated, row

import byheart

SINGLES, BATCH, QUERIES = 60, 1_000, 300
SQLITE = f"SQLite {sqlite3.sqlite_version}, FTS5"
Writer = Callable[[Sequence[tuple[str, str]]], object]  # (id, text) of each record; durable on return


@contextmanager
def byheart_writer(folder: Path) -> Iterator[Writer]:
    """Remember as one does."""
    with byheart.Memory(folder / "memory.db") as memory:
        yield lambda batch: memory.remember_many(
            byheart.Record(id=id, text=text, created_at=1.7e9) for id, text in batch
        )


@contextmanager
def sqlite_writer(folder: Path) -> Iterator[Writer]:
    """Insert into a table and an FTS5 table in one transaction, rollback journal, synchronous=FULL."""
    with closing(sqlite3.connect(folder / "plain.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE records (id TEXT PRIMARY KEY, text TEXT)")
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(id UNINDEXED, text, tokenize = 'porter')")

        def write(batch: Sequence[tuple[str, str]]) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO records VALUES (?, ?)", batch)
            connection.executemany("INSERT INTO words VALUES (?, ?)", batch)
            connection.execute("COMMIT")

        yield write


@contextmanager
def lancedb_writer(folder: Path) -> Iterator[Writer]:
    """Add to a table; LanceDB does not sync what it writes."""
    import lancedb

    table = lancedb.connect(folder / "lance").create_table("records", [{"id": "", "text": ""}])
    yield lambda batch: table.add([{"id": id, "text": text} for id, text in batch])


@contextmanager
def chroma_writer(folder: Path) -> Iterator[Writer]:
    """Add to a collection with vectors of two zeros: what is measured is the store, not an embedder."""
    import chromadb

    collection = chromadb.PersistentClient(str(folder / "chroma")).create_collection("records")

    def write(batch: Sequence[tuple[str, str]]) -> None:
        ids, texts = zip(*batch, strict=True)
        collection.add(ids=list(ids), documents=list(texts), embeddings=[[0.0, 1.0]] * len(ids))

    yield write


def writers() -> dict[str, Callable[[Path], object]]:
    """Return who is here."""
    found = {"byheart": byheart_writer, SQLITE: sqlite_writer}
    if find_spec("lancedb"):
        found["LanceDB, not synced"] = lancedb_writer
    if find_spec("chromadb"):
        found["Chroma"] = chroma_writer
    return found


def writes(texts: Sequence[str]) -> None:
    """Measure single records and batches, every engine once a round in a file of its own."""
    singles: dict[str, list[list[float]]] = {}
    batches: dict[str, list[float]] = {}
    engines = writers()
    gc.disable()
    for round_ in range(ROUNDS):
        for name in sorted(engines, key=lambda name: (list(engines).index(name) + round_) % len(engines)):
            with tempfile.TemporaryDirectory() as folder, engines[name](Path(folder)) as write:
                write([(f"first{n}", texts[n]) for n in range(100)])
                times = []
                for n in range(SINGLES):
                    start = time.perf_counter()
                    write([(f"single{n}", texts[100 + n])])
                    times.append((time.perf_counter() - start) * 1e3)
                singles.setdefault(name, []).append(times)
                batch = [(f"batch{n}", texts[n]) for n in range(BATCH)]
                start = time.perf_counter()
                write(batch)
                batches.setdefault(name, []).append(BATCH / (time.perf_counter() - start))
    gc.enable()
    for share, label in ((0.5, "p50"), (0.99, "p99")):
        samples = {name: [quantile(times, share) for times in rounds] for name, rounds in singles.items()}
        emit(row("store", f"a durable record, {label}", "ms", samples))
    emit(row("store", f"{BATCH:,} durable records in one call", "records/s", batches, higher_is_better=True))


def filled(path: Path, texts: Sequence[str]) -> None:
    """Make a memory file of the texts, with a generation."""
    with byheart.Memory(path) as memory:
        for start in range(0, len(texts), 10_000):
            memory.remember_many(
                byheart.Record(id=f"r{n}", text=texts[n], created_at=1.7e9)
                for n in range(start, min(start + 10_000, len(texts)))
            )
        memory._engine.indexes.save()


def opening(path: Path, records: int) -> None:
    """Measure opening by a generation, and without one."""
    beside = path.with_name(path.name + ".byheart-indexes")
    kept = beside.with_name("kept")
    shutil.copytree(beside, kept)
    times: dict[str, list[float]] = {"byheart": [], "a rebuild": []}
    for _ in range(3):
        for name, found in times.items():
            shutil.rmtree(beside, ignore_errors=True)
            if name == "byheart":
                shutil.copytree(kept, beside)
            start = time.perf_counter()
            memory = byheart.Memory(path)
            found.append((time.perf_counter() - start) * 1e3)
            assert memory.opened.startswith("opened" if name == "byheart" else "indexed"), memory.opened
            memory._engine.store.close()  # without saving
    shutil.rmtree(beside, ignore_errors=True)
    shutil.copytree(kept, beside)
    emit(row("store", f"open {records:,} records", "ms", times))


def recalls(path: Path, texts: Sequence[str]) -> None:
    """Measure a recall from the file beside one in this process, and a look whether others wrote."""
    inside = byheart.Memory()
    inside.remember_many(byheart.Record(id=f"r{n}", text=text, created_at=1.7e9) for n, text in enumerate(texts))
    with byheart.Memory(path) as memory:
        queries = corpora.queries(texts, "sentence", QUERIES)
        assert [hit.id for hit in memory.recall(queries[0])] == [hit.id for hit in inside.recall(queries[0])]
        for profile in ("kb-fast", "kb-balanced"):
            samples = in_turns({
                "byheart": lambda: per_call(lambda query: memory.recall(query, profile=profile), queries),  # noqa: B023
                "in process": lambda: per_call(lambda query: inside.recall(query, profile=profile), queries),  # noqa: B023
            })  # fmt: skip
            emit(row("store", f"recall from {len(texts):,} records, {profile}", "us", samples, limit="in process"))
        samples = {"byheart": [repeated(memory._engine.indexes.behind) for _ in range(ROUNDS)]}
        emit(row("store", "look whether others wrote", "us", samples))


def main() -> None:
    """Measure writes, opening, recall."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    wanted = parser.parse_args()
    pin()
    texts = corpora.load("english", wanted.records)
    note("store, writes")
    writes(texts)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "memory.db"
        note(f"store, {wanted.records:,} records")
        filled(path, texts)
        opening(path, wanted.records)
        few = Path(name) / "few.db"
        filled(few, texts[:10_000])
        recalls(few, texts[:10_000])


if __name__ == "__main__":
    main()
