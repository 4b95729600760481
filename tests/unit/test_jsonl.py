"""The memory file: what is on disk, what is refused, and what two writers do to each other."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.errors import CorruptRecord, StoreError, StoreReplaced, UnsupportedFormat
from byheart.storage import Problem
from byheart.storage.jsonl import JsonlStore
from byheart.storage.log import Log
from byheart.storage.text_file import TextFile

from .store_files import key, keys, record

HEADER = '{"format": "byheart-jsonl", "version": 1}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


def line(key: str, text: str = "x") -> str:
    return json.dumps(record(key, text).to_dict()) + "\n"


def texts(path: Path) -> dict[str, str]:
    return {str(found.id): found.text for found in JsonlStore(path).load()}


def names(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir())


def test_a_missing_file_is_an_empty_memory(path: Path) -> None:
    assert JsonlStore(path).load() == []
    assert not path.exists(), "reading creates nothing"


def test_a_memory_makes_its_file_at_once_so_that_a_reader_can_open_it(tmp_path: Path) -> None:
    for name in ("memory.jsonl", "MEMORY.JSONL", "folder/memory.jsonl", "memory.db"):
        path = tmp_path / name
        Memory(path).close()
        with Memory(path, read_only=True) as reader, Memory(path) as writer:
            assert reader.count() == 0
            writer.remember("tea")
            assert reader.count() == 1
        assert path.read_bytes().startswith(b"SQLite" if name == "memory.db" else b'{"format": "byheart-jsonl"')
    with pytest.raises(StoreError, match="No such file"):
        Memory(tmp_path / "no" / "such" / "memory.jsonl")
    assert not (tmp_path / "no").exists()


def test_a_closed_memory_takes_and_gives_nothing(path: Path) -> None:
    for durability in ("full", "normal"):
        memory = Memory(path, durability=durability)  # type: ignore[arg-type]
        memory.remember("tea", id="a")
        memory.close()
        before = path.read_bytes()
        for call in (lambda: memory.remember("rice"), lambda: memory.recall("tea"), lambda: memory.forget("a")):  # noqa: B023
            with pytest.raises(StoreError, match="closed"):
                call()
        memory.close()
        assert path.read_bytes() == before


def test_what_is_written_is_loaded(path: Path) -> None:
    odd = record("b", "naïve 好 \u2028 line\nbreak", topic="T", metadata={"x": [1, 2.5, None]}, entities=["e"])
    store = JsonlStore(path)
    store.write([odd, record("a")], [])
    assert JsonlStore(path).load() == [record("a"), odd]
    assert store.get(keys(["b", "none", "a"])) == [odd, None, record("a")]


def test_one_id_may_stand_in_two_tenants(path: Path) -> None:
    store = JsonlStore(path)
    store.write([record("a", "one", "t1"), record("a", "two", "t2")], [])
    store.write([], [key("a", "t1")])
    assert store.get(keys(["a"], "t1")) == [None]
    assert store.get(keys(["a"], "t2")) == [record("a", "two", "t2")]
    assert JsonlStore(path).load() == [record("a", "two", "t2")]


def test_the_file_is_a_header_and_a_line_a_record(path: Path) -> None:
    JsonlStore(path).write([record("b", "好"), record("a")], [])
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    assert json.loads(header) == {"format": "byheart-jsonl", "version": 1, "records": 2}
    assert [json.loads(line)["id"] for line in lines] == ["a", "b"]
    assert "好" in lines[1], "text stays readable"
    assert all(list(json.loads(line)) == sorted(json.loads(line)) for line in lines)


def test_bytes_do_not_depend_on_the_order_of_writes(tmp_path: Path) -> None:
    one, two = JsonlStore(tmp_path / "1"), JsonlStore(tmp_path / "2")
    one.write([record("a"), record("b"), record("é"), record("z")], [])
    for name in ("é", "z", "b", "a"):
        two.write([record(name)], [])
    assert one.path.read_bytes() == two.path.read_bytes()


def test_a_record_is_replaced_by_its_id_and_removed_by_it(path: Path) -> None:
    store = JsonlStore(path)
    store.write([record("a", "old"), record("b"), record("c")], [])
    store.write([record("a", "new")], [key("b"), key("unknown"), key("c", "u")])
    assert texts(path) == {"a": "new", "c": "some text"}


def test_an_id_both_removed_and_put_is_put(path: Path) -> None:
    JsonlStore(path).write([record("a")], [key("a")])
    assert list(texts(path)) == ["a"]


def test_a_write_that_changes_nothing_leaves_the_file(path: Path) -> None:
    store = JsonlStore(path)
    store.write([record("a")], [])
    before = path.stat()
    store.write([record("a")], [key("unknown")])
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "the file is empty; remove it, and a new memory is made there"),
        ("{}\n", "line 1: not a memory file"),
        ("[1]\n", "line 1: not a JSON object"),
        ('{"text": "notes of mine"}\n', "line 1: not a memory file"),
        ('{"format": "notes", "version": 1}\n', "line 1: not a memory file"),
        ('{"format": "byheart-jsonl"}\n', "line 1: not a memory file"),
        ('{"format": "byheart-jsonl", "version": true}\n', "line 1: not a memory file"),
        ('{"format": "byheart-jsonl", "version": 1, "records": "2"}\n', 'line 1: "records" must be'),
        (HEADER + "\nnot json\n", "line 2: not JSON"),
        (HEADER + '\n["id"]\n', "line 2: not a JSON object"),
        (HEADER + '\n{"id": "a"}\n', "line 2: text: is empty"),
        (HEADER + '\n{"id": "a", "text": 7}\n', "line 2: text must be str"),
        (HEADER + '\n{"id": "a", "text": "x", "colour": 1}\n', "line 2: record: unknown field 'colour'"),
        (HEADER + '\n{"id": "a", "text": "x"}\n', "line 2: the record has no tenant; byheart alone writes this file"),
        (HEADER + '\n{"text": "x"}\n', "a line of your own is taken from another one: `byheart import FILE`"),
        (HEADER + "\n" + line("a") + line("a", "y"), "line 3: a second record with the id 'a'"),
        (HEADER + "\n" + line("a").rstrip()[:-1], "line 2: the line is cut off"),
        (HEADER + "\n" + "[" * 100_000 + "\n", "line 2: not JSON"),
        ('{"format": "byheart-jsonl", "version": 1, "records": 2}\n' + line("a"), "1 records, but line 1 says 2"),
    ],
)
def test_a_bad_file_is_named_by_line_and_what_is_bad_is_left_as_it_is(path: Path, content: str, complaint: str) -> None:
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CorruptRecord) as caught:
        JsonlStore(path).load()
    assert str(path) in str(caught.value)
    assert complaint in str(caught.value)
    assert path.read_text(encoding="utf-8") == content
    if "line 1:" in complaint or not content:  # it need not be a memory file at all
        with pytest.raises(CorruptRecord):
            JsonlStore(path).write([record("b")], [])
        assert path.read_text(encoding="utf-8") == content
        return
    JsonlStore(path).write([record("z")], [])
    damaged: list[Problem] = []
    assert JsonlStore(path).load(damaged)[-1].id == "z"
    assert [each.message for each in JsonlStore(path).check()] == [each.message for each in damaged] != []
    lines = path.read_text(encoding="utf-8").splitlines()
    assert all(line in lines for line in content.splitlines()[1:])
    assert len(JsonlStore(path).repair()) == len(damaged)
    assert JsonlStore(path).check() == JsonlStore(path).repair() == []
    assert JsonlStore(path).load()[-1].id == "z"


def test_bytes_that_are_not_utf8_are_refused(path: Path) -> None:
    path.write_bytes(HEADER.encode() + b'\n{"id": "a", "text": "\xff"}\n')
    with pytest.raises(CorruptRecord, match="line 2: not JSON in UTF-8"):
        JsonlStore(path).load()


def test_every_truncation_is_noticed(path: Path) -> None:
    JsonlStore(path).write([record("a"), record("b")], [])
    whole = path.read_bytes()
    for length in range(len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(CorruptRecord):
            JsonlStore(path).load()


def test_a_last_line_without_its_end_is_a_record_and_the_next_write_gives_it_one(path: Path) -> None:
    """As an editor may leave it. Line 1 says how many there are, so that nothing can be missing behind it."""
    JsonlStore(path).write([record("a"), record("b")], [])
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    store = JsonlStore(path)
    assert [each.id for each in store.load()] == ["a", "b"] and store.check() == []
    assert store.sequence() is not None and path.read_bytes() == whole[:-1], "reading changes nothing"
    store.write([record("c")], [])
    assert path.read_bytes().splitlines()[1:3] == whole.splitlines()[1:]
    assert JsonlStore(path).check() == [] and list(texts(path)) == ["a", "b", "c"]
    path.write_bytes(path.read_bytes()[:-1])
    store.write([], [key("a")])  # the lines that were read before are not parsed again
    assert list(texts(path)) == ["b", "c"]


def test_a_file_whose_last_line_has_no_end_is_imported(path: Path) -> None:
    Memory(path).remember_many([{"id": "a", "text": "tea"}, {"id": "b", "text": "rice"}])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    memory = Memory()
    assert memory.import_from(path) == 2 and memory.get("b").text == "rice"


def test_a_mark_of_utf8_and_blank_lines_are_no_damage_and_go_with_the_next_write(path: Path) -> None:
    JsonlStore(path).write([record("a"), record("b")], [])
    whole = path.read_bytes()
    first, a, b = whole.splitlines(keepends=True)
    path.write_bytes(b"".join((b"\xef\xbb\xbf", first, b"\n", a, b" \t\r\n", b, b"\n\n")))
    store = JsonlStore(path)
    assert [each.id for each in store.load()] == ["a", "b"]
    assert store.check() == []
    assert Memory(path).opened == "indexed 2 records"
    store.write([record("c")], [])
    store.write([], [key("c")])
    assert path.read_bytes() == whole, "as it was before an editor had it"


def test_a_newer_version_is_refused(path: Path) -> None:
    path.write_text('{"format": "byheart-jsonl", "version": 2}\n', encoding="utf-8")
    with pytest.raises(UnsupportedFormat, match="format version 2; this one reads 1"):
        JsonlStore(path).load()


def test_a_hand_written_file_needs_no_count(path: Path) -> None:
    path.write_text(HEADER + "\n" + line("z") + line("a", "y"), encoding="utf-8")
    assert texts(path) == {"z": "x", "a": "y"}


def test_a_failed_write_leaves_the_old_file_and_no_other(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = JsonlStore(path)
    store.write([record("a")], [])
    for owner, name in ((os, "fsync"), (Path, "replace")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, _no_space)
            with pytest.raises(StoreError, match=r"memory\.jsonl: no space"):
                store.write([record("b")], [])
        assert texts(path) == {"a": "some text"}
        assert store.get(keys(["b"])) == [None]
        assert names(path) == ["memory.jsonl", "memory.jsonl.byheart-lock"]
    store.write([record("c")], [])
    assert list(texts(path)) == ["a", "c"], "the failed put is not written later"


def _no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, "no space")


def test_a_file_left_by_a_process_that_died_is_no_obstacle(path: Path) -> None:
    path.with_name("memory.jsonl.byheart-new").write_text('{"format": "byheart-jsonl", "ver', encoding="utf-8")
    JsonlStore(path).write([record("a")], [])
    assert names(path) == ["memory.jsonl", "memory.jsonl.byheart-lock"]


def test_a_write_of_another_is_kept(path: Path) -> None:
    one, two = JsonlStore(path), JsonlStore(path)
    assert one.load() == two.load() == []
    one.write([record("a"), record("b")], [])
    two.write([record("c")], [key("a")])
    one.write([record("d")], [])
    assert list(texts(path)) == ["b", "c", "d"]


def test_an_open_store_says_what_others_wrote(path: Path) -> None:
    """What was read stays as it is until the store is asked what changed: an index built from it can follow."""
    one, two = JsonlStore(path), JsonlStore(path)
    one.write([record("a", "old"), record("x")], [])
    at = one.sequence()
    two.write([record("a", "new"), record("b")], [key("x")])
    assert [found.text for found in one.get(keys(["a"])) if found] == ["old"]
    changes = one.changes(at)
    assert changes.keys == set(keys(["a", "b", "x"])) and changes.sequence == one.sequence() > at
    assert one.get(keys(["a", "b", "x"])) == [record("a", "new"), record("b"), None]
    one.write([record("c")], [])
    assert one.changes(changes.sequence).keys == {key("c")}, "its own changes too"
    assert texts(path) == {"a": "new", "b": "some text", "c": "some text"}


def test_what_cannot_be_told_any_more_is_said_to_be(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byheart.storage.log._KEPT", 2)
    store = JsonlStore(path)
    at = store.sequence()
    for name in "abc":
        store.write([record(name)], [])
    assert store.changes(at).keys is None
    assert store.changes(store.sequence() - 1).keys == {key("c")}
    assert store.changes(store.sequence() + 1).keys is None, "of a number that was never given"


def test_after_a_change_of_everything_nothing_before_it_can_be_told() -> None:
    log = Log()
    log.note([key("a")])
    log.note_all()
    assert log.changes(1).keys is None and log.changes(2).keys == frozenset()
    log.note([key("b")])
    assert log.changes(1).keys is None and log.changes(2).keys == {key("b")}


WRITER = """
import sys
from byheart.records import Record
from byheart.storage.jsonl import JsonlStore
store = JsonlStore(sys.argv[1], lock_seconds=60)
for number in range(10):
    record = Record(id=f"{sys.argv[2]}{number}", text="x", tenant="t", scope="s", boundary_class="internal")
    store.write([record], [])
"""


def test_processes_that_write_at_once_lose_nothing(path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in "abc"]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    assert sorted(texts(path)) == sorted(f"{name}{number}" for name in "abc" for number in range(10))


def test_two_files_of_one_moment_and_one_size_are_told_apart(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number of a file is given again once nobody has it open; then time and size alone would tell them apart."""
    monkeypatch.setattr("byheart.storage.text_file._signature", lambda status: (status.st_ino, 0, status.st_size))
    one, two = JsonlStore(path), JsonlStore(path)
    one.write([record("a", "aaaa")], [])
    assert two.load() == [record("a", "aaaa")]
    for number in range(20):
        text = f"{number:04}"
        at = two.sequence()
        one.write([record("a", text[::-1])], [])
        one.write([record("a", text)], [])
        assert two.changes(at).keys == {key("a")}
        assert two.get(keys(["a"])) == [record("a", text)]
    one.close()
    two.close()
    one.close()


def test_bytes_that_only_read_like_a_known_line_are_damaged(path: Path) -> None:
    """A character that stands for bytes that cannot be read is not the same as such bytes."""
    store = JsonlStore(path)
    store.write([record("a", "tea \ufffd"), record("b")], [])
    path.write_bytes(path.read_bytes().replace("\ufffd".encode(), b"\xff"))
    damaged: list[Problem] = []
    assert [each.id for each in store.load(damaged)] == ["b"]
    assert [each.key for each in damaged] == [key("a")]


def test_a_file_that_a_flush_makes_while_somebody_looks_for_it_is_none_that_was_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = TextFile(tmp_path / "memory.jsonl")

    def missing(path: Path, *given: Any, **more: Any) -> Any:
        file.seen = (1, 2, 3)  # as another thread leaves it, which has just made the file
        raise FileNotFoundError

    with monkeypatch.context() as patched:
        patched.setattr(Path, "stat", missing)
        assert file.now() is None
        with pytest.raises(StoreReplaced):
            file.now()
    file.seen = None
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", missing)
        with pytest.raises(FileNotFoundError):
            file.read()
        with pytest.raises(StoreReplaced):
            file.read()
