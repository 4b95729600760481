"""In a conversation `auto` finds what answers a question that was asked there, whatever words the answer has."""

import pytest

from byheart import Memory, Record
from byheart.errors import InvalidArgument
from byheart.patterns.asking import share_asking
from byheart.ranking.algebra import StageContext, violations
from byheart.ranking.candidates import join
from byheart.ranking.told import Asking

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
    assert [hit.id for hit in found][:3] == ["t8", "t9", "t11"]


def test_a_filter_that_leaves_the_question_out_finds_the_answer_with_the_same_score(memory: Memory) -> None:
    whole = {hit.id: hit.score for hit in memory.recall("where did the brother move?", min_strength=0)}
    some = memory.recall("where did the brother move?", min_strength=0, where={"id": ["t9", "t10"]})
    assert {hit.id: hit.score for hit in some} == {id: score for id, score in whole.items() if id in ("t9", "t10")}
    assert some.hits[0].id == "t9"


def test_turns_of_one_time_are_told_in_the_order_of_their_numbers(memory: Memory) -> None:
    context = memory.context("where did the brother move?", 1_000, min_strength=0)
    assert [entry.id for entry in context.entries] == ["t1", "t2", "t8", "t9", "t10", "t11"]


def test_a_turn_that_asks_counts_less_by_the_share_of_it_that_asks() -> None:
    texts = ("The goat is old.", "The goat is old?", "The goat is old. And the goat?", "The goat? The goat is old.")
    shares = {"t1": 0.0, "t2": 1.0, "t3": 0.45, "t4": 0.0}
    turns = [Record(text=text, id=f"t{at}", session_id=f"s{at}") for at, text in enumerate(texts, 1)]
    assert {turn.id: share_asking(turn) for turn in turns} == shares
    memory = Memory()
    memory.remember_many([*turns, Record(text="Is the goat old?", id="note")])
    for hit in memory.recall("is the goat old", explain=True, min_strength=0):
        assert hit.explanation is not None
        factors = [change.operand for change in hit.explanation.changes if change.name == "asking"]
        share = shares.get(hit.id, 0.0)
        assert factors == ([1.0 - 0.3 * share] if share else [])
    memory.update("t2", text="The goat is as old as the barn.")
    assert "asking" not in str(memory.explain("is the goat old", "t2"))


def test_the_copy_of_a_turn_asks_as_the_turn_does_and_a_summary_or_a_document_does_not() -> None:
    text = "Where is the goat?"
    assert share_asking(Record(text=text, provenance={"session_id": "s", "source_id": "t"})) == 1.0
    assert share_asking(Record(text=text)) == share_asking(Record(text=text, session_id="s", kind="summary")) == 0.0
    assert share_asking(Record(text=text, speaker="Ann")) == 0.0


def test_the_stage_asks_records_where_there_is_no_directory() -> None:
    table = join({"words": [("a", 0.5), ("b", 0.5)]}).scored("part", "add", [0.5, 0.5])
    records = {"a": Record(text="I was there. You?", session_id="s"), "b": Record(text="I was there.", session_id="s")}
    context = StageContext(now=0.0, k=2, records=records)
    assert Asking(0.5)(table, context).scores() == [0.5 * (1.0 - 0.5 * 0.25), 0.5]
    assert Asking(0.0)(table, context) is table
    assert violations(Asking(), table, context) == []
    with pytest.raises(InvalidArgument):
        Asking(1.5)


def test_what_asks_is_known_to_filters(memory: Memory) -> None:
    assert {record.id for record in memory.records({"asks": True})} == {"t1", "t8"}
    memory.update("t8", text="See /page?id=7")
    assert {record.id for record in memory.records({"asks": True})} == {"t1"}
