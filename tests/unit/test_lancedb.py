"""LanceDB as a source: what it finds, inside which boundary, and what the memory's changes do to it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, MissingExtra
from byheart.integrations.lancedb import LanceRetriever
from byheart.profiles import Leg, Profile
from byheart.profiles.router import RouterConfig
from byheart.ranking.agreement import AgreementFusion
from byheart.retrieval.protocol import register, unregister

TEXTS = {
    "spring": "The kettle is descaled every spring.",
    "blue": "A blue kettle stands on the stove.",
    "tea": "Ada drinks tea.",
}


def alone(pool: int = 20) -> Profile:
    return Profile("lance", (Leg("lancedb", pool),), (AgreementFusion({"lancedb": 1.0}),))


@pytest.fixture(params=[False, True], ids=["words", "vectors"])
def memory(request: pytest.FixtureRequest) -> byheart.Memory:
    made = byheart.Memory(embedder=HashingEmbedder() if request.param else None)
    for id, text in TEXTS.items():
        made.remember(text, id=id)
    made.remember("A kettle nobody may see.", id="hidden", boundary_class="secret")
    return made


@pytest.fixture
def lance(memory: byheart.Memory) -> Iterator[LanceRetriever]:
    with LanceRetriever(memory) as retriever:
        register(retriever)
        yield retriever
    unregister("lancedb")


def ids(answer: byheart.Recall) -> list[str]:
    return [hit.id for hit in answer]


def test_it_finds_what_the_memory_holds_inside_the_boundary(memory: byheart.Memory, lance: LanceRetriever) -> None:
    assert set(ids(memory.recall("descaled kettle", profile=alone()))) >= {"spring", "blue"}
    assert ids(memory.recall("descaled kettle", profile=alone()))[0] == "spring"
    assert "hidden" not in ids(memory.recall("kettle", profile=alone()))
    seen = memory.recall("kettle nobody", profile=alone(), boundary={"classes": ["secret"]})
    assert ids(seen) == ["hidden"]


def test_its_cosines_are_the_memory_s_own() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder())
    for id, text in TEXTS.items():
        memory.remember(text, id=id)
    with LanceRetriever(memory, mode="vectors") as lance:
        register(lance)
        theirs = memory.recall("the blue kettle", profile=alone()).table.columns["lancedb"]
        ours = memory.recall("the blue kettle", profile="dense").table.columns["dense"]
        unregister("lancedb")
    assert theirs[0] == pytest.approx(ours[0], abs=1e-5), "float32 sums of another program"


def test_it_fills_up_behind_the_gate(memory: byheart.Memory, lance: LanceRetriever) -> None:
    profile = RouterConfig(stage2="lancedb", cap_ms=60_000.0).profile()
    answer = memory.recall("lex: tea", profile=profile, explain=True)
    assert ids(answer)[0] == "tea" and answer.receipt.routing["stage2_used"]
    assert all(hit.explanation.recomputed() == hit.score for hit in answer)
    filled = memory.recall("nothing +stove kettle", profile=profile)
    assert ids(filled) == ["blue"]


def test_it_serves_one_memory_and_one_tenant(memory: byheart.Memory, lance: LanceRetriever) -> None:
    memory.remember("A kettle of Ann's.", id="spring", tenant="ann")
    other = byheart.Memory()
    other.remember("Another spring.", id="spring")
    for answer in (
        memory.recall("kettle", profile=alone(), boundary={"tenant": "ann"}),
        other.recall("kettle", profile=alone()),
    ):
        assert answer.hits == () and "another memory or tenant" in answer.degraded[0]


def test_it_follows_changes(memory: byheart.Memory, lance: LanceRetriever) -> None:
    lance.refresh()
    memory.forget("spring")
    memory.remember("The pot is descaled in autumn.", id="pot")
    found = ids(memory.recall("descaled", profile=alone()))
    assert "pot" in found and "spring" not in found


def test_a_filter_leaves_enough_to_find(memory: byheart.Memory, lance: LanceRetriever) -> None:
    for number in range(30):
        memory.remember(f"kettle kettle kettle {number}", id=f"k{number:02}", kind="many")
    narrow = alone(2)
    answer = memory.recall("kettle", profile=narrow, exclude=[f"k{number:02}" for number in range(30)])
    assert set(ids(answer)) & {"spring", "blue"}


def test_what_lies_outside_takes_nobody_s_place(memory: byheart.Memory, lance: LanceRetriever) -> None:
    for number in range(30):
        memory.remember(f"kettle kettle kettle {number}", id=f"k{number:02}", boundary_class="secret")
    assert set(ids(memory.recall("kettle", profile=alone(2)))) == {"spring", "blue"}


def test_words_of_a_question_are_no_operators(memory: byheart.Memory) -> None:
    with LanceRetriever(memory, mode="words") as lance:
        register(lance)
        for query in ('kettle AND ("', "kettle*", "text:kettle ^2", "-kettle OR +kettle"):
            assert "blue" in ids(memory.recall(query, profile=alone(), operators=False))
        assert ids(memory.recall("?!", profile=alone())) == []
        unregister("lancedb")


def test_a_closed_one_says_so_and_the_router_goes_on(memory: byheart.Memory, lance: LanceRetriever) -> None:
    lance.close()
    answer = memory.recall("lex: tea", profile=RouterConfig(stage2="lancedb").profile())
    assert ids(answer) == ["tea"] and answer.receipt.routing["reason"] == "error"
    assert any("was closed" in said for said in answer.degraded)


def test_a_memory_without_records_has_nothing_to_find() -> None:
    memory = byheart.Memory()
    with LanceRetriever(memory) as lance:
        register(lance)
        assert ids(memory.recall("kettle", profile=alone())) == []
        unregister("lancedb")


def test_what_is_wrong_is_refused(memory: byheart.Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidArgument, match="mode"):
        LanceRetriever(memory, mode="hybrid")
    monkeypatch.setitem(sys.modules, "lancedb", None)
    with pytest.raises(MissingExtra, match=r"byheart\[lancedb\]"):
        LanceRetriever(memory)


def test_where_nothing_has_a_vector_a_search_of_vectors_has_no_answer() -> None:
    memory = byheart.Memory()
    memory.remember("Tea is served at four.", id="tea")
    with LanceRetriever(memory, mode="vectors") as lance:
        register(lance)
        answer = memory.recall("tea", profile=RouterConfig(stage2="lancedb").profile())
        unregister("lancedb")
    assert any("the question, or no record, has a vector" in said for said in answer.degraded)
    assert ids(answer) == ["tea"]
