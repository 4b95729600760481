"""The sessions and the users of a memory: who has records inside a boundary, how many, and since when."""

from __future__ import annotations

from collections.abc import Sequence

from ..boundary import Boundary
from ..frozen import Document
from ..index import selection as selecting
from ..index import whose
from ..index.partition import Partition
from ..light.classes import dataclass
from ..recall.question import BoundaryLike
from ..retrieval.filter.canonical import Canonical, all_of
from . import kinds
from .engine import Handle


@dataclass(frozen=True, slots=True)
class Session(Document):
    """A session that has records.

    Attributes:
        id: what its records have as `session_id`.
        records: how many there are, archived ones too, as `Memory.count` counts them.
        first, last: when the oldest and the newest of them were made, in epoch seconds.
        users: whose records they are, in order; what is nobody's names none.

    """

    id: str
    records: int
    first: float
    last: float
    users: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class User(Document):
    """A user who has records.

    Attributes:
        id: what the records have as `user_id`.
        records: how many there are, archived ones too, as `Memory.count` counts them.
        first, last: when the oldest and the newest of them were made, in epoch seconds.
        sessions: in which sessions, in order; what is of no session names none.

    """

    id: str
    records: int
    first: float
    last: float
    sessions: tuple[str, ...] = ()


def sessions(
    self: Handle, where: kinds.Where | kinds.Filter | None = None, *, boundary: BoundaryLike | None = None
) -> tuple[Session, ...]:
    """Return the sessions that have records inside the boundary, the one that was last added to first.

    Args:
        where: a filter: only the records that it lets through are looked at, such as `{"user_id": "ann"}`.
        boundary: what to look at.

    Raises:
        UnknownField, InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: see the message.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> for minute, (session, text) in enumerate([("mon", "Tea is out."), ("tue", "Buy rice."), ("mon", "Buy tea.")]):
    ...     id = memory.remember(text, session_id=session, user_id="ann", created_at=60 * minute)
    >>> memory.sessions()[0]
    Session(id='mon', records=2, first=0.0, last=120.0, users=('ann',))
    >>> [session.id for session in memory.sessions({"user_id": "ann"})]
    ['mon', 'tue']

    """
    found = _owners(self, "session_id", "user_id", where, boundary)
    return tuple(Session(*each) for each in found)


def users(
    self: Handle, where: kinds.Where | kinds.Filter | None = None, *, boundary: BoundaryLike | None = None
) -> tuple[User, ...]:
    """Return the users who have records inside the boundary, the one whose record is the newest first.

    Arguments and errors as in `sessions`.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember("Ann takes green tea.", user_id="ann", session_id="mon", created_at=60)
    >>> memory.users()
    (User(id='ann', records=1, first=60.0, last=60.0, sessions=('mon',)),)

    """
    found = _owners(self, "user_id", "session_id", where, boundary)
    return tuple(User(*each) for each in found)


_Owner = tuple[str, int, float, float, tuple[str, ...]]


def _owners(
    self: Handle, field: str, other: str, where: kinds.Where | kinds.Filter | None, boundary: BoundaryLike | None
) -> Sequence[_Owner]:
    """Return what there is of each value of a field, with the values of another one beside it; the newest first."""
    filter = None
    if where is not None:
        from ..retrieval.filter import Filter

        filter = Filter.parse(where).canonical
    engine, inside = self._engine, self._engine.inside(boundary)
    found = selecting.at_once(
        engine.indexes, lambda: [*_read(engine.indexes[inside.tenant], inside, field, other, filter)]
    )
    return sorted(found, key=lambda each: (-each[3], each[0]))


def _read(partition: Partition, inside: Boundary, field: str, other: str, filter: Canonical | None) -> Sequence[_Owner]:
    """Return the same in no order; the lock of the indexes is held."""
    found = []
    for id, records in partition.counts_in(inside, field, filter):
        own = [whose.of_owner(field, str(id)), *([] if filter is None else [filter])]
        times = partition.column_in(inside, "created_at", all_of(own))
        beside = tuple(str(value) for value, _ in partition.counts_in(inside, other, all_of(own)))
        found.append((str(id), records, min(times), max(times), beside))
    return found
