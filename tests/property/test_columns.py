"""The retriever of columns against BM25 as the reference defines it: path 1.5, title 4.0, body 1.0; cells, filters."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.counts import examples

from byheart import Memory, Profile
from byheart.boundary import Boundary
from byheart.profiles import Leg
from byheart.profiles.router import RouterConfig
from byheart.ranking.agreement import AgreementFusion
from byheart.reference import lexical, text

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
        said = {"path": f"{path} md" if path else "", "title": title, "body": f"{body} {'lantern' if other else ''}"}
        documents[id] = lexical.Document({name: text.terms(value) for name, value in said.items()}, cell)
    weights = {"path": 1.5, "title": 4.0, "body": 1.0}
    terms = [term for word in query for term in text.terms(word)]
    inside = Boundary(classes=("internal",))
    expected = lexical.search(documents, terms, weights, cells={"internal"})
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


def test_a_title_counts_four_times_a_body_for_the_first_stage_of_the_router() -> None:
    """By the seven fields a topic counts 1.5 times a claim, so that the long text would come first."""
    memory = Memory()
    filler = "the garden is watered in the morning "
    memory.remember(filler * 2, topic="kettle and garden and harbour and lantern", id="named")
    memory.remember("kettle kettle kettle kettle " + filler, id="said")
    memory.remember_many([{"id": f"f{number}", "text": filler, "topic": "garden"} for number in range(10)])
    profile = RouterConfig().profile()
    plain = memory.recall("kettle", profile="kb-fast")
    routed = memory.recall("kettle", profile=profile, explain=True)
    assert [hit.id for hit in plain] == ["said", "named"]
    assert [hit.id for hit in routed][:2] == ["named", "said"]
    explained = str(routed.hits[0].explanation)
    assert "title:kettl" in explained and "weight 4" in explained


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
