"""Successors: who holds a role now, and what is exchanged for what; and what looks like it, and is no change."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.replacing import takes_the_place
from byheart.patterns.successors import holder_in, may_say_anew, put_out
from byheart.patterns.updating import states_change, updates

LENA = "The harbour master is Lena."
CHANGES = [
    ("Our CTO is Marek.", "Priya is now CTO.", "Who is our CTO?"),
    ("Marek is the team lead.", "Priya is team lead now.", "Who is the team lead?"),
    (LENA, "Tomasz is the new harbour master.", "Who is the harbour master?"),
    (LENA, "Tomasz is our harbour master now.", "Who is the harbour master?"),
    (LENA, "Tomasz took over as harbour master.", "Who is the harbour master?"),
    (LENA, "Dr. Tomasz Nowak is the harbour master since May.", "Who is the harbour master?"),
    (LENA, "New harbour master: Tomasz.", "Who is the harbour master?"),
    ("Lena is the harbour master.", "The harbour master is Tomasz now.", "Who is the harbour master?"),
    ("Die Trainerin ist Lena.", "Olga ist die neue Trainerin.", "Wer ist die Trainerin?"),
    ("La directrice est Lena.", "Odile est la nouvelle directrice.", "Qui est la directrice ?"),
    ("La jefa es Lena.", "Olga es la nueva jefa.", "¿Quién es la jefa?"),
    ("We run Kudu 2.7 in the lab.", "The lab was upgraded from Kudu 2.7 to 3.1.",
     "Which Kudu version does the lab run?"),
    ("We use Jira for tickets.", "Plan revised: we move tickets from Jira to Linear.", "What do we use for tickets?"),
    ("Size limit of the public bucket: 60 files per user.", "The public bucket size limit is now 90 files per user.",
     "What is the bucket size limit?"),
    ("The boat's name is Falcon.", "The boat was renamed to Heron.", "What is the boat's name?"),
    ("Der Beitrag ist 20 Euro.", "Der Beitrag steigt auf 25 Euro ab Juli.", "Wie hoch ist der Beitrag?"),
]  # fmt: skip
NO_CHANGES = [
    ("Marek is vegan.", "Priya is now vegan.", "Who is vegan, Marek?"),
    ("The plumber is Bob.", "Anna is the new neighbour.", "who is the plumber?"),
    ("The plumber is Bob.", "Bob is the new neighbour.", "who is the plumber?"),
    (LENA, "Tomasz is the new product manager.", "who is the harbour master?"),
    ("The neighbour complained about noise.", "Anna is the new neighbour.", "who complained about noise?"),
    ("The team lead works on Fridays.", "Tomasz is the new team lead.", "who works on Fridays?"),
    ("Lena is the sister of Paul.", "Nora is the new sister of the ward.", "who is the sister of Paul?"),
    ("Milk is in the fridge.", "Tea is the new trend.", "where is the milk?"),
    ("My cousin is Rita.", "Olga is my cousin since the wedding.", "who is my cousin?"),
    ("The capital of France is Paris.", "Rome is the new capital of fashion.", "what is the capital of France?"),
    ("The train goes from Rome to Paris.", "The bus goes from Rome to Oslo.", "where does the train go?"),
    ("The shop is open from 9 to 5.", "The bakery is open from 9 to 7.", "when is the shop open?"),
    ("I love Rome.", "I flew from Rome to Oslo.", "which city do I love?"),
    ("We use RabbitMQ for billing.", "Somebody compared moving from RabbitMQ to NATS.", "what do we use for billing?"),
    ("The exam is hard.", "The exam is on 3 May.", "is the exam hard?"),
    ("My dentist is Dr. Orr.", "The dentist appointment is on 3 May at 9.", "who is my dentist?"),
    ("The hall seats 80 people.", "The hall is open from 1 July.", "how many people does the hall seat?"),
    ("Die Nachbarin ist Petra.", "Karla ist die neue Trainerin.", "wer ist die Nachbarin?"),
    ("Mein Hund ist Rex.", "Max ist die neue Katze.", "wer ist mein Hund?"),
    ("Mi jefe es Luis.", "Ana es la nueva vecina.", "¿quién es mi jefe?"),
    ("Le directeur est Paul.", "Marie est la nouvelle voisine.", "qui est le directeur ?"),
    ("Our backup runs on Kudu 14.", "The wiki was upgraded from 3.1 to 3.2.", "what does our backup run on?"),
    ("The queue has 40 tickets.", "The room is now 40 years old.", "how many tickets are in the queue?"),
]


def told(older: str, newer: str, *, sessions: bool) -> Memory:
    memory = Memory()
    for at, (id, text) in enumerate(
        [("old", older), ("a", "Snow fell."), ("new", newer), ("b", "Karel brought cake.")]
    ):
        if sessions:
            memory.ingest_turn(text, id=id, session_id=f"s{at}", user_id="u", created_at=1e9 + at)
        else:
            memory.remember(text, id=id, user_id="u", created_at=1e9 + at)
    return memory


@pytest.mark.parametrize("sessions", [False, True])
@pytest.mark.parametrize(("older", "newer", "question"), CHANGES)
def test_who_holds_now_what_another_held_comes_first(older: str, newer: str, question: str, *, sessions: bool) -> None:
    memory = told(older, newer, sessions=sessions)
    assert memory.recall(question, user_id="u", now=1.1e9)[0].text == newer
    assert sessions or memory.get("new").near_duplicates == ("old",)


@pytest.mark.parametrize("sessions", [False, True])
@pytest.mark.parametrize(("older", "newer", "question"), NO_CHANGES)
def test_what_is_no_change_stays_behind(older: str, newer: str, question: str, *, sessions: bool) -> None:
    memory = told(older, newer, sessions=sessions)
    assert memory.recall(question, user_id="u", now=1.1e9)[0].text == older
    assert not memory.get("new").near_duplicates and not takes_the_place(newer, older, question)


def test_another_name_answers_what_asks_for_the_name_alone() -> None:
    newer = "The boat was renamed to Heron."
    assert takes_the_place(newer, "The boat's name is Falcon.", "What is the boat's name?")
    assert not takes_the_place(newer, "The boat's owner is Ann.", "Who is the boat's owner?")


def test_who_asks_for_the_one_before_or_by_name_gets_the_older_one() -> None:
    newer = "Tomasz is the new harbour master."
    assert takes_the_place(newer, LENA, "Who is the harbour master?")
    assert not takes_the_place(newer, LENA, "What is Lena?")
    assert not takes_the_place(newer, LENA, "Who was the harbour master before?")


@pytest.mark.parametrize(
    "text",
    ["It is the new code.", "This is my new bike.", "Anna is my new friend.", "Bob is now tired.",
     "Ann is the new one.", "Who is the new boss?", "the new boss is late", "Ann is the woman who is my boss now.",
     LENA],
)  # fmt: skip
def test_what_names_no_holder_says_no_change(text: str) -> None:
    held = holder_in(text)
    assert held is None or not held.is_new
    assert not states_change(text)


def test_what_is_exchanged_is_what_stands_behind_from() -> None:
    assert put_out("we moved from old jira to linear") == "old jira"
    assert put_out("der preis steigt von 20 auf 25") == "20"
    assert put_out("nous passons de jira à linear") == "jira"
    assert put_out("a letter from ann") is None
    assert not updates("I moved from Rome to Paris.", "I love Rome.")


NEW = ["new", "neu", "neue", "neuer", "neues", "neuen", "neuem", "nouveau", "nouvelle", "nouvel", "nuevo", "nueva"]
NOW = ["now", "jetzt", "nun", "inzwischen", "maintenant", "désormais", "ahora"]
SINCE = ["since May", "as of May", "from May", "starting May", "seit Mai", "ab Mai", "depuis mai", "à partir de mai",
         "desde mayo", "a partir de mayo"]  # fmt: skip
TAKING = ["took over as", "has taken over as", "takes over as", "became the", "becomes our", "wurde der", "devient le",
          "est devenu le", "est devenue la", "übernimmt als", "ist eingesprungen als", "a pris la relève comme",
          "ha asumido como", "asumió como", "asume como"]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        *(f"Ann is the {new} pilot." for new in NEW),
        *(f"The {new} pilot is Ann" for new in NEW),
        *(f"{new.title()} pilot: Ann!" for new in NEW),
        *(f"The pilot is {now} Ann." for now in NOW),
        *(f"The pilot is Ann {now}." for now in NOW),
        *(f"Ann is the pilot {since}." for since in SINCE),
        *(f"Ann {taking} pilot." for taking in TAKING),
    ],
)
def test_whatever_says_anew_who_holds_a_role_passes_the_quick_look(text: str) -> None:
    held = holder_in(text)
    assert held is not None and held.is_new and may_say_anew(text)
