"""Stages of conversations: a turn counts more beside turns that fit, in a session that fits, and of who was named.

What asks counts less than what tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from ..light.classes import dataclass
from ..light.expressions import expression
from ..validation import check_share
from .algebra import Stage, StageContext
from .candidates import Applied, Candidates, RowKey
from .explanation import shown

_WORD: Final = expression(r"\w+")
_TOLD: Final = {"before": "what was told before", "after": "what was told after", "whole": "the whole session"}
_ASKING: Final = "asking"
NAMED: Final = Applied("speaker", "multiply", detail="the question names who said it")


def _added(table: Candidates, how: Applied, share: float) -> Candidates:
    """Return the table with a share of a column added to the score; rows without a number keep theirs."""
    values = table.columns.get(f"told_{how.column}")
    if share == 0.0 or values is None or all(value is None for value in values):
        return table
    return table.changed(how, [None if value is None else share * value for value in values])


def _worked(shares: Mapping[str, float], table: Candidates, key: RowKey) -> Mapping[str, str]:
    """Return how shares of what was told came about in a row, in figures."""
    row = table.row(key)
    told = {name: row.get(f"told_{name}") for name in shares}
    return {
        name: f"{shown(shares[name])} x {shown(value)}: share of words of {_TOLD[name]}"
        for name, value in told.items()
        if value is not None
    }


def _adds(name: str, share: float) -> Applied:
    return Applied(name, "add", detail=f"{share:g} x share of words of {_TOLD[name]}")


@dataclass(frozen=True, slots=True)
class Neighbours(Stage):
    """Adds shares of how well the words of the turns before and after fit; the next but one counts half.

    A turn right before that asks something counts four times (`retrieval.words`): what follows is its answer.

    Attributes:
        before, after: the shares, 0 to 1.

    """

    before: float = 0.15
    after: float = 0.1

    name: ClassVar[str] = "neighbours"
    inputs: ClassVar[tuple[str, ...]] = ("told_before", "told_after")
    monotone: ClassVar[Mapping[str, int]] = {"told_before": 1, "told_after": 1, "score": 1}
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("before", "after"):
            check_share(name, getattr(self, name))

    @property
    def changes(self) -> Mapping[str, Applied]:
        """What it adds, by column."""
        return {"before": _adds("before", self.before), "after": _adds("after", self.after)}

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with what neighbours add."""
        changes = self.changes
        return _added(_added(table, changes["before"], self.before), changes["after"], self.after)

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return the shares that a row got of what stands around it."""
        return _worked({"before": self.before, "after": self.after}, after, key)


@dataclass(frozen=True, slots=True)
class WholeSession(Stage):
    """Adds a share of how well the words of a turn's whole session fit.

    Attributes:
        share: of it, 0 to 1.

    """

    share: float = 0.4

    name: ClassVar[str] = "session"
    inputs: ClassVar[tuple[str, ...]] = ("told_whole",)
    monotone: ClassVar[Mapping[str, int]] = {"told_whole": 1, "score": 1}
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("share", self.share)

    @property
    def changes(self) -> Mapping[str, Applied]:
        """What it adds, by column."""
        return {"whole": _adds("whole", self.share)}

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with what sessions add."""
        return _added(table, self.changes["whole"], self.share)

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return the share that a row got of its session."""
        return _worked({"whole": self.share}, after, key)


@dataclass(frozen=True, slots=True)
class SpeakerNamed(Stage):
    """Raises the scores of turns whose speaker the question names; what is in no conversation is no turn.

    Attributes:
        share: by which part, 0 to 1.

    """

    share: float = 0.2

    name: ClassVar[str] = "speaker"
    inputs: ClassVar[tuple[str, ...]] = ("score", "told_whole")
    words: ClassVar[tuple[str, ...]] = ("speaker",)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1}
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("share", self.share)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the scores of those who were named raised."""
        told = table.columns.get("told_whole")
        if told is None or self.share == 0.0:
            return table
        turns = [key for key, whole in zip(table.keys, told, strict=True) if whole is not None]
        speakers = context.said("speaker", turns)
        is_named = names(context.query)
        hits = {speaker: is_named(str(speaker)) for speaker in set(speakers.values())}
        if not any(hits.values()):
            return table
        factor = 1.0 + self.share
        factors = [factor if hits.get(speakers.get(key), False) else None for key in table.keys]
        return table.changed(NAMED, factors)

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return the share by which a row is raised."""
        return {NAMED.column: f"1 + {shown(self.share)}: {NAMED.detail}"}


@dataclass(frozen=True, slots=True)
class Asking(Stage):
    """Lowers the scores of turns that end in a question, by the share that asks: what they ask is told elsewhere.

    On locomo-dev .3 adds .0147 to nDCG@10 (.0095 to .0196; .009 to .026 on each of the five conversations); .2 adds
    .0123, .4 .0146, .5 .0136. Chosen on four conversations it adds .0141 on the fifth (.0091 to .0192). Lowering all
    that end in a question alike, by .15, adds .0119, and takes .008 from questions for a time, whose turns often tell
    before they ask. With `asked_all` (`retrieval.words`) it is .0260 (.0177 to .0346), and .0246 where both are chosen
    on four conversations and seen on the fifth (.0151 to .0344).

    Attributes:
        less: by which part where all of a turn asks, 0 to 1.

    """

    less: float = 0.3

    name: ClassVar[str] = "asking"
    inputs: ClassVar[tuple[str, ...]] = ("score",)
    words: ClassVar[tuple[str, ...]] = (_ASKING,)
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1}
    bare: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("less", self.less)

    @property
    def changes(self) -> Mapping[str, Applied]:
        """What it multiplies by, by column."""
        return {_ASKING: Applied(_ASKING, "multiply", detail=f"1 - {self.less:g} x share of it that asks")}

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the scores of those that end in a question lowered."""
        shares = context.said(_ASKING, table.keys)
        if not shares or self.less == 0.0:
            return table
        factors = [1.0 - self.less * shares[key] if key in shares else None for key in table.keys]
        return table.changed(self.changes[_ASKING], factors)

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return by how much a row is lowered."""
        share = context.said(_ASKING, [key]).get(key)
        return {} if share is None else {_ASKING: f"1 - {shown(self.less)} x {shown(share)}: share of it that asks"}


def names(question: str) -> Callable[[str], bool]:
    """Return what tells whether a question names a speaker.

    >>> names("What did Ann say?")("ann lee")
    True
    """
    named: set[str] = set()

    def is_named(speaker: str) -> bool:
        if not named:  # made for the first speaker: most often there is none
            named.update(_WORD.findall(question.casefold()))
        return not named.isdisjoint(_WORD.findall(speaker.casefold()))

    return is_named
