"""Days ahead that a question names, from the day on which it is asked, and what records say of them from theirs."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Memory
from byheart.patterns.days_ahead import days_ahead, may_name_ahead

SUNDAY = date(2026, 11, 29)
NOW = "2026-11-29T08:00"
NAMED = {
    "tomorrow": "2026-11-30 1",
    "tomorrow evening": "2026-11-30 1",
    "the day after tomorrow": "2026-12-01 1",
    "today": "2026-11-29 1",
    "tonight": "2026-11-29 1",
    "in three days": "2026-12-02 1",
    "in 12 days": "2026-12-11 1",
    "next week": "2026-11-30 7",
    "this week": "2026-11-23 7",
    "this weekend": "2026-11-29 1",
    "next weekend": "2026-12-05 2",
    "in a week": "2026-12-03 7",
    "in two weeks": "2026-12-10 7",
    "in the next few days": "2026-11-29 4",
    "over the next two weeks": "2026-11-29 15",
    "next month": "2026-12-01 31",
    "this month": "2026-11-01 30",
    "next Friday": "2026-12-04 1",
    "on Sunday": "2026-12-06 1",
    "morgen": "2026-11-30 1",
    "morgen früh": "2026-11-30 1",
    "übermorgen": "2026-12-01 1",
    "heute Abend": "2026-11-29 1",
    "in fünf Tagen": "2026-12-04 1",
    "nächste Woche": "2026-11-30 7",
    "nächsten Dienstag": "2026-12-01 1",
    "am Wochenende": "2026-11-29 1",
    "in zwei Wochen": "2026-12-10 7",
    "in den nächsten drei Tagen": "2026-11-29 4",
    "nächsten Monat": "2026-12-01 31",
    "diesen Monat": "2026-11-01 30",
    "明日": "2026-11-30 1",
    "明後日": "2026-12-01 1",
    "今日": "2026-11-29 1",
    "来週": "2026-11-30 7",
    "来週末": "2026-12-05 2",
    "3日後": "2026-12-02 1",
    "再来週": "2026-12-07 7",
    "2週間後": "2026-12-10 7",
    "来月": "2026-12-01 31",
}
NOTHING = ["this is it", "next to the door", "in the coming", "on the day", "am Morgen", "guten Morgen", "on Fridays",
           "in two days of rain", "Who is this?", "来年",
           "once a week", "in a month", "in two weeks of rain", "twice a month"]  # fmt: skip


@pytest.mark.parametrize("words", NAMED)
def test_what_it_names(words: str) -> None:
    [found] = days_ahead(f"({words})", SUNDAY)
    assert f"{found.first} {(found.behind - found.first).days}" == NAMED[words]
    assert f"({words})"[found.begin : found.end] == words and may_name_ahead(words)


@pytest.mark.parametrize("text", NOTHING)
def test_what_names_no_day_ahead(text: str) -> None:
    assert days_ahead(text, SUNDAY) == []


@given(today=st.dates(date(1999, 1, 1), date(2100, 1, 1)), weekday=st.sampled_from(range(7)))
def test_a_weekday_is_the_next_one_and_a_week_begins_on_monday(today: date, weekday: int) -> None:
    name = date(2024, 1, 1 + weekday).strftime("%A")
    [day] = days_ahead(f"next {name}", today)
    assert day.first.weekday() == weekday and timedelta(1) <= day.first - today <= timedelta(7)
    [week] = days_ahead("next week", today)
    assert week.first.weekday() == 0 and timedelta(1) <= week.first - today <= timedelta(7)


def told(*rows: tuple[str, str, str]) -> Memory:
    memory = Memory()
    for id, at, text in rows:
        memory.remember(text, id=id, created_at=at)
    return memory


PLANS = told(
    ("dentist", "2026-11-02T09:00", "Dentist appointment on 30 November at 9:00."),
    ("lunch", "2026-11-10T09:00", "Lunch with Petra on 4 December."),
    ("bank", "2026-11-28T09:00", "Tomorrow I have to call the bank."),
    ("fair", "2026-11-26T09:00", "Next week I'm in Vienna for the fair."),
    ("concert", "2026-11-20T09:00", "The concert is on 12 December at 20:00."),
    ("parcel", "2026-09-01T09:00", "Tomorrow the parcel comes."),
    ("choir", "2026-02-01T09:00", "Choir rehearses every Thursday."),
    ("bike", "2026-11-25T09:00", "I bought a new bike."),
)


@pytest.mark.parametrize(
    ("question", "first", "never"),
    [
        ("What do I have tomorrow?", "dentist", {"bank", "parcel", "concert"}),
        ("What's happening tomorrow?", "dentist", {"bank", "parcel"}),
        ("What do I have to do today?", "bank", {"dentist"}),
        ("What is on next Friday?", "lunch", {"bank", "parcel"}),
        ("Is anything on Thursday?", "choir", {"bank", "parcel"}),
        ("What is in 13 days?", "concert", {"bank", "parcel"}),
        ("What is planned for next week?", "lunch", {"bank", "parcel"}),
    ],
)
def test_what_is_of_the_day_comes_first_and_the_same_word_of_another_day_does_not(
    question: str, first: str, never: set[str]
) -> None:
    found = PLANS.recall(question, now=NOW)
    assert found.sufficient and found[0].id == first
    assert never.isdisjoint(hit.id for hit in found)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who is on call next week?", "lena"),
        ("What time is standup tomorrow?", "standup"),
        ("Do I have gym tomorrow?", "gym"),
        ("Whose birthday is tomorrow?", "mum"),
    ],
)
def test_what_else_a_question_asks_for_weighs_more_than_its_day(question: str, first: str) -> None:
    memory = told(
        ("mia", "2026-11-02T09:00", "Mia is on call this week."),
        ("jonas", "2026-11-23T09:00", "Jonas is on call this week."),
        ("lena", "2026-11-26T09:00", "Lena is on call next week."),
        ("standup", "2026-03-01T09:00", "Standup is at 9:30 every weekday."),
        ("release", "2026-11-15T09:00", "The release is planned for 1 December."),
        ("mum", "2025-01-05T09:00", "Mum's birthday is 30 November."),
        ("gym", "2026-11-28T09:00", "Gym on Monday with Karl."),
        ("bins", "2026-02-03T09:00", "Bins go out every Monday."),
        ("bank", "2026-11-28T20:00", "I will call the bank tomorrow."),
    )
    found = memory.recall(question, now=NOW)
    assert found.sufficient and found[0].id == first


MONTHS = told(
    ("visit", "2026-11-20", "My parents visit us next month."),
    ("heating", "2026-07-05", "Next month the heating gets replaced."),
    ("lisbon", "2026-11-24", "In two weeks we fly to Lisbon."),
    ("tax", "2026-11-05", "The tax return has to be in by 15 December."),
    ("dentist", "2026-11-02", "Dentist appointment on 30 November at 9:00."),
    ("standup", "2026-03-01", "Standup is at 9:30 every weekday."),
    ("bike", "2026-11-25", "I bought a new bike."),
)


@pytest.mark.parametrize(
    ("question", "first", "never"),
    [
        ("What happens next month?", {"visit", "lisbon", "tax"}, {"bike", "standup"}),
        ("Do I have anything next month?", {"visit", "lisbon", "tax"}, {"bike", "standup"}),
        ("What is on in the next two weeks?", {"lisbon", "dentist"}, {"bike", "standup"}),
        ("What do I have to do this month?", {"dentist"}, set()),
        ("What is in a week?", {"lisbon"}, {"bike", "standup"}),
        ("What do I have on Tuesday?", {"standup"}, {"bike", "tax", "dentist"}),
    ],
)
def test_weeks_and_months_ahead(question: str, first: set[str], never: set[str]) -> None:
    found = [hit.id for hit in MONTHS.recall(question, now=NOW)]
    assert set(found[: len(first)]) == first and never.isdisjoint(found), found


ELSEWHERE = told(
    ("school", "2026-09-01", "Jeden Mittwoch ist Chorprobe."),
    ("bus", "2026-01-05", "Werktags fahre ich mit dem Bus um 7:10."),
    ("meeting", "2026-11-25", "再来週の水曜日に会議があります。"),
    ("moving", "2026-05-20", "来月、引っ越します。"),
    ("trip", "2026-11-20", "来月、京都へ旅行します。"),
    ("garden", "2026-11-20", "庭に花があります。"),
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Was habe ich am Mittwoch?", {"school", "bus"}),
        ("Was habe ich am Freitag?", {"bus", "trip"}),
        ("再来週は何がありますか？", {"meeting", "school"}),
        ("再来週の予定は？", {"meeting", "school"}),
    ],
)
def test_plans_in_german_and_japanese(question: str, first: set[str]) -> None:
    found = [hit.id for hit in ELSEWHERE.recall(question, now=NOW)]
    assert set(found[: len(first)]) == first and "garden" not in found, found


def test_each_weekday_is_no_weekend() -> None:
    assert "standup" not in MONTHS.recall("What do I have on Saturday?", now=NOW)
    assert MONTHS.recall("What did I do this month?", now=NOW)[0].id == "bike", "the past is told, and not planned"


def test_what_was_on_a_monday_is_not_what_will_be() -> None:
    memory = told(
        ("plumber", "2026-11-28T09:00", "We met the plumber on Monday about the boiler."),
        ("bike", "2026-11-27T09:00", "On Monday I fell off my bike."),
        ("gym", "2026-11-28T09:00", "Gym is booked on Monday with Karl."),
    )
    for question in ("What do I have tomorrow?", "What happens tomorrow?", "What is on Monday?"):
        assert memory.recall(question, now=NOW)[0].id == "gym", question


def test_all_of_a_week_is_found() -> None:
    found = PLANS.recall("What is planned for next week?", now=NOW)
    assert {"dentist", "lunch", "fair"} <= {hit.id for hit in found}


def test_nothing_is_known_of_a_day_of_which_nobody_spoke() -> None:
    assert not PLANS.recall("What do I have the day after tomorrow?", now="2026-12-20T08:00").sufficient


def test_the_same_question_a_week_later() -> None:
    found = PLANS.recall("What do I have tomorrow?", now="2026-12-11T08:00")
    assert found[0].id == "concert" and "dentist" not in found


def test_a_birthday_comes_each_year_and_an_appointment_of_last_year_does_not() -> None:
    memory = told(
        ("birthday", "2024-03-01T09:00", "Petra's birthday is on 30 November."),
        ("old", "2025-11-01T09:00", "The plumber comes on 30 November."),
        ("new", "2026-11-01T09:00", "The painter comes on 30 November."),
    )
    found = [hit.id for hit in memory.recall("What is tomorrow?", now=NOW, explain=True)]
    assert set(found[:2]) == {"birthday", "new"}
    assert not told(("new", "2026-11-01", "The painter comes on 30 November.")).recall(
        "What is tomorrow?", now="2027-11-29"
    )


def test_what_another_user_has_planned_says_nothing() -> None:
    memory = Memory()
    memory.remember("The dentist is on 30 November.", id="theirs", user_id="bob", created_at="2026-11-02")
    memory.remember("The dentist is in Mill Lane.", id="mine", user_id="ann", created_at="2026-11-02")
    found = memory.recall("When is the dentist tomorrow?", user_id="ann", now=NOW)
    alone = Memory()
    alone.remember("The dentist is in Mill Lane.", id="mine", user_id="ann", created_at="2026-11-02")
    same = alone.recall("When is the dentist tomorrow?", user_id="ann", now=NOW)
    assert [(hit.id, hit.strength) for hit in found] == [(hit.id, hit.strength) for hit in same]


def test_an_explanation_says_what_the_word_was_read_as() -> None:
    hit = PLANS.recall("What do I have tomorrow?", now=NOW, explain=True)[0]
    assert "read for 'tomorrow', which says the same" in str(hit.explanation)
    assert "it says what the question names" in str(hit.explanation)


@pytest.mark.parametrize("now", [-6.1e10, 6.1e10])
def test_a_time_beyond_the_calendar_names_no_day(now: float) -> None:
    memory = told(("tea", "2026-11-02", "Tea tomorrow."))
    assert "tea" in memory.recall("Is there tea tomorrow?", now=now, min_strength=0)
    memory.remember("Cake tomorrow.", id="cake", created_at=6.1e10)
    assert "cake" in memory.recall("Is there cake tomorrow?", now=NOW, min_strength=0)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("The plumber comes next Monday.", "Who comes tomorrow?"),
        ("Der Klempner kommt am nächsten Montag.", "Wer kommt morgen?"),
        ("The plumber came last Monday.", "Who comes tomorrow?"),
    ],
)
def test_the_next_monday_of_long_ago_is_not_each_one(text: str, asked: str) -> None:
    memory = Memory()
    memory.remember(text, id="once", created_at="2025-11-28T09:00")
    hits = memory.recall(asked, now=NOW, explain=True)
    assert not any("mon" in str(hit.explanation).lower() for hit in hits), "it is found by its other words alone"
    weekly = "Die Gärtnerin kommt jeden Montag." if asked.startswith("Wer") else "The gardener comes on Mondays."
    memory.remember(weekly, id="weekly", created_at="2025-11-28T09:00")
    assert memory.recall(asked, now=NOW)[0].id == "weekly"
