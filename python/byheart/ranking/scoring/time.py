"""Stages about age: a bonus for what is young, a discount for what is old."""
# docs/sources.md: A2.4.1, A2.4.4, A2.9.

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...errors import InvalidArgument
from ...light.classes import dataclass
from ...validation import check_between
from ..algebra import Influence, Stage, StageContext
from ..candidates import Candidates
from . import formulas


@dataclass(frozen=True, slots=True)
class Recency(Stage):
    """Adds up to `weight` for youth: weight * e^(-age / half-life), then clamps to [0, 1].

    Attributes:
        half_life_days: after which 1/e of it is left; 0 turns the stage off.
        weight: of a record made just now; 0 turns the stage off.
        base: "e", or "half_life": then a half is left.

    """

    half_life_days: float = formulas.RECENCY_HALF_LIFE_DAYS
    weight: float = formulas.RECENCY_WEIGHT
    base: str = "e"

    name: ClassVar[str] = "recency"
    inputs: ClassVar[tuple[str, ...]] = ("age_days",)
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1, "age_days": -1}

    def __post_init__(self) -> None:
        """Check the base and the ranges."""
        formulas.check_base(self.base)
        check_days("half_life_days", self.half_life_days)
        check_between("weight", self.weight, 0.0, 1.0)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the column "recency" added to the score, sorted anew."""
        if not self._on:
            return table
        boosts = formulas.recency_boosts(table.columns["age_days"], self.half_life_days, self.weight, base=self.base)
        return table.scored("recency", "add", boosts, clamp=True).sorted_stably()

    def influence(self) -> tuple[Influence, ...]:
        """Return that time adds up to the weight."""
        return (Influence("recency", "time", "add", 0.0, self.weight),) if self._on else ()

    @property
    def _on(self) -> bool:
        return self.half_life_days > 0.0 and self.weight > 0.0


@dataclass(frozen=True, slots=True)
class TimeDecay(Stage):
    """Takes up to a half for age: 0.5 + 0.5 * e^(-age / half-life).

    Attributes:
        half_life_days: after which 1/e of the second half is left; 0 turns the stage off.
        base: "e", or "half_life": then a half of it is left.

    """

    half_life_days: float = formulas.TIME_DECAY_HALF_LIFE_DAYS
    base: str = "e"

    name: ClassVar[str] = "time decay"
    inputs: ClassVar[tuple[str, ...]] = ("age_days",)
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1, "age_days": -1}

    def __post_init__(self) -> None:
        """Check the base and the range."""
        formulas.check_base(self.base)
        check_days("half_life_days", self.half_life_days)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the score multiplied by the column "time_decay", sorted anew."""
        if self.half_life_days <= 0.0:
            return table
        factors = self.factors(table)
        return table.scored("time_decay", "multiply", factors, clamp=True).sorted_stably()

    def factors(self, table: Candidates) -> list[float | None]:
        """Return what each row keeps of its score."""
        return formulas.time_decay_factors(table.columns["age_days"], self.half_life_days, base=self.base)

    def influence(self) -> tuple[Influence, ...]:
        """Return that time takes up to a half."""
        if self.half_life_days <= 0.0:
            return ()
        return (Influence("time_decay", "time", "multiply", formulas.LEAST_TIME_FACTOR, 1.0),)


@dataclass(frozen=True, slots=True)
class ReinforcedTimeDecay(TimeDecay):
    """Time decay that is slower for records in use (`formulas.reinforced_half_life`).

    Attributes:
        factor: how much slower; 0 for not at all.
        max_multiplier: the longest half-life, in half-lives.

    """

    factor: float = formulas.REINFORCEMENT
    max_multiplier: float = formulas.MAX_MULTIPLIER

    name: ClassVar[str] = "reinforced time decay"
    inputs: ClassVar[tuple[str, ...]] = ("age_days", "access_count", "days_since_access")
    monotone: ClassVar[Mapping[str, int]] = {"score": 1, "age_days": -1, "access_count": 1, "days_since_access": -1}

    def __post_init__(self) -> None:
        """Check the base and the ranges."""
        TimeDecay.__post_init__(self)
        if not 0.0 <= self.factor <= 1e6 or not 1.0 <= self.max_multiplier <= 1e6:
            raise InvalidArgument("factor must be at least 0, max_multiplier at least 1, and both finite")

    def factors(self, table: Candidates) -> list[float | None]:
        """Return what each row keeps of its score, whose half-life is longer the more and the later it was used."""
        half_lives = [
            formulas.reinforced_half_life(
                self.half_life_days, count or 0.0, days, factor=self.factor, max_multiplier=self.max_multiplier
            )
            for count, days in zip(table.columns["access_count"], table.columns["days_since_access"], strict=True)
        ]
        return [
            formulas.time_decay_factor(age or 0.0, half_life, base=self.base)
            for age, half_life in zip(table.columns["age_days"], half_lives, strict=True)
        ]


def check_days(what: str, days: float) -> None:
    """Refuse a number of days that is negative or not finite."""
    check_between(what, days, 0.0, 1e6)
