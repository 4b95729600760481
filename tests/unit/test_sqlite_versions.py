"""The store file over time: newer and older formats, and writers that wait for one another."""

import os
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from byheart.errors import (
    StoreBusy,
    StoreError,
    UnsupportedFormat,
)
from byheart.storage import schema
from byheart.storage.migrating import back_up, backups
from byheart.storage.sqlite import SqliteStore

from .store_files import keys, record, texts

HEADER = 100  # bytes of SQLite's own, in which it counts its writes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


# ---- versions


def test_a_newer_file_is_refused(path: Path) -> None:
    SqliteStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute(f"INSERT INTO migrations VALUES ({schema.VERSION + 1}, 'later')")
    connection.commit()
    connection.close()
    refused = f"format version {schema.VERSION + 1}; this one reads {schema.VERSION}"
    with pytest.raises(UnsupportedFormat, match=refused):
        SqliteStore(path)


def test_an_older_file_is_migrated_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [])
    was, next_version = path.read_bytes(), schema.VERSION + 1
    step = ("CREATE TABLE later (x)",)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    for module in ("schema", "pair", "migrating"):
        monkeypatch.setattr(f"byheart.storage.{module}.VERSION", next_version)
    with pytest.raises(UnsupportedFormat, match="open it once for writing"):
        SqliteStore(path, read_only=True)
    for _ in range(2):
        with SqliteStore(path) as store:
            assert store.load() == [record("a")]
            assert store.check() == []
    [backup] = backups(path)
    assert backup.read_bytes()[HEADER:] == was[HEADER:] and stat.S_IMODE(backup.stat().st_mode) == 0o600
    monkeypatch.undo()
    with pytest.raises(UnsupportedFormat):
        SqliteStore(path)
    with SqliteStore(backup) as store:
        assert store.load() == [record("a")], "whoever has to, goes back"


def test_a_backup_takes_nobodys_place(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [])
    mine = path.with_name(f"{path.name}.byheart-backup-{schema.VERSION}")
    mine.write_text("mine")
    assert back_up(path, schema.VERSION).read_bytes()[HEADER:] == path.read_bytes()[HEADER:]
    assert mine.read_text() == "mine"
    assert [found.name for found in backups(path)] == [mine.name, f"{mine.name}-1"]


def test_a_migration_that_fails_leaves_the_file_and_no_backup(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStore(path).close()
    was = path.read_bytes()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, ("CREATE TABLE half (x)", "no statement")))
    next_version = schema.VERSION + 1
    for module in ("schema", "pair", "migrating"):
        monkeypatch.setattr(f"byheart.storage.{module}.VERSION", next_version)
    with pytest.raises(StoreError):
        SqliteStore(path)
    assert path.read_bytes() == was and backups(path) == []


# ---- one at a time


def test_a_writer_is_waited_for_then_named(path: Path) -> None:
    with SqliteStore(path) as one, SqliteStore(path, lock_seconds=0.05) as two:
        with one._session.written() as connection, one._session.pair.transaction(connection):
            with pytest.raises(StoreBusy, match=rf"held by process {os.getpid()} \(.+\) for more than 0.05 s"):
                two.write([record("a")], [])
            assert two.load() == [], "readers do not wait"
        two.write([record("a")], [])
        assert texts(one) == {"a": "some text"}


def test_another_program_is_waited_for_too(path: Path) -> None:
    with SqliteStore(path, lock_seconds=0.05) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        for call in (lambda: store.write([record("a")], []), store.load, store.sequence):
            with pytest.raises(StoreBusy, match="held by another process"):
                call()
        other.execute("ROLLBACK")
        other.close()
        store.write([record("a")], [])
        assert store.load() == [record("a")]


def test_a_thread_waits_for_another(path: Path) -> None:
    with SqliteStore(path, lock_seconds=0.05) as store:
        raised: list[BaseException] = []

        def write() -> None:
            try:
                store.write([record("a")], [])
            except StoreBusy as error:
                raised.append(error)

        with store._session.written() as connection, store._session.pair.transaction(connection):
            thread = threading.Thread(target=write)
            thread.start()
            thread.join()
            with pytest.raises(StoreBusy, match="this thread is writing already"):
                store.write([record("b")], [])
        assert [str(error) for error in raised] == [
            f"{path}: another thread of this process has been writing for 0.05 s"
        ]


def test_a_closed_store_says_so_and_can_be_closed_again(path: Path) -> None:
    store = SqliteStore(path)
    store.write([record("a")], [])
    store.close()
    store.close()
    for call in (store.load, store.sequence, lambda: store.get(keys(["a"])), lambda: store.write([record("b")], [])):
        with pytest.raises(StoreError, match="closed"):
            call()


def test_a_file_that_was_taken_away_is_noticed(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [])
        path.rename(path.with_name("elsewhere"))
        with pytest.raises(StoreError):
            store.write([record("b")], [])
        with pytest.raises(StoreError, match="was moved or removed while it was open"):
            store.load()
