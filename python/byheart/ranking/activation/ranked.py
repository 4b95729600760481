"""The results of an activation with every part of their scores, read from the columns of its table.

`of_table` reads the table of a recall. `rank` makes one of candidates that somebody else has found, such as a query in
SQL, and runs the same stages over it.
"""
# docs/sources.md: B1.2.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from ...boundary.policy.retrieval import Retrieval
from ...errors import InvalidArgument
from ...knowledge import text_mark
from ...light.classes import dataclass
from ...records import Record
from ..algebra import Stage, StageContext, run
from ..candidates import Candidates
from .formulas import Population, Worth, rank_score
from .reasons import BELOW_THRESHOLD, reason
from .stages import (
    POOLS,
    Acceptance,
    AlphaFusion,
    AnchoredWorth,
    CollapseTexts,
    DiverseEntities,
    NewestFirst,
    SideScores,
    WorthWeight,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What one side or both found, with what is known of the record.

    Attributes:
        id: of the record.
        text_score: raw, of the full text; None if words did not find it.
        text_rank: its place among substrings, from 1, where there is no full text.
        similarity: the raw cosine; None if vectors did not find it.
        utility, confidence, quality: what the record is worth.
        kind: whose half-life counts.
        created_at, updated_at, anchored_at: its times; the last is the last helpful use.
        text: what makes two records one; None is the same as nothing else.
        entities: what it is about.
        vector: for diversity.

    """

    id: str
    text_score: float | None = None
    text_rank: int | None = None
    similarity: float | None = None
    utility: float = 0.0
    confidence: float = 0.5
    quality: float = 0.5
    kind: str | None = None
    created_at: float | None = None
    updated_at: float | None = None
    anchored_at: float | None = None
    text: str | None = None
    entities: tuple[str, ...] = ()
    vector: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A result with every part of its score; `score` is that of the whole, whatever its rank.

    Attributes:
        id: of the record.
        score: S times g.
        s_text, s_vec: what words and vectors gave, in [0, 1]; None where a side did not find it.
        s: both fused.
        worth: g and its parts.
        reason: why it is there, as `key=value` pairs.

    """

    id: str
    score: float
    s_text: float | None
    s_vec: float | None
    s: float
    worth: Worth
    reason: str

    def features(self) -> dict[str, Any]:
        """Return the parts of the score as a JSON-able mapping."""
        g = {"util": self.worth.utility, "conf": self.worth.confidence, "rec": self.worth.recency}
        if self.worth.quality is not None:
            g["quality"] = self.worth.quality
        return {"s_text": self.s_text, "s_vec": self.s_vec, "S": self.s, "g": {**g, "value": self.worth.g}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The accepted results in their order, those that were not accepted, and the figures of all.

    Attributes:
        items: the results; their rank is their place, which diversity decides, so that scores need not fall.
        below: the ids of candidates below the threshold, best first.
        alpha: the share of vectors that was used.
        unasked: the legs that could not look.
        figures: mean, p50 and p90 of the parts of all scores, before anything was left out.

    """

    items: tuple[Scored, ...]
    below: tuple[str, ...]
    alpha: float
    figures: dict[str, dict[str, float | None]] = field(default_factory=dict)
    unasked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What each side could do: whether it could look, whether words had full text, and its coefficients, if any."""

    text: bool = True
    vectors: bool = True
    full_text: bool = True
    text_calibration: Mapping[str, Any] | None = None
    vec_calibration: Mapping[str, Any] | None = None


def stages(
    settings: Retrieval,
    *,
    calibration: Mapping[str, Mapping[str, Any]] | None = None,
    utility: str = "z",
    results: int | None = None,
) -> tuple[Stage, ...]:
    """Return the stages of an activation with these parameters.

    Args:
        settings: the parameters.
        calibration: coefficients by leg, "text" and "vec".
        utility: how utilities are compared (see `WorthWeight`).
        results: how many results there are at most; None: as the parameters say. More changes none that come before.

    """
    fitted = calibration or {}
    return (
        SideScores(fitted.get("text"), fitted.get("vec")),
        AlphaFusion(
            settings.alpha, settings.dynamic_alpha, settings.alpha_short, settings.alpha_long,
            settings.long_query_tokens,
        ),
        (AnchoredWorth if settings.recency_anchor else WorthWeight)(
            settings.use_quality, settings.half_life_days, settings.half_life_days_by_kind or {}, utility
        ),
        NewestFirst(),
        Acceptance(settings.min_score),
        CollapseTexts(POOLS * settings.k_final),
        DiverseEntities(
            max(settings.k_final, results or 0), settings.trade_off, settings.entity_cap
        ),
    )  # fmt: skip


def of_table(table: Candidates) -> Ranked:
    """Return what a table says once the stages of activation have run over it."""
    columns, figures = table.columns, dict(table.figures)
    alpha, unasked = float(figures.pop("alpha", 0.0)), frozenset(figures.pop("unasked", ()))
    nothing = (None,) * len(table.keys)
    column = {name: columns.get(name, nothing) for name in (*_PARTS, "lexical_rank", "substring", "dense")}
    items = []
    for row, (id, score) in enumerate(zip(table.ids, table.scores(), strict=True)):
        said = {name: values[row] for name, values in column.items()}
        parts = Worth(
            said["util"] or 0.0, said["conf"] or 0.0, said["rec"] or 0.0, said["quality_share"], said["g"] or 0.0
        )
        place, rank = said["substring"], said["lexical_rank"]
        why = reason(
            rank=round(1.0 / place - 1.0) if place else None if rank is None else int(rank),
            fallback=place is not None,
            similarity=said["dense"],
            age_days=said["age_days"],
            utility=parts.utility,
            confidence=parts.confidence,
        )
        items.append(
            Scored(
                id=id, score=score, s_text=said["s_text"], s_vec=said["s_vec"], s=said["S"] or 0.0, worth=parts,
                reason=why,
            )
        )  # fmt: skip
    below = tuple(gone.id for gone in table.dropped if gone.reason == BELOW_THRESHOLD)
    return Ranked(items=tuple(items), below=below, alpha=alpha, figures=figures, unasked=unasked)


_PARTS = ("s_text", "s_vec", "S", "util", "conf", "rec", "quality_share", "g", "age_days")


def rank(
    candidates: Sequence[Candidate],
    settings: Retrieval,
    *,
    now: float,
    query: str = "",
    sides: Sides | None = None,
    population: Population | None = None,
    alpha: float | None = None,
    utility: str = "z",
) -> Ranked:
    """Return the accepted candidates in order, and the account of all.

    Args:
        candidates: the union of both sides, each record once.
        settings: the parameters.
        now: epoch seconds.
        query: the question, where its form chooses alpha.
        sides: what each side could do.
        population: utilities inside the boundary; None: those of the candidates.
        alpha: the share of vectors; None: that of the settings.
        utility: "z", "linear" where there is no population, "raw" as the published template has it.

    Raises:
        InvalidArgument: a record is there twice, or there is no such utility.

    >>> rank([Candidate(id="a", text_score=2.0, similarity=0.9), Candidate(id="b", text_score=1.0)],
    ...      Retrieval(), now=0.0).items[0].id
    'a'

    """
    able = sides or Sides()
    if len({candidate.id for candidate in candidates}) < len(candidates):
        raise InvalidArgument("candidates: a record is there twice; join the sides first")
    fitted = {"text": able.text_calibration, "vec": able.vec_calibration}
    chosen = stages(
        settings, calibration={leg: each for leg, each in fitted.items() if each is not None}, utility=utility
    )
    if alpha is not None:
        chosen = tuple(AlphaFusion(alpha) if isinstance(stage, AlphaFusion) else stage for stage in chosen)
    return of_table(run(chosen, _table(candidates, able), _context(candidates, now, query, population)))


def _table(candidates: Sequence[Candidate], able: Sides) -> Candidates:
    """Return the table that the legs would have made; a side that could not look has no column."""
    columns: dict[str, tuple[float | None, ...]] = {
        name: tuple(getattr(each, name) for each in candidates)
        for name in ("utility", "confidence", "quality", "created_at", "updated_at")
    }
    columns["text_mark"] = tuple(text_mark(each.text) if each.text else None for each in candidates)
    columns["recency_anchor"] = tuple(each.anchored_at for each in candidates)
    if able.text and able.full_text:
        raw = [each.text_score for each in candidates]
        best = sorted((score for score in raw if score is not None), reverse=True)
        columns["lexical"] = tuple(raw)
        columns["lexical_rank"] = tuple(None if score is None else float(best.index(score) + 1) for score in raw)
    elif able.text:
        ranks = [each.text_rank for each in candidates]
        columns["substring"] = tuple(None if place is None else rank_score(place) for place in ranks)
    if able.vectors:
        columns["dense"] = tuple(each.similarity for each in candidates)
    return Candidates(tuple(each.id for each in candidates), columns)


def _context(candidates: Sequence[Candidate], now: float, query: str, population: Population | None) -> StageContext:
    known = {each.id: each for each in candidates}
    kinds = {each.id: each.kind for each in candidates if each.kind is not None}
    texts = {each.id: Record(text=each.text, id=each.id) for each in candidates if each.text}
    figures = (0, 0.0, None) if population is None else (1, population.mean, population.deviation)
    return StageContext(
        now=now,
        k=len(candidates),
        query=query,
        records=texts,
        vector_of=lambda id: known[id].vector,
        spread=lambda column: figures,
        words=lambda field, ids: kinds,
        values=lambda field, id: known[id].entities,
    )
