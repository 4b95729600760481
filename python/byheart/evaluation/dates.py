"""Dates of judged collections, in the forms in which their authors write them. A time without a zone counts as UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

_FORMS: Final = ("%I:%M %p on %d %B, %Y", "%Y/%m/%d %H:%M", "%Y/%m/%d", "%d %B, %Y")
_WEEKDAY = re.compile(r"\s*\([A-Za-z]{3,9}\)\s*")


def moment(text: str) -> float | None:
    """Return a date as epoch seconds; None of what is no date in a known form.

    Known are ISO 8601, "1:56 pm on 8 May, 2023" and "2023/05/20 (Sat) 02:21".

    >>> moment("1:56 pm on 8 May, 2023"), moment("2023/05/20 (Sat) 02:21"), moment("in spring")
    (1683554160.0, 1684549260.0, None)
    """
    plain = _WEEKDAY.sub(" ", text).strip()
    try:
        return _in_utc(datetime.fromisoformat(plain))
    except ValueError:
        pass
    for form in _FORMS:
        try:
            return _in_utc(datetime.strptime(plain, form))
        except ValueError:
            continue
    return None


def _in_utc(when: datetime) -> float:
    return (when if when.tzinfo is not None else when.replace(tzinfo=UTC)).timestamp()
