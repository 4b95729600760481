"""A store file of two names has two journals and two folders of saved indexes: what was forgotten stayed in one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import ReadOnlyStore
from byheart.storage.beside import BEING_MADE, NEW
from byheart.storage.sqlite import SqliteStore


def remember(path: Path, text: str) -> None:
    with Memory(path, noise=None) as memory:
        memory.remember(text, id=text)


def test_a_file_of_several_names_is_only_read(tmp_path: Path) -> None:
    path, other = tmp_path / "notes.db", tmp_path / "more.db"
    remember(path, "tea")
    os.link(path, other)
    for name in (path, other):
        with Memory(name, noise=None) as memory:
            assert [hit.id for hit in memory.recall("tea")] == ["tea"]
            for write in (lambda: memory.remember("rice"), lambda: memory.forget(ids=["tea"])):
                with pytest.raises(ReadOnlyStore, match=rf"{name.name}: has several names .*copy it"):
                    write()
        with pytest.raises(ReadOnlyStore, match=rf"{name.name}: has several names"):
            SqliteStore(name, read_only=False)
        with Memory(name, read_only=True, noise=None) as memory:
            assert memory.get("tea")
    shutil.copy(other, tmp_path / "copy")
    (tmp_path / "copy").replace(other)
    remember(other, "rice")
    remember(path, "salt")
    with Memory(path, noise=None) as memory:
        assert [record.id for record in memory.records()] == ["salt", "tea"]


def test_a_snapshot_made_of_links_does_not_stop_a_memory_that_is_open(tmp_path: Path) -> None:
    with Memory(tmp_path / "notes.db", noise=None) as memory:
        memory.remember("tea", id="tea")
        os.link(tmp_path / "notes.db", tmp_path / "snapshot")
        memory.remember("rice", id="rice")
        assert memory.get("rice")


@pytest.mark.parametrize("ending", [NEW, BEING_MADE])
def test_one_whose_maker_died_before_it_had_one_name_is_opened(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "notes.db"
    remember(path, "tea")
    os.link(path, tmp_path / f"notes.db{ending}")
    remember(path, "rice")
    with Memory(path, noise=None) as memory:
        assert [record.id for record in memory.records()] == ["rice", "tea"]


def test_a_text_file_of_several_names_is_replaced_as_editors_do(tmp_path: Path) -> None:
    """Each write makes a new file, which has one name; the other name keeps what was there, as a copy does."""
    path, snapshot = tmp_path / "notes.jsonl", tmp_path / "snapshot.jsonl"
    remember(path, "tea")
    os.link(path, snapshot)
    before = snapshot.read_bytes()
    remember(path, "rice")
    assert snapshot.read_bytes() == before
    with Memory(path, noise=None) as memory:
        assert [record.id for record in memory.records()] == ["rice", "tea"]
