"""Ctrl-C at the end of a flush of a text file: the calls that come after it are no strangers', and stay."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import pytest

import byheart
from byheart.errors import StoreError
from byheart.storage import text_file


def broken_off(memory: byheart.Memory) -> None:
    """Flush, with an interrupt right behind the moment at which the new file takes its place."""
    with mock.patch.object(text_file, "sync_folder", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        memory.flush()


@pytest.fixture
def memory(tmp_path: Path) -> byheart.Memory:
    memory = byheart.Memory(tmp_path / "m.jsonl", durability="normal")
    memory.remember("first", id="a")
    memory.flush()
    return memory


def stored(path: Path) -> list[str | None]:
    with byheart.Memory(path, read_only=True) as other:
        return sorted(record.id for record in other.records() if record.id)


@pytest.mark.parametrize("more", [0, 1, 3])
@pytest.mark.parametrize("times", [1, 2])
def test_what_is_acknowledged_after_it_is_kept(memory: byheart.Memory, tmp_path: Path, more: int, times: int) -> None:
    wanted = ["a"]
    for time in range(times):
        wanted.append(f"b{time}")
        memory.remember(f"second {time}", id=f"b{time}")
        broken_off(memory)
        for number in range(more):
            wanted.append(f"c{time}{number}")
            memory.remember(f"third {time} {number}", id=f"c{time}{number}")
    memory.flush()
    assert sorted(record.id or "" for record in memory.records()) == sorted(wanted) == stored(tmp_path / "m.jsonl")
    memory.close()


def test_what_is_taken_back_after_it_is_gone(memory: byheart.Memory, tmp_path: Path) -> None:
    memory.remember("second", id="b")
    broken_off(memory)
    memory.forget("b")
    memory.flush()
    assert [record.id for record in memory.records()] == stored(tmp_path / "m.jsonl") == ["a"]
    memory.close()


def test_a_stranger_who_changes_the_file_after_it_is_noticed(memory: byheart.Memory, tmp_path: Path) -> None:
    memory.remember("second", id="b")
    broken_off(memory)
    memory.remember("third", id="c")
    path = tmp_path / "m.jsonl"
    path.write_bytes(path.read_bytes().replace(b"second", b"SECOND"))
    with pytest.raises(StoreError, match="another program has changed it"):
        memory.flush()
    memory.close()
