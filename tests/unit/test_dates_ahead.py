"""A plan that was told by a weekday, or by how far it lay ahead, is found by its date as well."""

import pytest

from byheart import Memory

INTERVIEW = "I've got a job interview at Skyline Analytics on Friday."
VET = "The vet appointment for Biscuit is next Wednesday at 3pm."


def opened() -> Memory:
    memory = Memory()
    for at, text in ("2026-08-30", INTERVIEW), ("2026-08-28", VET), ("2026-08-29", "I bought new shoes."):
        memory.ingest_turn(text, session_id=at, user_id="u", now=at)
    return memory


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What do I have on 4 September?", INTERVIEW),
        ("What do I have on September 4th?", INTERVIEW),
        ("Am I free on 4 September?", INTERVIEW),
        ("What is on 4 September 2026?", INTERVIEW),
        ("Do I have anything on 2 September?", VET),
        ("What is on 2026-09-02?", VET),
    ],
)
def test_by_its_date(question: str, text: str) -> None:
    assert [hit.text for hit in opened().recall(question, user_id="u", now="2026-09-01")] == [text]


@pytest.mark.parametrize("question", ["What do I have on 5 September?", "What do I have on 4 September 2027?"])
def test_another_date_has_nothing(question: str) -> None:
    assert not opened().recall(question, user_id="u", now="2026-09-01")


def test_a_date_that_is_written_is_found_when_it_is_over() -> None:
    memory = Memory()
    memory.remember("The dentist is on 4 September 2026.", created_at="2026-08-01")
    for now in ("2026-08-15", "2026-09-20"):
        assert len(memory.recall("What is on 4 September?", now=now)) == 1
