"""The router of two stages over two lists, and QMD's fusion, blend and cut."""
# docs/sources.md: A3.1 to A3.4, A3.7.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def unique(ids: Sequence[str], budget: int) -> list[str]:
    """Return the first ids, each where it stands first.

    >>> unique(["a", "a", "b"], 2)
    ['a']
    """
    # docs/sources.md: A3.1.5.
    kept: list[str] = []
    for id in ids[:budget]:
        if id not in kept:
            kept.append(id)
    return kept


def ordered(rows: Sequence[tuple[str, float, int, int]]) -> list[str]:
    """Return ids of (id, score, stage, rank) in the order of the router, by comparing every two rows.

    >>> ordered([("b", 0.5, 0, 2), ("a", 0.5, 1, 1), ("c", 0.5, 0, 1)])
    ['c', 'b', 'a']
    """
    # docs/sources.md: A3.1.4.
    left, found = list(rows), []
    while left:
        best = left[0]
        for row in left[1:]:
            if row[1] > best[1] or (row[1] == best[1] and (row[2], row[3], row[0]) < (best[2], best[3], best[0])):
                best = row
        left.remove(best)
        found.append(best[0])
    return found


def rrf(lists: Sequence[Sequence[str]], k: float = 60) -> list[tuple[str, float]]:
    """Return ids with the sum of 1 / (k + rank); ties by stage, rank and id.

    >>> rrf([["a"], ["a"]])
    [('a', 0.03278688524590164)]
    """
    # docs/sources.md: A3.3.2, A3.3.3.
    clean = [unique(ids, len(ids)) for ids in lists]
    rows = []
    for id in unique([id for ids in clean for id in ids], sum(map(len, clean))):
        score, where = 0.0, None
        for stage, ids in enumerate(clean):
            if id in ids:
                rank = ids.index(id) + 1
                score += 1.0 / (k + rank)
                where = where or (stage, rank)
        assert where is not None
        rows.append((id, score, *where))
    return [(id, next(row[1] for row in rows if row[0] == id)) for id in ordered(rows)]


def route(stage1: Sequence[str], stage2: Sequence[str], **given: Any) -> dict[str, Any]:
    """Return ids and flags of one question; the names of the constants are those of the published cases.

    >>> route(["a"], ["b", "c"], top_k=2)["ids"]
    ['a', 'b']
    """
    rules: Mapping[str, Any] = {
        "mode": "append_fill", "top_k": 10, "n1": 20, "n2": 20, "max_append": 10, "min_must": 3, "k_rrf": 60,
        "cap_ms": 600.0, "always_stage2": False, "estimate_ms": None, "stage2_ms": None, "stage1_failed": False,
        "stage2_failed": False, **given,
    }  # fmt: skip
    first = [] if rules["stage1_failed"] else unique(stage1, rules["n1"])
    should = len(first) < rules["min_must"]
    used = skipped = False
    if should or rules["always_stage2"]:
        if rules["estimate_ms"] is not None and rules["estimate_ms"] > rules["cap_ms"]:
            skipped = True
        elif rules["stage2_failed"]:
            pass
        elif rules["stage2_ms"] is not None and rules["stage2_ms"] > rules["cap_ms"]:
            skipped = True
        else:
            used = True
    second = unique(stage2, rules["n2"]) if used else []
    if rules["mode"] == "rrf_fusion":
        ids = [id for id, _ in rrf([first, second], rules["k_rrf"])]
    else:
        ids, added = list(first), 0
        for id in second:
            if id not in ids and len(ids) < rules["top_k"] and added < rules["max_append"]:
                ids.append(id)
                added += 1
    return {
        "ids": ids[: rules["top_k"]],
        "stage2_should_trigger": should,
        "stage2_used": used,
        "stage2_skipped_budget": skipped,
    }


def qmd_rrf(lists: Sequence[Sequence[str]], weights: Sequence[float], k: float = 60) -> list[tuple[str, float]]:
    """Return ids with the sum of weight / (k + rank) and the bonus of the best rank, ties as they were first seen.

    >>> qmd_rrf([["a"], ["b"]], [2.0, 1.0])[0]
    ('a', 0.08278688524590164)
    """
    # docs/sources.md: A3.7.5.
    seen = unique([id for ids in lists for id in ids], sum(map(len, lists)))
    scored: list[tuple[str, float]] = []
    for id in seen:
        score, best = 0.0, 1_000_000
        for number, ids in enumerate(lists):
            for place, other in enumerate(ids):
                if other == id:
                    score += (weights[number] if number < len(weights) else 1.0) / (k + place + 1)
                    best = min(best, place)
        if best == 0:
            score += 0.05
        elif best <= 2:
            score += 0.02
        at = 0
        while at < len(scored) and scored[at][1] >= score:
            at += 1
        scored.insert(at, (id, score))
    return scored


def cutoff(
    breaks: Sequence[tuple[int, float]],
    target: int,
    window: int = 800,
    decay: float = 0.7,
    fences: Sequence[tuple[int, int]] = (),
) -> tuple[int, float | None]:
    """Return where a text is cut, and what that place is worth; None where it is the target itself.

    >>> cutoff([(3200, 100.0)], 3600)
    (3200, 82.5)
    """
    # docs/sources.md: A3.7.8.
    worth = []
    for pos, score in breaks:
        far = target - pos
        fenced = [fence for fence in fences if fence[0] < pos < fence[1]]
        if 0 <= far <= window and not fenced:
            worth.append((pos, score * (1.0 - (far / window) * (far / window) * decay)))
    best = max((value for _, value in worth), default=None)
    return next(((pos, value) for pos, value in worth if value == best), (target, None))
