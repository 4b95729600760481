"""What a memory holds of a record: packed in this process, vectors once, hypervectors when they are first asked for."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Memory, Record
from byheart._core import Table
from byheart.embedding import HashingEmbedder
from byheart.embedding.protocol import unit_rows
from byheart.index.partition import Partition
from byheart.storage import InProcessStore, Key
from byheart.storage.packed import PackedRecords, Packer

from ..counts import examples
from .store_files import record

WIDTH, RECORDS = 64, 2_000
CELL = {"tenant": "t", "scope": "s", "boundary_class": "internal"}


def rows(number: int, width: int = WIDTH) -> list[dict[str, Any]]:
    """Return records of 250 bytes with vectors."""
    vectors = np.random.default_rng(7).standard_normal((number, width)).astype(np.float32)
    words = ["kettle", "loom", "harbour", "ledger", "orchard", "signal", "marble", "canvas"]
    texts = [" ".join(words[(n >> shift) % 8] for shift in range(0, 99, 3)) + f" {n}" for n in range(number)]
    return [
        {"id": f"r{n}", "text": texts[n][:250], "vector": vectors[n], "created_at": 1.7e9 + n} for n in range(number)
    ]


def core_of(memory: Memory) -> Any:
    return memory._engine.indexes["default"].core


# ---- packed


@settings(max_examples=examples(200))
@given(
    st.text(min_size=1, max_size=40).filter(str.strip),
    st.dictionaries(st.sampled_from("abc"), st.one_of(st.integers(-9, 9), st.text(max_size=5), st.none()), max_size=3),
    st.lists(st.text("xy", min_size=1, max_size=3), max_size=3),
    st.one_of(st.none(), st.floats(0, 1)),
    st.booleans(),
)
def test_what_is_packed_comes_back(text, metadata, links, importance, invariant):
    packer = Packer()
    said = Record(
        text=text, id="a", **CELL, metadata=metadata, links=tuple(links), importance=importance, invariant=invariant,
        revisions=((1.0, "remembered", ("text",)),),
    )  # fmt: skip
    [back] = [packer.unpacked(packer.packed(said), "a")]
    assert back == said and back.id == said.id
    assert (back.canonical(), back.revisions) == (said.canonical(), said.revisions)


def test_a_value_of_a_type_of_ones_own_comes_back_as_plain_text():
    class Name(str):
        __slots__ = ()

    said = Record(text=Name("tea"), id="a", **CELL)
    store = InProcessStore()
    store.write([said], [])
    [back] = store.load()
    assert back == said and type(back.text) is str


def test_mappings_of_ever_other_keys_come_back_too(monkeypatch):
    monkeypatch.setattr("byheart.storage.packed._MOST_SHAPES", 3)
    packer = Packer()
    said = [Record(text="tea", id="a", **CELL, metadata={f"k{at}": at, "b": 1.5}) for at in range(8)]
    rows = [packer.packed(record) for record in said]
    assert [packer.unpacked(row, "a").canonical() for row in rows] == [record.canonical() for record in said]
    assert len(packer._shapes) <= 4


def test_what_was_just_written_is_read_as_its_row_says():
    class Name(str):
        __slots__ = ()

    store, key = InProcessStore(), Key(CELL["tenant"], CELL["scope"], CELL["boundary_class"], "a")
    plain = {"text": "tea", "id": "a", "metadata": {"n": 1, "of": True, "at": -0.0}, "created_at": 3}
    for more in ({}, {"metadata": {"cups": [1, {"b": None}]}}, {"tags": ("x",)}, {"text": Name("tea")},
                 {"id": Name("a")}, {"provenance": {"source_id": "b"}}):  # fmt: skip
        given = Record(**{**CELL, **plain, **more})
        store.write([given], [])
        [read], [whole] = store.get([key]), store.load()
        assert read is not None and read == whole and read.canonical() == whole.canonical()
        assert [type(getattr(read, name)) for name in ("text", "id", "invariant", "tags")] == [str, str, bool, tuple]


def test_what_is_read_is_no_one_elses_to_change():
    store = InProcessStore()
    given = record("a", "tea", metadata={"cups": [1]})
    store.write([given], [])
    key = Key(given.tenant or "", given.scope or "", given.boundary_class or "", "a")
    [first] = store.get([key])
    assert first is not None and first.metadata["cups"] == [1]
    [again] = store.load()
    assert again == first and again.metadata is not first.metadata


def test_a_replaced_record_is_not_read_as_it_was():
    held, key = PackedRecords(Table()), Key("t", "s", "internal", "a")
    held.put(key, held.packed(Record(text="old", id="a", **CELL)))
    [first], [again] = held.get([key]), held.get([key])
    assert first is again  # those that are read again are kept as objects
    held.put(key, held.packed(Record(text="new", id="a", **CELL)))
    assert held.get([key]) == [Record(text="new", id="a", **CELL)]
    held.remove(key)
    assert held.get([key]) == [None] and len(held) == 0


class Meanwhile:
    """A table of rows, after one look at which somebody does something."""

    def __init__(self) -> None:
        self.table, self.then = Table(), list[Callable[[], None]]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.table, name)

    def row(self, key: Key) -> bytes | None:
        found = self.table.row(key)
        while self.then:
            self.then.pop()()
        return found


def test_a_record_that_was_written_while_it_was_read_is_read_again():
    rows, key = Meanwhile(), Key("t", "s", "internal", "a")
    held = PackedRecords(cast("Table", rows))
    old, new = (Record(text=text, id="a", **CELL) for text in ("old", "new"))
    held.put_all(held.packed_together([old] * 17))  # of so many none is kept as it was put
    rows.then.append(lambda: held.put(key, held.packed(new), lately=False))
    assert held.get([key]) == [old]
    assert held.get([key]) == held.get([key]) == [new]
    rows.then.append(lambda: held.remove(key))
    held.put(key, held.packed(old), lately=False)
    assert (held.get([key]), held.get([key])) == ([old], [None])


# ---- bytes


def test_python_holds_less_than_half_of_what_record_objects_took():
    memory = Memory(vectors=f"m:{WIDTH}")
    memory.remember_many(rows(10))
    given = rows(RECORDS)
    weighs = sum(len(each["text"]) for each in given) + 4 * WIDTH * RECORDS
    tracemalloc.start()
    try:
        memory.remember_many(given)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < weighs + 390 * RECORDS, f"{taken / RECORDS:.0f} bytes a record of {weighs / RECORDS:.0f}"


def test_vectors_that_the_store_keeps_in_this_process_are_not_kept_again(tmp_path: Path):
    memory = Memory(vectors=f"m:{WIDTH}")
    memory.remember_many(rows(RECORDS))
    assert core_of(memory).lent > 0.99 * RECORDS  # one in some thousands has another last bit
    with Memory(tmp_path / "m.db", vectors=f"m:{WIDTH}") as durable:
        durable.remember_many(rows(RECORDS))
        assert core_of(durable).lent == 0
        for n in (3, 1_500):
            asked = rows(RECORDS)[n]["vector"]
            ours, theirs = (each.recall("kettle", vector=asked, k=5) for each in (memory, durable))
            assert [(hit.id, hit.score.hex()) for hit in ours] == [(hit.id, hit.score.hex()) for hit in theirs]


def test_a_lent_vector_stays_what_it_was_when_its_record_gets_another():
    memory = Memory(vectors=f"m:{WIDTH}")
    given = rows(20)
    memory.remember_many(given)
    memory.remember("kettle and loom", id="r3", vector=given[5]["vector"])
    memory.forget("r5")
    assert memory.recall("zzz", vector=given[5]["vector"], k=1)[0].id == "r3"
    assert memory.check() == []


# ---- disk


def test_a_generation_holds_no_vector_and_no_hypervector_that_nobody_asked_for(tmp_path: Path):
    given = rows(RECORDS)
    with Memory(tmp_path / "m.db", vectors=f"m:{WIDTH}") as memory:
        memory.remember_many(given)
    [generation] = (tmp_path / "m.db.byheart-indexes").glob("*.bhgen")
    saved = generation.read_bytes()
    assert len(saved) < 200 * RECORDS
    assert [n for n in (0, 999) if unit_rows(given[n]["vector"])[0].tobytes() in saved] == []
    with Memory(tmp_path / "m.db", vectors=f"m:{WIDTH}") as memory:
        assert memory.opened.startswith("opened generation")
        assert memory.recall("zzz", vector=given[999]["vector"], k=1)[0].id == "r999"
        assert memory.check() == []


def test_vectors_take_one_place_in_the_file(tmp_path: Path):
    width = 384
    with Memory(tmp_path / "m.db", vectors=f"m:{width}") as memory:
        memory.remember_many(rows(RECORDS, width))
    taken = sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())
    weighs = RECORDS * (250 + 4 * width)
    assert taken <= 1.35 * weighs, f"{taken / weighs:.2f} of texts and vectors"


@pytest.mark.parametrize("others", ["changed", "removed", "damaged"])
def test_vectors_that_changed_after_a_generation_are_looked_at_again(tmp_path: Path, others: str):
    given = rows(RECORDS)
    path = tmp_path / "m.db"
    with Memory(path, vectors=f"m:{WIDTH}") as memory:
        memory.remember_many(given)
        memory._engine.indexes.save()
        kept = {each.name: each.read_bytes() for each in (tmp_path / "m.db.byheart-indexes").glob("*.bhgen")}
        if others == "changed":
            memory.remember("loom", id="r7", vector=given[8]["vector"])
        elif others == "removed":
            memory.forget("r7")
    for name, content in kept.items():  # as if the process had died before it saved them again
        (tmp_path / "m.db.byheart-indexes" / name).write_bytes(content)
    if others == "damaged":
        whole = bytearray(path.read_bytes())
        at = whole.find(unit_rows(given[7]["vector"])[0].tobytes())
        assert at > 0
        whole[at + 40] ^= 1
        path.write_bytes(whole)
    with Memory(path, vectors=f"m:{WIDTH}") as memory:
        assert "r8" in [hit.id for hit in memory.recall("zzz", vector=given[8]["vector"], k=3)]
        [r7, r9] = memory._engine.indexes["default"].vectors(["r7", "r9"])
        assert r9 is not None and (r7 is not None) == (others == "changed")
        assert r7 is None or float(r7 @ memory._engine.indexes["default"].vectors(["r8"])[0]) > 0.999


# ---- hypervectors


def test_hypervectors_are_made_when_they_are_first_asked_for_and_kept_then(tmp_path: Path):
    path = tmp_path / "m.db"
    with Memory(path, vectors=f"m:{WIDTH}") as memory:
        memory.remember_many({"id": f"r{n}", "text": f"the kettle of number {n} whistles"} for n in range(RECORDS))
        memory.remember("the harbour master keeps a ledger", id="harbour")
        assert core_of(memory).deferred
        assert memory.recall("kettle", k=3).hits and core_of(memory).deferred
        assert memory.recall("harbours mastre")[0].id == "harbour"  # words find one, so that more is asked
        assert not core_of(memory).deferred
        memory.remember("a lighthouse keeper", id="light")
        assert memory.recall("lighthouses")[0].id == "light"
        assert memory.check() == []
        memory._engine.indexes.save()
    with Memory(path, vectors=f"m:{WIDTH}") as memory:
        assert memory.opened.startswith("opened generation") and not core_of(memory).deferred
        assert memory.recall("harbours mastre")[0].id == "harbour"


def test_hypervectors_are_made_at_once_where_no_vectors_answer():
    memory = Memory()
    memory.remember("the harbour master keeps a ledger", id="harbour")
    assert not core_of(memory).deferred and core_of(memory).hypervectors(["harbour"]) != [None]


@pytest.mark.parametrize("encoder", ["subwords", "tokens", "embedding"])
def test_hypervectors_made_late_are_those_made_at_once(encoder: str):
    late, early = (Memory(hypervectors=encoder, embedder=HashingEmbedder(16), noise=None) for _ in range(2))
    early.remember("rice", id="rice", created_at=1)
    early.recall("kettel", profile="kb-balanced")
    assert not core_of(early).deferred
    texts = ["the loom is in the attic", "a kettle of tea", "green tea", "the ledger of the harbour"]
    for memory in (late, early):
        memory.remember_many(
            {"id": f"r{n}", "text": text, "role": "claim", "created_at": 1} for n, text in enumerate(texts)
        )
    late.remember("rice", id="rice", created_at=1)
    for memory in (late, early):
        memory.recall("kettel", profile="kb-balanced")
    names = sorted(["rice", *(f"r{n}" for n in range(len(texts)))])
    assert core_of(late).hypervectors(names) == core_of(early).hypervectors(names)
    assert (
        late.recall("kettel", explain=True).to_dict()["hits"] == early.recall("kettel", explain=True).to_dict()["hits"]
    )


def test_a_vector_that_did_not_come_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    given, come = rows(RECORDS), Partition.come
    with Memory(tmp_path / "m.db", vectors=f"m:{WIDTH}") as memory:
        memory.remember_many(given)

    def without(partition: Partition, vectors: list[tuple[Key, bytes]]) -> None:
        come(partition, [each for each in vectors if each[0].id != "r7"])

    monkeypatch.setattr(Partition, "come", without)
    with Memory(tmp_path / "m.db", vectors=f"m:{WIDTH}") as memory:
        assert memory.opened.startswith("opened generation")
        assert memory.recall("zzz", vector=given[7]["vector"], k=1)[0].id == "r7"
        assert memory.check() == []
