"""A store against dictionaries: puts, removals, vectors, models, failures and reopening, in any order.

After each step two stores, of which one follows the other, show the same as the dictionaries; and what was removed or
replaced is in no file of the folder: no text, no id, no vector.
"""

import shutil
import struct
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from byheart.errors import InvalidArgument
from byheart.records import Record
from byheart.storage import Key, Vectors, key_of
from byheart.storage.sqlite import SqliteStore

SIZES = (1, 30, 300, 1_500, 9_000)
keys = st.tuples(st.sampled_from(["one", "two"]), st.sampled_from(["s", "s", "other"]), st.integers(0, 25))
puts = st.lists(st.tuples(keys, st.sampled_from(SIZES), st.sampled_from([None, 3, 8])), max_size=12)
MODELS = ["model-a", "model-b"]


class StoreMachine(RuleBasedStateMachine):
    """The dictionaries, and two stores on one file."""

    @initialize()
    def open(self) -> None:
        memory = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))  # no disk has to turn
        self.store, self.follower = self.opened(), self.opened()
        self.follower.load()
        self.records: dict[Key, Record] = {}
        self.vectors: dict[str, dict[Key, bytes]] = {}
        self.model: str | None = None
        self.canaries = 0
        self.written: set[bytes] = set()  # all that may be found in the files, some day
        self.past: list[tuple[int, dict[Key, tuple[Any, ...]]]] = []
        self.remember_moment()

    def opened(self) -> SqliteStore:
        return SqliteStore(self.folder / "memory.db", lock_seconds=5.0)

    def canary(self) -> str:
        self.canaries += 1
        name = f"<{self.canaries:05}!>"
        self.written.add(name.encode())
        return name

    def id(self, number: int) -> str:
        self.written.add(f"(id {number:03})".encode())
        return f"(id {number:03})"

    def key(self, key: tuple[str, str, int]) -> Key:
        tenant, scope, number = key
        return Key(tenant, scope, "internal", self.id(number))

    def record(self, key: tuple[str, str, int], size: int, end: int | None) -> Record:
        text = (self.canary() + "·" * size)[: max(size, 8)]
        return Record(text=text, expires_at=end, **self.key(key)._asdict())

    def embedding(self) -> bytes:
        self.canaries += 1
        bits = struct.pack("<4f", *(self.canaries * 1.25 + part for part in (0.1, 0.2, 0.3, 0.4)))
        self.written.add(bits)
        return bits * 3

    @rule(puts=puts, removed=st.lists(keys, max_size=6), embed=st.sampled_from([None, *MODELS]), fails=st.booleans())
    def write(self, puts: Any, removed: Any, embed: str | None, fails: bool) -> None:
        records = [self.record(*values) for values in puts]
        named = {key_of(found): found for found in records}
        gone = list(map(self.key, removed))
        rows = {key: self.embedding() for key in [*named, *gone][::2]} if embed else {}
        if fails:
            with pytest.raises(InvalidArgument):
                self.store.write(
                    records, gone, Vectors("model-a", {**rows, **dict.fromkeys([*named, *self.records], b"x")})
                )
                assert not named and not self.records, "there was nothing that could fail"
                raise InvalidArgument("nothing to fail on")
            return
        self.store.write(records, gone, Vectors(embed, rows) if embed else None)
        for key in gone:
            self.records.pop(key, None)
        self.records.update(named)
        for kept in self.vectors.values():
            for key in (*gone, *named):
                kept.pop(key, None)
        if embed:
            self.vectors.setdefault(embed, {}).update({key: row for key, row in rows.items() if key in self.records})
        self.remember_moment()

    @precondition(lambda self: self.records)
    @rule(model=st.sampled_from(MODELS), data=st.data())
    def embed_again(self, model: str, data: st.DataObject) -> None:
        chosen = data.draw(st.lists(st.sampled_from(sorted(self.records)), max_size=5))
        rows = {key: self.embedding() for key in chosen}
        self.store.write([], [], Vectors(model, rows))
        self.vectors.setdefault(model, {}).update(rows)
        self.remember_moment()

    @rule(model=st.sampled_from(MODELS))
    def adopt(self, model: str) -> None:
        self.store.adopt(model)
        if self.model != model or set(self.vectors) - {model}:
            self.past.clear()  # nobody can follow past that
        self.model, self.vectors = model, {model: self.vectors.get(model, {})}
        self.remember_moment()

    @rule(now=st.sampled_from([2, 3, 9]))
    def purge(self, now: int) -> None:
        gone = self.store.expired(float(now))
        ended = [key for key, found in self.records.items() if found.expires_at is not None and found.expires_at <= now]
        assert gone == sorted(ended)
        self.store.write([], gone)
        for key in gone:
            del self.records[key]
            for kept in self.vectors.values():
                kept.pop(key, None)
        self.remember_moment()

    @rule()
    def compact(self) -> None:
        self.store.compact()
        self.past = self.past[-1:]

    @rule()
    def exchange(self) -> None:
        self.store, self.follower = self.follower, self.store

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = self.opened()

    def remember_moment(self) -> None:
        """Note what is there now, so that changes since then can be asked for."""
        now = self.store.sequence()
        state = {
            key: (found, *(kept.get(key) for kept in self.vectors.values())) for key, found in self.records.items()
        }
        self.past.append((now, state))

    @invariant()
    def both_show_what_was_written(self) -> None:
        for store in (self.store, self.follower):
            for tenant, scope in product(("one", "two"), ("s", "other")):
                asked = [Key(tenant, scope, "internal", f"(id {number:03})") for number in range(26)]
                assert store.get(asked) == [self.records.get(key) for key in asked]
            assert store.sequence() == self.store.sequence()
            assert store.model() == self.model
            for model in MODELS:
                assert dict(store.vectors(model)) == self.vectors.get(model, {})
        assert {key_of(found): found for found in self.store.load()} == self.records
        assert self.store.check() == []

    @invariant()
    def changes_name_all_that_changed(self) -> None:
        for sequence, then in self.past[-4:]:
            now = self.past[-1][1]
            different = {key for key in then.keys() | now.keys() if then.get(key, ())[:1] != now.get(key, ())[:1]}
            changes = self.follower.changes(sequence)
            assert changes.keys is None or changes.keys >= different
            assert changes.keys is not None or self.follower.changes(changes.sequence).keys == frozenset()

    @invariant()
    def what_was_erased_is_in_no_file(self) -> None:
        left = b"".join(file.read_bytes() for file in self.folder.iterdir())
        shown = [found.text[:8].encode() for found in self.records.values()]
        shown += [str(found.id).encode() for found in self.records.values()]
        shown += [vector[:16] for kept in self.vectors.values() for vector in kept.values()]
        remains = [mark for mark in self.written - set(shown) if mark in left]
        assert not remains, f"erased, and still in a file: {remains}"

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.store.close()
            self.follower.close()
            shutil.rmtree(self.folder)


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=25, stateful_step_count=25)
