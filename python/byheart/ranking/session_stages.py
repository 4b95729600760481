"""Stages that go by conversations: what is of this session stands higher, and what was marked as noise lower."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..light.classes import dataclass
from ..validation import check_share
from .algebra import Influence, Stage, StageContext
from .candidates import Applied, Candidates, RowKey
from .explanation import shown
from .features import SESSION

BONUS = 0.1
"""What scope is worth in profile `scoped`."""

_MARK = "metadata.noise"


@dataclass(frozen=True, slots=True)
class ThisSession(Stage):
    """Adds a bonus to the records of the session that the recall is for; without a session it does nothing.

    Rows of one score stay as they were.

    Attributes:
        bonus: what is added, 0 to 1.

    """

    name: ClassVar[str] = "this session"
    inputs: ClassVar[tuple[str, ...]] = ("scope",)
    range: ClassVar[tuple[float, float] | None] = (0.0, 2.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1}
    bare: ClassVar[bool] = True
    tells_sessions: ClassVar[bool] = True

    bonus: float = BONUS

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("bonus", self.bonus)

    @property
    def changes(self) -> Mapping[str, Applied]:
        """What it adds, by column."""
        return {"this_session": Applied("this_session", "add")}

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order, with the bonus in a column of its own."""
        if context.session_id is None or "scope" not in table.columns:
            return table
        bonuses = [self.bonus if scope == SESSION else None for scope in table.columns["scope"]]
        return table.changed(self.changes["this_session"], bonuses).sorted_stably()

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return what a row of the session gets."""
        return {"this_session": f"{shown(self.bonus)}: told in the session that asks"}

    def influence(self) -> tuple[Influence, ...]:
        """Return what the session can add."""
        return (Influence("this_session", "scope", "add", 0.0, self.bonus),)


@dataclass(frozen=True, slots=True)
class MarkedNoise(Stage):
    """Multiplies the score of turns that were marked as noise when they were taken in.

    Rows of one score stay as they were.

    Attributes:
        factor: 0 to 1; at 1 they count as much as all others.

    """

    name: ClassVar[str] = "marked noise"
    words: ClassVar[tuple[str, ...]] = (_MARK,)
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1}
    bare: ClassVar[bool] = True

    factor: float = 0.5

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("factor", self.factor)

    @property
    def changes(self) -> Mapping[str, Applied]:
        """What it multiplies by, by column."""
        return {"marked_noise": Applied("marked_noise", "multiply")}

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order, with the factor in a column of its own; as it is where nothing was marked."""
        marks = context.said(_MARK, table.keys)
        if not marks:
            return table
        factors = [self.factor if key in marks else None for key in table.keys]
        return table.changed(self.changes["marked_noise"], factors).sorted_stably()

    def working(self, before: Candidates, after: Candidates, key: RowKey, context: StageContext) -> Mapping[str, str]:
        """Return what is left of a row with a mark."""
        return {"marked_noise": f"{shown(self.factor)}: marked as noise when it was taken in"}

    def influence(self) -> tuple[Influence, ...]:
        """Return what a mark can take away."""
        return (Influence("marked_noise", "quality", "multiply", self.factor, 1.0),)
