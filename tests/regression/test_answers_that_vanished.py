"""Answers that were empty though the record is there: a copy, a fourth record or a word that only asks took them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from byheart import Memory, Recall

RENT = [
    "Our rent is 1,180 euros.",
    "The rent is due on the third.",
    "I paid the rent for May.",
    "Rent goes to Mr. Novak.",
]
ASKED = [
    "How much is our rent?",
    "rent amount",
    "monthly rent",
    "rent arrears",
    "Who collects the rent?",
    "rent in Graz",
]
FLOOR = 0.2
GARDEN = [f"Note {at} of the garden." for at in range(1000)]


def _memory(texts: Sequence[str]) -> Memory:
    memory = Memory()
    memory.remember_many([{"text": text} for text in (*GARDEN, *texts)])
    return memory


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with _memory([*RENT, "The name of our first cat is a hint at the wifi password."]) as memory:
        yield memory


def _ask(memory: Memory, question: str) -> Recall:
    return memory.recall(question, operators=False)


def test_the_durable_copies_of_two_turns_take_no_answer_away() -> None:
    told = [*GARDEN[:400], "Our rent is 1,180 euros.", "The landlord, Novak, wants the rent on the third."]
    memories = []
    for durable in ("none", "gate", "all"):
        memories.append(memory := Memory())
        for at, text in enumerate(told):
            memory.ingest_turn(text, session_id=f"s{at}", user_id="ann", created_at=at * 86400.0, durable=durable)
    for question in ASKED:
        answers = [memory.recall(question, user_id="ann") for memory in memories]
        assert all(any("rent" in hit.text for hit in answer) for answer in answers), question
        strengths = [answer.strength or 0.0 for answer in answers]
        assert max(strengths) - min(strengths) < 0.05, (question, strengths)


def test_one_record_more_about_a_topic_changes_the_strength_by_little() -> None:
    memories = [_memory(RENT[:many]) for many in (1, 2, 3, 4)]
    for question in ASKED:
        found = [_ask(memory, question).strength or 0.0 for memory in memories]
        assert min(found) > FLOOR, (question, found)
        assert all(abs(later - one) < 0.05 for one, later in pairwise(found)), (question, found)


def test_however_many_records_say_one_of_two_words_there_is_an_answer() -> None:
    for many in (1, 3, 4, 8, 16, 25, 40, 80, 200):
        answer = _ask(_memory([f"The rent was paid in month {at}." for at in range(many)]), "rent arrears")
        assert answer.hits and (answer.strength or 0.0) > FLOOR, many


@pytest.mark.parametrize(
    "question",
    [
        "How much is the rent?", "How many rents?", "How high is the rent?", "How old is the rent?",
        "What kind of rent?", "What is the current rent?", "What is the rent currently?", "Is there still rent?",
        "What is the exact rent?", "What was the rent already?", "I forgot the rent.", "What is the latest rent?",
        "What is the price of the rent?",
        "What does the rent cost?", "How expensive is the rent?", "what is the rent at the moment?",
        "what is the rent these days?", "Wie hoch ist die Rent?", "Combien coûte le rent ?", "¿Cuánto cuesta el rent?",
        "Quanto costa il rent?", "Quanto custa o rent?", "Hoeveel kost de rent?",
    ],
)  # fmt: skip
def test_words_by_which_one_asks_and_that_no_record_holds_weigh_nothing(memory: Memory, question: str) -> None:
    assert _ask(memory, question).strength == pytest.approx(_ask(memory, "What is the rent?").strength, abs=0.02)
    assert _ask(memory, question).hits


def test_where_a_record_holds_such_a_word_it_counts() -> None:
    memory = _memory(["The current in the river is strong.", "The rent is 400 euros."])
    found = _ask(memory, "How strong is the current?")
    assert found[0].text.startswith("The current") and (found.strength or 0.0) > FLOOR
    weak, strong = _ask(memory, "What is the current rent?"), _ask(memory, "What is the exact rent?")
    assert FLOOR < (weak.strength or 0.0) < (strong.strength or 0.0)


@pytest.fixture(scope="module")
def generic() -> Iterator[Memory]:
    texts = [
        "My appointment is on Monday.",
        "Felix lives in Bonn.",
        "The tram costs 3 euros.",
        "A phone number: 555778.",
    ]
    others = ["The name of our first cat is a hint.", "They charge too much.", "He is called Bruno."]
    with _memory([*texts, *others]) as memory:
        yield memory


@pytest.mark.parametrize("noun", ["lawyer", "goldfish", "stepmother", "new optician"])
@pytest.mark.parametrize(
    "form",
    [
        "What's the name of my {}?", "What is my {} called?", "When is my {} appointment?", "Where does my {} live?",
        "How much does my {} charge?", "What does a {} cost?", "What is the {}'s phone number?",
    ],
)  # fmt: skip
def test_one_generic_word_is_no_answer_about_what_no_record_holds(generic: Memory, form: str, noun: str) -> None:
    answer = _ask(generic, form.format(noun))
    assert not answer.sufficient and (answer.strength or 0.0) < 0.1
    assert generic.recall(form.format(noun), min_strength=0.0).hits, "it is found where nothing need be strong"


def test_the_same_forms_about_what_a_record_holds_are_answered(memory: Memory) -> None:
    for question in ("What's the name of our cat?", "What is our cat called?"):
        assert "cat" in _ask(memory, question)[0].text
    assert not _ask(memory, "Where does our cat live?").sufficient, "no record says where"
    assert _ask(_memory(["My lawyer is Ms. Kranz."]), "What's the name of my lawer?").hits, "misspelled"
