"""Activation as its source writes it: from candidates to accepted results, slowly, one row at a time."""
# docs/sources.md: B1.2, B1.4, B1.5, B1.7, B1.9.

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .diversity import similarity
from .mathematics import exp, ln

HALF_LIVES = {"fact": 120.0, "task": 14.0, "preference": 90.0, "policy_hint": 365.0}
Row = Mapping[str, Any]
"""A candidate: `id`, and of `bm25`, `rank`, `sim`, `utility`, `confidence`, `quality`, `kind`, `created_at`,
`updated_at`, `hash`, `entities`, `vec` what there is."""


def sigma(x: float) -> float:
    """Return the logistic function.

    >>> sigma(0.0)
    0.5
    """
    if x < 0.0:
        return exp(x) / (1.0 + exp(x))
    return 1.0 / (1.0 + exp(-x))


def s_text(rows: Sequence[Row]) -> list[float | None]:
    """Return the normalised score of words of each row: min-max of BM25, or by its rank.

    >>> s_text([{"bm25": 3.0}, {"bm25": 1.0}, {}, {"rank": 1}])
    [1.0, 0.0, None, 0.5]
    """
    raw = [row["bm25"] for row in rows if row.get("bm25") is not None]
    found: list[float | None] = []
    for row in rows:
        if row.get("bm25") is not None:
            found.append((row["bm25"] - min(raw)) / max(max(raw) - min(raw), 1e-6))
        elif row.get("rank") is not None:
            found.append(1.0 / (1.0 + row["rank"]))
        else:
            found.append(None)
    return found


def z_scores(utilities: Sequence[float]) -> list[float]:
    """Return how many sample deviations each lies from the mean; a deviation that is 0 or missing counts as 1.

    >>> z_scores([1.0, 2.0, 3.0]), z_scores([5.0])
    ([-1.0, 0.0, 1.0], [0.0])
    """
    mean = math.fsum(utilities) / len(utilities)
    mean = min(max(mean, min(utilities)), max(utilities))
    deviation = 0.0
    if len(utilities) > 1:
        deviation = math.sqrt(math.fsum((each - mean) ** 2 for each in utilities) / (len(utilities) - 1))
    return [(each - mean) / (deviation if deviation > 0.0 else 1.0) for each in utilities]


def g(z: float, confidence: float, recency: float, quality: float | None = None) -> float:
    """Return what a record is worth.

    >>> g(0.0, 0.5, 1.0)
    0.6000000000000001
    """

    def cut(x: float) -> float:
        return 0.0 if x < 0.0 else 1.0 if x > 1.0 else x

    found = (0.6 + 0.4 * sigma(z)) * (0.5 + 0.5 * cut(confidence)) * (0.3 + 0.7 * cut(recency))
    return found if quality is None else found * (0.5 + 0.5 * cut(quality))


def recency(age: float | None, half_life: float) -> float:
    """Return 1 now, one half after a half-life, 0 without an age.

    >>> recency(14.0, 14.0)
    0.5
    """
    if age is None:
        return 0.0
    return exp(-ln(2.0) * (age if age > 0.0 else 0.0) / half_life)


def scores(
    rows: Sequence[Row], now: float, alpha: float, half_life: Callable[[str | None], float], use_quality: bool = False
) -> list[float]:
    """Return S * g of each row."""
    texts, zs = s_text(rows), z_scores([row.get("utility", 0.0) for row in rows]) if rows else []
    found = []
    for row, text, z in zip(rows, texts, zs, strict=True):
        vector = None if row.get("sim") is None else (min(max(row["sim"], -1.0), 1.0) + 1.0) / 2.0
        s = alpha * (0.0 if vector is None else vector) + (1.0 - alpha) * (0.0 if text is None else text)
        since = row.get("created_at") if row.get("updated_at") is None else row["updated_at"]
        age = None if since is None else (now - since) / 86400.0
        lately = recency(age, half_life(row.get("kind")))
        quality = row.get("quality", 0.5) if use_quality else None
        found.append(s * g(z, row.get("confidence", 0.5), lately, quality))
    return found


def usual_half_life(kind: str | None) -> float:
    """Return the days of a kind where no policy says otherwise.

    >>> usual_half_life("task"), usual_half_life(None)
    (14.0, 30.0)
    """
    return HALF_LIVES.get(kind or "", 30.0)


def before(row: Row, score: float, other: Row, others: float) -> bool:
    """Return whether a row stands before another: the higher score, the newer, the smaller id."""
    if score != others:
        return score > others
    made = [-math.inf if each.get("created_at") is None else each["created_at"] for each in (row, other)]
    return made[0] > made[1] if made[0] != made[1] else row["id"] < other["id"]


def activate(
    rows: Sequence[Row],
    now: float,
    alpha: float = 0.65,
    k: int = 12,
    threshold: float = 0.15,
    trade_off: float = 0.85,
    cap: int = 2,
    half_life: Callable[[str | None], float] = usual_half_life,
    use_quality: bool = False,
) -> tuple[list[tuple[str, float]], list[str]]:
    """Return ids and scores of the results in order, and the ids of those below the threshold.

    >>> activate([{"id": "a", "sim": 1.0, "created_at": 0.0}, {"id": "b", "sim": -1.0}], 0.0)
    ([('a', 0.39000000000000007)], ['b'])
    """
    scored = list(zip(rows, scores(rows, now, alpha, half_life, use_quality), strict=True))
    line: list[tuple[Row, float]] = []
    for row, score in scored:  # insertion into an ordered line
        place = 0
        while place < len(line) and before(line[place][0], line[place][1], row, score):
            place += 1
        line.insert(place, (row, score))
    below = [row["id"] for row, score in line if not score >= threshold]
    kept: list[tuple[Row, float]] = []
    for row, score in line:
        known = [other["hash"] for other, _ in kept if other.get("hash") is not None]
        if score >= threshold and row.get("hash") not in known:
            kept.append((row, score))
    pool = kept[: 4 * k]
    results: list[tuple[str, float]] = []
    chosen: list[Row] = []
    while len(results) < k:
        free = [entry for entry in pool if not crowded(entry[0], chosen, cap)]
        if not free:
            break

        def value(entry: tuple[Row, float]) -> tuple[float, float, int]:
            row, score = entry
            nearest = max((similarity(row.get("vec"), other.get("vec")) for other in chosen), default=0.0)
            return trade_off * score - (1.0 - trade_off) * nearest, score, -pool.index(entry)

        best = max(free, key=value)
        pool.remove(best)
        chosen.append(best[0])
        results.append((best[0]["id"], best[1]))
    return results, below


SIGNALS = {"helpful": (0.10, 0.05), "harmful": (-0.20, -0.10), "outdated": (0.0, -0.20), "duplicate": (0.0, 0.0)}


def after(utility: float, confidence: float, signals: Sequence[str]) -> tuple[float, float]:
    """Return utility and confidence after signals, one after the other; confidence stays in [0, 1].

    >>> after(0.0, 0.05, ["harmful"])
    (-0.2, 0.0)
    """
    for signal in signals:
        more, surer = SIGNALS[signal]
        utility = utility + more
        confidence = confidence + surer
        confidence = 0.0 if confidence < 0.0 else 1.0 if confidence > 1.0 else confidence
    return utility, confidence


def crowded(row: Row, chosen: Sequence[Row], cap: int) -> bool:
    """Return whether as many rows as may be are chosen already about one of the things that a row is about.

    >>> crowded({"entities": ["e"]}, [{"entities": ["e"]}, {"entities": ["e", "f"]}], 2)
    True
    """
    return any(sum(name in other.get("entities", ()) for other in chosen) >= cap for name in row.get("entities", ()))
