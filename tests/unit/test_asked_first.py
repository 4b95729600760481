"""Of rows that fit about as well, those whose texts answer stand before those whose texts say that they cannot."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.ranking.asked_first import LOOKED_AT, AskedFirst
from byheart.ranking.registry import stage_from_dict
from byheart.ranking.text_rules import _SAYS_NO_PROPERTY, _may
from byheart.ranking.told_rows import Told
from byheart.records import Record

FILLER = 40
NOW = "2026-06-01T12:00:00Z"
DENIED = [
    ("Marek drinks beer.", "Marek doesn't drink whisky.", "What does Marek drink?", "What does Marek not drink?"),
    (
        "The ferry 3 calls at Lipari.",
        "The ferry 5 does not call at Lipari.",
        "Which ferry calls at Lipari?",
        "Which ferry does not call at Lipari?",
    ),
    ("Lotte teaches on Tuesdays.", "Lotte never teaches on Fridays.", "When does Lotte teach?", "When does Lotte not?"),
    ("Elena mag Kirschen.", "Elena mag keine Bananen.", "Was mag Elena?", "Was mag Elena nicht?"),
    (
        "The ticket is valid on trams.",
        "The ticket isn't valid on buses.",
        "Where is it valid?",
        "Where isn't it valid?",
    ),
]
SAYING_MORE = [
    ("Rent due no later than the 5th.", "The rent of the garage in the yard is due in cash.", "When is the rent due?"),
    ("Lena takes no less than 50 mg of iron.", "Lena takes iron with orange juice.", "How much iron does Lena take?"),
    (
        "Karla drinks no more than two cups of coffee.",
        "Karla drinks coffee in Porto.",
        "How much coffee does Karla drink?",
    ),
    ("Nils never misses the choir.", "Nils left the choir early.", "What does Nils think of the choir?"),
    ("Nils isn't in the choir. He goes rowing.", "Nils bought rowing gloves.", "What sport is it that Nils goes to?"),
    ("Jan heard the band No Doubt in Ghent.", "Jan heard nothing of his aunt.", "What did Jan hear?"),
]
"""What bounds, says more, or has the name of something denies nothing, and is put behind nothing."""
QUOTING = [
    ("Iris rented the film 'Never Say Never'.", "Iris rented no skis in Graz.", "What did Iris rent?"),
    ("Ada will watch \u201cDon\u2019t Look Up\u201d on Sunday.", "Ada doesn't watch series.", "What will Ada watch?"),
    ("Kim plays Never Alone on Sundays with Ola.", "Kim doesn't play chess.", "What does Kim play?"),
]
LABELLED = [
    ("Reminder: I am allergic to penicillin.", "Reminder: Tom is allergic to nuts.", "What am I allergic to?"),
    (
        "Note: Sara's flight leaves at 9:45.",
        "TODO: Leo's flight leaves at 7:10, ask him.",
        "When does Sara's flight leave?",
    ),
    ("Info: Marta drinks oat milk in the mornings.", "Info: Marta doesn't drink whisky.", "What does Marta drink?"),
    ("FYI: my blood type is A negative, says the card.", "[FYI] Rosa's blood type is B.", "What is my blood type?"),
    ("Note to self: I take the bus 47 when it rains.", "Note - Hans takes the bus 11.", "Which bus do I take?"),
]
RENEWED = [
    (
        "My physiotherapist is Mr. Lindgren.",
        "I have a new physiotherapist, Ms. Baptiste.",
        "Who is my physiotherapist?",
    ),
    ("Our adviser is Mrs. Yilmaz.", "Mrs. Yilmaz has retired, our new adviser is Mr. Koch.", "Who is our adviser?"),
    ("My manager is Gloria Pons.", "From this month on my manager is Tariq Aziz.", "Who is my manager?"),
    ("My favourite band is Blur.", "Lately my favourite band is Pulp.", "What is my favourite band?"),
    ("Our usual bakery is Kamps.", "Of late our usual bakery is Zeit für Brot.", "What is our usual bakery?"),
    ("My wifi password is kestrel9.", "My new wifi password is finch22.", "What is my wifi password?"),
    ("Our lawyer is Dr. Stein.", "We changed lawyers: it's Dr. Moreau since March.", "Who is our lawyer?"),
    ("The door code is 7712.", "New door code: 3390.", "What is the door code?"),
    ("My email is kim@alpha.org.", "My email address is kim@beta.org now.", "What is my email?"),
    ("Our wifi is called Bluebird.", "I renamed the wifi to Nightjar.", "What is our wifi called?"),
    ("I take 5 mg of bisoprolol.", "The doctor doubled my bisoprolol to 10 mg.", "How much bisoprolol do I take?"),
    ("The plumber comes on Monday.", "The plumber has a new day: Friday.", "When does the plumber come?"),
    ("Unser Arzt ist Dr. Lange.", "Wir haben einen neuen Arzt, Dr. Wirth.", "Wer ist unser Arzt?"),
]
NEW_TO_OTHERS = [
    ("My boss is Karel.", "Anna has a new boss, Ms. Blum.", "Who is my boss?"),
    ("Our landlord is Mr. Brown.", "The neighbours have a new landlord, Ms. Kerr.", "Who is our landlord?"),
    ("The vet is Dr. Kern.", "Tom found a new vet, Dr. Salis, for his dog.", "Who is the vet?"),
    ("The gate code is 4821.", "The new gate code of the neighbours is 9035.", "What is our gate code?"),
    ("My doctor is Dr. Lind.", "Another doctor, Dr. Moreau, looked at the rash.", "Who is my doctor?"),
    ("Mein Chef ist Karel.", "Anna hat einen neuen Chef, Herrn Blum.", "Wer ist mein Chef?"),
    ("Mein Hund heißt Rex.", "Die Nachbarn haben einen neuen Hund, Bruno.", "Wie heißt mein Hund?"),
    ("Mon chef est Karel.", "Anna a un nouveau chef, Monsieur Blum.", "Qui est mon chef ?"),
    ("Mi jefe es Ramón.", "Ana tiene un nuevo jefe, Tomás.", "¿Quién es mi jefe?"),
]
OF_ITS_OWN = [
    ("My phone number is 555-1234.", "My work phone number is now 555-9876.", "What is my phone number?"),
    ("The wifi password is kestrel9.", "The new guest wifi password is finch22.", "What is the wifi password?"),
    ("My doctor is Dr. Lind.", "My eye doctor is now Dr. Moreau.", "Who is my doctor?"),
    ("Our accountant is Ms. Petit.", "Our new tax accountant is Mr. Vance.", "Who is our accountant?"),
    ("I take 5 mg of ramipril.", "Mum now takes 10 mg of ramipril.", "How much ramipril do I take?"),
]
CHANGED = [
    ("The meeting is in room 4.", "The meeting was moved to room 9.", "Where is the meeting?"),
    ("The meeting is in room 4.", "The meeting was moved to room 9.", "Which room is the meeting in?"),
    (
        "Walter plays bowls on Thursday afternoons.",
        "Bowls has been moved to Friday mornings.",
        "When does Walter play bowls?",
    ),
    ("Ida has ballet on Monday evenings.", "Ballet was moved to Saturday afternoon.", "When does Ida have ballet?"),
    (
        "Our babysitter Jana charges 14 euros an hour.",
        "Jana raised her rate to 16 euros.",
        "How much does Jana charge?",
    ),
    (
        "Our babysitter Jana charges 14 euros an hour.",
        "Jana raised her rate to 16 euros.",
        "How much does the babysitter cost?",
    ),
    (
        "The tutor Amir takes 30 dollars a lesson.",
        "Amir increased the price to 35 dollars.",
        "What does the tutor cost?",
    ),
    ("I drink coffee every morning.", "I gave up coffee, I drink matcha now.", "What do I drink in the morning?"),
    ("I ride a scooter to the office.", "I no longer use the scooter, I ride a tandem.", "What do I ride to work?"),
    ("Ada plays tennis at the club.", "Ada stopped tennis and plays padel instead.", "What does Ada play at the club?"),
    ("Peter is a pilot with Ryanair.", "Peter switched to easyJet.", "Which airline does Peter fly for?"),
    (
        "Our electricity comes from Vattenfall.",
        "We switched our electricity to Naturstrom.",
        "Who sells our electricity?",
    ),
    ("Nora is a nurse at Charité.", "Nora has switched to Vivantes.", "At which hospital is Nora a nurse?"),
    ("My manager is Helen.", "Helen left, so I report to Marcus now.", "Who is my manager?"),
    ("Our cleaner is Mrs. Bauer.", "Mrs. Bauer retired and Dilek cleans for us now.", "Who is our cleaner?"),
    ("The choir is led by Oskar.", "Oskar has resigned, Wanda conducts now.", "Who leads the choir?"),
    ("The train leaves from platform 2.", "The train was moved to platform 11.", "From where does the train leave?"),
]
"""What a newer text says is so no more, and what is in its place."""
STILL_SO = [
    ("The meeting is in room 4.", "The meeting was moved to 9 o'clock.", "Where is the meeting?"),
    (
        "Our babysitter Jana lives at 14 Mill Lane.",
        "Jana raised her rate to 16 euros.",
        "Where does the babysitter live?",
    ),
    ("The dose of ramipril is 10 mg.", "The dose of statin was raised to 40 mg.", "How much is the dose of ramipril?"),
    ("I drink coffee with Ole every morning.", "I gave up coffee, I drink matcha now.", "Who drinks coffee with me?"),
    ("I drink coffee every morning.", "I gave up sugar, I drink more water now.", "What do I drink every morning?"),
    ("Peter is married to Ann.", "Peter switched to easyJet.", "Who is Peter married to?"),
    ("Peter is a pilot with Ryanair.", "Peter switched to tea.", "Which airline does Peter fly for?"),
    ("My manager is Helen.", "Helen left early, so I ate with Marcus.", "Who is my manager?"),
    ("My manager is Helen, in room 12.", "Helen left, so I report to Marcus now.", "What room is Helen in?"),
    ("My sister is Helen.", "Helen left for Rome, so Marcus has her cat now.", "Who is my sister?"),
    ("Ida has ballet on Monday evenings.", "The ballet was moved to Friday by Ole.", "What does Ida have on Monday?"),
]
"""A newer text says of the same that something changed, and the question asks for something else."""
NO_ORDER = [
    ("The ice cream will last until Sunday.", "I bought ice cream for Leo.", "How long will the ice cream last?"),
    ("The meeting usually lasts an hour.", "The meeting was moved to Bonn.", "How long do meetings last?"),
    ("Tom finished last in the race in Graz.", "Tom will run a race.", "In which race did Tom come last?"),
]
OWN = [
    ("I am afraid of thunderstorms since childhood.", "Marta is afraid of dogs.", "What am I afraid of?"),
    ("My blood type is A negative, says the card.", "Rosa's blood type is B.", "What is my blood type?"),
    ("I take the bus 47 to the office when it rains.", "Hans takes the bus 11.", "Which bus do I take?"),
    ("I work as a baker at Nordwind.", "My wife Anna works at the library.", "Where do I work?"),
    ("Sara departs at 9:45 by flight LH 402.", "Leo's flight leaves at 7:10.", "When does Sara's flight leave?"),
    ("Hanna has her apartment in Galway.", "Felix lives in Cork.", "Where does Hanna live?"),
    ("I have two cats, Momo and Kiki, from the shelter.", "Tom has a dog.", "What pets do I have?"),
    ("I moved to Utrecht in January.", "Tom lives in a tent.", "Where do I live?"),
    ("I was hired by Zeta Foods.", "Tom works at the mill.", "Where do I work?"),
    ("My employer is Acme Robotics.", "Tom works at the mill.", "Who do I work for?"),
    ("I live in Paris.", "Ben moved to Rome.", "Where do I live?"),
    ("I work at the mill.", "Carl was hired by Zenith Motors.", "Where do I work?"),
    ("My allergies: penicillin and bee stings.", "Tom is allergic to nuts.", "What am I allergic to?"),
    ("You can reach Pia at 0160 777888.", "Erik's phone number is 0171 555666.", "What is Pia's phone number?"),
]
SAYING_IT = [
    ("Edith is 68.", "Edith had her hip replaced.", "How old is Edith?"),
    ("Walter turned 71 last spring.", "Walter's allotment is plot 17.", "How old is Walter?"),
    ("You can reach Dario at 555-7781.", "Dario broke a cup.", "What is Dario's phone number?"),
    ("Dario is six foot two.", "Dario broke a cup.", "How tall is Dario?"),
    ("Dario drives trams for the city.", "Dario broke a cup.", "What is Dario's job?"),
    ("Bess weighs 14 kilos.", "Bess ate the heavy curtain.", "How heavy is Bess?"),
    ("The allotment costs 45 pounds a year.", "Walter's allotment is plot 17.", "How much is the allotment?"),
    ("Tom works shifts as a train dispatcher.", "Tom was raised in Leeds.", "What's Tom's job?"),
    ("I turned 34 in January and feel old.", "Had lunch with my old classmate Fiona.", "How old am I?"),
    ("I'm a nurse in the cardiology ward.", "My husband Tom works shifts as a train dispatcher.", "Where do I work?"),
    ("Yusuf can be found under yusuf@example.org.", "Yusuf repaired the fence.", "What is Yusuf's email address?"),
    ("Note: Hedda lives above the pharmacy.", "Hedda sings alto.", "Where does Hedda live?"),
    ("Our boiler is 20 years old.", "Our old boiler makes noise.", "How old is our boiler?"),
    ("Ruth's cat is eleven.", "Ruth's cat caught a very old mouse.", "How old is Ruth's cat?"),
    ("Ilse works as a welder.", "Ilse likes job fairs.", "What is Ilse's job?"),
    ("Ilse is a welder at Nordwind.", "Ilse rides to work by bike.", "Where does Ilse work?"),
    ("Ilse rents a flat in Graz.", "Ilse loves live music.", "Where does Ilse live?"),
    ("We paid 320 euros for the bench.", "The bench stands by plot 4.", "How much did the bench cost?"),
]
"""What may say the property asked for, and what says something else of whom the question asks about."""
SAYING_AS_MUCH = [
    (["Edith's grandson is 4.", "Edith had her hip replaced."], "How old is Edith?"),
    (["Edith has a dog that is 4.", "Edith had her hip replaced."], "How old is Edith?"),
    (["Edith is 68.", "My aunt Edith was born in 1957.", "Edith had her hip replaced."], "How old is Edith?"),
    (["Ravi weighs 80 kilos.", "Ravi is six foot two."], "How tall is Ravi?"),
    (["My son is 12 years old.", "I have an old car."], "How old am I?"),
    (["Ida's brother drives trams.", "Ida broke a cup."], "What is Ida's job?"),
    (["Kofi is 40.", "Kofi likes tea."], "Who is Kofi?"),
]
"""What is of somebody else, and where more than one may say it in a form of its own: nothing is put before anything."""
ORDERS = [
    (["Concert with Lea at the Arena.", "Concert with Lea at the Tempodrom."], "Where was the first concert with Lea?"),
    (["The plan was a barbecue.", "The plan is a picnic, says Ute."], "What was the plan originally?"),
    (["Water bill: 64 euros.", "The water bill was 71 euros this time."], "How much was the earliest water bill?"),
    (
        ["Tennis with Olga in the hall, won in three sets.", "Tennis with Olga, lost."],
        "How did I do in my first tennis with Olga?",
    ),
]
LATEST = [
    (
        ["Haircut at Salon Greta.", "This time the haircut was at Barber Ali, who talks a lot."],
        "Where was my most recent haircut?",
    ),
    (
        ["Ceramics course: made a cup.", "Ceramics course: made a vase with handles."],
        "What did I make in my last ceramics?",
    ),
    (["Swam 1 km in 24:10.", "Swam 1 km in 22:55 in the lake of Zug."], "my latest 1 km swim"),
    (["Oven repair by Mr. Kern.", "Another oven repair, by the firm Hauser."], "Who did the most recent oven repair?"),
    (
        ["Zahnreinigung bei Frau Roth.", "Zahnreinigung in der neuen Praxis am Markt."],
        "Wo war die letzte Zahnreinigung?",
    ),
]


def memory_of(*texts: str, how: str = "remember") -> Memory:
    """Return a memory of texts, each of a month of its own, and of a session of its own where they are turns."""
    memory = Memory()
    filler = {"user_id": "u", "created_at": "2026-01-05"}
    memory.remember_many(
        [{"text": f"Note {number} of the garden, the fence and the pond.", **filler} for number in range(FILLER)]
    )
    for month, text in enumerate(texts, 2):
        at = f"2026-{month:02}-10T09:00:00Z"
        if how == "turn":
            memory.ingest_turn(text, session_id=at, user_id="u", created_at=at, now=at)
        else:
            memory.remember(text, user_id="u", created_at=at)
    return memory


def first(memory: Memory, question: str, k: int = 5) -> str:
    return memory.recall(question, k, user_id="u", now=NOW)[0].text


@pytest.mark.parametrize("how", ["remember", "turn"])
@pytest.mark.parametrize(("so", "not_so", "asks_so", "asks_not"), DENIED)
def test_a_denial_of_something_else_answers_what_is_not_so_alone(
    so: str, not_so: str, asks_so: str, asks_not: str, how: str
) -> None:
    for texts in ((so, not_so), (not_so, so)):
        memory = memory_of(*texts, how=how)
        assert (first(memory, asks_so), first(memory, asks_not)) == (so, not_so)


@pytest.mark.parametrize("how", ["remember", "turn"])
@pytest.mark.parametrize(("older", "newer", "question"), RENEWED)
def test_a_value_that_is_said_to_be_new_comes_first(older: str, newer: str, question: str, how: str) -> None:
    assert first(memory_of(older, newer, how=how), question) == newer
    assert first(memory_of(older, newer), f"{question[:-1]} originally?") == older


@pytest.mark.parametrize(("older", "newer", "question"), CHANGED)
def test_what_says_that_something_changed_comes_first(older: str, newer: str, question: str) -> None:
    assert first(memory_of(older, newer), question) == newer


@pytest.mark.parametrize(("own", "other", "question"), NEW_TO_OTHERS + OF_ITS_OWN + NO_ORDER + STILL_SO)
def test_what_is_new_to_others_or_lasts_stays_behind(own: str, other: str, question: str) -> None:
    assert first(memory_of(own, other), question) == own


@pytest.mark.parametrize("how", ["remember", "turn"])
@pytest.mark.parametrize(("own", "other", "question"), OWN)
def test_whose_fact_it_is_counts(own: str, other: str, question: str, how: str) -> None:
    assert first(memory_of(own, other, how=how), question) == own
    assert first(memory_of(other, own, how=how), question) == own


@pytest.mark.parametrize("how", ["remember", "turn"])
@pytest.mark.parametrize(("one", "other", "question"), SAYING_IT)
def test_what_says_the_property_asked_for_comes_first(one: str, other: str, question: str, how: str) -> None:
    assert first(memory_of(one, other, how=how), question) == one
    assert first(memory_of(other, one, how=how), question) == one


def test_who_says_no_age_but_the_word_of_the_question_hides_no_one_who_does() -> None:
    mine, classmate = "I'm Carla and I turned 34 in January.", "Had lunch with my old classmate Fiona."
    for texts in ((mine, "Mia is five.", classmate), (classmate, mine, "Mia is five years old.")):
        assert first(memory_of(*texts), "How old am I?") == mine


def test_what_is_said_of_the_owner_says_nothing_of_a_thing() -> None:
    nine, basket = "Ilse's dog is nine.", "Ilse's dog sleeps in an old basket."
    assert first(memory_of(nine, basket, "Ilse is 40."), "How old is Ilse's dog?") == nine


@pytest.mark.parametrize(("texts", "question"), SAYING_AS_MUCH)
def test_what_says_the_property_of_others_or_beside_others_is_put_before_nothing(
    texts: list[str], question: str
) -> None:
    for order in (texts, texts[::-1]):
        memory = memory_of(*order)
        hits = memory.recall(question, user_id="u", now=NOW, min_strength=0)
        told = [str(memory.explain(question, hit.id, user_id="u", now=NOW)) for hit in hits]
        assert told and not any("does not say what the question asks for" in text for text in told)


@pytest.mark.parametrize(("one", "other", "question"), SAYING_MORE)
def test_what_denies_nothing_or_says_more_is_put_behind_nothing(one: str, other: str, question: str) -> None:
    memory = memory_of(one, other)
    told = [
        str(memory.explain(question, hit.id, user_id="u", now=NOW))
        for hit in memory.recall(question, user_id="u", now=NOW)
        if hit.text == other
    ]
    assert told and "says of something else the contrary" not in told[0]


@pytest.mark.parametrize(("own", "other", "question"), QUOTING)
def test_a_denial_in_a_name_is_none(own: str, other: str, question: str) -> None:
    assert first(memory_of(own, other), question) == first(memory_of(other, own), question) == own


@pytest.mark.parametrize(("own", "other", "question"), LABELLED)
def test_a_label_at_the_front_is_no_subject_and_parts_nothing(own: str, other: str, question: str) -> None:
    assert first(memory_of(own, other), question) == first(memory_of(other, own), question) == own


@pytest.mark.parametrize(("texts", "question"), ORDERS)
def test_who_asks_for_the_first_gets_the_oldest_of_those_that_say_as_much(texts: list[str], question: str) -> None:
    assert first(memory_of(*texts), question) == texts[0]


@pytest.mark.parametrize(("texts", "question"), LATEST)
def test_who_asks_for_the_last_gets_the_newest_of_those_that_say_as_much(texts: list[str], question: str) -> None:
    assert first(memory_of(*texts), question) == texts[1]


def test_a_word_of_an_order_in_another_sense_does_not_count() -> None:
    biscuit = "The last biscuit is gone."
    memory = memory_of("Sauna with Petra at the Vabali in the evening, and a walk home.", biscuit)
    assert first(memory, "Where was my last sauna?").startswith("Sauna")
    assert first(memory, "Who ate the last biscuit?") == biscuit


@pytest.mark.parametrize(
    ("texts", "question", "why"),
    [
        (DENIED[0][:2], DENIED[0][3], "that one says of something else the contrary of what the question asks for"),
        (RENEWED[0][:2], RENEWED[0][2], "was said later, and says that what it gives is new"),
        (OF_ITS_OWN[0][:2], OF_ITS_OWN[0][2], "that one is of another thing of the kind"),
        (OWN[6][:2], OWN[6][2], "that one is of somebody whom the question does not ask about"),
        (LATEST[0][0], LATEST[0][1], "the question asks for the last"),
        (SAYING_IT[2][:2], SAYING_IT[2][2], "that one does not say what the question asks for of whom it asks"),
    ],
)
def test_the_explanation_says_before_which_a_row_was_put_and_why(texts: list[str], question: str, why: str) -> None:
    memory = memory_of(*texts)
    hits = memory.recall(question, user_id="u", now=NOW)
    told = str(memory.explain(question, hits[0].id, user_id="u", now=NOW))
    assert f"stands before {hits[1].id}: {why}" in told


@pytest.mark.parametrize("question", [DENIED[0][2], RENEWED[0][2], OWN[0][2], ORDERS[0][1], LATEST[0][1]])
def test_the_first_hits_are_the_same_however_many_are_asked_for(question: str) -> None:
    memory = memory_of(*DENIED[0][:2], *RENEWED[0][:2], *OWN[0][:2], *ORDERS[0][0], *LATEST[0][0])
    whole = [hit.id for hit in memory.recall(question, 30, user_id="u", now=NOW)]
    for k in (1, 2, 3, LOOKED_AT):
        assert [hit.id for hit in memory.recall(question, k, user_id="u", now=NOW)] == whole[:k]


def test_a_name_by_which_somebody_is_called_decides_nothing() -> None:
    chat = (
        "I had a picnic by the lake.",
        "I joined the rowing club last week and it was wonderful, we went out on the lake.",
        "Thanks, Hanna!",
        "Hey Hanna, are you fine?",
        "Wow, Hanna, your rowing club sounds great! Going out on the lake in the morning must be wonderful for you.",
        "Lovely that you read my novel, Hanna. It was fun to write, and I look forward to the second part.",
    )
    memory = memory_of(*chat, how="turn")
    assert first(memory, "When did Hanna have a picnic?") == chat[0]
    assert first(memory, "When did Hanna join the rowing club?") == chat[1]


@pytest.mark.parametrize(
    ("answer", "other", "question"),
    [
        (
            "The canoe of Hanna is made of cedar, a canoe for two on the lake. Made well, a canoe does not leak.",
            "Hanna made a canoe in the shed.",
            "What is Hanna's canoe made of?",
        ),
        (
            "Kasimir cooks dumplings on Sundays in the hut and soup on Mondays. Cooking does not tire Kasimir.",
            "Kasimir said that he cooks for all of us in the evenings at the hut in the hills.",
            "What does Kasimir cook?",
        ),
    ],
)
def test_a_denial_of_something_else_among_many_words_decides_nothing(answer: str, other: str, question: str) -> None:
    assert first(memory_of(answer, other), question) == answer


def test_what_another_user_says_is_new_is_no_news() -> None:
    memory = Memory()
    memory.remember(RENEWED[4][0], user_id="ann", created_at="2026-01-10")
    memory.remember(RENEWED[4][1], user_id="bob", created_at="2026-03-10")
    assert memory.recall(RENEWED[4][2], now=NOW)[0].text == RENEWED[4][0]


def test_the_stage_can_be_named_in_a_profile_of_ones_own() -> None:
    assert stage_from_dict({"stage": "AskedFirst"}) == AskedFirst()


@pytest.mark.parametrize(("mine", "theirs"), [("ann", None), (None, "ann"), (None, None)])
def test_what_somebody_says_in_a_conversation_goes_before_nothing_for_a_property(
    mine: str | None, theirs: str | None
) -> None:
    """Who "I" is there the text does not tell."""
    one, other = (Told("r", 1.0, Record(text="I am 34.", speaker=speaker)) for speaker in (mine, theirs))
    assert _may(one, other, _SAYS_NO_PROPERTY) is (mine is theirs is None)
