"""The retriever of columns against BM25 as the reference has it: counts by the weights of columns; cells, filters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.counts import examples

from byheart import Memory, Profile
from byheart.boundary import Boundary
from byheart.profiles import Leg
from byheart.profiles.router import RouterConfig
from byheart.ranking.agreement import AgreementFusion
from byheart.records import Record
from byheart.reference import lexical, text
from byheart.retrieval.columns import repeated
from byheart.retrieval.selection import Selection

WORDS = ("kettle", "violin", "harbour", "saddle")
SAID = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
RECORDS = st.lists(
    st.tuples(SAID, SAID, SAID.filter(bool), st.booleans(), st.sampled_from([None, "condition"])),
    min_size=1,
    max_size=9,
)
COLUMNS = Profile("columns", (Leg("columns", pool=4),), (AgreementFusion({"columns": 1.0}),))


def found(memory: Memory, query: str, inside: Boundary, exclude: set[str]) -> dict[str, float]:
    """Return ids and raw scores, as the table has them."""
    table = memory.recall(query, 4, COLUMNS, boundary=inside, exclude=exclude, explain=True).table
    raw = table.columns.get("columns", ())
    return {id: score for id, score in zip(table.ids, raw, strict=bool(raw)) if score is not None}


@settings(max_examples=examples(300), deadline=None)
@given(RECORDS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
def test_finds_what_the_reference_finds(
    records: list[tuple[str, str, str, bool, str | None]], query: list[str]
) -> None:
    memory, documents = Memory(noise=None), {}
    for number, (path, title, body, secret, other) in enumerate(records):
        id, cell = f"r{number}", "secret" if secret else "internal"
        fields = {} if other is None else {other: "lantern"}
        memory.remember(
            body, id=id, topic=title or None, boundary_class=cell, scope="project", **fields,
            provenance={"source_name": path.replace(" ", "/") + ".md"} if path else {},
        )  # fmt: skip
        said = [f"{path} md"] * 3 if path else []
        said += [title] * 8 + [f"{body} {'lantern' if other else ''}"] * 2
        documents[id] = lexical.Document({"all": [term for each in said for term in text.terms(each)]}, cell)
    terms = [term for word in query for term in text.terms(word)]
    inside = Boundary(classes=("internal",))
    expected = lexical.search(documents, terms, {"all": 2.2 / 3.4}, cells={"internal"}, k1=2.4)
    assert found(memory, " ".join(query), inside, set()) == dict(expected[:4])
    gone = {f"r{number}" for number in range(0, len(records), 2)}
    kept = [(id, score) for id, score in expected if id not in gone][:4]
    assert found(memory, " ".join(query), inside, gone) == dict(kept), "a filter changes no score, and hides nobody"


def test_many_that_may_not_be_found_hide_none_that_may() -> None:
    memory = Memory(noise=None)
    memory.remember_many([{"id": f"a{number}", "text": "kettle"} for number in range(200)])
    memory.remember("kettle " + "and a long story about something else " * 20, id="z")
    inside = Boundary()
    assert list(found(memory, "kettle", inside, {f"a{number}" for number in range(200)})) == ["z"]


SAME = 1e-12  # the formula as it is written down, whose operations have another order


def test_scores_are_those_of_counts_by_weight() -> None:
    """Each record's counts are its words by column times their weights, and so is its length."""
    memory = Memory()
    path = {"source_name": "kettle/home.md"}
    memory.remember("Kettle and violin, violin, violin.", id="a", topic="Violin", provenance=path)
    memory.remember("The harbour.", id="b")
    memory.remember("A violin.", id="c", topic="Saddle and saddle")
    counts = {"a": 1.5 * 0 + 4.0 * 1 + 1.0 * 3, "b": 0.0, "c": 1.0}
    lengths = {"a": 1.5 * 3 + 4.0 * 1 + 1.0 * 4, "b": 1.0, "c": 4.0 * 2 + 1.0}
    mean = sum(lengths.values()) / 3
    idf = math.log((3 - 2 + 0.5) / (2 + 0.5) + 1.0)
    expected = {
        id: idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * lengths[id] / mean))
        for id, count in counts.items() if count
    }  # fmt: skip
    assert found(memory, "violin", Boundary(), set()) == pytest.approx(expected, rel=SAME)


def test_the_first_stage_of_the_router_weighs_a_title_four_times() -> None:
    """By the seven fields a topic counts 1.5 times a claim, so that the text that says it twice would come first."""
    memory = Memory()
    memory.remember("the garden", topic="kettle of the house", id="named")
    memory.remember("the kettle is watered in the morning, kettle", id="said")
    memory.remember_many([{"id": f"f{number}", "text": "the garden is watered", "topic": "day"} for number in range(9)])
    plain = memory.recall("kettle", profile="kb-fast")
    routed = memory.recall("kettle", profile=RouterConfig().profile(), explain=True)
    assert [hit.id for hit in plain] == ["said", "named"]
    assert [hit.id for hit in routed] == ["named", "said"]
    assert "counts 4 (path 1.5, title 4, body 1 each time)" in str(routed.hits[0].explanation)


def test_a_text_of_the_greatest_length_is_found() -> None:
    memory = Memory()
    memory.remember("kettle " + "x" * 9_999_000, id="long")
    assert list(found(memory, "kettle", Boundary(), set())) == ["long"]
    assert len(repeated(memory.get("long"))) == 10_000_000
    wide = Record(text="ä" * 4_000_000)
    assert len(repeated(wide).encode()) <= 10_000_000


def test_a_record_is_found_by_the_file_it_came_from() -> None:
    memory = Memory()
    memory.remember("Descale it in spring.", id="home", provenance={"source_name": "notes/kettle.md"})
    memory.remember("Tea is kept in the tin.", id="tea")
    assert [hit.id for hit in memory.recall("kettle", profile=RouterConfig().profile())] == ["home"]


def test_follows_what_is_changed_and_forgotten() -> None:
    memory, profile = Memory(), RouterConfig().profile()
    memory.remember_many([{"id": "pot", "text": "the kettle"}, {"id": "tea", "text": "Kettle on"}])
    assert len(memory.recall("kettle", profile=profile)) == 2
    memory.forget("pot")
    memory.update("tea", text="the cup", topic="violin")
    assert [hit.id for hit in memory.recall("kettle", profile=profile)] == []
    assert [hit.id for hit in memory.recall("violin", profile=profile)] == ["tea"]


@pytest.fixture(scope="module")
def many() -> Memory:
    """Return a memory of more records than are asked about one by one; it is only read."""
    memory = Memory(noise=None)
    memory.remember_many(
        [{"id": f"a{number:03}", "text": "kettle", "topic": "tea" if number % 9 else "pot"} for number in range(10_050)]
    )
    return memory


@pytest.mark.parametrize("retriever", ["columns", "substring"])
def test_a_filter_asks_the_directory_once_for_all_that_was_found(
    retriever: str, many: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(Selection, "holds", lambda self, row: asked.append(row))
    legs = Profile("one", (Leg(retriever, pool=20),), (AgreementFusion({retriever: 1.0}),))
    hits = many.recall("kettle", 20, legs, where={"topic": "pot"}).hits
    assert len(hits) == 20
    assert asked == []
