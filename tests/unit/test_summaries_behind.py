"""After a compaction the record that answers stands before the summary that tells of it."""

import pytest

from byheart import Memory

TOLD = [
    "The kiln is heated to 1,240 degrees.", "Our glazer is Ms. Ode.", "She comes on Fridays.",
    "We ordered 40 kilos of clay.", "The wheel is broken.", "The shelf must be painted before March.",
    "The water tank holds 200 litres.", "We sold two blue vases.",
]  # fmt: skip


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    for day, text in enumerate(TOLD):
        at = 1.76e9 + day * 3600
        memory.ingest_turn(text, session_id="s", user_id="u", created_at=at, now=at)
    assert memory.compact("s", target=4, now=1.766e9).did_compact
    return memory


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much water does the tank hold?", TOLD[6]),
        ("How hot is the kiln heated?", TOLD[0]),
        ("How much clay did we order?", TOLD[3]),
        ("Which vases did we sell?", TOLD[7]),
    ],
)
def test_the_copy_that_answers_comes_before_the_summary(memory: Memory, question: str, text: str) -> None:
    found = memory.recall(question, user_id="u", now=1.767e9)
    assert found[0].text == text and found[0].record.kind != "summary"
    assert "summary" in {hit.record.kind for hit in found}
    assert [hit.id for hit in memory.recall(question, 1, user_id="u", now=1.767e9)] == [found[0].id]
    summary = next(hit for hit in found if hit.record.kind == "summary" and text in hit.text)
    if summary.score > found[0].score:
        told = str(memory.explain(question, found[0].id, user_id="u", now=1.767e9))
        assert "a summary that says no more of the question itself" in told


def test_a_summary_that_says_more_stays_in_front(memory: Memory) -> None:
    memory.remember("The wheel turns.", user_id="u", created_at=1.76e9)
    question = "Which blue vases, kilos of clay and litres of water?"
    assert memory.recall(question, user_id="u", now=1.767e9)[0].record.kind == "summary"
