"""The rules of a retrieval bench: which questions are drawn, what must be kept, and when one arm wins over another."""
# docs/sources.md: A3.6.8 to A3.6.10.

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from ..errors import InvalidArgument

KEYS: Final = ("importance", "importance_label", "priority", "must_remember")
_NAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("must", "must_remember", "critical", "high", "p1"), "must"),
    **dict.fromkeys(("nice", "nice_to_have", "medium", "p2"), "nice"),
    **dict.fromkeys(("ignore", "low", "p3"), "ignore"),
}
_MUST: Final = (
    "must remember", "important", "critical", "deadline", "risk", "hard stop", "do not forget", "no exceptions",
)  # fmt: skip
_NICE: Final = ("preference", "like", "usually", "plan", "note", "remind")

P95_GAIN: Final = 0.20
RECALL_DROP: Final = 0.03


class Arm(NamedTuple):
    """What an arm of a comparison came to: milliseconds, and two means."""

    p95: float
    recall: float
    ndcg: float


def sample(n: int, size: int | None = None, seed: int | None = None, *, limit: int | None = None) -> list[int]:
    """Return the numbers of the questions that are drawn, in order: without replacement, by Python's `random`.

    Args:
        n: how many questions there are.
        size: how many are drawn; None for all.
        seed: of the draw; None is 0.
        limit: keep only the first of those that were drawn.

    Raises:
        InvalidArgument: the size is below 1 or above n, or the limit is below 0.

    >>> sample(100, 5, 7), sample(3)
    ([6, 19, 41, 50, 83], [0, 1, 2])

    """
    if size is not None and not 1 <= size <= n:
        raise InvalidArgument(f"size: is {size}; draw between 1 and {n} questions")
    if limit is not None and limit < 0:
        raise InvalidArgument(f"limit: is {limit}; it must be at least 0")
    drawn = list(range(n)) if size is None else sorted(random.Random(seed or 0).sample(range(n), size))
    return drawn[:limit]


def importance_label(metadata: Mapping[str, Any] | None = None, messages: Iterable[str] = ()) -> str:
    """Return whether a session must be kept, is nice to have, or may be ignored.

    Its metadata say so, by the first key with a word that is known; otherwise words in its messages, which are looked
    for as parts of others too: "likely" counts as "like".

    >>> importance_label({"priority": "P2"}), importance_label(None, ["Most likely."]), importance_label()
    ('nice', 'nice', 'ignore')
    """
    for key in KEYS:
        said = (metadata or {}).get(key)
        if isinstance(said, bool):
            return "must" if said else "ignore"
        label = _NAMES.get(str(said).strip().lower())
        if label is not None:
            return label
    text = "\n".join(messages).lower()
    if any(word in text for word in _MUST):
        return "must"
    return "nice" if any(word in text for word in _NICE) else "ignore"


def wins(baseline: Arm, experimental: Arm) -> bool:
    """Return whether an arm wins: a fifth faster at p95, at most 0.03 less recall, and no less nDCG.

    >>> wins(Arm(100.0, 0.9, 0.8), Arm(80.0, 0.9, 0.8)), wins(Arm(100.0, 0.9, 0.8), Arm(81.0, 1.0, 1.0))
    (True, False)
    """
    gain = (baseline.p95 - experimental.p95) / baseline.p95 if baseline.p95 else 0.0
    kept = baseline.recall - experimental.recall <= RECALL_DROP
    return gain >= P95_GAIN and kept and experimental.ndcg - baseline.ndcg >= 0.0
