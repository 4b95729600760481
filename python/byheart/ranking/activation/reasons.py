"""Reasons: why a result is there, as `key=value` pairs that a program can read and a person too."""
# docs/sources.md: B1.12.2, B1.12.3.

from __future__ import annotations

from collections.abc import Iterable

BELOW_THRESHOLD = "below_threshold"


def written(parts: Iterable[tuple[str, str]]) -> str:
    """Return pairs as a reason.

    >>> written([("FTS", "rank:2"), ("cos", "0.92")])
    'FTS=rank:2; cos=0.92'
    """
    return "; ".join(f"{key}={value}" for key, value in parts)


def reason(
    *,
    rank: int | None,
    fallback: bool,
    similarity: float | None,
    age_days: float | None,
    utility: float,
    confidence: float,
) -> str:
    """Return the reason of a result: where words and vector found it, how old it is, and what it is worth.

    >>> reason(rank=2, fallback=False, similarity=0.92, age_days=12.4, utility=0.86, confidence=0.72)
    'FTS=rank:2; cos=0.92; recent=12d; util=0.86; conf=0.72'
    """
    parts = []
    if rank is not None:
        parts.append(("LIKE" if fallback else "FTS", f"rank:{rank}"))
    if similarity is not None:
        parts.append(("cos", f"{similarity:.2f}"))
    if age_days is not None:
        parts.append(("recent", f"{int(max(age_days, 0.0))}d"))
    return written([*parts, ("util", f"{utility:.2f}"), ("conf", f"{confidence:.2f}")])


def read(text: str) -> dict[str, str]:
    """Return the pairs of a reason; keys that are new to the reader are there as any others.

    >>> read("FTS=rank:2; cos=0.92; fresh=yes")["fresh"]
    'yes'
    """
    pairs = (part.partition("=") for part in text.split("; ") if part)
    return {key: value for key, _, value in pairs}
