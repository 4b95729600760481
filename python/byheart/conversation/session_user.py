"""The user of a session: a turn without a user belongs to the one user of its session, if there is only one.

An assistant's answer repeats what its user said. Were it nobody's, every other user would find it, and what forgets the
user would leave it. In a session of several users, and in one of none, a turn that names nobody is nobody's.
"""

from __future__ import annotations

from ..boundary import cell_key
from ..index import whose
from ..index.indexes import Indexes
from ..light.classes import dataclass
from ..records import Record
from ..retrieval.filter.canonical import all_of, membership, negated
from ..storage import key_of
from ..writing.change import Change
from ..writing.draft import either


@dataclass(frozen=True, slots=True)
class SessionUser:
    """The user of a turn's session, as it was looked up; the caller holds the lock.

    Attributes:
        turn: complete, but for its name: it tells session and cell.
        id: of the user; None in a session of several, and in one of none.
        beside: records that say so, as they are stored: one of the user, or of two users one each.

    """

    turn: Record
    id: str | None
    beside: tuple[Record, ...]

    def add_to(self, change: Change) -> None:
        """Have a write depend on what was found: on the records that say so, and on no other user's having come."""
        change.expected.update((key_of(record), record) for record in self.beside)
        if len(self.beside) < 2:
            change.seen = either(change.seen, self._says_otherwise)

    def _says_otherwise(self, record: Record) -> bool:
        told_in = (record.session_id, key_of(record).cell)
        if record.kind not in whose.SPOKEN or told_in != (self.turn.session_id, key_of(self.turn).cell):
            return False
        return record.user_id not in (None, self.id)


def session_user(turn: Record, indexes: Indexes) -> SessionUser:
    """Return the user of a complete turn's session."""
    key = key_of(turn)
    partition, cells = indexes[key.tenant], [cell_key(*key.cell)]
    owned = whose.owned_in(turn.session_id or "")
    rows = partition.rows(owned, cells)[:1]
    users = [str(user) for row in rows for user in partition.values("user_id", row)]
    if users:
        rows += partition.rows(all_of([owned, negated(membership("user_id", users))]), cells)[:1]
    beside = tuple([each for each in indexes.stored(key.tenant, rows) if each is not None])
    return SessionUser(turn, users[0] if len(rows) == 1 else None, beside)
