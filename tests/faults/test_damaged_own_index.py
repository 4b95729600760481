"""An index of SQLite's own that is damaged: it is named, copied as it is with a word about it, and made anew."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

import byheart
from byheart.cli import main

NAMES = ["claim_vectors_by_claim", "claims_by_name"]


def indexes(path: Path) -> dict[str, tuple[int, int]]:
    """Return the indexes of a file, each with where its first page begins and ends."""
    with sqlite3.connect(path) as connection:
        [size] = connection.execute("PRAGMA page_size").fetchone()
        found = connection.execute("SELECT name, rootpage FROM sqlite_master WHERE type = 'index'").fetchall()
    connection.close()
    return {name: ((page - 1) * size, page * size) for name, page in found if not name.startswith("sqlite_")}


def damaged(path: Path) -> str:
    """Damage the last entry of an index, and return the name of that."""
    with byheart.Memory(path, vectors="m:3") as memory:
        memory.remember_many([{"id": f"i{at}", "text": f"teapot {at}", "vector": [at, 1, 2]} for at in range(40)])
    name, (begins, ends) = sorted(indexes(path).items())[0]
    raw = bytearray(path.read_bytes())
    assert begins < ends <= len(raw)
    raw[ends - 1] ^= 0x05
    path.write_bytes(bytes(raw))
    return name


def test_an_index_of_the_file_is_made_anew_by_a_repair(tmp_path: Path) -> None:
    path = tmp_path / "v.db"
    name = damaged(path)
    with byheart.Memory(path, vectors="m:3") as memory:
        found = memory.check()
        assert found and any(name in problem.message for problem in found)
        before = [(record.id, record.text) for record in memory.records()]
        assert memory.check(repair=True) == found
        assert memory.check() == [] and memory.stats()["vectors"] == 40
        assert [(record.id, record.text) for record in memory.records()] == before and len(before) == 40
    with byheart.Memory(path, vectors="m:3") as memory:
        assert memory.check() == [] and memory.recall("teapot 7", k=1)[0].id == "i7"


def test_a_backup_says_that_it_copied_what_is_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "v.db"
    name = damaged(path)
    with byheart.Memory(path, vectors="m:3") as memory:
        done = memory.backup(tmp_path / "a.db")
        assert done.damaged is not None and name in done.damaged
    assert main(["backup", str(tmp_path / "b.db"), "-m", str(path)]) == 1
    assert "copied as it is: " in capsys.readouterr().err
    assert main(["check", "--repair", "-m", str(path)]) == 0
    assert main(["check", "-m", str(path)]) == 0
    assert main(["backup", str(tmp_path / "c.db"), "-m", str(path)]) == 0
    with byheart.Memory(path, vectors="m:3") as memory:
        assert memory.backup(tmp_path / "d.db").damaged is None
