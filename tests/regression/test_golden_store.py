"""Store files of every published format, as they were written then: each is opened, read, and written to.

Who makes a new format adds a file of it and keeps the old: `python tests/regression/test_golden_store.py NEW` writes
today's.
"""

import shutil
import sqlite3
import struct
import sys
from pathlib import Path

import pytest

import byheart
from byheart.errors import UnsupportedFormat
from byheart.records import Record
from byheart.storage import Key, Vectors, schema
from byheart.storage.migrating import backups
from byheart.storage.sqlite import SqliteStore

STORES = Path(__file__).resolve().parent / "stores"

RECORDS = [
    Record(id="ada", text="Ada Lovelace wrote the first program.", tenant="default", scope="project",
           boundary_class="internal", topic="history", created_at=1_767_225_600.0, entities=["Ada Lovelace"]),
    Record(id="tee/1", text="Grüner Tee zieht drei Minuten. 好茶", tenant="küche", scope="s", boundary_class="public",
           created_at=1.5, expires_at=4_000_000_000.0, importance=0.25,
           metadata={"grad": [70, 80.5], "nested": {"x": None}}),
    Record(id="long", text="Many a word. " * 900, tenant="default", scope="project",
           boundary_class="secret", created_at=2.0),
]  # fmt: skip
ADA, TEE = Key("default", "project", "internal", "ada"), Key("küche", "s", "public", "tee/1")
VECTORS = {
    ADA: struct.pack("<4f", 0.5, -0.5, 0.5, 0.5),
    TEE: struct.pack("<4f", 1, 0, 0, 0),
}


def write(path: Path) -> None:
    """Write the store that each format is kept of; it has a past: something was replaced, something removed."""
    with SqliteStore(path) as store:
        store.write([*RECORDS, Record(id="gone", text="x", tenant="t", scope="s", boundary_class="public")], [])
        store.write(RECORDS[:2], [Key("t", "s", "public", "gone")], Vectors("family/4/v1", VECTORS))
        store.adopt("family/4/v1")


def test_there_is_a_file_of_every_format() -> None:
    assert [file.name for file in sorted(STORES.iterdir())] == [f"format-{n}.db" for n in range(1, schema.VERSION + 1)]


@pytest.mark.parametrize("version", range(1, schema.VERSION + 1))
@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_of_this_format_is_read_and_written(tmp_path: Path, version: int, read_only: bool) -> None:
    path = tmp_path / "memory.db"
    shutil.copy(STORES / f"format-{version}.db", path)
    if read_only and version < schema.VERSION:
        with pytest.raises(UnsupportedFormat, match=f"of format {version}; open it once for writing"):
            SqliteStore(path, read_only=True)
        assert [found.name for found in tmp_path.iterdir()] == [path.name]
        return
    with SqliteStore(path, read_only=read_only) as store:
        assert sorted(store.load(), key=lambda found: str(found.id)) == sorted(RECORDS, key=lambda one: str(one.id))
        assert store.get([TEE, ADA, Key("default", "other", "internal", "ada")]) == [RECORDS[1], RECORDS[0], None]
        assert dict(store.vectors("family/4/v1")) == VECTORS
        assert store.model() == "family/4/v1"
        assert store.expired(5e9) == [TEE]
        assert store.check() == []
        if not read_only:
            store.write([RECORDS[2]], [ADA])
            assert [found.id for found in store.load()] == ["tee/1", "long"]
            assert store.check() == []


def test_marks_of_unwritten_tiers_are_passed_over(tmp_path: Path) -> None:
    """Files of formats 1 and 2 carry one, made by what wrote them once; nothing reads it, sound or not."""
    path = tmp_path / "memory.db"
    for version in (1, 2):
        shutil.copy(STORES / f"format-{version}.db", path)
        with sqlite3.connect(path) as connection:
            assert connection.execute("UPDATE tier_dirty SET dimensions = 999").rowcount == 1
        connection.close()
        with byheart.Memory(path) as memory:
            assert memory.check() == []
            assert memory.forget("ada").ids == ("ada",)
            assert memory.check() == []


@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_a_migrated_file_erases_what_it_held(tmp_path: Path, version: int) -> None:
    """Rows move where a migration makes them longer, and leave copies: the file is rewritten before it erases."""
    path = tmp_path / "memory.db"
    shutil.copy(STORES / f"format-{version}.db", path)
    with SqliteStore(path) as store:
        assert b"Ada Lovelace" in path.read_bytes()
        store.write([], [ADA])
    [backup] = backups(path)
    header = 100  # SQLite counts its own writes in it
    assert backup.read_bytes()[header:] == (STORES / f"format-{version}.db").read_bytes()[header:]
    left = b"".join(found.read_bytes() for found in tmp_path.iterdir() if found != backup)
    assert b"Ada Lovelace" not in left


@pytest.mark.parametrize("version", range(1, schema.VERSION))
def test_a_memory_says_that_a_copy_lies_beside_it(tmp_path: Path, version: int) -> None:
    path = tmp_path / "memory.db"
    shutil.copy(STORES / f"format-{version}.db", path)
    for _ in range(2):
        with byheart.Memory(path) as memory:
            assert f"memory.db.byheart-backup-{version}: the file as it was before it was migrated" in memory.opened
            assert memory.get("ada").text == RECORDS[0].text and memory.check() == []
    backups(path)[0].unlink()
    with byheart.Memory(path) as memory:
        assert "backup" not in memory.opened


if __name__ == "__main__":
    write(Path(sys.argv[1]))
