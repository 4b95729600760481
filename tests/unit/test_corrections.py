"""Corrections in conversations: what says otherwise what is kept for good is kept for good, too."""

from __future__ import annotations

from typing import Any

import pytest

from byheart import Memory
from byheart.conversation.gate import GateSettings
from byheart.embedding import HashingEmbedder
from byheart.records import Record
from byheart.retrieval.sameness import differ_in_value, opening, statement

CLOSED = GateSettings(threshold=1.0)
CHATTER = (
    "The quarterly audit found seventeen discrepancies between warehouse ledgers and shipping manifests.",
    "Our supplier Kowalski offers galvanised brackets, stainless hinges, and powder-coated frames in bulk.",
    "Heavy snowfall closed both mountain passes, so lorries detoured through Sweden, fourteen hours late.",
)


def told(memory: Memory, day: str, text: str, *, session: str, user: str = "ann", **more: Any) -> str | None:
    """Take in what somebody said and return the id of the durable copy."""
    said = memory.ingest_turn(text, session_id=session, user_id=user, created_at=f"2026-{day}T10:00:00Z", **more)
    return said.durable_id


@pytest.mark.parametrize("duplicates", ["refuse", "keep"])
@pytest.mark.parametrize("value", ["green", "green now, by the way", "dark green"])
def test_another_value_of_what_is_kept_for_good_is_kept_for_good(value: str, duplicates: str) -> None:
    memory = Memory(embedder=HashingEmbedder())
    assert told(memory, "02-11", "My favourite colour is blue.", session="s1")
    for text in CHATTER:
        told(memory, "04-02", text, session="s2", role="assistant")
    said = f"My favourite colour is {value}."
    correction = told(memory, "04-03", said, session="s2", durable_duplicates=duplicates, gate=CLOSED)
    memory.compact("s2", force=True)
    found = memory.recall("What is my favourite colour?", user_id="ann", now="2026-10-01T10:00:00Z")
    assert [hit.text for hit in found][:2] == [said, "My favourite colour is blue."]
    assert found.hits[0].id == correction


def test_what_is_said_again_or_of_another_user_is_no_correction() -> None:
    memory = Memory(embedder=HashingEmbedder())
    assert told(memory, "02-11", "My favourite colour is blue.", session="s1")
    assert told(memory, "04-02", "My favourite colour is blue.", session="s2", gate=CLOSED) is None
    assert told(memory, "04-02", "My favourite colour is red.", session="s3", user="bob", gate=CLOSED) is None
    assert told(memory, "04-02", "My favourite colour is red.", session="s4", durable="none") is None
    assert told(memory, "04-02", "My favourite colour is red.", session="s5", role="assistant") is None


def test_what_a_turn_says_and_what_nobody_said_in_a_turn_are_not_of_one_speaker() -> None:
    turn, other = (Record(text=text, metadata={"role": "user"}) for text in ("We meet at 3.", "We meet at four."))
    assert differ_in_value(turn, other)
    assert not differ_in_value(turn, Record(text=other.text))


def test_a_turn_that_was_not_kept_for_good_makes_no_correction() -> None:
    memory = Memory(embedder=HashingEmbedder())
    assert told(memory, "02-11", "My favourite colour is blue.", session="s1", gate=CLOSED) is None
    assert told(memory, "04-02", "My favourite colour is red.", session="s2", gate=CLOSED) is None


def test_a_fact_of_one_value_is_corrected_in_other_words() -> None:
    memory = Memory(embedder=HashingEmbedder(), single_valued=["lives_in"])
    told(memory, "01-05", "I live in Rome.", session="s1")
    said = "These days we are busy, but actually I live in Lyon"
    assert told(memory, "04-02", said, session="s2", gate=CLOSED) is None, "no plain sentence"
    said = "I currently live in Lyon, not in Rome."
    assert told(memory, "04-03", said, session="s2", gate=CLOSED)
    assert memory.recall("Where do I live?", user_id="ann").hits[0].text == said


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("My desk is green now, by the way.", "My desk is blue.", True),
        ("Actually, my desk is green these days!", "My desk is blue", True),
        ("I work in Lyon, not in Paris.", "I work in Paris.", True),
        ("My desk is green now.", "My desk is green.", False),
        ("My desk is not here", "My desk is here", False),
    ],
)
def test_what_is_said_by_the_way_is_no_value(one: str, other: str, differ: bool) -> None:
    assert differ_in_value(Record(text=one), Record(text=other)) is differ


@pytest.mark.parametrize(
    ("frame", "numbers"),
    [
        ("I have {} spare keys",
         "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty"),
        ("Ich habe {} alte Schl\u00fcssel", "zwei drei vier f\u00fcnf sechs sieben acht neun zehn"),
    ],
)  # fmt: skip
def test_numbers_in_words_are_found_beside_those_in_digits(frame: str, numbers: str) -> None:
    """What is told with one number is the candidate of what is told with another, in whatever way it is written."""
    digits = opening(statement(Record(text=frame.format(17))) or ())
    assert digits is not None
    for number in numbers.split():
        assert opening(statement(Record(text=frame.format(number))) or ()) == digits, number
    assert opening(statement(Record(text=frame.format("heavy"))) or ()) != digits


def test_a_word_more_is_no_other_value() -> None:
    one, other = "I walk the dog around the lake", "I walk the old dog around the lake"
    assert not differ_in_value(Record(text=one), Record(text=other))
    assert not differ_in_value(Record(text=other), Record(text=one))


@pytest.mark.parametrize(
    ("shared", "own", "differ"),
    [(1, 2, True), (1, 3, False), (2, 3, False), (3, 3, True), (6, 3, True), (6, 4, False)],
)
def test_three_fifths_of_two_statements_are_the_same_and_a_value_has_few_words(
    shared: int, own: int, differ: bool
) -> None:
    same = " ".join(["team", "boat", "tower", "bridge", "harbour", "castle", "river", "garden", "market"][:shared])
    one, other = (" ".join(words.split()[:own]) for words in ("red big old wet raw", "blue tiny new dry ripe"))
    told = [Record(text=f"The {same} is {value}.") for value in (one, other)]
    assert differ_in_value(*told) is differ and differ_in_value(*reversed(told)) is differ
