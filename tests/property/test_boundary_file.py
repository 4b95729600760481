"""Nothing outside the boundary changes any byte of a reply of a memory in a file, whatever happens between questions.

Two files, one with the outside and one without: remembering with and without an embedder, forgetting inside and
everywhere, saving, reopening by a generation and without one.
"""

import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart import profiles

from ..counts import examples
from .strategies import CLASSES, records, unique
from .test_boundary import EMBEDDER, TENANTS, boundaries, inside, questions

EVERYWHERE = {"classes": CLASSES}
IDS = [f"r{n}" for n in range(9)]


@st.composite
def entries(draw: st.DrawFn) -> dict[str, Any]:
    """Return a record that may end, or be made of others."""
    record: dict[str, Any] = draw(records(TENANTS))
    record["expires_at"] = draw(st.sampled_from([None, None, 1.0, 4e9]))
    if "subject" not in record and draw(st.integers(0, 2)) == 0:
        record |= {
            "ku_type": "aggregate",
            "child_unit_ids": draw(st.lists(st.sampled_from(IDS), min_size=2, max_size=5)),
        }
    return record


batches = st.lists(entries(), min_size=1, max_size=6).map(unique)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("remember"), st.booleans(), batches),
        st.tuples(st.just("forget"), st.booleans(), st.lists(st.sampled_from(IDS), max_size=3)),
        st.tuples(st.just("where"), st.just(False), st.sampled_from(["Definition", "Narrative"])),
        st.tuples(st.sampled_from(["save", "reopen", "reopen without"]), st.just(False), st.none()),
    ),
    min_size=1,
    max_size=5,
)


class Pair:
    """Two memories in files of their own, one of which holds the boundary alone."""

    def __init__(self, folder: Path, boundary: byheart.Boundary) -> None:
        self.boundary = boundary
        self.everywhere = byheart.Boundary(boundary.tenant, classes=CLASSES)
        self.paths = [folder / name / "memory.db" for name in ("whole", "alone")]
        self.open()

    def open(self) -> None:
        self.whole, self.alone = (byheart.Memory(path, embedder=EMBEDDER) for path in self.paths)
        self.plain = [byheart.Memory(path) for path in self.paths]  # what they remember has no vector

    def close(self) -> None:
        for memory in (self.whole, self.alone, *self.plain):
            memory.close()

    def step(self, verb: str, flag: bool, what: Any) -> None:
        if verb == "remember":
            self.remember(what, *(self.plain if flag else (self.whole, self.alone)))
        elif verb in ("forget", "where"):
            self.forget({"ids": what} if verb == "forget" else {"where": {"role": what}}, everywhere=flag)
        else:
            self.whole._engine.indexes.save(at_least=0)
            self.alone._engine.indexes.save(at_least=0)
            if verb != "save":
                self.close()
                for path in self.paths if verb == "reopen without" else ():
                    shutil.rmtree(path.with_name(path.name + ".byheart-indexes"), ignore_errors=True)
                self.open()

    def remember(self, batch: list[dict[str, Any]], whole: byheart.Memory, alone: byheart.Memory) -> None:
        outside = [
            record["id"]
            for record in batch
            if record["tenant"] == self.boundary.tenant and not inside(self.boundary, record)
        ]
        self.alone.forget(outside, boundary=self.everywhere)
        whole.remember_many(batch)
        alone.remember_many([record for record in batch if inside(self.boundary, record)])

    def forget(self, which: dict[str, Any], *, everywhere: bool) -> None:
        boundary = self.everywhere if everywhere else self.boundary
        receipts = [memory.forget(**which, boundary=boundary) for memory in (self.whole, self.alone)]
        if not everywhere:
            assert len({(receipt.ids, receipt.missing) for receipt in receipts}) == 1
        if everywhere and self.boundary.tenant != TENANTS[1]:
            self.whole.forget(**which, boundary=byheart.Boundary(TENANTS[1], classes=CLASSES))


def everything(memory: byheart.Memory, boundary: byheart.Boundary, asked: tuple[Any, ...]) -> str:
    """Return all that a caller can see of an answer but times, as JSON; of the time of day whether it was read."""
    query, name, act, mode = asked
    profile = replace(profiles.EscalatingConfig.of(name), expand_aggregates=name != "dense").profile()
    answer = memory.recall(query, profile=profile, boundary=boundary, act=act, mode=mode, explain=True).to_dict()
    receipt = answer["receipt"]
    receipt["now"] = receipt["now"] is not None
    plain = memory.recall(query, profile=name, boundary=boundary, act=act, mode=mode, now=2.0, explain=True)
    seen = [answer, plain.to_dict(), repr(plain.trace), memory.stats(boundary=boundary)]
    for id in IDS[::2]:
        try:
            seen.append(str(memory.explain(query, id, profile=name, boundary=boundary, act=act, mode=mode, now=2.0)))
        except byheart.errors.RecordNotFound as error:
            seen.append(str(error))
    return json.dumps(seen)


@settings(max_examples=examples(200))
@given(batches, steps, boundaries, st.lists(questions, min_size=2, max_size=2))
def test_replies_of_a_file_are_those_of_one_that_holds_only_the_boundary(first, more, boundary, asked):
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:  # no disk has to turn
        pair = Pair(Path(name), boundary)
        for step in [("remember", False, first), *more]:
            pair.step(*step)
            for question in asked:
                assert everything(pair.whole, boundary, question) == everything(pair.alone, boundary, question)
        pair.close()
