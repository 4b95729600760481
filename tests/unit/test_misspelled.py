"""Misspelled words: `auto` reads one that no record holds as the nearest that one holds, and says so."""

import pytest

from byheart import Memory
from byheart.retrieval.marked_terms import MARK

TEXTS = {
    "rent": "The apartment costs 900 euros a month.",
    "call": "call getArguments() before parsing",
    "stage": "We built a stage for the play.",
    "tea": "Tea is in the cupboard, coffee beside it.",
}


def ids(memory: Memory, question: str, **more: object) -> list[str]:
    return [hit.id for hit in memory.recall(question, **more)]  # type: ignore[arg-type]


@pytest.fixture
def memory() -> Memory:
    made = Memory()
    for id, text in TEXTS.items():
        made.remember(text, id=id)
    return made


@pytest.mark.parametrize(
    ("question", "id"),
    [
        ("what does the appartment cost?", "rent"),
        ("who parses the arguements?", "call"),  # the part of a name
        ("where is the cuppboard?", "tea"),
        ("CUPBAORD", "tea"),
    ],
)
def test_a_misspelled_word_finds_what_was_meant(memory: Memory, question: str, id: str) -> None:
    assert ids(memory, question)[0] == id
    explanation = memory.explain(question, id)
    assert "read for" in str(explanation)
    assert explanation.recomputed() == explanation.score


def test_the_explanation_names_both_words(memory: Memory) -> None:
    told = str(memory.explain("how much is the appartment?", "rent"))
    assert "all:apart" in told
    assert "read for 'appart', which no record holds" in told


@pytest.mark.parametrize("question", ["in which state are we?", "the gost of the play", "+appartment", '"appartment"'])
def test_another_letter_short_words_and_what_must_be_there_are_read_to_the_letter(
    memory: Memory, question: str
) -> None:
    found = memory.recall(question, min_strength=0.0)
    assert "rent" not in [hit.id for hit in found]
    assert all("read for" not in str(memory.explain(question, hit.id)) for hit in found)


def test_profiles_by_name_read_to_the_letter(memory: Memory) -> None:
    assert not memory.recall("appartment", profile="kb-fast")


def test_a_word_that_a_record_holds_is_read_as_it_stands(memory: Memory) -> None:
    memory.remember("The appartment is a word of mine.", id="word")
    assert ids(memory, "appartment")[0] == "word"
    assert "read for" not in str(memory.explain("appartment", "word"))


@pytest.mark.parametrize("outside", [{"tenant": "b"}, {"scope": "user"}, {"boundary_class": "secret"}], ids=str)
def test_words_outside_the_boundary_are_no_reading(outside: dict[str, str]) -> None:
    there, alone = Memory(), Memory()
    there.remember("The apartment costs 900 euros.", id="theirs", **outside)
    for memory in (there, alone):
        memory.remember("My euros are gone.", id="mine")
    asked = {"boundary": {"scopes": ["project"], "classes": ["internal"]}, "min_strength": 0.0}
    for question in ("appartment euros", "cotsts euros"):
        [ours], [theirs] = there.recall(question, **asked), alone.recall(question, **asked)
        assert (ours.score, ours.strength) == (theirs.score, theirs.strength)
        assert str(there.explain(question, "mine", **asked)) == str(alone.explain(question, "mine", **asked))


def test_a_mark_in_a_question_reads_nothing(memory: Memory) -> None:
    assert "read for" not in str(memory.explain(f"{MARK}appartment euros", "rent"))
