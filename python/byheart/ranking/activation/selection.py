"""Selection: one result a text, few about one entity, and unlike ones first, in an order that is total."""
# docs/sources.md: B1.2.10, B1.2.11, B1.9.

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, Protocol, TypeVar

from ..._core import cosines

POOLS = 4
"""Diversity looks at so many times as many candidates as are wanted."""


class Row(Protocol):
    """What is selected from."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def score(self) -> float:
        """Its score."""

    @property
    def created_at(self) -> float | None:
        """When it was made."""


R = TypeVar("R", bound=Row)


def order(row: Row) -> tuple[float, float, str]:
    """Return what rows are sorted by: the higher score, then the newer, then the smaller id by code points."""
    made = float("-inf") if row.created_at is None else row.created_at
    return -row.score, -made, row.id


def ordered(rows: Sequence[R]) -> list[R]:
    """Return rows in their total order, in whatever order they came."""
    return sorted(rows, key=order)


def collapse(keys: Sequence[Sequence[Hashable | None]]) -> list[int]:
    """Return the places of the rows that are left when of those that share a key only the first stays.

    Args:
        keys: of each row, best first, what makes two rows one, such as a content hash and a normalised text; None is
            shared with nobody.

    >>> collapse([("h1", "a"), ("h2", "a"), ("h3", None), (None, None)])
    [0, 2, 3]

    """
    seen: set[tuple[int, Hashable]] = set()
    kept = []
    for place, row in enumerate(keys):
        named = {(number, key) for number, key in enumerate(row) if key is not None}
        if not named & seen:
            kept.append(place)
            seen |= named
    return kept


def diverse(
    scores: Sequence[float],
    vectors: Sequence[Any],
    entities: Sequence[Sequence[str]],
    k: int,
    *,
    trade_off: float = 0.85,
    entity_cap: int | None = 2,
) -> list[int]:
    """Return the places of at most k rows in the order of maximal marginal relevance, with few rows an entity.

    Next is the row with the largest trade_off * score - (1 - trade_off) * its largest cosine with those selected;
    equal values go by score, then place. A row that would be one too many about any of its entities is passed over. A
    missing vector is like nothing, and a row without an entity is never one too many.

    >>> diverse([0.9, 0.8, 0.7, 0.3], [None] * 4, [["e"], ["e"], ["e"], ["f"]], k=4)
    [0, 1, 3]
    """
    left = list(range(len(scores)))
    nearest = [0.0] * len(scores)
    about: Counter[str] = Counter()
    selected: list[int] = []
    if entity_cap is not None and entity_cap < 1:
        left = [at for at in left if not entities[at]]
    while left and len(selected) < k:
        best = max(left, key=lambda at: (trade_off * scores[at] - (1.0 - trade_off) * nearest[at], scores[at], -at))
        left.remove(best)
        _come_nearer(nearest, vectors, best, left, first=not selected)
        selected.append(best)
        about.update(set(entities[best]))
        if entity_cap is not None and entities[best]:
            left = [at for at in left if all(about[name] < entity_cap for name in entities[at])]
    return selected


def _come_nearer(
    nearest: list[float], vectors: Sequence[Any], chosen: int, left: Sequence[int], *, first: bool
) -> None:
    """Note how near the rows that are left are to one that was chosen; before the first, everything is at 0."""
    others = [at for at in left if vectors[at] is not None]
    found = dict.fromkeys(left, 0.0)
    if vectors[chosen] is not None and others:
        likeness = cosines(vectors[chosen], [vectors[at] for at in others])
        found |= {at: cosine or 0.0 for at, cosine in zip(others, likeness, strict=True)}
    for at, cosine in found.items():
        nearest[at] = cosine if first else max(nearest[at], cosine)
