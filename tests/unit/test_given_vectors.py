"""Vectors that the caller brings: checked against the model of the memory, and found by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import byheart
from byheart.embedding import HashingEmbedder, embed_checked
from byheart.errors import DimensionMismatch, FingerprintMismatch, InvalidArgument
from byheart.index import vectors

EMBEDDER = HashingEmbedder(32)


def stored(memory: byheart.Memory) -> dict[str, bytes]:
    return {key.id: row for key, row in memory._engine.store.vectors(memory._engine.store.model() or "")}


def test_a_vector_takes_the_place_of_the_embedders(tmp_path: Path) -> None:
    owl = embed_checked(EMBEDDER, ["a brown owl"], "document")[0]
    with byheart.Memory(tmp_path / "m.db", embedder=EMBEDDER) as memory:
        memory.remember("a red fox", id="fox", vector=owl)
        memory.remember_many(
            [{"id": "owl", "text": "a brown owl"}, {"id": "wolf", "text": "a wolf", "vector": list(owl)}]
        )
        kept = stored(memory)
        assert kept["fox"] == kept["owl"] == kept["wolf"] == owl.tobytes(), "the model's own vector stays as it is"
        hits = memory.recall("a brown owl", profile="dense", k=3).hits
        assert {hit.id for hit in hits} == {"fox", "owl", "wolf"} and len({hit.score for hit in hits}) == 1


def test_it_is_made_unit(tmp_path: Path) -> None:
    with byheart.Memory(vectors="mine:4") as memory:
        memory.remember("a red fox", id="fox", vector=[3, 0, 4, 0])
        memory.remember("nothing", id="none", vector=np.zeros(4))
        rows = {id: np.frombuffer(row, "<f4").tolist() for id, row in stored(memory).items()}
        assert rows == {"fox": pytest.approx([0.6, 0, 0.8, 0]), "none": [0, 0, 0, 0]}


@pytest.mark.parametrize(
    ("vector", "kind", "says"),
    [
        ([1.0, 0.0], DimensionMismatch, r"shape \(2,\); the model's vectors have 4"),
        ([[1.0, 0.0, 0.0, 0.0]], DimensionMismatch, r"shape \(1, 4\)"),
        ([1.0, 0.0, float("nan"), 0.0], InvalidArgument, "NaN"),
        ([1e400, 0.0, 0.0, 0.0], InvalidArgument, "infinity"),
        ("abcd", InvalidArgument, "no list of numbers"),
        ([1, "x", 2, 3], InvalidArgument, "no list of numbers"),
        ([10**400, 0, 0, 0], InvalidArgument, "no list of numbers"),
        (object(), InvalidArgument, "no list of numbers"),
        (np.array([1, 0, 0, 0], np.complex64), InvalidArgument, "no list of numbers .*complex"),
        ([1j, 0, 0, 0], InvalidArgument, "no list of numbers .*complex"),
    ],
)
def test_a_vector_that_is_none_is_refused(vector: object, kind: type[Exception], says: str) -> None:
    memory = byheart.Memory(vectors="mine:4")
    for call in (
        lambda: memory.remember("a red fox", vector=vector),
        lambda: memory.remember_many([{"text": "a red fox", "vector": vector}]),
        lambda: vectors.given(memory._engine.embedder, vector),
    ):
        with pytest.raises(kind, match=says):
            call()
    assert memory.count() == 0


@pytest.mark.parametrize("vector", [np.array([1, 0, 0, 0], np.complex128), [1j, 0, 0, 0]])
def test_a_question_takes_no_complex_vector(vector: Any) -> None:
    memory = byheart.Memory(vectors="mine:4")
    memory.remember("a red fox", id="fox", vector=[1.0, 0.0, 0.0, 0.0])
    for call in (
        lambda: memory.recall("fox", vector=vector),
        lambda: memory.recall_many(["fox"], vectors=[vector]),
        lambda: memory.search("fox", vector=vector),
    ):
        with pytest.raises(TypeError, match=r"vector must be a list of numbers, or an array .*complex"):
            call()


def test_a_vector_of_zeros_says_nothing(tmp_path: Path) -> None:
    memory = byheart.Memory(vectors="mine:4")
    memory.remember("a red fox", id="fox", vector=[0, 0, 0, 0])
    memory.remember("a brown owl", id="owl", vector=[0, 1, 0, 0])
    assert [hit.id for hit in memory.recall("hen", profile="dense", vector=[0, 1, 0, 0])] == ["owl"]
    assert memory.recall("hen", profile="dense", vector=[0, 0, 0, 0]).hits == ()


def test_without_a_model_there_is_nothing_to_check_against() -> None:
    with pytest.raises(InvalidArgument, match="the memory has no model"):
        byheart.Memory().remember("a red fox", vector=[1.0])
    with pytest.raises(InvalidArgument, match="give one of them"):
        byheart.Memory(embedder=EMBEDDER, vectors="mine:4")
    for declared in ("mine", "mine:", ":4", "mine:x", "mine:-4", "mine:0", "mine:99999"):
        with pytest.raises(InvalidArgument):
            byheart.Memory(vectors=declared)
    with pytest.raises(InvalidArgument, match="give NAME:DIMENSIONS"):
        byheart.Memory(vectors="mine:100000")


def test_a_declared_model_is_kept_and_no_other_meets_it(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with byheart.Memory(path, vectors="mine:4") as memory:
        memory.remember("a red fox", id="fox", vector=[1, 0, 0, 0])
        memory.remember("a brown owl", id="owl")
        assert list(stored(memory)) == ["fox"], "a record without one is found by words"
        recall = memory.recall("owl", profile="dense")
        assert recall.hits[0].id == "owl" and "give the question's by vector=" in recall.degraded[0]
        with pytest.raises(InvalidArgument, match="makes no vectors"):
            memory.embed()
        memory.update("fox", topic="animals")
        assert list(stored(memory)) == ["fox"], "it stays with its text"
        memory.update("fox", text="a grey fox")
        assert stored(memory) == {}, "it was of the old text"
        memory.update("fox", text="a red fox")
        memory.remember("a wolf", id="wolf", vector=[0, 1, 0, 0])
    for other in ("mine:8", "theirs:4"):
        with pytest.raises(FingerprintMismatch):
            byheart.Memory(path, vectors=other)
    with byheart.Memory(path, vectors="mine:4") as memory:
        assert memory.count() == 3


def test_conversations_go_on_without_vectors() -> None:
    memory = byheart.Memory(vectors="mine:4")
    for number in range(3):
        done = memory.ingest_turn(f"We meet at {number} o'clock.", session_id="s", user_id="u", now=number)
        assert done.id is not None and "given" not in str(done.refused)
    assert memory.compact("s", force=True, now=9).did_compact


def test_a_questions_vector_is_refused_where_there_is_nothing_to_compare_it_with() -> None:
    memory = byheart.Memory()
    memory.remember("tea", id="tea")
    for verb in (memory.recall, memory.explain, memory.context):
        more = {memory.explain: ("tea",), memory.context: (100,)}.get(verb, ())
        with pytest.raises(InvalidArgument, match="vector: the memory has no model; open it with an embedder"):
            verb("tea", *more, vector=[1.0])


def test_an_answer_says_how_a_vector_that_is_missing_is_given() -> None:
    memory = byheart.Memory(vectors="mine:3")
    memory.remember("a red fox", id="fox", vector=[1, 0, 0])
    memory.update("fox", text="a grey fox")
    asked: dict[str, Any] = {"vector": [1, 0, 0], "profile": "dense"}
    said = "dense: 1 of 1 records have no vector (remember them again under their ids, with vector=)"
    assert memory.recall("a fox", **asked).degraded == (said,)
    with pytest.raises(InvalidArgument, match=r"embed: the memory makes no vectors .* with vector="):
        memory.embed()
    memory.remember("a grey fox", id="fox", vector=[1, 0, 0])
    assert memory.recall("a fox", **asked).degraded == ()


@pytest.mark.parametrize("name", ["m.db", "m.jsonl", None])
def test_a_model_of_which_no_vector_was_kept_gives_way(tmp_path: Path, name: str | None) -> None:
    if name is None:
        given: dict[str, Any] = {"store": byheart.storage.InProcessStore()}
    else:
        given = {"path": tmp_path / name}
    memory = byheart.Memory(**given, vectors="mine:2")
    with pytest.raises(DimensionMismatch):
        memory.remember("a red fox", id="fox", vector=[1, 0, 0])
    memory.recall("a fox", vector=[1, 0])
    if name is not None:
        memory.close()

    with byheart.Memory(**given, vectors="mine:3") as again:
        again.remember("a red fox", id="fox", vector=[1, 0, 0])
        assert again.recall("owl", profile="dense", vector=[1, 0, 0]).hits[0].id == "fox"
        if name == "m.db":
            with pytest.raises(FingerprintMismatch):
                byheart.Memory(**given, vectors="mine:2")


def test_who_only_reads_changes_no_model(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "m.db", vectors="mine:2"):
        pass
    with pytest.raises(FingerprintMismatch):
        byheart.Memory(tmp_path / "m.db", vectors="mine:3", read_only=True)


def test_a_model_gives_way_while_another_process_has_it_open_and_no_vector_is_lost(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "m.db", vectors="mine:2") as first:
        with byheart.Memory(tmp_path / "m.db", vectors="mine:3") as second:
            first.remember("a red fox", id="fox", vector=[1, 0])
            second.remember("a brown owl", id="owl", vector=[1, 0, 0])
            assert second.recall("x", profile="dense", vector=[1, 0, 0]).hits[0].id == "owl"
            assert first.recall("x", profile="dense", vector=[1, 0]).hits[0].id == "fox"
            assert not first.check() and not second.check()
            with pytest.raises(FingerprintMismatch):
                byheart.Memory(tmp_path / "m.db", vectors="mine:2")
        kept = {model: list(first._engine.store.vectors(model)) for model in _models(first)}
        assert [len(rows) for rows in kept.values()] == [1, 1]


def _models(memory: byheart.Memory) -> list[str]:
    from byheart.embedding.given import GivenVectors

    return [str(GivenVectors("mine", width).fingerprint) for width in (2, 3)]


@pytest.mark.filterwarnings("error")
def test_a_question_may_have_numbers_that_a_float_of_32_bits_does_not_hold() -> None:
    memory = byheart.Memory(vectors="ours:2")
    memory.remember("The kettle is blue.", vector=[1.0, 0.0])
    assert memory.recall("kettle", profile="dense", vector=[1e39, 0.0])[0].score == 1.0


@pytest.mark.parametrize("vector", [["1", "0"], [True, False], [b"1", b"0"], [None, 1.0], ["1", 2.0]])
def test_texts_and_flags_are_no_numbers_of_a_vector(vector: Any) -> None:
    with byheart.Memory(vectors="m:2") as memory:
        with pytest.raises(InvalidArgument, match="vector: is no list of numbers"):
            memory.remember("tea", vector=vector)
        assert len(memory) == 0
