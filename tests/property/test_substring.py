"""The substring retriever against a plain statement of what it finds: letters, cells, filters, changes of records."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.counts import examples

from byheart import Memory, Profile
from byheart.boundary import Boundary
from byheart.profiles import Leg
from byheart.ranking.agreement import AgreementFusion
from byheart.retrieval.substring import needles

LETTERS = st.text(alphabet="aAbBäÄ%_\\ 　ｋK50", max_size=8)
TEXTS = st.lists(st.tuples(LETTERS.filter(str.strip), st.integers(0, 3), st.booleans()), min_size=1, max_size=12)


def profile(how: str = "query") -> Profile:
    return Profile("letters", (Leg("substring", settings={"how": how}),), (AgreementFusion({"substring": 1.0}),))


def plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


@settings(max_examples=examples(1_000), deadline=None)
@given(TEXTS, LETTERS, st.sampled_from(["query", "words"]))
def test_finds_the_texts_that_hold_the_question_and_the_newest_first(
    texts: list[tuple[str, int, bool]], query: str, how: str
) -> None:
    memory = Memory(noise=None)
    for number, (text, at, secret) in enumerate(texts):
        cell = "secret" if secret else "internal"
        memory.remember(text, id=f"r{number:02}", created_at=at, boundary_class=cell, scope="project")
    inside = Boundary(classes=("internal",))
    said = plain(query)
    sought = ([said] if how == "query" else said.split()) if said else []
    holding = sorted(
        (-at, f"r{number:02}")
        for number, (text, at, secret) in enumerate(texts)
        if not secret and any(each in plain(text) for each in sought)
    )
    expected = [(id, 1.0 / (1.0 + rank)) for rank, (_, id) in enumerate(holding, 1)]
    chosen = {f"r{number:02}" for number in range(0, len(texts), 2)}
    if not query.strip():
        return  # an empty question is refused
    found = memory.recall(query, 100, profile(how), boundary=inside)
    assert [(hit.id, hit.score) for hit in found] == expected
    some = memory.recall(query, 100, profile(how), boundary=inside, exclude=chosen)
    assert [(hit.id, hit.score) for hit in some] == [hit for hit in expected if hit[0] not in chosen]


def test_nothing_in_a_question_is_a_wildcard() -> None:
    memory = Memory()
    memory.remember_many([{"id": "half", "text": "50% off today"}, {"id": "more", "text": "500 off, a_b or axb"}])
    assert [hit.id for hit in memory.recall("50% OFF", profile=profile())] == ["half"]
    assert [hit.id for hit in memory.recall("a_b", profile=profile())] == ["more"]
    assert [hit.id for hit in memory.recall("%", profile=profile())] == ["half"]


def test_follows_what_is_changed_and_forgotten() -> None:
    memory = Memory()
    memory.remember_many([{"id": "pot", "text": "the kettle"}, {"id": "tea", "text": "Kettle on"}])
    assert len(memory.recall("KETTLE", profile=profile())) == 2
    memory.forget("pot")
    memory.update("tea", text="the cup")
    assert [hit.id for hit in memory.recall("KETTLE", profile=profile())] == []
    assert [hit.id for hit in memory.recall("cup", profile=profile())] == ["tea"]


def test_what_is_looked_for_is_named() -> None:
    assert needles("a b a", "words") == ["a", "b"]
    memory = Memory()
    memory.remember("the kettle", id="pot")
    [hit] = memory.recall("kettle", profile=profile(), explain=True).hits
    assert "rank 1" in str(hit.explanation) and "'kettle'" in str(hit.explanation)
