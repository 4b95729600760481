"""The standing of what is remembered beside what is there: said again, in whose place, nearly the same.

What follows from a record is planned here and written with it, all or nothing: the record that was said before counts
that, those in whose place it stands say so, and short statements that differ in one value name each other. Everything
lies in one cell and is one owner's: no mark tells of what another reader cannot see.

What stands in whose place:

- A record that names others in `supersedes` stands in theirs; of a turn and its durable copy, in both.
- Facts of one owner about one subject, in a relation of one value, stand in a row by their times: each in the place of
  the ones before it with another object, for the times at which it holds. One that comes late stands where its time is.
- A record that is superseded says by which, and since when: the earliest of those that stand in its place.
- Once that one is gone, is another's, or says something else, the next that stands in its place does.

`byheart.writing.places` keeps these marks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

from ..boundary import Boundary
from ..index.indexes import Indexes
from ..light.classes import dataclass
from ..records import Record
from ..retrieval import sameness
from ..retrieval.symbolic import Vocabulary
from ..storage import Key, key_of
from .change import Change
from .completion import MOST_REVISIONS
from .counterparts import is_counterpart, is_current, later
from .draft import MARKS, Draft, with_marks
from .links import Links
from .marks import UNPLACED, names_of
from .named import Named
from .places import Places

_LISTS: Final = ("utility_acts", "entities", "links", "source_ids", "derived_from_unit_ids", "tags")
_SINGLE: Final = ("importance", "confidence", "utility", "quality", "authority", "category", "speaker", "utility_note")


@dataclass(frozen=True, slots=True)
class Stood:
    """What became of one record of a call.

    Attributes:
        record: as it is stored.
        status: "new"; "same", said again; or "replaced", under its id.
        superseded: the ids in whose place it stands now, and did not before.

    """

    record: Record
    status: Literal["new", "same", "replaced"]
    superseded: tuple[str, ...] = ()


class Standing:
    """The standing of the records of one call, planned on one state of the store; the caller holds the lock.

    Args:
        indexes: of the store, up to date.
        reach: gives what the memory may see of a tenant.
        vocabulary: what facts may say, and which relations have one value.
        several: whether the call is of several records, which are looked at beside each other.

    Attributes:
        links: with which others each is linked.
        named: whom they name as what they stand in the place of, and as what stands in theirs.
        left: the keys of those that go, for which it is planned what follows.

    """

    def __init__(
        self, indexes: Indexes, reach: Callable[[str], Boundary], vocabulary: Vocabulary, *, several: bool = False
    ) -> None:
        self._vocabulary = vocabulary
        self._draft = Draft(indexes, vocabulary, several=several)
        self._places = Places(self._draft, vocabulary)
        self.links = Links(indexes, self._draft, several=several)
        self.named = Named(indexes, reach, self._draft, self._places)
        self.left: set[Key] = set()

    def latest(self, record: Record) -> Record:
        """Return a record as it is to be, with what followed from others of the call."""
        return self._draft.latest(record)

    def add_to(self, change: Change) -> None:
        """Add to a write how its records stand, and what follows for others."""
        self._draft.add_to(change)
        self.links.add_to(change)

    def marked(self) -> Iterator[tuple[Record, Record]]:
        """Give what changes beside the records of the call: as it is stored, and as it is to be."""
        return self._draft.marked()

    # ---- said again

    def said_in_words(self, record: Record, now: float) -> list[Record]:
        """Return the records that say in words what this one does, which has no id yet and lies in its cell.

        What is archived, superseded or over is not among them: what is said again then is said anew.
        """
        return [each for each in self._draft.said(record) if is_counterpart(each, record, now)]

    def said_as_fact(self, record: Record, now: float) -> list[Record]:
        """Return those that state the fact of this one, if it has one in fields; likewise."""
        if not record.subject or sameness.fact_of(record, self._vocabulary) is None:
            return []
        return [each for each in self._draft.bearing(sameness.STATED, record) if is_counterpart(each, record, now)]

    def again(self, before: Record, record: Record) -> Stood:
        """Count that a record was said again, and take over what is said of it now; `record` is complete."""
        record, made = self.named.as_stored(record), record.created_at or 0.0
        changed: dict[str, Any] = {
            "seen_count": before.seen_count + 1,
            "created_at": made if before.created_at is None else min(made, before.created_at),
            "seen_at": max(made, before.seen_at or before.created_at or made),
            "metadata": {**before.metadata, **record.metadata},
            "provenance": {**before.provenance, **record.provenance},
            "expires_at": later(before.expires_at, record.expires_at),
        }
        for name in _SINGLE:
            if (value := getattr(record, name)) is not None:
                changed[name] = value
        for name in _LISTS:
            changed[name] = tuple(dict.fromkeys((*getattr(before, name), *getattr(record, name))))
        again = _remembered_at(replace(before, **changed), made)
        stands, superseded = self.named.marked(again, record.supersedes, made, before)
        self._places.respan(stands, before)
        if stands.created_at != before.created_at:
            self._places.made_earlier(self._draft.latest(stands))
        return Stood(self._draft.latest(stands), "same", superseded)

    # ---- new, or in another's place

    def stand(
        self, record: Record, old: Record | None, *, at: float | None = None, beside: Sequence[Record] = ()
    ) -> Stood:
        """Return what becomes of a complete record that takes the place of one under its id, or of none.

        `beside` are stored records that it says otherwise: it is linked with them as with near-duplicates.

        Raises:
            RecordNotFound: it supersedes what is not there, or cannot be seen.
            InvalidArgument: it supersedes itself, what lies in another cell, what is another user's, or what stands
                in its own place; or it is archived for what cannot be (see `Named.check_archived`).

        """
        when = (record.created_at or 0.0) if at is None else at
        if old is None:  # another of the call may stand in its place already
            record = self._draft.latest(record)
            record = record if record.superseded_by is not None else self.named.as_its_turn(record)
        else:
            self._draft.hold(old)
            old = self._draft.latest(old)
        record = self.named.by_those_before(record)
        record = self.named.as_stored(record)
        self.named.check_archived(record, old if old is not None and _stays_with(record, old) else None)
        given, enters = record.supersedes, True
        record = self.named.placed(record.completed(contradicts=()) if record.contradicts else record, old)
        if old is not None:
            if _stays_with(record, old):
                enters = not (_says_the_same(record, old) and _times(record) == _times(old))
                record = self._carried(record, old)
            else:  # there it is gone, and here it is new: nothing tells what it was elsewhere
                self.leave([old])
                self._draft.moved(old, record)
        stays = old if old is not None and _stays_with(record, old) else None
        if stays is not None and (dropped := set(stays.source_ids).difference(record.source_ids)):
            self._release([stays], dropped)
        self.named.name(record, old)
        record, superseded = self.named.marked(record, given, when, stays)
        more: list[str] = []
        if enters:
            record, more = self._places.enter(record)
        if stays is not None:
            self._places.respan(record, stays)
            record = self._draft.latest(record)
        if (old is None or not _says_the_same(record, old)) and record.superseded_by is None:
            record = self.links.linked(record, when, beside)
        self._draft.note(record, self._draft.own(record))
        self.links.note(record)
        if stays is not None:
            self._take_along(record, stays)
        return Stood(record, "new" if old is None else "replaced", tuple(dict.fromkeys((*superseded, *more))))

    def change(self, record: Record, old: Record) -> None:
        """Plan what follows for others where a stored record is changed: its fact stands as if it were said anew.

        Raises:
            RecordNotFound, InvalidArgument: it says that another stands in its place that cannot (see `stand`).

        """
        record = self.named.as_stored(record)
        self._draft.hold(old)
        if (now := self._draft.latest(old)) is not old:  # others of the call have changed how it stands
            said = record.superseded_by != old.superseded_by  # by the caller, who has the last word
            own = {name: getattr(record, name) for name in UNPLACED} if said else {}
            record, old = with_marks(record, now).completed(**own), now
        named = record.superseded_by is not None and record.superseded_by != old.superseded_by
        if not _stays_with(record, old) and record.archived_by == old.archived_by:
            record = self.named.released(record)
        self.named.check_archived(record, old)
        record = self.named.placed(record, old)
        said_anew = not _says_the_same(record, old)
        if not _stays_with(record, old):
            self.leave([old])
            self._draft.moved(old, record)
            kept = {} if named else UNPLACED
            record = record.completed(**kept, supersedes=(), contradicts=(), near_duplicates=())
            record = record if named else self.named.placed(self.named.as_its_turn(record), None)
            self.named.name(record, None)
            record, _ = self._places.enter(record)
        else:
            if record.superseded_by != old.superseded_by and old.superseded_by is not None:
                self._places.unname(old)  # whoever is named instead stands there alone
            self.named.name(record, old)
            if dropped := set(old.source_ids).difference(record.source_ids):
                self._release([old], dropped)
            if said_anew:
                self.links.unlinked([old])
                record = record.completed(near_duplicates=())
            if self._leaves_row(record, old):
                record, _ = self._places.enter(self._places.leave_row(record, old))
            self._places.respan(record, old)
            if record.superseded_by != old.superseded_by:
                self._places.put_behind(record)
            record = self._draft.latest(record)
        if said_anew and record.superseded_by is None:
            record = self.links.linked(record, record.updated_at or record.created_at or 0.0)
        self._draft.own(record)
        self._take_along(record, old)

    def _take_along(self, record: Record, old: Record) -> None:
        """Have a turn's copy, or a copy's turn, stand as a record does whose caller says who stands in its place."""
        if record.superseded_by == old.superseded_by or key_of(record) != key_of(old):
            return  # where a turn moves, its copy follows and is placed there
        marks = {name: getattr(record, name) for name in UNPLACED}
        for each in self.named.along(old):
            if each.superseded_by == old.superseded_by and each.id != record.superseded_by:
                self.change(each.completed(**marks), each)

    def _leaves_row(self, record: Record, old: Record) -> bool:
        """Return whether a changed record states another fact, or for another time."""
        was, now = (sameness.fact_of(each, self._vocabulary) for each in (old, record))
        if was is None and now is None:
            return record.text != old.text
        if was is None or now is None or was[:3] != now[:3]:
            return True
        return self._places.fact_of(record) is not None and _times(record) != _times(old)

    def _carried(self, record: Record, old: Record) -> Record:
        """Return a record with what is known of the one in whose place it comes: all of it if both say the same."""
        if _says_the_same(record, old):
            kept: dict[str, Any] = {name: getattr(old, name) for name in (*MARKS, "revisions")}
            kept["supersedes"] = tuple(dict.fromkeys((*old.supersedes, *record.supersedes)))
            record = record.completed(**kept)
            return record if _times(record) == _times(old) else self._places.leave_row(record, old)
        self.links.unlinked([old])
        supersedes = tuple(dict.fromkeys((*names_of(old), *record.supersedes)))
        record = record.completed(supersedes=supersedes, revisions=_revised(old, record))
        record = self._places.leave_row(record, old)
        if old.superseded_by is not None:
            self._places.unname(old)  # another text is a new statement
        return record

    def changed_by(self, record: Record, now: float) -> list[Record]:
        """Return what a record says otherwise, if it is remembered: the same of something, with another value."""
        fact = sameness.fact_of(record, self._vocabulary)
        if fact is None:
            return self.links.near(record, now)
        others = [
            each
            for each in self._draft.bearing(sameness.STATED, record)
            if each.id != record.id
            and is_current(each, now)
            and (known := sameness.fact_of(each, self._vocabulary)) is not None
            and known.object != fact.object
        ]
        return [*self.links.near(record, now), *others]

    # ---- what goes

    def leave(self, gone: Sequence[Record], *, over: bool = False) -> None:
        """Plan what follows where records go: who stands in the place of what they superseded, and no name is left.

        What is archived for them is found again. Those that are `over` had no say any more, and what others say stays.
        """
        self.left.update(map(key_of, gone))
        self._release(gone)
        self.links.unlinked(gone)
        self._places.leave(gone, over=over)

    def _release(self, gone: Sequence[Record], of: Collection[str] | None = None) -> None:
        """Have what is archived for records be found again, or those of it with some ids."""
        for each in self.named.archived_for(gone) if gone else ():
            if of is None or each.id in of:
                self._draft.put(each.completed(archived_by=None))


def follows(
    indexes: Indexes,
    reach: Callable[[str], Boundary],
    vocabulary: Vocabulary,
    gone: Sequence[Record],
    *,
    over: bool = False,
) -> list[tuple[Record, Record]]:
    """Return what changes where records go, as it is stored and as it is to be; the caller holds the lock."""
    standing = Standing(indexes, reach, vocabulary)
    standing.leave(gone, over=over)
    going = set(map(key_of, gone))
    return [(old, new) for old, new in standing.marked() if key_of(old) not in going]


def _remembered_at(record: Record, made: float) -> Record:
    """Return a record whose history begins when it was said first, unless it said something else before."""
    revisions = record.revisions
    if not revisions or made >= revisions[0][0] or any(record.says_since(each) for each in revisions[1:]):
        return record
    return record.completed(revisions=((made, *revisions[0][1:]), *revisions[1:]))


def _says_the_same(one: Record, other: Record) -> bool:
    return (one.user_id, one.text, one.content_hash()) == (other.user_id, other.text, other.content_hash())


def _stays_with(record: Record, old: Record) -> bool:
    """Return whether a record lies where it did and is the same user's."""
    return key_of(old) == key_of(record) and old.user_id == record.user_id


def _times(record: Record) -> tuple[float | None, float | None]:
    return record.valid_from, record.valid_to


def _revised(old: Record, record: Record) -> tuple[Any, ...]:
    """Return what was changed of a record, now that another takes its place."""
    begun = old.revisions or ((old.created_at or 0.0, "remembered", ()),)
    return (*begun, (record.created_at or 0.0, "replaced", ()))[-MOST_REVISIONS:]
