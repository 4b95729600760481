"""Runs one scenario many times, each time with another I/O call spoiled, and says what was left.

Started by the tests with the shim preloaded: `python crashes.py SHIM FOLDER`, jobs as JSON lines on standard input,
one answer a line on standard output. Each run is a forked child: Python starts once, not a thousand times. A child
tells each step that was acknowledged (`+`) or refused with a typed error (`-`); a killed child says no more. A step
that was acknowledged while something was not yet written or synced is told as `?`: a power cut could take it back.

What is driven is a `Driver`: the store here; whatever else takes steps on a path and can be looked at may be another.
"""

import ctypes
import json
import os
import select
import shutil
import signal
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import StoreError
from byheart.records import Record
from byheart.storage import Key, Problem, Vectors, Write, delay, key_of
from byheart.storage.jsonl import JsonlStore
from byheart.storage.sqlite import SqliteStore
from byheart.summarising import FunctionSummariser, Turn

State = dict[str, str]  # what is seen of a store: "id" -> text, "vector of id" -> bytes as hex, "model" -> name
SECONDS = 30


class Driver(Protocol):
    """What is driven through faults: the steps, and what each must do to the state."""

    steps: int

    def open(self, path: Path) -> Any:
        """Open it."""

    def step(self, handle: Any, number: int) -> None:
        """Do a step; a step that was done before must be harmless."""

    def expected(self, state: State, number: int) -> State:
        """Return the state after a step."""

    def seen(self, handle: Any) -> State:
        """Return the state that can be seen; raise if it is not sound."""

    def close(self, handle: Any) -> None:
        """Close it."""


def key(id: str, tenant: str = "t") -> Key:
    return Key(tenant, "s", "internal", id)


def canary(number: int) -> str:
    """Return a text that can be found again among bytes."""
    return f"CANARY-{number:04d}-" + "wing" * (40 * number % 1500)


class StoreDriver:
    """The store by itself: puts, replacements, removals, vectors, another model, compaction."""

    steps = 6

    def open(self, path: Path) -> SqliteStore:
        return SqliteStore(path, lock_seconds=2.0)

    def step(self, handle: SqliteStore, number: int) -> None:
        put, remove, vectors = self.change(number)
        if number == 4:
            handle.adopt("model-b")
        elif number == 5:
            handle.compact()
        else:
            records = [record(id, text) for id, text in put.items()]
            rows = {key(id): bytes.fromhex(vector) for id, vector in vectors.items()}
            handle.write(records, [key(id) for id in remove], Vectors("model-a", rows) if rows else None)

    @staticmethod
    def change(number: int) -> tuple[State, list[str], State]:
        """Return what a step puts and removes, and which vectors it keeps."""
        embedding = struct.pack("<4f", *(number + part / 7 for part in range(4))).hex()
        if number == 0:
            return {f"id-{n}": canary(n) for n in range(5)}, [], {}
        if number == 1:
            return {"id-1": canary(11), "id-6": canary(12)}, ["id-2"], {"id-1": embedding, "id-0": embedding}
        if number == 2:
            return {}, ["id-3", "id-6", "unknown"], {}
        if number == 3:
            return {"id-0": canary(13), "id-7": canary(14)}, [], {"id-7": embedding}
        return {}, [], {}

    def expected(self, state: State, number: int) -> State:
        put, remove, vectors = self.change(number)
        if number == 4:
            return {key: value for key, value in state.items() if not key.startswith("vector")} | {"model": "model-b"}
        lost = {*remove, *(f"vector of {id}" for id in (*remove, *put))}
        kept = {key: value for key, value in state.items() if key not in lost}
        return {**kept, **put, **{f"vector of {id}": vector for id, vector in vectors.items()}}

    def seen(self, handle: SqliteStore) -> State:
        state = {str(found.id): found.text for found in handle.load()}
        state |= {
            f"vector of {key.id}": found.hex() for model in "ab" for key, found in handle.vectors(f"model-{model}")
        }
        model = handle.model()
        problems = handle.check()
        if problems:
            raise AssertionError(str(problems))
        return state if model is None else state | {"model": model}

    def close(self, handle: SqliteStore) -> None:
        handle.close()


class GroupDriver(StoreDriver):
    """The same life, each of whose writes comes as several that share a commit; a step is done if each of them is."""

    def step(self, handle: SqliteStore, number: int) -> None:
        put, remove, vectors = self.change(number)
        if number >= 4:
            super().step(handle, number)
            return
        lost = Write(remove=[key(id) for id in remove])
        said = [Write(put=[record(id, text)]) for id, text in put.items()]
        rows = {key(id): bytes.fromhex(vector) for id, vector in vectors.items()}
        kept = Write(vectors=Vectors("model-a", rows)) if rows else Write()
        refused = Write(put=[record("never", canary(19))], expected=[record("nobody", "nothing")])
        *outcomes, fell = handle.write_each([lost, *said, kept, refused])
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
        assert all(outcomes) and fell is False, outcomes


class DelayedStoreDriver(StoreDriver):
    """Calls that return before their flush, on a store; the flushes; and removals, which do not wait.

    How long they would wait is longer than a life, so that each flush is at its place.
    """

    steps = 8

    def open(self, path: Path) -> SqliteStore:
        delay._SECONDS = 60.0  # type: ignore[misc]
        return SqliteStore(path, lock_seconds=2.0, durability="normal")

    def step(self, handle: Any, number: int) -> None:
        if number in (3, 7):
            handle.flush()
            return
        put, remove, _ = self.change(number)
        records = [record(id, text) for id, text in put.items()]
        absent = [] if number == 2 else [key_of(each) for each in records]
        expected = [replace(each, access_count=1) for each in records] if number == 2 else []
        # A second time it is harmless: what is there is not absent, and what was marked is not as it was.
        handle.write_if([replace(each, access_count=0) for each in expected], expected or records,
                        [key(id) for id in remove], None, absent)  # fmt: skip

    @staticmethod
    def change(number: int) -> tuple[State, list[str], State]:
        put = {0: ["id-0", "id-1"], 1: ["id-2"], 2: ["id-0"], 5: ["id-3"], 6: ["id-4"]}.get(number, [])
        return {id: canary(int(id[3:])) for id in put}, ["id-1"] if number == 4 else [], {}

    def expected(self, state: State, number: int) -> State:
        put, remove, _ = self.change(number)
        if number == 2 and "id-0" not in state:
            return state
        return {key: value for key, value in state.items() if key not in remove} | put

    def seen(self, handle: Any) -> State:
        problems = handle.check()
        if problems:
            raise AssertionError(str(problems))
        return {str(found.id): found.text for found in handle.load()}


class DelayedLinesDriver(DelayedStoreDriver):
    """The same life in a text file."""

    def open(self, path: Path) -> Any:
        delay._SECONDS = 60.0  # type: ignore[misc]
        return JsonlStore(path.with_suffix(".jsonl"), lock_seconds=2.0, durability="normal")

    def seen(self, handle: Any) -> State:
        state = super().seen(handle)
        handle.write([record("next", "next")], [])  # what a process that died has left beside it goes with this
        handle.write([], [key("next")])
        return state


def record(id: str, text: str) -> Record:
    return Record(id=id, text=text, tenant="t", scope="s", boundary_class="internal", created_at=1.0)


class MemoryDriver:
    """A memory in a file with an embedder: remembering, saving its indexes, forgetting, opening by a generation."""

    steps = 5

    def open(self, path: Path) -> Memory:
        return Memory(path, tenant="t", embedder=HashingEmbedder(16))

    def step(self, handle: Memory, number: int) -> None:
        put, remove = self.change(number)
        if put:
            handle.remember_many([record(id, text) for id, text in put.items()])
        if remove:
            handle.forget(remove)
        if number in (1, 3):
            handle._engine.saver._save(at_least=0)  # as its thread does: what fails is noted

    @staticmethod
    def change(number: int) -> tuple[State, list[str]]:
        if number == 0:
            return {f"id-{n}": canary(n) for n in range(5)}, []
        if number == 3:
            return {f"id-{n}": canary(n) for n in (5, 6)}, []
        return {}, {2: ["id-1", "id-2", "unknown"], 4: ["id-3", "id-6"]}.get(number, [])

    def expected(self, state: State, number: int) -> State:
        put, remove = self.change(number)
        return {key: value for key, value in state.items() if key not in remove} | put

    def seen(self, handle: Memory) -> State:
        problems = handle.check()
        fresh = Memory(tenant="t", embedder=HashingEmbedder(16))
        stored = list(handle._engine.store.load())
        fresh.remember_many(stored)
        for profile in ("kb-balanced", "dense"):
            answers = [memory.recall("canary wing", profile=profile, now=1.0) for memory in (handle, fresh)]
            if answers[0].to_dict() != answers[1].to_dict():
                problems.append(Problem("index", f"{handle.opened}: answers otherwise than one that is made anew"))
        if problems:
            raise AssertionError(str(problems))
        return {str(found.id): found.text for found in stored}

    def close(self, handle: Memory) -> None:
        handle.close()


def retell(turns: Sequence[Turn]) -> tuple[str, float]:
    """Return a text of the summary's own, by the first of its turns."""
    return canary(10 + int(turns[0].id.removeprefix("id-"))), 0.5


class CompactionDriver(MemoryDriver):
    """A session that is said, compacted, forgotten in part; more is said, and compacted with its turns deleted.

    What each step does is found out with a memory that is not in a file.
    """

    steps = 5

    def step(self, handle: Memory, number: int) -> None:
        if number in (0, 3):
            said = ((0, 1, 2, 3), (4, 5))[number // 3]
            handle.remember_many([replace(record(f"id-{at}", canary(at)), session_id="talk") for at in said])
        elif number == 2:
            handle.forget("id-1")
        else:
            summariser, sources = FunctionSummariser(retell, "retold"), ("archive", "delete")[number == 4]
            handle.compact("talk", target=2, force=True, sources=sources, summariser=summariser, now=9.0)
        if number in (0, 3):
            handle._engine.saver._save(at_least=0)  # as its thread does: what fails is noted

    def expected(self, state: State, number: int) -> State:
        with Memory(tenant="t", embedder=HashingEmbedder(16)) as memory:
            memory.remember_many([json.loads(line.partition("\n")[2]) for line in state.values()])
            self.step(memory, number)
            return self.lines(memory)

    def seen(self, handle: Memory) -> State:
        super().seen(handle)
        return self.lines(handle)

    @staticmethod
    def lines(memory: Memory) -> State:
        """Return each record: its text, and all of it as JSON."""
        stored = sorted(memory._engine.store.load(), key=lambda found: str(found.id))
        return {str(found.id): f"{found.text}\n{json.dumps(found.to_dict(), sort_keys=True)}" for found in stored}


DRIVERS: dict[str, Callable[[], Driver]] = {
    "store": StoreDriver,
    "group": GroupDriver,
    "delayed": DelayedStoreDriver,
    "delayed lines": DelayedLinesDriver,
    "memory": MemoryDriver,
    "compaction": CompactionDriver,
}


def run(
    driver: Driver, path: Path, steps: Iterable[int], tell: Callable[[str], None], unsynced: Callable[[], int]
) -> None:
    """Take the steps on a path, opening it anew where that fails, and tell of each."""
    handle = None
    for number in steps:
        try:
            handle = handle or driver.open(path)
            driver.step(handle, number)
            tell("?" if unsynced() or waits(handle) else "+")
        except (StoreError, OSError):
            tell("-")
    if handle is not None:
        driver.close(handle)


def waits(handle: Any) -> bool:
    """Return whether what was acknowledged is still to be written."""
    delayed = getattr(handle, "_delay", None)
    return delayed is not None and bool(delayed.open)


def possible(driver: Driver, start: State, steps: Iterable[int], told: str) -> list[State]:
    """Return the states that may be found after what was told: an unacknowledged step was done whole, or not at all."""
    states = [start]
    for place, number in enumerate(steps):
        after = [driver.expected(state, number) for state in states]
        if told[place : place + 1] == "+":
            states = after
            continue
        states += [state for state in after if state not in states]
        if place >= len(told):
            break  # killed: nothing came after
    return states


def in_a_child(
    shim: Any, folder: Path, fault: list[int], work: Callable[[Callable[[str], None]], None]
) -> tuple[str, int]:
    """Run work in a child under a fault; return what it told, and how it ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            signal.alarm(SECONDS)
            shim.shim_arm(os.fsencode(folder), *fault, -1)
            work(lambda word: os.write(writing, word.encode()) and None)
            os.write(writing, f" {shim.shim_calls()}".encode())
            status = 0
        except BaseException as error:
            os.write(writing, f"!{type(error).__name__}: {error}".encode())
        finally:
            os._exit(status)
    os.close(writing)
    told = b""
    while select.select([reading], [], [], SECONDS + 5)[0] and (part := os.read(reading, 65_536)):
        told += part
    os.close(reading)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return told.decode(), status


def attempt(shim: Any, folder: Path, job: dict[str, Any]) -> dict[str, Any]:
    """Run one job: a start, the steps under a fault, and a look at what is left."""
    driver = DRIVERS[job["driver"]]()
    shutil.rmtree(folder, ignore_errors=True)
    if job["start"] is None:
        folder.mkdir()
    else:
        shutil.copytree(job["start"], folder)
    path = folder / "memory.db"
    told, status = in_a_child(
        shim, folder, job["fault"], lambda tell: run(driver, path, job["steps"], tell, shim.shim_unsynced)
    )
    words, _, calls = told.partition(" ")
    finished = calls.isdecimal()
    answer: dict[str, Any] = {"told": words, "status": status, "calls": int(calls) if finished else 0, "wrong": None}
    if finished != (status == 0) or status not in (0, -signal.SIGKILL):
        answer["wrong"] = f"the child ended with {status} and said {told!r}"
        return answer
    if job.get("keep"):
        shutil.copytree(folder, job["keep"], dirs_exist_ok=True)
    try:
        handle = driver.open(path)
        seen = driver.seen(handle)
        driver.close(handle)
    except Exception as error:
        answer["wrong"] = f"after {words!r}: {type(error).__name__}: {error}"
        return answer
    allowed = [state for known in job["states"] for state in possible(driver, known, job["steps"], words)]
    if seen not in allowed:
        answer["wrong"] = (
            f"after {words!r}: found {sorted(seen)}, which is none of {[sorted(state) for state in allowed]}"
        )
    answer["state"] = seen
    left = b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file()).lower()
    for number in range(20):
        mark = canary(number)[:12]
        if mark.lower().encode() in left and not any(text.startswith(mark) for text in seen.values()):
            answer["wrong"] = f"after {words!r}: the text of {mark} was erased or never written, and is in a file"
    return answer


def main() -> None:
    """Answer jobs until there are no more."""
    shim = ctypes.CDLL(sys.argv[1])
    shim.shim_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int, ctypes.c_int]
    shim.shim_calls.restype = ctypes.c_long
    for line in sys.stdin:
        print(json.dumps(attempt(shim, Path(sys.argv[2]), json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
