"""Notes told long after others: what corrects an older one comes before it, and what only shares its words does not."""

from __future__ import annotations

import pytest

from byheart import Memory

HOUR = 3600.0
START = 1.7e9
BESIDE = (
    "Buy oat milk and eggs.",
    "The wifi at home is slow.",
    "Marta likes tulips.",
    "The printer is out of toner.",
    "The bus to the lake goes at ten past.",
    "Paolo sent the invoice for the roof.",
)
CORRECTED = [
    ("My dentist is Dr. Hale.", "Dr. Hale's practice closed, I go to Dr. Ivers.", "Who is my dentist?"),
    ("My optician is Brightview.", "Brightview closed down, I go to Lenscape now.", "Who is my optician?"),
    ("Our bakery is Greenbox.", "Greenbox went bust, so we buy from Farmhand.", "Who is our bakery?"),
    ("Lena's phone number is 0171 5550123.", "Lena has a new number: 0160 5559876.", "What is Lena's phone number?"),
    ("The meeting room is B12.", "The meeting moved to C4.", "Which room is the meeting in?"),
    ("Tim is allergic to nuts.", "The allergist says Tim isn't allergic to nuts any more.", "Is Tim allergic to nuts?"),
]
SHARING_WORDS = [
    ("My dentist is Dr. Hale.", "I have to call my dentist tomorrow.", "Who is my dentist?"),
    ("My sister lives in Graz.", "My sister lives alone.", "Where does my sister live?"),
    ("Ben works at Bosch.", "Ben works too much at the moment.", "Where does Ben work?"),
    ("The landlord is Mr. Patel.", "The landlord fixed the boiler.", "Who is the landlord?"),
    ("Emil's teacher is Ms. Okoye.", "Emil's teacher was ill last week.", "Who is Emil's teacher?"),
    ("Anna's birthday is 3 March.", "Anna's birthday cake was great.", "When is Anna's birthday?"),
    ("Yoga is on Mondays at six.", "Yoga is good for my back.", "When is yoga?"),
    ("The ferry takes 40 minutes.", "The ferry takes bikes, too.", "How long does the ferry take?"),
    ("The cabin is near Bled.", "The cabin is booked for July.", "Where is the cabin?"),
    ("Our budget is 1,200 euros.", "Our budget is very tight.", "What is our budget?"),
]
ANSWERING_OTHERWISE = [
    (
        "The choir rehearsal is planned for June.",
        "The choir rehearsal won't take place.",
        "When is the choir rehearsal?",
    ),
    ("I lost 20 euros and my PIN.", "My PIN is the year of the wedding.", "What is my PIN?"),
]
"""The newer ones hold no time and no number, and may answer all the same: nothing is put before them for its kind."""


def first(*texts: str, question: str) -> str:
    with Memory() as memory:
        for place, text in enumerate((*BESIDE, *texts)):
            memory.remember(text, created_at=START + place * 48 * HOUR)
        return memory.recall(question, now=START + 1_000 * HOUR)[0].text


@pytest.mark.parametrize(("older", "newer", "question"), CORRECTED)
def test_what_corrects_an_older_note_comes_first(older: str, newer: str, question: str) -> None:
    assert first(older, newer, question=question) == newer


@pytest.mark.parametrize("newest", [0, 1])
@pytest.mark.parametrize(("answer", "other", "question"), SHARING_WORDS)
def test_what_holds_nothing_of_the_kind_that_is_asked_for_stays_behind(
    answer: str, other: str, question: str, newest: int
) -> None:
    texts = (answer, other) if newest else (other, answer)
    assert first(*texts, question=question) == answer


@pytest.mark.parametrize(("older", "newer", "question"), ANSWERING_OTHERWISE)
def test_what_answers_without_one_of_the_kind_stays_first(older: str, newer: str, question: str) -> None:
    assert first(older, newer, question=question) == newer


@pytest.mark.parametrize(
    ("session", "speaker", "is_first"), [("s", None, True), ("t", None, False), ("t", "ann", True)]
)
def test_a_turn_is_put_behind_none_of_its_own_session_for_its_kind(
    session: str, speaker: str | None, is_first: bool
) -> None:
    """What it lacks may stand beside it; and "my" is of who speaks."""
    with Memory() as memory:
        memory.remember("My dentist is Dr. Hale.", created_at=START, speaker=speaker, session_id="s")
        turn = memory.remember(
            "I have to call my dentist tomorrow.", created_at=START + 60, speaker=speaker, session_id=session
        )
        assert (memory.recall("Who is my dentist?", now=START + HOUR)[0].id == turn) == is_first
