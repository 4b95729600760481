"""A memory with an embedder: vectors beside the records, the dense leg, missing vectors, and a change of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import byheart
from byheart import profiles
from byheart.embedding import Fingerprint, HashingEmbedder
from byheart.errors import FingerprintMismatch, InvalidArgument, ModelError
from byheart.profiles import DENSE, EscalatingConfig
from byheart.retrieval import dense
from byheart.storage import InProcessStore
from byheart.storage.jsonl import JsonlStore

WORDS = ("sea", "ship", "sail", "bread", "oven", "flour")


class WordCounts:
    """Counts of six words, as unit vectors: what texts mean to each other can be worked out by hand."""

    def __init__(self, *, version: str = "1", words: Sequence[str] = WORDS) -> None:
        self.words, self.version = words, version
        self.calls: list[int] = []
        self.fail_after: int | None = None

    @property
    def dimensions(self) -> int:
        return len(self.words)

    @property
    def fingerprint(self) -> Fingerprint:
        return Fingerprint("word-counts", len(self.words), True, "", "", self.version)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fail_after is not None and len(self.calls) >= self.fail_after:
            raise ConnectionError("the model server went away")
        self.calls.append(len(texts))
        return self.embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        counts = np.array([[text.split().count(word) for word in self.words] for text in texts], dtype=np.float32)
        counts = counts.reshape(len(texts), len(self.words))
        norms = np.sqrt((counts * counts).sum(axis=1, keepdims=True))
        norms[norms == 0] = 1
        return (counts / norms).astype(np.float32)


TEXTS = {
    "voyage": "ship on the sea under sail",
    "bakery": "flour and bread from the oven",
    "both": "bread on a ship",
    "neither": "a quiet afternoon",
}


def filled(embedder: WordCounts | None, **settings: object) -> byheart.Memory:
    memory = byheart.Memory(embedder=embedder, **settings)
    memory.remember_many([{"id": id, "text": text} for id, text in TEXTS.items()])
    return memory


def test_records_are_embedded_in_one_batch_and_found_by_cosine():
    embedder = WordCounts()
    memory = filled(embedder)
    assert embedder.calls == [4]
    found = memory.recall("sea ship", profile="dense")
    assert [hit.id for hit in found][:2] == ["voyage", "both"]
    assert found.hits[0].score == pytest.approx(2 / np.sqrt(2 * 3), abs=1e-6)
    assert found.receipt.embedder == str(embedder.fingerprint)
    assert found.receipt.mode == "exact"


def test_an_explanation_of_a_dense_hit_gives_its_bits():
    memory = filled(WordCounts())
    found = memory.recall("bread ship", profile="dense", explain=True)
    for hit in found:
        assert hit.explanation.recomputed() == hit.score
        assert memory.explain("bread ship", hit.id, profile="dense").score == hit.score


def test_a_record_with_a_vector_of_zeros_is_found_by_words():
    memory = filled(WordCounts())
    found = memory.recall("quiet sea", profile="dense", explain=True)
    assert found.hits[-1].id == "neither" or "neither" in [hit.id for hit in found]
    assert found.degraded == (), "it has its vector, and nobody can give it another one"
    hit = next(hit for hit in found if hit.id == "neither")
    [change] = hit.explanation.changes
    assert "lexical stands in for dense" in str(hit.explanation)
    assert change.inner.recomputed() == change.inner.score == hit.score == hit.explanation.recomputed() <= 0.5


@pytest.mark.parametrize("name", ["m.db", "m.jsonl"])
def test_an_answer_speaks_of_vectors_that_are_missing_and_of_none_that_are_zero(name: str, tmp_path: Path) -> None:
    said = "dense: {} of {} records have no vector (Memory.embed makes them)"
    with byheart.Memory(tmp_path / name) as before:
        before.remember_many([{"id": "late", "text": "the sea is late"}, {"id": "empty", "text": "nothing of it"}])

    def looked_at(memory: byheart.Memory) -> tuple[tuple[str, ...], int]:
        return memory.recall("sea", profile="dense").degraded, memory.stats()["vectors"]

    with byheart.Memory(tmp_path / name, embedder=WordCounts()) as memory:
        memory.remember("a quiet afternoon", id="zero")
        assert looked_at(memory) == ((said.format(2, 3),), 0)
        assert memory.recall("quiet", profile="dense").hits[0].id == "zero"
        assert (memory.embed().made, *looked_at(memory)) == (2, (), 1)
        memory.update("late", text="the afternoon is late")
        assert (memory.embed().made, *looked_at(memory)) == (0, (), 0)
        memory.update("zero", text="a ship in the afternoon")
        assert looked_at(memory) == ((), 1) and memory.recall("ship", profile="dense").hits[0].id == "zero"
        assert memory.check() == []
    with byheart.Memory(tmp_path / name, embedder=WordCounts()) as memory:
        memory.embed()
        assert looked_at(memory) == ((), 1), "as the indexes were kept, and as they are made anew"


def test_a_vector_of_zeros_that_was_brought_is_not_missed() -> None:
    memory = byheart.Memory(vectors="mine:2")
    memory.remember_many([{"id": "a", "text": "tea", "vector": [0, 0]}, {"id": "b", "text": "sea", "vector": [1, 0]}])
    assert memory.recall("tea", profile="dense", vector=[1, 0]).degraded == ()
    memory.remember("rice", id="c")
    assert memory.recall("tea", profile="dense", vector=[1, 0]).degraded == (
        "dense: 1 of 3 records have no vector (remember them again under their ids, with vector=)",
    )


def test_a_gate_speaks_of_vectors_that_are_missing_and_of_none_that_are_zero() -> None:
    memory = byheart.Memory(embedder=WordCounts())
    memory.remember("a quiet afternoon", user_id="ann")
    assert memory.ingest_turn("I like the ship on the sea", session_id="s", user_id="ann").degraded == ()


@pytest.mark.parametrize("mode", ["exact", "early_exit", "approx"])
def test_every_mode_finds_the_nearest(mode):
    found = filled(WordCounts()).recall("oven bread", profile="dense", mode=mode)
    assert found.hits[0].id == "bakery"
    assert found.receipt.mode == mode


class Trained(HashingEmbedder):
    """Says that its vectors can be cut."""

    matryoshka = True

    @property
    def fingerprint(self):
        return replace(super().fingerprint, family="trained")


@pytest.mark.parametrize(("embedder", "mode"), [(HashingEmbedder(80), "exact"), (Trained(80), "approx")])
def test_a_shortlist_is_made_where_vectors_can_be_cut(embedder, mode):
    memory = byheart.Memory(embedder=embedder)
    memory.remember_many([{"id": f"r{n}", "text": f"kettle {n} of {n % 7} and {n * n}"} for n in range(250)])
    profile = replace(DENSE, pool=10, legs=(replace(DENSE.legs[0], pool=10),))
    found = memory.recall("kettle 9 of 2 and 81", profile=profile, mode="approx")
    assert found.receipt.mode == mode
    if mode == "exact":
        exact = memory.recall("kettle 9 of 2 and 81", profile=profile, mode="exact")
        assert [(hit.id, hit.score) for hit in found] == [(hit.id, hit.score) for hit in exact]
    few = byheart.Memory(embedder=embedder)
    few.remember_many([{"id": f"r{n}", "text": f"kettle {n}"} for n in range(200)])
    assert few.recall("kettle 9", profile=profile, mode="approx").receipt.mode == "approx", "all are on the list"


@pytest.mark.parametrize("name", profiles.NAMES)
def test_profiles_search_exactly_unless_they_are_told(name):
    memory = byheart.Memory(embedder=HashingEmbedder(80))
    memory.remember_many([{"id": f"r{n}", "text": f"kettle {n} of {n % 7} and {n * n}"} for n in range(300)])
    found = memory.recall("kettle 9 of 2 and 81", profile=name, now=1e9)
    exact = memory.recall("kettle 9 of 2 and 81", profile=name, now=1e9, mode="exact")
    assert found.receipt.mode in (None, "exact") and found.hits
    assert [(hit.id, hit.score) for hit in found] == [(hit.id, hit.score) for hit in exact]


@pytest.mark.parametrize("dimensions", [48, 64, 128, 256, 384, 768])
def test_the_early_exit_knows_every_ladder(dimensions):
    memory = byheart.Memory(embedder=HashingEmbedder(dimensions))
    memory.remember_many([{"id": id, "text": text} for id, text in TEXTS.items()])
    found = memory.recall(TEXTS["voyage"], profile="dense", mode="early_exit")
    assert found.hits[0].id == "voyage"
    assert found.hits[0].score == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("given", ["minilm", 384, WordCounts])
def test_what_is_no_embedder_is_refused(given):
    with pytest.raises((TypeError, InvalidArgument)):
        byheart.Memory(embedder=given)


def test_an_unknown_mode_is_refused():
    with pytest.raises(InvalidArgument, match="mode: 'fast' is unknown"):
        filled(WordCounts()).recall("oven", profile="dense", mode="fast")


def test_without_an_embedder_the_profile_answers_by_words_and_says_so():
    found = filled(None).recall("bread", profile="dense")
    assert {hit.id for hit in found} == {"bakery", "both"}
    assert found.degraded == ("dense: the memory has no embedder; the answer rests on words",)
    assert found.receipt.embedder is None


def test_an_embedder_that_fails_at_a_query_degrades_the_answer():
    embedder = WordCounts()
    memory = filled(embedder)
    embedder.embed_queries = lambda texts: (_ for _ in ()).throw(TimeoutError("no answer"))
    found = memory.recall("bread", profile="dense")
    assert {hit.id for hit in found} == {"bakery", "both"}
    assert found.degraded == ("dense: the embedder failed (TimeoutError: no answer)",)


@pytest.mark.parametrize("wrong", [np.zeros((1, 5), np.float32), np.full((1, 6), np.nan, np.float32)])
def test_an_unusable_vector_is_refused_and_nothing_is_remembered(wrong):
    embedder = WordCounts()
    memory = filled(embedder)
    embedder.embed_documents = lambda texts: wrong
    with pytest.raises(ModelError):
        memory.remember("the sea", id="new")
    assert memory.stats()["records"] == 4
    assert "new" not in [hit.id for hit in memory.recall("sea")]


def test_what_has_nothing_in_common_is_dropped_and_said():
    found = filled(WordCounts()).recall("flour oven", profile="dense")
    assert [hit.id for hit in found] == ["bakery"]
    assert ("voyage", "cosine not above 0") in found.dropped


def test_replaced_and_forgotten_records_leave_the_dense_index():
    memory = filled(WordCounts())
    memory.remember("flour", id="voyage")
    memory.forget("both")
    assert [hit.id for hit in memory.recall("sail ship", profile="dense") if hit.score > 0] == []
    assert memory.stats()["vectors"] == 2


def test_a_boundary_holds_for_vectors():
    memory = filled(WordCounts())
    memory.remember("sea sea sea", id="secret", boundary_class="secret")
    assert "secret" not in [hit.id for hit in memory.recall("sea", profile="dense")]
    assert memory.recall("sea", profile="dense", boundary={"classes": ["secret"]}).hits[0].id == "secret"


def test_a_store_of_another_model_is_refused_naming_both():
    store = InProcessStore()
    filled(WordCounts(), store=store)
    with pytest.raises(FingerprintMismatch, match=r"'1'.*'2'"):
        byheart.Memory(store=store, embedder=WordCounts(version="2"))
    assert byheart.Memory(store=store, embedder=WordCounts()).stats()["vectors"] == 3


def test_embedding_anew_at_opening():
    store = InProcessStore()
    filled(WordCounts(), store=store)
    other = WordCounts(version="2", words=WORDS[:4])
    memory = byheart.Memory(store=store, embedder=other, reembed=True)
    assert other.calls == [4]
    assert memory.recall("ship", profile="dense").receipt.embedder == str(other.fingerprint)
    assert store.model() == str(other.fingerprint)


def test_an_interrupted_change_of_models_goes_on_where_it_stopped_and_never_mixes():
    store = InProcessStore()
    memory = filled(WordCounts(), store=store)
    before = [(hit.id, hit.score) for hit in memory.recall("ship bread", profile="dense")]
    other = WordCounts(version="2", words=WORDS[:4])
    other.fail_after = 1
    with pytest.raises(ConnectionError):
        memory.embed(other, batch=3)
    assert [(hit.id, hit.score) for hit in memory.recall("ship bread", profile="dense")] == before
    other.fail_after = None
    done = memory.embed(other, batch=3)
    assert (done.made, done.kept, done.previous) == (1, 3, str(WordCounts().fingerprint))
    assert other.calls == [3, 1]
    assert len(memory.recall("bread", profile="dense").hits[0].record.text) > 0
    assert {key for key, _ in store.vectors(str(WordCounts().fingerprint))} == set()


def test_a_text_file_keeps_no_vectors_until_they_are_made_again(tmp_path: Path):
    path = tmp_path / "memory.jsonl"
    filled(WordCounts(), store=JsonlStore(path))
    memory = byheart.Memory(store=JsonlStore(path), embedder=WordCounts())
    assert memory.recall("sea", profile="dense").degraded
    assert memory.embed().made == 4
    assert memory.recall("sea", profile="dense").hits[0].id == "voyage"


def test_embedding_hypervectors_find_what_vectors_find():
    memory = filled(WordCounts(), hypervectors="embedding")
    found = memory.recall("oven flour", profile="kb-balanced", explain=True)
    assert found.receipt.escalated
    assert found.hits[0].id == "bakery"
    assert found.hits[0].explanation.recomputed() == found.hits[0].score


def test_embedding_hypervectors_need_an_embedder():
    with pytest.raises(InvalidArgument, match="needs an embedder"):
        byheart.Memory(hypervectors="embedding")


def test_dense_as_the_second_leg_joins_words():
    from dataclasses import replace

    profile = replace(
        EscalatingConfig.of("kb-balanced"),
        name="words-and-vectors",
        secondary="dense",
        escalation="always",
        weights={"lexical": 0.5, "dense": 0.5},
    ).profile()
    memory = filled(WordCounts())
    found = memory.recall("ship bread", profile=profile, explain=True)
    assert found.hits[0].id == "both"
    for hit in found:
        assert hit.explanation.recomputed() == hit.score


def test_a_profile_that_asks_the_same_retriever_twice_is_refused():
    from dataclasses import replace

    with pytest.raises(InvalidArgument, match="primary too"):
        replace(EscalatingConfig.of("dense"), secondary="dense", escalation="always")


def test_a_trace_shows_cosines_below_nought_as_nought() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(16), noise=None)
    memory.remember_many({"id": f"r{n}", "text": f"kettle {n} of {n * n}", "created_at": 0} for n in range(40))
    trace = memory.recall("teapot", 5, profile="dense", explain=True).trace
    candidates = trace.strategies[0].candidates
    assert min(candidate.raw_score for candidate in candidates) < 0.0
    for candidate in candidates:
        assert candidate.normalised_score == max(candidate.raw_score, 0.0)


@pytest.mark.parametrize(("setting", "value"), [("tiers", [64, 0]), ("shortlist", 0.5), ("shortlist", -1)])
def test_a_setting_of_the_cascade_that_counts_nothing_is_named(setting: str, value: object) -> None:
    with pytest.raises((InvalidArgument, TypeError), match=f"^{setting}"):
        profiles.Leg("dense", settings={setting: value})


@pytest.mark.parametrize(("pool", "most"), [(100, 2_020), (104, 2_101), (1, 20)])
def test_a_shortlist_that_holds_every_record_is_taken(pool: int, most: int) -> None:
    assert [dense.chosen("approx", pool, most + more, trained=False) for more in (0, 1)] == ["approx", "exact"]
