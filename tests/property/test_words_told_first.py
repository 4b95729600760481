"""The words of a question tell that a form is not there: what is found is what each form, tried, finds."""

import re
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Analyzer, Memory
from byheart.retrieval import asked_by, asking_words, function_words, words
from byheart.retrieval.question import Question

from ..counts import examples

ENGLISH = Analyzer()
PIECES = (
    "what", "Where", "WHO", "the IT room", "who's", "a", "A", "I", "i", "Gate A", "World War I", "U.S.", "DON'T",
    "don\u2019t", "I'd", "is the", "was", "war", "man", "mi casa", "Wo ist", "meine Katze", "qu'est-ce que c'est",
    "où", "y", "the kind of", "types", "much", "current", "name", "Moment,", "kettle", "Zahnarzt", "beim", "please",
    "the kettle, thanks", "Can you tell me", "do you know", "I wonder who", "über", "的", "3", "-", "?",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join) | st.lists(st.sampled_from(PIECES)).map("".join)


def assert_found_as_if_tried(text: str) -> None:
    content_of, by_which_one_asks = asking_words.content_of.__wrapped__, asked_by.asked_by.__wrapped__
    with patch.object(function_words, "_MAYBE", re.compile("")):
        names = function_words.names_in_capitals(text)
    with patch.object(asking_words, "small_words", lambda text: ("katze", "und")):
        language = asking_words.language_of(text, ENGLISH)
    with patch.object(asking_words, "_HINTS", ("",)):
        content = content_of(text, ENGLISH)
    with patch.object(asked_by, "small_words", lambda text: ("much",)):
        asking = [by_which_one_asks(text, language, ENGLISH) for language in (None, "de")]
    assert function_words.names_in_capitals(text) == names
    assert asking_words.language_of(text, ENGLISH) == language
    assert content_of(text, ENGLISH) == content
    assert [by_which_one_asks(text, language, ENGLISH) for language in (None, "de")] == asking


@pytest.mark.parametrize("text", PIECES)
def test_of_each_piece_by_itself(text: str) -> None:
    assert_found_as_if_tried(text)


@settings(max_examples=examples(500))
@given(texts)
def test_of_several(text: str) -> None:
    assert_found_as_if_tried(text)


HELD = Memory()
HELD.remember_many(["The wifi key", "Isthe oncall dataset", "Theatre in the city", "Atheatre", "whois and onthe"])
WORDS = (
    "is", "the", "The", "on", "call", "a", "theatre", "wi", "fi", "wi-fi", "data", "set", "who", "WHO", "city?", "(the",
)  # fmt: skip


def test_two_words_in_one_begin_with_no_stop_word() -> None:
    partition = HELD._engine.indexes["default"]
    inside = partition.inside(HELD._engine.default)
    read_otherwise = 0
    for pair in product(WORDS, repeat=2):
        text = f"{' '.join(pair)} lately"
        question = Question(text, ENGLISH.terms(text), HELD._engine.default, 10)
        given = question, partition.settings, partition.core, inside.cells
        with patch.object(words, "stop_words_of", lambda analyzer: frozenset()):
            tried = words.terms_of(*given)
        assert words.terms_of(*given) == tried, text
        read_otherwise += bool(tried.near)
    assert read_otherwise > 3
