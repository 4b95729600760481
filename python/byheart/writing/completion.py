"""The completion of a caller's records into ones that can be stored: cell, time and id filled in, the boundary kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .. import knowledge
from .._core import extract_fact
from ..boundary import check_tenant
from ..boundary.reach import Reach
from ..errors import DuplicateId, InvalidArgument
from ..frozen import plain
from ..light.classes import dataclass
from ..records import SUMMARY, Record
from ..storage import Key
from ..validation import as_mapping

if TYPE_CHECKING:
    from ..boundary.policy import Enforcer

Exists = Callable[[str, str], bool]  # can a record of this tenant with this id be seen?
Name = tuple[str, str]  # tenant and id


def as_record(value: str | Record | Mapping[str, Any], changes: Mapping[str, Any]) -> Record:
    """Return the record that a text, a record or a mapping stands for, with some fields changed."""
    if isinstance(value, str):
        if "text" in changes:
            raise TypeError("text is given twice, by itself and by name; give one of them")
        return Record.from_dict({"text": value, **changes})
    if isinstance(value, Record):
        return replace(value, **changes) if changes else value
    if isinstance(value, Mapping):
        return Record.from_dict({**as_mapping("record", value), **changes})
    raise TypeError(f"a record must be str, Record or a mapping, not {type(value).__name__}")


def updated(record: Record, changes: Mapping[str, Any], now: float) -> Record:
    """Return a stored record with some fields changed, all of them checked; a text that is the claim follows it.

    Raises:
        InvalidArgument: nothing is to change; what the record is known by, or its age, is; a summary is to be of other
            records, or none; or the cell is to have none.
        UnknownField, LimitExceeded, TypeError: see the message.

    """
    if not changes:
        raise InvalidArgument("update: names no field; give at least one")
    values = plain(record)
    if record.text == (record.claim or record.procedure):
        del values["text"]
    changed = Record.from_dict({**values, "revisions": record.revisions, "updated_at": now, **changes})
    for name in ("tenant", "created_at"):
        if getattr(changed, name) != getattr(record, name):
            raise InvalidArgument(f"update: {name} cannot be changed; remember a new record, and forget this one")
    for name in ("supersedes", "contradicts", "near_duplicates", "revisions"):
        if getattr(changed, name) != getattr(record, name):
            raise InvalidArgument(f"update: {name} is kept by the memory; {_INSTEAD}")
    if not changes.keys().isdisjoint(("utility", "quality")) and "decayed_at" not in changes:
        changed = changed.completed(decayed_at=changed.updated_at)  # it was not worth that before
    changed = _with_time(record, _with_fact(record, changed, changes))
    for name in ("kind", "source_ids"):
        if record.kind == SUMMARY and record.source_ids and getattr(changed, name) != getattr(record, name):
            raise InvalidArgument(
                f"update: {name} of a summary cannot be changed; nothing would lead to its turns then"
            )
    for name in ("scope", "boundary_class"):
        if getattr(changed, name) is None:
            raise InvalidArgument(f"update: {name} is None; a stored record has one")
    return changed


_INSTEAD = "give supersedes= to remember, or superseded_by= to update the record in whose place another stands"


def _with_fact(record: Record, changed: Record, changes: Mapping[str, Any]) -> Record:
    """Return a changed record whose fact follows its text, if it was taken from the text; a stated one stays."""
    if changed.text == record.text or not _FACT.isdisjoint(changes):
        return changed
    told = extract_fact(record.text)
    if told is None or told[:3] != (record.subject, record.relation, record.object):
        return changed
    subject, relation, object = (extract_fact(changed.text) or (None, None, None))[:3]
    return replace(changed, subject=subject, relation=relation, object=object)


_FACT = frozenset({"subject", "relation", "object"})


def _with_time(record: Record, changed: Record) -> Record:
    """Return a changed record that says since when another stands in its place, and that it was changed."""
    if changed.superseded_by is None:
        changed = changed.completed(superseded_at=None, superseded_from=None, superseded_to=None)
    elif changed.superseded_by != record.superseded_by and changed.superseded_at == record.superseded_at:
        changed = changed.completed(superseded_at=changed.updated_at)
    before, after = record.to_dict(), changed.to_dict()
    names = tuple(name for name in (*before, *after) if before.get(name) != after.get(name))
    told = tuple(dict.fromkeys(name for name in names if name not in _KEPT))
    return revised(record, changed, told, changed.updated_at or 0.0) if told else changed


def revised(record: Record, changed: Record, names: tuple[str, ...], at: float) -> Record:
    """Return a changed record that says which fields were, and when; it always knows since when it says what it says.

    >>> again = revised(Record(text="tea", created_at=1), Record(text="rum"), ("text",), 5.0)
    >>> again.revisions
    ((1.0, 'remembered', ()), (5.0, 'updated', ('text',)))

    """
    begun = record.revisions or ((record.created_at or 0.0, "remembered", ()),)
    revisions = (*begun, (at, "updated", names))
    kept = revisions[-MOST_REVISIONS:]
    if not any(map(changed.says_since, kept)):
        kept = (revisions[0], *kept[1:])  # as_of rests on it
    return changed.completed(revisions=kept)


MOST_REVISIONS = 64
"""So many changes are kept of a record: the last ones, among them the last of what it says."""
_KEPT = frozenset({"updated_at", "accessed_at", "access_count", "revisions", "decayed_at"})


@dataclass(frozen=True, slots=True)
class Completion:
    """What a memory fills in: its tenant, scope and class where a record names none; what it may hold at most.

    Attributes:
        tenant, scope, boundary_class: what records get that name none.
        reach: what a record must lie in.
        reserved: tenant and id of the memory's invariants: no record may be stored as that.
        rules: the policy that records are held to; None without one.

    """

    tenant: str
    scope: str
    boundary_class: str
    reach: Reach
    reserved: frozenset[Name] = frozenset()
    rules: Enforcer | None = None

    def admitted(self, record: Record) -> Record:
        """Return a record as the policy lets it in: without what is hidden, before anything is made of its text.

        Raises:
            BoundaryViolation: it lies outside what the memory was opened for, or the policy refuses it.

        """
        return self._admitted_at(record, *self.place(record))

    def _admitted_at(self, record: Record, tenant: str, scope: str, boundary_class: str) -> Record:
        return record if self.rules is None else self.rules.admit(record, scope, boundary_class)

    def check(self, record: Record) -> None:
        """Refuse a record that would lie outside what the memory was opened for, whatever else is to be said of it.

        Raises:
            BoundaryViolation: it would.

        """
        self.place(record)

    def place(self, record: Record) -> tuple[str, str, str]:
        """Return where a record will lie: tenant, scope and class.

        Raises:
            BoundaryViolation: it lies outside what the memory was opened for.

        """
        place = record.tenant or self.tenant, record.scope or self.scope, record.boundary_class or self.boundary_class
        check_tenant(place[0])
        self.reach.check("record", *place)
        return place

    def complete(
        self,
        records: Sequence[Record],
        now: float,
        exists: Exists,
        *,
        several: bool = False,
        unnamed: str | None = None,
    ) -> list[Record]:
        """Return the records complete.

        Args:
            records: as they came.
            now: the time of the call.
            exists: what tells whether an id is taken.
            several: whether one id may occur in several cells.
            unnamed: the id of a record that has none; without it one is made.

        Raises:
            BoundaryViolation: a record lies outside what the memory was opened for.
            DuplicateId: one id occurs twice, or twice in a cell.
            InvalidArgument: a record says that it is an invariant, or has the id of one.

        """
        seen = set(self.reserved)
        placed: set[Key] = set()
        complete = []
        for given in records:
            tenant, scope, boundary_class = place = self.place(given)
            record = self._admitted_at(given, *place)
            id = record.id or unnamed or _made_of(record, tenant, f"{scope}\x1f{boundary_class}", seen, exists)
            self.check_variant(record, (tenant, id))
            key = Key(tenant, scope, boundary_class, id)
            if key in placed or ((tenant, id) in seen and not several):
                raise DuplicateId(f"id {id!r} occurs twice in one call; give each id once")
            placed.add(key)
            seen.add((tenant, id))
            created_at = now if record.created_at is None else record.created_at
            complete.append(
                record.completed(
                    id=id, tenant=tenant, scope=scope, boundary_class=boundary_class, created_at=created_at,
                    expires_at=self._end(record, scope, created_at),
                )
            )  # fmt: skip
        return complete

    def _end(self, record: Record, scope: str, created_at: float) -> float | None:
        """Return when a record is over: as it says, or as the policy has it for its scope."""
        if record.expires_at is not None or self.rules is None:
            return record.expires_at
        seconds = self.rules.lifetime(scope)
        return None if seconds is None else created_at + seconds

    def check_variant(self, record: Record, name: Name) -> None:
        """Refuse what would make a stored record an invariant, or let it pass for one.

        Raises:
            InvalidArgument: it says that it is one, or has the id of one.

        """
        if record.invariant:
            raise InvalidArgument(
                "record: says that it is an invariant; these are not stored, give them to Memory(invariants=[...])"
            )
        if name in self.reserved:
            raise InvalidArgument(f"id: {name[1]!r} is that of an invariant of this memory; use another one")


def _made_of(record: Record, tenant: str, cell: str, taken: set[Name], exists: Exists) -> str:
    """Return an id made of cell and content; a number is added where the same content is remembered again."""
    owner = [whose for whose in (record.user_id, record.session_id, record.kind) if whose is not None]
    base = knowledge.digest("\x1f".join((cell, record.content_hash(), record.text, *owner)))[:16]

    def name(number: int) -> str:
        return base if number == 1 else f"{base}-{number}"

    def is_taken(number: int) -> bool:
        return (tenant, name(number)) in taken or exists(tenant, name(number))

    return name(first_free(is_taken))


def first_free(is_taken: Callable[[int], bool]) -> int:
    """Return a free number, from 1, in a number of looks that grows with its logarithm.

    The steps double until a number is free, and then the gap to the last that was taken is halved. Where numbers are
    taken without a gap, it is the least one that is free.

    >>> first_free(lambda number: number < 6), first_free(lambda number: False)
    (6, 1)

    """
    low, high = 0, 1
    while is_taken(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_taken(middle) else (low, middle)
    return high
