"""Times that a question names, seen from Thursday, 15 June 2023; and the stage that prefers records of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Memory, profiles
from byheart.errors import InvalidArgument
from byheart.profiles import Profile
from byheart.ranking.algebra import StageContext, violations
from byheart.ranking.candidates import join
from byheart.ranking.dates import Period, periods
from byheart.ranking.named_time import DAY, NamedTime, closeness
from byheart.ranking.time_apart import TimeApart
from byheart.ranking.time_feasts import easter
from byheart.records import Record

NOW = datetime(2023, 6, 15, 12, tzinfo=UTC).timestamp()

PHRASES = {
    "today": "2023-06-15 2023-06-16",
    "this morning": "2023-06-15 2023-06-16",
    "yesterday": "2023-06-14 2023-06-15",
    "last Christmas": "2022-12-24 2022-12-27",
    "this Easter": "2023-04-07 2023-04-11",
    "Easter 2021": "2021-04-02 2021-04-06",
    "Good Friday 2023": "2023-04-07 2023-04-08",
    "Thanksgiving 2022": "2022-11-24 2022-11-25",
    "last New Year's Eve": "2022-12-31 2023-01-01",
    "last Valentine’s Day": "2023-02-14 2023-02-15",
    "past halloween": "2022-10-31 2022-11-01",
    "last night": "2023-06-14 2023-06-15",
    "the day before yesterday": "2023-06-13 2023-06-14",
    "this week": "2023-06-12 2023-06-19",
    "last week": "2023-06-05 2023-06-12",
    "last month": "2023-05-01 2023-06-01",
    "this month": "2023-06-01 2023-07-01",
    "last year": "2022-01-01 2023-01-01",
    "this year": "2023-01-01 2024-01-01",
    "last weekend": "2023-06-10 2023-06-12",
    "last Friday": "2023-06-09 2023-06-10",
    "last Thursday": "2023-06-08 2023-06-09",
    "on Thursday": "2023-06-15 2023-06-16",
    "on Monday": "2023-06-12 2023-06-13",
    "two weeks ago": "2023-05-29 2023-06-05",
    "3 days ago": "2023-06-12 2023-06-13",
    "a month ago": "2023-05-01 2023-06-01",
    "six months ago": "2022-12-01 2023-01-01",
    "a couple of years ago": "2021-01-01 2022-01-01",
    "in the last three days": "2023-06-12 2023-06-16",
    "the past few weeks": "2023-05-25 2023-06-16",
    "in the past year": "2022-06-15 2023-06-16",
    "over the past month": "2023-05-16 2023-06-16",
    "during the last week": "2023-06-08 2023-06-16",
    "this past week": "2023-06-08 2023-06-16",
    "this past weekend": "2023-06-10 2023-06-12",
    "over the weekend": "2023-06-10 2023-06-12",
    "a year ago": "2022-03-16 2022-09-15",
    "exactly a year ago": "2022-06-15 2022-06-16",
    "exactly two weeks ago": "2023-06-01 2023-06-02",
    "a year ago today": "2022-06-15 2022-06-16",
    "two weeks ago to the day": "2023-06-01 2023-06-02",
    "exactly four months ago": "2023-02-15 2023-02-16",
    "this time last year": "2022-05-31 2022-07-01",
    "around this time two years ago": "2021-05-31 2021-07-01",
    "half a year ago": "2022-10-30 2023-01-30",
    "a month and a half ago": "2023-04-27 2023-05-06",
    "two and a half years ago": "2020-10-30 2021-01-30",
    "an hour ago": "2023-06-15 2023-06-16",
    "twenty minutes earlier today": "2023-06-15 2023-06-16",
    "in the last 24 hours": "2023-06-14 2023-06-16",
    "two nights ago": "2023-06-13 2023-06-14",
    "a couple weeks ago": "2023-05-29 2023-06-05",
    "the week before last": "2023-05-29 2023-06-05",
    "the weekend before last": "2023-06-03 2023-06-05",
    "the month before last": "2023-04-01 2023-05-01",
    "Monday last week": "2023-06-05 2023-06-06",
    "last week on Tuesday": "2023-06-06 2023-06-07",
    "lately": "2023-05-16 2023-06-16",
    "recently": "2023-05-16 2023-06-16",
    "in recent months": "2023-02-15 2023-06-16",
    "the other day": "2023-06-05 2023-06-15",
    "the other week": "2023-05-16 2023-06-15",
    "最近": "2023-05-16 2023-06-16",
    "先日": "2023-06-05 2023-06-15",
    "ゆうべ": "2023-06-14 2023-06-15",
    "二週間前": "2023-05-29 2023-06-05",
    "十二日前": "2023-06-03 2023-06-04",
    "一年前": "2022-03-16 2022-09-15",
    "ちょうど一年前": "2022-06-15 2022-06-16",
    "半年前": "2022-10-30 2023-01-30",
    "数日前": "2023-06-11 2023-06-14",
    "去年の今頃": "2022-05-31 2022-07-01",
    "先月の今頃": "2023-05-14 2023-05-17",
    "ここ一ヶ月": "2023-05-16 2023-06-16",
    "過去3か月": "2023-03-17 2023-06-16",
    "先週末": "2023-06-10 2023-06-12",
    "last May": "2023-05-01 2023-06-01",
    "last June": "2022-06-01 2022-07-01",
    "in June": "2023-06-01 2023-07-01",
    "in December": "2022-12-01 2023-01-01",
    "in May 2021": "2021-05-01 2021-06-01",
    "in mid-May": "2023-05-11 2023-05-21",
    "in mid-November": "2022-11-11 2022-11-21",
    "at the beginning of June": "2023-06-01 2023-06-11",
    "at the end of February": "2023-02-21 2023-03-01",
    "in the middle of March 2021": "2021-03-11 2021-03-21",
    "earlier this week": "2023-06-12 2023-06-16",
    "earlier this month": "2023-06-01 2023-06-16",
    "earlier this year": "2023-01-01 2023-06-16",
    "a few weeks ago": "2023-05-11 2023-06-02",
    "several months ago": "2023-01-16 2023-04-17",
    "Sept. 2022": "2022-09-01 2022-10-01",
    "on 3 March": "2023-03-03 2023-03-04",
    "on the 3rd of March": "2023-03-03 2023-03-04",
    "March 3rd, 2021": "2021-03-03 2021-03-04",
    "on December 24": "2022-12-24 2022-12-25",
    "8 May, 2023": "2023-05-08 2023-05-09",
    "29 February": "2020-02-29 2020-03-01",
    "2023-05-08": "2023-05-08 2023-05-09",
    "2022/12/31": "2022-12-31 2023-01-01",
    "2023-05": "2023-05-01 2023-06-01",
    "2023-01": "2023-01-01 2023-02-01",
    "2022-12": "2022-12-01 2023-01-01",
    "in 2022": "2022-01-01 2023-01-01",
    "last summer": "2022-06-01 2022-09-01",
    "in summer": "2023-06-01 2023-09-01",
    "in the winter of 2021": "2021-12-01 2022-03-01",
    "last spring": "2023-03-01 2023-06-01",
    "昨日": "2023-06-14 2023-06-15",
    "きのう": "2023-06-14 2023-06-15",
    "きょう": "2023-06-15 2023-06-16",
    "おととい": "2023-06-13 2023-06-14",
    "おととし": "2021-01-01 2022-01-01",
    "ことし": "2023-01-01 2024-01-01",
    "今週": "2023-06-12 2023-06-19",
    "今月": "2023-06-01 2023-07-01",
    "2年前": "2021-01-01 2022-01-01",
    "2022年の秋": "2022-09-01 2022-12-01",
    "last autumn": "2022-09-01 2022-12-01",
    "two years earlier": "2021-01-01 2022-01-01",
    "on Saturday": "2023-06-10 2023-06-11",
    "in Jan 2020": "2020-01-01 2020-02-01",
    "tonight": "2023-06-15 2023-06-16",
    "一昨日": "2023-06-13 2023-06-14",
    "先週": "2023-06-05 2023-06-12",
    "先々月": "2023-04-01 2023-05-01",
    "先月": "2023-05-01 2023-06-01",
    "去年": "2022-01-01 2023-01-01",
    "一昨年": "2021-01-01 2022-01-01",
    "2023年5月": "2023-05-01 2023-06-01",
    "２０２３年５月８日": "2023-05-08 2023-05-09",
    "5月8日": "2023-05-08 2023-05-09",
    "12月": "2022-12-01 2023-01-01",
    "2021年": "2021-01-01 2022-01-01",
    "3日前": "2023-06-12 2023-06-13",
    "2週間前": "2023-05-29 2023-06-05",
    "3か月前": "2023-03-01 2023-04-01",
    "去年の5月": "2022-05-01 2022-06-01",
    "去年の夏": "2022-06-01 2022-09-01",
    "金曜日": "2023-06-09 2023-06-10",
    "先週の月曜": "2023-06-05 2023-06-06",
    "a fortnight ago": "2023-05-29 2023-06-05",
    "the last fortnight": "2023-06-01 2023-06-16",
    "24/12/2022": "2022-12-24 2022-12-25",
    "12/24/2022": "2022-12-24 2022-12-25",
    "24/01/2022": "2022-01-24 2022-01-25",
    "03-03-2023": "2023-03-03 2023-03-04",
    "Q3 2022": "2022-07-01 2022-10-01",
    "2022 Q3": "2022-07-01 2022-10-01",
    "in Q3": "2022-07-01 2022-10-01",
    "in Q2": "2023-04-01 2023-07-01",
    "the third quarter of 2022": "2022-07-01 2022-10-01",
    "last quarter": "2023-01-01 2023-04-01",
    "this quarter": "2023-04-01 2023-07-01",
    "two quarters ago": "2022-10-01 2023-01-01",
    "im Mai": "2023-05-01 2023-06-01",
    "im März 2022": "2022-03-01 2022-04-01",
    "am 15. März": "2023-03-15 2023-03-16",
    "am 3.2.": "2023-02-03 2023-02-04",
    "15.03.2023": "2023-03-15 2023-03-16",
    "vorgestern": "2023-06-13 2023-06-14",
    "letzte Woche": "2023-06-05 2023-06-12",
    "vor drei Wochen": "2023-05-22 2023-05-29",
    "am Montag": "2023-06-12 2023-06-13",
    "letzten Donnerstag": "2023-06-08 2023-06-09",
    "en février": "2023-02-01 2023-03-01",
    "le 14 juillet 2022": "2022-07-14 2022-07-15",
    "la semaine dernière": "2023-06-05 2023-06-12",
    "il y a deux mois": "2023-04-01 2023-05-01",
    "en enero": "2023-01-01 2023-02-01",
    "el 8 de abril de 2022": "2022-04-08 2022-04-09",
    "hace tres días": "2023-06-12 2023-06-13",
    "el mes pasado": "2023-05-01 2023-06-01",
    "ayer": "2023-06-14 2023-06-15",
}
STRETCHES = {
    "since April": "2023-04-01 2023-06-16",
    "since the beginning of May": "2023-05-01 2023-06-16",
    "since mid-April": "2023-04-11 2023-06-16",
    "until the end of March": "0001-01-01 2023-04-01",
    "since 2021": "2021-01-01 2023-06-16",
    "since Monday": "2023-06-12 2023-06-16",
    "since Easter": "2023-04-07 2023-06-16",
    "since Good Friday": "2023-04-07 2023-06-16",
    "between Christmas and New Year": "2022-12-24 2023-01-02",
    "after Thanksgiving": "2022-11-25 2023-06-16",
    "the week before Christmas": "2022-12-17 2022-12-24",
    "since half a year ago": "2022-10-30 2023-06-16",
    "since last summer": "2022-06-01 2023-06-16",
    "since two weeks ago": "2023-05-29 2023-06-16",
    "from May onwards": "2023-05-01 2023-06-16",
    "from 3 March on": "2023-03-03 2023-06-16",
    "after 3 March": "2023-03-04 2023-06-16",
    "after Q1 2023": "2023-04-01 2023-06-16",
    "later than 2021": "2022-01-01 2023-06-16",
    "before 2020": "0001-01-01 2020-01-01",
    "before March": "0001-01-01 2023-03-01",
    "prior to yesterday": "0001-01-01 2023-06-14",
    "until April": "0001-01-01 2023-05-01",
    "up to 3 March": "0001-01-01 2023-03-04",
    "between 1 March and 30 April": "2023-03-01 2023-05-01",
    "between March and May": "2023-03-01 2023-06-01",
    "between March and May 2021": "2021-03-01 2021-06-01",
    "from November to February": "2022-11-01 2023-03-01",
    "between 2019 and 2021": "2019-01-01 2022-01-01",
    "between Monday and Wednesday": "2023-06-12 2023-06-15",
    "between last Monday and yesterday": "2023-06-12 2023-06-15",
    "between 3 and 5 March": "2023-03-03 2023-03-06",
    "from the 28th to 2 March 2021": "2021-02-28 2021-03-03",
    "3-5 March": "2023-03-03 2023-03-06",
    "March 3rd to April 2nd": "2023-03-03 2023-04-03",
    "2023-03-01 to 2023-03-31": "2023-03-01 2023-04-01",
    "March - May 2022": "2022-03-01 2022-06-01",
    "1 March–30 April": "2023-03-01 2023-05-01",
    "2019-2021": "2019-01-01 2022-01-01",
    "the day before 3 March": "2023-03-02 2023-03-03",
    "the week before 3 March": "2023-02-24 2023-03-03",
    "two weeks after 3 March": "2023-03-11 2023-03-18",
    "3 days after 3 March": "2023-03-06 2023-03-07",
    "the Monday before 3 March 2023": "2023-02-27 2023-02-28",
    "the May before 2021": "2020-05-01 2020-06-01",
    "the day after last Monday": "2023-06-13 2023-06-14",
    "4月から": "2023-04-01 2023-06-16",
    "昨日以降": "2023-06-14 2023-06-16",
    "2021年から2022年まで": "2021-01-01 2023-01-01",
    "3月1日から4月30日まで": "2023-03-01 2023-05-01",
    "3月と5月の間": "2023-03-01 2023-06-01",
    "2020年以前": "0001-01-01 2021-01-01",
    "2020年より前": "0001-01-01 2020-01-01",
    "3月3日より後": "2023-03-04 2023-06-16",
}
NOTHING = [
    "May I come in?", "march on", "she will fall", "spring a leak", "in 12 steps", "version 2023", "1.2.2023", "99月",
    "", "on 31 February", "2023-13-01", "in May 2024", "8 May 2024", "next week", "2024年", "last", "a month",
    "maybe 5", "the decisions in a march", "call 2023-555", "augustus 5", "since then", "before lunch",
    "from Ann to Bob", "between us", "13/13/2022", "since the kettle broke", "after 2024", "the file 1/2/20233",
    "up to 12", "for Christmas", "an Easter egg", "Christmas 2023", "thanksgiving dinner", "a new year's resolution",
    "most recently", "the other one", "the weekend", "my other phone", "too late", "二人前",
]  # fmt: skip


def days(named: tuple[Period, ...]) -> list[str]:
    """Return the first day of each period, and the one behind its last."""
    return [" ".join(f"{datetime.fromtimestamp(at, UTC):%4Y-%m-%d}" for at in period[:2]) for period in named]


@pytest.mark.parametrize(("phrase", "expected"), PHRASES.items())
@pytest.mark.parametrize("around", ["{}", "What did Ann say {}?", "{} and the kettle"])
def test_what_a_phrase_means(phrase: str, expected: str, around: str) -> None:
    assert days(periods(around.format(phrase), NOW)) == [expected]
    assert days(periods(around.format(phrase).upper(), NOW)) == [expected]


@pytest.mark.parametrize(("phrase", "expected"), STRETCHES.items())
@pytest.mark.parametrize("around", ["{}", "What did Ann say {}?", "{} and the kettle"])
def test_what_a_stretch_means(phrase: str, expected: str, around: str) -> None:
    assert days(periods(around.format(phrase), NOW)) == [expected]
    assert days(periods(around.format(phrase).upper(), NOW)) == [expected]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    {
        "the kettle day before 3 March": ["2023-03-02 2023-03-03"],
        "the day before yesterday": ["2023-06-13 2023-06-14"],
        "recently in May": ["2023-05-01 2023-06-01"],  # which says more
        "03/04/2023": ["2023-03-04 2023-03-05", "2023-04-03 2023-04-04"],
        "12/05/2023": ["2023-05-12 2023-05-13"],  # the fifth of December is not yet
        "between 31 and 3 March": ["2023-03-03 2023-03-04"],  # there is no such stretch: the day that is named
        "since 31 February": [],
        "between April and 31 February": [],
    }.items(),
)
def test_what_is_no_stretch(phrase: str, expected: list[str]) -> None:
    assert days(periods(phrase, NOW)) == expected


def test_an_open_side_is_measured_by_the_time_that_bounds_it() -> None:
    [since], [before] = periods("since April", NOW), periods("before 2022", NOW)
    assert (since.length, before.length) == (30 * DAY, 365 * DAY)
    assert closeness(since.start - 3 * DAY, [since]) == 0.5 and closeness(NOW, [since]) == 1.0
    assert closeness(0.0, [before]) == 1.0 and closeness(before.end + 36.5 * DAY, [before]) == 0.5


@pytest.mark.parametrize("text", NOTHING)
def test_what_names_no_time(text: str) -> None:
    assert periods(text, NOW) == ()


def test_several_stand_in_order_and_none_is_read_twice() -> None:
    named = periods("In May 2022, on 8 May 2021 or last Friday?", NOW)
    assert days(named) == ["2022-05-01 2022-06-01", "2021-05-08 2021-05-09", "2023-06-09 2023-06-10"]
    assert [period.words for period in named] == ["may 2022", "8 may 2021", "last friday"]


def test_the_time_of_asking_decides() -> None:
    assert days(periods("in May", datetime(2023, 5, 1, tzinfo=UTC).timestamp())) == ["2023-05-01 2023-06-01"]
    assert days(periods("in May", datetime(2023, 4, 30, tzinfo=UTC).timestamp())) == ["2022-05-01 2022-06-01"]
    assert days(periods("yesterday", 0.0)) == ["1969-12-31 1970-01-01"]
    assert periods("yesterday", 9e11) == () and periods("yesterday", float("inf")) == ()


SIGNS = ["since", "before", "between", "and", "to", "-", "から", "0", "9999年", "999 years ago"]
pieces = st.sampled_from([*PHRASES, *STRETCHES, *NOTHING, *SIGNS])


@given(st.text(max_size=60) | st.lists(pieces, max_size=6).map(" ".join), st.floats(-6e10, 6e10))
def test_every_text_is_read(text: str, now: float) -> None:
    for start, end, words, _ in periods(text, now):
        assert start < end and start <= now and words


# ---- the stage

somewhen = st.floats(-1e6, 1e6)
period = st.tuples(somewhen, st.floats(1.0, 1e5)).map(lambda pair: Period(pair[0], pair[0] + pair[1]))


@given(st.lists(period, max_size=3), somewhen, somewhen, st.floats(0.0, 1e5))
def test_nearness_is_bounded_and_falls_with_distance(
    named: list[Period], one: float, other: float, slack: float
) -> None:
    assert 0.0 <= closeness(one, named, slack) <= 1.0
    assert all(closeness(each.start, named, slack) == 1.0 for each in named)
    if len(named) == 1:
        far = [max(named[0].start - moment, moment - named[0].end, 0.0) for moment in (one, other)]
        nearer, further = (one, other) if far[0] <= far[1] else (other, one)
        assert closeness(nearer, named, slack) >= closeness(further, named, slack) > 0.0


@given(st.lists(st.none() | somewhen, min_size=1, max_size=6), st.floats(0.0, 1.0), st.booleans())
def test_the_stage_keeps_its_promises(made: list[float | None], share: float, asked: bool) -> None:
    scored = [(f"r{row}", 1.0 / (row + 1)) for row in range(len(made))]
    table = join({"lexical": scored}).scored("words", "add", [score for _, score in scored])
    table = table.with_columns({"created_at": made, "valid_from": [None] * len(made)})
    context = StageContext(now=NOW, k=3, query="yesterday" if asked else "kettle")
    assert violations(NamedTime(share), table, context) == []
    after = NamedTime(share)(table, context)
    gained = [new - old for new, old in zip(after.scores(), table.scores(), strict=True)]
    assert all(0.0 <= each <= share + 1e-12 for each in gained)
    if not asked or share == 0.0:
        assert after is table


def test_records_of_the_time_come_first_and_nothing_else_changes() -> None:
    memory = Memory()
    at = {"may": NOW - 30 * DAY, "june": NOW - 2 * DAY, "old": NOW - 400 * DAY}
    for id, moment in at.items():
        memory.remember(f"the kettle leaks {id}", id=id, created_at=moment)
    memory.remember("the kettle leaks for long", id="valid", created_at=at["june"], valid_from=at["may"])
    plain = profiles.get("kb-fast")
    profile = replace(plain, name="dated", stages=(*plain.stages[:1], NamedTime(0.5), *plain.stages[1:]))

    found = memory.recall("kettle last May", 10, profile, now=NOW, explain=True)
    assert {hit.id for hit in found.hits[:2]} == {"may", "valid"}
    assert all(hit.explanation.recomputed() == hit.score for hit in found)
    assert "nearness to last may" in str(found.hits[0].explanation)
    scores = {hit.id: hit.score for hit in found}
    for other in (
        memory.recall("kettle last May", 1, profile, now=NOW),
        memory.recall("kettle last May", 10, profile, now=NOW, where={"id": ["may", "old"]}),
    ):
        assert all(scores[hit.id] == hit.score for hit in other)
    undated = [(hit.id, hit.score) for hit in memory.recall("kettle leaks", 10, profile, now=NOW)]
    assert undated == [(hit.id, hit.score) for hit in memory.recall("kettle leaks", 10, "kb-fast", now=NOW)]
    assert Profile.from_dict(profile.to_dict()) == profile and profile.worst_case()[1]["time"] == 0.5


@pytest.mark.parametrize("settings", [{"share": 1.5}, {"share": -0.1}, {"share": 0.1, "slack_days": -1.0}])
def test_settings_are_checked(settings: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument):
        NamedTime(**settings)


def test_easter_is_that_of_the_tables() -> None:
    """Sundays as almanacs print them, the earliest and the latest there can be among them."""
    told = [
        "1818-03-22",
        "1943-04-25",
        "1961-04-02",
        "2000-04-23",
        "2008-03-23",
        "2019-04-21",
        "2025-04-20",
        "2285-03-22",
    ]
    assert [easter(int(day[:4])).isoformat() for day in told] == told
    assert all(easter(year).weekday() == 6 for year in range(1600, 4100))


@pytest.mark.parametrize(
    ("right", "at", "other", "question"),
    [
        ("Mia lost a tooth.", 1, "Mia started school this week.", "What did Mia do this week?"),
        ("We saw a heron at the pond.", 1, "We saw a film yesterday.", "What did we see yesterday?"),
        ("I met Rosa.", 8, "I met Paul last week.", "Who did I meet last week?"),
        ("Ole cooked lentils.", 32, "Ole cooked a goose last month.", "What did Ole cook last month?"),
    ],
)
def test_words_of_a_time_count_for_nothing_where_a_record_lies_elsewhere(
    right: str, at: int, other: str, question: str
) -> None:
    memory = Memory()
    memory.remember(other, created_at=NOW - 120 * DAY)
    memory.remember(right, created_at=NOW - at * DAY)
    hits = memory.recall(question, now=NOW)
    assert [hit.text for hit in hits] == [right, other]
    assert "is of the time that the question names" in str(memory.explain(question, hits[0].id, now=NOW))
    absolute = memory.remember("The choir sings on 3 March.", created_at=NOW - 300 * DAY)
    assert memory.recall("When does the choir sing?", now=NOW)[0].id == absolute


def test_a_record_lies_in_the_time_that_is_named_or_in_another() -> None:
    apart = TimeApart("Who did I meet last week?", NOW)
    told = [Record(text="I met Rosa.", created_at=NOW - back * DAY) for back in (8, 120)]
    assert list(map(apart.lies_in_it, told)) == [True, False]


def test_of_what_lies_around_a_year_ago_the_nearest_comes_first() -> None:
    memory = Memory()
    for back in (290, 366, 420):
        memory.remember(f"The museum of note {back}.", id=str(back), created_at=NOW - back * DAY)
    assert [hit.id for hit in memory.recall("Where were we a year ago?", now=NOW)] == ["366", "420", "290"]


def test_the_day_of_the_other_day_is_no_topic() -> None:
    memory = Memory()
    memory.remember("Take the drops twice a day.", id="drops", created_at=NOW - 4 * DAY)
    memory.remember("Ole phoned about the tax.", id="tax", created_at=NOW - 4 * DAY)
    memory.remember("The vet is open all night.", id="vet", created_at=NOW - 4 * DAY)
    assert memory.recall("Who phoned the other day?", now=NOW)[0].id == "tax"
    assert memory.recall("Who phoned the other night?", now=NOW)[0].id == "tax"
    assert memory.recall("What do I take every other day?", now=NOW)[0].id == "drops"


@pytest.mark.parametrize(
    ("named", "right", "others"),
    [
        ("in the past year", 140, (500, 900)),
        ("a year ago", 420, (170, 730)),
        ("exactly two weeks ago", 14, (11, 300)),
        ("lately", 14, (300, 900)),
        ("the other day", 3, (40, 1_000)),
        ("一年前", 300, (170, 730)),
    ],
)
def test_what_lies_so_far_from_now_comes_first(named: str, right: int, others: tuple[int, ...]) -> None:
    memory = Memory()
    for back in (right, *others):
        memory.remember(f"The museum of note {back}.", id=str(back), created_at=NOW - back * DAY)
    assert memory.recall(f"Which museum did we see {named}?", now=NOW)[0].id == str(right)
