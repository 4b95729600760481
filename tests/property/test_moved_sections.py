"""A folder whose files are renamed, rotated, swapped and joined: what is said as before is the record that it was."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

import byheart
from byheart import Record
from byheart.cli.importer import Counts, Importer
from byheart.validation import CLASSES

from ..counts import examples

CELL = {"tenant": "default", "scope": "project", "boundary_class": "internal"}
NAMES = ("a.md", "b.md", "deep/c.md", "today.md", "yesterday.md")
KINDS = ("add", "edit", "write another", "move", "rename", "swap", "rotate", "append", "remove")
places = st.integers(min_value=0, max_value=5)
changes = st.lists(
    st.tuples(st.sampled_from(KINDS), st.sampled_from(NAMES), st.sampled_from(NAMES), places, places), max_size=4
)
marks = st.lists(st.tuples(st.booleans(), st.integers(min_value=0, max_value=20)), max_size=3)


class Folder:
    """What the files of a folder say: sections, no two of them alike."""

    def __init__(self) -> None:
        self.number = 0
        self.files = {name: [self.section() for _ in range(3)] for name in ("a.md", "today.md", "yesterday.md")}

    def section(self) -> str:
        self.number += 1
        return f"# Part {self.number}\nWhat part {self.number} says."

    def change(self, kind: str, name: str, to: str, at: int, before: int) -> None:
        files, parts = self.files, self.files.get(name)
        if kind == "add":
            files.setdefault(name, []).insert(at, self.section())
        elif not parts:
            files.pop(name, None)
        elif kind == "edit":
            self.number += 1
            parts[at % len(parts)] += f" And {self.number}."
        elif kind == "write another":
            parts[at % len(parts)] = self.section()
        elif kind == "move":
            files.setdefault(to, []).insert(before, parts.pop(at % len(parts)))
        elif kind == "rename":
            files[to] = files.pop(name)
        elif kind == "swap" and to in files:
            files[name], files[to] = files[to], files[name]
        elif kind == "rotate":
            files[to], files[name] = parts, [self.section() for _ in range(1 + at % 3)]
        elif kind == "append" and to != name:
            files.setdefault(to, []).extend(files.pop(name))
        elif kind == "remove":
            del files[name]


class Moved(RuleBasedStateMachine):
    """A folder, a memory that follows it, and what is put on its records."""

    @initialize()
    def begin(self) -> None:
        self.holder = tempfile.TemporaryDirectory()
        self.folder = Path(self.holder.name)
        (self.folder / "n").mkdir()
        self.memory = byheart.Memory()
        self.said = Folder()
        self.secrets: set[str] = set()
        self.sync()

    def teardown(self) -> None:
        if hasattr(self, "holder"):
            self.holder.cleanup()

    def stored(self) -> list[Record]:
        return list(self.memory.records(boundary={"classes": list(CLASSES)}))

    @rule(marks=marks, changes=changes)
    def day(self, marks: list[tuple[bool, int]], changes: list[tuple[str, str, str, int, int]]) -> None:
        for hidden, at in marks:
            if chosen := sorted(self.stored(), key=lambda each: each.text):
                self.put_on(chosen[at % len(chosen)], hidden)
        for each in changes:
            self.said.change(*each)
        self.sync()

    def put_on(self, record: Record, hidden: bool) -> None:
        boundary = {"classes": list(CLASSES)}
        if hidden and record.boundary_class == "internal":
            self.memory.update(record.id or "", boundary=boundary, boundary_class="secret")
            self.secrets.add(record.text)
        else:
            self.memory.update(record.id or "", boundary=boundary, user_id=f"of {record.id}", tags=["kept"])

    # ---- and the sync

    def write(self) -> None:
        for path in (self.folder / "n").rglob("*.md"):
            path.unlink()
        for name, parts in self.said.files.items():
            path = self.folder / "n" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n\n".join(parts), encoding="utf-8")

    def synced(self) -> Counts:
        importer = Importer(self.memory, str(self.folder / "no.db"), CELL, sync=True, empty=True)
        return importer.run([str(self.folder / "n")])

    def sync(self) -> None:
        self.write()
        before = {record.text: record for record in self.stored()}
        counts = self.synced()
        after = self.stored()
        by_text = {record.text: record for record in after}
        assert len(by_text) == len(after), "nothing is said twice"
        skipped = {each["source"] for each in counts.skipped}
        for name, parts in self.said.files.items():
            for text in parts:
                if text in before:
                    assert _kept(by_text[text]) == _kept(before[text])
                if f"n/{name}" not in skipped:
                    assert by_text[text].provenance["source_name"] == f"n/{name}"
        for text in self.secrets:
            others = [record.text for record in after if record.boundary_class != "secret"]
            assert all(f"{text}\n" not in f"{said}\n" for said in others), "nothing that was hidden is seen"
        again = self.synced()
        assert (again.remembered, again.forgotten, self.stored()) == (0, 0, after), "a second one changes nothing"
        assert [each["source"] for each in again.skipped] == [each["source"] for each in counts.skipped]


def _kept(record: Record) -> tuple[object, ...]:
    """Return what must stay of a record whose text is still said."""
    names = ("id", "boundary_class", "user_id", "tags", "created_at", "revisions")
    return tuple(getattr(record, name) for name in names)


Moved.TestCase.settings = settings(max_examples=examples(300), stateful_step_count=10, deadline=None)
TestMoved = Moved.TestCase
