"""The stages of activation, for the table of a recall: both sides fused, what a record is worth, acceptance, diversity.

They say the same as `ranked`, bit for bit, on columns. A side whose column is missing could not look, and gives its
weight to the other; a column of nothing is a side that found nothing.
"""
# docs/sources.md: B1.2, B1.5, B1.7, B1.9.

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from ...boundary.policy import Retrieval
from ...validation import check_at_least_one, check_share
from ..algebra import Influence, Stage, StageContext
from ..candidates import Candidates, Column
from ..normalisation import similarity_score
from .formulas import accepted, fuse, linear, min_max, recency, share_of_vectors, worth
from .reasons import BELOW_THRESHOLD
from .selection import POOLS, collapse, diverse

WORDS, SUBSTRING, VECTORS = "lexical", "substring", "dense"
"""The columns of the sides."""


def _column(table: Candidates, name: str) -> Column:
    return table.columns.get(name, (None,) * len(table.keys))


@dataclass(frozen=True, slots=True)
class SideShares(Stage):
    """Adds S: alpha times (cosine + 1) / 2, and the rest times the score of words, min-max or by rank.

    Attributes:
        alpha: the share of vectors where both sides could look.

    """

    name: ClassVar[str] = "sides"
    inputs: ClassVar[tuple[str, ...]] = (WORDS, SUBSTRING, VECTORS)
    range: ClassVar[tuple[float, float] | None] = (0.0, 2.0)
    monotone: ClassVar[Mapping[str, int]] = {VECTORS: 1, SUBSTRING: 1, "score": 1}
    bare: ClassVar[bool] = True

    alpha: float = 0.65

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("alpha", self.alpha)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with S in a column, and the scores of both sides."""
        by_rank = SUBSTRING in table.columns
        words = list(_column(table, SUBSTRING if by_rank else WORDS))
        if not by_rank:
            scale = iter(min_max([score for score in words if score is not None]))
            words = [None if score is None else next(scale) for score in words]
        vectors = [None if cosine is None else similarity_score(cosine) for cosine in _column(table, VECTORS)]
        able = by_rank or WORDS in table.columns
        alpha = share_of_vectors(self.alpha, text=able, vectors=VECTORS in table.columns)
        fused = [fuse(s_text, s_vec, alpha) for s_text, s_vec in zip(words, vectors, strict=True)]
        table = table.with_columns({"s_text": words, "s_vec": vectors})
        return table.scored("S", "add", fused, detail=f"alpha {alpha:g}")


@dataclass(frozen=True, slots=True)
class WorthFactor(Stage):
    """Multiplies by g: what utility, confidence, recency and, if asked for, quality say.

    Utility counts as z-score where the column `utility_z` has it, and else between the least and the greatest of the
    rows.

    Attributes:
        half_life_days: of recency, for kinds without one of their own; None: as usual.
        half_life_days_by_kind: of single kinds.
        use_quality: whether quality counts.

    """

    name: ClassVar[str] = "worth"
    inputs: ClassVar[tuple[str, ...]] = ("utility", "utility_z", "confidence", "quality", "age_days", "text")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"utility_z": 1, "confidence": 1, "quality": 1, "age_days": -1, "score": 1}

    half_life_days: float | None = None
    half_life_days_by_kind: Mapping[str, float] = field(default_factory=dict)
    use_quality: bool = False

    def __post_init__(self) -> None:
        """Check the ranges."""
        self._settings()

    def _settings(self) -> Retrieval:
        return Retrieval(half_life_days=self.half_life_days, half_life_days_by_kind=self.half_life_days_by_kind)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with g in a column, and its parts."""
        settings = self._settings()
        utilities = _column(table, "utility_z")
        if "utility_z" not in table.columns:
            utilities = linear([utility or 0.0 for utility in _column(table, "utility")])
        columns = (utilities, *(_column(table, name) for name in ("confidence", "quality", "age_days")))
        found = []
        for key, z, confidence, quality, age in zip(table.keys, *columns, strict=True):
            record = context.records.get(key)
            lately = recency(age, settings.half_life(record.kind if record else None))
            good = 0.5 if quality is None else quality
            found.append(
                worth(z or 0.0, 0.5 if confidence is None else confidence, lately, good if self.use_quality else None)
            )
        parts = {name: [getattr(each, name) for each in found] for name in ("utility", "confidence", "recency")}
        table = table.with_columns({f"g.{name}": values for name, values in parts.items()})
        return table.scored("g", "multiply", [each.g for each in found])

    def influence(self) -> tuple[Influence, ...]:
        """Return how far g can move a score: from 0.09 to 1, and from 0.045 with quality."""
        return (Influence("g", "quality", "multiply", 0.045 if self.use_quality else 0.09, 1.0),)


@dataclass(frozen=True, slots=True)
class AcceptedOnly(Stage):
    """Drops what scores below a minimum.

    Attributes:
        minimum: what is enough.

    """

    name: ClassVar[str] = "accepted"
    bare: ClassVar[bool] = True

    minimum: float = 0.15

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("minimum", self.minimum)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without the rows below."""
        scores = table.scores()
        return table.drop(
            {row: BELOW_THRESHOLD for row, score in enumerate(scores) if not accepted(score, self.minimum)}
        )


@dataclass(frozen=True, slots=True)
class NewestFirst(Stage):
    """Orders by score, of equal ones by the newer, then by id."""

    name: ClassVar[str] = "order"
    inputs: ClassVar[tuple[str, ...]] = ("created_at",)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order."""
        scores, ids = table.scores(), table.ids
        made = [-math.inf if at is None else at for at in self._times(table, context)]
        return table.reordered(sorted(range(len(ids)), key=lambda row: (-scores[row], -made[row], table.keys[row])))

    @staticmethod
    def _times(table: Candidates, context: StageContext) -> Column:
        if "created_at" in table.columns:
            return table.columns["created_at"]
        records = [context.records.get(key) for key in table.keys]
        return tuple(None if record is None else record.created_at for record in records)


@dataclass(frozen=True, slots=True)
class OneOfEachText(Stage):
    """Drops what says the same as a row before it: the same content hash, or the same text but for case and spaces."""

    name: ClassVar[str] = "texts"
    inputs: ClassVar[tuple[str, ...]] = ("text",)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with each text once."""
        hashes = context.content_hashes(table.keys)
        texts = [
            normalised(record.gist()) if (record := context.records.get(key)) is not None else None
            for key in table.keys
        ]
        kept = set(collapse([(hashes.get(key), text) for key, text in zip(table.keys, texts, strict=True)]))
        return table.drop({row: "says the same as a better one" for row in range(len(texts)) if row not in kept})


@dataclass(frozen=True, slots=True)
class DiverseOrder(Stage):
    """Orders by maximal marginal relevance, and drops what is one too many about an entity, or beyond the pool.

    Scores stay, so that they need not fall with the rank.

    Attributes:
        trade_off: of relevance against unlikeness.
        entity_cap: rows about one entity.
        results: of the profile; the pool is four times as many.

    """

    name: ClassVar[str] = "diversity"
    inputs: ClassVar[tuple[str, ...]] = ("text", "vector")

    trade_off: float = 0.85
    entity_cap: int = 2
    results: int = 12

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_share("trade_off", self.trade_off)
        check_at_least_one("entity_cap", self.entity_cap)
        check_at_least_one("results", self.results)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in the order of diversity."""
        pool = table.keys[: POOLS * self.results]
        records = [context.records.get(key) for key in pool]
        chosen = diverse(
            table.scores()[: len(pool)],
            [context.vector_of(key) for key in pool],
            [() if record is None else record.entities for record in records],
            len(pool),
            trade_off=self.trade_off,
            entity_cap=self.entity_cap,
        )
        stays = set(chosen)
        gone = {row: "one too many about an entity" for row in range(len(pool)) if row not in stays}
        gone |= dict.fromkeys(range(len(pool), len(table.keys)), "beyond the pool of diversity")
        places = {row: place for place, row in enumerate(sorted(stays))}
        return table.drop(gone).reordered([places[row] for row in chosen])


def normalised(text: str) -> str:
    r"""Return a text without what makes no difference: compatibility forms, case, and the length of white space.

    >>> normalised("Ｔea  is\nREADY") == normalised("tea is ready")
    True
    """
    from unicodedata import normalize  # on use

    return " ".join(normalize("NFKC", text).casefold().split())


def stages(settings: Retrieval) -> tuple[Stage, ...]:
    """Return the stages of an activation with these parameters."""
    return (
        SideShares(settings.alpha),
        WorthFactor(settings.half_life_days, settings.half_life_days_by_kind or {}, settings.use_quality),
        AcceptedOnly(settings.min_score),
        NewestFirst(),
        OneOfEachText(),
        DiverseOrder(settings.trade_off, settings.entity_cap, settings.k_final),
    )
