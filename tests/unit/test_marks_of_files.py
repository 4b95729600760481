"""Marks of what a file said: the same in every version, and of a record without one, what it says itself."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import byheart
from byheart.cli.importer import Importer
from byheart.writing.said import said, said_before

CELL = {"tenant": "default", "scope": "project", "boundary_class": "internal"}


def test_a_mark_is_the_same_in_every_version() -> None:
    """Marks that were stored are compared with those of today: another way to write them would change all files."""
    record = byheart.Record(text="Gr\u00fcner Tee \u2615", metadata={"room": {"b": 1, "a": "\u00fc"}})
    written = {"text": '"Gr\u00fcner Tee \u2615"', "metadata.room": '{"a": "\u00fc", "b": 1}'}
    assert said(record) == {name: sha256(text.encode()).hexdigest()[:12] for name, text in written.items()}


def test_of_a_record_without_a_mark_text_title_and_metadata_are_the_files() -> None:
    """Whatever the file says now; of anything else, only what it says now: the rest may have been put on by hand."""
    record = byheart.Record(text="Tea.", topic="Drinks", importance=0.5, quality=0.5, metadata={"room": 1})
    whole = said(record)
    own = {"text", "topic", "metadata.room"}
    assert said_before(record, {}) == {name: whole[name] for name in own}
    assert said_before(record, {"quality": "x"}) == {name: whole[name] for name in {*own, "quality"}}


def test_a_title_that_a_file_says_no_more_goes_from_a_record_without_a_mark(tmp_path: Path) -> None:
    file, memory = tmp_path / "k.jsonl", byheart.Memory()

    def imported(**line: object) -> byheart.Record:
        file.write_text(json.dumps({"id": "k", **line}) + "\n", encoding="utf-8")
        Importer(memory, ":memory:", CELL).run([str(file)])
        return memory.get("k")

    first = imported(text="Tea.", topic="Drinks", metadata={"room": 1, "floor": 2})
    place = {name: value for name, value in first.provenance.items() if name != "file_said"}
    memory.update("k", provenance=place, importance=0.9)
    second = imported(text="Tea.", metadata={"room": 1})
    assert (second.topic, second.metadata, second.importance) == (None, {"room": 1}, 0.9)


def test_what_was_archived_stays_so_until_its_file_says_something_else(tmp_path: Path) -> None:
    file, memory = tmp_path / "k.jsonl", byheart.Memory()

    def imported(**line: object) -> str | None:
        file.write_text(json.dumps({"id": "k", **line}) + "\n", encoding="utf-8")
        Importer(memory, ":memory:", CELL).run([str(file)])
        return memory.get("k").archived_by

    assert imported(text="Tea is hot.") is None
    memory.remember("Drinks, in short.", id="sum", kind="summary")
    memory.remember({**memory.get("k").to_dict(), "archived_by": "sum"})
    assert imported(text="Tea is hot.", importance=0.5) == "sum"
    assert imported(text="Tea is cold.") is None and [hit.id for hit in memory.recall("cold tea")] == ["k"]
