"""The score of `scoped` recall as stages: four summands and factors, one order, and what is dropped after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ..light.classes import dataclass
from ..validation import check_share
from .algebra import Influence, Stage, StageContext
from .candidates import Candidates, Column
from .normalisation import clamped
from .scoped import ALPHA, BETA, DELTA, GAMMA, RATES, SCOPE_WEIGHTS, check_by_scope, quality, recency


def _column(table: Candidates, name: str) -> Column:
    return table.columns.get(name, (None,) * len(table.keys))


@dataclass(frozen=True, slots=True)
class Cosine(Stage):
    """Adds alpha times the cosine, which is clamped to [0, 1].

    Attributes:
        weight: alpha, 0 to 1.

    """

    # docs/sources.md: D-9.

    name: ClassVar[str] = "cosine"
    inputs: ClassVar[tuple[str, ...]] = ("dense",)
    range: ClassVar[tuple[float, float] | None] = (0.0, 2.0)
    monotone: ClassVar[Mapping[str, int]] = {"dense": 1, "score": 1}

    weight: float = ALPHA

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("weight", self.weight)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the summand in a column of its own."""
        cosines = _column(table, "dense")
        return table.scored(
            "cosine", "add", [None if c is None else self.weight * clamped(c) for c in cosines], of="dense"
        )


@dataclass(frozen=True, slots=True)
class ScopedRecency(Stage):
    """Adds beta times exp(-rate * age), the rate by scope.

    Attributes:
        weight: beta, 0 to 1.
        rates: per second, of session, user and global.

    """

    name: ClassVar[str] = "recency"
    inputs: ClassVar[tuple[str, ...]] = ("age_seconds", "scope")
    tells_sessions: ClassVar[bool] = True
    range: ClassVar[tuple[float, float] | None] = (0.0, 2.0)
    monotone: ClassVar[Mapping[str, int]] = {"age_seconds": -1, "score": 1}

    weight: float = BETA
    rates: tuple[float, float, float] = RATES

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_share("weight", self.weight)
        check_by_scope(self.rates, SCOPE_WEIGHTS)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the summand in a column of its own."""
        pairs = zip(_column(table, "age_seconds"), _column(table, "scope"), strict=True)
        return table.scored(
            "recency", "add", [self.weight * recency(age, self.rates[_at(scope)]) for age, scope in pairs]
        )

    def influence(self) -> tuple[Influence, ...]:
        """Return what time can add."""
        return (Influence("recency", "time", "add", 0.0, self.weight),)


@dataclass(frozen=True, slots=True)
class ScopeWeight(Stage):
    """Adds gamma times the weight of the scope.

    Attributes:
        weight: gamma, 0 to 1.
        by_scope: of session, user and global, 0 to 1 each.

    """

    name: ClassVar[str] = "scope"
    inputs: ClassVar[tuple[str, ...]] = ("scope",)
    tells_sessions: ClassVar[bool] = True
    range: ClassVar[tuple[float, float] | None] = (0.0, 2.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1}

    weight: float = GAMMA
    by_scope: tuple[float, float, float] = SCOPE_WEIGHTS

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_share("weight", self.weight)
        check_by_scope(RATES, self.by_scope)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the summand in a column of its own."""
        scopes = _column(table, "scope")
        return table.scored("scope_weight", "add", [self.weight * self.by_scope[_at(scope)] for scope in scopes])

    def influence(self) -> tuple[Influence, ...]:
        """Return what scope can add."""
        least, greatest = min(self.by_scope), max(self.by_scope)
        return (Influence("scope_weight", "scope", "add", self.weight * least, self.weight * greatest),)


@dataclass(frozen=True, slots=True)
class SummaryQuality(Stage):
    """Multiplies the score of a summary by 1 - delta * decay_rate; what is no summary keeps its score.

    Attributes:
        weight: delta, 0 to 1.

    """

    name: ClassVar[str] = "summary quality"
    inputs: ClassVar[tuple[str, ...]] = ("summary", "decay_rate")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"decay_rate": -1, "score": 1}

    weight: float = DELTA

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("weight", self.weight)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the factor in a column of its own."""
        pairs = zip(_column(table, "summary"), _column(table, "decay_rate"), strict=True)
        factors = [quality(rate, self.weight) if summary else None for summary, rate in pairs]
        return table.scored("summary_quality", "multiply", factors)

    def influence(self) -> tuple[Influence, ...]:
        """Return what the quality of summaries can take away."""
        return (Influence("summary_quality", "quality", "multiply", 1.0 - self.weight, 1.0),)


@dataclass(frozen=True, slots=True)
class StableOrder(Stage):
    """Orders the rows by score, once all of it is there; rows of one score stay as they were."""

    # docs/sources.md: A1.1.9.

    name: ClassVar[str] = "order"

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order."""
        return table.sorted_stably()


@dataclass(frozen=True, slots=True)
class DropSameSource(Stage):
    """Of a turn and the records promoted from it, keeps the first row: the better one, in a table that is ordered.

    A promoted copy names its turn in `provenance["source_id"]`. The same turn can come back from the session and from
    the user's durable memory, and would take two places.
    """

    # docs/sources.md: A1.8.2.

    name: ClassVar[str] = "same source"
    words: ClassVar[tuple[str, ...]] = ("source id",)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without the copies."""
        first: dict[str, str] = {}
        again: dict[int, str] = {}
        sources = context.said("source id", table.keys)
        for row, (key, id) in enumerate(zip(table.keys, table.ids, strict=True)):
            source = sources.get(key, id)
            if first.setdefault(source, id) != id:
                again[row] = f"same source as {first[source]} ({source})"
        return table.drop(again)


def _at(scope: float | None) -> int:
    return 2 if scope is None else int(scope)  # who is nobody's is everybody's
