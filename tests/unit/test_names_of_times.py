"""Each name of a month, a day of the week, a season, a count and a unit is read, in each language that has it."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from byheart.ranking.dates import periods

TODAY = date(2023, 6, 15)  # a Thursday
NOW = datetime(2023, 6, 15, 12, tzinfo=UTC).timestamp()
MONTHS = (
    "january jan januar jänner janvier enero", "february feb februar feber février fevrier febrero",
    "march mar märz mars marzo", "april apr avril abril", "may mai mayo", "june jun juni juin junio",
    "july jul juli juillet julio", "august aug août aout agosto",
    "september sep sept septembre septiembre setiembre", "october oct oktober octobre octubre",
    "november nov novembre noviembre", "december dec dezember décembre decembre diciembre",
)  # fmt: skip
DAYS_OF_THE_WEEK = (
    "montag lundi lunes", "dienstag mardi martes", "mittwoch mercredi miércoles", "donnerstag jeudi jueves",
    "freitag vendredi viernes", "samstag sonnabend samedi sábado", "sonntag dimanche domingo",
)  # fmt: skip
ENGLISH = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
YEARS_BACK = {"今年": 0, "去年": 1, "昨年": 1, "一昨年": 2, "おととし": 2}
COUNTS = (
    "a an one", "two", "three few", "four several", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
COUNTS_ELSEWHERE = (
    "ein einem einer un une una", "zwei deux dos", "drei trois tres", "vier quatre cuatro", "fünf cinq cinco",
    "sechs six seis", "sieben sept siete", "acht huit ocho", "neun neuf nueve", "zehn dix diez",
)  # fmt: skip
SEASONS = {"spring 春": 3, "summer 夏": 6, "autumn fall 秋": 9, "winter 冬": 12}
UNITS = {"tag jour día dia": 2, "woche semaine semana": 14, "monat mois mes": 60, "jahr année annee ans año ano": 730}


def back(days: int) -> date:
    return TODAY - timedelta(days=days)


NAMED = {
    **{f"{name} 2021": date(2021, at, 1) for at, names in enumerate(MONTHS, 1) for name in names.split()},
    **{f"on {name}": back((3 - at) % 7) for at, name in enumerate(ENGLISH)},
    **{f"last {name}": back((3 - at) % 7 or 7) for at, name in enumerate(ENGLISH)},
    **{f"am {name}": back((3 - at) % 7) for at, names in enumerate(DAYS_OF_THE_WEEK) for name in names.split()},
    **{f"{name}曜日": back((3 - at) % 7) for at, name in enumerate("月火水木金土日")},
    **{f"{name} days ago": back(count) for count, names in enumerate(COUNTS, 1) for name in names.split()},
    **{f"{name} days ago": back(count) for name, count in (("couple of", 2), ("a couple of", 2), ("a few", 3))},
    **{f"hace {name} dia": back(at) for at, names in enumerate(COUNTS_ELSEWHERE, 1) for name in names.split()},
    **{f"{names.split()[0]} 2021": date(2021, month, 1) for names, month in SEASONS.items()},
    **{f"2021年の{names.split()[-1]}": date(2021, month, 1) for names, month in SEASONS.items()},
    "fall 2021": date(2021, 9, 1),
    **{f"{name} quarter of 2021": date(2021, at, 1) for name, at in {"first": 1, "second": 4, "third": 7}.items()},
    **{f"the {name} quarter 2021": date(2021, 10, 1) for name in ("fourth", "last")},
    **{f"{name}の夏": date(2023 - back, 6, 1) for name, back in YEARS_BACK.items()},
    **{f"{name}の5月": date(2023 - back, 5, 1) for name, back in YEARS_BACK.items()},
}  # fmt: skip


@pytest.mark.parametrize("text", NAMED)
def test_a_name_of_a_time_is_read(text: str) -> None:
    [found] = periods(text, NOW)
    assert datetime.fromtimestamp(found.start, UTC).date() == NAMED[text]


@pytest.mark.parametrize("names", UNITS)
def test_a_unit_is_read_in_each_language(names: str) -> None:
    for name in names.split():
        [found] = periods(f"hace 2 {name}", NOW)
        first, behind = (datetime.fromtimestamp(moment, UTC).date() for moment in (found.start, found.end))
        assert first <= back(UNITS[names]) < behind, name


@pytest.mark.parametrize(
    ("said", "first", "days"),
    [("先々週", 17, 7), ("先週", 10, 7), ("今週", 3, 7), ("一昨日", 2, 1), ("昨日", 1, 1), ("今日", 0, 1)],
)
def test_japanese_names_of_days_and_weeks_lie_so_far_back(said: str, first: int, days: int) -> None:
    [period] = periods(said, NOW)
    begins = datetime.combine(TODAY - timedelta(days=first), datetime.min.time(), UTC).timestamp()
    assert (period.start, period.end) == (begins, begins + days * 86_400.0)
