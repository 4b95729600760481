"""Notes told anew come before older ones that give another value, and what gives none of the kind does not."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.patterns.told_anew import told_anew
from byheart.patterns.units import units_in, without_others

HOUR = 3600.0
START = 1.7e9
BESIDE = ("Buy oat milk and eggs.", "Marta likes tulips.", "The printer is out of toner.", "Paolo sent the invoice.")
ANEW = [
    ("My shoe size is 42.", "Turns out my shoe size is 43.", "What is my shoe size?"),
    ("The spare key is under the flower pot.", "I put the spare key in the shed.", "Where is the spare key?"),
    ("Mein Arzt ist Dr. Lang.", "Mein Arzt ist Dr. Kurz.", "Wer ist mein Arzt?"),
    ("Der Müll wird montags abgeholt.", "Der Müll wird mittwochs abgeholt.", "Wann wird der Müll abgeholt?"),
    ("The garage code is 5512.", "They set the garage code to 7781.", "What is the garage code?"),
    ("I keep my bike in the cellar.", "I keep my bike at the office.", "Where do I keep my bike?"),
    ("We keep the passports in the safe.", "The passports lie in the drawer of my desk.", "Where are the passports?"),
    ("Ich arbeite bei Bosch.", "Ich arbeite bei Siemens.", "Wo arbeite ich?"),
    ("Our cleaner is called Irma.", "Our cleaner these days is Joanna.", "Who is our cleaner?"),
    ("My alarm is at 6:45.", "I set my alarm to 6:15 from today.", "When is my alarm?"),
    ("Our main competitor is Acme.", "Our main competitor is Globex.", "Who is our main competitor?"),
    ("We use Jenkins for CI.", "We switched to GitHub Actions for CI.", "What do we use for CI?"),
    ("Secrets are stored in 1Password.", "Secrets live in Vault now.", "Where are secrets stored?"),
    ("Martin leads the design team.", "Priya took over the design team from Martin.", "Who leads the design team?"),
    ("Martin owns the billing service.", "The billing service belongs to Priya now.", "Who owns the billing service?"),
    ("The backup runs at 2 am.", "Backups start at 4 am.", "When does the backup run?"),
    ("The default branch is called master.", "Our default branch is main.", "What is the default branch called?"),
    ("The Pro plan costs 29 euros a month.", "The Pro plan is 35 euros.", "How much does the Pro plan cost?"),
    ("I take 20 mg of lisinopril every morning.", "I am on 40 mg of lisinopril.", "How much lisinopril do I take?"),
]
NOT_OF_IT = [
    ("My shoe size is 42.", "I told Anna about my shoe size.", "What is my shoe size?"),
    ("The gym opens at 7.", "The gym opens a new pool in May.", "When does the gym open?"),
    ("The build takes 12 minutes.", "The build takes 4 GB of memory.", "How long does the build take?"),
    ("My doctor is Dr. Lang.", "My doctor is on holiday in Spain.", "Who is my doctor?"),
    ("Emma's teacher is Mr. Boyd.", "Emma's piano teacher is Ms. Ito.", "Who is Emma's teacher?"),
    ("My doctor is Dr. Lind.", "Another doctor, Dr. Moreau, looked at the rash.", "Who is my doctor?"),
    ("I am allergic to dust.", "A red goat is allergic to straw.", "What am I allergic to?"),
    ("My boss is Karel.", "Anna has a new boss, Ms. Blum.", "Who is my boss?"),
    ("My manager is Olga.", "My manager went to Rome for a week.", "Who is my manager?"),
    ("The backup runs at 2 am.", "The backup failed at 4 am.", "When does the backup run?"),
    ("Ravi owns the payments module.", "Chen reviewed the payments module.", "Who owns the payments module?"),
    ("The release is on 3 June.", "The release party is on 9 June.", "When is the release?"),
    ("The SSH port is 2222.", "In 2021 the SSH port was 22.", "What is the SSH port?"),
    ("Our linter is ruff.", "I think our linter is too strict.", "What is our linter?"),
    ("The retro is on Fridays at 15:00.", "The retro is with the design team.", "When is the retro?"),
]


def memory_of(older: str, newer: str, *, apart: float = 48 * HOUR, **fields: str) -> Memory:
    """Return a memory in which the second text was told last, both of them by the fields that are given."""
    memory = Memory()
    for place, text in enumerate(BESIDE):
        memory.remember(text, created_at=START + place * HOUR)
    memory.remember(older, id="older", created_at=START + 100 * HOUR, **fields)
    memory.remember(newer, id="newer", created_at=START + 100 * HOUR + apart)
    return memory


def first(memory: Memory, question: str) -> str:
    return memory.recall(question, now=START + 1_000 * HOUR)[0].id


@pytest.mark.parametrize(("older", "newer", "question"), ANEW)
def test_what_was_told_anew_comes_first_and_says_why(older: str, newer: str, question: str) -> None:
    memory = memory_of(older, newer)
    assert [hit.text for hit in memory.recall(question, 2, now=START + 1_000 * HOUR)] == [newer, older]
    assert first(memory_of(newer, older), question) == "newer"  # the times decide, and not the texts


@pytest.mark.parametrize(("older", "newer", "question"), NOT_OF_IT)
def test_what_gives_no_value_of_the_kind_does_not(older: str, newer: str, question: str) -> None:
    assert first(memory_of(older, newer), question) == "older"


OLD, NEW, ASKED = ANEW[0]


def test_the_explanation_says_why() -> None:
    memory, why = memory_of(OLD, NEW), "stands before older: was said later, and gives as much"
    assert why in str(memory.explain(ASKED, "newer", now=START + 1_000 * HOUR))


@pytest.mark.parametrize(
    ("fields", "is_before"),
    [
        ({"apart": 5.9 * HOUR}, False),
        ({"apart": 6 * HOUR}, True),
        ({"user_id": "ann"}, False),
        ({"session_id": "s"}, False),
        ({"speaker": "ann"}, False),
    ],
)
def test_it_is_told_hours_later_by_the_same_user_and_of_no_session(fields: dict[str, float], is_before: bool) -> None:
    assert (first(memory_of(OLD, NEW, **fields), ASKED) == "newer") == is_before  # type: ignore[arg-type]


@pytest.mark.parametrize("query", ["shoe size", "What was my shoe size before?", "The shoe size."])
def test_who_asks_nothing_or_for_the_past_gets_no_order_of_times(query: str) -> None:
    memory = memory_of(OLD, NEW)
    hits = memory.recall(query, now=START + 1_000 * HOUR)
    assert hits and all("gives as much" not in str(memory.explain(query, hit.id)) for hit in hits)


def test_what_asks_nothing_tells_nothing_apart() -> None:
    assert told_anew("spare key") is None
    assert told_anew("Where is the spare key?" + " please" * 100) is None


def test_amounts_of_other_units_are_of_another_kind() -> None:
    assert units_in("It takes 4 GB, two hours and 30 %.") == {"data", "time", "part"}
    assert units_in("Room 12, at 9, of 2024.") == frozenset()
    assert without_others("It weighs 4 kg after 3 hours.", "mass") == "It weighs 4 kg after  ."


def test_where_no_row_is_found_nothing_is_told_anew() -> None:
    memory = Memory(embedder=HashingEmbedder())
    memory.remember_many(["The kettle leaks.", "Ann lives in Oslo.", "The launch is on 3 May.", "Grace found a moth."])
    assert not memory.recall("how do I renew a passport?", min_strength=0)


def test_what_names_the_day_that_is_asked_for_stays_before_what_was_told_later_of_another() -> None:
    memory = Memory()
    for day, (town, due) in enumerate((("Siena", "Wednesday"), ("Turku", "Tuesday")), 1):
        memory.remember(
            f"Bjorn lent me the movie about {town} and wants it back by {due}.", id=due, created_at=f"2026-01-0{day}"
        )
    memory.remember_many(f"Note {number}: Carla repaired the tap on Wednesday." for number in range(2))
    assert memory.recall("Which movie does Bjorn want back by Wednesday?", 1)[0].id == "Wednesday"
    assert memory.recall("Which movie does Bjorn want back by Tuesday?", 1)[0].id == "Tuesday"
