"""Properties of a son, whose word other languages have as a small one, and ages of things that a year tells."""

import pytest

from byheart import Memory

OTHER = "The kettle leaks."


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("My son is 4 years old.", "how old is my son?"),
        ("My son lives in Hull.", "where does my son live?"),
        ("My son is called Karl.", "what's my son's name?"),
        ("My son was born on 4 May.", "when is my son's birthday?"),
        ("My son's teacher is Ms Holt.", "who is my son's teacher?"),
        ("My hat is size 58.", "what size is my hat?"),
        ("The house was built in 1911.", "how old is the house?"),
        ("The boiler was installed in 2009.", "how old is the boiler?"),
        ("Our car was bought new in 2015.", "how old is our car?"),
        ("Our company was founded in 1998.", "how old is our company?"),
        ("My passport was issued in 2019.", "how old is my passport?"),
        ("My car is a blue Skoda Fabia from 2015.", "how old is my car?"),
        ("The oak was planted forty years ago.", "how old is the oak?"),
    ],
)
def test_what_is_told_is_found(told: str, asked: str) -> None:
    memory = Memory()
    memory.remember_many([told, OTHER])
    assert [hit.text for hit in memory.recall(asked)][:1] == [told]


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("My son plays the flute.", "how old is my son?"),
        ("My son plays the flute.", "where does my son live?"),
        ("The house has a red door.", "how old is the house?"),
        ("Emma wears size 38 shoes.", "how old is Emma?"),
        ("Emma moved to Hull in 2015.", "how old is Emma?"),
    ],
)
def test_what_is_not_told_is_not_known(told: str, asked: str) -> None:
    memory = Memory()
    memory.remember_many([told, OTHER])
    assert not memory.recall(asked)
