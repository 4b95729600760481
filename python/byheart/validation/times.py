"""Times as epoch seconds, from what calendars and clocks give."""

from __future__ import annotations

import time
from math import nextafter
from typing import Any

from ..errors import InvalidArgument
from .messages import shortly
from .numbers import plain_number
from .texts import plain_text

_YEAR_10000 = 253_402_300_800.0
_LAST = nextafter(_YEAR_10000, 0.0)  # calendars end with the year 9999


def epoch_seconds(what: str, value: Any) -> float | None:
    """Return a time as epoch seconds: from a datetime, a date, ISO text, or a finite number of seconds.

    What names no time zone is in UTC, on every machine, and a date alone is its first moment. The last moment of the
    year 9999, which seconds would round up, stays in that year.

    >>> from datetime import datetime, timezone
    >>> epoch_seconds("created_at", datetime(2026, 1, 1, tzinfo=timezone.utc))
    1767225600.0
    >>> epoch_seconds("now", "2026-01-01T01:00:00+01:00"), epoch_seconds("now", "2026-01-01")
    (1767225600.0, 1767225600.0)
    """
    if value is None:
        return None
    if isinstance(value, str):
        value = _of_iso(what, plain_text(value))
    if hasattr(value, "toordinal"):
        try:
            return _of_date(value)
        except (ValueError, TypeError, OverflowError):  # as pandas' NaT, which is no time
            raise InvalidArgument(f"{what}: {value} names no time") from None
    seconds = plain_number(value)
    if seconds is None:
        raise TypeError(f"{what} must be a datetime, ISO text or epoch seconds, not {type(value).__name__}")
    if not abs(seconds) < 1e12:  # NaN fails here too; the range is some 30,000 years
        hint = "; if it counts milliseconds, divide it by 1,000" if 1e12 <= abs(seconds) < 1e15 else ""
        raise InvalidArgument(f"{what}: {shortly(value)} is no usable number of seconds{hint}")
    return float(seconds)


def call_time(now: Any) -> float:
    """Return the time of a call in epoch seconds: what was given as `now`, or the clock's.

    >>> call_time(5), call_time(None) > 1.7e9
    (5.0, True)
    """
    moment = epoch_seconds("now", now)
    return time.time() if moment is None else moment


def _of_iso(what: str, text: str) -> Any:
    from datetime import datetime  # on use: most times are numbers

    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise InvalidArgument(
            f"{what}: {text[:60]!r} is no ISO time; write '2026-05-03', or '2026-05-03T18:30:00+02:00'"
        ) from None


def _of_date(value: Any) -> float:
    """Return the epoch seconds of a datetime, or of the first moment of a date; in UTC where it names no zone."""
    from datetime import UTC, datetime

    if not hasattr(value, "utcoffset"):
        value = datetime(value.year, value.month, value.day)
    seconds = float((value.replace(tzinfo=UTC) if value.utcoffset() is None else value).timestamp())
    return _LAST if seconds == _YEAR_10000 else seconds
