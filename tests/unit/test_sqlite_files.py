"""The store file as a file: what is refused, what it looks like, who may write it."""

import os
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from byheart.errors import (
    CorruptStore,
    ReadOnlyStore,
    StoreError,
)
from byheart.storage import Vectors
from byheart.storage.sqlite import SqliteStore

from .store_files import key, keys, posix_only, record, vector

HEADER = 100  # bytes of SQLite's own, in which it counts its writes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


# ---- files


def test_a_new_store_and_its_folder_are_private(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "memory.db"
    with SqliteStore(path) as store:
        store.write([record("a")], [])
        names = sorted(found.name for found in path.parent.iterdir())
        assert names == ["memory.db", "memory.db-journal", "memory.db.byheart-lock"]
        if os.name == "posix":
            assert {stat.S_IMODE(found.stat().st_mode) for found in path.parent.iterdir()} == {0o600}
            assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert path.with_name("memory.db-journal").stat().st_size == 0


def test_the_settings_that_promises_rest_on(path: Path) -> None:
    with SqliteStore(path) as store, store._session.written() as connection:
        for name, value in {"journal_mode": b"truncate", "synchronous": 2, "secure_delete": 1, "temp_store": 2}.items():
            assert connection.execute(f"PRAGMA {name}").fetchone()[0] == value
        assert store._session.read(lambda reader: reader.execute("PRAGMA synchronous").fetchone()[0]) == 2


def test_content_never_becomes_a_path(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "memory.db") as store:
        store.write([record("../../escape", "x", "../tenant"), record("a/b")], [])
        store.write([], [("../tenant", "../../escape")])
    assert {found.name for found in tmp_path.iterdir()} == {"memory.db", "memory.db-journal", "memory.db.byheart-lock"}


@posix_only
def test_links_and_special_files_are_refused(path: Path, tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "real.db"):
        path.symlink_to(tmp_path / "real.db")
        with pytest.raises(StoreError, match="is a symbolic link"):
            SqliteStore(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(StoreError, match="no regular file"):
        SqliteStore(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(StoreError, match="no regular file"):
        SqliteStore(path)
    (tmp_path / "real.db-journal").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="-journal: is a symbolic link"):
        SqliteStore(tmp_path / "real.db")
    (tmp_path / "other.db.byheart-lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="symbolic link"):
        SqliteStore(tmp_path / "other.db")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("content", [b"", b"notes of mine", b"SQLite format 3\0" + bytes(4096)])
def test_other_files_are_refused_and_left_as_they_are(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(CorruptStore, match="memory file" if content else "the file is empty; remove it, and a new"):
        SqliteStore(path)
    assert path.read_bytes() == content


def test_another_database_is_refused_and_left_as_it_is(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE claims (id)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CorruptStore, match="not a memory file of byheart"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_tables_of_somebody_else_are_refused(path: Path) -> None:
    SqliteStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TRIGGER t AFTER INSERT ON claims BEGIN DELETE FROM claims; END")
    connection.commit()
    connection.close()
    with pytest.raises(CorruptStore, match="tables are not those"):
        SqliteStore(path)


def test_the_journal_of_a_file_that_is_gone_is_not_played_into_a_new_one(path: Path) -> None:
    header = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + struct.pack(">IIIII", 1, 0, 1, 512, 4096)
    page = struct.pack(">I", 1) + bytes(4096) + bytes(4)  # "page 1 was all zeros", and its checksum
    path.with_name("memory.db-journal").write_bytes(header.ljust(512, b"\0") + page)
    path.with_name("memory.db.byheart-new").write_bytes(b"SQLite format 3\0".ljust(68, b"\1") + b"byht" + bytes(28))
    with SqliteStore(path) as store:
        assert store.load() == []
    assert not path.with_name("memory.db.byheart-new").exists()


def test_a_missing_file_is_not_made_for_reading(path: Path) -> None:
    with pytest.raises(ReadOnlyStore, match="does not exist"):
        SqliteStore(path, read_only=True)
    with pytest.raises(StoreError, match="No such file"):
        SqliteStore(path / "no" / "folder" / "memory.db")
    assert not path.exists()


def test_a_store_for_reading_reads_and_refuses_to_write(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [], Vectors("m", {key("a"): vector(1.0)}))
        with SqliteStore(path, read_only=True) as reading:
            assert reading.read_only
            assert reading.load() == [record("a")]
            for call in (lambda: reading.write([record("b")], []), lambda: reading.adopt("m"), reading.compact):
                with pytest.raises(ReadOnlyStore):
                    call()
            store.write([record("b")], [])
            assert reading.get(keys(["b"])) == [record("b")], "it follows"
            assert reading.check() == []


AS_SOMEBODY_ELSE = """
import os, sys
from byheart.storage.sqlite import SqliteStore
if os.geteuid() == 0:
    os.setuid(65534)
with SqliteStore(sys.argv[1]) as store:
    print(store.read_only, len(store.load()))
"""


@posix_only
def test_what_the_system_does_not_let_us_write_is_opened_for_reading() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with SqliteStore(folder / "memory.db") as store:
            store.write([record("a")], [])
        for file in folder.iterdir():
            file.chmod(0o444)
        folder.chmod(0o555)
        command = [sys.executable, "-c", AS_SOMEBODY_ELSE, str(folder / "memory.db")]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        folder.chmod(0o755)
    assert answer.stdout == "True 1\n", answer.stderr


REFUSED_TO_SOMEBODY_ELSE = """
import os, sys
from byheart.errors import StoreError
from byheart.storage.sqlite import SqliteStore
if os.geteuid() == 0:
    os.setuid(65534)
try:
    SqliteStore(sys.argv[1])
except StoreError as error:
    print(error)
"""


@posix_only
@pytest.mark.parametrize("mode", [0o000, 0o222])
def test_a_file_that_may_not_be_read_says_that_and_no_more(mode: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "memory.db"
        SqliteStore(file).close()
        file.chmod(mode)
        Path(name).chmod(0o755)
        command = [sys.executable, "-c", REFUSED_TO_SOMEBODY_ELSE, str(file)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.stdout == f"{file}: Permission denied\n", answer.stderr
