"""The stage that prefers records of the time which a question names: "last May", "on 3 March", "昨日"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final

from ..light.classes import dataclass
from ..validation import check_between, check_share
from .algebra import Influence, Stage, StageContext
from .candidates import Candidates, RowKey
from .dates import Period, periods
from .explanation import shown

DAY = 86_400.0
BORDER: Final = 0.1
"""Of a long period so much counts as its length, by which distances are measured: what lies a month beside a year lies
outside it. With this and the next constant, of one kind of event at 828 named times 740 are found first, and 730 with
the whole length on both sides; locomo-dev stays as it is (nDCG@10 .6523, and .6520)."""
TOLD_AFTER: Final = 14 * DAY
"""Behind a period a quarter of its length counts, up to this."""
_SAID: Final = "what the question names"


def closeness(moment: float, named: Sequence[Period], slack: float = 0.0) -> float:
    """Return how near a moment lies to the nearest of some periods: 1 inside, 1 / (1 + distance / length) outside.

    A tenth counts of the period's length, or all of the slack, if that is longer; behind it a quarter, up to two weeks.

    Args:
        moment: in epoch seconds.
        named: what a question names; none gives 0.
        slack: the least length in seconds, so that a day's neighbours do not count as far away.

    >>> may = Period(0.0, 10.0)
    >>> closeness(5.0, [may]), closeness(12.5, [may]), closeness(-10.0, [may], slack=30.0), closeness(5.0, [])
    (1.0, 0.5, 0.75, 0.0)

    """
    return nearness(named, slack)(moment)


def nearness(named: Sequence[Period], slack: float) -> Callable[[float], float]:
    """Return what tells how near a moment lies to the nearest of some periods, as `closeness` does.

    >>> near = nearness([Period(0.0, 10.0)], 0.0)
    >>> near(5.0), near(12.5)
    (1.0, 0.5)

    """
    spans = [(period.start, period.end, *_lengths(period, slack)) for period in named]

    def near(moment: float) -> float:
        best = 0.0
        for start, end, before, behind in spans:
            if start <= moment <= end:
                return 1.0
            distance, length = (start - moment, before) if moment < start else (moment - end, behind)
            if length > 0.0:
                best = max(best, 1.0 / (1.0 + distance / length))
        return best

    return near


def _moment(
    begins: float | None, made: float | None, again: float | None, near: Callable[[float], float]
) -> float | None:
    """Return the time of a record, of when it begins to hold, was said first, and was said last."""
    if begins is not None or made is None or again is None:
        return made if begins is None else begins
    return again if near(again) > near(made) else made


def _near(moment: float, period: Period, slack: float) -> float:
    distance, length = _away(moment, period, slack)
    return 1.0 / (1.0 + distance / length) if length > 0.0 else float(distance == 0.0)


def _away(moment: float, period: Period, slack: float) -> tuple[float, float]:
    """Return how far a moment lies from a period, and how long that counts as, in seconds."""
    before, behind = _lengths(period, slack)
    return max(period.start - moment, moment - period.end, 0.0), behind if moment > period.end else before


def _lengths(period: Period, slack: float) -> tuple[float, float]:
    """Return what counts as a period's length before and behind it: people tell of a time in the weeks after it."""
    before = max(BORDER * period.length, slack)
    return before, max(before, min(period.length / 4, TOLD_AFTER))


@dataclass(frozen=True, slots=True)
class NamedTime(Stage):
    """Adds a share of how near a record's time lies to a time that the question names; nothing where it names none.

    The time of a record is when it begins to hold, or else when it was said, be it the first or the last time: what
    lies nearer. One without any of these gets nothing. A record that says the day or the time of day itself, in
    whichever way it writes it, lies in it: "am" and "may" are function words of English, too, so that no index of
    words tells "3 May" from "3 June".

    Measured on the 916 judged questions of locomo-dev, 120 of which name a time, over words whose best score is 1
    (nDCG@10 of these 120, with its interval of 95 %): a share of 0.2 adds 0.011 (0.000 to 0.025), 0.5 adds 0.022 (0.006
    to 0.040), 0.7 adds 0.028 (0.010 to 0.045), 1 adds 0.038 (0.018 to 0.059). A slack of 0, 3, 7, 14 or 30 days makes
    no difference that is sure. In the profile `auto` a share of 0.2 with a slack of 3 days adds 0.0125 over all
    questions (0.0076 to 0.0174), 0.0027 more than one of 0.1 with 7 days (0.0005 to 0.0049).

    Attributes:
        share: what a record inside the period gets, 0 to 1; 0 turns the stage off.
        slack_days: the least length by which distances are measured: people tell of a day in the days after it.

    """

    share: float
    slack_days: float = 7.0

    name: ClassVar[str] = "named time"
    inputs: ClassVar[tuple[str, ...]] = ("created_at", "valid_from", "seen_at")
    range: ClassVar[tuple[float, float] | None] = (0.0, 2.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1}
    bare: ClassVar[bool] = True
    reads_times: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_share("share", self.share)
        check_between("slack_days", self.slack_days, 0.0, 36_525.0)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the summand in the column "named_time", if the question names a time."""
        named = periods(context.query, context.now) if self.share > 0.0 else ()
        says = [self.share > 0.0 and key in context.saying for key in table.keys]
        if not named and not any(says):
            return table
        near = nearness(named, self.slack_days * DAY)
        made, valid, seen = (table.columns.get(name, (None,) * len(table.keys)) for name in self.inputs)
        moments = [_moment(*times, near) for times in zip(valid, made, seen, strict=True)]
        nears = [None if at is None or not named else near(at) for at in moments]
        nears = [1.0 if is_said else each for is_said, each in zip(says, nears, strict=True)]
        words = ", ".join(period.words for period in named) or _SAID
        summands = [None if each is None else self.share * each for each in nears]
        return table.scored("named_time", "add", summands, detail=f"{self.share:g} x nearness to {words}")

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return how many days a row lies from the nearest time that the question names, and how many that counts."""
        row, slack, share = after.row(key), self.slack_days * DAY, shown(self.share)
        if key in context.saying and "named_time" in row:
            return {"named_time": f"{share}: it says {_SAID}"}
        near = nearness(periods(context.query, context.now), slack)
        moment = _moment(row.get("valid_from"), row.get("created_at"), row.get("seen_at"), near)
        if moment is None or "named_time" not in row:
            return {}
        named = periods(context.query, context.now)
        period = max(named, key=lambda each: _near(moment, each, slack))
        distance, length = _away(moment, period, slack)
        if distance == 0.0:
            return {"named_time": f"{share}: nearness to {period.words}, which it lies in"}
        days, of = shown(distance / DAY), shown(length / DAY)
        told = f"nearness to {period.words}, {days} days away, which counts as {of} days long"
        return {"named_time": f"{share} / (1 + {days} / {of}): {told}"}

    def influence(self) -> tuple[Influence, ...]:
        """Return that a named time adds up to the share."""
        return (Influence("named_time", "time", "add", 0.0, self.share),) if self.share > 0.0 else ()
