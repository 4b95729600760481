"""In a conversation `auto` finds what answers a question that was asked there, whatever words the answer has."""

import pytest

from byheart import Memory, Record

TURNS = (
    ("t1", "Have you been anywhere this summer?"),
    ("t2", "Two weeks in Lisbon, mostly for the food."),
    ("t8", "Where did your brother move in spring?"),
    ("t9", "To a farm near Bergen, with three goats."),
    ("t10", "Sounds lovely."),
    ("t11", "My brother asked for a goat, too."),
)


@pytest.fixture
def memory() -> Memory:
    made = Memory()
    made.remember_many([Record(text=text, id=id, session_id="talk", created_at=7.0) for id, text in TURNS])
    return made


def test_an_answer_is_found_by_the_question_before_it(memory: Memory) -> None:
    """None of its words is in the question."""
    found = memory.recall("where did the brother move?", min_strength=0)
    assert [hit.id for hit in found][:3] == ["t8", "t11", "t9"]


def test_a_filter_that_leaves_the_question_out_finds_the_answer_with_the_same_score(memory: Memory) -> None:
    whole = {hit.id: hit.score for hit in memory.recall("where did the brother move?", min_strength=0)}
    some = memory.recall("where did the brother move?", min_strength=0, where={"id": ["t9", "t10"]})
    assert {hit.id: hit.score for hit in some} == {id: score for id, score in whole.items() if id in ("t9", "t10")}
    assert some.hits[0].id == "t9"


def test_turns_of_one_time_are_told_in_the_order_of_their_numbers(memory: Memory) -> None:
    context = memory.context("where did the brother move?", 1_000, min_strength=0)
    assert [entry.id for entry in context.entries] == ["t1", "t2", "t8", "t9", "t10", "t11"]


def test_what_asks_is_known_to_filters(memory: Memory) -> None:
    assert {record.id for record in memory.records({"asks": True})} == {"t1", "t8"}
    memory.update("t8", text="See /page?id=7")
    assert {record.id for record in memory.records({"asks": True})} == {"t1"}
