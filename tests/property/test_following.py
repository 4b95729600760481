"""Following a folder: whatever is edited, moved, put on records by hand and synced, that and other cells stay."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import byheart
from byheart import Record
from byheart.cli.importer import Importer
from byheart.validation import CLASSES

from ..counts import examples

CELL = {"tenant": "default", "scope": "project", "boundary_class": "internal"}
NAMES = ("a.md", "b.md", "deep/c.md", "d.txt")
WORDS = ("Tea", "Rice", "Kettle", "Salt")
texts = st.lists(st.sampled_from(WORDS), max_size=3, unique=True).map(
    lambda words: "\n\n".join(f"# {word}\n{word} is what this section says." for word in words)
)


class Following(RuleBasedStateMachine):
    """A folder, a memory that follows it, and what was put on its records by hand.

    A section names the file for which it was written, so that it is known which record is meant.
    """

    @initialize()
    def begin(self) -> None:
        self.holder = tempfile.TemporaryDirectory()
        self.folder = Path(self.holder.name)
        self.memory = byheart.Memory()
        self.number = 0
        self.memory.remember("Mine.", id="mine", importance=0.5)

    def teardown(self) -> None:
        if hasattr(self, "holder"):
            self.holder.cleanup()

    def stored(self) -> list[Record]:
        return list(self.memory.records(boundary={"classes": list(CLASSES)}))

    def elsewhere(self) -> list[Record]:
        return [record for record in self.stored() if record.boundary_class != "internal" or record.id == "mine"]

    @rule(name=st.sampled_from(NAMES), text=texts)
    def edit(self, name: str, text: str) -> None:
        path = self.folder / "n" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace(" is what", f" of {name} is what"), encoding="utf-8")

    @rule(name=st.sampled_from(NAMES), to=st.sampled_from(NAMES))
    def move(self, name: str, to: str) -> None:
        path, target = (self.folder / "n" / each for each in (name, to))
        if path.exists() and not target.exists() and path.suffix == target.suffix:
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)

    @rule(name=st.sampled_from(NAMES))
    def remove(self, name: str) -> None:
        (self.folder / "n" / name).unlink(missing_ok=True)

    @rule(data=st.data())
    def put_on(self, data: st.DataObject) -> None:
        chosen = self.imported()
        if chosen:
            record = data.draw(st.sampled_from(chosen))
            self.number += 1
            self.change(record, importance=1 / self.number, metadata={"mine": self.number})

    @rule(data=st.data(), to=st.sampled_from(["secret", "internal"]))
    def move_to(self, data: st.DataObject, to: Any) -> None:
        chosen = self.imported()
        if chosen:
            record = data.draw(st.sampled_from(chosen))
            self.change(record, boundary_class=to)

    def change(self, record: Record, **changes: Any) -> None:
        self.memory.update(record.id or "", boundary={"classes": list(CLASSES)}, **changes)

    def imported(self) -> list[Record]:
        return sorted((each for each in self.stored() if each.id != "mine"), key=lambda each: each.id or "")

    @rule()
    def sync(self) -> None:
        (self.folder / "n").mkdir(exist_ok=True)
        before, apart = self.stored(), self.elsewhere()
        importer = Importer(self.memory, str(self.folder / "no.db"), CELL, sync=True, empty=True)
        counts = importer.run([str(self.folder / "n")])
        after = {record.id: record for record in self.stored()}
        for record in apart:
            stays = after[record.id].completed(provenance=record.provenance)
            assert stays == record, "in other cells only the place in the files follows"
        skipped = {each["source"] for each in counts.skipped}
        files = {f"n/{name}": self.folder / "n" / name for name in NAMES}
        said = {name: path.read_text() for name, path in files.items() if path.exists() and name not in skipped}
        for record in before:
            name = record.provenance.get("source_name")
            if record.id != "mine" and record.text in _parts(str(name), said.get(name, "")):
                stays = after[record.id]
                assert (stays.text, stays.importance, dict(stays.metadata), stays.created_at, stays.revisions) == (
                    record.text, record.importance, dict(record.metadata), record.created_at, record.revisions,
                ), "an unchanged chunk stays the record that it is"  # fmt: skip
        again = Importer(self.memory, str(self.folder / "no.db"), CELL, sync=True, empty=True)
        counts = again.run([str(self.folder / "n")])
        assert (counts.remembered, counts.forgotten) == (0, 0) and self.stored() == list(after.values()), "it is done"
        for name, text in said.items():
            here = {each.text for each in after.values()}
            assert all(part in here for part in _parts(name, text)), "what the files say is there"

    @invariant()
    def mine_is_mine(self) -> None:
        if hasattr(self, "memory"):
            assert self.memory.get("mine").importance == 0.5


def _parts(name: str, text: str) -> list[str]:
    """Return what is remembered of a file: its sections, or all of it."""
    if name.endswith(".txt"):
        return [text] if text else []
    return [f"# {part}".strip() for part in text.split("# ")[1:]]


Following.TestCase.settings = settings(max_examples=examples(500), stateful_step_count=20, deadline=None)
TestFollowing = Following.TestCase
