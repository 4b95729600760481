"""The year of a month that is said apart from it: "August last year" is one time, and not two."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from byheart.ranking.dates import periods
from byheart.ranking.time_years_said import with_years

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "first", "behind"),
    [
        ("Where did I hike in August last year?", "2025-08-01", "2025-09-01"),
        ("Where did I hike last year in August?", "2025-08-01", "2025-09-01"),
        ("What did we buy in March this year?", "2026-03-01", "2026-04-01"),
        ("What happened between May and July last year?", "2025-05-01", "2025-08-01"),
        ("What did I do on 3 March last year?", "2025-03-03", "2025-03-04"),
        ("What did I do on March 3rd of last year?", "2025-03-03", "2025-03-04"),
        ("Where were we in the summer of last year?", "2025-06-01", "2025-09-01"),
        ("Where were we at Christmas last year?", "2025-12-24", "2025-12-27"),
        ("Where were we last year at Christmas?", "2025-12-24", "2025-12-27"),
        ("What did I buy in May of the year before last?", "2024-05-01", "2024-06-01"),
        ("What did I buy in August two years ago?", "2024-08-01", "2024-09-01"),
        ("What happened on the 3rd of last month?", "2026-11-03", "2026-11-04"),
        ("Wo waren wir im August letzten Jahres?", "2025-08-01", "2025-09-01"),
        ("Wo waren wir letztes Jahr im August?", "2025-08-01", "2025-09-01"),
        ("Où étions-nous en août l'année dernière ?", "2025-08-01", "2025-09-01"),
        ("¿Dónde estuvimos en agosto del año pasado?", "2025-08-01", "2025-09-01"),
    ],
)
def test_one_time_is_named(question: str, first: str, behind: str) -> None:
    [period] = periods(question, NOW.timestamp())
    assert [f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}" for at in (period.start, period.end)] == [first, behind]


@pytest.mark.parametrize(
    "question", ["what did i buy last year?", "who may last year be about?", "two years ago", "the year of the dog"]
)
def test_a_year_alone_stays(question: str) -> None:
    assert with_years(question, NOW.date()) == question.replace("may last year", "may 2025")


def test_a_month_of_this_year_that_is_to_come_is_no_time_yet() -> None:
    assert with_years("in december this year", date(2026, 6, 1)) == "in december 2026"
    assert periods("What did we do in December this year?", datetime(2026, 6, 1, tzinfo=UTC).timestamp()) == ()
