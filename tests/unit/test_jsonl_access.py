"""Access to a memory file: who may read it and write to it, where a link leads, and the lock that a write takes."""

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import StoreBusy
from byheart.storage.jsonl import JsonlStore
from byheart.storage.locking import hold, note_holder, open_lock_file

from .store_files import posix_only, record


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


def ids(path: Path) -> list[str | None]:
    return [found.id for found in JsonlStore(path).load()]


@posix_only
def test_a_new_file_is_private_and_an_opened_one_stays_open(path: Path) -> None:
    store = JsonlStore(path)
    store.write([record("a")], [])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    store.write([record("b")], [])
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


AS_SOMEBODY_ELSE = """
import os, sys
from byheart.errors import ReadOnlyStore
from byheart.records import Record
from byheart.storage.jsonl import JsonlStore
if os.geteuid() == 0:
    os.setuid(os.stat(sys.argv[1]).st_uid)
store = JsonlStore(sys.argv[1])
[record] = store.load()
print(record.id, store.read_only)
for put, removed in (([Record(text="tea", id="b")], []), ([], [record])):
    try:
        store.write(put, removed)
    except ReadOnlyStore as error:
        print(str(error).partition(": ")[2])
"""


@posix_only
def test_a_file_that_nobody_may_write_to_is_read_alone() -> None:
    """Its folder lets it be replaced, which is what a write does; so it was."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "memory.jsonl"
        with Memory(path) as memory:
            memory.remember("rice", id="a")
        before = path.read_bytes()
        path.chmod(0o444)
        if os.geteuid() == 0:
            for each in (Path(name), *Path(name).iterdir()):
                os.chown(each, 65534, 65534)
        command = [sys.executable, "-c", AS_SOMEBODY_ELSE, str(path)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        assert path.read_bytes() == before
    refused = "was opened for reading, or may not be written to\n"
    assert answer.stdout == f"a True\n{refused}{refused}", answer.stderr


@posix_only
def test_a_link_is_followed_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "real" / "memory.jsonl")
    JsonlStore(link).write([record("a")], [])
    assert link.is_symlink()
    assert ids(tmp_path / "real" / "memory.jsonl") == ["a"]


def test_a_lock_held_by_another_is_waited_for_then_named(path: Path) -> None:
    lock = path.with_name("memory.jsonl.byheart-lock")
    with hold(lock, 1.0), pytest.raises(StoreBusy, match=f"held by process {os.getpid()} for more than 0.05 s"):
        JsonlStore(path, lock_seconds=0.05).write([record("a")], [])
    JsonlStore(path, lock_seconds=0.0).write([record("a")], [])
    assert ids(path) == ["a"]


@pytest.mark.parametrize("note", [None, note_holder])
def test_a_lock_file_names_its_holder_and_nothing_of_the_last_one(
    tmp_path: Path, note: Callable[[int], None] | None
) -> None:
    lock = tmp_path / "lock"
    lock.write_bytes(b"byheart 123456789 (a-program-with-a-very-long-name-indeed)\n")
    if note is None:
        with hold(lock, 0.0):
            pass
        assert lock.read_bytes() == b"byheart %d\n" % os.getpid()
    else:
        descriptor = open_lock_file(lock)
        note(descriptor)
        os.close(descriptor)
        name, _, rest = lock.read_bytes().partition(b" (")
        assert name == b"byheart %d" % os.getpid() and rest.endswith(b")\n") and b"indeed" not in rest


def test_a_lock_is_freed_by_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError), hold(tmp_path / "lock", 0.0):
        raise KeyError
    with hold(tmp_path / "lock", 0.0):
        pass
