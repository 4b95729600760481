"""A handler of signals that calls the memory whose write it has interrupted: nothing waits for itself.

What it reads is answered; what it writes is done, or refused at once, whole; and the write below it is done. First with
a handler that is run after one call of the package after the other, then with real signals.
"""

from __future__ import annotations

import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import StoreBusy

from .test_interrupts import WHERE, calls_of

STORES = ("memory.db", "memory.jsonl", None)
DURABILITIES = ("full", "normal")
Call = Callable[[Memory], object]
WRITES: dict[str, Call] = {
    "remember": lambda memory: memory.remember("saved at the signal", id="saved"),
    "forget": lambda memory: memory.forget("spare"),
    "update": lambda memory: memory.update("kept", importance=0.5),
    "turn": lambda memory: memory.ingest_turn("I like tea.", session_id="s", user_id="u"),
    "feedback": lambda memory: memory.feedback("kept", "helpful"),
}
READS: dict[str, Call] = {
    "recall": lambda memory: memory.recall("tea"),
    "context": lambda memory: memory.context("tea", 200),
    "records": lambda memory: memory.records(),
    "flush": lambda memory: memory.flush(),
}


def opened(folder: Path, name: str | None, durability: str = "full") -> Memory:
    embedder = HashingEmbedder(16)
    if name is None:
        return Memory(embedder=embedder, noise=None)
    return Memory(folder / name, embedder=embedder, noise=None, durability=durability)  # type: ignore[arg-type]


def fill(memory: Memory) -> None:
    memory.remember("tea, green", id="kept")
    memory.remember("tea, black", id="spare")


@pytest.mark.parametrize("name", STORES)
@pytest.mark.parametrize("call", WRITES | READS)
def test_a_handler_amid_a_write_is_answered_or_refused_at_once(tmp_path: Path, name: str | None, call: str) -> None:
    nested, came, text = (WRITES | READS)[call], Counter[str](), iter(range(10_000))
    with opened(tmp_path, name) as memory:

        def write() -> None:
            memory.remember(f"tea {next(text)}", id="new")

        fill(memory)
        write()
        calls = calls_of(write)
        first = {place: at for at, place in reversed(list(enumerate(calls))) if place[0] in WHERE}

        def handler(_: tuple[str, int]) -> None:
            try:
                nested(memory)
                came["done"] += 1
            except StoreBusy as error:
                assert "this thread is " in str(error), "and not: others were in the way"
                came["refused"] += 1

        for at in sorted(first.values())[::9]:
            fill(memory)
            calls_of(write, at, handler)
            assert memory.get("new").text == f"tea {next(text) - 1}", "the write below it is done"
        assert came["refused"] if call in WRITES else came["done"]
        assert memory.check() == []


@pytest.mark.parametrize("durability", DURABILITIES)
@pytest.mark.parametrize("name", STORES[:2])
def test_a_handler_cannot_close_amid_a_write(tmp_path: Path, name: str, durability: str) -> None:
    with opened(tmp_path, name, durability) as memory:

        def write() -> None:
            memory.remember("tea", id="new")

        fill(memory)
        within = [at for at, place in enumerate(calls_of(write)) if place[0] == "group.py"]
        memory.forget("new")

        def handler(_: tuple[str, int]) -> None:
            with pytest.raises(StoreBusy, match="can neither write nor close"):
                memory.close()

        calls_of(write, within[len(within) // 2], handler)
        assert "new" in memory
    with opened(tmp_path, name) as memory:
        assert {record.id for record in memory.records()} == {"kept", "spare", "new"}


@pytest.mark.skipif(sys.platform == "win32", reason="has no timer that gives signals")
@pytest.mark.parametrize("durability", DURABILITIES)
@pytest.mark.parametrize("name", STORES)
def test_a_program_that_saves_at_a_signal(tmp_path: Path, name: str | None, durability: str) -> None:
    came, number = Counter[str](), 0
    with opened(tmp_path, name, durability) as memory:

        def handler(*_: object) -> None:
            try:
                memory.remember(f"saved at signal {came.total()}", id=f"saved {came['done']}")
                came["done"] += 1
            except StoreBusy:
                came["refused"] += 1
            with suppress(StoreBusy):
                memory.recall("saved at a signal")

        before = signal.signal(signal.SIGALRM, handler)
        try:
            while came.total() < 20 and number < 5_000:
                if number % 5 == 0:
                    signal.setitimer(signal.ITIMER_REAL, 0.001 + number % 7 * 0.0005)
                memory.remember(f"note {number}", id=f"note {number}")
                number += 1
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert came.total() >= 20 and memory.check() == []
        expected = {f"note {each}" for each in range(number)} | {f"saved {each}" for each in range(came["done"])}
        assert {record.id for record in memory.records()} == expected
