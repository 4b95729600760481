"""The statements of a history that may be found, by definition: which hold, and in whose place others stand.

Nothing is marked and nothing is kept up to date: whenever it is asked, all statements are looked at. A statement has an
id, an owner, a text, the time at which it was made, and as it has them, a fact (subject, relation, object), a time from
which on it holds and one before which, and the ids of those that it supersedes.

    one stands in the place of another    it names it; or both are facts in a relation of one value, of one owner and
                                          subject, with different objects, that hold at a time together, and it is
                                          the one that was said last
    left out for                          the times at which one in its place holds, or one in the place of that one:
                                          from the first of them on, until the last has ended
    superseded since                      the earliest time of those that stand in its place: when one was said first,
                                          or last, if it was said before the other one
    said again                            the same text to the letter or fact of the same owner, without an id and with
                                          no other value under a key of its data: the one that is there counts it and
                                          takes its data; of several the one with the same data, else the earliest. It
                                          was made at the first of its times, and seen at the last
    changed                               what it said is gone with all that followed from its fact, and what it says
                                          now follows anew; names stay, unless it becomes another owner's; as of a
                                          time before another fact was put there it is not known
    forgotten                             it is not there; whoever named it names what it named, but for the same fact
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

Fact = tuple[str, str, str]


@dataclass(frozen=True)
class Statement:
    """One statement; `order` is its place among all that were made, and `since` when it was changed to what it says."""

    id: str
    text: str
    made: float
    owner: str | None = None
    fact: Fact | None = None
    holds_from: float | None = None
    holds_to: float | None = None
    names: frozenset[str] = frozenset()
    data: frozenset[tuple[str, str]] = frozenset()
    seen: int = 1
    seen_at: float | None = None
    order: int = 0
    since: float | None = None


@dataclass
class History:
    """A history of statements.

    Attributes:
        single_valued: relations in which a subject has one object at a time.
        held: the statements that are there, by id.

    >>> history = History(frozenset({"lives_in"}))
    >>> for at, town in enumerate(["rome", "paris"]):
    ...     id = history.remember(Statement(town, f"i live in {town}", at, fact=("i", "lives_in", town)))
    >>> sorted(history.found(at=9)), sorted(history.found(at=9, as_of=0.5))
    (['paris'], ['rome'])
    >>> history.forget({"paris"})
    >>> sorted(history.found(at=9))
    ['rome']

    """

    single_valued: frozenset[str] = frozenset()
    held: dict[str, Statement] = field(default_factory=dict)
    made: int = 0

    def remember(self, statement: Statement, *, named: bool = True) -> str:
        """Take in a statement, or count that it was said again, and return its id.

        Args:
            statement: what is said.
            named: whether it came with an id; without one it may be said again.

        """
        self.made += 1
        current = [each for each in self.held.values() if self.is_current(each.id)]
        for said in (_same_words, _same_fact):
            for other in sorted(current, key=lambda each: (each.data != statement.data, each.made, each.id)):
                if named or not _same_time(other, statement) or not said(other, statement):
                    continue
                if not _agree(other, statement):
                    continue
                made, last = min(other.made, statement.made), max(_said_last(other), statement.made)
                data = other.data | statement.data
                self.held[other.id] = replace(other, seen=other.seen + 1, made=made, seen_at=last, data=data)
                return other.id
        self.held[statement.id] = replace(statement, order=self.made)
        return statement.id

    def forget(self, ids: Collection[str]) -> None:
        """Take statements out, one after the other."""
        for id in sorted(ids):
            gone = self.held.pop(id, None)
            if gone is None:
                continue
            for other in list(self.held.values()):
                if id in other.names:
                    handed = {name for name in gone.names if name in self.held and name != other.id}
                    handed = {name for name in handed if not _same_fact(other, self.held[name])}
                    self.held[other.id] = replace(other, names=frozenset((other.names - {id}) | handed))

    def change(self, id: str, **fields: object) -> None:
        """Change what a statement says, from when or until when it holds, or whose it is."""
        own = self.held[id]
        changed = replace(own, **fields)  # type: ignore[arg-type]
        if changed.owner != own.owner:
            order = list(self.held)
            self.forget({id})
            self.held[id] = replace(changed, names=frozenset())
            self.held = {each: self.held[each] for each in order}
        else:
            self.held[id] = changed
        if (changed.owner, changed.fact, changed.holds_from, changed.holds_to) != (
            own.owner, own.fact, own.holds_from, own.holds_to,
        ):  # fmt: skip
            self.made += 1
            self.held[id] = replace(self.held[id], order=self.made)

    def standers(self, id: str) -> set[str]:
        """Return those that stand in the place of a statement."""
        own = self.held[id]
        others = (each for each in self.held.values() if each.id != id)
        return {each.id for each in others if id in each.names or self._follows(each, own)}

    def left_out(self, id: str, at: float) -> bool:
        """Return whether a statement that others stand in the place of is left out at a time."""
        found, waiting = set[str](), {id}
        while waiting:
            more = {each for one in waiting for each in self.standers(one)} - found
            found |= more
            waiting = more
        begins = [self.held[each].holds_from for each in found]
        ends = [self.held[each].holds_to for each in found]
        begun = any(time is None or time <= at for time in begins)
        return begun and any(time is None or time > at for time in ends)

    def superseded_since(self, id: str) -> float | None:
        """Return since when others stand in the place of a statement; None if none does."""
        own = self.held[id]
        standing = [self.held[each] for each in self.standers(id)]
        return min((each.made if each.made >= _said_last(own) else _said_last(each) for each in standing), default=None)

    def is_current(self, id: str) -> bool:
        """Return whether no other stands in its place."""
        return self.superseded_since(id) is None

    def found(self, *, at: float, as_of: float | None = None, include_superseded: bool = False) -> set[str]:
        """Return the ids of the statements that may be found.

        Args:
            at: the time of the question, at which they have to hold.
            as_of: another time, at which they have to hold and to be known.
            include_superseded: whether those count that others stand in the place of.

        """
        then = at if as_of is None else as_of
        if as_of is not None:  # nobody knew of what was said again later
            held = {
                id: each if each.seen_at is None or each.seen_at <= as_of else replace(each, seen_at=None)
                for id, each in self.held.items()
            }
            return History(self.single_valued, held)._found_then(then, as_of, include_superseded=include_superseded)
        return self._found_then(then, as_of, include_superseded=include_superseded)

    def _found_then(self, then: float, as_of: float | None, *, include_superseded: bool) -> set[str]:
        found = set()
        for each in self.held.values():
            since = self.superseded_since(each.id)
            known = as_of is None or max(each.made, each.made if each.since is None else each.since) <= as_of
            unknown = since is None or (as_of is not None and since > as_of)
            stands = include_superseded or unknown or not self.left_out(each.id, then)
            begun = each.holds_from is None or each.holds_from <= then
            ended = each.holds_to is not None and each.holds_to <= then
            if known and stands and begun and not ended:
                found.add(each.id)
        return found

    def _follows(self, later: Statement, earlier: Statement) -> bool:
        """Return whether one fact contradicts another, and is the later one."""
        if later.fact is None or earlier.fact is None or later.owner != earlier.owner:
            return False
        if later.fact[:2] != earlier.fact[:2] or later.fact[1] not in self.single_valued:
            return False
        apart = any(
            one.holds_to is not None and other.holds_from is not None and one.holds_to <= other.holds_from
            for one, other in ((later, earlier), (earlier, later))
        )
        is_later = (_said_last(later), later.order) > (_said_last(earlier), earlier.order)
        return later.fact[2] != earlier.fact[2] and not apart and is_later


def _said_last(statement: Statement) -> float:
    return statement.made if statement.seen_at is None else statement.seen_at


def _same_time(one: Statement, other: Statement) -> bool:
    """Return whether two statements are of one owner, for the same time."""
    return (one.owner, one.holds_from, one.holds_to) == (other.owner, other.holds_from, other.holds_to)


def _same_words(one: Statement, other: Statement) -> bool:
    return one.text.strip() == other.text.strip() and one.fact == other.fact


def _agree(one: Statement, other: Statement) -> bool:
    """Return whether no key of both has two values."""
    mine, theirs = dict(one.data), dict(other.data)
    return all(mine[key] == theirs[key] for key in mine.keys() & theirs.keys())


def _same_fact(one: Statement, other: Statement) -> bool:
    return one.fact is not None and one.fact == other.fact
