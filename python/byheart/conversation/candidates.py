"""Candidates of a context: records that may stand in it, and where and when each was told."""

from __future__ import annotations

from collections.abc import Sequence

from ..light.classes import dataclass
from ..records import SUMMARY, Record
from ..storage import Key, by_id, by_numbers, key_of


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that may stand in a context.

    Attributes:
        record: the record.
        score: of the hit; None of one that no search found.
        beside: the id of the hit that it was told beside, or of the summary that it stands behind; None of a hit.
        worth: by which it stands in order.
        later: the hits that were told later, and that the recall put before it by what they say.

    """

    record: Record
    score: float | None
    beside: str | None = None
    worth: float = 0.0
    later: tuple[Key, ...] = ()

    def at(self, worth: float) -> Candidate:
        """Return the candidate with another worth."""
        return Candidate(self.record, self.score, self.beside, worth, self.later)

    def behind(self, later: tuple[Key, ...]) -> Candidate:
        """Return the candidate as one that some hits go before."""
        return Candidate(self.record, self.score, self.beside, self.worth, later)

    def is_turn(self) -> bool:
        """Return whether it was said in a session, or is the durable copy of what was."""
        return self.record.kind != SUMMARY and session_of(self.record) is not None


def session_of(record: Record) -> object | None:
    """Return the user and session that a record, or the turn it copies, was told in; None without a session."""
    session = record.session_id or _distilled(record, "session_id")
    return None if session is None else (key_of(record).cell, session, record.user_id)


def told(candidate: Candidate) -> tuple[float, Sequence[object], tuple[str, ...]]:
    """Return what puts turns in the order of telling: the time, then the id, in which numbers count as numbers."""
    record = candidate.record
    at = float("-inf") if record.created_at is None else record.created_at
    turn = record.session_id is None and turn_of(record)
    return at, by_numbers(turn or record.id or ""), by_id(key_of(record))


def turn_of(record: Record) -> str | None:
    """Return the id of the turn that a record is the durable copy of; None of one that is no copy."""
    return _distilled(record, "source_id")


def _distilled(record: Record, of: str) -> str | None:
    """Return of what turn, or session, a record is the durable copy; it stands where that one was told."""
    said = record.provenance.get(of) if "session_id" in record.provenance else None
    return said if isinstance(said, str) else None
