"""The profile auto: what it promises of any memory, with and without vectors, conversations and filters."""

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart import Memory, Record
from byheart.embedding import HashingEmbedder

from ..counts import examples

WORDS = ["fox", "foxes", "red", "owl", "東京", "café", "den", "getUserName", "user"]
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@st.composite
def batches(draw: Any) -> list[Record]:
    """Return records, some of which say the same."""
    talks = draw(st.booleans())
    return [
        Record(
            text=draw(sentences),
            id=f"r{number:02}",
            topic=draw(st.none() | sentences),
            session_id=draw(st.sampled_from([None, "s1", "s2"])) if talks else None,
            user_id=draw(st.sampled_from([None, "ann"])) if talks else None,
            speaker=draw(st.sampled_from([None, "Ann", "Fox"])) if talks else None,
            created_at=float(draw(st.integers(0, 3))),
        )
        for number in range(draw(st.integers(1, 60)))
    ]


def bits(recall: Any) -> list[tuple[str, str, float]]:
    return [(hit.id, hit.score.hex(), hit.strength) for hit in recall]


@settings(max_examples=examples(400))
@given(batch=batches(), query=sentences, embedder=st.booleans(), k=st.integers(1, 12))
def test_what_is_looked_at_changes_no_hit(batch: list[Record], query: str, embedder: bool, k: int) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    memory.remember_many(batch)
    asked = {"now": 10.0, "min_strength": 0.0}
    told = memory.recall(query, k, explain=True, **asked)
    assert bits(memory.recall(query, k, **asked)) == bits(told) == bits(memory.recall(query, 60, **asked))[:k]
    for hit in told:
        assert hit.explanation is not None and hit.explanation.recomputed() == hit.score
        assert hit.strength is not None and 0.0 <= hit.strength <= 1.0


@st.composite
def statements(draw: Any) -> list[Record]:
    """Return records of which some ask, are marked as noise, say the same, or nearly the same as others."""
    forms = st.sampled_from(["the fox lives in {}", "my {} is red", "red fox, {}", "is the fox {}?", "fox {}"])
    values = st.sampled_from(["Bern", "Rome", "Oslo", "den"])
    return [
        Record(
            text=draw(forms).format(draw(values)),
            id=f"r{draw(st.integers(0, 99)):02}-{number}",
            utility_note=draw(st.sampled_from([None, None, None, "red fox"])),
            metadata=draw(st.sampled_from([{}, {}, {}, {"noise": "chatter"}])),
            created_at=float(draw(st.integers(0, 3))),
        )
        for number in range(draw(st.integers(1, 60)))
    ]


@settings(max_examples=examples(200))
@given(batch=statements(), query=st.sampled_from(["fox", "red fox", "fox in Rome", "my den", "lives"]), data=st.data())
def test_the_first_rows_decide_only_what_all_would_decide(batch: list[Record], query: str, data: Any) -> None:
    memory = Memory(noise=None)
    memory.remember_many(batch)
    asked: dict[str, Any] = {"k": data.draw(st.integers(1, 12)), "now": 10.0, "min_strength": 0.0}
    if data.draw(st.booleans()):
        asked["where"] = {"created_at": {">": 0.5}}
    assert bits(memory.recall(query, **asked)) == bits(memory.recall(query, explain=True, **asked))


def test_one_record_that_is_out_of_the_ordinary_costs_no_question_about_others_its_first_rows() -> None:
    memory = Memory(noise=None)
    others = [f"a fox runs a{number} b{number} c{number} d{number}" for number in range(80)]
    memory.remember_many(Record(text=text, id=f"r{number:02}") for number, text in enumerate(others))
    memory.remember_many(
        [
            Record(text="I live in Oslo.", id="oslo"),
            Record(text="I live in Turku.", id="turku"),
            Record(text="is the kettle red?", id="asks"),
            Record(text="the kettle is red", id="noise", metadata={"noise": "chatter"}),
        ]
    )
    assert memory.get("turku").near_duplicates == ("oslo",)
    assert len(memory.recall("which fox runs?").dropped) < 20
    assert [hit.id for hit in memory.recall("where do I live?")][:2] == ["turku", "oslo"]


@settings(max_examples=examples(200))
@given(batch=batches(), query=sentences, embedder=st.booleans(), floor=st.sampled_from([0.1, 0.5, 0.9]))
@example(batch=[Record(text="東京", id="r00", created_at=0.0)], query="red", embedder=True, floor=0.1)
@example(
    batch=[Record(text="red fox red", id=id, created_at=0.0) for id in "ab"], query="fox owl", embedder=False, floor=0.9
)
@example(
    batch=[
        Record(text="red", id="r00", created_at=0.0),
        Record(text="owl", id="r01", created_at=0.0),
        Record(text="owl", id="r02", created_at=0.0, session_id="s1"),
    ],
    query="fox fox fox red",
    embedder=False,
    floor=0.1,
)
def test_an_answer_is_empty_exactly_if_it_is_too_weak(
    batch: list[Record], query: str, embedder: bool, floor: float
) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    memory.remember_many(batch)
    best, found = memory.recall(query, min_strength=0), memory.recall(query, min_strength=floor)
    assert best.strength == found.strength
    assert bits(found) == (bits(best) if found.strength >= floor else [])
    assert found.nearest == best.nearest
    some = memory.recall(query, where={"id": ["r00", "r01"]}, min_strength=floor)
    # Of fewer records a word is in a greater share: only so may what is left be stronger.
    few, all_found = (recall.table.figures.get("strength", {}) for recall in (some, best))
    if few.get("familiarity", 0.0) <= all_found.get("familiarity", 0.0):
        assert some.strength is not None and best.strength is not None and some.strength <= best.strength
    else:
        assert few["share"] <= all_found["share"]
    assert all(hit.id in ("r00", "r01") for hit in some) and bool(some.hits) <= (some.strength >= floor)
