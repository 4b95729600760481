"""Values that people say have changed: in the words of each, the newer one stands first for who asks for it."""

import pytest

from byheart import Memory

BESIDE = (
    "The boiler was serviced in June.",
    "Karl plays the cello.",
    "We had soup for lunch.",
    "The library closes at six on weekdays.",
)
DAY = 86_400.0
NOW = 1.7e9 + 40 * DAY

RENTS = (
    "My rent is 980 euros.",
    "The rent is 980 euros a month.",
    "Our rent costs 980 euros.",
    "I pay 980 euros rent.",
)
RISES = (
    "The rent is going up to 1,080.",
    "My rent's going up to 1,080 from May.",
    "The rent has gone up to 1,080 a month.",
    "My rent went up to 1,080.",
    "They raised the rent to 1,080.",
    "The rent goes up to 1,080 in May.",
    "The rent will go up to 1,080.",
    "My rent just went up, it is 1,080 now.",
    "The rent will be 1,080 from May.",
    "The rent went from 980 to 1,080.",
    "My rent has dropped to 1,080.",
    "The rent is being raised to 1,080.",
    "The rent is now 1,080.",
)
OTHERS = (
    ("I live in Utrecht.", "I relocated to Ghent for the job.", "Where do I live?"),
    ("I live in Utrecht.", "I settled in Ghent.", "Which city do I live in?"),
    ("I live in Utrecht.", "I'm in Ghent now, moved last week.", "Where do I live?"),
    ("I'm living in Utrecht.", "My new home is in Ghent.", "Where do I live?"),
    ("I work at Philips.", "I changed jobs, I'm at ASML.", "Where do I work?"),
    ("My employer is Philips.", "I switched jobs and I'm now at ASML.", "Who is my employer?"),
    ("The shop opens at 9.", "The shop will open at 8 from now on.", "When does the shop open?"),
    ("The shop opens at 9.", "The shop's opening time changed to 8.", "What time does the shop open?"),
    ("I take 20 mg of Lisinopril.", "The doctor put me on 40 mg of Lisinopril.", "How much Lisinopril do I take?"),
    ("Ann's boyfriend is Tom.", "Ann left Tom, she's with Leo now.", "Who is Ann's boyfriend?"),
    (
        "Team meeting is on Monday at ten.",
        "We can't do Monday, so the team meeting is on Wednesday.",
        "When is the team meeting?",
    ),
)


def first(*texts: str, asked: str) -> str:
    memory = Memory()
    for at, text in enumerate((*BESIDE, *texts)):
        memory.remember(text, created_at=1.7e9 + at * DAY)
    return memory.recall(asked, now=NOW)[0].record.text


@pytest.mark.parametrize("newer", RISES)
@pytest.mark.parametrize("older", RENTS)
def test_an_amount_without_its_currency_is_one_where_it_went_up(older: str, newer: str) -> None:
    assert first(older, newer, asked="How much is my rent?") == newer


@pytest.mark.parametrize(("older", "newer", "question"), OTHERS)
def test_what_has_changed_stands_first(older: str, newer: str, question: str) -> None:
    assert first(older, newer, asked=question) == newer


def test_what_changed_of_something_else_does_not() -> None:
    rent = "The rent is 980 euros a month."
    assert first(rent, "The temperature goes up to 30 in May.", asked="How much is the rent?") == rent
    assert first("I live in Utrecht.", "My brother settled in Ghent.", asked="Where do I live?") == "I live in Utrecht."
    tom = "Ann's boyfriend is Tom."
    assert first(tom, "Ann left Rome.", asked="Who is Ann's boyfriend?") == tom
