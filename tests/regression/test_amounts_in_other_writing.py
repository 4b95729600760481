"""An amount was not found in another writing, and a number not between separators or underscores."""

from __future__ import annotations

from fractions import Fraction

import pytest

from byheart import Memory
from byheart.patterns.amounts_said import Amount
from byheart.patterns.values_said import values_said

TICKETS = ("4711", "4712", "4713", "+4712", '"4712"')


def firsts(text: str, questions: tuple[str, ...]) -> dict[str, list[str]]:
    with Memory() as memory:
        memory.remember("The kettle cost 17.49, and 4809 were sold for 2,350.00 euros at 16:45.", id="other")
        memory.remember(text, id="it")
        return {question: [hit.record.id for hit in memory.recall(question).hits[:1]] for question in questions}


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("Netflix is 13.99 per month.", ("13,99", "13.99", "what is 13,99 a month?", "13,99 €")),
        ("Netflix kostet 13,99 im Monat.", ("13.99", "13,99", "$13.99")),
        ("The rent is 1,250.00 euros.", ("1250", "1250.00", "1,250", "1.250,00", "1250,00", "+1250", "1250 euros")),
        ("The rent is 1250 euros.", ("1,250.00", "1.250,00", "1 250,00")),
        ("The fee is 1.250,50 Euro.", ("1250.50", "1,250.50", "1250,5", "1.250,50")),
        ("The fee is 15.00 euros.", ("15 euros", "15,00 €", "€15")),
    ],
)
def test_an_amount_is_found_in_another_writing(text: str, questions: tuple[str, ...]) -> None:
    assert firsts(text, questions) == {question: ["it"] for question in questions}


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("Open tickets: 4711,4712,4713 for Anna.", TICKETS),
        ("Open tickets: 4711;4712;4713 for Anna.", TICKETS),
        ("Open tickets: 4711|4712|4713 for Anna.", TICKETS),
        ("Open tickets=4711,4712,4713", TICKETS),
        ("IDs=[101,102] of it", ("101", "102", '"102"')),
        ("[101,102]", ("101", "102", '"102"')),
        ("2026-01-05,Anna,4711,13.99", ("4711", "13.99", "13,99", "2026-01-05", '"4711"', '"13.99"', "5 January")),
        ("2026-01-05,4711,13.99", ("4711", "13.99", "13,99", "2026-01-05", '"4711"')),
        ("48.2082,16.3738", ("48.2082", "16.3738")),
        ("open at 12:30;14:45", ("12:30", "2:45 pm", '"14:45"')),
        ("été: 4711;4712;4713", TICKETS),
    ],
)
def test_a_number_is_found_in_a_list(text: str, questions: tuple[str, ...]) -> None:
    assert firsts(text, questions) == {question: ["it"] for question in questions}


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("The rent is 250,125 euros.", ("250", "125", '"125"')),
        ("Der Preis ist 4711,13 Euro.", ("13", '"13"')),
        ("The salary is 12,34,567 rupees.", ("34", '"34"')),
    ],
)
def test_a_piece_of_one_number_is_none(text: str, questions: tuple[str, ...]) -> None:
    assert firsts(text, questions) == {question: [] for question in questions}


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("The code is _4711_ now.", ("4711", '"4711"', "+4711", "4,711", '"is 4711 now"')),
        ("Call _18:30_ sharp", ("what is at 18:30?", "18:30", "6:30 pm")),
        ("Print it on _A4_ or __B5__.", ("A4", "B5", "+A4", '"B5"')),
        ("Buy _tea_, _fresh milk!_", ("tea", "+tea", "milk", '"fresh milk"')),
        ("Due _2026-05-09_, _1.250,00_ EUR", ("2026-05-09", "9 May", "1250")),
        ("Set `__all__` in the module.", ("what does __all__ do?",)),
    ],
)
def test_underscores_around_a_word_hide_nothing(text: str, questions: tuple[str, ...]) -> None:
    assert firsts(text, questions) == {question: ["it"] for question in questions}


def test_a_time_of_day_in_french_is_found_however_it_is_written() -> None:
    questions = ("15:30", "15h30", "15 h 30", "15\u00a0h\u00a030", "15 heures 30", "3:30 pm")
    for way in ("15 h 30", "15h30", "15\u202fh\u202f30", "15:30", "15 heures 30"):
        assert firsts(f"Rendez-vous à {way} chez Paul.", questions) == {question: ["it"] for question in questions}


@pytest.mark.parametrize("text", ["version 3.5", "1.10.0", "ERR_1042", "report_2024", "11.5 litres", "1.5.20"])
def test_a_number_with_a_point_is_no_amount_for_that(text: str) -> None:
    assert not values_said(text)


def test_two_places_make_an_amount() -> None:
    assert [each.value for each in values_said("13.99 or 13,99")] == [Amount(Fraction("13.99"))] * 2
