"""Updates: statements of the same thing in other words, and summaries that tell no outdated value alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from byheart import Memory
from byheart.conversation.outdated import MOST_ADDED, with_updates
from byheart.patterns.replacing import answers_too, takes_the_place
from byheart.patterns.saying import may_change
from byheart.patterns.updating import is_change, updates, values_of
from byheart.summarising import FunctionSummariser, Summary, Turn

OLD, NEW = "The wedding is on the 12th of June.", "The wedding was moved to the 21st of June."


@pytest.mark.parametrize(
    ("newer", "older", "does"),
    [
        (NEW, OLD, True),
        (OLD, OLD, False),
        ("The rent goes up to 950.", "The rent is 900.", True),
        ("The meeting with Sara has been cancelled.", "The meeting with Sara is on Monday at 3.", True),
        ("I no longer drink coffee.", "I drink coffee every morning.", True),
        ("Ich esse kein Fleisch mehr.", "Ich esse Fleisch.", True),
        ("Je ne fume plus.", "Je fume.", True),
        ("Ich esse kein Brot mehr.", "Ich trinke Bier.", False),
        ("My sister moved to Paris.", "My sister Anna lives in Rome.", True),
        ("Le mariage est reporté au 21 juin.", "Le mariage est le 12 juin.", True),
        ("La boda ha cambiado al 21 de junio.", "La boda es el 12 de junio.", True),
        ("Swimming moved to Tuesdays.", "Faith has swimming on Mondays at 5 pm.", True),
        ("Le départ du train a été reporté à 9h20.", "Le train pour Nice part à 8h05.", True),
        ("The doctor raised the lisinopril to 40 mg.", "I take 20 mg of lisinopril every morning.", True),
        ("We migrated billing from Postgres 15 to Kudu.", "We use Postgres 15 for billing, Redis for sessions.", True),
        ("My new email is ann@new.example.", "My email is ann.lee@old.example.org.", True),
        ("歯医者の予約は10月27日に変更になりました。", "歯医者の予約は10月20日の午後3時です。", True),
        ("体重は68キロです。", "体重は72キロです。", True),
        ("The departure of the train was moved to 9:15.", "The train is blue.", False),
        ("The dinner is at 8 now.", "The dinner is at Ann's.", False),
        ("The Rome flight was moved to 12:30.", "My flight to Lisbon leaves at 7:40.", False),
        ("Ann's flight was moved to 12:30.", "Bob's flight leaves at 7:40.", False),
        ("Die Kündigung der Wohnung wurde auf den 3. Mai verschoben.", "Der Urlaub beginnt am 7. Mai.", False),
        ("I raised 300 euros to help the shelter.", "The shelter has 12 dogs.", False),
        ("猫の名前はソラです。", "犬の名前はモモです。", False),
        ("My mother's birthday is on 3 May.", "My father's birthday is on 9 July.", False),
        ("I bought a new bike.", "My bike is blue.", False),
        ("The harbour fair won't take place.", "The harbour fair is on Saturday.", True),
        ("The queue is down to 12 tickets.", "The queue has 40 tickets.", True),
        ("Die Hafenrundfahrt fällt aus.", "Die Hafenrundfahrt ist am Samstag.", True),
        ("The tailor moved my fitting to 4 July at 9:00.", "My tailor is Mr. Bruno Sella.", False),
        ("The meeting was moved to 4 July.", "We have a meeting in early summer.", True),
        ("The meeting was moved to room B12.", "Sara can't attend the meeting.", False),
        ("Anna likes tea now.", "Bob likes tea.", False),
        ("I rebooked the flight to Oslo for Saturday at 11:15.", "My flight to Oslo was cancelled.", True),
        ("The picnic is back on, this Saturday at noon.", "The picnic was cancelled.", True),
        ("I am vegetarian again since January.", "I'm not vegetarian any more.", True),
        ("Ich habe den Flug nach Oslo auf Samstag umgebucht.", "Der Flug nach Oslo geht um 7:40.", True),
        ("I rebooked the flight to Oslo for Saturday.", "My flight to Rome was cancelled.", False),
        ("Actually the dentist is on 17 May.", "The dentist is on 9 May.", True),
        ("Final date of the exam: 17 May.", "The exam is on 9 May.", True),
        ("The exam is now on 17 May.", "The exam is on 9 May.", True),
        ("Actually I love the kettle.", "The kettle is blue.", False),
        ("Actually Bob likes tea.", "Anna likes coffee.", False),
        ("We went to the beach again.", "We went to the beach on Sunday.", False),
        ("The moon was moved. " * 20, "The moon is full.", False),
    ],
)
def test_an_update_speaks_of_the_same_thing(newer: str, older: str, does: bool) -> None:
    assert updates(newer, older) is does


FLIGHT, MOVED = "My flight to Lisbon leaves at 7:40 on the 12th.", "The flight was moved to 9:15."


@pytest.mark.parametrize(
    ("newer", "older", "question", "does"),
    [
        (MOVED, FLIGHT, "When does my flight leave?", True),
        (MOVED, FLIGHT, "When does my flight to Lisbon leave?", True),
        (MOVED, FLIGHT, "Which flight leaves at 7:40?", False),
        (MOVED, FLIGHT, "When did my flight leave originally?", False),
        ("The gig at the Crown is cancelled.", "Our next gig is on 7 March at the Crown.", "When is our gig?", True),
        ("The gig at the Crown is cancelled.", "Our next gig is on 7 March at the Crown.", "Is our gig on?", True),
        (
            "Actually Mia's party will be at the pool instead.",
            "Mia's party is at our house.",
            "Where is the party?",
            True,
        ),
        (
            "Actually Mia's party will be at the pool instead.",
            "Mia's party is at our pool.",
            "Where is the party?",
            False,
        ),
        ("The gig is moved to Sunday because Al can't on Friday.", "The gig is on Friday.", "When is the gig?", True),
        ("The gig is moved to Sunday because of rain.", "The gig is on Friday.", "Why is the gig on Friday?", False),
        ("My sister moved to Paris.", "My sister Anna lives in Rome.", "Who lives in Rome?", False),
        ("My mother's surgery was moved to Friday.", "My mother was born on 3 May.", "When was my mother born?", False),
        ("The flight was moved to 9:15.", "My flight costs 120 euros.", "What does my flight cost?", False),
        ("The wedding is on the 21st of June.", OLD, "When is the wedding?", False),
        (
            "The car service was moved to 9 June.",
            "The car service is on 2 June and costs 300 euros.",
            "What does the car service cost?",
            False,
        ),
        ("My boss moved to Berlin.", "My boss is called Nadia.", "What is my boss called?", False),
        ("I'm not vegetarian any more, I eat meat.", "I am vegetarian.", "Am I vegetarian?", True),
        ("I'm not vegetarian any more, I eat meat.", "I am vegetarian.", "Was I vegetarian before?", False),
        ("Ich esse kein Fleisch mehr.", "Ich esse Fleisch.", "Esse ich Fleisch?", True),
        ("Je ne fume plus.", "Je fume.", "Est-ce que je fume ?", True),
        ("Tom no longer plays chess.", "Tom plays chess on Fridays.", "When does Tom play chess?", False),
        ("The concert was moved to 20 May.", "The concert tickets cost 80 euros.", "How much is the concert?", False),
        ("The gig at the Crown is cancelled.", "Our next gig is on 7 March at the Crown.", "Where is our gig?", False),
        ("We migrated billing from Kudu to Postgres.", "We use Kudu for billing.", "What do we use for billing?", True),
        ("The doctor raised the lisinopril to 40 mg.", "I take 20 mg of lisinopril.", "How much lisinopril?", True),
        ("歯医者の予約は27日に変更になりました。", "歯医者の予約は20日です。", "歯医者の予約はいつ？", True),
    ],
)
def test_what_says_that_it_changed_takes_the_place_unless_the_older_one_is_asked_for(
    newer: str, older: str, question: str, does: bool
) -> None:
    assert takes_the_place(newer, older, question) is does


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        (FLIGHT, MOVED, "When does my flight leave?"),
        ("I take 20 mg of lisinopril every morning.", "The doctor raised the lisinopril to 40 mg.",
         "How much lisinopril do I take?"),
        ("Faith has swimming on Mondays at 5 pm.", "Swimming moved to Tuesdays.", "When is Faith's swimming?"),
        ("歯医者の予約は10月20日の午後3時です。", "歯医者の予約は10月27日に変更になりました。", "歯医者の予約はいつ？"),
    ],
)  # fmt: skip
def test_what_says_that_it_changed_comes_first_though_it_lacks_words_of_the_question(
    older: str, newer: str, question: str
) -> None:
    memory = Memory()
    memory.ingest_turn("My landlord is called Mr. Patel.", session_id="a", user_id="ann", created_at=0.5)
    memory.ingest_turn(older, session_id="a", user_id="ann", created_at=1.0)
    memory.ingest_turn("I prefer green tea.", session_id="b", user_id="ann", created_at=2.0)
    memory.ingest_turn(newer, session_id="b", user_id="ann", created_at=3.0)
    found = memory.recall(question, user_id="ann", now=20)
    assert [hit.text for hit in found][:2] == [newer, older]
    assert "was said later, and " in str(memory.explain(question, found[0].id, user_id="ann", now=20))
    assert [hit.text for hit in memory.recall(question, 1, user_id="ann", now=20)] == [newer]


def test_values_and_changes() -> None:
    assert values_of("On the 2nd of May, at 7:40, for three") == {"2", "may", "7:40", "three"}
    assert is_change("It was cancelled.") and not is_change("I have a new cat now.")


@pytest.mark.parametrize(
    "word", ["new", "now", "jetzt", "nun", "neu", "neue", "neuen", "neuer", "neues", "maintenant", "ahora"]
)
def test_a_word_of_the_present_alone_says_no_change(word: str) -> None:
    assert not is_change(f"Ich habe {word} drei Pflanzen.") and is_change(f"Termin {word} verschoben.")


@pytest.mark.parametrize(
    "day", ["may", "mai", "mayo", "today", "tomorrow", "tonight", "heute", "morgen", "demain", "hoy"]
)
def test_a_month_that_is_a_word_too_and_a_day_by_its_distance_are_times(day: str) -> None:
    assert values_of(f"The party is {day}.") == {day}
    assert takes_the_place(f"The party was moved to {day}.", "The party is on Monday.", "When is the party?")


def test_one_of_a_form_updates_none() -> None:
    memory = Memory()
    for day in range(1, 8):
        said = memory.ingest_turn(f"Weight this morning on {day} May: {80 + day} kilos exactly.", session_id="s",
                                  user_id="ann", created_at=1.76e9 + day)  # fmt: skip
    durable = [id for id in said.near_duplicates if id.startswith("durable:")]
    assert len(durable) <= 4


def test_an_older_statement_that_comes_late_is_linked_too() -> None:
    memory = Memory()
    new = memory.ingest_turn(NEW, session_id="b", user_id="ann", created_at=9.0)
    old = memory.ingest_turn(OLD, session_id="a", user_id="ann", created_at=1.0)
    assert new.durable_id in old.near_duplicates
    assert [hit.text for hit in memory.recall("when is the wedding?", user_id="ann", now=20)][:2] == [NEW, OLD]


def test_another_users_statement_is_no_older_one() -> None:
    memory = Memory()
    memory.ingest_turn(OLD, session_id="a", user_id="bob", created_at=1.0)
    assert memory.ingest_turn(NEW, session_id="b", user_id="ann", created_at=9.0).near_duplicates == ()


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_summary_tells_the_new_value_if_it_tells_the_old_one(by_hand: bool) -> None:
    memory = Memory()
    texts = (
        OLD,
        "Eighty guests, a castle, a band, fireworks at midnight.",
        NEW,
        "Florist, baker, photographer: booked.",
    )
    for number, text in enumerate(texts):
        memory.ingest_turn(text, session_id="s", created_at=float(number + 1))

    def first(turns: Sequence[Turn]) -> tuple[str, float]:
        return turns[0].text, 0.9

    done = memory.compact("s", force=True, summariser=FunctionSummariser(first, "mine") if by_hand else None, now=9)
    assert "21st" in memory.get(done.summaries[0]).text


def test_what_a_summary_tells_is_not_told_twice() -> None:
    turns = [Turn("a", OLD), Turn("b", NEW), Turn("c", "The band plays jazz.")]
    told = Summary("Not on the 12th but on the 21st of June.", 0.9, "mine", ("a", "b", "c"))
    assert with_updates(told, turns) is told
    again = [Turn("a", "The gate is green."), Turn("b", "The gate is no longer green.")]
    for text, is_told in (("The gate is green.", False), ("The gate is no longer green.", True)):
        kept = Summary(text, 0.9, "mine", ("a", "b"))
        assert (with_updates(kept, again) is kept) == is_told, "of texts without values each word counts"
    silent = Summary("The band plays jazz.", 0.9, "mine", ("a", "b", "c"))
    assert with_updates(silent, turns) is silent
    extract = Summary(turns[2].text, 0.9, "extractive", ("c",))
    assert with_updates(extract, turns).source_ids == ("b", "c"), "the old value may stand elsewhere"
    many = [Turn(f"t{number}", f"The wedding was moved to {number} June.") for number in range(10, 20)]
    assert len(with_updates(Summary("a", 0.9, "extractive", ()), many).source_ids) == MOST_ADDED


@pytest.mark.parametrize(
    ("newer", "older", "question", "may"),
    [
        ("The rent was moved to Friday.", "The rent is 900.", "How much is the rent?", False),
        ("The rent was raised to 950.", "The rent is 900.", "How much is the rent?", True),
        ("The rent was moved.", "The rent is due.", "How much is the rent?", True),
        ("The meeting has changed.", "The meeting is at 5:00.", "When is the meeting?", False),
        ("The meeting was moved to 6:00.", "The meeting is at 5:00.", "When is the meeting?", True),
        ("The meeting was cancelled.", "The meeting is at 5:00.", "When is the meeting?", True),
        ("I no longer go to the gym.", "I go to the gym on Monday.", "When do I go to the gym?", True),
        ("The meeting was moved to 6:00.", "The meeting is at 5:00.", "When was the meeting before?", False),
        ("The coach was moved to Friday.", "The coach is Ulf.", "Who is the coach?", False),
    ],
)
def test_a_change_answers_what_the_older_one_answers_if_it_gives_the_like(
    newer: str, older: str, question: str, may: bool
) -> None:
    assert answers_too(newer, older, question) is may


@pytest.mark.parametrize(
    ("turns", "asked"),
    [
        (
            (
                "My flight to Oslo leaves at 7:40.",
                "My flight to Oslo was cancelled.",
                "I rebooked the flight to Oslo for Saturday at 11:15.",
            ),
            "When does my flight to Oslo leave?",
        ),
        (
            ("The picnic is on Sunday.", "The picnic was cancelled.", "The picnic is back on, this Saturday at noon."),
            "When is the picnic?",
        ),
        (
            ("I am vegetarian.", "I'm not vegetarian any more.", "I am vegetarian again since January."),
            "Am I vegetarian?",
        ),
    ],
)
def test_what_takes_back_a_cancellation_comes_first(turns: Sequence[str], asked: str) -> None:
    memory, day = Memory(), 86_400.0
    for number, turn in enumerate(["My bike is blue.", *turns, "Soup is ready."]):
        memory.ingest_turn(turn, session_id="s", user_id="u", created_at=1.76e9 + number * day)
    assert memory.recall(asked, user_id="u", now=1.76e9 + 40 * day)[0].text == turns[-1]


@pytest.mark.parametrize(
    "last",
    ["Actually the exam is on 17 May.", "Final date of the exam: 17 May.", "The exam is now on 17 May."],
)
def test_the_last_of_three_that_were_remembered_comes_first(last: str) -> None:
    memory, day = Memory(), 86_400.0
    for number, text in enumerate(["The exam is on 3 May.", "The exam was moved to 9 May.", last, "Soup is ready."]):
        memory.remember(text, created_at=1.76e9 + number * day)
    assert memory.recall("When is the exam?", now=1.76e9 + 30 * day)[0].text == last


def test_a_word_of_change_is_seen_however_its_apostrophe_is_written() -> None:
    assert may_change("we won't") and may_change("we won\u2019t") and not may_change("we win")
