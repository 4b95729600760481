"""Generation files: written whole or not at all, refused when damaged, gone when records are erased."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.errors import CorruptIndex
from byheart.index.generations import Generation, Generations
from byheart.index.saved import Saved
from byheart.storage import DurableStore
from byheart.storage.sections import MAGIC, read, written
from byheart.storage.sqlite import SqliteStore

from ..counts import examples
from .store_files import record

sections = st.lists(st.tuples(st.text(min_size=1, max_size=9), st.binary(max_size=40)), max_size=5)


@settings(max_examples=examples(500))
@given(sections)
def test_sections_come_back(given_sections):
    assert list(read(b"".join(written(given_sections)))) == given_sections


def test_every_flipped_bit_and_every_cut_is_an_error():
    whole = b"".join(written([("one", b"first payload"), ("two", b""), ("three", bytes(range(32)))]))
    checked = 0
    for at in range(len(whole)):
        with pytest.raises(CorruptIndex):
            list(read(whole[:at]))
        for bit in range(8):
            broken = bytearray(whole)
            broken[at] ^= 1 << bit
            with pytest.raises(CorruptIndex):
                list(read(bytes(broken)))
            checked += 1
    with pytest.raises(CorruptIndex, match="follow its end"):
        list(read(whole + b"\0"))
    assert checked == 8 * len(whole)


def test_a_promise_of_more_than_there_is_costs_nothing():
    huge = MAGIC + b"\x01\x00a" + (2**63).to_bytes(8, "little") + bytes(4)
    with pytest.raises(CorruptIndex, match="cut off"):
        list(read(huge))


def made(folder: Path, identity: str = "store 1") -> Generations:
    return Generations(folder / "indexes", identity)


def newest(generations: Generations, up_to: int) -> Generation | None:
    return generations.newest(up_to, generations.listed())


def test_the_newest_whole_generation_is_taken(tmp_path: Path):
    path = made(tmp_path).write(3, [("part", b"three")])
    older = path.read_bytes()
    made(tmp_path).write(5, [("part", b"five")])
    path.write_bytes(older)
    assert newest(made(tmp_path), 9) == (5, {"part": b"five"})
    generations = made(tmp_path)
    assert newest(generations, 4) == (3, {"part": b"three"})
    assert "newer than the store" in generations.passed_over[0]


def test_a_new_generation_takes_the_place_of_older_ones(tmp_path: Path):
    made(tmp_path).write(3, [])
    path = made(tmp_path).write(4, [])
    assert list((tmp_path / "indexes").iterdir()) == [path]


def test_generations_of_other_settings_are_left_alone(tmp_path: Path):
    made(tmp_path, "settings 1").write(3, [("part", b"one")])
    made(tmp_path, "settings 2").write(4, [("part", b"two")])
    assert newest(made(tmp_path, "settings 1"), 9) == (3, {"part": b"one"})
    assert len(made(tmp_path, "settings 3").erase()) == 2


def test_generations_in_which_something_else_was_hidden_are_told_apart(tmp_path: Path):
    def of(identity: str, hidden: str | None) -> Generations:
        return Generations(tmp_path / "indexes", identity, hidden=hidden)

    paths = [of(*said).write(3, []) for said in (("s1", None), ("s1", "phones"), ("s2", "phones"), ("s2", "names"))]
    assert of("s1", "phones").unlike() == sorted([paths[0], paths[3]])
    assert of("s3", "names").unlike() == sorted(paths[:3]) and of("s1", None).unlike() == []


@pytest.mark.parametrize("change", ["flip", "cut", "relabelled", "renamed", "empty", "headless"])
def test_what_is_damaged_or_of_another_is_passed_over_and_named(tmp_path: Path, change: str):
    path = made(tmp_path).write(7, [("part", b"seven")])
    data = path.read_bytes()
    if change == "flip":
        path.write_bytes(data[:-20] + bytes([data[-20] ^ 1]) + data[-19:])
    elif change == "cut":
        path.write_bytes(data[:-3])
    elif change == "renamed":
        path = path.rename(path.with_name(path.name.replace("7.bhgen", "6.bhgen")))
    elif change == "empty":
        path.write_bytes(b"")
    elif change == "headless":
        path.write_bytes(b"".join(written([("part", b"of nobody")])))
    elif change == "relabelled":
        other = made(tmp_path, "store 2").write(7, [])
        path = path.replace(other)
    generations = made(tmp_path, "store 2" if change == "relabelled" else "store 1")
    assert newest(generations, 9) is None
    assert generations.passed_over[0].startswith(path.name)


def test_erasing_leaves_nothing_not_even_of_a_writer_that_died(tmp_path: Path):
    path = made(tmp_path).write(7, [("part", b"canary")])
    left = path.with_name(path.name + ".123.tmp")
    left.write_bytes(b"canary")
    assert sorted(made(tmp_path).erase()) == sorted([path, left])
    assert list((tmp_path / "indexes").iterdir()) == []
    assert made(tmp_path).erase() == []


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_files_are_private(tmp_path: Path):
    path = made(tmp_path).write(1, [])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_write_that_fails_leaves_what_stood(tmp_path: Path):
    made(tmp_path).write(1, [("part", b"one")])

    def broken():
        yield "part", b"two"
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        made(tmp_path).write(2, broken())
    assert newest(made(tmp_path), 9) == (1, {"part": b"one"})
    assert len(list((tmp_path / "indexes").iterdir())) == 1


@pytest.mark.parametrize("at_once", [True, False])
def test_indexes_are_compared_with_the_store_by_every_key(tmp_path: Path, at_once: bool) -> None:
    with byheart.Memory(tmp_path / "memory.db", noise=None) as memory:
        memory.remember("tea", id="a")
        memory.remember("tea", id="a", scope="other", boundary_class="internal", tenant="t2")
        memory.remember("water", id="b", scope="other", boundary_class="internal")
        indexes = memory._engine.indexes
        store = indexes._durable
        assert store is not None

        def looked_through(store: DurableStore) -> bool:
            return indexes._holds_still(store, indexes._looked_through(store))

        holds = indexes._holds_what_is_stored if at_once else looked_through
        assert holds(store)
        own, water = indexes["default"], memory.get("b")
        own.remove([("b", ("other", "internal"))])
        assert not holds(store), "a record of the store is not indexed"
        own.put([water])
        assert holds(store)
        own.put([replace(water, scope="third")])
        assert not holds(store), "a record is indexed in a cell where the store has none"
        own.remove([("b", ("third", "internal"))])
        assert holds(store)
        indexes["t2"].remove([("a", ("other", "internal"))])
        assert not holds(store), "nothing of a tenant is indexed"


def test_a_generation_holds_nothing_that_the_store_does_not(tmp_path: Path):
    """Whatever has gone wrong in following: words that were erased are never written again."""
    with byheart.Memory(tmp_path / "memory.db", noise=None) as memory:
        memory.remember_many([{"id": f"r{number}", "text": f"note {number}"} for number in range(4)])
        [record] = memory.records(limit=1)
        stray = record.completed(id="kcanary", text="the codename is zebraquux", claim=None)
        memory._engine.indexes["default"].put([stray], [None])
        assert memory._engine.indexes.save(at_least=0)
        written = [path.read_bytes() for path in (tmp_path / "memory.db.byheart-indexes").glob("generation-*")]
        assert len(written) == 1 and b"kcanary" not in written[0] and b"zebraquux" not in written[0]
        assert memory.recall("zebraquux").hits == () and memory.count() == 4


def test_words_that_another_handle_has_erased_do_not_return(tmp_path: Path):
    """One handle does not notice that the other has changed and then forgotten a record, until it saves its indexes."""
    path = tmp_path / "memory.db"

    def holding(*words: bytes) -> list[str]:
        files = [each for each in tmp_path.rglob("*") if each.is_file()]
        assert files
        return [each.name for each in files if any(word in each.read_bytes() for word in words)]

    with byheart.Memory(path, noise=None) as one:
        one.remember("the codename is zebraquux tonight", id="kcanary")
        one.recall("codename")
        with byheart.Memory(path, noise=None) as other:
            other.touch("kcanary")
            assert other.forget("kcanary").ids == ("kcanary",)
        assert holding(b"zebraquux", b"kcanary") == []
        one.remember_many([f"ordinary note number {number}" for number in range(1_100)])
    assert list((tmp_path / "memory.db.byheart-indexes").glob("generation-*")), "a generation was saved"
    assert holding(b"zebraquux", b"kcanary") == []
    with byheart.Memory(path) as again:
        assert again.opened.startswith("opened generation") and again.count() == 1_100


def test_an_empty_store_bears_witness_to_no_generation(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "memory.db") as store:
        saved = Saved(store, {})
        with saved.alone():
            assert saved.write(store.sequence(), {}) is False
            assert saved.newest() is None
            store.write([record("a")], [])
            assert saved.write(store.sequence(), {}) is True
            assert saved.newest() is not None


def test_indexes_of_a_store_that_never_stands_still_are_not_taken_for_those_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others write whenever it is looked: then nothing is known, and a generation would be of nothing."""
    with byheart.Memory(tmp_path / "memory.db") as memory:
        memory.remember("The tea is green.", id="a")
        indexes = memory._engine.indexes
        store = indexes._durable
        assert store is not None and indexes._holds_what_is_stored(store)
        keys = store.keys()
        monkeypatch.setattr(store, "keys", lambda: replace(keys, sequence=-1))
        assert not indexes._holds_what_is_stored(store)
