"""Records that were overlooked: without a vector, with a text beside a claim; and receipts that told too little."""

from dataclasses import replace
from typing import Any

import pytest

from byheart import Memory, Record, profiles
from byheart.embedding import Fingerprint, HashingEmbedder
from byheart.profiles import EscalatingConfig
from byheart.profiles.hybrid import HybridConfig
from byheart.profiles.scoped import ScopedConfig

NOW = 2_000_000.0


def half_embedded() -> Memory:
    """Return a memory in which two records came before the embedder."""
    memory = Memory(embedder=HashingEmbedder())
    memory.remember_many([{"id": f"r{n}", "text": f"a boat number {n} at sea", "created_at": NOW} for n in range(9)])
    embedder, memory._engine.writer.embedder = memory._engine.writer.embedder, None
    memory.remember("the kettle is descaled every spring", id="blind", created_at=NOW, session_id="s")
    memory.remember("the kettle of the boat is blue", id="blind too", created_at=NOW)
    memory._engine.writer.embedder = embedder
    return memory


@pytest.mark.parametrize("profile", ["scoped", "discovery", "dense"])
def test_records_without_a_vector_are_found_by_words(profile: str) -> None:
    memory = half_embedded()
    found = memory.recall("when is the kettle descaled", profile=profile, now=NOW, explain=True)
    assert {"blind", "blind too"} <= {hit.id for hit in found}
    assert found.degraded == ("dense: 2 of 11 records have no vector (Memory.embed makes them)",)
    for hit in found:
        assert hit.explanation.recomputed() == hit.score
    row = found.table.ids.index("blind")
    raw, scaled = found.table.columns["dense_stand_in"][row], found.table.columns["dense"][row]
    assert raw is not None and scaled == raw * (0.5 / max(raw, 1.0)), "half of its share of the best, beside cosines"
    whose = memory.recall("when is the kettle descaled", profile="scoped", session_id="s", now=NOW)
    assert whose.hits[0].id == "blind"


class Trained(HashingEmbedder):
    """Says of itself that the beginnings of its vectors are vectors."""

    matryoshka = True

    @property
    def fingerprint(self) -> Fingerprint:
        return replace(super().fingerprint, family="trained")


@pytest.mark.parametrize(("embedder", "mode"), [(HashingEmbedder(256), "exact"), (Trained(256), "early_exit")])
def test_scoped_leaves_early_only_where_the_model_was_trained_for_it(embedder: Any, mode: str) -> None:
    memory = Memory(embedder=embedder)
    memory.remember_many(
        [{"id": f"r{n}", "text": f"kettle number {n} is descaled", "created_at": NOW} for n in range(30)]
    )
    found = memory.recall("kettle number 7 is descaled", profile="scoped", now=NOW)
    assert found.receipt.mode == mode
    exact = memory.recall("kettle number 7 is descaled", profile="scoped", mode="exact", now=NOW)
    assert exact.receipt.mode == "exact"
    if mode == "exact":
        assert [(hit.id, hit.score) for hit in found] == [(hit.id, hit.score) for hit in exact]


@pytest.mark.parametrize(("embedder", "mode"), [(HashingEmbedder(256), "exact"), (Trained(256), "early_exit")])
def test_so_does_one_search_alone(embedder: Any, mode: str) -> None:
    memory = Memory(embedder=embedder)
    memory.remember_many([{"id": f"r{n}", "text": f"kettle number {n} is descaled"} for n in range(30)])
    assert memory.recall("kettle number 7 is descaled", profile="dense", mode="by_model").receipt.mode == mode


@pytest.mark.parametrize("field", ["claim", "procedure"])
def test_a_text_beside_a_claim_or_a_procedure_is_found(field: str) -> None:
    memory = Memory()
    memory.remember("Ada mentioned the harbour.", id="both", **{field: "Boats are painted in May."})
    for question in ("who mentioned the harbour", "when are boats painted"):
        for profile in ("kb-fast", "kb-balanced"):
            assert [hit.id for hit in memory.recall(question, profile=profile)] == ["both"]
    same = Record(text="Boats are painted in May.", **{field: "Boats are painted in May."})
    plain = Record(**{field: "Boats are painted in May."})
    assert same.indexed() == plain.indexed(), "said once, indexed once"
    assert same.content_hash() == plain.content_hash()


def test_receipts_hold_the_whole_profile() -> None:
    memory = Memory(embedder=HashingEmbedder())
    memory.remember("the kettle is descaled every spring", id="k", created_at=NOW)
    one, other = (
        memory.recall("kettle", profile=HybridConfig(rerank="none", min_score=least).profile(), now=NOW).receipt
        for least in (0.1, 0.2)
    )
    assert one.profile == other.profile == "hybrid" and one.hits == other.hits
    assert one != other and one.to_dict() != other.to_dict()
    assert profiles.Profile.from_dict(one.to_dict()["settings"]) == one.settings


@pytest.mark.parametrize("name", profiles.NAMES)
def test_every_profile_can_be_read_back(name: str) -> None:
    profile = profiles.get(name)
    assert profiles.Profile.from_dict(profile.to_dict()) == profile
    assert replace(profile, max_results=5).max_results == 5
    assert replace(EscalatingConfig.of("kb-fast"), gap=0.1).profile() != profiles.get("kb-fast")
    assert ScopedConfig(top_k=4).profile().to_dict() != profiles.get("scoped").to_dict()


def test_a_callers_vector_takes_the_place_of_the_embedders() -> None:
    embedder = HashingEmbedder()
    memory = Memory(embedder=embedder)
    memory.remember_many([{"id": "k", "text": "the kettle is descaled"}, {"id": "b", "text": "a boat at sea"}])
    [vector] = embedder.embed_queries(["boat at sea"])
    found = memory.recall("kettle", 1, "dense", vector=vector)
    assert [hit.id for hit in found] == ["b"] and found.receipt.vector is not None
    assert memory.recall("kettle", 1, "dense", vector=list(vector)).receipt == found.receipt
    from byheart.errors import DimensionMismatch, InvalidArgument

    with pytest.raises(DimensionMismatch, match="has 2 numbers"):
        memory.recall("kettle", profile="dense", vector=[0.5, 0.5])
    with pytest.raises(InvalidArgument, match="finite"):
        memory.recall("kettle", profile="dense", vector=[float("nan")])
    with pytest.raises(TypeError, match="vector"):
        memory.recall("kettle", profile="dense", vector="near")


def test_an_option_that_does_not_exist_names_the_nearest() -> None:
    memory = Memory()
    memory.remember("the kettle", id="k")
    for ask in (
        lambda: memory.recall("x", sesion_id="s"),
        lambda: memory.context("x", 9, sesion_id="s"),
        lambda: memory.explain("x", "k", sesion_id="s"),
    ):
        with pytest.raises(TypeError, match="did you mean 'session_id'"):
            ask()
