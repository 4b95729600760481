"""The hybrid pipeline over plain lists, every row a dictionary entry.

Two lists come in, one of cosines and one of BM25 scores; out comes one of scores, in the order of the answer. After
every step that changes scores the rows are sorted anew, and rows of one score keep their order.
"""
# docs/sources.md: A2.1 to A2.6.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from . import diversity, fusion, noise
from .mathematics import exp, ln

LN2 = ln(2.0)
Hits = Sequence[tuple[str, float]]
Scores = list[tuple[str, float]]


@dataclass(frozen=True)
class Entry:
    """What is known of a record; None for what is not."""

    text: str = ""
    age_days: float = 0.0
    importance: float | None = None
    vector: Sequence[float] | None = None
    access_count: int = 0
    days_since_access: float | None = None


@dataclass(frozen=True)
class Settings:
    """The pipeline's numbers."""

    # docs/sources.md: A2.8.1.

    strategy: str = "bonus15"
    normaliser: str = "logistic"
    vector_score: str = "cosine"
    vector_weight: float = 0.7
    words_weight: float = 0.3
    min_score: float = 0.3
    lightweight: bool = False
    recency_half_life: float = 14.0
    recency_weight: float = 0.1
    anchor: float = 500.0
    time_half_life: float = 60.0
    base: str = "e"
    reinforcement: float = 0.0
    hard_min_score: float = 0.35
    filter_noise: bool = True
    noise_profile: str = "byheart"
    threshold: float = 0.85


def normalised(words: Hits, normaliser: str) -> Scores:
    """Return BM25 scores on the scale from 0 to 1.

    >>> normalised([("a", 0.0), ("b", 3.0)], "ratio"), normalised([("a", 4.0), ("b", 2.0)], "min_max")
    ([('a', 0.0), ('b', 0.75)], [('a', 1.0), ('b', 0.0)])
    """
    # docs/sources.md: D-23.
    raw = [score for _, score in words]
    if normaliser == "logistic":
        scaled = [1.0 / (1.0 + exp(-score / 5.0)) if score > 0.0 else 0.5 for score in raw]
    elif normaliser == "ratio":
        scaled = [score / (1.0 + score) if score > 0.0 else 0.0 for score in raw]
    elif normaliser == "min_max":
        scaled = [(score - min(raw)) / (max(raw) - min(raw)) if max(raw) > min(raw) else 1.0 for score in raw]
    else:
        scaled = [min(1.0, max(0.0, score)) for score in raw]
    return [(id, score) for (id, _), score in zip(words, scaled, strict=True)]


def vector_score(cosine: float, kind: str) -> float:
    """Return a cosine as it enters the fusion.

    >>> vector_score(-0.5, "cosine"), vector_score(0.0, "inverse_distance")
    (0.0, 0.5)
    """
    # docs/sources.md: D-22.
    if kind == "cosine":
        return min(1.0, max(0.0, cosine))
    return 1.0 / (1.0 + max(0.0, 1.0 - cosine))


def fused(vector: Hits, words: Hits, settings: Settings) -> Scores:
    """Return the union of both lists with the fused scores: the vectors' rows, then what words alone found.

    >>> fused([("a", 0.5)], [("b", 0.0), ("a", 1.0)], Settings())
    [('a', 0.575), ('b', 0.5)]
    """
    # docs/sources.md: A2.2.
    cosines = {id: vector_score(score, settings.vector_score) for id, score in vector}
    terms = dict(normalised(words, settings.normaliser))
    ids = [id for id, _ in vector] + [id for id, _ in words if id not in cosines]
    weights = {"vector_weight": settings.vector_weight, "words_weight": settings.words_weight}
    if settings.strategy == "rrf":
        lists = [[id for id, _ in sorted(hits, key=lambda hit: (-hit[1], hit[0]))] for hits in (vector, words) if hits]
        best = dict(fusion.reciprocal_rank_fusion([["first"] for _ in lists]))["first"] if lists else 1.0
        sums = dict(fusion.reciprocal_rank_fusion(lists))
        scores = {id: fusion.clamp(sums[id] / best) for id in ids}
    elif settings.strategy == "weighted":
        scores = {id: fusion.convex(cosines.get(id), terms.get(id), **weights) for id in ids}
    else:
        scores = {id: fusion.bonus(cosines.get(id), terms.get(id)) for id in ids}
    return resorted([(id, scores[id]) for id in ids])


def left(age_days: float, half_life: float, base: str) -> float:
    """Return e^(-age / half-life), or 2^(-age / half-life), with an age of at least 0.

    >>> left(60.0, 60.0, "half_life"), left(-3.0, 60.0, "e")
    (0.5, 1.0)
    """
    # docs/sources.md: A2.4.8, D-26.
    lives = max(age_days, 0.0) / half_life
    return exp(-lives) if base == "e" else exp(-lives * LN2)


def half_life(entry: Entry, settings: Settings) -> float:
    """Return the half-life of a record, longer for what is in use.

    >>> half_life(Entry(access_count=100, days_since_access=0.0), Settings(reinforcement=0.5))
    180.0
    """
    # docs/sources.md: A2.9.
    days = settings.time_half_life
    if not entry.access_count or entry.days_since_access is None:
        return days
    uses = entry.access_count * left(entry.days_since_access, 30.0, "half_life")
    return min(days + days * settings.reinforcement * ln(1.0 + uses), days * 3.0)


def importance_factor(entry: Entry) -> float:
    """Return 0.7 + 0.3 * importance, which is 0.7 where it is not known.

    >>> importance_factor(Entry(importance=0.5)), importance_factor(Entry()) == importance_factor(Entry(importance=0.7))
    (0.85, True)
    """
    # docs/sources.md: A2.4.2.
    return 0.7 + 0.3 * (0.7 if entry.importance is None else entry.importance)


def length_factor(entry: Entry, anchor: float) -> float:
    """Return 1 / (1 + 0.5 * log2(length / anchor)), and 1 below the anchor.

    >>> length_factor(Entry("x" * 2000), 500.0)
    0.5
    """
    # docs/sources.md: A2.4.3.
    return 1.0 / (1.0 + 0.5 * (ln(max(len(entry.text) / anchor, 1.0)) / LN2))


def resorted(scores: Scores) -> Scores:
    """Return the rows by score descending; rows of one score keep their order.

    >>> resorted([("b", 0.5), ("a", 0.5), ("c", 0.9)])
    [('c', 0.9), ('b', 0.5), ('a', 0.5)]
    """
    # docs/sources.md: A2.1.8.
    return sorted(scores, key=lambda pair: -pair[1])


def changed(scores: Scores, new: Callable[[str, float], float]) -> Scores:
    """Return the rows with new scores, each clamped, in their new order.

    >>> changed([("a", 0.5), ("b", 0.4)], lambda id, score: score * 3.0 if id == "b" else score)
    [('b', 1.0), ('a', 0.5)]
    """
    return resorted([(id, min(1.0, max(0.0, new(id, score)))) for id, score in scores])


def run(
    entries: Mapping[str, Entry],
    vector: Hits,
    words: Hits,
    limit: int,
    settings: Settings,
    query: Sequence[float] | None = None,
) -> Scores:
    """Return at most `limit` ids with their scores, in the order of the answer.

    >>> entries = {"a": Entry("a fact of note", importance=1.0), "b": Entry("hello there")}
    >>> run(entries, [("a", 0.5), ("b", 0.4)], [], 5, Settings())
    [('a', 0.6)]
    """
    # docs/sources.md: A2.1.1.
    s = settings
    rows = [(id, score) for id, score in fused(vector, words, s) if score >= s.min_score]
    if s.lightweight:
        rows = lightweight(entries, rows[: 2 * limit], query)
    if s.recency_half_life > 0.0 and s.recency_weight > 0.0:
        rows = changed(
            rows,
            lambda id, score: score + left(entries[id].age_days, s.recency_half_life, s.base) * s.recency_weight,
        )
    rows = changed(rows, lambda id, score: score * importance_factor(entries[id]))
    if s.anchor > 0.0:
        rows = changed(rows, lambda id, score: score * length_factor(entries[id], s.anchor))
    if s.time_half_life > 0.0:
        rows = changed(
            rows,
            lambda id, score: score * (0.5 + 0.5 * left(entries[id].age_days, half_life(entries[id], s), s.base)),
        )
    rows = [(id, score) for id, score in rows if score >= s.hard_min_score]
    if s.filter_noise:
        rows = [(id, score) for id, score in rows if noise.is_noise(entries[id].text, s.noise_profile) is None]
    order = diversity.defer_similar([entries[id].vector for id, _ in rows], s.threshold)
    return [rows[at] for at in order][:limit]


def lightweight(entries: Mapping[str, Entry], rows: Scores, query: Sequence[float] | None) -> Scores:
    """Return the rows with 0.7 of their score and 0.3 of their cosine with the query.

    They stay as they are if the query has no vector, or one of them has none.

    >>> lightweight({"a": Entry(vector=[1.0, 0.0])}, [("a", 0.5)], [1.0, 0.0])
    [('a', 0.6499999999999999)]
    """
    # docs/sources.md: A2.3.6.
    vectors = {id: entries[id].vector for id, _ in rows}
    if query is None or any(vector is None for vector in vectors.values()):
        return rows
    return changed(rows, lambda id, score: score * 0.7 + 0.3 * diversity.similarity(query, vectors[id]))
