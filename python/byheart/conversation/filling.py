"""The filling of a context: hits and the turns beside them, as many as fit, in order of time.

rank      a turn told beside a hit is worth a share of what the hit is; hits and turns stand in one order of worth, in
          which turns change places by what else speaks for them (see `leaning`)
fit       first fit in that order; of a long entry that does not fit a passage is shown, which says so; where a newer
          statement does not fit, older ones that say nearly the same are out too: read alone, they would mislead
read      what was told in one session stands together, oldest first; sessions stand by their best entry

Pure: records, scores and costs in, choices out. Not here: who is asked for hits and neighbours; see `context`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Final

from ..errors import InvalidArgument
from ..knowledge import lowered
from ..light.classes import dataclass
from ..ranking.budget import ACCEPTED, OVER_BUDGET, exactly
from ..records import Record
from ..storage import key_of
from ..validation import check_share, check_whole
from .candidates import Candidate, session_of, told
from .leaning import Leaning

FILL: Final = "fill"
CUT: Final = "cut"
OUTDATED: Final = "outdated"
MAX_DEEP: Final = 100
_MOST_OF_ONE: Final = 0.5
"""The share of a budget that a part of one entry takes at first: what else fits is shown, and it takes what is left."""

Part = Callable[[str, Fraction, Callable[[str], float], float], "tuple[str, float] | None"]

Beside = tuple[Sequence[Record], Sequence[Record]]
"""What was told right before a record, and right after it, the nearest first."""


@dataclass(frozen=True, slots=True)
class Filling:
    """How a context is filled.

    Attributes:
        before, after: what a turn told one step, two steps ... before a hit is worth, or after it, as shares of what
            the hit is. Chosen by the gold turns in blocks of 500, 1,000 and 2,000 tokens: on locomo-dev .639, .696 and
            .777 are inside; with .5, .4 and .8, .5 they are .630, .698 and .771.
        least: tokens that a part of a long entry has at least.
        long: the share of the budget above which an entry is cut in its turn; shorter ones only into what is left over.
        leaning: what speaks for a turn beside that.
        deep: so many times as many records as otherwise are found by their words, where a call does not say how many
            hits it wants; of a turn and its durable copy, which are both found, one is shown.

    """

    before: tuple[float, ...] = (0.3, 0.2)
    after: tuple[float, ...] = (0.5, 0.3)
    least: float = 30
    long: float = 0.25
    leaning: Leaning = field(default_factory=Leaning)
    deep: int = 3

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("before", "after"):
            for share in getattr(self, name):
                check_share(name, share)
        check_share("long", self.long)
        check_whole("deep", self.deep, 1, MAX_DEEP)
        if not isinstance(self.leaning, Leaning):
            raise TypeError(f"leaning must be a Leaning, not {type(self.leaning).__name__}")
        if not self.least >= 1:
            raise InvalidArgument(f"least: is {self.least}; give at least 1 token")

    @property
    def reach(self) -> int:
        """How many steps around a hit are looked at."""
        return max(len(self.before), len(self.after))


@dataclass(frozen=True, slots=True)
class Choice:
    """What became of a candidate.

    Attributes:
        candidate: of which.
        text: what is shown of it; None if it is out.
        reason: "accepted", "cut", "over_budget" or "outdated".

    """

    candidate: Candidate
    text: str | None
    reason: str


def ranked(
    hits: Sequence[tuple[Record, float]],
    beside: Sequence[Beside],
    how: Filling,
    behind: Sequence[tuple[Candidate, float]] = (),
) -> list[Candidate]:
    """Return hits and what was told beside them, in order of worth; what says the same as one of them only once.

    What was told is given of the first hits; of the others, nothing. A hit is worth its score, and no more than the
    hits before it; a turn the most that a hit makes it worth. Of equal worth hits come first, then what stands beside
    the better hit. `behind`: what stands behind summaries, and what it is worth.

    >>> tea, time = Record(text="Tea is at four.", id="a"), Record(text="At four? Fine.", id="b")
    >>> [(each.record.id, each.beside) for each in ranked([(tea, 2.0)], [((), (time,))], Filling())]
    [('a', None), ('b', 'a')]

    """
    found: dict[str, tuple[float, int, Candidate]] = {}
    level = float("inf")
    lower = cache(lowered)  # most turns are told beside several hits, or are hits themselves

    levels: list[float] = []
    for record, score in hits:
        levels.append(level := min(level, max(score, 0.0)))
        text = lower(record.gist())
        found[text if text not in found else f"{text}\n{len(found)}"] = level, len(found), Candidate(record, score)
    for (record, _), level, around in zip(hits, levels, beside, strict=False):
        for shares, said in zip((how.before, how.after), around, strict=True):
            for share, turn in zip(shares, said, strict=False):
                text, worth = lower(turn.gist()), share * level
                if (known := found.get(text)) is None:
                    found[text] = max(worth, 0.0), len(found), Candidate(turn, None, record.id)
                elif worth > known[0]:
                    found[text] = worth, *known[1:]
    for candidate, level in behind:
        text = lower(candidate.record.gist())
        worth, place, first = found.get(text, (0.0, len(found), candidate))
        found[text] = max(worth, level), place, first
    in_worth = sorted(found.values(), key=lambda one: (-one[0], one[1]))
    return [one.at(worth) for worth, _, one in in_worth]


def fill(
    candidates: Sequence[Candidate], newer: Mapping[int, Sequence[int]], budget: float, spent: float,
    cost: Callable[[Candidate, str | None], float], shown: Callable[[Candidate], str], how: Filling, part: Part,
    along: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> list[Choice]:  # fmt: skip
    """Return what becomes of candidates in order of worth: each that still fits is in.

    Args:
        candidates: in order.
        newer: of a place the places of what says the same anew; where one of these does not fit, it is out too.
        budget: what there is.
        spent: what of it is gone already.
        cost: of a candidate; of a part of its text, if one is given.
        shown: the whole text that is shown of one.
        how: which parts of long ones may be shown.
        part: chooses one of a text, given the room, what a part costs and what it costs at least.
        along: of a place those of what comes later and is told with it, or it is not told.

    """
    limit, gone = exactly("budget", budget), exactly("spent", spent)
    choices: list[Choice] = []

    def part_of(candidate: Candidate, room: Fraction) -> tuple[str, float] | None:
        if room < how.least:  # as nearly always, in the end
            return None
        return part(shown(candidate), room, lambda some: cost(candidate, some), how.least)

    missing = set[int]()  # places of hits that do not fit
    reserved = set[int]()  # what comes later has its room, where what it says anew is in
    most = Fraction(_MOST_OF_ONE) * Fraction(limit)
    for at, candidate in enumerate(candidates):
        whole = cost(candidate, None)
        text, price, reason = None, whole, OVER_BUDGET
        anew = set(along.get(at, ())) - reserved
        needed = sum(exactly("cost", cost(candidates[place], None)) for place in anew)
        if at in reserved:
            text, price, reason = shown(candidate), 0.0, ACCEPTED
        elif not missing.isdisjoint(newer.get(at, ())) or (anew and gone + exactly("cost", whole) + needed > limit):
            reason = OUTDATED
        elif gone + exactly("cost", whole) <= limit:
            text, reason = shown(candidate), ACCEPTED
            reserved |= anew
            gone += needed
        elif (
            candidate.beside is None
            and whole > how.long * budget
            and (some := part_of(candidate, Fraction(min(limit - gone, most)))) is not None
        ):
            (text, price), reason, most = some, CUT, Fraction(0)  # one part at most
        elif candidate.beside is None:
            missing.add(at)
        gone += exactly("cost", price) if text is not None else 0
        choices.append(Choice(candidate, text, reason))
    left = limit - gone
    for place, choice in enumerate(choices):  # the best of those that are cut, or out, takes what is left over
        if choice.reason == CUT and choice.text is not None:
            own = exactly("cost", cost(choice.candidate, choice.text))
            if (more := part_of(choice.candidate, Fraction(left + own))) is not None:
                choices[place] = replace(choice, text=more[0])
            break
        if left < how.least or choice.reason != OVER_BUDGET:
            continue
        if (some := part_of(choice.candidate, Fraction(left))) is not None:
            choices[place] = replace(choice, text=some[0], reason=CUT)
            break
    return choices


def in_order(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Return candidates as they are read: each session where its best one stands, and oldest first within it."""
    groups: dict[object, list[Candidate]] = {}
    for candidate in chosen:
        groups.setdefault(session_of(candidate.record) or key_of(candidate.record), []).append(candidate)
    return [one for group in groups.values() for one in sorted(group, key=told)]
