"""Feedback: what a signal adds to a record's worth, once a minute, and what becomes of a duplicate.

Only what somebody says moves utility and confidence; being returned does not.
"""
# docs/sources.md: B1.8.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..boundary.policy import strictest
from ..errors import InvalidArgument
from ..knowledge import digest, text_hash
from ..records import Record
from ..validation import check_finite, check_id, check_one_of, epoch_seconds

CHANGES: Mapping[str, tuple[float, float]] = {
    "helpful": (0.10, 0.05),
    "harmful": (-0.20, -0.10),
    "outdated": (0.0, -0.20),
    "duplicate": (0.0, 0.0),
}
"""What a signal adds to utility and to confidence."""
SIGNALS = tuple(CHANGES)
BUCKET = 60.0
"""Seconds in which the same signal about the same record is one."""
LIKENESS = 0.95
"""The cosine from which on a record repeats another one."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a record is worth; utility has no bounds."""

    utility: float = 0.0
    confidence: float = 0.5


def after(standing: Standing, signal: str) -> Standing:
    """Return the standing of a record after a signal; a duplicate's changes by its merging.

    Raises:
        InvalidArgument: there is no such signal.

    >>> after(Standing(0.0, 0.98), "helpful")
    Standing(utility=0.1, confidence=1.0)

    """
    check_one_of("signal", signal, SIGNALS)
    utility, confidence = CHANGES[signal]
    return Standing(standing.utility + utility, min(max(standing.confidence + confidence, 0.0), 1.0))


@dataclass(frozen=True, slots=True)
class Feedback:
    """One signal about a record; the score is kept, and scales nothing.

    Its id is made of record, signal and minute, so that the same signal within a minute is the same one.
    """

    id: str
    claim_id: str
    at: float
    signal: str
    score: float | None = None
    active_context_id: str | None = None

    @classmethod
    def given(
        cls, claim_id: str, signal: str, *, at: float, score: float | None = None, active_context_id: str | None = None
    ) -> Feedback:
        """Return a signal as somebody gives it.

        Raises:
            InvalidArgument: there is no such signal, or the score lies outside [-1, 1].

        >>> len({Feedback.given("a", "helpful", at=at).id for at in (0.0, 59.0, 60.0)})
        2

        """
        claim_id = check_id(claim_id)
        after(Standing(), signal)
        given = None if isinstance(score, bool) else check_finite("score", score)
        if score is not None and (given is None or not -1.0 <= given <= 1.0):
            raise InvalidArgument(f"score: is {score}; it lies between -1 and 1")
        when = epoch_seconds("at", at)
        assert when is not None
        id = "fb_" + digest("\x1f".join((claim_id, signal, str(int(when // BUCKET)))))[:24]
        return cls(id, claim_id, when, signal, given, active_context_id)


def representative(
    record: Record,
    others: Sequence[Record],
    *,
    duplicate_of: str | None = None,
    similarities: Mapping[str, float] | None = None,
) -> Record | None:
    """Return the record that another one repeats; None if there is none.

    The one with the same text; else the one that is named; else the likest of the same class, if its cosine is at
    least 0.95.
    All of them of the same tenant and scope: what is merged across scopes would outlive its own, or be seen beyond it.

    Args:
        record: the duplicate.
        others: where to look.
        duplicate_of: the id that somebody named.
        similarities: cosines by id.

    Raises:
        InvalidArgument: the record that was named is not among them, or lies in another scope.

    """
    beside = [
        other
        for other in others
        if other.id != record.id
        and (other.tenant, other.scope) == (record.tenant, record.scope)
        and other.superseded_by is None
    ]
    said = text_hash(record.gist())
    same = [other for other in beside if text_hash(other.gist()) == said]
    if same:
        return min(same, key=_oldest)
    if duplicate_of is not None:
        named = [other for other in beside if other.id == duplicate_of]
        if not named:
            raise InvalidArgument(f"duplicate_of: no other record {duplicate_of!r} lies in the scope of {record.id!r}")
        return named[0]
    near = similarities or {}
    alike = [other for other in beside if other.boundary_class == record.boundary_class]
    alike = [other for other in alike if near.get(other.id or "", -1.0) >= LIKENESS]
    return min(alike, key=lambda other: (-near[other.id or ""], *_oldest(other))) if alike else None


def _oldest(record: Record) -> tuple[float, str]:
    return (float("inf") if record.created_at is None else record.created_at), record.id or ""


@dataclass(frozen=True, slots=True)
class Merge:
    """The two records after a merging: the one that stays, and the one that it supersedes."""

    kept: Record
    superseded: Record


def merged(record: Record, into: Record) -> Merge:
    """Return a duplicate and what it repeats, merged: nothing is lost, and no class is relaxed.

    The one that stays gets entities, links, sources and evidence of the other, and the stricter class of the two. The
    other is kept, says by whom it is superseded, and has half of its utility.

    Raises:
        InvalidArgument: they are one record, or of two tenants or scopes.

    >>> one, other = (Record(text="tea", id=id, boundary_class=name) for id, name in (("a", "public"), ("b", "pii")))
    >>> both = merged(other, one)
    >>> both.kept.boundary_class, both.superseded.superseded_by
    ('pii', 'a')

    """
    if record.id == into.id or (record.tenant, record.scope) != (into.tenant, into.scope):
        raise InvalidArgument(f"duplicate: {record.id!r} and {into.id!r} are no two records of one tenant and scope")
    stricter = strictest([name for name in (record.boundary_class, into.boundary_class) if name] or ["internal"])
    provenance: dict[str, Any] = dict(into.provenance)
    evidence = [*into.provenance.get("evidence", ()), *record.provenance.get("evidence", ())]
    if evidence:
        provenance["evidence"] = evidence
    kept = replace(
        into,
        boundary_class=stricter,
        entities=_both(into.entities, record.entities),
        links=_both(into.links, record.links),
        source_ids=_both(into.source_ids, record.source_ids),
        provenance=provenance,
    )
    halved = None if record.utility is None else record.utility / 2.0
    return Merge(kept, replace(record, superseded_by=into.id, utility=halved))


def _both(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
