"""Damage to the one row that counts the records: all that is sound is read, nothing is written before a repair."""

import sqlite3
from pathlib import Path

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.errors import CorruptStore
from byheart.recall.recaller import UNSEARCHED

TEXTS = [{"id": f"r{number}", "text": f"fact {number} about tea", "tenant": "ab"[number % 2]} for number in range(20)]


@pytest.fixture(params=["UPDATE state SET checksum = x'00'", "UPDATE state SET sequence = 3", "DELETE FROM state"])
def uncounted(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a memory file whose records nobody has counted."""
    path = tmp_path / "memory.db"
    with Memory(path, embedder=HashingEmbedder()) as memory:
        memory.remember_many(TEXTS)
    with sqlite3.connect(path) as connection:
        connection.execute(request.param)
    connection.close()
    return path


def test_what_is_sound_is_read_and_nothing_is_written(uncounted: Path, tmp_path: Path) -> None:
    before = uncounted.read_bytes()
    with Memory(uncounted, embedder=HashingEmbedder(), tenant="a") as memory:
        found = memory.recall("fact 4 about tea")
        assert found[0].id == "r4"
        assert any("records may be missing" in reason for reason in found.degraded)
        assert ["counts its records is damaged" in problem.message for problem in memory.check()] == [True]
        assert memory.export_to(tmp_path / "out.jsonl") == 20
        for write in (lambda: memory.remember("more tea"), lambda: memory.forget("r4")):
            with pytest.raises(CorruptStore, match=r"nothing is written before check\(repair=True\)"):
                write()
        assert memory.recall("fact 4 about tea")[0].id == "r4"
    assert uncounted.read_bytes() == before


def test_who_is_bounded_is_told_nothing_of_it(uncounted: Path) -> None:
    with Memory(uncounted, boundary={"tenant": "a"}) as memory:
        assert memory.recall("fact 4 about tea").degraded == (UNSEARCHED,), "it was opened without the embedder"
        assert (memory.check(), memory.check(repair=True)) == ([], [])
        assert len(memory.records()) == 10


def test_a_repair_counts_what_is_there_and_another_handle_follows(uncounted: Path) -> None:
    with Memory(uncounted) as memory, Memory(uncounted) as other:
        assert len(other.recall("fact 4 about tea", boundary={"tenant": "a"}, k=20)) == 10
        assert memory.check(repair=True)
        assert memory.check() == []
        assert memory.forget("r4", boundary={"tenant": "a"}).ids == ("r4",)
        memory.remember("tea again", id="new", tenant="a")
        assert {record.id for record in other.records(boundary={"tenant": "a"})} >= {"new", "r2"}
        assert other.check() == []
    with Memory(uncounted, embedder=HashingEmbedder(), tenant="a") as memory:
        assert len(memory.records()) == 10
        assert memory.embed().kept == 19, "the vectors were kept"


@pytest.mark.parametrize("how", ["UPDATE models SET checksum = x'00'", "DELETE FROM models"])
def test_a_damaged_model_costs_its_vectors_alone(tmp_path: Path, how: str) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=HashingEmbedder()) as memory:
        memory.remember_many(TEXTS)
    with sqlite3.connect(path) as connection:
        connection.execute(how)
    connection.close()
    with pytest.raises(CorruptStore, match="check --repair"):
        Memory(path, embedder=HashingEmbedder())
    with Memory(path, tenant="a") as memory:
        assert memory.recall("fact 4 about tea")[0].id == "r4"
        assert memory.check(repair=True)
    with Memory(path, embedder=HashingEmbedder()) as memory:
        assert memory.embed().made == 20
        assert memory.check() == []
