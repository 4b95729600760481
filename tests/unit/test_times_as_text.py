"""Times as text: wherever a time is taken, ISO text says the same as the seconds; what names no zone is in UTC."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

import byheart
from byheart.errors import InvalidArgument
from byheart.validation import epoch_seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02T00:00:00Z", 86_400.0),
        ("1970-01-02T01:00:00+01:00", 86_400.0),
        ("1969-12-31T23:59:59.5+00:00", -0.5),
        ("0001-01-01T00:00:00+14:00", -62_135_647_200.0),
        ("1970-01-02", 86_400.0),
        ("1970-01-02T06:00:00", 108_000.0),
        ("1970-01-02 06:00", 108_000.0),
    ],
)
def test_iso_text_is_a_time(text: str, seconds: float) -> None:
    assert epoch_seconds("now", text) == seconds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("noon", "now: 'noon' is no ISO time; write '2026-05-03'"),
        ("", "now: '' is no ISO time"),
        ("86400", "now: '86400' is no ISO time"),
        ("2026-02-30", "now: '2026-02-30' is no ISO time"),
        ("2026-05-03T25:00:00", "is no ISO time"),
        ("9" * 1_000_000, "is no ISO time"),
    ],
)
def test_any_other_text_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        epoch_seconds("now", text)
    assert message in str(caught.value) and len(str(caught.value)) < 200


def test_a_recall_is_told_the_time_in_every_form() -> None:
    with byheart.Memory() as memory:
        memory.remember("the lamp is lent", id="lent", created_at=0, expires_at="1970-01-02T00:00:00Z")
        memory.remember("the lamp is ours", id="ours", created_at="1970-01-01T00:00:00Z")
        for hour, expected in ((23, ["lent", "ours"]), (25, ["ours"])):
            moment = datetime.fromtimestamp(hour * 3600, UTC)
            replies = [memory.recall("lamp", now=now) for now in (moment, moment.isoformat(), moment.timestamp())]
            assert [sorted(hit.id for hit in reply) for reply in replies] == [expected] * 3
            assert [reply.receipt for reply in replies] == [replies[0].receipt] * 3


@pytest.mark.parametrize(
    ("moment", "seconds"),
    [
        (datetime(1970, 1, 2), 86_400.0),
        (date(1970, 1, 2), 86_400.0),
        (datetime(1970, 1, 2, 1, tzinfo=timezone(timedelta(hours=1))), 86_400.0),
        (datetime.max, 253_402_300_799.99997),  # the last number that lies in the year 9999
    ],
)
def test_what_names_no_zone_is_in_utc_wherever_it_is_read(moment: date, seconds: float) -> None:
    assert epoch_seconds("now", moment) == seconds


TAKES: dict[str, Callable[[byheart.Memory, Any], Any]] = {
    "since": lambda memory, time: memory.recall("tea", since=time, now=0),
    "until": lambda memory, time: memory.recall("tea", until=time, now=0),
    "now": lambda memory, time: memory.recall("tea", now=time),
    "explain now": lambda memory, time: str(memory.explain("tea", "old", now=time)),
    "context now": lambda memory, time: memory.context("tea", 100, now=time).text,
    "where": lambda memory, time: memory.records({"created_at": {">": time}}),
    "where equal": lambda memory, time: memory.count({"created_at": time}),
    "field": lambda memory, time: memory.count(byheart.field("expires_at") <= time),
    "search now": lambda memory, time: [item.score for item in memory.search("tea", now=time)],
    "touch": lambda memory, time: (memory.touch(["old"], now=time), memory.get("old")),
    "decay": lambda memory, time: memory.decay(now=time),
    "update": lambda memory, time: (memory.update("old", valid_to=time, updated_at=time), memory.get("old")),
    "ingest_turn": lambda memory, time: (
        memory.ingest_turn("more tea, please", session_id="s", id="t", created_at=time, now=time), memory.get("t"),
    ),
    "compact": lambda memory, time: memory.compact("s", force=True, now=time),
    "observe": lambda memory, time: memory.observe("chat", "tea", now=time),
    "purge": lambda memory, time: memory.purge(now=time),
}  # fmt: skip


@pytest.mark.parametrize("verb", TAKES)
def test_every_verb_takes_every_form_of_a_time(verb: str) -> None:
    told = []
    for time in (1_772_496_000.0, "2026-03-03", "2026-03-03T01:00:00+01:00", date(2026, 3, 3)):
        with byheart.Memory() as memory:
            for id, made in (("old", "2026-03-02T23:59:59"), ("same", "2026-03-03"), ("new", "2026-03-03T00:00:01")):
                memory.remember(f"tea, {id}", id=id, created_at=made, expires_at="2027-01-01")
            told.append(TAKES[verb](memory, time))
    assert told == [told[0]] * 4


def test_a_record_keeps_what_iso_text_says() -> None:
    made = byheart.Record(text="-", **dict.fromkeys(("created_at", "expires_at", "valid_from"), "2026-03-03"))
    assert (made.created_at, made.expires_at, made.valid_from) == (1_772_496_000.0,) * 3
