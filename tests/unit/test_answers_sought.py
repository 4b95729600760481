"""A question for an amount, a person or a place is not answered where the best texts hold none; what may hold it is."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.answers_sought import may_hold, sought
from byheart.patterns.properties import Text, property_asked

NOTES = (
    "Ordered the standing desk for Benji, it comes in four weeks.",
    "Lowri is the accountant, she needs the receipts by June.",
    "The brand site is made with Astro and lives on Netlify.",
    "Catrin found a flat in Penarth and leaves the caravan.",
    "The backup script runs on the small machine under the desk of Jonas.",
    "Holloway buys the standard plan.",
    "The mobile app is written in Kotlin, by the team in Gdansk.",
    "the boiler is serviced by british gas",
    "The green van has a dent in the back door.",
)
UNHELD = (
    ("What did Benji's standing desk cost?", "a price"),
    ("and what did we pay for the standing desk?", "a price"),
    ("phone number of Lowri the accountant?", "a telephone number"),
    ("what's Catrin's rent in Penarth?", "a price"),
    ("Do you know how often the backup script runs?", "how often"),
    ("In which city is Holloway?", "a place"),
    ("holloway plan price?", "a price"),
    ("Kotlin version of the mobile app?", "a measure"),
    ("number plate of the van?", "a number"),
    ("ip address of the small machine under the desk?", "an IP address"),
)
HELD = (
    ("Who is my boss?", "My boss is the tall woman from accounts."),
    ("Who is my boss?", "The guy in the corner office is my boss now."),
    ("Who is our landlord?", "Our landlord, an old sailor, fixed the tap."),
    ("Who is our plumber?", "The neighbour with the beard works as our plumber."),
    ("Who is vegan, Marek?", "Marek is vegan."),
    ("What does the kiln cost to run?", "Running the kiln comes to €14.20 each time."),
    ("price of the season ticket?", "The season ticket is free for me."),
    ("how much RAM has the render box", "The render box has plenty of RAM, 64 gigs."),
    ("What do we owe the glazier?", "We owe the glazier a dinner."),
    ("Who collects the recycling?", "The council collects the recycling on Mondays."),
    ("Who fixes the copier?", "copier trouble: it is fixed by xerox"),
    ("Who wrote the handover notes?", "The handover notes were written by an intern."),
    ("Whose umbrella is in the hall?", "The umbrella in the hall belongs to Ines."),
    ("Who was the buddy of Dagny?", "onboarding plan for Dagny: Oleg as the buddy"),
    ("which version of Redis do we run", "We run the latest Redis."),
    ("pin of the alarm?", "The pin of the alarm is my birthday backwards."),
    ("how long did the crossing take?", "The crossing took all night."),
    ("how long will the roof course go on?", "The roof course goes on until Easter."),
    ("In which city does the choir meet?", "The choir meets in Ghent."),
    ("How many days did Ann reckon for the port?", "Ann reckons the port is eight days of work."),
    ("And how many nephews has Ruth?", "Ruth has a nephew."),
    ("Which day does the choir sing?", "The choir sings every Sunday."),
    ("By when do they want the audit?", "They want the audit before the holidays."),
    ("Do you know who tunes the organ?", "Somebody from the cathedral tunes the organ."),
    ("what is the puppy called?", "Named the puppy Rusty."),
    ("name of the ferry?", "We took the ferry, the Aurora, at noon."),
    ("email of the vet?", "Write to the vet at paws@vets.example"),
    ("shirt size for Ola?", "Ola takes M in a shirt."),
    ("weight of the parcel", "The parcel is too heavy for the drone."),
    ("how often do the filters want cleaning?", "The filters want cleaning after each firing."),
    ("ip of the printer", "The printer answers at 10.0.0.7 now."),
)
OTHERWISE = (
    "Do I need a coat when I go to Oslo?",
    "Why was the rent raised?",
    "What did Tom say in his e-mail?",
    "What should I do if the fee is wrong?",
    "Emma's birthday party?",
    "Is Tom's phone number listed?",
    "What did we do about the mould, and what did it cost?",
    "When did we repaint the hall?",
    "budget meeting notes",
    "How do I reach the roof?",
    "python check valid attribute names",
    "wie alt ist der Kessel",
    "Für wen ist das? name",
)


@pytest.mark.parametrize(("question", "label"), UNHELD)
def test_what_holds_nothing_of_the_kind_is_no_answer(question: str, label: str) -> None:
    memory = Memory()
    memory.remember_many(NOTES)
    answer = memory.recall(question)
    assert not answer and f"no text about this says {label}" in str(answer.dropped)
    assert memory.recall(question, min_strength=0.0)


@pytest.mark.parametrize(("question", "text"), HELD)
def test_what_may_hold_it_answers(question: str, text: str) -> None:
    memory = Memory()
    memory.remember_many(NOTES)
    memory.remember(text, id="a")
    assert [hit.id for hit in memory.recall(question)][:1] == ["a"]


@pytest.mark.parametrize("question", OTHERWISE)
def test_what_asks_otherwise_seeks_no_kind(question: str) -> None:
    assert sought(question) is None


@pytest.mark.parametrize(
    "text",
    [
        Text("Ann and the van went by.", "a session"),
        Text("Ann, van, Oslo"),
        Text("The van was washed, and then washed again." * 10),
        Text("The plate of the van is new."),
    ],
)
def test_of_some_texts_nobody_can_tell(text: Text) -> None:
    asked = sought("number plate of the van?")
    assert asked is not None and may_hold(asked, text, "number plate of the van?")
    assert not may_hold(asked, Text("The van was washed."), "number plate of the van?")


def test_a_text_that_fits_nearly_as_well_may_hold_it() -> None:
    memory = Memory()
    memory.remember("Redfox did the audit of Pallas.", id="a")
    memory.remember("Redfox finished the audit of Pallas, and it came to 4,200.", id="b")
    memory.remember_many([f"The {kind} lamp is in the hall." for kind in ("red", "old", "tall", "dim")])
    asked = "Redfox Pallas audit price?"
    assert {hit.id for hit in memory.recall(asked)} >= {"a", "b"}
    memory.forget("b")
    assert property_asked(asked) is None and not memory.recall(asked)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who is my boss?", "My boss wants the slides before the board meeting on Thursday."),
        ("Who's our landlord?", "Our landlord fixed the tap."),
    ],
)
def test_what_somebody_does_does_not_tell_who_that_is(question: str, text: str) -> None:
    memory = Memory()
    memory.remember(text)
    assert not memory.recall(question)
    memory.remember("Priya is the new boss; the landlord is called Achterberg.")
    assert memory.recall(question)


@pytest.mark.parametrize(
    "question",
    ["How high is the deposit?", "How large is the deposit?", "How many euros is the deposit?", "How big is my debt?"],
)
def test_what_is_high_in_money_is_an_amount_and_no_size(question: str) -> None:
    with Memory() as memory:
        memory.remember("The deposit for the flat is 2,700 euros, and my debt is as much.")
        assert memory.recall(question).sufficient


def test_a_bank_may_stand_behind_at() -> None:
    with Memory() as memory:
        memory.remember("Our account is at Sparkasse.")
        assert memory.recall("Which bank is our account with?").sufficient


def test_how_old_somebody_is_is_not_told_by_an_old_thing() -> None:
    with Memory() as memory:
        memory.remember_many(["My old phone broke yesterday.", "Leo turned five in May.", "Leo has a red bike."])
        assert memory.recall("How old is Leo?")[0].text == "Leo turned five in May."
