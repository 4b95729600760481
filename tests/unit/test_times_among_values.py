"""Times among the values of a statement: which of its numbers say when, and which how much."""

from __future__ import annotations

import pytest

from byheart.patterns.replacing import gives_what_is_asked, takes_the_place
from byheart.patterns.saying import said


@pytest.mark.parametrize(
    ("text", "times", "amounts"),
    [
        ("The gym costs 45 euros from 1 April.", "1 april", "45"),
        ("My flight leaves at 7.", "7", ""),
        ("It was moved to the 21st.", "21", ""),
        ("We sit on the 2nd floor.", "", "2"),
        ("We run Postgres 14.9.", "", "14.9"),
        ("The version went from 14.9 to 16.3.", "", "14.9 16.3"),
        ("The exam was moved to 24 March, 2027.", "24 march 2027", ""),
        ("Der Termin ist am 3.5. um 9 Uhr.", "3.5 9", ""),
        ("Since 2024 I earn 68000 euros.", "2024", "68000"),
        ("The budget went from 2000 to 2500.", "", "2000 2500"),
        ("On Monday 3 people come.", "monday", "3"),
        ("My dog is at 14 kg.", "", "14"),
        ("Le train part à 7h12, quai 3.", "7h12", "3"),
        ("歯医者の予約は10月27日です。", "10月 27日", ""),
    ],
)
def test_numbers_of_dates_and_hours_are_times(text: str, times: str, amounts: str) -> None:
    assert said(text).times == set(times.split())
    assert said(text).amounts == set(amounts.split())


def test_an_amount_answers_what_asks_for_one_whatever_date_stands_beside_it() -> None:
    older, newer = "The fee is 40 euros.", "The fee was raised to 55 euros from 1 May."
    assert takes_the_place(newer, older, "What is the fee?")
    assert not takes_the_place("The fee was moved to 1 May.", older, "What is the fee?")
    assert not gives_what_is_asked("The fee is due on 3 May.", older, "How much is the fee?")
    assert gives_what_is_asked("The fee is due on 3 May.", older, "When is the fee due?")
