"""Plain facts asked as people ask: prices, ages, times, places in short notes; and numbers that are none of these."""

import pytest

from byheart import Memory
from byheart.patterns.asking import knows_nothing
from byheart.patterns.doers import answers_rather
from byheart.patterns.unasserted import is_unasserted

BESIDE = ("The boiler was serviced in June.", "We had soup for lunch.")
DAY = 86_400.0

PLAIN = (
    ("espresso 2.20", "how much is the espresso?"),
    ("The wine from Huber was 14.50", "how much was the wine?"),
    ("I owe Marc 200", "how much do I owe Marc?"),
    ("train to Graz 38.90", "how much is the train to Graz?"),
    ("We stayed 4 nights in Lisbon.", "how many nights did we stay in Lisbon?"),
    ("Otto stayed in hospital for three nights.", "how many nights did Otto stay in the hospital?"),
    ("Mia said her first word at eleven months.", "how old was Mia when she said her first word?"),
    ("Kim was 7 when they moved.", "how old was Kim when they moved?"),
    ("The curtains are terracotta.", "what colour are the curtains?"),
    ("front door: RAL 7016", "what colour is the front door?"),
    ("yoga Mon", "when is yoga?"),
    ("bins: Tue", "when are the bins collected?"),
    ("Ben visited Rome.", "where was Ben?"),
    ("passports - blue folder", "where are the passports?"),
    ("living room 28 m²", "how big is the living room?"),
)
OF_OTHER_UNITS = (
    ("The drone weighs 249 g.", "how much did the drone cost?"),
    ("rain barrel holds 310 litres", "how much does the rain barrel cost?"),
    ("The pool is 25 m long.", "how much does the pool cost?"),
)
STANDS = (
    ("Tomas drove to Trieste and came back with nothing.", "Tomas owns 40 percent.", "where did Tomas drive?"),
    ("I have a ThinkPad laptop.", "I'd love to have a MacBook laptop.", "What laptop do I have?"),
    ("My bank is Barclays.", "I almost switched my bank to Monzo.", "What is my bank?"),
    ("My yoga class is on Tuesday.", "Could my yoga class be moved to Thursday?", "What day is my yoga class?"),
    (
        "The wedding is at Castle Hill.",
        "If it rains, the wedding will be moved to Lake House.",
        "Where is the wedding?",
    ),
    ("The Pro licence costs 19 dollars.", "The Pro licence used to cost 12 dollars.", "How much is the Pro licence?"),
    ("My favourite dish is lasagne.", "As a child my favourite dish was fish fingers.", "What is my favourite dish?"),
    ("Anna is a nurse.", "Anna became a mother.", "What is Anna's job?"),
    ("My parking spot is number 14.", "Ali's parking spot changed to 27.", "What is my parking spot?"),
)
"""The first stays before the second, which was told later, and says nothing of the kind."""
CHANGES = (
    ("The offsite is in Berlin.", "The offsite was switched to Hamburg.", "Where is the offsite?"),
    ("My job title is analyst.", "I got promoted to senior analyst.", "What is my job title?"),
    ("Priya's job title is designer.", "Priya was promoted to head of design.", "What is Priya's job title?"),
    ("The release manager is Lena.", "Tomasz was appointed release manager.", "Who is the release manager?"),
    ("The release manager is Lena.", "Lena handed the release manager role to Tomasz.", "Who is the release manager?"),
    ("My manager is Helen Marsh.", "I've got a new manager, Tom Reyes.", "Who's my manager at the moment?"),
    (
        "Meine Miete beträgt 820 Euro.",
        "Die Miete beträgt nicht mehr 820, sondern 890 Euro.",
        "Wie hoch ist meine Miete?",
    ),
    ("Ich arbeite bei Siemens.", "Ich habe zu Bosch gewechselt.", "Wo arbeite ich?"),
)
"""The second goes before the first."""


def remembering(*texts: str) -> Memory:
    memory = Memory()
    for at, text in enumerate((*BESIDE, *texts)):
        memory.remember(text, created_at=1.7e9 + at * 10 * DAY)
    return memory


def first(*texts: str, asked: str) -> str:
    return remembering(*texts).recall(asked, now=1.7e9 + 100 * DAY)[0].text


@pytest.mark.parametrize(("told", "question"), PLAIN)
def test_what_is_told_in_plain_words_is_found(told: str, question: str) -> None:
    assert first(told, asked=question) == told


@pytest.mark.parametrize(("told", "question"), OF_OTHER_UNITS)
def test_grams_and_metres_are_no_price(told: str, question: str) -> None:
    assert not remembering(told).recall(question).hits


@pytest.mark.parametrize(("told", "later", "question"), STANDS)
def test_what_may_be_or_was_takes_the_place_of_nothing(told: str, later: str, question: str) -> None:
    assert first(told, later, asked=question) == told


@pytest.mark.parametrize(("told", "later", "question"), CHANGES)
def test_what_has_changed_takes_its_place(told: str, later: str, question: str) -> None:
    assert first(told, later, asked=question) == later


def test_a_plain_statement_is_one() -> None:
    for text in ("We moved it to Thursday.", "I am used to the noise.", "Ann wrote her first novel."):
        assert not is_unasserted(text)


def test_who_owns_up_is_read_in_a_bounded_number_of_steps() -> None:
    assert knows_nothing("I don't know." + " sorry" * 20 + ".")
    assert not knows_nothing("I don't know." + " sorry" * 28 + " ;x")


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("told", "beside", "question"),
    [
        ("Marc owes Lena 20 euros.", "Lena owes Marc 15 euros.", "how much does Marc owe Lena?"),
        ("Kofi reports to Nadia.", "Nadia reports to Vera.", "who reports to Nadia?"),
        ("I gave Ida a scarf.", "Ida gave me a vase.", "what did I give Ida?"),
        ("Lukas teaches Mira the violin.", "Mira teaches Lukas Polish.", "who teaches Mira?"),
        ("Anna called Ben on Monday.", "Ben called Anna on Friday.", "when did Anna call Ben?"),
    ],
)
def test_who_does_it_to_whom_is_told_apart(told: str, beside: str, question: str, turned: bool) -> None:
    texts = (beside, told) if turned else (told, beside)
    assert first(*texts, asked=question) == told


def test_who_both_do_it_is_left_alone() -> None:
    rather = answers_rather("When did Anna call Ben?")
    assert rather is not None and not rather("Anna called Ben.", "Ben was called by Anna.")
    assert answers_rather("When do we meet with Ben?") is None and answers_rather("Who is Ben?") is None
