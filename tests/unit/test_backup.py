"""Backups of memories in use: equal, exclusive, never over somebody else's file; and nothing half done."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import BoundaryViolation, InvalidArgument, StoreBusy, StoreError
from byheart.storage import backing_up
from byheart.storage.locking import hold

KINDS = {"memory.db": "backup.db", "memory.jsonl": "backup.jsonl", "": "backup.db", "in process": "backup.jsonl"}


def opened(kind: str, folder: Path, **how: Any) -> byheart.Memory:
    path = folder / kind if "." in kind else None
    return byheart.Memory(path, embedder=HashingEmbedder(16), **how)


def furnish(memory: byheart.Memory) -> None:
    for number in range(20):
        memory.remember(
            f"tea number {number}", id=f"r{number}", created_at=float(number), session_id=f"s{number % 3}",
            tenant=["default", "rival"][number % 2], boundary_class=["public", "secret"][number % 2],
            metadata={"n": number},
        )  # fmt: skip
    memory.ingest_turn("I prefer the aisle seat", session_id="s1", id="turn", now=30.0, durable="all")
    memory.compact("s1", force=True, now=40.0)
    memory.forget("r4")
    memory.search("tea", now=50.0)  # writes an event


def told(memory: byheart.Memory) -> Any:
    """Return what a memory says: records, answers, counts, events."""
    everything = [{"tenant": tenant, "classes": ["public", "internal", "pii", "secret"]} for tenant in memory.tenants()]
    answers = [
        memory.recall("tea number 3", profile=profile, boundary=inside, now=60.0).to_dict()
        for inside in everything for profile in ("auto", "dense", "kb-fast")
    ]  # fmt: skip
    records = [memory.records(boundary=inside).to_dict() for inside in everything]
    return json.dumps([answers, records, memory.stats(), memory.sessions(), memory.events().to_dict()], default=repr)


@pytest.fixture(params=KINDS)
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[byheart.Memory]:
    with opened(request.param, tmp_path) as memory:
        furnish(memory)
        yield memory


@pytest.fixture
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    kind = request.node.callspec.params.get("memory", "memory.db")
    return tmp_path / KINDS[kind]


def beside(target: Path) -> list[str]:
    return sorted(each.name for each in target.parent.iterdir() if each.name.startswith(target.name))


def test_a_backup_opens_as_a_memory_and_is_equal(memory: byheart.Memory, target: Path) -> None:
    done = memory.backup(target)
    assert done.path == str(target) and done.bytes == target.stat().st_size and not done.replaced
    assert done.records == sum(memory.count(boundary=inside) for inside in whole(memory))
    assert target.stat().st_mode & 0o777 == 0o600
    assert beside(target) == [target.name, f"{target.name}.byheart-lock"]
    with byheart.Memory(target, embedder=HashingEmbedder(16)) as copy:
        if target.suffix == ".jsonl":  # a text file keeps no vectors, as a memory in one does not
            copy.embed()
        else:
            assert copy.embed().made == 0
        assert told(copy) == told(memory) and copy.check() == []


def whole(memory: byheart.Memory) -> list[dict[str, Any]]:
    classes = ["public", "internal", "pii", "secret"]
    return [{"tenant": tenant, "classes": classes} for tenant in memory.tenants()]


@pytest.mark.parametrize("kind", ["memory.db", "memory.jsonl"])
def test_an_older_backup_is_replaced_and_nothing_else_ever_is(kind: str, tmp_path: Path) -> None:
    target = tmp_path / KINDS[kind]
    with opened(kind, tmp_path) as memory:
        furnish(memory)
        memory.backup(target)
        memory.remember("coffee", id="coffee")
        done = memory.backup(str(target))
        assert done.replaced and memory.backup(target).replaced
        with byheart.Memory(target, read_only=True) as copy:  # who reads it changes nothing
            assert copy.get("coffee").text == "coffee"
        assert memory.backup(target).replaced
        with byheart.Memory(target) as copy:
            copy.recall("coffee")
        assert memory.backup(target).replaced
        with byheart.Memory(target) as copy:
            copy.remember("somebody's own", id="own")
        before = target.read_bytes()
        with pytest.raises(StoreError, match="no older backup of this memory that nothing was written to since"):
            memory.backup(target)
        assert target.read_bytes() == before
        with byheart.Memory(target) as copy:
            assert copy.get("own").text == "somebody's own"


@pytest.mark.parametrize("kind", ["memory.db", "memory.jsonl"])
@pytest.mark.parametrize("change", ["touched", "updated", "forgotten", "purged"])
def test_a_backup_in_which_nothing_is_as_it_was_is_replaced(kind: str, change: str, tmp_path: Path) -> None:
    target = tmp_path / KINDS[kind]
    with opened(kind, tmp_path) as memory:
        memory.remember_many([{"text": "the counter", "id": id, "expires_at": 2e9} for id in "abc"])
        memory.backup(target)
        for id in "abc":
            if change == "touched":
                memory.touch(id)
            elif change == "updated":
                memory.update(id, text=f"the other counter {id}")
            elif change == "forgotten":
                memory.forget(id)
        if change == "purged":
            memory.purge(now=3e9)
        assert memory.backup(target).replaced
        with byheart.Memory(target, read_only=True) as copy:
            assert copy.count() == memory.count()


def test_a_copy_that_no_backup_made_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("tea", id="a")
        shutil.copy(tmp_path / "memory.db", target)
        before = target.read_bytes()
        with pytest.raises(StoreError, match="no older backup"):
            memory.backup(target)
        assert target.read_bytes() == before


def test_a_text_backup_that_was_edited_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "backup.jsonl"
    with byheart.Memory(tmp_path / "memory.jsonl") as memory:
        memory.remember("tea", id="a")
        memory.backup(target)
        target.write_bytes(target.read_bytes().replace(b'"tea"', b'"rum"'))
        with pytest.raises(StoreError, match="no older backup"):
            memory.backup(target)
        assert b'"rum"' in target.read_bytes()


def test_a_file_that_comes_to_be_meanwhile_stays(
    memory: byheart.Memory, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backing_up, "_sync", lambda new: target.write_text("mine"))
    with pytest.raises(StoreError, match="another program has made it meanwhile"):
        memory.backup(target)
    assert target.read_text() == "mine" and not [name for name in beside(target) if "backing-up" in name]


@pytest.mark.parametrize("kind", ["memory.db", "memory.jsonl"])
def test_a_file_that_takes_the_place_of_an_older_backup_meanwhile_stays(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / KINDS[kind]
    with opened(kind, tmp_path) as memory:
        memory.remember("tea")
        memory.backup(target)
        monkeypatch.setattr(backing_up, "_sync", lambda new: target.write_text("mine"))
        with pytest.raises(StoreError, match="no older backup"):
            memory.backup(target)
    assert target.read_text() == "mine" and not [name for name in beside(target) if "backing-up" in name]


@pytest.mark.parametrize("kind", ["memory.db", "memory.jsonl"])
def test_a_backup_of_another_memory_is_not_replaced(kind: str, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    target = tmp_path / KINDS[kind]
    other = "other" + kind[6:]
    with opened(kind, tmp_path) as memory, byheart.Memory(tmp_path / "other" / other) as another:
        another.remember("tea of others", id="r1")
        memory.remember("tea", id="a")
        for path in (tmp_path / kind, tmp_path / "other" / other) if kind == "memory.db" else ():
            raw = sqlite3.connect(path)  # as older builds wrote it: made in one second, told apart by what they hold
            raw.execute("UPDATE migrations SET applied_at = '2026-11-22T00:00:00+00:00'")
            raw.commit()
            raw.close()
        another.backup(target)
        before = target.read_bytes()
        with pytest.raises(StoreError, match="no older backup"):
            memory.backup(target)
        assert target.read_bytes() == before


def test_a_newer_backup_is_not_replaced_by_what_was_restored(tmp_path: Path) -> None:
    source, older, newer = tmp_path / "memory.db", tmp_path / "older.db", tmp_path / "newer.db"
    with byheart.Memory(source) as memory:
        memory.remember("tea", id="a")
        memory.backup(older)
        memory.remember("rice", id="b")
        memory.backup(newer)
    shutil.copy(older, source)
    with byheart.Memory(source) as restored:
        assert restored.count() == 1 and restored.backup(older).replaced
        with pytest.raises(StoreError, match="no older backup"):
            restored.backup(newer)
    with byheart.Memory(newer) as copy:
        assert copy.count() == 2


def foreign(tmp_path: Path, target: Path) -> dict[str, Any]:
    def database() -> None:
        connection = sqlite3.connect(target)
        connection.execute("CREATE TABLE notes (text)")
        connection.commit()
        connection.close()

    def memory() -> None:
        with byheart.Memory(target) as made:
            made.remember("somebody else's")

    return {
        "a text": lambda: target.write_text("notes of mine"),
        "nothing": lambda: target.write_bytes(b""),
        "a memory": memory,
        **({} if target.suffix == ".jsonl" else {"a database": database}),
        "a folder": target.mkdir,
        "a link": lambda: target.symlink_to(tmp_path / "elsewhere"),
        "a link to a file": lambda: ((tmp_path / "kept").write_text("kept"), target.symlink_to(tmp_path / "kept")),
        "a pipe": lambda: os.mkfifo(target),
    }


@pytest.mark.parametrize("what", [*foreign(Path(), Path("x.db"))])
def test_what_is_somebody_elses_stays(memory: byheart.Memory, target: Path, tmp_path: Path, what: str) -> None:
    if what not in foreign(tmp_path, target):
        return
    foreign(tmp_path, target)[what]()
    before = (target.lstat().st_ino, target.lstat().st_size, target.lstat().st_mtime_ns)
    with pytest.raises(StoreError, match=r"exists, and is no older backup|symbolic link|no regular file"):
        memory.backup(target)
    assert (target.lstat().st_ino, target.lstat().st_size, target.lstat().st_mtime_ns) == before
    assert not (tmp_path / "elsewhere").exists() and (not (tmp_path / "kept").exists() or what == "a link to a file")
    assert not [name for name in beside(target) if "backing-up" in name]


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("memory.db", InvalidArgument, "is the memory itself; name another file"),
        ("memory.db-journal", InvalidArgument, "is a name that the memory needs beside its file"),
        ("memory.db.byheart-lock", InvalidArgument, "is a name that the memory needs"),
        ("absent/backup.db", InvalidArgument, "the folder of"),
        ("backup.jsonl", InvalidArgument, "is of another kind than the memory, which is no text file; use export_to"),
        ("", InvalidArgument, "target: is empty"),
        (5, TypeError, "target must be a path, not int"),
    ],
)
def test_bad_targets_are_one_typed_error(tmp_path: Path, name: Any, error: type[Exception], message: str) -> None:
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("tea")
        there = sorted(tmp_path.iterdir())
        with pytest.raises(error, match=message):
            memory.backup(tmp_path / name if name and isinstance(name, str) else name)
        assert sorted(tmp_path.iterdir()) == there and memory.check() == []
        again = tmp_path / ".." / tmp_path.name / "memory.db"
        with pytest.raises(InvalidArgument, match="is the memory itself"):
            memory.backup(again)


@pytest.mark.parametrize("how", [{"boundary": {"classes": ["public"]}}, {"policy": "default"}])
def test_a_memory_that_sees_a_part_backs_up_nothing(how: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember("mail ada@example.com", boundary_class="secret")
    with byheart.Memory(path, **how) as bounded:
        with pytest.raises(BoundaryViolation, match="by export_to"):
            bounded.backup(tmp_path / "backup.db")
        assert beside(tmp_path / "backup.db") == []


def test_a_journal_that_would_be_played_into_the_backup_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    (tmp_path / "backup.db-journal").write_bytes(bytes.fromhex("d9d505f920a163d7") + bytes(600))
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("tea")
        with pytest.raises(StoreError, match="would be taken for the backup's"):
            memory.backup(target)
        assert not target.exists()


def test_what_a_process_left_that_died_is_cleared_and_anybody_elses_is_not(tmp_path: Path) -> None:
    left = tmp_path / ("backup.db" + backing_up.BEING_MADE)
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("tea")
        left.write_bytes(b"SQLite format 3\0 half a backup")
        assert memory.backup(tmp_path / "backup.db").records == 1 and not left.exists()
        left.write_text("mine")
        with pytest.raises(StoreError, match="was not made by byheart"):
            memory.backup(tmp_path / "backup.db")
        assert left.read_text() == "mine"


@pytest.mark.parametrize("replaced", [False, True])
def test_a_backup_that_fails_leaves_what_was_there(
    memory: byheart.Memory, target: Path, replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if replaced and memory._engine.store.model is not None and hasattr(memory._engine.store, "path"):
        memory.backup(target)
    before = target.read_bytes() if target.exists() else None

    def failing(path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backing_up, "_sync", failing)
    with pytest.raises(StoreError, match="No space left on device"):
        memory.backup(target)
    assert (target.read_bytes() if target.exists() else None) == before
    assert [name for name in beside(target) if "lock" not in name] == ([target.name] if before else [])


def test_a_backup_that_fails_says_why_though_its_file_is_gone_already(
    memory: byheart.Memory, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(path: Path) -> None:
        path.unlink()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backing_up, "_sync", failing)
    with pytest.raises(StoreError, match="No space left on device"):
        memory.backup(target)


def test_one_backup_of_a_place_is_made_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "backup.db"
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("tea")
        monkeypatch.setattr(backing_up, "_LOCK_SECONDS", 0.0)
        with hold(tmp_path / "backup.db.byheart-lock", 0.0), pytest.raises(StoreBusy, match="held by process"):
            memory.backup(target)
        assert not target.exists()


def test_a_memory_that_is_only_read_is_backed_up_and_a_closed_one_not(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("tea", id="a")
    with pytest.raises(StoreError, match="closed"):
        memory.backup(tmp_path / "backup.db")
    with byheart.Memory(tmp_path / "memory.db", read_only=True) as reading:
        assert reading.backup(tmp_path / "backup.db").records == 1


def test_damaged_lines_of_a_text_file_are_in_its_backup(tmp_path: Path) -> None:
    path, target = tmp_path / "memory.jsonl", tmp_path / "backup.jsonl"
    with byheart.Memory(path) as memory:
        memory.remember_many([{"id": "a", "text": "tea"}, {"id": "b", "text": "rice"}])
        path.write_bytes(path.read_bytes().replace(b'"rice"', b'"rice'))
        assert memory.count() == 1 and memory.backup(target).records == 1
    with byheart.Memory(target) as copy:
        assert [problem.key.id for problem in copy.check() if problem.key] == ["b"] and b'"rice' in target.read_bytes()


def test_a_memory_that_is_open_on_an_older_backup_keeps_its_locks(tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("tea")
        memory.backup(target)
        with byheart.Memory(target) as copy:
            copy.count()
            memory.backup(target)
            with pytest.raises(StoreError, match="was replaced by another file"):
                copy.remember("lost?")


@pytest.mark.parametrize("kind", ["memory.db", "memory.jsonl", ""])
def test_backups_beside_writers_are_each_of_one_moment(kind: str, tmp_path: Path) -> None:
    target, acknowledged, stop = tmp_path / KINDS[kind], list[str](), threading.Event()
    with opened(kind, tmp_path) as memory:

        def write(writer: int) -> None:
            for number in range(200):
                if stop.is_set():
                    return
                pair = [f"{writer}-{number}-{half}" for half in "ab"]
                memory.remember_many([{"id": id, "text": f"tea {id}"} for id in pair])
                acknowledged.extend(pair)

        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(2)]
        for thread in threads:
            thread.start()
        try:
            for turn in range(6):
                place = target.with_name(f"{turn}{target.suffix}")
                before = set(acknowledged)
                done = memory.backup(place)
                with byheart.Memory(place) as copy:
                    held = {record.id for record in copy.records()}
                    assert before <= held and len(held) == done.records and copy.check() == []
                    assert all(f"{id[:-1]}{half}" in held for id in held for half in "ab")  # a write is whole
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        assert set(acknowledged) <= {record.id for record in memory.records()}


def test_text_backups_of_two_memories_of_one_name_do_not_replace_each_other(tmp_path: Path) -> None:
    target = tmp_path / "backup.jsonl"
    for who in ("ann", "bob"):
        (tmp_path / who).mkdir()
        with byheart.Memory(tmp_path / who / "memory.jsonl") as memory:
            memory.remember(f"only {who} knows this", id="same")
            if who == "ann":
                memory.backup(target)
            else:
                with pytest.raises(StoreError, match="no older backup of this memory"):
                    memory.backup(target)
    assert b"only ann knows this" in target.read_bytes()


def test_a_text_memory_that_was_lost_and_begun_anew_does_not_replace_the_backup_of_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, target = tmp_path / "memory.jsonl", tmp_path / "backup.jsonl"
    with byheart.Memory(path) as memory:
        memory.remember_many({"text": f"note {at}", "id": f"n{at}"} for at in range(5))
        memory.backup(target)
    path.unlink()
    monkeypatch.setattr(backing_up, "_MADE", {})  # another process
    for text in (None, "a new beginning"):
        with byheart.Memory(path) as memory:
            if text is not None:
                memory.remember(text)
            with pytest.raises(StoreError, match="no older backup of this memory"):
                memory.backup(target)
    with byheart.Memory(target, read_only=True) as copy:
        assert copy.count() == 5


def test_a_text_backup_of_before_is_replaced_by_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "backup.jsonl"
    with byheart.Memory(tmp_path / "memory.jsonl") as memory:
        memory.remember_many({"text": f"note {at}", "id": f"n{at}"} for at in range(3))
        memory.backup(target)
        monkeypatch.setattr(backing_up, "_MADE", {})
        memory.forget("n0")
        memory.update("n1", text="another note")
        assert memory.backup(target).replaced


def test_what_a_backup_that_was_killed_left_goes_with_the_next_one(tmp_path: Path) -> None:
    left, own = tmp_path / "b.db.byheart-backing-up-x1y2", tmp_path / "b.db.byheart-backing-up-mine"
    for folder, name in ((left, "memory"), (left, "memory-journal"), (own, "letters.txt")):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text("the text of a note", encoding="utf-8")
    memory = byheart.Memory()
    memory.remember("tea")
    memory.backup(tmp_path / "b.db")
    assert not left.exists() and (own / "letters.txt").read_text(encoding="utf-8") == "the text of a note"
