"""Who asks for somebody whose name is a very common word gets what holds that name, and nothing else."""

import pytest

from byheart import Memory


@pytest.fixture
def memory() -> Memory:
    memory = Memory()
    memory.remember("May looks after the cat while we are away.", id="may")
    memory.remember("You may go whenever you will.", id="go")
    memory.remember("My uncle is called Will.", id="will")
    return memory


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("Who is May?", ["may"]), ("And who is Will?", ["will"]), ("Who's Will?", ["will"]), ("who is may?", []),
        ("Who is it?", []), ("Who Am I?", []), ("Is May here?", []), ("Who are May and Will?", []),
    ],
)  # fmt: skip
def test_a_name_that_is_a_very_common_word_is_found_where_it_is_asked_for(
    memory: Memory, question: str, ids: list[str]
) -> None:
    for operators in (True, False):
        answer = memory.recall(question, operators=operators)
        assert [hit.id for hit in answer] == ids
        assert not ids or answer.strength == 1.0


def test_the_explanation_says_why_a_record_is_no_answer(memory: Memory) -> None:
    assert "does not hold 'May' as a name" in str(memory.explain("Who is May?", "go"))
    assert "may" in memory.context("Who is May?", 100).text
