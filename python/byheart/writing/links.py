"""The links between records that say nearly the same, or of the same that it has changed: each names the others.

They are guesses, and hide nothing. Records are linked with those of their own cell and owner alone, so that no name
tells of what another reader cannot see; and no name is left of what goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ..boundary import cell_key
from ..index.indexes import Indexes
from ..patterns.updating import MOST_CHARACTERS
from ..records import Record
from ..retrieval import sameness
from ..storage import key_of
from .alike import Updated
from .change import Change
from .counterparts import is_current
from .draft import Draft

NEAR: Final = "near_duplicates"
MOST_LINKS: Final = 4
"""So many near-duplicates are kept of a record: those that came next after it, and then those right before it."""


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
        found.pop(key_of(record), None)  # a copy or a turn may have been given to another user since
        found = {key: each for key, each in found.items() if _is_of(each, record)}
        if not found and not record.near_duplicates:  # as most
            return record
        known = {each.id: each for each in (*found.values(), record)}
        for each in found.values():
            self._tell(each, record, known)
        names = _named(record, (*self._held(record, known), *found.values()))
        return record if names == record.near_duplicates else record.completed(near_duplicates=names)

    def _tell(self, other: Record, record: Record, known: Mapping[str | None, Record]) -> None:
        """Have a record name a new one, unless it names as many that come before that."""
        other = self._draft.latest(other)
        if (names := _named(other, (*self._held(other, known), record))) != other.near_duplicates:
            self._draft.put(other.completed(near_duplicates=names))
        else:
            self._draft.rest_on(other)

    def _held(self, record: Record, known: Mapping[str | None, Record]) -> list[Record]:
        """Return those that a record names, which lie in its cell; of some it is known what they say."""
        found = [known.get(id) or self._draft.lookup(record, id) for id in record.near_duplicates]
        return [each for each in found if each is not None]

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


def _is_of(other: Record, record: Record) -> bool:
    """Return whether a record is of the cell and the user of another one: no other's may be named."""
    return key_of(other)[:3] == key_of(record)[:3] and other.user_id == record.user_id


def _named(record: Record, near: Sequence[Record]) -> tuple[str, ...]:
    """Return whom a record names of those that say nearly the same: the next ones after it, then the ones right before.

    So one leads to the next, and all are connected, in whatever order they came.
    """
    at = _newness(record)
    told = sorted({_newness(each) for each in near})
    after, before = [each for each in told if each > at], [each for each in reversed(told) if each < at]
    return tuple(id for _, id in (*after, *before)[:MOST_LINKS])


def _newness(record: Record) -> tuple[float, str]:
    """Return by what records are newer than others: when they were said last."""
    return record.seen_at or record.created_at or 0.0, record.id or ""
