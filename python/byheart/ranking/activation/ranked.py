"""The ranking of what both sides found: normalise, fuse, weigh, accept, collapse, diversify, cut.

One path for whoever activates and whoever searches: what is saved afterwards changes no score. Everything here is a
function of the candidates, the parameters and the time.
"""
# docs/sources.md: B1.2.

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...boundary.policy import Retrieval
from ...errors import InvalidArgument
from ..normalisation import similarity_score
from .calibration import Calibration
from .formulas import (
    Population,
    Worth,
    accepted,
    age_days,
    final_score,
    fuse,
    linear,
    min_max,
    rank_score,
    recency,
    share_of_vectors,
    worth,
)
from .reasons import reason
from .selection import POOLS, collapse, diverse, ordered
from .statistics import figures

_UTILITIES = ("z", "linear", "raw")


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
        content_hash, normalised: what makes two records one.
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
    content_hash: str | None = None
    normalised: str | None = None
    entities: tuple[str, ...] = ()
    vector: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate with every part of its score; `score` is that of the whole, whatever its rank."""

    candidate: Candidate
    s_text: float | None
    s_vec: float | None
    s: float
    worth: Worth
    score: float
    text_rank: int | None
    age_days: float | None
    fallback: bool = False

    @property
    def reason(self) -> str:
        """Why it is there: where words and vector found it, how old it is, and what it is worth."""
        return reason(
            rank=self.text_rank,
            fallback=self.fallback,
            similarity=self.candidate.similarity,
            age_days=self.age_days,
            utility=self.worth.utility,
            confidence=self.worth.confidence,
        )

    @property
    def id(self) -> str:
        """The id of the record."""
        return self.candidate.id

    @property
    def created_at(self) -> float | None:
        """When the record was made."""
        return self.candidate.created_at

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
        figures: mean, p50 and p90 of the parts of all scores, before anything was left out.

    """

    items: tuple[Scored, ...]
    below: tuple[str, ...]
    alpha: float
    figures: dict[str, dict[str, float | None]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """What each side could do: whether it could look, whether words had full text, and its coefficients, if any."""

    text: bool = True
    vectors: bool = True
    full_text: bool = True
    text_calibration: Calibration | None = None
    vec_calibration: Calibration | None = None


def rank(
    candidates: Sequence[Candidate],
    settings: Retrieval,
    *,
    now: float,
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
    share = share_of_vectors(settings.alpha if alpha is None else alpha, text=able.text, vectors=able.vectors)
    scored = ordered(_scored(candidates, settings, now, able, share, _utilities(candidates, population, utility)))
    enough = [row for row in scored if accepted(row.score, settings.min_score)]
    below = tuple(row.id for row in scored if not accepted(row.score, settings.min_score))
    kept = [enough[at] for at in collapse([(row.candidate.content_hash, row.candidate.normalised) for row in enough])]
    pool = kept[: POOLS * settings.k_final]
    chosen = diverse(
        [row.score for row in pool],
        [row.candidate.vector for row in pool],
        [row.candidate.entities for row in pool],
        settings.k_final,
        trade_off=settings.trade_off,
        entity_cap=settings.entity_cap,
    )
    return Ranked(items=tuple(pool[at] for at in chosen), below=below, alpha=share, figures=_figures(scored))


def _utilities(candidates: Sequence[Candidate], population: Population | None, utility: str) -> list[float]:
    values = [candidate.utility for candidate in candidates]
    if utility == "raw":
        return values
    if utility == "linear":
        return linear(values)
    if utility != "z":
        raise InvalidArgument(f"utility: {utility!r} does not exist; there are {', '.join(_UTILITIES)}")
    known = population or Population.of(values)
    return [known.z(value) for value in values]


def _scored(
    candidates: Sequence[Candidate],
    settings: Retrieval,
    now: float,
    able: Sides,
    alpha: float,
    utilities: Sequence[float],
) -> list[Scored]:
    texts, ranks = _text_scores(candidates, able)
    found = []
    for candidate, s_text, place, z in zip(candidates, texts, ranks, utilities, strict=True):
        s_vec = _vector_score(candidate.similarity, able)
        s = fuse(s_text, s_vec, alpha)
        since = candidate.anchored_at if settings.recency_anchor else None
        age = age_days(candidate.created_at, candidate.updated_at if since is None else since, now)
        lately = recency(age, settings.half_life(candidate.kind))
        value = worth(z, candidate.confidence, lately, candidate.quality if settings.use_quality else None)
        score = final_score(s, value.g)
        found.append(
            Scored(
                candidate=candidate, s_text=s_text, s_vec=s_vec, s=s, worth=value, score=score, text_rank=place,
                age_days=age, fallback=not able.full_text,
            )
        )  # fmt: skip
    return found


def _text_scores(candidates: Sequence[Candidate], able: Sides) -> tuple[list[float | None], list[int | None]]:
    """Return the normalised score of words of each candidate, and its rank among them."""
    if not able.full_text:
        ranks = [candidate.text_rank for candidate in candidates]
        return [None if place is None else rank_score(place) for place in ranks], ranks
    raw = [candidate.text_score for candidate in candidates if candidate.text_score is not None]
    fitted = able.text_calibration
    scale = min_max(raw) if fitted is None else [fitted.apply(score) for score in raw]
    normalised = dict(zip(raw, scale, strict=True))
    by_rank: dict[float, int] = {}
    for place, score in enumerate(sorted(raw, reverse=True), 1):
        by_rank.setdefault(score, place)
    scores = [None if each.text_score is None else normalised[each.text_score] for each in candidates]
    return scores, [None if each.text_score is None else by_rank[each.text_score] for each in candidates]


def _vector_score(similarity: float | None, able: Sides) -> float | None:
    if similarity is None:
        return None
    return similarity_score(similarity) if able.vec_calibration is None else able.vec_calibration.apply(similarity)


def _figures(scored: Sequence[Scored]) -> dict[str, dict[str, float | None]]:
    return {
        "s_text": figures([row.s_text or 0.0 for row in scored]),
        "s_vec": figures([row.s_vec or 0.0 for row in scored]),
        "S": figures([row.s for row in scored]),
        "g": figures([row.worth.g for row in scored]),
        "score_final": figures([row.score for row in scored]),
    }
