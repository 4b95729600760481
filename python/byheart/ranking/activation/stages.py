"""The stages of activation: both sides on one scale, fused, times what a record is worth; then what is accepted.

    SideScores       columns "s_text" and "s_vec", each in [0, 1]
    AlphaFusion      score = alpha * s_vec + (1 - alpha) * s_text, kept as column "S"
    WorthWeight      score * g, with the parts of g as columns "util", "conf", "rec" (and "quality_share")
    AnchoredWorth    the same, with recency since a record last helped
    NewestFirst      the order: score, then the newer, then the smaller id
    Acceptance       what scores less than the threshold goes; the figures of all rows stay
    CollapseTexts    of rows that say the same, the first
    DiverseEntities  maximal marginal relevance, and few rows about one entity

Whoever activates and whoever searches run the same ones: what is saved afterwards changes no score.
"""
# docs/sources.md: B1.2.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

from ..._core import maximal_marginal_relevance
from ...boundary.policy.retrieval import Retrieval, half_life_of
from ...errors import InvalidArgument
from ...knowledge import lowered
from ...light.classes import dataclass
from ...validation import check_share
from ..algebra import Influence, Stage, StageContext
from ..candidates import Candidates, Column, RowKey
from ..normalisation import similarity_score
from ..statistics import figures
from .calibration import Calibration
from .formulas import (
    Population,
    accepted,
    age_days,
    g_of,
    linear,
    min_max,
    recency,
    share_of_vectors,
    standing_of,
)
from .question_form import alpha_for
from .reasons import BELOW_THRESHOLD

UTILITIES = ("z", "linear", "raw")
POOLS = 4
"""Diversity looks at so many times as many rows as are wanted."""


def _column(table: Candidates, name: str) -> Column:
    return table.columns.get(name, (None,) * len(table.keys))


_KEPT = 16  # coefficients that are remembered as they were read
_read: dict[int, tuple[Mapping[str, Any], Calibration]] = {}


def _coefficients(given: Mapping[str, Any]) -> Calibration:
    """Return the coefficients of a mapping, read and checked once: there may be many thousands."""
    held = _read.get(id(given))
    if held is None or held[0] is not given:
        if len(_read) >= _KEPT:
            _read.clear()
        held = _read[id(given)] = (given, Calibration.of_dict(given))
    return held[1]


@dataclass(frozen=True, slots=True)
class SideScores(Stage):
    """Brings what words and vectors found onto one scale, in the columns "s_text" and "s_vec".

    Words: between the worst candidate, 0, and the best, 1; substrings have their rank's score. Vectors: (cosine + 1) /
    2. With coefficients, these are used instead.

    Attributes:
        text_calibration: coefficients for the scores of words, as `Calibration.to_dict` gives them, or None.
        vec_calibration: likewise for cosines.

    """

    # docs/sources.md: B1.4.

    text_calibration: Mapping[str, Any] | None = None
    vec_calibration: Mapping[str, Any] | None = None

    name: ClassVar[str] = "sides"
    inputs: ClassVar[tuple[str, ...]] = ("lexical", "substring", "dense", "lexical_rank", "substring_rank")

    def __post_init__(self) -> None:
        """Check the coefficients."""
        for given in (self.text_calibration, self.vec_calibration):
            if given is not None:
                _coefficients(given)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with both columns."""
        words, places = _column(table, "lexical"), _column(table, "substring")
        scaled = self._words(words, context)
        texts = [place if score is None else score for score, place in zip(scaled, places, strict=True)]
        cosines = _column(table, "dense")
        fitted = None if self.vec_calibration is None else _coefficients(self.vec_calibration)
        apply = similarity_score if fitted is None else fitted.apply
        return table.with_columns({"s_text": texts, "s_vec": [None if c is None else apply(c) for c in cosines]})

    def _words(self, raw: Column, context: StageContext) -> list[float | None]:
        """Return the scores of words; the ends of the scale are those of the search without a filter."""
        if self.text_calibration is not None:
            fitted = _coefficients(self.text_calibration)
            return [None if score is None else fitted.apply(score) for score in raw]
        found = [score for score in raw if score is not None]
        low, high = context.leasts.get("lexical"), context.tops.get("lexical")
        scores = iter(min_max(found, ends=None if low is None or high is None else (low, high)))
        return [None if score is None else next(scores) for score in raw]


@dataclass(frozen=True, slots=True)
class AlphaFusion(Stage):
    """Adds alpha * s_vec and (1 - alpha) * s_text; where a side could not look at all, the other has all of the weight.

    Attributes:
        alpha: the share of vectors, 0 to 1.
        dynamic_alpha: whether the question's form chooses it.
        alpha_short, alpha_long: the shares of short questions and of long ones.
        long_query_tokens: tokens of a long question.

    """

    # docs/sources.md: B1.5, B1.6.

    alpha: float = 0.65
    dynamic_alpha: bool = False
    alpha_short: float = 0.40
    alpha_long: float = 0.775
    long_query_tokens: int = 12

    name: ClassVar[str] = "fusion"
    inputs: ClassVar[tuple[str, ...]] = ("s_text", "s_vec")
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"s_text": 1, "s_vec": 1}

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name in ("alpha", "alpha_short", "alpha_long"):
            check_share(name, getattr(self, name))

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with both summands, their sum as column "S", and alpha among the figures."""
        asked = alpha_for(context.query, self)
        text = bool({"lexical", "substring"} & set(table.columns)) and "lexical" not in context.unasked
        alpha = share_of_vectors(asked, text=text, vectors="dense" in table.columns and "dense" not in context.unasked)
        vectors = [None if each is None else alpha * each for each in _column(table, "s_vec")]
        texts = [None if each is None else (1.0 - alpha) * each for each in _column(table, "s_text")]
        by_vectors = f"alpha {alpha:g} x s_vec, which is (cosine + 1) / 2 if nothing is fitted"
        by_words = f"{1.0 - alpha:g} x s_text, on the scale from the worst candidate of words, 0, to the best, 1"
        summed = table.scored("vector_part", "add", vectors, detail=by_vectors)
        summed = summed.scored("text_part", "add", texts, of="lexical", detail=by_words)
        return summed.with_column("S", summed.scores()).with_figures(
            {"alpha": alpha, "unasked": sorted(context.unasked)}
        )


@dataclass(frozen=True, slots=True)
class WorthWeight(Stage):
    """Multiplies by g: how useful, how sure and how recent a record is, and how good where that is asked.

    Attributes:
        use_quality: whether quality is a factor.
        half_life_days: of recency, for kinds without one of their own; None: the usual ones.
        half_life_days_by_kind: half-lives of single kinds.
        utility: "z" (standard deviations inside the boundary), "linear" (among the candidates), or "raw".

    """

    # docs/sources.md: B1.7.

    use_quality: bool = False
    half_life_days: float | None = None
    half_life_days_by_kind: Mapping[str, float] = field(default_factory=dict)
    utility: str = "z"

    name: ClassVar[str] = "worth"
    inputs: ClassVar[tuple[str, ...]] = ("utility", "confidence", "quality", "created_at", "updated_at")
    words: ClassVar[tuple[str, ...]] = ("kind",)
    range: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    monotone: ClassVar[Mapping[str, int]] = {"score": 1, "utility": 1, "confidence": 1}

    def __post_init__(self) -> None:
        """Check the way of utilities, and the half-lives."""
        if self.utility not in UTILITIES:
            raise InvalidArgument(f"utility: {self.utility!r} does not exist; there are {', '.join(UTILITIES)}")
        Retrieval(half_life_days=self.half_life_days, half_life_days_by_kind=dict(self.half_life_days_by_kind))

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table with g and its parts."""
        kinds = context.said("kind", table.keys)
        days: dict[str | None, float] = {}
        ages = self._ages(table, context.now)
        lately = []
        for key, age in zip(table.keys, ages, strict=True):
            kind = kinds.get(key)
            if kind not in days:
                days[kind] = half_life_of(kind, self.half_life_days, self.half_life_days_by_kind)
            lately.append(recency(age, days[kind]))
        known: dict[tuple[float, float], tuple[float, float, float]] = {}  # most records are worth what others are
        standings = []
        for pair in zip(self._utilities(_column(table, "utility"), context), self._confidences(table), strict=True):
            if pair not in known:
                known[pair] = standing_of(*pair)
            standings.append(known[pair])
        told: dict[str, Sequence[float | None]] = {
            "age_days": ages,
            "util": [useful for useful, _, _ in standings],
            "conf": [sure for _, sure, _ in standings],
            "rec": lately,
        }
        good: Column = (None,) * len(ages)
        if self.use_quality:
            good = [0.5 if each is None else min(max(each, 0.0), 1.0) for each in _column(table, "quality")]
            told["quality_share"] = good
        rows = zip(standings, lately, good, strict=True)
        g = [g_of(standing, late, share) for (_, _, standing), late, share in rows]
        return table.with_columns(told).scored("g", "multiply", g)

    @staticmethod
    def _confidences(table: Candidates) -> list[float]:
        return [0.5 if sure is None else sure for sure in _column(table, "confidence")]

    def influence(self) -> tuple[Influence, ...]:
        """Return what g can take away, for what a record is worth and for its age: they are one factor."""
        least = 0.09 * (0.5 if self.use_quality else 1.0)
        return (Influence("g", "quality", "multiply", least, 1.0),)

    def _ages(self, table: Candidates, now: float) -> list[float | None]:
        made, changed = _column(table, "created_at"), self._changed(table)
        return [age_days(first, last, now) for first, last in zip(made, changed, strict=True)]

    def _changed(self, table: Candidates) -> Column:
        """Return since when recency counts, where it is not since a record was made."""
        return _column(table, "updated_at")

    def _utilities(self, raw: Column, context: StageContext) -> Sequence[float]:
        values = [0.0 if value is None else value for value in raw]
        if self.utility == "raw":
            return values
        if self.utility == "linear":
            return linear(values)
        records, mean, deviation = context.spread("utility")
        population = Population(mean, deviation or 1.0) if records else Population.of(values)
        return [population.z(value) for value in values]


@dataclass(frozen=True, slots=True)
class AnchoredWorth(WorthWeight):
    """Multiplies by g, with recency counted from when a record last helped, if it did: helpful feedback moves that."""

    inputs: ClassVar[tuple[str, ...]] = (*WorthWeight.inputs, "recency_anchor")

    def _changed(self, table: Candidates) -> Column:
        anchors = zip(_column(table, "updated_at"), _column(table, "recency_anchor"), strict=True)
        return [last if anchor is None else anchor for last, anchor in anchors]


@dataclass(frozen=True, slots=True)
class NewestFirst(Stage):
    """Orders by score, then the newer first, then by id and cell: a total order."""

    # docs/sources.md: B1.2.11.

    name: ClassVar[str] = "order"
    inputs: ClassVar[tuple[str, ...]] = ("created_at",)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table in order."""
        made = [float("-inf") if at is None else at for at in _column(table, "created_at")]
        scores, order = table.scores(), table.order()
        return table.reordered(sorted(range(len(scores)), key=lambda row: (-scores[row], -made[row], order[row])))


@dataclass(frozen=True, slots=True)
class Acceptance(Stage):
    """Drops what scores less than the threshold, and keeps the figures of all rows: mean, p50 and p90 of their parts.

    Attributes:
        at_least: the threshold, 0 to 1; a score that is equal to it is enough.

    """

    # docs/sources.md: B1.10.1, B1.13.2.

    at_least: float = 0.15

    name: ClassVar[str] = "acceptance"

    def __post_init__(self) -> None:
        """Check the range."""
        check_share("at_least", self.at_least)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without those rows."""
        scores = table.scores()
        parts = {name: [each or 0.0 for each in _column(table, name)] for name in ("s_text", "s_vec", "S", "g")}
        told = {name: figures(values) for name, values in {**parts, "score_final": scores}.items()}
        below = [row for row, score in enumerate(scores) if not accepted(score, self.at_least)]
        return table.with_figures(told).drop(dict.fromkeys(below, BELOW_THRESHOLD))


@dataclass(frozen=True, slots=True)
class CollapseTexts(Stage):
    """Of rows whose texts are the same but for case, width and white space, keeps the first, which is the best.

    Attributes:
        enough: how many rows are kept at most; those behind are dropped without a look.

    """

    # docs/sources.md: B1.9.2, B1.9.5.

    enough: int = POOLS * 12

    name: ClassVar[str] = "same text"
    inputs: ClassVar[tuple[str, ...]] = ("text_mark",)

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the table without the repetitions; texts are read only where their marks are the same."""
        kept: dict[float | None, list[int]] = {}
        gone: dict[int, str] = {}
        ids, marks, left = table.ids, _column(table, "text_mark"), 0
        for row, mark in enumerate(marks):
            if left >= self.enough:
                gone[row] = f"behind the first {self.enough}, which diversity looks at"
                continue
            others = kept.setdefault(mark, [])
            same = next(
                (other for other in others if self._say_the_same(table.keys[row], table.keys[other], context)), None
            )
            if same is not None:
                gone[row] = f"dup_of={ids[same]}"
                continue
            others.append(row)
            left += 1
        return table.drop(gone)

    @staticmethod
    def _say_the_same(one: RowKey, other: RowKey, context: StageContext) -> bool:
        records = [context.records.get(key) for key in (one, other)]
        texts = {lowered(record.gist()) if record is not None else "" for record in records}
        return len(texts) == 1 and texts != {""}


@dataclass(frozen=True, slots=True)
class DiverseEntities(Stage):
    """Orders by maximal marginal relevance, with few rows about one entity; scores stay, and need not fall any more.

    Attributes:
        k: rows that are kept.
        trade_off: of relevance against being unlike what stands above; 1 is relevance alone.
        entity_cap: rows about one entity.

    """

    # docs/sources.md: B1.9.1, B1.9.3.

    k: int = 12
    trade_off: float = 0.85
    entity_cap: int = 2

    name: ClassVar[str] = "diversity"
    inputs: ClassVar[tuple[str, ...]] = ("vector",)

    def __post_init__(self) -> None:
        """Check the ranges."""
        check_share("trade_off", self.trade_off)
        if self.k < 1 or self.entity_cap < 1:
            raise InvalidArgument("k and entity_cap must be at least 1")

    def __call__(self, table: Candidates, context: StageContext) -> Candidates:
        """Return the rows that are kept, in that order."""
        if not table.keys:
            return table
        numbers: dict[str, int] = {}
        entities = [context.listed("entities", key) for key in table.keys]
        groups = [[numbers.setdefault(name, len(numbers)) for name in names] for names in entities]
        order = maximal_marginal_relevance(
            table.scores(), [context.vector_of(key) for key in table.keys], self.k, self.trade_off,
            groups=groups, cap=self.entity_cap,
        )  # fmt: skip
        left = [row for row in range(len(table.keys)) if row not in set(order)]
        last = table.reordered([*order, *left])
        if order != sorted(order):
            best = f"{self.trade_off:g} x score - {1.0 - self.trade_off:g} x the largest cosine with those above"
            last = last.with_note(f"in the order of maximal marginal relevance ({best}); scores need not fall")
        full = f"ent_cap={self.entity_cap}" if len(order) < self.k else f"mmr: not among the first {self.k}"
        return last.drop({row: full for row in range(len(order), len(table.keys))})
