"""Times as text: wherever a time is taken, ISO text with a time zone says the same as the number of seconds."""

from datetime import UTC, datetime

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
    ],
)
def test_text_with_a_zone_is_a_time(text: str, seconds: float) -> None:
    assert epoch_seconds("now", text) == seconds


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("noon", "now: 'noon' is no ISO time; write '2026-05-03T00:00:00Z'"),
        ("", "now: '' is no ISO time"),
        ("86400", "now: '86400' is no ISO time"),
        ("2026-05-03", "now: 2026-05-03 00:00:00 has no time zone"),
        ("2026-05-03T00:00:00", "has no time zone"),
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
