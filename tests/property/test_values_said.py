"""Each way of writing a value, read again, says that value; and what says none is never one by chance of a sign."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from byheart.patterns.amounts_said import Amount, amounts_said, amounts_written
from byheart.patterns.calendar_days_said import Day, days_said, days_written
from byheart.patterns.clock_times import times_said, times_written
from byheart.patterns.values_said import may_say, values_said

_TEXTS = st.text(alphabet="0123456789 .,:/-€%kMapmuhrjn?onday", max_size=40)
_DIGITS_ALONE = {f"{month:02} {day:02}" for month in range(1, 13) for day in range(1, 32)}  # two words of 2026-05-03


@given(st.integers(0, 1_439))
def test_each_way_of_writing_a_time_says_it(minute: int) -> None:
    ways = list(times_written(minute))
    assert len(ways) >= 5
    for way in ways:
        said = [minutes for *_, minutes in times_said(f"{way} uhr" if "." in way and "m" not in way else way)]
        assert len(said) == 1 and minute in said[0], way


@given(st.integers(1, 28), st.integers(1, 12))
def test_each_way_of_writing_a_day_says_it(day: int, month: int) -> None:
    ways = [way for way in days_written(Day(day, month)) if way not in _DIGITS_ALONE]
    assert len(ways) >= 90
    for way in ways:
        told = [said for *_, said in days_said(f"am {way}")]
        assert [(said.day, said.month) for said in told] == [(day, month)], way


@given(st.integers(1_000, 10**9), st.sampled_from(["", "€", "$"]))
def test_each_way_of_writing_an_amount_says_it(number: int, unit: str) -> None:
    ways = list(amounts_written(Amount(Fraction(number), unit)))
    assert len(ways) >= 5
    for way in ways:
        [said] = [amount for *_, amount in amounts_said(f"{unit}{way.replace('m', 'M') if way.endswith('m') else way}")]
        assert said == Amount(Fraction(number), unit), way


@given(_TEXTS)
def test_values_stand_where_they_are_said_to(text: str) -> None:
    found = values_said(text)
    assert all(text[said.begin : said.end].strip() == said.words for said in found)
    assert all(one.end <= other.begin for one, other in pairwise(found))
    assert may_say(text) or not found
