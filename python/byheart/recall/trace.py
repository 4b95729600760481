"""The trace of an answer: the retrievers that ran, what they proposed, and what was proved."""

from __future__ import annotations

from ..frozen import Document
from ..light.classes import dataclass
from ..ranking.explanation import Step


@dataclass(frozen=True, slots=True)
class TraceCandidate(Document):
    """A candidate of a retriever: where the record belongs ("session" or "kb"), its scores, and why."""

    id: str
    store: str
    raw_score: float
    normalised_score: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Strategy(Document):
    """A retriever that ran, and whether it used up its budget of work."""

    name: str
    candidates: tuple[TraceCandidate, ...]
    exhausted: bool


@dataclass(frozen=True, slots=True)
class Trace(Document):
    """How an answer came about.

    Attributes:
        purpose: what the answer is for: the act, if one was given.
        strategies: the retrievers that ran, in order, with what they proposed.
        escalated: whether a retriever beyond the first was asked.
        unit_types: the kinds of records among the hits: "atomic", "composite", "aggregate".
        considered: how many records lie inside the boundary.
        proofs: what was derived, or stated, that bears on the query; the most telling first.

    """

    purpose: str | None
    strategies: tuple[Strategy, ...]
    escalated: bool
    unit_types: tuple[str, ...]
    considered: int
    proofs: tuple[Step, ...]
