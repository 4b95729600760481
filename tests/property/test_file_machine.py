"""A memory in a file against a dictionary: remembered, forgotten, reopened, by two handles, with other models.

After each step both handles answer as a memory in this process that is given the same records, bit for bit; so does a
memory that is opened anew, from a generation, a damaged one, or none.
"""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import byheart
from byheart.embedding import HashingEmbedder

from ..counts import examples
from .strategies import ACTS, CLASSES, WORDS, records, unique

TENANTS = ("default", "other")
EMBEDDERS = {16: HashingEmbedder(16), 24: HashingEmbedder(24)}
QUERIES = ("red fox", "owl uses café", "東京")
PROFILES = ("kb-fast", "kb-balanced", "kb-thinkingdb", "dense")
EVERYTHING = {"classes": CLASSES}
batches = st.lists(records(TENANTS), min_size=1, max_size=5).map(unique)


class FileMachine(RuleBasedStateMachine):
    """The dictionary, and two handles on one file."""

    @initialize()
    def open(self) -> None:
        memory = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(dir=memory if memory.is_dir() else None))  # no disk has to turn
        self.width = 16
        self.memory, self.other = self.opened(), self.opened()
        self.kept: dict[tuple[str, str], dict[str, Any]] = {}
        self.turn = 0

    def opened(self) -> byheart.Memory:
        return byheart.Memory(self.folder / "memory.db", embedder=EMBEDDERS[self.width])

    @rule(batch=batches)
    def remember(self, batch: list[dict[str, Any]]) -> None:
        assert self.memory.remember_many(batch) == [record["id"] for record in batch]
        self.kept.update({(record["tenant"], record["id"]): record for record in batch})

    @rule(tenant=st.sampled_from(TENANTS), ids=st.lists(st.sampled_from([f"r{n}" for n in range(9)]), max_size=3))
    def forget(self, tenant: str, ids: list[str]) -> None:
        gone = {id for id in ids if self.kept.pop((tenant, id), None) is not None}
        receipt = self.memory.forget(ids, boundary={"tenant": tenant, **EVERYTHING})
        assert set(receipt.ids) == gone and set(receipt.missing) == set(ids) - gone

    @rule(word=st.sampled_from(["Comparison", "Definition"]), tenant=st.sampled_from(TENANTS))
    def forget_where(self, word: str, tenant: str) -> None:
        gone = [key for key, record in self.kept.items() if key[0] == tenant and record.get("role") == word]
        receipt = self.memory.forget(where={"role": word}, boundary={"tenant": tenant, **EVERYTHING})
        assert set(receipt.ids) == {id for _, id in gone}
        for key in gone:
            del self.kept[key]

    @rule()
    def exchange(self) -> None:
        self.memory, self.other = self.other, self.memory

    @rule()
    def save(self) -> None:
        self.memory._engine.indexes.save(at_least=0)

    @rule(beside=st.sampled_from(["as it is", "saved", "deleted", "damaged"]))
    def reopen(self, beside: str) -> None:
        if beside == "saved":
            self.memory._engine.indexes.save(at_least=0)
        self.memory.close()
        for file in (self.folder / "memory.db.byheart-indexes").glob("generation-*"):
            if beside == "deleted":
                file.unlink()
            elif beside == "damaged":
                data = bytearray(file.read_bytes())
                data[len(data) // 2] = (data[len(data) // 2] + 1) % 256  # damaged twice is not whole again
                file.write_bytes(bytes(data))
        self.memory = self.opened()
        if beside in ("deleted", "damaged"):
            assert self.memory.opened.startswith(f"indexed {len(self.kept)} records")
        elif beside == "saved" and self.kept:
            assert self.memory.opened.startswith("opened generation")
        assert self.memory.check() == []

    @rule(width=st.sampled_from(sorted(EMBEDDERS)))
    def embed(self, width: int) -> None:
        """Change the model; the other handle is of the old one, and has to be opened anew."""
        self.memory.embed(EMBEDDERS[width])
        self.other.close()
        self.width = width
        self.other = self.opened()

    @rule()
    def rebuild(self) -> None:
        self.memory.rebuild()

    @invariant()
    def both_answer_as_a_memory_of_these_records(self) -> None:
        plain = byheart.Memory(embedder=EMBEDDERS[self.width])
        plain.remember_many(self.kept[key] for key in sorted(self.kept))
        self.turn += 1
        expected = answers(plain, self.turn)
        for memory in (self.memory, self.other):
            assert answers(memory, self.turn) == expected

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.memory.close()
            self.other.close()
            shutil.rmtree(self.folder)


def answers(memory: byheart.Memory, turn: int) -> str:
    """Return some of what a memory answers, others each turn, as JSON."""
    found = []
    for tenant in TENANTS:
        query, profile = QUERIES[turn % len(QUERIES)], PROFILES[turn % len(PROFILES)]
        boundary = {"tenant": tenant, "classes": CLASSES[: 1 + turn % len(CLASSES)]}
        asked = {"profile": profile, "boundary": boundary, "act": ACTS[turn % len(ACTS)], "now": 5.0}
        found.append(memory.recall(query, explain=True, **asked).to_dict())
        found.append(memory.recall(WORDS[turn % len(WORDS)], profile="dense", boundary=boundary, now=5.0).to_dict())
        found.append(memory.stats(boundary=boundary))
    return json.dumps(found)


TestFile = FileMachine.TestCase
TestFile.settings = settings(max_examples=examples(80), stateful_step_count=25)
