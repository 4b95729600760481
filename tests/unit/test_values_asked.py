"""A value of a question is found however a record writes it, the explanation says so, and no other value is."""

from __future__ import annotations

import pytest

from byheart import Memory

SAYINGS = [
    (
        "Choir starts at {}.",
        "What starts at {}?",
        "18:30 | 18.30 Uhr | 6:30 pm | 6.30 pm | 6:30pm | 6:30 p.m. | half past six pm",
        ["19:30", "6:30 am", "8:30", "16:30", "6:45 pm", "half past five", "18.45 Uhr"],
    ),
    (
        "Der Chor beginnt um {}.",
        "Was beginnt um {}?",
        "halb sieben | 6:30 | 6.30 Uhr",
        ["halb acht", "7:30", "5.30 Uhr", "16:30"],
    ),
    (
        "Choir starts at {}.",
        "What starts at {}?",
        "9 am | 9 a.m. | 9am | 9:00 am | 09:00",
        ["10 am", "9 pm", "10:00", "19:00"],
    ),
    ("Choir starts at {}.", "What starts at {}?", "9:00 | 9 o'clock | 9 Uhr", ["10 am", "8 o'clock", "10:00", "19:00"]),
    ("Lunch starts at {}.", "What starts at {}?", "noon | 12:00 | 12 pm", ["midnight", "11 am", "13:00", "2 pm"]),
    ("The toast is at {}.", "What is at {}?", "midnight | 00:00 | 12 am", ["noon", "12:00", "1 am", "10:00"]),
    (
        "The recital is on {}",
        "What is on {}?",
        "3 May | May 3rd | May 3 | 2026-05-03 | 3.5.2026 | the 3rd of May",
        ["3 June", "5 May", "March 3rd", "2026-06-03", "13 May", "2.5.2026"],
    ),
    (
        "Das Konzert ist am {}",
        "Was ist am {}?",
        "03.05. | 3.5. | 3. Mai | 3.5.2026 | 2026-05-03",
        ["3. Juni", "5. Mai", "5.3.", "13.5.", "03.06."],
    ),
    ("The recital is on {}", "What is on {}?", "Wednesday | Wed. | Wed", ["Monday", "Thu.", "Sunday"]),
    ("Das Konzert ist jeden {}", "Was ist jeden {}?", "Mittwoch | Mi.", ["Montag", "Do.", "Sonntag"]),
    ("The fair takes place in {}", "What takes place in {}?", "February | Feb. | Feb", ["March", "Jan.", "October"]),
    (
        "The roof costs {}.",
        "What costs {}?",
        "250k | 250,000 | 250 000 | 250 thousand | 250000",
        ["25k", "2,500", "260 000", "520,000"],
    ),
    ("The roof costs {}.", "What costs {}?", "1.5M | 1.5 million | 1,500,000", ["15M", "2.5 million", "1,600,000"]),
    (
        "Karel gets {} of it.",
        "Who gets {} of it?",
        "15% | 15 percent | fifteen percent | 15 Prozent | 15 %",
        ["50%", "16 percent", "fifty percent"],
    ),
    (
        "The roof costs {}.",
        "What costs {}?",
        "€1,200 | 1200 euros | 1.200 EUR | 1200 €",
        ["€1,300", "2100 euros", "12.000 EUR"],
    ),
    (
        "Karel has the phone number {}",
        "Whose phone number is {}?",
        "+43 664 123 4567 | +436641234567 | +43-664-123-4567 | 0664 1234567 | 0664/1234567",
        ["+43 664 123 4568", "+436641234657", "0664 765 4321"],
    ),
]
"""Of each: how records and questions say a value, its ways of writing, and others that are not it."""
PAIRS = [
    (told, asked, one, other, others)
    for told, asked, ways, others in SAYINGS
    for one in ways.split(" | ")
    for other in ways.split(" | ")
    if one != other
]


@pytest.mark.parametrize(("told", "asked", "one", "other", "others"), PAIRS)
def test_a_value_is_found_however_it_is_written(told: str, asked: str, one: str, other: str, others: list[str]) -> None:
    memory = Memory()
    memory.remember_many({"text": told.format(each), "id": f"other {each}"} for each in others)
    memory.remember(told.format(one), id="x")
    [first, *_] = memory.recall(asked.format(other), explain=True)
    assert first.id == "x" and first.strength is not None and first.strength > 0.5
    assert first.explanation is not None and first.explanation.recomputed() == first.score


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (["Der Zahnarzt ist am 3. Juni.", "Das Fest ist am 5. Juli."], "Was ist am 3. Mai?"),
        (["The dentist is on 3 June.", "The party is on 5 July."], "What is on 3 May?"),
        (["The dentist is on June 14th.", "The party is on 5 July."], "What is on February 14th?"),
        (["The dentist is on 2026-06-14.", "The party is on 2026-07-05."], "What is on 14 February?"),
        (["Oma kommt am 12. Mai."], "Was ist am 3. Mai?"),
        (["Train 3 leaves at noon.", "We have 3 cats."], "What is on 3 May?"),
        (["Version 3.5 is out.", "The build takes 3.5 minutes."], "Was ist am 3. Mai?"),
        (["Version 1.10.0 is out."], "What is at 1:10?"),
        (["Choir is at 8:30.", "Yoga is at 7:15."], "What is at 18:30?"),
        (["Choir is at 18:30.", "Yoga is at 19:15."], "What is at 6:30 am?"),
        (["The room has 9 chairs.", "The hall has 12 lamps."], "What is at 9 am?"),
        (["Lunch is on 05/03."], "What is on 5 March?"),
    ],
)
def test_a_number_beside_another_month_or_hour_carries_nothing(texts: list[str], question: str) -> None:
    memory = Memory()
    memory.remember_many({"text": text} for text in texts)
    assert not memory.recall(question)


@pytest.mark.parametrize(
    ("right", "wrong", "question"),
    [
        ("Choir is on 3 May.", "Yoga is on 3 June.", "What is on 3 May?"),
        ("Choir is at 6:30 am.", "Yoga is at 6:30 pm.", "What is at 6:30 am?"),
        ("The club meets at 9:00.", "The tour meets at 9 gates.", "What meets at 9 am?"),
        ("Karel gets 15% of it.", "Lena gets 15 shares of it.", "Who gets fifteen percent of it?"),
        ("Flat two is $1,200.", "Flat four is 1.2k.", "which flat is $1200?"),
    ],
)
def test_the_same_number_of_something_else_stands_behind(right: str, wrong: str, question: str) -> None:
    for texts in ((right, wrong), (wrong, right)):
        memory = Memory()
        memory.remember_many({"text": text} for text in texts)
        assert memory.recall(question)[0].text == right


def test_the_explanation_says_which_words_were_read() -> None:
    memory = Memory()
    memory.remember("Choir starts at 6:30 pm.", id="x")
    memory.remember("Yoga starts at 7:30 pm.")
    told = str(memory.recall("What starts at 18:30?", explain=True)[0].explanation)
    assert "read for '18:30', which says the same" in told and "it says what the question names" in told


def test_both_ways_of_writing_are_found() -> None:
    memory = Memory()
    memory.remember("Choir starts at 6:30 pm.", id="clock")
    memory.remember("Yoga starts at 18:30.", id="digits")
    memory.remember("Chess starts at 7:30 pm.", id="other")
    assert {hit.id for hit in memory.recall("What starts at 18:30?")[:2]} == {"clock", "digits"}


@pytest.mark.parametrize(
    ("right", "wrong", "question"),
    [
        ("The deposit was 1,850 euros.", "The trip cost 900 euros.", "1850"),
        ("The deposit was 1,850 euros.", "The trip cost 900 euros.", "€1850"),
        ("Die Kaution war 1.850 Franken.", "Die Reise hat 900 Franken gekostet.", "1850"),
        ("We got 250k euros", "Soup costs 4 euros.", "250000"),
        ("Karel gets fifteen percent of it.", "Lena wants ten percent more.", "15%"),
    ],
)
def test_what_an_amount_is_of_is_not_searched_for_unless_the_question_says_it(
    right: str, wrong: str, question: str
) -> None:
    memory = Memory()
    memory.remember_many({"text": text} for text in (wrong, right))
    assert [hit.text for hit in memory.recall(question)] == [right]


@pytest.mark.parametrize("question", ["1850 euros", "how much is 1850 euros?"])
def test_what_an_amount_is_of_is_searched_for_where_the_question_says_it(question: str) -> None:
    memory = Memory()
    memory.remember_many({"text": text} for text in ("The trip cost 900 euros.", "The deposit was 1,850 euros."))
    [first, other] = memory.recall(question)
    assert (first.text, other.text) == ("The deposit was 1,850 euros.", "The trip cost 900 euros.")
    assert first.score > other.score


@pytest.mark.parametrize(
    ("right", "held", "question"),
    [
        ("Rent is $1,200 a month.", "Invoice 1200 was paid.", "what costs 1200?"),
        ("Rent is $1,200 a month.", "Invoice 1200 was paid.", "1200"),
        ("Rent is 1,200 a month.", "Invoice 1200 was paid.", "what costs $1200?"),
        ("Rent is €1,200 a month.", "We sold 1,200 eggs.", "what costs 1200?"),
        ("We got 250k euros.", "Form 250000 is signed.", "who got 250000?"),
        ("Ring Anna on 0664 123 4567.", "Bo has +436641234567.", "+436641234567"),
    ],
)
def test_a_value_is_found_beside_a_record_that_holds_it_as_it_is_asked_for(
    right: str, held: str, question: str
) -> None:
    memory = Memory()
    memory.remember_many({"text": text} for text in (right, "The fridge cost $450.", held))
    found = {hit.text: hit for hit in memory.recall(question, explain=True)}
    assert {right, held} <= found.keys()
    assert "which says the same" in str(found[right].explanation)


def test_a_value_outside_the_boundary_is_no_way_of_writing() -> None:
    memory, alone = Memory(), Memory()
    for each in (memory, alone):
        each.remember("Chess starts at 7:30 pm.", id="other")
    memory.remember("Choir starts at 6:30 pm.", scope="user")
    within = {"scopes": ["project"]}
    one, other = (each.recall("What starts at 18:30?", boundary=within, min_strength=0) for each in (memory, alone))
    assert [(hit.id, hit.score) for hit in one] == [(hit.id, hit.score) for hit in other]


def test_named_profiles_and_operators_are_read_to_the_letter() -> None:
    memory = Memory()
    memory.remember("Choir starts at 6:30 pm.")
    assert not memory.recall('"18:30"') and not memory.recall("18:30", profile="kb-fast")


def test_a_number_that_very_many_hold_is_looked_for_as_it_stands() -> None:
    memory = Memory()
    memory.remember_many({"text": f"Row {row} of the hall has 9 chairs."} for row in range(100, 200))
    memory.remember("Choir is at 9 in hall two.", id="x")
    assert "x" in memory.recall("What is the choir at 9 am?")
