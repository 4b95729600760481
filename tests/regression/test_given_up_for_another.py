"""What was given up for another thing was answered still: the gym that was cancelled, the train that is no more."""

from __future__ import annotations

import pytest

from byheart import Memory

NOW = "2026-11-29"
BESIDE = (
    "Aunt Rosa likes tulips.",
    "The kettle leaks.",
    "Pieter bakes bread.",
    "Soup was salty today.",
    "庭に花があります。",
)

GYM = ("I go to FitOne on Mondays and Thursdays, 29 euros a month", "I cancelled FitOne and joined Kosmos")
TRAIN = (
    "I take the 6:12 train to work every morning and sit in the quiet coach",
    "They cancelled the 6:12, I take the 7:05 now",
)
PHONE = ("My phone is a Pixel 6 with a cracked corner", "Traded in the Pixel for an iPhone 15")
CLUB = (
    "Book club meets in room 204 of the library, bring a mug",
    "book club isn't in 204 any more, it's in the cellar bar",
)
SAX = ("I play the tenor sax in the Thursday band", "I swapped the sax for a clarinet")
CLEANER = (
    "Our cleaner is Rosa, Fridays at nine, key under the pot",
    "Rosa can't do it any longer, Beata does the cleaning",
)
POWER = ("I have an electricity contract with Volta, until March", "moved from Volta to Sunsupply for the electricity")
VET = (
    "Cat's name is Pickle and her vet is Dr Marsh in Ludlow",
    "We take Pickle to Dr Bell now, Marsh got too expensive",
)
FLIGHT = ("Flying to Oslo at 7:25 on the 14th, seat 12A", "Actually, the flight is at 9:40")
WEIGHT = (
    "I weigh 84 kilos and want to be under 80 by summer",
    "Stepped on the scale this morning: 79 kilos, finally",
)
CARER = ("Mum's carer is Ola, mornings from eight", "Ola went back to Poland, Mum's carer is Greta")
ZUG = ("Ich nehme morgens den Zug um 6:48 nach Kassel, Wagen 3", "Der 6:48 faellt weg, ich fahre jetzt um 7:16")
BUERO = ("Ich arbeite bei Siebert als Buchhalterin", "Bei Siebert habe ich aufgehört, seit Mai bin ich bei Novatec")
POLO = ("Ich fahre einen alten Polo, der schluckt viel", "Den Polo habe ich verkauft, jetzt habe ich einen Skoda")
HUND = (
    "Unser Hund bekommt Futter von Napfgut, morgens 200 Gramm",
    "Wir haben von Napfgut auf Waldfein umgestellt",
)
SPRACHE = ("Ich lerne gerade Spanisch mit Podcasts", "Spanisch habe ich aufgegeben, ich lerne jetzt Portugiesisch")
MITTEL = ("Papa nimmt morgens Bisopin fürs Herz", "Statt Bisopin nimmt Papa jetzt Ramilan")
PAAR = (
    "Jonas ist der Freund von Lea, sie kennen sich vom Chor",
    "Lea und Jonas haben sich getrennt, sie ist jetzt mit Emre zusammen",
)
車 = ("トヨタの車に乗っています。色は白です。", "トヨタを売って、マツダを買いました。")
ジム = ("ジムはフィットワンに通っています。月曜と木曜です。", "フィットワンをやめて、コスモスに入会しました。")
先生 = ("ピアノの先生は田中先生です。とても優しいです。", "田中先生の代わりに、ピアノは佐藤先生に習っています。")
体重 = ("体重は72キロです。夏までに68キロにしたいです。", "今朝の体重は69キロでした。")


def told(pair: tuple[str, str]) -> Memory:
    """Return a memory that was told an older text, months later a newer one, and others beside them."""
    memory = Memory()
    older, newer = pair
    memory.remember(older, id="older", created_at="2026-02-10")
    memory.remember_many([{"text": text, "created_at": f"2026-05-{at + 1:02}"} for at, text in enumerate(BESIDE)])
    memory.remember(newer, id="newer", created_at="2026-08-20")
    return memory


def first(pair: tuple[str, str], question: str) -> str:
    """Return which text comes first."""
    with told(pair) as memory:
        return memory.recall(question, now=NOW)[0].id


@pytest.mark.parametrize(
    ("pair", "question"),
    [
        (GYM, "Which gym do I go to?"),
        (TRAIN, "Which train do I take to work?"),
        (PHONE, "What phone do I have?"),
        (CLUB, "Where does the book club meet?"),
        (SAX, "What instrument do I play?"),
        (CLEANER, "Who is our cleaner?"),
        (POWER, "Who is our electricity supplier?"),
        (VET, "Who is Pickle's vet?"),
        (FLIGHT, "When does my flight to Oslo leave?"),
        (WEIGHT, "How much do I weigh?"),
        (CARER, "Who is Mum's carer?"),
        (ZUG, "Wann faehrt mein Zug nach Kassel?"),
        (BUERO, "Wo arbeite ich?"),
        (POLO, "Welches Auto fahre ich?"),
        (HUND, "Welches Futter bekommt der Hund?"),
        (SPRACHE, "Welche Sprache lerne ich?"),
        (MITTEL, "Was nimmt Papa fürs Herz?"),
        (PAAR, "Wer ist Leas Freund?"),
        (車, "どの車に乗っていますか?"),
        (ジム, "どのジムに通っていますか?"),
        (先生, "ピアノの先生は誰ですか?"),
        (体重, "体重は何キロですか?"),
    ],
)
def test_what_was_taken_up_comes_first(pair: tuple[str, str], question: str) -> None:
    assert first(pair, question) == "newer"


@pytest.mark.parametrize(
    ("pair", "question"),
    [
        (GYM, "On which days do I go to the gym?"),
        (TRAIN, "Which coach do I sit in?"),
        (CLUB, "What should I bring to the book club?"),
        (SAX, "Which day does the band play?"),
        (CLEANER, "Where is the key?"),
        (FLIGHT, "Which seat do I have?"),
        (WEIGHT, "What weight do I want to reach by summer?"),
        (CARER, "When does the carer come?"),
        (ZUG, "In welchem Wagen sitze ich?"),
        (HUND, "Wie viel Futter bekommt der Hund morgens?"),
        (PAAR, "Woher kennen sich Lea und Jonas?"),
        (車, "車の色は何ですか?"),
        (ジム, "ジムは何曜日ですか?"),
        (GYM, "Which gym did I go to before?"),
    ],
)
def test_what_else_the_older_one_says_is_found_first(pair: tuple[str, str], question: str) -> None:
    assert first(pair, question) == "older"


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        (GYM[0], "My sister cancelled FitOne and joined Kosmos", "Which gym do I go to?"),
        ("I get the bus 42 to the office", "Today I got the 17 instead of the 42", "Which bus do I get to the office?"),
        ("My dentist is Dr Koval on Mill Road", "Left my umbrella at Dr Koval's on Mill Road", "Who is my dentist?"),
        ("I work at St Mary's hospital", "Left St Mary's at six, now at the station with Anne", "Where do I work?"),
        ("My bank is Nordhaven", "Nordhaven has stopped sending letters and started an app", "Which bank am I with?"),
        ("I keep the wine in the cellar", "I moved the bikes from the cellar to the shed", "Where do I keep the wine?"),
        ("My boss is Carla", "Carla moved from Leeds to York", "Who is my boss?"),
        (
            "Book club meets in room 204",
            "Room 204 has new chairs instead of the benches",
            "Where does the book club meet?",
        ),
        (
            "My hobby is pottery, I rent a shelf at Claywell",
            "No more pottery for me, I boulder now",
            "Where do I rent a shelf?",
        ),
        (
            "Ich lese den Kurier",
            "Nachbar Heinz hat den Kurier gekündigt, jetzt liest er die Rundschau",
            "Welche Zeitung lese ich?",
        ),
        ("英語の先生はスミス先生です。", "スミス先生が車を売って、バイクを買いました。", "英語の先生は誰ですか?"),
        ("新聞は毎朝新聞を取っています。", "兄が毎朝新聞をやめて、夕日新聞にしました。", "どの新聞を取っていますか?"),
    ],
)
def test_what_somebody_else_gives_up_or_for_once_changes_nothing(older: str, newer: str, question: str) -> None:
    assert first((older, newer), question) == "older"


def test_what_is_given_up_is_found_in_one_call_and_hidden_by_nothing() -> None:
    with Memory() as memory:
        memory.remember_many(
            [
                {"text": text, "id": id, "created_at": at}
                for text, id, at in zip(GYM, ("older", "newer"), (1.77e9, 1.78e9), strict=True)
            ]
        )
        hits = memory.recall("Which gym do I go to?", now=NOW)
        assert [hit.id for hit in hits] == ["newer", "older"]
        assert memory.get("older").near_duplicates == ("newer",)
