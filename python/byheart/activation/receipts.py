"""Receipts of what was claimed and said of claims. Imported on use."""

from __future__ import annotations

from ..frozen import Document
from ..light.classes import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class UpsertReceipt(Document):
    """What `Memory.upsert` did.

    Attributes:
        id: of the claim: a new one, or the one that says the same already.
        new: whether it was not there before.
        content_hash: of its normalised text, as it is stored.
        boundary_class: in which it lies.
        redacted: how many places were hidden.
        similar_existing: ids and cosines of claims that are nearly the same (above 0.85), the likest first.
        policy_version: of the policy that held.
        superseded: ids of the records in whose place a new claim stands now.
        superseded_by: the record that stands in its own, where it tells of an earlier time than that one; mostly None.

    """

    id: str
    new: bool
    content_hash: str
    boundary_class: str
    redacted: int = 0
    similar_existing: tuple[tuple[str, float], ...] = ()
    policy_version: str | None = None
    superseded: tuple[str, ...] = ()
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackReceipt(Document):
    """What `Memory.feedback` did.

    Attributes:
        id: of the signal.
        claim_id: of the record.
        signal: what was said.
        new: whether it counted; the same within a minute of the clock counts once.
        utility, confidence: of the record now.
        superseded_by: of a duplicate, the record that stays.

    """

    id: str
    claim_id: str
    signal: str
    new: bool
    utility: float
    confidence: float
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayReceipt(Document):
    """What `Memory.decay` did: how many records have a worth, and of how many it changed."""

    records: int
    changed: int
    now: float
