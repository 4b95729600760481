"""Changes of a state in other words: linked with what they change, and first for a question that asks for the state."""

import pytest

from byheart import Memory
from byheart.patterns.states import change_in, changes_state

CHANGES = [
    ("I live in Solna.", "I moved to Uppsala last week.", "where do I live?"),
    ("i live in solna", "i moved to uppsala last week", "where do i live"),
    ("My brother lives in Kiel.", "My brother relocated to Bonn.", "where does my brother live?"),
    ("We live in Solna.", "We moved to Uppsala last week.", "where do we live?"),
    ("I live in Solna.", "We moved to Uppsala.", "where do I live?"),
    ("I live in Solna.", "We bought a small house in Uppsala and moved in.", "where do I live?"),
    ("I work at Siemens.", "I got a new job: I'm a planner at Bosch.", "where do I work?"),
    ("I work as a nurse at the Charite.", "I joined Vivantes.", "where do I work?"),
    ("Wir wohnen in Köln.", "Wir sind nach Bonn gezogen.", "Wo wohnen wir?"),
    ("Ich wohne in Köln.", "Ich bin nach Bonn gezogen.", "Wo wohne ich?"),
    ("J'habite à Lyon.", "J'ai déménagé à Nantes.", "où est-ce que j'habite ?"),
    ("Vivo en Sevilla.", "Me mudé a Bilbao.", "¿dónde vivo?"),
    ("Vivo a Torino.", "Mi sono trasferito a Genova.", "dove vivo?"),
    ("Moro em Braga.", "Mudei-me para Faro.", "onde moro?"),
    ("I work at Siemens.", "I started a new job at Bosch today.", "where do I work?"),
    ("I work for Oracle.", "I've been hired by Nvidia.", "who do I work for?"),
    ("Ich arbeite bei Siemens.", "Ich habe bei Bosch angefangen.", "Wo arbeite ich?"),
    ("I weigh 82 kg.", "Down to 78 kg this morning!", "how much do I weigh?"),
    ("Ich wiege 90 kg.", "Jetzt bin ich runter auf 85 kg.", "Wie viel wiege ich?"),
    ("My daughter is 4 years old.", "My daughter turned 5 yesterday.", "how old is my daughter?"),
    ("Mi hijo tiene 9 años.", "Mi hijo ha cumplido 10 años.", "¿cuántos años tiene mi hijo?"),
    ("I'm dating Tom.", "Tom and I broke up. I'm with Karl now.", "who am I dating?"),
    ("I have a cat named Miso.", "Miso died in March.", "do I have a cat?"),
    ("I have a Volvo.", "I sold the Volvo.", "do I have a Volvo?"),
    ("My wife is Ruth.", "Ruth and I got divorced.", "who is my wife?"),
    ("I work at Google.", "I quit Google and joined Nokia.", "where do I work?"),
    ("We have two hamsters, Pip and Pop.", "Pip died on Tuesday.", "which hamsters do we have?"),
    ("My laptop is a ThinkPad.", "I gave the ThinkPad to my niece.", "what laptop do I have?"),
    ("My son Leo is 11.", "Leo had his 12th birthday yesterday.", "how old is Leo?"),
    ("My flight to Oslo is at 7:40.", "They rebooked me onto the 12:15 to Oslo.", "when is my flight to Oslo?"),
    ("We meet at the Blue Cafe on Friday.", "Change of plan: we meet at the library on Friday.", "where do we meet?"),
]  # fmt: skip
NONE = [
    ("I live in Solna.", "My brother moved to Bonn."),
    ("We live in Solna.", "I moved to Uppsala."),
    ("I live in Solna.", "We bought a boat in Uppsala and moved on."),
    ("I live in Solna.", "We found a flat in Uppsala."),
    ("I live in Solna.", "I moved the sofa to the cellar."),
    ("I live in Solna.", "We moved the meeting to Uppsala."),
    ("I live in Solna.", "The company moved to Linz."),
    ("I live in Solna.", "I would never move to Uppsala."),
    ("I live in Solna.", "I moved to the back row."),
    ("I live in Solna.", "I moved to Gmail."),
    ("I live in Solna.", "I moved to Uppsala in 2009."),
    ("I live in Solna.", "I moved to Solna last year."),
    ("I live in Solna.", "Have I moved to Uppsala yet?"),
    ("I work at Siemens.", "I started reading at Bosch's."),
    ("I work at Siemens.", "I joined the gym at Bosch Street."),
    ("I weigh 82 kg.", "The suitcase is down to 20 kg."),
    ("I weigh 82 kg.", "My dog is up to 30 kg."),
    ("I weigh 82 kg.", "I'm up to 40 kg on the bench."),
    ("My wife is Ruth.", "Anna and I got divorced."),
    ("My daughter is 4 years old.", "My son turned 5 yesterday."),
    ("My daughter is 4 years old.", "My daughter turned 5 pages."),
    ("I'm dating Tom.", "I'm with Karl at the office."),
    ("I have a cat named Miso.", "My grandfather died in March."),
    ("I have a cat named Miso.", "Her cat died in March."),
    ("I have a Volvo.", "My neighbour sold his Volvo."),
    ("Ann: I live in Solna.", "Bob: My sister moved to Uppsala."),
]


def told(memory: Memory, text: str, at: str, how: str) -> None:
    """Have a memory told something, as a record or as a turn of its own session."""
    if how == "turn":
        memory.ingest_turn(text, session_id=at, user_id="u", created_at=at, now=at)
    else:
        memory.remember(text, user_id="u", created_at=at)


@pytest.mark.parametrize("how", ["remember", "turn"])
@pytest.mark.parametrize(("older", "newer", "question"), CHANGES)
def test_a_change_comes_first_a_year_later(older: str, newer: str, question: str, how: str) -> None:
    memory = Memory()
    told(memory, "The oven is hot.", "2025-12-31", how)
    told(memory, older, "2026-01-01", how)
    told(memory, newer, "2026-03-01", how)
    said = [hit.text for hit in memory.recall(question, user_id="u", now="2027-03-01")]
    assert said[:2] == [newer, older]


@pytest.mark.parametrize(("older", "newer"), NONE)
def test_what_is_of_others_or_of_something_else_changes_no_state(older: str, newer: str) -> None:
    assert not changes_state(newer, older)
    memory = Memory()
    first = memory.remember(older, created_at="2026-01-01")
    memory.remember(newer, created_at="2026-03-01")
    assert memory.recall(older)[0].id == first


def test_a_change_hides_nothing_and_other_questions_keep_what_they_find() -> None:
    memory = Memory()
    old = memory.remember("I live in Solna with my two cats, Miso and Momo.", created_at="2026-01-01")
    new = memory.remember("I moved to Uppsala.", created_at="2026-03-01")
    assert memory.get(old).near_duplicates == (new,) and memory.get(old).superseded_by is None
    assert [hit.id for hit in memory.recall("Where do I live?")] == [new, old]
    assert memory.recall("How many cats do I have?")[0].id == old
    assert memory.recall("Where did I live before?")[0].id == old


def test_a_change_of_one_call_with_what_it_changes_is_linked() -> None:
    memory = Memory()
    records = [{"text": "I live in Solna.", "id": "old"}, {"text": "I moved to Uppsala.", "id": "new"}]
    memory.remember_many(records)
    assert memory.get("old").near_duplicates == ("new",)


def test_most_texts_are_passed_over() -> None:
    assert change_in("The kettle is on the stove.") is None and change_in("I moved to Uppsala. " * 20) is None
