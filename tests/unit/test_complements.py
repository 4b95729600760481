"""What something is stands before how or where it is, and what somebody does before how."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.complements import answers_rather

START = 1.7e9
DAY = 86_400.0
PAIRS = [
    ("My car is a Volvo.", "My car is very dirty.", "What car do I have?"),
    ("I work at the city library.", "I work with Bob.", "Where do I work?"),
    ("Our deductible is 500 dollars.", "Our deductible is too high.", "What is our deductible?"),
    ("Mila is reading Dune.", "Mila is reading in bed.", "What is Mila reading?"),
    ("I study biology.", "I study best at night.", "What do I study?"),
    ("My phone is a Pixel 6.", "My phone is almost empty.", "What phone do I have?"),
    ("Pia's teacher is Mr. Lind.", "Pia's teacher is from Norway.", "Who is Pia's teacher?"),
    ("Our office is in Camden.", "Our office is in a mess.", "Where is our office?"),
    ("My favourite band is Radiohead.", "My favourite band is fine.", "What is my favourite band?"),
    ("Sam's favourite dish is lasagne.", "Sam's favourite dish is easy to cook.", "What is Sam's favourite dish?"),
    ("My laptop is a Framework 13.", "My laptop is four years old.", "Which laptop do I have?"),
    ("Ines drives a Fiat Panda.", "Ines drives too fast.", "What does Ines drive?"),
    ("The default branch is main.", "The default branch is protected.", "What is the default branch?"),
]


@pytest.mark.parametrize("newest", [0, 1])
@pytest.mark.parametrize(("answer", "other", "question"), PAIRS)
def test_what_it_is_stands_before_how_it_is(answer: str, other: str, question: str, newest: int) -> None:
    memory = Memory()
    for place, text in enumerate((answer, other) if newest else (other, answer)):
        memory.remember(text, created_at=START + place * DAY)
    for text in ("Buy oat milk.", "Marta likes tulips.", "The bus is late."):
        memory.remember(text, created_at=START)
    assert memory.recall(question, now=START + 9 * DAY)[0].text == answer


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        ("My car is a Volvo.", "My car is blue.", "What car do I have?"),  # "blue" may be its name
        ("My car is a Volvo.", "My sister is very tall.", "What car do I have?"),
        ("My car is a Volvo.", "My car is very dirty now, so we took it to the wash." + " And so on." * 5, "What car?"),
        ("My job is teaching.", "My job is in Vienna.", "Where is my job?"),
        ("Paul plays every day.", "Paul plays the oboe.", "What does Paul play?"),
        ("Paul rests.", "Paul plays every day.", "What does Paul play?"),
        ("The demo is on 12 May.", "The demo is cancelled, and will not be held.", "What is the demo?"),
    ],
)
def test_what_may_be_an_answer_keeps_its_place(one: str, other: str, question: str) -> None:
    rather = answers_rather(question)
    assert rather is None or not rather(one, other)


@pytest.mark.parametrize("question", ["Is my car clean?", "How is my car?", "Tell me of my car.", "What about my car?"])
def test_other_questions_tell_nothing_apart(question: str) -> None:
    assert answers_rather(question) is None
