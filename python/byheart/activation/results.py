"""The answer of an activation or a search: items with every part of their scores, and how they came about."""
# docs/sources.md: B1.11.1, B1.18.2, B1.18.3.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from ..boundary.policy import Retrieval
from ..frozen import Document
from ..light.classes import dataclass
from ..ranking.activation import Ranked
from ..records import Record
from .contexts import Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback(Document):
    """A side that an answer had to do without: which leg, why, and what was used in its place."""

    leg: str
    why: str
    used: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Document):
    """What was found.

    Attributes:
        items: by rank, from 1; scores need not fall with it.
        records: those of the items, in the same order.
        policy_version: of the policy that held; None without one.
        request_id, trace_id: of the request.
        settings: the parameters that held.
        alpha: the share of vectors.
        fallbacks: what had to be done without.
        degraded: what else could not be done as asked, as a recall says it.
        below: ids that were not accepted, best first.
        more: whether there are more behind the last item.
        now: the time that was measured against.

    """

    items: tuple[Item, ...]
    records: tuple[Record, ...]
    policy_version: str | None
    request_id: str
    trace_id: str
    settings: Retrieval
    alpha: float
    fallbacks: tuple[Fallback, ...] = ()
    degraded: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    more: bool = False
    now: float = 0.0
    figures: Mapping[str, Any] = field(default_factory=dict, repr=False)

    def __iter__(self) -> Iterator[Item]:
        """Give the items, by rank."""
        return iter(self.items)

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self.items)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the items."""
        return tuple(record.text for record in self.records)

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the scores."""
        words, vectors = self.settings.candidates
        days = self.settings.half_life_days or 30.0
        return {
            "alpha": self.alpha, "k_txt": words, "k_vec": vectors, "k_final": self.settings.k_final,
            "rerank": {"use_quality": self.settings.use_quality, "recency_half_life_days": days},
        }  # fmt: skip


def items_of(ranked: Ranked, first: int = 0) -> tuple[Item, ...]:
    """Return the items of what was ranked, the first of them behind so many others."""
    return tuple(
        Item(row.id, place, row.score, row.reason, row.features()) for place, row in enumerate(ranked.items, first + 1)
    )


def in_order(items: Sequence[Item], records: Mapping[str, Record]) -> tuple[tuple[Item, ...], tuple[Record, ...]]:
    """Return the items whose records are there, and these."""
    there = tuple(item for item in items if item.claim_id in records)
    return there, tuple(records[item.claim_id] for item in there)
