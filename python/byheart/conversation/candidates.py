"""Candidates of a context: records that may stand in it, and where and when each was told."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final

from ..frozen import maker
from ..light.classes import dataclass
from ..records import SUMMARY, Record
from ..storage import Key, by_numbers

_cell_of: Final = attrgetter("scope", "boundary_class")
_place_of: Final = attrgetter("tenant", "id", "scope", "boundary_class")  # as `by_id` puts keys in order
_by_numbers: Final = lru_cache(maxsize=4_096)(by_numbers)  # the turns of a conversation come up again and again


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
        return _made(self.record, self.score, self.beside, worth, self.later)

    def behind(self, later: tuple[Key, ...]) -> Candidate:
        """Return the candidate as one that some hits go before."""
        return _made(self.record, self.score, self.beside, self.worth, later)

    def is_turn(self) -> bool:
        """Return whether it was said in a session, or is the durable copy of what was."""
        return self.record.kind != SUMMARY and _session_id(self.record) is not None


_made: Final = maker(Candidate)


def session_of(record: Record) -> object | None:
    """Return the user and session that a record, or the turn it copies, was told in; None without a session."""
    session = _session_id(record)
    return None if session is None else (_cell_of(record), session, record.user_id)


def _session_id(record: Record) -> str | None:
    return record.session_id or _distilled(record, "session_id")


def told(candidate: Candidate) -> tuple[float, Sequence[object], tuple[str, ...]]:
    """Return what puts turns in the order of telling: the time, then the id, in which numbers count as numbers."""
    record = candidate.record
    at = float("-inf") if record.created_at is None else record.created_at
    turn = record.session_id is None and turn_of(record)
    return at, _by_numbers(turn or record.id or ""), _place_of(record)


def turn_of(record: Record) -> str | None:
    """Return the id of the turn that a record is the durable copy of; None of one that is no copy."""
    return _distilled(record, "source_id")


def _distilled(record: Record, of: str) -> str | None:
    """Return of what turn, or session, a record is the durable copy; it stands where that one was told."""
    said = record.provenance.get(of) if "session_id" in record.provenance else None
    return said if isinstance(said, str) else None
