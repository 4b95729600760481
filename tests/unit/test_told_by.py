"""A refused question is asked once more in the words by which records tell what it asks for."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.told_by import told_by

NOTES = (
    "I married Jonas in 2015.",
    "My sister married Oleg.",
    "I work at the harbour office.",
    "I was born in Turku.",
    "The programme of the theatre lies on the piano.",
    "I weigh 71 kilos.",
    "I jog by the canal before breakfast.",
    "Milan teaches chemistry.",
    "The cheque book is in the desk.",
    "Lena was born in Bergen.",
)
ASKED = (
    ("What is my husband's name?", 0),
    ("Who is my spouse?", 0),
    ("What is my occupation?", 2),
    ("Where is my hometown?", 3),
    ("What is my birthplace?", 3),
    ("Where is the theater program?", 4),
    ("How heavy am I?", 5),
    ("What sport do I do?", 6),
    ("What is Milan the teacher of?", 7),
    ("Where is the checkbook?", 8),
    ("What is Lena's hometown?", 9),
)


@pytest.fixture(scope="module")
def memory() -> Memory:
    memory = Memory(embedder=None)
    for number, text in enumerate(NOTES):
        memory.remember(text, id=str(number), created_at=number)
    return memory


@pytest.mark.parametrize(("question", "at"), ASKED)
def test_what_is_told_in_other_words_is_found(memory: Memory, question: str, at: int) -> None:
    answer = memory.recall(question)
    assert answer.sufficient and answer[0].id == str(at)


def test_a_word_is_read_as_another_only_of_whom_is_asked_about(memory: Memory) -> None:
    assert not memory.recall("Who is Lena's husband?").sufficient
    assert not memory.recall("What is Milan's birthplace?").sufficient
    other = Memory(embedder=None)
    other.remember("My sister married Oleg.")
    assert not other.recall("Who is my wife?").sufficient


def test_an_answer_says_which_word_was_read_and_is_explained(memory: Memory) -> None:
    answer = memory.recall("Who is my spouse?")
    assert answer.degraded == ("as it stands it is refused: 'spouse' is read as 'marry'",)
    assert answer.receipt.query == "Who is my spouse?"
    assert "marri" in str(memory.explain("Who is my spouse?", answer[0].id))
    assert memory.recall("Who is my spouse?", explain=True).hits[0].id == answer[0].id
    assert memory.recall("Who did I marry?").degraded == ()


def test_a_word_is_told_by_its_right_spelling_and_others_than_itself() -> None:
    assert "designs" in told_by("desings") and "street" in told_by("adress")
    assert told_by("wife")[0] == "marry" and "tyre" in told_by("tire") and "teach" in told_by("teacher")
    assert "jogging" in told_by("sport") and told_by("of") == [] and "husband" not in told_by("husband")


SPELLED = """colour color, centre center, organise organize, organisation organization, organising organizing, analyse
    analyze, catalogue catalog, travelled traveled, licence license, cheque check, tyre tire, grey gray, programme
    program, plough plow, kerb curb, aeroplane airplane, jewellery jewelry, pyjamas pajamas, storey story, draught
    draft, mould mold, sulphur sulfur, sceptic skeptic, stylise stylize, cosy cozy, pickaxe pickax, moustache mustache,
    aluminium aluminum"""


@pytest.mark.parametrize("pair", SPELLED.split(","))
def test_a_word_is_told_by_its_spelling_across_the_sea(pair: str) -> None:
    british, american = pair.split()
    assert american in told_by(british) and british in told_by(american)


def test_a_vowel_that_american_drops_is_read() -> None:
    assert "anesthetic" in told_by("anaesthetic") and "estrogen" in told_by("oestrogen")
