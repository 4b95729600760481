"""A property that no text says is not known, however much is said of what has it; what may say it still answers."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.properties import Text, property_asked
from byheart.patterns.property_forms import form_of

NOTES = (
    "My brother Paul moved to Leeds.",
    "Paul's daughter Ines wears size 34 shoes.",
    "Our neighbour Greta has two dogs.",
    "My dentist is Dr. Salis.",
    "The plumber comes on Tuesday at 10.",
    "We flew to Japan in spring.",
    "The staging server is in Frankfurt.",
    "My gym membership ends in October.",
    "I bought a grey sofa for 700 euros.",
    "Ben drives a Skoda Octavia.",
    "Maria leads the Atlas team.",
    "Nora's e-mail address is nora@example.org.",
    "Tim is forty-one and weighs 82 kilos.",
    "My flat is at 14 Birch Lane.",
    "Vera turned forty.",
    "Sam collects stamps near Porto.",
    "The rehearsal in Ghent is on 3 July.",
    "The concert for Amnesty is in June.",
    "The bill of Amnesty lies on the table in the hall.",
    "Ivo runs a bakery in Seville, and Rosa is his wife.",
    "My sister Clara just turned 34 in March.",
    "Raj from accounting flies to Toronto.",
    "The prayer room is on the third floor.",
    "The fuse box is left of the door.",
    "The spare remote is with the janitor.",
)
UNSAID = (
    ("How old is Paul?", "an age"),
    ("Can you tell me how old Greta is?", "an age"),
    ("When is Greta's birthday?", "a birthday"),
    ("What is Paul's phone number?", "a telephone number"),
    ("What is Dr. Salis's phone number?", "a telephone number"),
    ("What's the email of Maria?", "an e-mail address"),
    ("Greta's address?", "an address"),
    ("What are the names of Greta's dogs?", "a name"),
    ("What is Ben's job?", "a job"),
    ("Where does Maria live?", "a home"),
    ("How much does the plumber charge?", "a price"),
    ("How much is my gym membership?", "a price"),
    ("What size is the sofa?", "a size"),
    ("How many people are in the Atlas team?", "a number of these"),
    ("When does the staging server restart?", "a time"),
    ("Where did I buy the sofa?", "a place"),
    ("Which car does Paul drive?", "a car"),
    ("What colour is Ben's car?", "a colour"),
    ("What is Greta's favourite food?", "a food"),
    ("How tall is Vera?", "a size"),
    ("What is Sam's last name?", "a name"),
    ("What time is the rehearsal in Ghent?", "a time of day"),
    ("Where is the concert for Amnesty?", "a place"),
    ("How many stamps does Sam have?", "a number of these"),
    ("Who is Greta's husband?", "a husband"),
)
SAID = (
    ("What is Ines's shoe size?", 1),
    ("How many dogs does Greta have?", 2),
    ("What is my dentist's name?", 3),
    ("When does the plumber come?", 4),
    ("Where is the staging server?", 6),
    ("How much did the sofa cost?", 8),
    ("What colour is the sofa?", 8),
    ("Which car does Ben drive?", 9),
    ("What is Nora's email address?", 11),
    ("How old is Tim?", 12),
    ("How much does Tim weigh?", 12),
    ("Where is my flat?", 13),
    ("Where does Ivo live?", 19),
    ("Who is Ivo's wife?", 19),
    ("How old is Clara?", 20),
    ("Which department does Raj work in?", 21),
    ("Where is the prayer room?", 22),
    ("Where is the fuse box?", 23),
    ("Where is the spare remote?", 24),
)


@pytest.fixture(scope="module")
def memory() -> Memory:
    memory = Memory(embedder=None)
    for number, text in enumerate(NOTES):
        memory.remember(text, id=str(number), created_at=number)
    return memory


@pytest.mark.parametrize(("question", "label"), UNSAID)
def test_what_no_text_says_of_somebody_is_not_known(memory: Memory, question: str, label: str) -> None:
    answer = memory.recall(question)
    assert not answer.sufficient and answer.nearest
    assert any(gone.reason.endswith(f"says {label}") for gone in answer.dropped)
    asked_for = memory.recall(question, min_strength=0)
    assert answer.nearest[0] in asked_for
    assert max(hit.strength or 0.0 for hit in asked_for) == asked_for.strength == answer.strength


@pytest.mark.parametrize(("question", "at"), SAID)
def test_what_a_text_says_of_somebody_is_known(memory: Memory, question: str, at: int) -> None:
    answer = memory.recall(question)
    assert answer.sufficient and answer[0].id == str(at)


IN_PASSING = (
    ("How old is Lukas?", "Lukas just had his thirty-fifth."),
    ("When is Sofia's birthday?", "Sofia is celebrating on the 8th."),
    ("How many children does Nora have?", "Nora and Paul have a boy and a girl."),
    ("What colour is the hallway?", "We settled on cream for the hallway."),
    ("What is Jonas's job?", "Jonas cooks at the Hilton."),
    ("How much did the tickets cost?", "The tickets were a present."),
    ("What animals do the Smiths have?", "The Smiths keep llamas."),
    ("What music does Milo listen to?", "Milo listens to grime."),
    ("Which instrument does Ana practise?", "Ana practises daily, theremin above all."),
    ("Who is Ravi's manager?", "Ravi reports to Claudia."),
    ("Who is Pablo's wife?", "Pablo and Rita tied the knot."),
    ("Where does Lotte live?", "Lotte's place is by the canal."),
    ("What is Katja's phone number?", "Katja can be reached at ext. 204."),
    ("What time does the gala start?", "The gala starts right after sunset."),
    ("How old is Lukas?", "Lukas is in his late forties."),
    ("How old is Lukas?", "Lukas is 34 on Sunday."),
    ("How old is Lukas?", "Lukas is pushing fifty."),
    ("How old is Lukas?", "Lukas's 34th was lovely."),
    ("How old is Lukas?", "Lukas made it to 100."),
    ("When is Sofia's birthday?", "Sofia's 40th is on 3 May."),
    ("What is Jonas's job?", "Jonas mends shoes."),
    ("What is Jonas's job?", "Jonas drives a taxi."),
    ("What is Jonas's job?", "Jonas is with the police."),
    ("What is Jonas's job?", "Jonas, a vet, came by."),
    ("How much is the gym?", "The gym is included in the rent."),
    ("Where does Lotte live?", "Lotte has a bungalow by the sea."),
    ("Where does Lotte live?", "Lotte went back to Oslo for good."),
    ("What is Lotte's address?", "Lotte's house is Rose Cottage, Elm Way."),
    ("What is Katja's phone number?", "Katja's number is four one five, two two one."),
    ("What is Katja's email?", "Write to Katja under katja(at)gmx.de."),
    ("What is my work phone?", "My work phone is a Galaxy."),
    ("Who is Ravi's son?", "Ravi's boy is Matteo."),
    ("Who is Ravi's wife?", "Ravi's missus is Claudia."),
    ("Who is Ravi's friend?", "Ravi's mate is Karl."),
)


@pytest.mark.parametrize(("question", "text"), IN_PASSING)
def test_what_is_said_in_passing_is_said(question: str, text: str) -> None:
    asked = property_asked(question)
    assert asked is not None and asked.is_said([Text(text)]) and not asked.is_unsaid([Text(text)])


def test_a_property_is_told_by_who_is_called_so_or_in_the_session_that_names_them() -> None:
    asked = property_asked("What is my sister's phone number?")
    assert asked is not None
    named, number = Text("My sister is called Clara."), Text("Clara: 0664 123 456")
    assert not asked.is_unsaid([named, number])
    assert asked.is_unsaid([named, Text("Tom: 0664 123 456")])
    assert not asked.is_unsaid([Text("I met my sister.", "s"), Text("Write down 0664 123 456.", "s")])
    assert asked.is_unsaid([Text("I met my sister.", "s"), Text("Write down 0664 123 456.", "t")])
    assert not asked.is_unsaid([Text("Tom: 0664 123 456")]), "who is not spoken of may be called otherwise"


NOT_SAID = (
    ("How old is Lukas?", "Lukas met an old friend."),
    ("How old is Lukas?", "Lukas lives on the 5th floor."),
    ("How old is Lukas?", "Lukas reached the summit with 12 others."),
    ("What is Jonas's job?", "Jonas likes shoes."),
    ("What is Jonas's job?", "Jonas drives a Skoda."),
    ("What is Katja's phone number?", "Katja's phone is a Galaxy."),
    ("What is my wife's phone number?", "My wife sings. Her husband's number is taken."),
    ("Who is Ravi's son?", "Ravi's dentist is Dr. Salis."),
)


@pytest.mark.parametrize(("question", "text"), NOT_SAID)
def test_what_only_looks_like_it_is_not_said(question: str, text: str) -> None:
    asked = property_asked(question)
    assert asked is not None and asked.is_unsaid([Text(text)])


def test_a_doctor_is_reached_in_the_surgery() -> None:
    asked = property_asked("What's the doctor's phone number?")
    assert asked is not None
    named = Text("The doctor is Dr. Salis.")
    assert not asked.is_unsaid([named, Text("The surgery's telephone is 01584 872939.")])
    assert asked.is_unsaid([named, Text("The plumber's telephone is 01584 872939.")])


def test_other_questions_ask_for_no_property() -> None:
    others = ("Who is Paul?", "What did Ines get for her birthday?", "What is wrong with Ben's phone?", "About Greta.")
    for question in others:
        assert property_asked(question) is None


def test_who_says_what_records_must_hold_gets_those_that_do(memory: Memory) -> None:
    assert not memory.recall("How old is Greta?")
    assert [hit.id for hit in memory.recall('How old is "Greta"?')] == ["2"]
    assert memory.recall("How old is Greta? -sofa")[0].id == "2"


@pytest.mark.parametrize("verb", ["do", "get", "got", "have", "keep", "need", "own", "prefer", "take", "use", "want"])
def test_a_verb_that_any_thing_goes_with_is_not_asked_for(verb: str) -> None:
    light, heavy = form_of(f"Which car do I {verb}?"), form_of("Which car do I drive?")
    assert light is not None and light.verb == ""
    assert heavy is not None and heavy.verb == "drive"
