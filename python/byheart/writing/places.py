"""The places of records: in whose place another one stands, since when, and for which times.

One stands in the place of another because somebody named it (`supersedes`, or `superseded_by` of an update), or because
both are facts that contradict each other and it is the later one; what it does by its fact alone, it notes in
`contradicts`, too. Whoever adds to the marks of a record names it, so that these can be made anew without it; what an
older memory marked by an update without a name is given one as soon as it is looked at.

A record is left out for the times at which one in its place holds: from the first of them on, until the last has ended,
by its `valid_to` or its `expires_at`. What stands in the place of that one stands in the place of this one, too. Where
records go because they are over, what is left out from now on is what would have been.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ..records import Record
from ..retrieval import sameness
from ..retrieval.symbolic import Vocabulary
from ..storage import Key, key_of
from .behind import Behind
from .draft import MOST_FACTS, Draft
from .marks import (
    UNPLACED,
    Stander,
    contradict,
    names_of,
    row_order,
    said_last,
    since,
    span_of,
    standing_by_fact,
    standing_by_name,
    with_stander,
    without_name,
)


class Places:
    """Plans the marks of records in a draft; the caller holds the lock.

    Args:
        draft: of the call.
        vocabulary: what facts may say, and which relations have one value.

    """

    def __init__(self, draft: Draft, vocabulary: Vocabulary) -> None:
        self._draft, self._vocabulary = draft, vocabulary
        self._over = False  # whether records go that are over
        self._going: Mapping[Key, Record] = {}

    # ---- into a place

    def name(self, record: Record, by: str) -> None:
        """Have the one in whose place a caller says that a record stands name it."""
        above = self._draft.lookup(record, by)
        if above is not None:
            self._draft.put(standing_by_name(above, record.id or ""))

    def mark(self, other: Record, by: Record, at: float, seen: Collection[str] = ()) -> bool:
        """Say of a record that another one stands in its place since a time; return whether that says more."""
        marked = with_stander(other, Stander(by, at))
        if marked == other:
            return False
        if other.superseded_by is not None:
            self.name(other, other.superseded_by)
        self._draft.put(marked)
        self._respan(marked, other, seen)
        return True

    def enter(self, record: Record) -> tuple[Record, list[str]]:
        """Put a fact in a relation of one value where its time is, among those of the same owner and subject."""
        fact = self.fact_of(record)
        if fact is None:
            return record, []
        at = said_last(record)
        facts = self._facts(record)
        others, ways = self._beside(record, fact, facts), self._ways(facts)
        front = sorted(self._later(record, others, ways), key=row_order)
        for later in front:
            placed = with_stander(record, Stander(later, since(later, record)))
            if placed != record:
                record = placed
                self._draft.put(standing_by_fact(self._draft.latest(later), [record.id or ""]))
        hidden = ways.of([record, *front]) | {each.id or "" for each in front}  # it takes the place of none of them
        stood, beside = list[Record](), list[str]()
        for each in others:
            if said_last(each) > at or (each.superseded_by is None) != (each.superseded_at is None):
                continue
            if each.id in hidden or record.id in self._named_beneath(each):  # both would be left out
                continue
            stood += [each] if with_stander(each, Stander(record, since(record, each))) != each else []
            if said_last(each) == at:  # no time tells which of them came later: the name does
                self._draft.rest_on(each)
                beside.append(each.id or "")
        done = [each.id or "" for each in stood if each.id not in record.supersedes]
        record = standing_by_fact(record, [*done, *beside])
        self._draft.put(record)  # what follows for one of them is planned of all that stands in its place
        for each in stood:
            self.mark(self._draft.latest(each), record, since(record, each) or 0.0)
        return self._draft.latest(record), done

    def fact_of(self, record: Record) -> sameness.Fact | None:
        """Return the fact of a record, if it is in a relation of one value."""
        fact = sameness.fact_of(record, self._vocabulary)
        return fact if fact is not None and fact.relation in self._vocabulary.single_valued else None

    def after(self, record: Record) -> list[Record]:
        """Return the facts that stand in the place of a record by their times; of equal times, their names tell.

        One in whose place somebody said that the record stands, or that is hidden by it, is not among them.
        """
        fact = self.fact_of(record)
        if fact is None:
            return []
        facts = self._facts(record)
        return self._later(record, self._beside(record, fact, facts), self._ways(facts))

    def _later(self, record: Record, others: Sequence[Record], ways: Behind) -> list[Record]:
        later = self._later_by_time(record, others)
        hidden = ways.leading_to(record.id or "", later)
        return [each for each in later if each.id not in hidden]

    def _later_by_time(self, record: Record, others: Sequence[Record]) -> list[Record]:
        later = [each for each in others if said_last(each) > said_last(record)]
        beneath = self._named_beneath(record) if later else ()
        return [each for each in later if each.id not in beneath]

    def _ways(self, facts: Sequence[Record]) -> Behind:
        def later(record: Record) -> list[Record]:
            fact = self.fact_of(record)
            return [] if fact is None else self._later_by_time(record, self._beside(record, fact, facts))

        return Behind(facts, self._draft.lookup, later)

    def _named_beneath(self, record: Record) -> set[str]:
        """Return the ids in whose place somebody said that a record stands, one in the place of the other."""
        found, waiting = set[str](), [record]
        while waiting:
            each = waiting.pop()
            names = set(names_of(each)) - found
            found |= names
            waiting += [one for id in names if (one := self._draft.lookup(each, id)) is not None]
        return found

    def _before(self, record: Record) -> list[str]:
        """Return the facts in whose place a record stands by its time, be they named or not."""
        fact, at = self.fact_of(record), said_last(record)
        beside = [] if fact is None else self._beside(record, fact, self._facts(record))
        return [each.id or "" for each in beside if said_last(each) < at and each.id not in record.supersedes]

    def _facts(self, record: Record) -> list[Record]:
        """Return the facts of the same owner, subject and relation, whatever they say."""
        return self._draft.bearing(sameness.STATED, record, MOST_FACTS)

    def _beside(self, record: Record, fact: sameness.Fact, facts: Sequence[Record]) -> list[Record]:
        """Return the facts that say something else of the same, for a time when this one holds, too.

        Those that a summary stands for are among them: it says what they say, and goes once they do not hold.
        """
        return [
            each
            for each in facts
            if each.id != record.id
            and (its := sameness.fact_of(each, self._vocabulary)) is not None
            and contradict(record, fact, each, its)
        ]

    def above(self, record: Record) -> set[str]:
        """Return the ids that stand in the place of a record, or that it is archived for, one behind the other."""
        found, waiting = set[str](), [record]
        while waiting:
            each = waiting.pop()
            above = [*self._draft.naming("supersedes", [each]), *self.after(each)]
            for id in (each.superseded_by, each.archived_by):
                if id is not None and id != each.id:
                    by = self._draft.lookup(each, id)
                    above += [] if by is None else [by]
                    found |= {id} if by is None else set()  # it may come with the call
            waiting += {other.id: other for other in above if other.id not in found}.values()
            found.update(other.id or "" for other in above)
        return found

    # ---- out of a place

    def leave_row(self, record: Record, old: Record) -> Record:
        """Return a changed record without what it stood for by its old fact; others say so from now on.

        Its names stay, and so do those of others: facts come and go, and a name is given.
        """
        freed, id = old.contradicts, old.id or ""
        left = tuple(each for each in record.supersedes if each not in freed)
        record = record.completed(supersedes=left, contradicts=())
        self._draft.put(record)
        placed = old.superseded_by is not None
        above = {key_of(other): other for other in self._draft.naming("contradicts", [old])} if placed else {}
        for other in above.values():
            self._draft.put(self._handed_on(other, old, {}))
        if placed and record.superseded_by == old.superseded_by:
            self._draft.put(self.placed(record, above, still=True, itself=True))
        self._free(freed, old, {id})
        return self._draft.latest(record)

    def leave(self, gone: Sequence[Record], *, over: bool = False) -> None:
        """Plan what follows where records go: who stands in the place of what they superseded, and no name is left.

        Args:
            gone: the records.
            over: whether they go because they are over: they had no say any more, and what others say stays.

        """
        self._over = over
        freed = {key_of(each): each for each in self._draft.naming("superseded_by", gone)}
        for each in (*freed.values(), *gone):
            if each.superseded_by is not None:
                self.name(each, each.superseded_by)
        gone = [self._draft.latest(record) for record in gone]
        self._going = going = {key_of(record): record for record in gone}
        for record in gone:
            found = (self._draft.lookup(record, id) for id in record.supersedes)
            freed.update((key_of(each), each) for each in found if each is not None)
        for record in gone:  # whoever stands in its place stands in the place of what it superseded
            for other in self._draft.naming("supersedes", [record]):
                if key_of(other) not in going:
                    self._draft.put(self._handed_on(other, record, going))
        for key, other in freed.items():
            if key not in going:
                self._place(self._draft.latest(other), going)
        self._going = {}

    def unname(self, record: Record) -> None:
        """Have no record name this one any more as one in whose place it stands."""
        for other in self._draft.naming("supersedes", [record]):
            self._draft.put(without_name(other, record.id or ""))

    def respan(self, record: Record, old: Record) -> None:
        """Plan what follows where a record holds for another time than it did."""
        self._draft.put(record)
        self._respan(record, old, ())

    def _respan(self, record: Record, old: Record, seen: Collection[str]) -> None:
        if span_of(record) == span_of(old) or record.id in seen:
            return
        beneath = [each for each in self._draft.naming("superseded_by", [record]) if key_of(each) not in self._going]
        record = standing_by_name(record, *(each.id or "" for each in beneath))
        self._draft.put(record)
        self._free((*record.supersedes, *self._before(record)), record, set(), (*seen, record.id or ""))

    def _free(self, ids: Iterable[str], beside: Record, gone: Collection[str], seen: Collection[str] = ()) -> None:
        """Make the marks of records anew, which do not rest on some ids any more."""
        for id in ids:
            other = self._draft.lookup(beside, id)
            if other is not None and key_of(other) not in self._going:
                going = {Key(*key_of(beside)[:3], each): beside for each in gone}
                self._place(other, going, seen, still=True)

    def _place(
        self, other: Record, going: Mapping[Key, Record], seen: Collection[str] = (), *, still: bool = False
    ) -> None:
        placed = self.placed(other, going, still=still)
        if placed != other:
            self._draft.put(placed)
            self._respan(placed, other, seen)
        if placed.superseded_by != other.superseded_by:
            self.put_behind(placed, seen)

    def made_earlier(self, record: Record) -> None:
        """Plan what follows where a record was said before it was made: since then it stands in the place of others."""
        self._draft.put(record)
        self._free((*record.supersedes, *self._before(record)), record, set())

    def put_behind(self, record: Record, seen: Collection[str] = ()) -> None:
        """Put facts that nothing hides behind a record that stands elsewhere now: they may have hidden it before."""
        left = [self._draft.lookup(record, id) for id in self._before(record)]
        free = [each.id or "" for each in left if each is not None and each.superseded_by is None]
        self._free(free, record, set(), (*seen, record.id or ""))

    def placed(
        self, other: Record, going: Mapping[Key, Record], *, still: bool = False, itself: bool = False
    ) -> Record:
        """Return a record with its marks made anew, of all that stands in its place.

        Args:
            other: the record.
            going: what does not stand there any more, by key.
            still: whether those are there still, and may stand there for another reason; what `leave` plans for is not.
            itself: whether it is the record itself that has left its row, and no fact is looked at.

        """
        if self._over and other.superseded_by is None:
            return other
        standing: dict[str, Stander] = {}
        for each in () if itself or self._over else self.after(other):
            standing[each.id or ""] = Stander(each, since(each, other), by_fact=True)
        by = other.superseded_by
        named = None if by is None else Key(*key_of(other)[:3], by)
        if named is not None and named not in going and named not in self._going:
            self.name(other, named.id)
        for each in self._draft.naming("supersedes", [other]):
            is_said = each.id == by and other.superseded_at is not None and other.id not in each.contradicts
            standing[each.id or ""] = Stander(each, other.superseded_at if is_said else since(each, other))
        out = self._going if still else {**self._going, **going}
        standing = {id: each for id, each in standing.items() if key_of(each.record) not in out}
        standing.pop(other.id or "", None)
        placed = other.completed(**UNPLACED)
        for stander in sorted(standing.values(), key=lambda stander: row_order(stander.record)):
            more = with_stander(placed, stander)
            if more != placed and stander.by_fact:
                self._draft.put(standing_by_fact(self._draft.latest(stander.record), [other.id or ""]))
            placed = more
        if self._over and placed.superseded_by is not None:  # the gap before the next one begins stays closed, too
            placed = placed.completed(superseded_at=other.superseded_at, superseded_from=other.superseded_from)
        return placed

    def _handed_on(self, other: Record, record: Record, going: Mapping[Key, Record]) -> Record:
        """Return a record whose link to a removed one is replaced by that one's own links, without equal statements.

        What was over hid that as well by what stood in its own place, and is handed on too.
        """
        mine = sameness.fact_of(other, self._vocabulary)
        by_fact = (record.id or "") in other.contradicts
        names, facts = dict.fromkeys(other.supersedes), dict.fromkeys(other.contradicts)
        waiting, gone = [record], set[str]()
        while waiting:
            each = waiting.pop()
            gone.add(each.id or "")
            for id in each.supersedes if key_of(each) in going else each.contradicts:
                key = Key(*key_of(each)[:3], id)
                if key in going:
                    waiting += [going[key]] if id not in gone else []
                    continue
                left = self._draft.lookup(other, id)
                if left is None or id == other.id or id in names:
                    continue
                its, follows = sameness.fact_of(left, self._vocabulary), by_fact and id in each.contradicts
                if follows and other.id in self._named_beneath(left):
                    continue  # somebody said that it stands behind that one
                if mine is not None and its is not None and not self._over:
                    anew = contradict(other, mine, left, its) if follows else mine[:3] != its[:3]
                    if not anew:
                        continue  # they say the same, or never hold together
                names[id] = None
                if follows:
                    facts[id] = None
        return other.completed(
            supersedes=tuple(id for id in names if id not in gone),
            contradicts=tuple(id for id in facts if id not in gone),
        )
