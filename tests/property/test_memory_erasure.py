"""After `forget` no byte of a record is in any file: text, topic, metadata, vector, hypervector; with savers and kills.

Each record has canaries of its own. A text is looked for as it was given and as its terms, a vector as the bytes that
were stored, a hypervector as those that the index saves, all in every file of the folder and the folder below.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.index import saving

SEED = 20_261_122
EMBEDDER = HashingEmbedder(16)
WHOLE = {"classes": ("public", "internal", "pii")}


@pytest.fixture
def path() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:  # no disk has to turn
        yield Path(name) / "memory.db"


@pytest.fixture(autouse=True)
def _savers_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "MIN_CHANGES", 3)


def spelled(number: int) -> str:
    """Return a number in letters, so that no analyser takes it apart."""
    return "z" + "".join(chr(ord("a") + int(digit)) for digit in f"{number:06}") + "q"


def record(number: int) -> dict[str, object]:
    name = spelled(number)
    return {
        "id": f"id{name}",
        "text": f"canary{name} sails by the sea",
        "topic": f"topic{name}",
        "role": "Definition",
        "category": f"category{name}",
        "metadata": {"key": f"metadata{name}"},
        "boundary_class": ("public", "internal", "pii")[number % 3],
        "created_at": 1e9 + number,
    }


def marks(number: int) -> list[bytes]:
    """Return the bytes that may not be found once the record is forgotten."""
    name = spelled(number)
    vector = (
        np.asarray(EMBEDDER.embed_documents([f"topic{name}\ncanary{name} sails by the sea"]))[0].astype("<f4").tobytes()
    )
    topic = byheart.HyperVector.encode_subwords(byheart.Analyzer().terms(f"topic{name}"))
    return [name.encode(), name[:-1].encode(), vector, bytes(topic)[:32]]


def left_in(folder: Path) -> bytes:
    parts = []
    for file in sorted(folder.rglob("*")):
        try:
            parts.append(file.read_bytes() if file.is_file() else b"")
        except FileNotFoundError:
            continue  # a saver has put another in its place
    return b"\0".join(parts).lower()


def remains(folder: Path, numbers: list[int]) -> list[int]:
    found = left_in(folder)
    return [number for number in numbers if any(mark.lower() in found for mark in marks(number))]


def test_the_canaries_would_be_found(path: Path) -> None:
    """Each lies in a file while the record lives: hypervector and terms in the generation, vectors in the store."""
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember(record(7))
        memory.recall("topic")  # so that hypervectors are made
        assert memory._engine.indexes.save(at_least=0)
    (generation,) = path.with_name("memory.db.byheart-indexes").glob("generation-*")
    assert [mark.lower() in generation.read_bytes().lower() for mark in marks(7)] == [True, True, False, True]
    assert [mark in path.read_bytes() for mark in marks(7)] == [True, True, True, False]


def test_nothing_is_left_with_a_saver_at_work_here_and_in_another_process(path: Path) -> None:
    program = """
import sys, time, threading
import byheart
from byheart.index import saving
from byheart.embedding import HashingEmbedder
saving.MIN_CHANGES = 1
memory = byheart.Memory(sys.argv[1], embedder=HashingEmbedder(16))
print("ready", flush=True)
threading.Thread(target=lambda: (sys.stdin.read(), stop.append(1)), daemon=True).start()
stop, saves = [], 0
while not stop:
    memory._engine.indexes.catch_up()
    saves += memory._engine.indexes.save(at_least=0)
print(saves, flush=True)
"""
    chance = random.Random(SEED)
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember_many(record(number) for number in range(20))
        other = subprocess.Popen(
            [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert other.stdout is not None and other.stdout.readline() == "ready\n"
        stop, saves = threading.Event(), []

        def save() -> None:
            while not stop.is_set():
                saves.append(memory._engine.indexes.save(at_least=0))

        saver = threading.Thread(target=save)
        saver.start()
        alive, gone = set(range(20)), []
        for turn in range(40):
            memory.remember_many(record(20 + 4 * turn + part) for part in range(4))
            alive |= {20 + 4 * turn + part for part in range(4)}
            chosen = chance.sample(sorted(alive), chance.choice([1, 3, 5]))
            if turn % 4 == 0:
                where = {"id": [record(number)["id"] for number in chosen]}
                assert len(memory.forget(where=where, boundary=WHOLE).ids) == len(chosen)
            else:
                memory.forget([str(record(number)["id"]) for number in chosen], boundary=WHOLE)
            gone += chosen
            alive -= set(chosen)
            assert remains(path.parent, gone) == []
        stop.set()
        saver.join()
        assert int(other.communicate(input="", timeout=60)[0]) >= 5 and sum(saves) >= 5
        assert remains(path.parent, gone) == [] and len(gone) >= 80
        assert memory.check() == []


KILLED = """
import os, signal, sys
import byheart
from byheart.index.saved import Saved
from byheart.storage.sqlite import SqliteStore
from byheart.embedding import HashingEmbedder
memory = byheart.Memory(sys.argv[1], embedder=HashingEmbedder(16))
when, ids = sys.argv[2], sys.argv[3].split(",")

def dies(owner, name, after):
    whole = getattr(owner, name)
    def wrapped(*arguments, **named):
        if after:
            whole(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)
    setattr(owner, name, wrapped)

if when == "before erasing": dies(Saved, "erase", False)
if when == "after erasing": dies(Saved, "erase", True)
if when == "before writing": dies(SqliteStore, "write_if", False)
if when == "after writing": dies(SqliteStore, "write_if", True)
if when == "amid erasing": dies(type(memory._engine.saved._generations), "_sync", False)
memory.forget(ids, boundary={"classes": ("public", "internal", "pii")})
"""


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX has them")
@pytest.mark.parametrize("when", ["before erasing", "amid erasing", "after erasing", "before writing", "after writing"])
def test_a_forget_that_was_killed_can_be_repeated(path: Path, when: str) -> None:
    """Whether the killed one was done or not: the repeated one returns, and nothing is left."""
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.remember_many(record(number) for number in range(12))
        assert memory._engine.indexes.save(at_least=0)
        indexes = path.with_name("memory.db.byheart-indexes")
        (generation,) = indexes.glob("generation-*")
        (indexes / f"{generation.name}.1.tmp").write_bytes(generation.read_bytes())  # of a saver that was killed
    chosen = [2, 3, 5]
    ids = [str(record(number)["id"]) for number in chosen]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path), when, ",".join(ids)], timeout=60, check=False)
    assert killed.returncode == -signal.SIGKILL
    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        found = memory.forget(ids, boundary=WHOLE)
        assert found.ids == (tuple(sorted(ids)) if when != "after writing" else ())
        assert remains(path.parent, chosen) == []
        assert memory.check() == []
    assert remains(path.parent, chosen) == []


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX has them")
def test_a_process_killed_at_any_time_amid_saving_and_forgetting(path: Path) -> None:
    program = """
import sys, threading
import byheart
from byheart.index import saving
from byheart.embedding import HashingEmbedder
saving.MIN_CHANGES = 1
memory = byheart.Memory(sys.argv[1], embedder=HashingEmbedder(16))
def save():
    while True:
        memory._engine.indexes.save(at_least=0)
threading.Thread(target=save, daemon=True).start()
print("ready", flush=True)
for id in sys.argv[2].split(","):
    memory.forget(id, boundary={"classes": ("public", "internal", "pii")})
    print(id, flush=True)
"""
    chance = random.Random(SEED)
    for turn in range(8):
        numbers = list(range(100 * turn, 100 * turn + 40))
        with byheart.Memory(path, embedder=EMBEDDER) as memory:
            memory.remember_many(record(number) for number in numbers)
        ids = [str(record(number)["id"]) for number in numbers]
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(path), ",".join(ids)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(chance.random() * 0.2)
        process.kill()
        told = process.communicate(timeout=60)[0].split()
        assert remains(path.parent, numbers[: len(told)]) == [], "what was said to be forgotten"
        with byheart.Memory(path, embedder=EMBEDDER) as memory:
            memory.forget(ids, boundary=WHOLE)
        assert remains(path.parent, numbers) == []


def test_what_a_source_said_before_is_gone_from_generations_too(path: Path) -> None:
    def said(number: int) -> byheart.Record:
        return byheart.Record(**{**record(number), "provenance": {"source_name": "notes"}})  # type: ignore[arg-type]

    with byheart.Memory(path, embedder=EMBEDDER) as memory:
        memory.replace_sources({"notes": [said(1), said(2)]})
        assert memory._engine.indexes.save(at_least=0)
        assert remains(path.parent, [1, 2]) == [1, 2]
        memory.replace_sources({"notes": [said(2), said(3)]})
        assert remains(path.parent, [1]) == []
        assert memory._engine.indexes.save(at_least=0)
        assert remains(path.parent, [1, 2, 3]) == [2, 3]
