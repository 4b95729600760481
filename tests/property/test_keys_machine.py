"""One file, two handles that see cells of their own, and an owner: verbs in any order, against a dictionary.

The law: within what a handle may see an id is one record; what it does there leaves everything outside as it was, and
what it is told is the same whether there is anything outside or not.
"""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import AmbiguousId, BoundaryViolation, DuplicateId, RecordNotFound
from byheart.storage import Key, key_of

EMBEDDER = HashingEmbedder(16)
EVERYTHING = {"classes": ["public", "internal", "pii", "secret"]}
CEILINGS: dict[str, Any] = {
    "open": {"scopes": ["s", "project"], "classes": ["public", "internal"]},
    "closed": {"scopes": ["s"], "classes": ["pii", "secret"]},
    "owner": None,
}
CELLS = [("s", "public"), ("s", "internal"), ("project", "internal"), ("s", "pii"), ("s", "secret"), ("t", "secret")]
who = st.sampled_from(sorted(CEILINGS))
ids = st.sampled_from(["a", "b", "ab", "a\x1fs\x1fpublic"])
words = st.sampled_from(["tea", "rice", "soup"])


class KeysMachine(RuleBasedStateMachine):
    """The dictionary, and three handles on one file."""

    @initialize()
    def open(self) -> None:
        memory = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))
        self.handles = {name: self.opened(name) for name in CEILINGS}
        self.kept: dict[Key, str] = {}
        self.made = 0

    def opened(self, name: str) -> byheart.Memory:
        more = {} if CEILINGS[name] is None else {"boundary": CEILINGS[name]}
        return byheart.Memory(self.folder / "memory.db", embedder=EMBEDDER, noise=None, **more)

    def sees(self, name: str, cell: tuple[str, str]) -> bool:
        ceiling = CEILINGS[name]
        return ceiling is None or (cell[0] in ceiling["scopes"] and cell[1] in ceiling["classes"])

    def known(self, name: str, id: str) -> list[Key]:
        return sorted(key for key in self.kept if key.id == id and self.sees(name, key.cell))

    def whole(self, name: str) -> dict[str, Any]:
        return {"boundary": EVERYTHING} if CEILINGS[name] is None else {}

    @rule(name=who, id=ids, word=words, cell=st.sampled_from(CELLS))
    def remember(self, name: str, id: str, word: str, cell: tuple[str, str]) -> None:
        self.made += 1
        text, key = f"{word} {self.made}", Key("default", *cell, id)

        def call() -> str:
            return self.handles[name].remember(text, id=id, scope=cell[0], boundary_class=cell[1])

        known = self.known(name, id)
        if not self.sees(name, cell):
            with pytest.raises(BoundaryViolation):
                call()
        elif len(known) > 1 and key not in known:
            with pytest.raises(AmbiguousId) as error:
                call()
            assert sorted(error.value.cells) == [each.cell for each in known]
        else:
            assert call() == id
            for old in known if len(known) == 1 else ():
                del self.kept[old]
            self.kept[key] = text

    @rule(name=who, id=ids, cell=st.none() | st.sampled_from(CELLS), to=st.sampled_from(CELLS))
    def move(self, name: str, id: str, cell: tuple[str, str] | None, to: tuple[str, str]) -> None:
        known = [key for key in self.known(name, id) if cell in (None, key.cell)]

        def call() -> str:
            where = {**self.whole(name), "cell": cell}
            return self.handles[name].update(id, scope=to[0], boundary_class=to[1], **where)

        target = Key("default", *to, id)
        if not known:
            with pytest.raises(RecordNotFound):
                call()
        elif len(known) > 1:
            with pytest.raises(AmbiguousId):
                call()
        elif not self.sees(name, to):
            with pytest.raises(BoundaryViolation):
                call()
        elif target in self.kept and target != known[0]:
            with pytest.raises(DuplicateId):
                call()
        else:
            assert call() == id
            self.kept[target] = self.kept.pop(known[0])

    @rule(name=who, id=ids, cell=st.none() | st.sampled_from(CELLS))
    def forget(self, name: str, id: str, cell: tuple[str, str] | None) -> None:
        gone = [key for key in self.known(name, id) if cell in (None, key.cell)]
        receipt = self.handles[name].forget(id, cell=cell, **self.whole(name))
        assert receipt.ids == (id,) * len(gone) and receipt.missing == (() if gone else (id,))
        assert receipt.several == (((id, tuple(key.cell for key in gone)),) if len(gone) > 1 else ())
        for key in gone:
            del self.kept[key]

    @rule(name=who, word=words)
    def forget_where(self, name: str, word: str) -> None:
        chosen = [key.id for key, text in self.kept.items() if self.sees(name, key.cell) and text.startswith(word)]
        receipt = self.handles[name].forget(where={"id": chosen or ["none"], "topic": None}, **self.whole(name))
        gone = [key for key in self.kept if self.sees(name, key.cell) and key.id in chosen]
        assert sorted(receipt.ids) == sorted(key.id for key in gone)
        for key in gone:
            del self.kept[key]

    @rule(name=who, saved=st.booleans())
    def reopen(self, name: str, saved: bool) -> None:
        if saved:
            self.handles[name]._engine.indexes.save(at_least=0)
        self.handles[name].close()
        self.handles[name] = self.opened(name)

    @invariant()
    def each_sees_its_own(self) -> None:
        for name, memory in self.handles.items():
            own = {key: text for key, text in self.kept.items() if self.sees(name, key.cell)}
            assert {key_of(one): one.text for one in memory.records(**self.whole(name))} == own
            found = memory.recall("tea rice soup", k=50, profile="kb-fast", **self.whole(name))
            assert {key_of(hit.record) for hit in found} <= own.keys()
            assert all(hit.id == hit.record.id for hit in found)
            hits = memory.recall("tea", k=50, profile="dense", **self.whole(name)).hits
            assert {key_of(hit.record) for hit in hits} <= own.keys()
        assert self.handles["owner"].check() == []

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            for memory in self.handles.values():
                memory.close()
            shutil.rmtree(self.folder)


TestKeys = KeysMachine.TestCase
TestKeys.settings = settings(max_examples=30, stateful_step_count=20)
