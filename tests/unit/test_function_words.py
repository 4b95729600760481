"""Function words in the profile `auto`: they decide between records that other words find, and find none."""

from pathlib import Path

import pytest

import byheart
from byheart import Analyzer
from byheart.retrieval.function_words import WORDS, function_words

BEFORE, AFTER = "Take the blue pills before lunch.", "Take the blue pills after lunch."


def test_they_are_stop_words_one_and_all() -> None:
    assert len(WORDS) == 49
    assert Analyzer().terms(" ".join(WORDS)) == []


def test_case_and_what_stands_around_them_do_not_matter() -> None:
    assert function_words("NOT (before) lunch; over-the-top, don't", Analyzer()) == ["not", "before", "over"]


def test_an_analyser_that_keeps_stop_words_has_them_as_terms_already() -> None:
    assert function_words("not before lunch", Analyzer(stop_words=None)) == []
    memory = byheart.Memory(analyzer=Analyzer(stop_words=None))
    memory.remember_many([byheart.Record(text=BEFORE, id="a"), byheart.Record(text=AFTER, id="b")])
    assert memory.recall("pills after lunch")[0].id == "b"


@pytest.mark.parametrize(
    ("question", "first"),
    [("Which pills before lunch?", "a"), ("Which pills after lunch?", "b"), ("Pills AFTER?", "b")],
)
@pytest.mark.parametrize("turned", [False, True])
def test_they_tell_apart_what_other_words_do_not(question: str, first: str, turned: bool) -> None:
    memory = byheart.Memory()
    records = [byheart.Record(text=BEFORE, id="a"), byheart.Record(text=AFTER, id="b")]
    memory.remember_many(records[::-1] if turned else records)
    found = memory.recall(question)
    assert found[0].id == first and found[0].score > found[1].score


def test_they_find_nothing_themselves() -> None:
    memory = byheart.Memory()
    memory.remember_many([AFTER, "Not now, and not over there.", "Rice before tea."])
    assert not memory.recall("zebras and not after", min_strength=0).hits
    assert not memory.recall("not after and over", min_strength=0).hits
    assert [hit.text for hit in memory.recall("tea and not after", min_strength=0)] == ["Rice before tea."]


def test_one_that_no_record_has_makes_no_answer_weaker() -> None:
    memory = byheart.Memory()
    memory.remember_many([AFTER, "Rice with tea."])
    plain, more = memory.recall("pills for lunch"), memory.recall("pills for lunch only because further below")
    assert [(hit.id, hit.score, hit.strength) for hit in plain] == [(hit.id, hit.score, hit.strength) for hit in more]
    assert plain.strength == more.strength


def test_an_explanation_counts_them_and_is_recomputed() -> None:
    memory = byheart.Memory()
    memory.remember_many([BEFORE, AFTER])
    hit = memory.recall("pills after lunch", explain=True)[0]
    assert hit.explanation is not None and hit.explanation.recomputed() == hit.score
    assert "all:after" in str(hit.explanation)


@pytest.mark.parametrize("profile", ["kb-fast", "kb-balanced", "hybrid"])
def test_other_profiles_know_nothing_of_them(profile: str) -> None:
    memory = byheart.Memory()
    texts = (BEFORE, AFTER, "Rice before tea.", "Rice after tea.")
    memory.remember_many([byheart.Record(text=text, created_at=1.7e9) for text in texts])

    def scores(question: str) -> dict[str, float]:
        return {hit.id: hit.score for hit in memory.recall(question, profile=profile, now=1.7e9)}

    assert scores("blue pills lunch") == scores("blue pills not after lunch") != {}


def test_a_file_tells_the_same_after_it_was_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember_many([BEFORE, AFTER])
        told = [(hit.id, hit.score) for hit in memory.recall("pills after lunch")]
    with byheart.Memory(path) as memory:
        assert [(hit.id, hit.score) for hit in memory.recall("pills after lunch")] == told
