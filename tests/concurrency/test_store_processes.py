"""One store file and many: processes that write at once, are killed, race to open, read amid a write, fork."""

import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from byheart.errors import StoreBusy
from byheart.records import Record
from byheart.storage import Key
from byheart.storage.sqlite import SqliteStore

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
SEED = 20_261_122


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def key(id: str, tenant: str = "t") -> Key:
    return Key(tenant, "s", "internal", id)


def keys(ids: Iterable[str], tenant: str = "t") -> list[Key]:
    return [key(id, tenant) for id in ids]


def record(id: str, text: str = "some text") -> Record:
    return Record(id=id, text=text, tenant="t", scope="s", boundary_class="internal")


HEAD = """
import sys
from byheart.records import Record
from byheart.storage import Key
from byheart.storage.sqlite import SqliteStore
def key(id):
    return Key("t", "s", "internal", id)
def record(id, text="some text"):
    return Record(id=id, text=text, tenant="t", scope="s", boundary_class="internal")
store = SqliteStore(sys.argv[1], lock_seconds=60)
"""
WRITER = (
    HEAD
    + """
for number in range(int(sys.argv[3])):
    store.write([record(f"{sys.argv[2]}{number}"), record("last", sys.argv[2])], [])
    print(number, flush=True)
"""
)
BATCHES = (
    HEAD
    + """
for number in range(1_000_000):
    store.write([record(f"{number}-{part}", str(number)) for part in range(5)], [key(f"{number - 20}-0")])
    print(number, flush=True)
"""
)


def started(program: str, path: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", program, str(path), *arguments], stdout=subprocess.PIPE, text=True)


def test_processes_that_write_at_once_lose_nothing(path: Path) -> None:
    with SqliteStore(path) as store:
        store.load()
        writers = [started(WRITER, path, name, "25") for name in "abc"]
        for writer in writers:
            writer.communicate(timeout=120)
        assert [writer.returncode for writer in writers] == [0, 0, 0]
        expected = {f"{name}{number}" for name in "abc" for number in range(25)} | {"last"}
        assert {found.id for found in store.load()} == expected
        assert {key.id for key in store.changes(0).keys or ()} == expected
        assert store.check() == []


def test_a_writer_killed_at_any_time_loses_nothing_that_it_acknowledged(path: Path) -> None:
    chance = random.Random(SEED)
    for _ in range(8):
        writer = started(BATCHES, path)
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline() for _ in range(chance.randrange(1, 12))]
        time.sleep(chance.random() * 0.01)
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.read().splitlines()  # `communicate` would pass over what was read ahead
        writer.wait(timeout=60)
        last = max(int(line) for line in acknowledged if line.strip())
        with SqliteStore(path, lock_seconds=60) as store:
            found = {str(one.id) for one in store.load()}
            present = {(number, part) for number in range(last + 2) for part in range(5) if f"{number}-{part}" in found}
            for number in range(last + 2):
                parts = {part for at, part in present if at == number}
                whole = parts in ({0, 1, 2, 3, 4}, {1, 2, 3, 4})
                assert whole or (number == last + 1 and not parts), f"batch {number} of {last} has {parts}"
            assert len(present) == len(found), "nothing was written after the kill"
            assert store.check() == []
            store.write([], [key(id) for id in found])


def test_many_race_to_open_a_file_that_is_not_there(path: Path) -> None:
    program = HEAD + "store.write([record(sys.argv[2])], [])\nprint(len(store.load()) >= 1)"
    for part in range(5):
        openers = [started(program, path, f"{part}-{number}") for number in range(10)]
        answers = [opener.communicate(timeout=120)[0] for opener in openers]
        assert answers == ["True\n"] * 10
    with SqliteStore(path) as store:
        assert len(store.load()) == 50
        assert store.check() == []


def test_threads_race_to_open_too(path: Path) -> None:
    failures: list[BaseException] = []

    def once(number: int) -> None:
        try:
            with SqliteStore(path, lock_seconds=60) as store:
                store.write([record(f"r{number}")], [])
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=once, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    with SqliteStore(path) as store:
        assert len(store.load()) == 50


def test_a_reader_sees_before_or_after_and_never_half(path: Path) -> None:
    """Each write moves all records to a new text; whoever looks sees one text only, and never an older one."""
    ids = [f"r{number}" for number in range(700)]  # more than are read at once
    failures: list[str] = []
    with SqliteStore(path, lock_seconds=60) as store, SqliteStore(path, lock_seconds=60) as another:
        store.write([record(id, "0") for id in ids], [])
        stop = threading.Event()

        def read(source: SqliteStore) -> None:
            latest = 0
            while not stop.is_set():
                sequence = source.sequence()
                seen = {one.text for one in source.get(keys(ids)) if one is not None}
                if len(seen) != 1 or int(min(seen)) < latest or source.sequence() < sequence:
                    failures.append(f"{seen} after {latest}")
                    return
                latest = int(min(seen))

        readers = [threading.Thread(target=read, args=(source,)) for source in (store, another) for _ in range(4)]
        for reader in readers:
            reader.start()
        for turn in range(1, 7):
            store.write([record(id, str(turn)) for id in ids], [])
        stop.set()
        for reader in readers:
            reader.join()
        assert not failures
        assert {one.text for one in another.load()} == {"6"}


@needs_fork
def test_a_forked_child_opens_the_file_anew(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("parent")], [])
        writing = threading.Event()

        def keep_writing() -> None:
            for number in range(60):
                store.write([record(f"thread{number}")], [])
                writing.set()

        thread = threading.Thread(target=keep_writing)
        thread.start()
        writing.wait()
        children = []
        inherited = store._session.pair.writer
        for number in range(4):
            child = os.fork()
            if child == 0:  # the child ends here, whatever happens
                good = False
                try:
                    signal.alarm(60)
                    store.write([record(f"child{number}")], [])
                    good = store.get(keys(["parent", f"child{number}"])).count(None) == 0
                    good &= store._session.pair.writer is not inherited
                finally:
                    os._exit(0 if good else 1)
            children.append(child)
        thread.join()
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
        found = {one.id for one in store.load()}
        assert found == {"parent", *(f"child{n}" for n in range(4)), *(f"thread{n}" for n in range(60))}
        assert store.check() == []


def in_a_pool(path: Path) -> int:
    with SqliteStore(path) as store:
        return len(store.load())


def test_a_spawned_process_opens_it_too(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [])
        process = multiprocessing.get_context("spawn").Process(target=print, args=("spawned",))
        process.start()
        process.join(60)
        assert process.exitcode == 0
        assert in_a_pool(path) == 1


def test_the_lock_of_a_killed_holder_is_free(path: Path) -> None:
    program = (
        HEAD
        + """
with store._session.written() as connection, store._session.pair.transaction(connection):
    print("holding", flush=True)
    sys.stdin.read()
"""
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "holding\n"
    with SqliteStore(path, lock_seconds=0.05) as store:
        with pytest.raises(StoreBusy, match=rf"process {holder.pid} \(-c\)"):
            store.write([record("a")], [])
        holder.kill()
        holder.communicate(timeout=60)
        store.write([record("a")], [])
        assert store.load() == [record("a")]


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_ends_a_wait(path: Path) -> None:
    program = (
        HEAD
        + """
import signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
other = SqliteStore(sys.argv[1])
with other._session.written() as connection, other._session.pair.transaction(connection):
    print("waiting", flush=True)
    try:
        store.write([record("a")], [])
    except KeyboardInterrupt:
        print("interrupted", flush=True)
store.write([record("b")], [])
print([one.id for one in store.load()])
"""
    )
    waiting = started(program, path)
    assert waiting.stdout is not None and waiting.stdout.readline() == "waiting\n"
    time.sleep(0.1)
    asked = time.monotonic()
    waiting.send_signal(signal.SIGINT)
    assert waiting.stdout.readline() == "interrupted\n"
    assert time.monotonic() - asked < 5.0, "the wait would have lasted a minute"
    assert waiting.stdout.read() == "['b']\n"  # of which the line before may have been read ahead
    assert waiting.wait(timeout=60) == 0
