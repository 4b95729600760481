"""Times of day, days, amounts and telephone numbers are read from a text in whichever way people write them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from byheart.patterns.amounts_said import Amount
from byheart.patterns.calendar_days_said import Day
from byheart.patterns.values_said import agreement, may_say, saying, values_said, whole_values

EVENING, SIX_THIRTY = frozenset({1110}), frozenset({390, 1110})
EIGHT, NINE = frozenset({1200}), frozenset({540, 1260})
MAY = Day(3, 5)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [
        ("at 18:30", EVENING),
        ("6:30 pm", EVENING),
        ("6.30 pm", EVENING),
        ("6:30pm.", EVENING),
        ("6:30 p.m.", EVENING),
        ("um 18.30 Uhr", EVENING),
        ("18:30 Uhr", EVENING),
        ("18h30", EVENING),
        ("half past six pm", EVENING),
        ("half past six in the evening", EVENING),
        ("halb sieben abends", EVENING),
        ("half past six", SIX_THIRTY),
        ("halb sieben", SIX_THIRTY),
        ("6:30", SIX_THIRTY),
        ("06:30", {390}),
        ("6:30 am", {390}),
        ("at 6.30", SIX_THIRTY),
        ("9 am", {540}),
        ("9 a.m.", {540}),
        ("9am", {540}),
        ("9:00", NINE),
        ("9 o'clock", NINE),
        ("9 Uhr", NINE),
        ("nine o’clock", NINE),
        ("20 Uhr", EIGHT),
        ("quarter to six", {345, 1065}),
        ("viertel nach sechs", {375, 1095}),
        ("dreiviertel sieben", {405, 1125}),
        ("noon", {720}),
        ("12:00", {720}),
        ("12 pm", {720}),
        ("midnight", {0}),
        ("0:00", {0}),
        ("24:00", {0}),
        ("12 am", {0}),
        ("Mitternacht", {0}),
        ("ten past four", {250, 970}),
    ],
)
def test_a_time_of_day(text: str, minutes: set[int]) -> None:
    assert [each.value for each in values_said(text)] == [frozenset(minutes)]


@pytest.mark.parametrize(
    "text",
    [
        "version 1.10.0",
        "12:30:45",
        "v18.30",
        "at 4.30 dollars a piece",
        "6.30",
        "36:30",
        "6:75",
        "Tisch 9 am Fenster ist frei",
        "half of six",
        "the room has 9 chairs",
    ],
)
def test_no_time_of_day(text: str) -> None:
    assert not [each for each in values_said(text) if isinstance(each.value, frozenset)]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("03.05.", MAY),
        ("am 3.5.", MAY),
        ("am 3.5", MAY),
        ("am 3. 5.", MAY),
        ("3. Mai", MAY),
        ("3.Mai", MAY),
        ("3 May", MAY),
        ("May 3rd", MAY),
        ("May 3", MAY),
        ("the 3rd of May", MAY),
        ("3 de mayo", MAY),
        ("2026-05-03", Day(3, 5, 2026)),
        ("3.5.2026", Day(3, 5, 2026)),
        ("May 3, 2026", Day(3, 5, 2026)),
        ("14 Feb.", Day(14, 2)),
        ("Feb 14th", Day(14, 2)),
        ("on Wed.", Day(weekday=2)),
        ("What is on wed?", Day(weekday=2)),
        ("Wednesdays", Day(weekday=2)),
        ("am Mi.", Day(weekday=2)),
        ("jeden Mittwoch", Day(weekday=2)),
        ("in Feb.", Day(month=2)),
        ("30 Feb.", Day(month=2)),
        ("31 September", Day(month=9)),
        ("30 September", Day(30, 9)),
        ("im Februar", Day(month=2)),
        ("in may", Day(month=5)),
    ],
)
def test_a_day(text: str, day: Day) -> None:
    assert [each.value for each in values_said(text)] == [day]


@pytest.mark.parametrize(
    "text",
    [
        "05/03",
        "Version 3.5.",
        "it takes 3.5 minutes",
        "1.5.2",
        "I think so.",
        "Fr. Müller kommt",
        "may I?",
        "the sun is up",
        "do 3 things",
        "we march on",
    ],
)
def test_no_day(text: str) -> None:
    assert not values_said(text)


@pytest.mark.parametrize("text", ["32. Mai", "30 February"])
def test_a_day_that_there_is_not(text: str) -> None:
    assert [each.value for each in values_said(text)] in ([Day(month=5)], [Day(month=2)])


@pytest.mark.parametrize("text", ["3 to 5 May", "May 3-5", "3./5. Mai", "3.-5. Mai", "3 and 5 May"])
def test_days_that_share_a_month(text: str) -> None:
    assert [each.value for each in values_said(text)] == [MAY, Day(5, 5)]


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("250k", 250_000, ""),
        ("250,000", 250_000, ""),
        ("250 000", 250_000, ""),
        ("250.000", 250_000, ""),
        ("250 thousand", 250_000, ""),
        ("250 Tausend", 250_000, ""),
        ("1.5M", 1_500_000, ""),
        ("1.5 million", 1_500_000, ""),
        ("1,5 Millionen", 1_500_000, ""),
        ("two million", 2_000_000, ""),
        ("15%", 15, "%"),
        ("15 percent", 15, "%"),
        ("fifteen percent", 15, "%"),
        ("15 Prozent", 15, "%"),
        ("fünfundzwanzig Prozent", 25, "%"),
        ("15 per cent", 15, "%"),
        ("€1,200", 1_200, "€"),
        ("1200 euros", 1_200, "€"),
        ("1.200 EUR", 1_200, "€"),
        ("$1.5m", 1_500_000, "$"),
        ("€ 1,200.50", Fraction("1200.5"), "€"),
        ("1.234,56 EUR", Fraction("1234.56"), "€"),
        ("99.95%", Fraction("99.95"), "%"),
    ],
)
def test_an_amount(text: str, number: Fraction | int, unit: str) -> None:
    assert [each.value for each in values_said(text)] == [Amount(Fraction(number), unit)]


@pytest.mark.parametrize(
    ("words", "scale"),
    [
        ("k thousand tausend tsd", 10**3),
        ("mn mio million millions millionen", 10**6),
        ("bn mrd billion billions milliarde milliarden", 10**9),
    ],
)
def test_the_words_of_a_scale(words: str, scale: int) -> None:
    for word in words.split():
        assert [each.value for each in values_said(f"3 {word}")] == [Amount(Fraction(3 * scale))], word


@pytest.mark.parametrize("text", ["1.10.0", "3/4", "12 apples", "1.5m long", "utf8", "v1.200", "10.0.4.17"])
def test_no_amount(text: str) -> None:
    assert not values_said(text)


@pytest.mark.parametrize(
    "text",
    [
        "+43 664 123 4567",
        "+436641234567",
        "+43-664-123-4567",
        "0043 664 1234567",
        "0664 123 4567",
        "0664/1234567",
        "06641234567",
    ],
)
def test_a_telephone_number(text: str) -> None:
    [known], [said] = values_said("+436641234567"), values_said(text)
    [other] = values_said("+43 664 123 4568")
    assert agreement(known.value, said.value) and not agreement(other.value, said.value)


def test_digits_are_a_telephone_number_where_it_is_spoken_of() -> None:
    assert values_said("my number is 664 123 4567") and not values_said("order 664-123-4567")


def test_a_time_that_may_be_another_agrees_less() -> None:
    assert list(saying(EVENING, "7:15, 6:30 or 6.30 pm")) == [(1, "6:30"), (2, "6.30 pm")]
    assert agreement(Amount(Fraction(15), "%"), Amount(Fraction(15))) == 0
    assert agreement(Amount(Fraction(15), "€"), Amount(Fraction(15), "$")) == 0
    assert agreement(Day(3, 5, 2025), Day(3, 5, 2026)) == 0 == agreement(MAY, EVENING)


def test_a_sentence_does_not_end_inside_a_value() -> None:
    assert whole_values("Hi! Was ist am 3. Mai?", ("Hi!", "Was ist am 3.", "Mai?")) == ("Hi!", "Was ist am 3. Mai?")


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("who has the keys?", False),
        ("What do you know about Ann?", False),
        ("at half past six", True),
        ("on Friday?", True),
        ("am Mi.", True),
        ("noon.", True),
        ("4", True),
        ("ten past four", True),
        ("fifteen percent", True),
    ],
)
def test_most_questions_have_no_sign_of_a_value(text: str, may: bool) -> None:
    assert may_say(text) is may


def test_a_text_is_asked_for_each_kind_of_value_in_turn() -> None:
    text = "Choir: 6:30 pm on May 3rd, 15 % off, call +43 664 1234567."
    values = [each.value for each in values_said(text)]
    assert len({type(value) for value in values}) == 4
    for _ in range(2):
        assert [[words for _, words in saying(value, text)] for value in values] == [
            ["6:30 pm"], ["May 3rd"], ["15 %"], ["+43 664 1234567"],
        ]  # fmt: skip
