"""Active contexts: what a question called up, for whom and under which policy, until it expires.

A context holds ids, ranks and scores, and no text and no question but its digest. Its id is a digest too: the same
question of the same actor at the same time gives the same context, another actor's question another one, and so does
one that looks elsewhere.
"""
# docs/sources.md: B1.1.6, B1.10.

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ..errors import InvalidArgument
from ..frozen import Document
from ..knowledge import digest
from ..light.classes import dataclass
from ..ranking.activation import Ranked
from ..validation import check_finite, check_text, epoch_seconds, json_mapping

if TYPE_CHECKING:
    from .results import Found

LIFETIME = 3_600.0
"""Seconds that a context lives, if nobody says otherwise."""
PREFIX = "ac_"


@dataclass(frozen=True, slots=True)
class Item(Document):
    """One record of a context: its rank from 1, its score (not always lower at a lower rank), and the reason for it."""

    claim_id: str
    rank: int
    score: float
    reason: str = ""
    breakdown: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ActiveContext(Document):
    """A context; one without items is as good as any: nothing was found, and nothing failed.

    `found` is the answer that it was made of, or made anew when it was asked for again: records, figures, what was
    done without. It is no part of what is kept.
    """

    id: str
    scopes: tuple[str, ...]
    created_at: float
    expires_at: float
    policy_version: str | None
    query_digest: str
    actor: str | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    found: Found | None = field(default=None, compare=False, repr=False)

    def __iter__(self) -> Iterator[Item]:
        """Give the items, by rank."""
        return iter(self.items)

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self.items)

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the items, as far as their records are at hand; a context holds none itself."""
        return () if self.found is None else tuple(record.text for record in self.found.records)


def made(
    query: str,
    ranked: Ranked,
    *,
    now: float,
    scopes: Iterable[str],
    policy_version: str | None,
    actor: str | None = None,
    provenance: Mapping[str, Any] | None = None,
    lifetime: float = LIFETIME,
    first: int = 0,
    narrowed: Sequence[object] = (),
) -> ActiveContext:
    """Return the context of what was ranked for a question, the ranks behind the `first` ones.

    `narrowed` is what else made a difference to what was looked at: another user's records are another context.

    Raises:
        InvalidArgument: it is to live no time, or for ever.

    >>> nothing = Ranked(items=(), below=(), alpha=0.65)
    >>> context = made("tea", nothing, now=0.0, scopes=["project"], policy_version="1.0.0")
    >>> context.id[:3], context.expires_at, context.items
    ('ac_', 3600.0, ())

    """
    check_text("query", query)
    seconds = check_finite("lifetime", lifetime)
    if seconds is None or not 0.0 < seconds < 1e9:
        raise InvalidArgument(f"lifetime: is {seconds}; give seconds above 0")
    at = epoch_seconds("now", now)
    assert at is not None
    named = tuple(sorted(set(scopes)))
    asked = digest(query)
    whole = "\x1f".join((asked, actor or "", policy_version or "", repr(at), str(first), *named, *map(repr, narrowed)))
    items = tuple(
        Item(row.id, place, row.score, row.reason, row.features()) for place, row in enumerate(ranked.items, first + 1)
    )
    return ActiveContext(
        PREFIX + digest(whole)[:24], named, at, at + seconds, policy_version, asked, actor,
        json_mapping("provenance", provenance or {}), items,
    )  # fmt: skip
