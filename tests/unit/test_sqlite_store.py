"""The store file: what is put comes back, what is refused, what others see, what its files look like."""

import os
import shutil
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from byheart.errors import (
    CorruptStore,
    InvalidArgument,
    ReadOnlyStore,
    StoreBusy,
    StoreError,
    UnsupportedFormat,
)
from byheart.records import Record
from byheart.storage import Key, Vectors, schema
from byheart.storage.exchange import export_jsonl, import_jsonl
from byheart.storage.migrating import back_up, backups
from byheart.storage.sqlite import SqliteStore

HEADER = 100  # bytes of SQLite's own, in which it counts its writes
posix_only = pytest.mark.skipif(os.name != "posix", reason="permission bits and links as POSIX has them")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def key(id: str, tenant: str = "t") -> Key:
    return Key(tenant, "s", "internal", id)


def keys(ids: Iterable[str], tenant: str = "t") -> list[Key]:
    return [key(id, tenant) for id in ids]


def record(key: str, text: str = "some text", tenant: str = "t", **fields: Any) -> Record:
    return Record(id=key, text=text, tenant=tenant, scope="s", boundary_class="internal", **fields)


def vector(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def texts(store: SqliteStore) -> dict[str, str]:
    return {str(found.id): found.text for found in store.load()}


# ---- records


def test_what_is_written_is_there_when_the_file_is_opened_again(path: Path) -> None:
    odd = record("b\0ö", "naïve 好 \u2028 line\nbreak \0", topic="T", metadata={"x": [1, 2.5, None]}, entities=["e"],
                 importance=1, created_at=2.5, expires_at=7)  # fmt: skip
    with SqliteStore(path) as store:
        store.write([odd, record("a")], [])
        assert store.get(keys(["b\0ö", "none", "a", "a"])) == [odd, None, record("a"), record("a")]
    with SqliteStore(path) as store:
        assert sorted(store.load(), key=lambda found: str(found.id)) == [record("a"), odd]
        assert store.get(keys(["b\0ö"])) == [odd], "before or after loading"
        assert store.check() == []
    with SqliteStore(path) as store:
        (found,) = store.get(keys(["b\0ö"]))
        assert found is not None
        assert type(found.entities) is tuple
        assert found.provenance is not store.load()[0].provenance


def test_a_record_is_replaced_by_its_key_and_removed_by_it(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a", "old"), record("a", "two", "u"), record("b"), record("c")], [])
        store.write([record("a", "new"), record("d", "1"), record("d", "2")], [key("b"), key("no"), key("c", "u")])
        assert texts(store) == {"a": "two", "c": "some text", "d": "2"} or texts(store)["d"] == "2"
        assert [found and found.text for found in store.get(keys(["a", "b", "c", "d"]))] == [
            "new",
            None,
            "some text",
            "2",
        ]
        store.write([record("a", "put")], [key("a")])
        assert [found and found.text for found in store.get(keys(["a"]))] == ["put"], "removed and put is put"
        assert store.check() == []


def test_many_records_are_read_as_of_one_moment(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record(f"r{n}", f"text {n}") for n in range(2_000)], [])
        found = store.get(keys([f"r{n}" for n in range(2_000)]))
        assert [one and one.text for one in found] == [f"text {n}" for n in range(2_000)]


def test_a_write_of_nothing_is_no_change(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [])
        before = store.sequence()
        store.write([], [])
        store.write([], [key("unknown")])
        store.write([], [], Vectors("m", {key("unknown"): vector(1.0)}))
        assert store.sequence() == before
        assert store.changes(before).keys == frozenset()


def test_a_write_that_fails_within_leaves_nothing(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("a")], [])
        before = store.sequence()
        with pytest.raises(InvalidArgument, match="'a' is not bytes of float32s"):
            store.write([record("b")], [key("a")], Vectors("m", {key("a"): b"", key("b"): b"123"}))
        assert texts(store) == {"a": "some text"}
        assert store.sequence() == before
        assert store.check() == []


def test_ends_are_found_in_order_of_keys(path: Path) -> None:
    with SqliteStore(path) as store:
        store.write([record("b", expires_at=5), record("a", expires_at=5), record("c", expires_at=6), record("d")], [])
        store.write([record("e", expires_at=1), record("f", expires_at=1)], [])
        store.write([record("e")], [key("f")])
        assert store.expired(4.9) == []
        assert store.expired(5.0) == [key("a"), key("b")]
        store.write([], store.expired(5.0))
        assert store.expired(9.0) == [key("c")]
        assert store.check() == []


def test_what_was_read_is_at_hand_until_something_changes(path: Path) -> None:
    with SqliteStore(path) as store, SqliteStore(path) as another:
        store.write([record("a", "old"), record("b")], [])
        store.sequence()
        first = store.get(keys(["a", "b", "none"]))
        assert all(one is two for one, two in zip(first, store.get(keys(["a", "b", "none"])), strict=True))
        another.write([record("a", "new")], [key("b")])
        assert store.get(keys(["a", "b"])) == [record("a", "new"), None]
        assert [one.text for one in store._kept.records.values()] == ["new"], "what was erased is not kept"


# ---- vectors


def test_a_record_that_is_put_loses_its_old_vectors(path: Path) -> None:
    with SqliteStore(path) as store:
        both = {key("a"): vector(1.0), key("b"): vector(2.0)}
        store.write([record("a"), record("b")], [], Vectors("m", both))
        store.write([], [], Vectors("n", both))
        store.write([record("a", "new")], [])
        assert store.vectors("m") == store.vectors("n") == [(key("b"), vector(2.0))]
        store.write([record("b", "new")], [], Vectors("n", {key("b"): vector(3.0)}))
        assert (store.vectors("m"), store.vectors("n")) == ([], [(key("b"), vector(3.0))])
        store.write([], [key("b")])
        assert store.vectors("n") == store.vectors("unknown") == []
        assert store.check() == []


def test_adopting_a_model_drops_the_vectors_of_others(path: Path) -> None:
    with SqliteStore(path) as store:
        assert store.model() is None
        store.write([record("a")], [], Vectors("old", {key("a"): vector(1.0)}))
        store.adopt("old")
        store.write([], [], Vectors("new", {key("a"): vector(2.0)}))
        assert store.model() == "old"
        before = store.sequence()
        store.adopt("new")
        assert store.changes(before).keys is None
        store.adopt("new")
        assert store.sequence() == store.changes(before).sequence, "a second time, nothing happens"
    with SqliteStore(path) as store:
        assert store.model() == "new"
        assert (store.vectors("old"), store.vectors("new")) == ([], [(key("a"), vector(2.0))])
        assert store.check() == []


def test_a_vector_of_an_older_text_is_not_kept(path: Path) -> None:
    with SqliteStore(path) as embedding, SqliteStore(path) as writing:
        writing.write([record("a", "old"), record("b")], [])
        read_at = embedding.sequence()
        writing.write([record("a", "new")], [])
        rows = {key("a"): vector(1.0), key("b"): vector(2.0), key("c"): vector(3.0)}
        embedding.write([record("c")], [], Vectors("m", rows, as_of=read_at))
        assert sorted(writing.vectors("m")) == [(key("b"), vector(2.0)), (key("c"), vector(3.0))]


# ---- text


def test_a_store_goes_through_text_and_back(path: Path, tmp_path: Path) -> None:
    with SqliteStore(path) as store, SqliteStore(tmp_path / "other.db") as other:
        store.write(
            [record("b", "naïve \u2028 好", metadata={"x": 1}), record("a", expires_at=3), record("a", "x", "u")], []
        )
        assert export_jsonl(store, tmp_path / "1.jsonl") == 3
        assert import_jsonl(other, tmp_path / "1.jsonl") == 3
        export_jsonl(other, tmp_path / "2.jsonl")
        assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
        assert sorted(map(repr, store.load())) == sorted(map(repr, other.load()))
        assert not list(tmp_path.glob("*.jsonl.*"))
        with pytest.raises(InvalidArgument, match="exists"):
            export_jsonl(store, tmp_path / "1.jsonl")
        with pytest.raises(InvalidArgument, match="does not exist"):
            import_jsonl(store, tmp_path / "3.jsonl")


# ---- changes


def test_each_store_follows_the_others(path: Path) -> None:
    with SqliteStore(path) as one, SqliteStore(path) as two:
        start = one.sequence()
        two.load()
        one.write([record("a"), record("b"), record("c")], [])
        at = two.sequence()
        assert at == one.sequence() > start
        assert two.changes(start) == one.changes(start)
        assert two.changes(start).keys == {key("a"), key("b"), key("c")}
        one.write([record("b", "new")], [key("a")], Vectors("m", {key("c"): vector(1.0)}))
        assert two.get(keys(["a", "b"])) == [None, record("b", "new")]
        changed = two.changes(at)
        assert changed.keys == {key("a"), key("b"), key("c")}
        assert two.changes(at) == changed, "asked again, answered again"
        assert two.changes(changed.sequence).keys == frozenset()
        assert two.changes(changed.sequence + 1).keys is None, "of the future nothing is known"


def test_a_removal_that_was_never_seen_cannot_be_named(path: Path) -> None:
    with SqliteStore(path) as one:
        one.write([record("a"), record("b")], [])
        at = one.sequence()
        one.write([], [key("a")])
        with SqliteStore(path) as two:
            assert two.changes(at).keys is None
            one.write([], [key("b")])
            assert two.changes(one.sequence() - 1).keys == {key("b")}
        one.compact()
        assert one.changes(at).keys is None, "nor one before the file was compacted"
        one.write([record("c")], [])
        assert texts(one) == {"c": "some text"}


def test_a_store_follows_past_a_compaction_and_an_older_copy(path: Path, tmp_path: Path) -> None:
    with SqliteStore(path) as one, SqliteStore(path) as two:
        one.write([record("a"), record("b")], [])
        shutil.copy(path, tmp_path / "copy")
        two.load()
        one.write([record("c")], [key("a")])
        one.compact()
        assert texts(two) == {"b": "some text", "c": "some text"}
        assert two.get(keys(["a", "c"])) == [None, record("c")]
    with SqliteStore(path) as two:
        two.load()
        with SqliteStore(tmp_path / "copy") as copy:
            assert copy.sequence() < two.sequence()
        path.write_bytes((tmp_path / "copy").read_bytes())
        two._session._drop_reader()
        assert two.get(keys(["a", "c"])) == [record("a"), None]


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
    with pytest.raises(CorruptStore, match="memory file"):
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
    for module in ("schema", "session", "migrating"):
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
    for module in ("schema", "session", "migrating"):
        monkeypatch.setattr(f"byheart.storage.{module}.VERSION", next_version)
    with pytest.raises(StoreError):
        SqliteStore(path)
    assert path.read_bytes() == was and backups(path) == []


# ---- one at a time


def test_a_writer_is_waited_for_then_named(path: Path) -> None:
    with SqliteStore(path) as one, SqliteStore(path, lock_seconds=0.05) as two:
        with one._session.written() as connection, one._session.transaction(connection):
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

        with store._session.written() as connection, store._session.transaction(connection):
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
