"""Compaction of a session: which turns one summary stands for.

A record is a mapping with `id`, `session`, `cell`, `at`, `kind` and `archived_by`. Plain loops; nothing is remembered.
"""
# docs/sources.md: A1.5.

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any


def time_of(value: Any) -> int:
    """Return a time from metadata as a whole number; 0 for what is none.

    >>> time_of("12"), time_of(12.9), time_of("12.9"), time_of(None)
    (12, 12, 0, 0)

    """
    if type(value) is str:
        digits = value[1:] if value[:1] in ("+", "-") else value
        if not digits or any(digit not in "0123456789" for digit in digits) or len(value) > 64:
            return 0
        number = 0
        for digit in digits:
            number = 10 * number + "0123456789".index(digit)
        number = -number if value[0] == "-" else number
        return number if -(2**63) <= number < 2**63 else 0
    if type(value) not in (int, float) or value != value or value in (math.inf, -math.inf):
        return 0
    whole: int = math.trunc(value)
    return whole


def cluster_of(turn: int, turns: int, target: int) -> int:
    """Return the cluster of a turn: floor(i * c / n), where c = ceil(n / k).

    >>> [cluster_of(turn, 5, 2) for turn in range(5)]
    [0, 0, 1, 1, 2]

    """
    size = target if target > 0 else 20
    count = math.ceil(Fraction(turns, size))
    return math.floor(Fraction(turn * count, turns))


def cluster_sizes(turns: int, target: int) -> list[int]:
    """Return how many turns each cluster has.

    >>> cluster_sizes(5, 2), cluster_sizes(0, 2)
    ([2, 2, 1], [])

    """
    numbers = [cluster_of(turn, turns, target) for turn in range(turns)]
    return [numbers.count(number) for number in dict.fromkeys(numbers)]


def mean_score(scores: Sequence[Any]) -> float:
    """Return the mean gating score, 0 to 1; what is no finite number, or a text of one, counts as 0.

    >>> mean_score([0.5, "1.0", None, "high"])
    0.375

    """
    total = 0.0
    for score in scores:
        number = 0.0
        if type(score) in (int, float, str) and "_" not in str(score):
            try:
                number = float(score)
            except (ValueError, OverflowError):
                number = 0.0
        total += number if math.isfinite(number) else 0.0
    return min(max(total / len(scores), 0.0), 1.0) if scores else 0.0


def summary_id(session: str, sources: Sequence[str]) -> str:
    """Return "summary:" and sixteen digits of the SHA-256 of the session and its turns.

    >>> summary_id("s1", ["a", "b"])
    'summary:808209ad8de0c7c1'

    """
    return "summary:" + hashlib.sha256(f"{session}:{','.join(sources)}".encode()).hexdigest()[:16]


def compact(
    records: Sequence[Mapping[str, Any]], session: str, target: int = 20, force: bool = False
) -> dict[str, list[str]]:
    """Return the summaries that are to be made, by id, each with its turns in order; those of one cell together.

    >>> turns = [{"id": f"t{at}", "session": "s", "cell": "c", "at": at, "kind": "turn", "archived_by": None}
    ...          for at in (2, 1)]
    >>> compact(turns, "s", force=True)
    {'summary:6244535e4340b1f8': ['t1', 't2']}

    """
    made: dict[str, list[str]] = {}
    for cell in sorted({record["cell"] for record in records}):
        turns = [
            (record["at"], record["id"])
            for record in records
            if record["session"] == session
            and record["cell"] == cell
            and record["kind"] != "summary"
            and record["archived_by"] is None
        ]
        size = target if target > 0 else 20
        if len(turns) < 2 or (len(turns) < size and not force):
            continue
        groups: dict[int, list[str]] = {}
        for place, (_, id) in enumerate(sorted(turns)):
            groups.setdefault(cluster_of(place, len(turns), target), []).append(id)
        made.update((summary_id(session, ids), ids) for ids in groups.values())
    return made
