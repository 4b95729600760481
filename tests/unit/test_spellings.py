"""Words that others write in one, apart or with a hyphen are found by `auto`, and the explanation says so."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from byheart import Memory
from byheart.retrieval import words

PAIRS = [
    ("Wi-Fi", "wifi"), ("e-mail", "email"), ("follow-up", "followup"), ("on-call", "oncall"), ("X-ray", "xray"),
    ("data set", "dataset"), ("back yard", "backyard"), ("week-end", "weekend"),
]  # fmt: skip
PLANTS, BEDS = ("tulip", "rose", "aster", "dill", "leek", "mint"), ("first", "long", "lower", "sunny", "stony")


def _memory(text: str) -> Memory:
    memory = Memory()
    memory.remember(text, id="x")
    memory.remember_many({"text": f"Note of the garden: {plant} in the {bed} bed."} for plant in PLANTS for bed in BEDS)
    return memory


@pytest.mark.parametrize(("parted", "closed"), PAIRS)
def test_a_word_in_one_is_found_by_its_parts(parted: str, closed: str) -> None:
    memory = _memory(f"The {closed} was mentioned by Karel on the phone.")
    answer = memory.recall(f"what about the {parted}?", explain=True)
    assert answer[0].id == "x" and answer.strength > 0.5
    told = answer[0].explanation
    assert told is not None and f"read for '{parted}', which no record holds" in str(told)
    assert told.recomputed() == answer[0].score


@pytest.mark.parametrize(("parted", "closed"), [pair for pair in PAIRS if "-" in pair[0]])
def test_a_word_with_a_hyphen_is_found_by_the_word_in_one(parted: str, closed: str) -> None:
    memory = _memory(f"The {parted} was mentioned by Karel on the phone.")
    answer = memory.recall(f"what about the {closed}?", explain=True)
    assert answer[0].id == "x" and answer.strength > 0.5
    assert f"read for '{closed}', which no record holds" in str(answer[0].explanation)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The disk has 4 TB.", "what has 4TB?"),
        ("The disk has 4TB.", "what has 4 TB?"),
        ("Tea at 9am.", "what is 9 am?"),
    ],
)
def test_a_number_and_its_unit_are_found_with_and_without_a_blank(text: str, question: str) -> None:
    assert [hit.id for hit in _memory(text).recall(question)][:1] == ["x"]


def test_what_a_record_holds_is_read_as_it_stands() -> None:
    memory = _memory("The dataset lives in S3.")
    memory.remember("The data of the survey is a set of answers.", id="both")
    assert memory.recall("what about the data set?")[0].id == "both"
    memory.remember("The data-set of the census is gone.", id="same")
    assert memory.recall("what about the data-set?")[0].id == "same"


def test_what_must_be_there_and_named_profiles_are_read_to_the_letter() -> None:
    memory = _memory("The wifi is called maple-42.")
    assert not memory.recall('"Wi-Fi"') and not memory.recall("Wi-Fi", profile="kb-fast")


def test_words_outside_the_boundary_are_no_other_spelling() -> None:
    memory = _memory("Karel has a kettle.")
    memory.remember("The wifi is called maple-42.", scope="user")
    assert not memory.recall("what is the Wi-Fi?", boundary={"scopes": ["project"]})


def test_words_are_looked_for_once_where_a_second_search_is_made() -> None:
    memory = Memory()
    memory.remember_many({"text": text} for text in ("The kettle leaks.", "Feed the cat.", "The argument of Ann."))
    with patch.object(words, "_near", wraps=words._near) as near:
        [hit] = memory.recall("Who heard the arguement about xylophones and ocarinas?")
    assert hit.text == "The argument of Ann." and near.call_count == 1
