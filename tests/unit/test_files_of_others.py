"""Files of others beside a memory: none is replaced, emptied or removed, and no link is followed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from byheart import Memory
from byheart.errors import ByheartError, InvalidArgument, StoreBusy, StoreError
from byheart.storage.beside import INDEXES, LOCK, NEW
from byheart.storage.jsonl import JsonlStore
from byheart.storage.locking import hold
from byheart.storage.sections import MAGIC

posix_only = pytest.mark.skipif(os.name != "posix", reason="links and modes as POSIX has them")
MINE = b"version = 1\nmany lines of mine\n"
GENERATION = "generation-0123456789abcdef-00000000000000000012.bhgen"


def remember(path: Path) -> None:
    with Memory(path, noise=None) as memory:
        memory.remember("tea is good", id="tea")
        memory.forget("tea")
        memory.remember("tea is good", id="tea")


@pytest.mark.parametrize("name", ["uv", "poetry.db", "notes.jsonl"])
@pytest.mark.parametrize("suffix", [".lock", ".new", ".tmp", ".bak", ".indexes", "-lock", ".new-journal", ".old"])
def test_no_other_file_of_a_similar_name_is_touched(tmp_path: Path, name: str, suffix: str) -> None:
    others = tmp_path / f"{name}{suffix}"
    others.write_bytes(MINE)
    others.chmod(0o644)
    before = others.stat()
    remember(tmp_path / name)
    assert others.read_bytes() == MINE
    assert (others.stat().st_mode, others.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)


@pytest.mark.parametrize("suffix", [".lock", ".tmp", ".new", LOCK])
def test_an_export_touches_nothing_but_its_file(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"poetry{suffix}").write_bytes(MINE)
    with Memory() as memory:
        memory.remember("tea is good")
        assert memory.export_to(tmp_path / "poetry") == 1
    assert (tmp_path / f"poetry{suffix}").read_bytes() == MINE
    assert sorted(path.name for path in tmp_path.iterdir()) == ["poetry", f"poetry{suffix}"]


@pytest.mark.parametrize("name", ["notes.db", "notes.jsonl"])
@pytest.mark.parametrize("suffix", [LOCK, NEW, "-journal"])
def test_a_name_that_is_needed_and_taken_is_said_and_its_file_is_kept(tmp_path: Path, name: str, suffix: str) -> None:
    others = tmp_path / f"{name}{suffix}"
    others.write_bytes(MINE)
    if name.endswith(".jsonl") and suffix == "-journal":
        remember(tmp_path / name)
    else:
        with pytest.raises(StoreError, match=f"{others.name}.*move it away"):
            remember(tmp_path / name)
    assert others.read_bytes() == MINE


def test_a_journal_of_somebody_else_stops_an_open_of_what_is_there(tmp_path: Path) -> None:
    remember(tmp_path / "notes.db")
    (tmp_path / "notes.db-journal").write_bytes(MINE)
    with pytest.raises(StoreError, match=r"notes\.db-journal: .*move it away"):
        Memory(tmp_path / "notes.db")
    assert (tmp_path / "notes.db-journal").read_bytes() == MINE


@posix_only
@pytest.mark.parametrize("suffix", [LOCK, NEW])
@pytest.mark.parametrize("name", ["notes.db", "notes.jsonl"])
@pytest.mark.parametrize("there", [True, False])
def test_links_are_not_followed(tmp_path: Path, name: str, suffix: str, there: bool) -> None:
    target = tmp_path / "target"
    if there:
        target.write_bytes(MINE)
    (tmp_path / f"{name}{suffix}").symlink_to(target)
    with pytest.raises(StoreError, match="is a symbolic link"):
        remember(tmp_path / name)
    assert target.read_bytes() == MINE if there else not target.exists()


@posix_only
@pytest.mark.parametrize("target", ["nowhere/file", "real/planted", "real/mine"])
def test_an_export_follows_no_link(tmp_path: Path, target: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "mine").write_bytes(MINE)
    (tmp_path / "out").symlink_to(tmp_path / target)
    with Memory() as memory:
        memory.remember("tea is good")
        with pytest.raises(InvalidArgument, match="exists"):
            memory.export_to(tmp_path / "out")
    assert [path.name for path in (tmp_path / "real").iterdir()] == ["mine"]
    assert (tmp_path / "real" / "mine").read_bytes() == MINE


@posix_only
@pytest.mark.parametrize("suffix", [INDEXES, ".indexes"])
def test_a_linked_folder_of_indexes_loses_nothing(tmp_path: Path, suffix: str) -> None:
    real = tmp_path / "real"
    real.mkdir()
    for name in ("generation-victim.txt", GENERATION, f"{GENERATION}.12.tmp", ".lock"):
        (real / name).write_bytes(MINE)
    (tmp_path / f"notes.db{suffix}").symlink_to(real)
    with Memory(tmp_path / "notes.db", noise=None) as memory:
        memory.remember("tea is good", id="tea")
        if suffix == INDEXES:
            with pytest.raises(StoreError, match="is a symbolic link"):
                memory.forget("tea")
            assert "is a symbolic link" in memory.opened
        else:
            assert memory.forget("tea").ids == ("tea",)
            assert "notes.db.indexes: a link" in memory.opened
    assert {path.name: path.read_bytes() for path in real.iterdir()} == dict.fromkeys(
        ("generation-victim.txt", GENERATION, f"{GENERATION}.12.tmp", ".lock"), MINE
    )


@pytest.mark.parametrize("suffix", [INDEXES, ".indexes"])
def test_files_in_a_folder_of_indexes_that_are_no_generations_stay(tmp_path: Path, suffix: str) -> None:
    folder = tmp_path / f"notes.db{suffix}"
    folder.mkdir()
    (folder / "generation-victim.txt").write_bytes(MINE)
    (folder / "generation-notes.tmp").write_bytes(MINE)
    with Memory(tmp_path / "notes.db", noise=None) as memory:
        memory.remember("tea is good", id="tea")
        assert memory._engine.indexes.save()
        memory.forget("tea")
    assert (folder / "generation-victim.txt").read_bytes() == MINE
    assert (folder / "generation-notes.tmp").read_bytes() == MINE


def test_what_an_older_build_saved_is_erased_and_other_files_of_its_folder_are_not(tmp_path: Path) -> None:
    folder = tmp_path / "notes.db.indexes"
    folder.mkdir()
    (folder / ".lock").write_bytes(b"4711\n")
    (folder / GENERATION).write_bytes(MAGIC + b"the canary sings")
    (folder / f"{GENERATION}.12.tmp").write_bytes(MAGIC[:3])
    other = GENERATION.replace("12.bhgen", "13.bhgen")
    (folder / other).write_bytes(MINE)
    with Memory(tmp_path / "notes.db", noise=None) as memory:
        memory.remember("the canary sings", id="canary")
        assert set(memory.forget("canary").files) == {GENERATION, f"{GENERATION}.12.tmp"}
    assert sorted(path.name for path in folder.iterdir()) == [".lock", other]
    assert (folder / ".lock").read_bytes() == b"4711\n"


def test_what_an_older_build_saved_goes_when_a_generation_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "notes.db.indexes"
    folder.mkdir()
    (folder / GENERATION).write_bytes(MAGIC + b"stale")
    with Memory(tmp_path / "notes.db", noise=None) as memory:
        memory.remember("tea is good")
        assert memory._engine.indexes.save()
    assert list(folder.iterdir()) == []
    assert [path.suffix for path in (tmp_path / f"notes.db{INDEXES}").glob("generation-*")] == [".bhgen"]


@posix_only
def test_the_lock_of_an_older_build_is_held_as_well(tmp_path: Path) -> None:
    import fcntl

    path = tmp_path / "notes.jsonl"
    older = tmp_path / "notes.jsonl.lock"
    older.write_bytes(b"4711\n")
    with older.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(StoreBusy, match="held by process 4711"):
            JsonlStore(path, lock_seconds=0.05).write([], [])
    JsonlStore(path, lock_seconds=0.05).write([], [])
    assert older.read_bytes() == b"4711\n"


def test_a_lock_is_freed_whatever_happens(tmp_path: Path) -> None:
    for error in (KeyError, KeyboardInterrupt):
        with pytest.raises(error), hold(tmp_path / f"a{LOCK}", 0.0):
            raise error


@pytest.mark.parametrize("name", ["notes.db", "notes.jsonl"])
def test_a_file_that_comes_to_be_meanwhile_is_not_replaced(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program makes the file between our look and our change."""
    path, link = tmp_path / name, os.link

    def late(source: Path, target: Path) -> None:
        path.write_bytes(MINE)
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(ByheartError, match=name):
        remember(path)
    assert path.read_bytes() == MINE
    assert not (tmp_path / f"{name}{NEW}").exists()


@pytest.mark.parametrize("make", [lambda path: Memory(path), lambda path: JsonlStore(path).write([], [])])
def test_a_file_system_without_hard_links_will_do(
    tmp_path: Path, make: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError("no hard links here")

    monkeypatch.setattr(os, "link", refused)
    make(tmp_path / "notes.jsonl")
    remember(tmp_path / "notes.db")
    assert not list(tmp_path.glob(f"*{NEW}"))
