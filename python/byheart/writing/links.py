"""The links between records that say nearly the same, or of the same that it has changed: each names the others.

They are guesses, and hide nothing. Records are linked with those of their own cell and owner alone, so that no name
tells of what another reader cannot see; and no name is left of what goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..boundary import cell_key
from ..index.indexes import Indexes
from ..patterns.updating import MOST_CHARACTERS
from ..records import Record
from ..retrieval import sameness
from ..storage import key_of
from .alike import Updated
from .change import Change
from .draft import Draft, is_current

NEAR: Final = "near_duplicates"
MOST_LINKS: Final = 4
"""So many near-duplicates are kept of a record, the newest."""


class Links:
    """The links of the records of one call; the caller holds the lock.

    Args:
        indexes: of the store, up to date.
        draft: of the call.
        several: whether the call is of several records, which are looked at beside each other.

    """

    def __init__(self, indexes: Indexes, draft: Draft, *, several: bool) -> None:
        self._indexes, self._draft = indexes, draft
        self._updated = Updated(indexes, draft, several=several)

    def note(self, record: Record) -> None:
        """Note a record of the call, for those behind it."""
        self._updated.note(record)

    def add_to(self, change: Change) -> None:
        """Add to a write what its links rest on."""
        self._updated.add_to(change)

    def linked(self, record: Record, now: float, beside: Sequence[Record] = ()) -> Record:
        """Link a statement with those that say nearly the same with another value, the same otherwise, or no more."""
        found = {key_of(each): each for each in self.near(record, now)}
        for each in beside:
            self._draft.hold(each)
            found.setdefault(key_of(each), self._draft.latest(each))
        updated = [each for each in self._updated.by(record, now) if is_current(each, now)]
        for each in (*updated, *self.turns_of(updated)):
            found.setdefault(key_of(each), each)
        near = sorted(found.values(), key=_newness, reverse=True)
        for each in near[:MOST_LINKS]:
            record = self._link(record, self._draft.latest(each))
        return record

    def _link(self, record: Record, other: Record) -> Record:
        """Have a record name another one, and that one it, unless it has as many newer ones.

        One that is named no more names those that came after it still: so all that say nearly the same are connected.
        """
        held = [each for id in other.near_duplicates if (each := self._draft.lookup(other, id)) is not None]
        names = {each.id for each in sorted((*held, record), key=_newness)[-MOST_LINKS:]}
        if record.id in names:
            ids = (*(id for id in other.near_duplicates if id in names), record.id or "")
            self._draft.put(other.completed(near_duplicates=tuple(dict.fromkeys(ids))))
        else:
            self._draft.rest_on(other)
        return record.completed(near_duplicates=tuple(dict.fromkeys((*record.near_duplicates, other.id or ""))))

    def unlinked(self, gone: Sequence[Record]) -> None:
        """Have no record say any more that it is nearly the same as one of these, which change or go."""
        named = {key_of(record) for record in gone if record.near_duplicates or self._may_be_named(record)}
        for other in self._draft.naming(NEAR, [record for record in gone if key_of(record) in named]) if named else ():
            left = tuple(id for id in other.near_duplicates if key_of(other)._replace(id=id) not in named)
            self._draft.put(other.completed(near_duplicates=left))

    def _may_be_named(self, old: Record) -> bool:
        """Return whether a record that names none may be named as nearly the same: statements alone are."""
        if len(old.text) > MOST_CHARACTERS:
            return False
        cells = [cell_key(*key_of(old).cell)]
        return self._draft.names_in(NEAR) or self._indexes[old.tenant or ""].figures.says(NEAR, cells)

    def turns_of(self, copies: Sequence[Record]) -> list[Record]:
        """Return the turns that durable copies were promoted from, of those that are there and found."""
        named = [(each, each.provenance.get("source_id")) for each in copies]
        found = [self._draft.lookup(each, id) for each, id in named if isinstance(id, str)]
        return [each for each in found if each is not None and each.archived_by is None and each.superseded_by is None]

    def near(self, record: Record, now: float) -> list[Record]:
        """Return the current records that say nearly the same as one, with another value."""
        return [
            each
            for each in self._draft.bearing(sameness.OPENING, record)
            if each.id != record.id and is_current(each, now) and sameness.differ_in_value(record, each)
        ]


def _newness(record: Record) -> tuple[float, str]:
    """Return by what records are newer than others: when they were said last."""
    return record.seen_at or record.created_at or 0.0, record.id or ""
