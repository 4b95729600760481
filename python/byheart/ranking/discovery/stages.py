"""The two passes as stages: a floor under likeness, the second-pass score in its columns, the best few."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from ...errors import InvalidArgument
from ...light.classes import dataclass
from ...records import Record
from ...validation import check_at_least_one, check_between
from ..algebra import Influence, Stage, StageContext
from ..candidates import Candidates, Column
from ..keywords import check_variant, coverage, document_terms, key_terms
from ..normalisation import clamped
from .formulas import FLOOR, KAPPA, RATE, WEIGHTS, authority_weight, check_kappa, check_weights


def _column(table: Candidates, name: str) -> Column:
    return table.columns.get(name, (None,) * len(table.keys))


@dataclass(frozen=True, slots=True)
class CoarseFloor(Stage):
    """The first pass: the best k1 rows by similarity, and of these what reaches the floor; equal is kept.

    k1 is `times` the hits asked for, rounded up, and never fewer than `at_least`, as a `Leg` proposes. Invariants are
    dropped here: they are given with every answer, and compete for no place in it.

    Attributes:
        floor: theta1, a cosine, -1 to 1.
        at_least, times: what k1 is.

    """

    # docs/sources.md: A1.7.3.

    name: ClassVar[str] = "first pass"
    inputs: ClassVar[tuple[str, ...]] = ("dense", "invariant")

    floor: float = FLOOR
    at_least: int = 8
    times: float = 2.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_between("floor", self.floor, -1.0, 1.0)
        if self.at_least < 1 or not 0.0 <= self.times <= 1_000.0:
            raise InvalidArgument("at_least must be at least 1, and times between 0 and 1,000")

    @property
    def reason(self) -> str:
        """How the reason of a row begins that is not like enough."""
        return "below the floor"

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the rows of the first pass, the most alike first."""
        invariant = _column(table, "invariant")
        table = table.drop(
            {row: "an invariant, which is given anyway" for row, is_one in enumerate(invariant) if is_one}
        )
        table = table.drop({row: "no similarity" for row, c in enumerate(_column(table, "dense")) if c is None})
        cosines = [c if c is not None else 0.0 for c in _column(table, "dense")]
        keys = table.order()
        order = sorted(range(len(keys)), key=lambda row: (-cosines[row], keys[row]))
        first = max(self.at_least, math.ceil(self.times * context.k))
        reasons = dict.fromkeys(range(first, len(order)), f"beyond k1 ({first})")
        for place, row in enumerate(order[:first]):
            if cosines[row] < self.floor:
                reasons[place] = f"{self.reason} (similarity {cosines[row]:.4f} < {self.floor:g})"
        return table.reordered(order).drop(reasons)


@dataclass(frozen=True, slots=True)
class Similarity(Stage):
    """Begins the score: the cosine, clamped to [0, 1]."""

    name: ClassVar[str] = "similarity"
    inputs: ClassVar[tuple[str, ...]] = ("dense",)
    range: ClassVar[tuple[float, float] | None] = (0.0, 2.0)
    monotone: ClassVar[Mapping[str, int]] = {"dense": 1, "score": 1}

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with the cosine in the score."""
        cosines = [None if c is None else clamped(c) for c in _column(table, "dense")]
        return table.scored("similarity", "add", cosines, of="dense")


@dataclass(frozen=True, slots=True)
class AuthorityWeight(Stage):
    """Multiplies by omega: recency, frequency of use and authored authority, weighted.

    Attributes:
        weights: of the three, 0 to 1 each; they sum to 1.
        rate: decay of recency per second.
        smoothing: "plain" or "plus_one"; see `authority_weight`.

    """

    name: ClassVar[str] = "authority"
    inputs: ClassVar[tuple[str, ...]] = ("age_seconds", "access_count", "authority")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"age_seconds": -1, "access_count": 1, "authority": 1, "score": 1}

    weights: tuple[float, float, float] = WEIGHTS
    rate: float = RATE
    smoothing: str = "plain"

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_weights(self.weights, self.rate, self.smoothing)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with omega in a column of its own."""
        omegas = [
            authority_weight(
                age,
                uses if uses is not None else 0.0,
                context.max_access_count,
                None if said is None else clamped(said),
                weights=self.weights,
                rate=self.rate,
                smoothing=self.smoothing,
            )
            for age, uses, said in zip(*(_column(table, name) for name in self.inputs), strict=True)
        ]
        return table.scored("omega", "multiply", omegas)

    def influence(self) -> tuple[Influence, ...]:
        """Return that each cause can take the whole score away, and give back its share of it."""
        causes = zip(("time", "access", "authority"), self.weights, strict=True)
        return tuple(Influence("omega", cause, "multiply", 0.0, weight) for cause, weight in causes if weight > 0.0)


@dataclass(frozen=True, slots=True)
class KeywordBoost(Stage):
    """Multiplies by (1 + kappa * M) / (1 + kappa), M the share of the query's key terms that the record has.

    The table may bring a column "coverage"; else the records' texts are looked at.

    Attributes:
        kappa: 0 or more.
        variant: of the key terms, "unicode" or "ascii".

    """

    name: ClassVar[str] = "keywords"
    inputs: ClassVar[tuple[str, ...]] = ("coverage", "text")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"coverage": 1, "score": 1}

    kappa: float = KAPPA
    variant: str = "unicode"

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_kappa(self.kappa)
        check_variant(self.variant)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with M, the factor and the divisor in columns of their own."""
        if "coverage" not in table.columns:
            keys = key_terms(context.query, self.variant)
            table = table.with_column(
                "coverage", [self._coverage(keys, context.records.get(key)) for key in table.keys]
            )
        shares = [share if share is not None else 0.0 for share in table.columns["coverage"]]
        table = table.scored("keywords", "multiply", [1.0 + self.kappa * share for share in shares])
        return table.scored("keyword_ceiling", "divide", [1.0 + self.kappa] * len(shares))

    def _coverage(self, keys: tuple[str, ...], record: Record | None) -> float:
        if record is None or not keys:
            return 0.0
        texts = dict.fromkeys((record.text, *record.indexed().values()))
        return coverage(keys, document_terms("\n".join(texts), self.variant))


@dataclass(frozen=True, slots=True)
class SecondPass(Stage):
    """Keeps the best k2 rows by score, ties by id.

    Attributes:
        k2: how many; None for the hits asked for.

    """

    # docs/sources.md: A1.7.4.

    name: ClassVar[str] = "second pass"
    inputs: ClassVar[tuple[str, ...]] = ("score",)

    k2: int | None = None

    def __post_init__(self) -> None:
        """Check the range."""
        if self.k2 is not None:
            check_at_least_one("k2", self.k2)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the rows of the second pass, best first."""
        most = self.k2 if self.k2 is not None else context.k
        reasons = dict.fromkeys(range(most, len(table.keys)), f"beyond k2 ({most})")
        return table.sorted_by_score().drop(reasons)
