"""Feedback: what a signal adds to a record's worth, once a minute, and what becomes of a duplicate.

Only what somebody says moves utility and confidence; being returned does not.
"""
# docs/sources.md: B1.8.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..boundary.policy import strictest
from ..errors import InvalidArgument
from ..index.whose import DURABLE
from ..knowledge import digest, text_hash
from ..light.classes import dataclass
from ..records import Record
from ..retrieval import sameness
from ..validation import check_finite, check_id, check_one_of, epoch_seconds
from ..writing.counterparts import holds, is_counterpart

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

    Its id is made of record, signal and minute of the clock, so that the same signal within one is the same one; at
    59 and at 61 seconds it is two.
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
    now: float,
    duplicate_of: str | None = None,
    similarities: Mapping[str, float] | None = None,
) -> Record | None:
    """Return the record that another one repeats; None if there is none.

    The one with the same text; else the one that is named; else the likest of the same class, if its cosine is at
    least 0.95.
    All of them hold now and are of the same owner: what is merged across scopes would outlive its own, or be seen
    beyond it, and what stands behind a record of another user or session, or behind one that is over, is found by
    nobody. One that is named may be of another session, as in `supersedes`; a turn and its own copy are one statement.

    Args:
        record: the duplicate.
        others: where to look.
        now: when it is to be found.
        duplicate_of: the id that somebody named.
        similarities: cosines by id.

    Raises:
        InvalidArgument: the record that was named is not among them, lies in another scope, is another user's, or does
            not hold now.

    """
    standing = [other for other in others if other.id != record.id and holds(other, now)]
    beside = [other for other in standing if is_counterpart(other, record, now)]
    said = text_hash(record.gist())
    same = [other for other in beside if text_hash(other.gist()) == said]
    if same:
        return min(same, key=_oldest)
    if duplicate_of is not None:
        named = [other for other in standing if other.id == duplicate_of and _may_be_merged(record, other)]
        if not named:
            raise InvalidArgument(
                f"duplicate_of: no other record {duplicate_of!r} of its user holds now in the scope of {record.id!r}"
            )
        return named[0]
    near = similarities or {}
    alike = [other for other in beside if other.boundary_class == record.boundary_class]
    alike = [other for other in alike if near.get(other.id or "", -1.0) >= LIKENESS]
    return min(alike, key=lambda other: (-near[other.id or ""], *_oldest(other))) if alike else None


def _may_be_merged(record: Record, into: Record) -> bool:
    """Return whether a record may be merged into one that somebody names."""
    is_copy = (DURABLE, into.id) == sameness.goes_with(record) or (DURABLE, record.id) == sameness.goes_with(into)
    return _whose(record) == _whose(into) and record.id != into.id and not is_copy


def _whose(record: Record) -> tuple[str | None, str | None, str | None]:
    return record.tenant, record.scope, record.user_id


def _oldest(record: Record) -> tuple[float, str]:
    return (float("inf") if record.created_at is None else record.created_at), record.id or ""


@dataclass(frozen=True, slots=True)
class Merge:
    """The two records after a merging: the one that stays, and the one that it supersedes."""

    kept: Record
    superseded: Record


def merged(record: Record, into: Record, at: float | None = None) -> Merge:
    """Return a duplicate and what it repeats, merged: nothing is lost, and no class is relaxed.

    The one that stays gets entities, links, sources and evidence of the other, and both the stricter class of the two:
    a mark of one is seen by whoever sees the other alone. The other is kept, says by whom it is superseded and since
    when, and has half of its utility.

    Raises:
        InvalidArgument: they are one record, a turn and its copy, or of two tenants, scopes or users.

    >>> one, other = (Record(text="tea", id=id, boundary_class=name) for id, name in (("a", "public"), ("b", "pii")))
    >>> both = merged(other, one, at=5)
    >>> both.kept.boundary_class, both.superseded.superseded_by, both.superseded.superseded_at
    ('pii', 'a', 5)

    """
    if not _may_be_merged(record, into):
        raise InvalidArgument(
            f"duplicate: {record.id!r} and {into.id!r} are no two records of one tenant and scope, and of one user"
        )
    stricter = strictest([name for name in (record.boundary_class, into.boundary_class) if name] or ["internal"])
    provenance: dict[str, Any] = dict(into.provenance)
    evidence = [*into.provenance.get("evidence", ()), *record.provenance.get("evidence", ())]
    if evidence:
        provenance["evidence"] = evidence
    kept = replace(
        into,
        boundary_class=stricter,
        entities=_both(into.entities, record.entities),
        links=tuple(id for id in _both(into.links, record.links) if id != into.id),
        source_ids=_both(into.source_ids, record.source_ids),
        provenance=provenance,
    )
    halved = None if record.utility is None else record.utility / 2.0
    return Merge(
        kept, record.completed(boundary_class=stricter, superseded_by=into.id, superseded_at=at, utility=halved)
    )


def _both(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*one, *other)))
