"""Near-duplicates and corrections: which records are linked, and in which order they are found."""

from __future__ import annotations

import pytest

import byheart
from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.ranking.near_rows import MANY
from byheart.writing.links import MOST_LINKS

from .reopened import Place, found

ROOMS = ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper", "Kapok", "Larch"]
ROOMS += ["Maple", "Nutmeg", "Oak", "Pine"]


def test_an_update_links_near_duplicates_again(place: Place) -> None:
    with place.open(single_valued=[]) as memory:
        memory.remember("We meet at noon.", id="a", created_at=1)
        memory.remember("We meet at one.", id="b", created_at=2)
        memory.remember("Tea is brewed slowly here.", id="c", created_at=3)
        memory.update("b", text="We meet at two.")
        assert (memory.get("a").near_duplicates, memory.get("b").near_duplicates) == (("b",), ("a",))
        memory.update("c", text="We meet at six.")
        assert set(memory.get("c").near_duplicates) == {"a", "b"} and "c" in memory.get("a").near_duplicates


def test_near_duplicates_stand_side_by_side_the_newer_first(place: Place) -> None:
    with place.open(single_valued=[]) as memory:
        memory.remember("I live in Rome", id="rome", user_id="ann", created_at=1)
        memory.remember("Rome has a very long history of its own", id="city", created_at=2)
        done = memory.remember("I live in Paris", id="paris", user_id="ann", created_at=3, receipt=True)
        memory.remember("I live in Oslo", id="bob's", user_id="bob", created_at=4)
        assert done.near_duplicates == ("rome",) and memory.get("rome").near_duplicates == ("paris",)
    with place.open() as memory:
        ids = found(memory, "Rome")
        assert ids.index("paris") == ids.index("rome") + 1, "no word finds it, and it stands right behind"
        assert found(memory, "where do I live?", user_id="ann")[:2] == ["paris", "rome"], "the newer comes first"
        assert found(memory, "Rome", where={"id": ["rome", "city"]}).count("paris") == 0
        text = memory.context("Rome", 200).text
        assert "in Paris" in text and "in Rome" in text
        memory.update("rome", text="The sea is blue in summer")
        assert memory.get("paris").near_duplicates == ()
        memory.remember("I live in Bern", id="bern", user_id="ann", created_at=5)
        memory.forget("bern")
        assert memory.get("paris").near_duplicates == () and memory.check() == []


@pytest.mark.parametrize(
    ("question", "comes"), [("Rome", True), ("does the brass kettle from Rome leak at the spout?", False)]
)
def test_beside_what_nobody_asks_for_nothing_comes_that_no_word_finds(question: str, comes: bool) -> None:
    memory = byheart.Memory(single_valued=[])
    memory.remember("I live in Rome", id="rome", created_at=1)
    memory.remember("I live in Paris", id="paris", created_at=2)
    memory.remember("The brass kettle leaks at the spout", id="kettle", created_at=3)
    for fusing in (True, False):
        hits = memory.recall(question, min_strength=0, explain=not fusing)
        assert ("paris" in [hit.id for hit in hits]) is comes and "rome" in [hit.id for hit in hits]


def test_what_fits_the_question_comes_before_what_is_nearly_the_same() -> None:
    memory = byheart.Memory()
    memory.remember("I have an appointment with the dentist on Monday.", id="dentist", user_id="ann", created_at=1)
    memory.remember("I have an appointment with the barber on Monday.", id="barber", user_id="ann", created_at=2)
    assert memory.get("barber").near_duplicates == ("dentist",)
    question = "when is my dentist appointment?"
    assert found(memory, question) == ["dentist", "barber"] and found(memory, question, k=1) == ["dentist"]
    assert "dentist" in memory.context(question, 14).text
    assert found(memory, "when is my appointment?") == ["barber", "dentist"]


def test_a_form_that_many_records_have_does_not_take_the_places_of_others() -> None:
    memory = byheart.Memory()
    for flat in range(16):
        memory.remember(f"The rent of flat {flat} is due.", id=f"r{flat}", user_id="ann", created_at=flat)
    memory.remember("Somebody painted the third flat of the old house in a cheerful green.", id="green", created_at=20)
    answer = memory.recall("is the rent of flat 3 due?")
    assert answer[0].id == "r3" and answer.strength == answer[0].strength
    assert sum(hit.id.startswith("r") for hit in memory.recall("green flat", 4, min_strength=0)) == 3
    assert found(memory, "green flat")[0] == "green"
    told = memory.recall("is the rent of flat 3 due?", 16, min_strength=0, explain=True)
    assert [row.reason for row in told.dropped if "near-dup" in row.reason] == []


@pytest.mark.parametrize("said_in", ["internal", "secret"])
def test_a_record_of_another_cell_that_has_the_id_of_a_near_duplicate_is_not_brought_in(
    place: Place, said_in: str
) -> None:
    other = {"internal": "secret", "secret": "internal"}[said_in]
    with place.open(single_valued=[], boundary={"classes": [said_in]}) as memory:
        memory.remember("I live in Rome", id="rome", user_id="ann", boundary_class=said_in, created_at=1)
        memory.remember("I live in Paris", id="paris", user_id="ann", boundary_class=said_in, created_at=2)
        assert memory.get("rome").near_duplicates == ("paris",)
    with place.open(boundary={"classes": [other]}) as memory:
        memory.remember("a harbour at dusk", id="paris", boundary_class=other, created_at=3)
    with place.open(single_valued=[]) as memory:
        answer = memory.recall("Rome", boundary={"classes": ["internal", "secret"]}, min_strength=0)
        assert "rome" in answer
        assert "a harbour at dusk" not in [hit.text for hit in answer]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I live in Rome", "Do I live in Paris?"),
        ("I live in Rome", "I live in Rome now"),
        ("The capital of France is Paris", "The capital of Italy is Rome"),
        ("amber tea cup", "amber tea pot"),
        ("We meet at noon at the old harbour and then we walk up the hill to the mill", "We meet at one"),
    ],
)
def test_what_is_no_other_value_of_the_same_is_not_linked(one: str, other: str) -> None:
    memory = byheart.Memory()
    memory.remember(one)
    assert memory.remember(other, receipt=True).near_duplicates == ()


def test_a_form_that_many_records_have_is_no_correction_and_costs_no_more() -> None:
    memory = byheart.Memory()
    memory.remember_many([f"This is the note number {number}" for number in range(200)])
    assert memory.remember("This is the note number 999", receipt=True).near_duplicates == ()
    linked = memory.count({"near_duplicates": {"exists": True}})
    assert linked <= 20, "those that came before it was a form"


def test_one_record_names_at_most_four_near_duplicates_the_newest(place: Place) -> None:
    with place.open() as memory:
        for number in range(18):
            memory.remember(f"The rent of flat {number} is due.", id=f"r{number:02}", created_at=number)
        links = {record.id: record.near_duplicates for record in memory.records()}
    assert max(map(len, links.values())) == 4 and links["r17"] == ()
    assert set(links["r16"]) == {"r12", "r13", "r14", "r15"}
    assert all({f"r{later:02}" for later in range(at + 1, at + 5)} == {*links[f"r{at:02}"]} for at in range(12))


def test_what_is_named_alone_leaves_no_name_behind() -> None:
    memory = byheart.Memory()
    for at, room in enumerate(ROOMS[:9]):
        memory.remember(f"The next retro is in room {room}.", id=f"{at:02}", created_at=at)
    assert memory.get("00").near_duplicates == ("01", "02", "03", "04") and memory.get("04").near_duplicates[-1] == "08"
    for id in ("05", "06", "07", "08", "04"):
        memory.forget(id)
    assert memory.get("00").near_duplicates == ("01", "02", "03") and memory.check() == []


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_what_an_assistant_says_is_never_linked(role: str) -> None:
    memory = byheart.Memory()
    for number, word in enumerate(["tea", "rice"]):
        memory.ingest_turn(f"Understood, I noted that {word}.", session_id="s", role=role, now=number)
    assert memory.count() == 2 and memory.count({"near_duplicates": {"exists": True}}) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I weigh 82 kg.", "I weigh 79 kg now."),
        ("I have two kids.", "I have three kids."),
        ("Lunch costs 12 euros.", "Lunch costs 14 euros."),
        ("My phone number is 555-0101.", "My phone number is now 555-0199."),
        ("My dog is called Rex.", "My dog is now called Max."),
        ("Tom's birthday is on 4 June.", "Sorry, Tom's birthday is on 6 June."),
        ("My flight is on the 3rd.", "Actually my flight is on the 5th, not the 3rd."),
        ("My flight is on the 3rd.", "No, my flight is on the 5th."),
        ("The dentist is at 9:15.", "Sorry, the dentist is at 10:15, not 9:15."),
        ("Mein Termin ist am 3. Mai.", "Mein Termin ist doch am 5. Mai."),
    ],
)
def test_a_correction_is_linked_with_what_it_corrects_and_comes_first(one: str, other: str) -> None:
    memory = byheart.Memory()
    memory.remember(one, id="one", user_id="ann", created_at=1)
    assert memory.remember(other, id="other", user_id="ann", created_at=2, receipt=True).near_duplicates == ("one",)
    shared = [word for word in one.rstrip(".").split() if word in other.rstrip(".").split()]
    question = " ".join(word for word in shared if word.isalpha())
    assert found(memory, question, user_id="ann", min_strength=0)[:2] == ["other", "one"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have two kids.", "I have two cars."),
        ("I have two kids.", "I have a red car."),
        ("No dogs are allowed here.", "No cats were seen over there."),
        ("What is my PIN, 4711?", "What is my PIN, 4712?"),
        ("tell me of flight 3", "tell me of flight 5"),
    ],
)
def test_what_says_something_else_or_asks_is_not_linked(one: str, other: str) -> None:
    memory = byheart.Memory()
    memory.remember(one, id="one")
    assert memory.remember(other, receipt=True).near_duplicates == ()


def test_more_than_sixteen_numbers_in_one_place_are_a_form() -> None:
    memory = byheart.Memory()
    for number in range(40):
        done = memory.remember(f"I have {number + 2} kids in class.", created_at=number, receipt=True)
    assert done.near_duplicates == ()


def test_the_newer_stands_first_however_often_the_older_was_said_in_one_talk() -> None:
    memory = byheart.Memory()
    for day in (1, 2, 3):
        memory.ingest_turn("I weigh 82 kg.", session_id="w", user_id="ann", created_at=day * 86_400.0)
    memory.ingest_turn("I weigh 79 kg.", session_id="later", user_id="ann", created_at=5 * 86_400.0)
    found = memory.recall("how much do I weigh?", user_id="ann")
    assert [hit.text for hit in found] == ["I weigh 79 kg.", "I weigh 82 kg."]


@pytest.mark.parametrize("many", [2, 3, 4, 5, 6, 8, 12, 16])
@pytest.mark.parametrize("how", ["by words", "by meaning", "turns", "at once", "the newest came first"])
def test_however_many_say_nearly_the_same_they_stand_from_the_newest_to_the_oldest(many: int, how: str) -> None:
    memory = byheart.Memory(embedder=HashingEmbedder() if how == "by meaning" else None)
    told = [
        {"text": f"The next retro is in room {room}.", "id": f"{at:02}", "created_at": at * 86_400.0}
        for at, room in enumerate(ROOMS[:many])
    ]
    if how == "turns":
        for each in told:
            memory.ingest_turn(each["text"], session_id=f"s{each['id']}", created_at=each["created_at"])
    elif how == "at once":
        memory.remember_many(told)
    else:
        for each in reversed(told) if how == "the newest came first" else told:
            memory.remember(each)
    memory.remember("The minutes of the retro are on a shelf.")
    question = "where is the next retro?"
    hits = [hit for hit in memory.recall(question, 20, min_strength=0) if "retro is in" in hit.text]
    scores = [hit.score for hit in hits]
    assert min(scores) >= 0.9 * max(scores)
    assert [hit.text for hit in hits] == [each["text"] for each in reversed(told)]
    assert [hit.text for hit in memory.recall(question, 1)] == [told[-1]["text"]]


def test_what_many_say_nearly_leaves_to_others_the_places_that_they_have() -> None:
    memory = byheart.Memory()
    for at, room in enumerate(ROOMS[:8]):
        memory.remember(f"The next retro is in room {room}.", id=f"{at:02}", created_at=at)
    memory.remember("Where the next retro is, room Hazel or Ivy, is told on the door.", id="door", created_at=1)
    ids = [hit.id for hit in memory.recall("is the next retro in room Dogwood?", 20, min_strength=0)]
    assert ids[0] == "03", "who asks for one gets it first"
    rest = [id for id in ids if id not in ("03", "door")]
    assert rest == sorted(rest, reverse=True)


WEIGHTS = {"march": "2026-03-02", "april": "2026-04-06", "may": "2026-05-04", "june": "2026-06-01"}


@pytest.mark.parametrize("months", [["april", "june"], list(WEIGHTS)])
@pytest.mark.parametrize("embedder", [None, HashingEmbedder()])
def test_what_lies_nearer_to_a_named_time_stands_before_what_is_newer(months: list[str], embedder: object) -> None:
    memory = byheart.Memory(embedder=embedder)
    for number, month in enumerate(months):
        memory.remember(f"Weight this morning: {79 + number / 5} kg.", id=month, created_at=WEIGHTS[month])

    def asked(question: str) -> list[str]:
        return [hit.id for hit in memory.recall(question, now="2026-06-17", min_strength=0)]

    nearest = [month for month in ("april", "march", "may", "june") if month in months]
    assert asked("what was my weight on 6 April 2026?") == nearest
    assert asked("what was my weight?") == list(reversed(months))
    assert asked("what was my weight in June 2026?") == list(reversed(months))
    assert asked("what was my weight in 2026?") == list(reversed(months)), "all of them lie in it"


@pytest.mark.parametrize("notes", [20, 200])
def test_of_many_notes_of_one_form_those_that_are_asked_for_come_first(notes: int) -> None:
    """What differs from them in the very word that is asked for stands behind, if it is found, and at its own score."""
    memory = Memory()
    for who in ("Ann", "Bob"):
        for number in range(notes):
            memory.remember(f"{who} saw comet {number}.", id=f"{who}-{number}")
    answer = memory.recall("who saw comet 7?")
    assert [hit.id for hit in answer][:2] == ["Bob-7", "Ann-7"], "they fit as well: the newer one first"
    assert all(hit.score < 0.1 for hit in answer[2:])


def test_how_many_names_are_many_is_how_many_there_may_be() -> None:
    assert MANY == MOST_LINKS
