"""The writer of a memory: remembers records and changes them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ..boundary import Boundary
from ..errors import VersionMismatch
from ..index import selection as selecting
from ..index.indexes import Indexes, Moved
from ..index.saving import Saver
from ..records import Record
from ..retrieval.symbolic import Vocabulary
from ..storage import Key, Vectors, VectorStore, key_of
from ..storage.attempts import attempts
from .arriving import settle_arriving
from .change import Change, Given, Known
from .committer import Committer
from .completion import Completion, updated
from .noise_policy import NoisePolicy
from .planner import Planner
from .sayings import Said, Sayings
from .standing import Standing, Stood

if TYPE_CHECKING:
    from ..embedding import Embedder
    from .sourced import Sourced

Settle: TypeAlias = Callable[[Sequence[Record], float], tuple[Sequence[Record], Sequence[Record]]]
"""Returns which of a call's records are to be written at a time, and which stored ones go."""


class Writer:
    """Remembers and changes records, each call all or nothing: it writes only if what it read still stands.

    Within what the memory was opened for, an id is one record: what is remembered under it takes its place, in another
    cell too. Records outside are not looked at, whatever their ids.

    Args:
        store: where the records are.
        indexes: of the store; their lock is held by whoever writes.
        saver: of the indexes.
        completion: what records lack, and what they may not be.
        vocabulary: what facts may say.
        embedder: makes vectors of texts; None without one.
        commits: writes.

    Attributes:
        commits: likewise, for verbs that make their own changes.
        planner: plans writes, for such verbs too.
        embedder: may be changed, together with the indexes.

    """

    def __init__(
        self,
        store: VectorStore,
        indexes: Indexes,
        saver: Saver,
        completion: Completion,
        vocabulary: Vocabulary,
        embedder: Embedder | None,
        commits: Committer,
    ) -> None:
        self._store, self._indexes, self._saver = store, indexes, saver
        self._completion, self._vocabulary = completion, vocabulary
        self.embedder, self.commits = embedder, commits
        self.planner = Planner(indexes, self.reach, lambda: self.embedder)

    def obey(self, completion: Completion) -> None:
        """Fill in and refuse as this says from now on."""
        self._completion = completion

    @property
    def tenant(self) -> str:
        """Whose records are that name no tenant."""
        return self._completion.tenant

    def admitted(self, record: Record) -> Record:
        """Return a record as it may be written: without what a policy hides. Errors as in `Completion`."""
        return self._completion.admitted(record)

    def place(self, record: Record) -> tuple[str, str, str]:
        """Return where a record would lie: tenant, scope and class. Errors as in `Completion`."""
        return self._completion.place(record)

    # ---- remember, update

    def remember(
        self, records: Sequence[Record], *, given: Given | None = None, several: bool = False, as_they_are: bool = False
    ) -> list[Stood]:
        """Put records, in one write; return what became of each.

        Where a record takes the place of one with another text or user, summaries of that one go; what lay in another
        cell moves, and a durable copy follows. `byheart.writing.standing` says what follows for those
        that say the same, or something else of the same.

        Args:
            records: as they came.
            given: vectors that the caller brought; those of other records are made.
            several: whether one id may be given in several cells.
            as_they_are: whether records come from elsewhere, with all that is known of them: nothing follows.

        Raises:
            RecordNotFound, InvalidArgument: a record supersedes what it cannot (see `Standing.stand`).
            AmbiguousId: records of several cells bear an id, and the new one lies in none of them.
            StoreBusy: others wrote what was read during each of several attempts.

        """
        return self.put(records, _alone, given, several=several, as_they_are=as_they_are)

    def put(
        self,
        records: Sequence[Record],
        settle: Settle,
        given: Given | None = None,
        *,
        several: bool = False,
        alone: bool = False,
        as_they_are: bool = False,
        sourced: Sourced | None = None,
    ) -> list[Stood]:
        """Put records and remove others, in one write; return what became of each that is put.

        Args:
            records: as they came.
            settle: finds, anew in each attempt, what is put and what goes.
            given: as in `remember`.
            several: likewise.
            alone: whether some surely go.
            as_they_are: as in `remember`.
            sourced: whose records go, where these are of sources: if somebody puts one of theirs meanwhile, all begins
                again.

        Raises:
            DuplicateId: a record would come in the place of one that is none of `sourced`.
            RecordNotFound, InvalidArgument, AmbiguousId, StoreBusy: as in `remember`.

        """
        given = given or {}
        self.commits.check_writable()
        for record in () if as_they_are else records:
            self._vocabulary.check(record)
        said_now = [self._completion.admitted(record) for record in records]
        known = Known(self.embedder)
        if sourced is None or not sourced.imported:  # else most of them are there
            known.make(record.embedded() for number, record in enumerate(said_now) if number not in given)
        for attempt in attempts("remember"):
            with (
                suppress(Moved),
                self._saver.alone() if alone else nullcontext(),
                self.commits.planning(alone=alone or attempt > 0, behind=True),
            ):
                planned = self._planned(said_now, settle, given, sourced, several=several, as_they_are=as_they_are)
                if planned is None:
                    return []
                change, stood = planned
                if change.removed and not alone:
                    alone = True  # the saver's turn is taken before the lock
                    continue
                own = dict(zip(change.put, change.put, strict=True))  # else each vector has a key of its own
                brought = {own[key_of(stood[number].record)]: row for number, row in given.items()}
                if self._done(change, known, brought):
                    break
            known.make()
        return stood

    def _planned(
        self,
        said_now: Sequence[Record],
        settle: Settle,
        given: Given,
        sourced: Sourced | None,
        *,
        several: bool,
        as_they_are: bool,
    ) -> tuple[Change, list[Stood]] | None:
        """Return the write of a call and what becomes of each record; None if there is nothing to do.

        What it is planned with is let go of before the write: of many records that is as much as the records.
        """
        now, standing = time.time(), None if as_they_are else self.standing(several=len(said_now) > 1)
        records, gone = settle(said_now, now)
        if sourced is not None and not (records or gone):
            return None
        said, fresh = self._settled(records, standing, now, again=sourced is None, several=several)
        places = [self.planner.place_of(record) for record in fresh]
        change = self.planner.planned(fresh, places, gone, keeps_vectors=sourced is not None and sourced.imported)
        if standing is None:
            said = [(None, record) for record in settle_arriving(fresh, self.standing(), change)]
        if sourced is not None:
            sourced.check_places(change)
            change.seen = sourced.looked_at
        return change, self._stood(said, change, standing, given)

    def standing(self, *, several: bool = False) -> Standing:
        """Return what plans how records stand beside those that are there; the caller holds the lock."""
        return Standing(self._indexes, self.reach, self._vocabulary, several=several)

    def _settled(
        self, records: Sequence[Record], standing: Standing | None, now: float, *, again: bool, several: bool
    ) -> tuple[list[Said], list[Record]]:
        """Return of each record the one that it says again, be it stored or of the call; and those that are new.

        Without `again` no stored one: a source says nothing again of what it replaces, or of what others said. Nor one
        whose place another record of the call takes, which bears its id.
        """
        complete = self.completed(records, now, several=several)
        if standing is None or all(record.id is not None for record in records):
            return [(None, record) for record in complete], complete
        named = {(whole.tenant, record.id) for record, whole in zip(records, complete, strict=True) if record.id}
        sayings = Sayings(standing, now, named, stored=again, several=len(records) > 1)
        return sayings.told_apart(records, complete)

    def _stood(self, said: Sequence[Said], change: Change, standing: Standing | None, given: Given) -> list[Stood]:
        """Add to a write what follows from its records; return what becomes of each."""
        if standing is None:
            return [Stood(record, "new") for _, record in said]
        stood: list[Stood] = []
        standing.named.expect([of for record, of in said if record is None])
        for record, of in said:
            if record is not None:
                stood.append(standing.again(standing.latest(of), record))
            else:
                stood.append(standing.stand(of, change.instead.get(key_of(of))))
        if change.copies:
            follow(change, standing, {key_of(of) for _, of in said})
        if change.remove:
            standing.leave([change.expected[key] for key in change.removed if key in change.expected])
        self.finish(change, standing)
        for number in given:
            key = key_of(stood[number].record)
            change.made[key] = change.put[key]
            change.moved.pop(key, None)
        written = [change.put[key_of(each.record)] for each in stood]
        return [
            each if each.record is record else replace(each, record=record)
            for each, record in zip(stood, written, strict=True)
        ]

    def reach(self, tenant: str) -> Boundary:
        """Return all of a tenant that the memory was opened for."""
        return self._completion.reach.of(tenant)

    def completed(
        self, records: Sequence[Record], now: float, *, several: bool = False, unnamed: str | None = None
    ) -> list[Record]:
        """Return records as they will be stored, one without an id as `unnamed` if that is given; the lock is held.

        Raises:
            BoundaryViolation, DuplicateId, InvalidArgument: a record that may not be stored.

        """
        return self._completion.complete(records, now, self.is_taken, several=several, unnamed=unnamed)

    def is_reserved(self, tenant: str, *ids: str) -> bool:
        """Return whether one of some ids is that of an invariant of this memory."""
        return not self._completion.reserved.isdisjoint([(tenant, id) for id in ids])

    def check_variant(self, record: Record) -> None:
        """Refuse a complete record that is an invariant, or has the id of one. Errors as in `Completion`."""
        self._completion.check_variant(record, key_of(record).name)

    def is_taken(self, tenant: str, id: str) -> bool:
        """Return whether a record of this id can be seen by the memory."""
        return self._indexes.sees(self._completion.reach, tenant, id)

    def update(
        self,
        id: str,
        inside: Boundary,
        changes: Mapping[str, Any],
        noise: NoisePolicy,
        *,
        cell: tuple[str, str] | None = None,
        if_version: str | None = None,
        brought: bytes | None = None,
    ) -> None:
        """Change fields of a record; its vector is kept where its text is, or `brought`. With scope or class it moves.

        A turn's durable copy changes with it (`byheart.writing.copies`). With text, user or place, or
        where it ends sooner, the summaries go that were made of it; what these stood for beside it is found again.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            AmbiguousId: several do, and no cell was named.
            VersionMismatch: it is stored in another version than the one that is expected.
            DuplicateId: another record with this id lies where it would move to.
            NoiseRefused: the new text is noise, and noise is refused.
            StoreBusy: others changed it, or what follows, during each of several attempts.

        """
        self.commits.check_writable()
        known, alone = Known(self.embedder), False
        for attempt in attempts(f"change record {id!r}"):
            with (
                suppress(Moved),
                self._saver.alone() if alone else nullcontext(),
                self.commits.planning(alone=alone or attempt > 0),
            ):
                row = selecting.the_row(self._indexes[inside.tenant], inside, id, cell)
                old = self._indexes.stored(inside.tenant, [row])[0] if row is not None else None
                if old is None:
                    raise inside.lacks(id)
                if if_version is not None and old.version != if_version:
                    raise VersionMismatch(id, if_version, old.version)
                change = self._updating(old, inside, changes, noise, anew=brought is not None)
                if change.removed and not alone:
                    alone = True
                    continue
                if self._done(change, known, {} if brought is None else change.brought(old, brought)):
                    return
            known.make()

    def changed_together(self, pairs: Sequence[tuple[Record, Record]], inside: Boundary) -> Change:
        """Return the write that changes stored records, each into a complete one, and what follows; the lock is held.

        Their vectors are kept where their texts are.

        Args:
            pairs: each as it is to be, and as it is stored; one may name another of them.
            inside: where to look for what follows.

        Raises:
            DuplicateId: another record bears an id where one would move to.
            RecordNotFound, InvalidArgument: one says that another stands in its place that cannot.

        """
        records = [record for record, _ in pairs]
        for record, old in pairs:
            if key_of(record) != key_of(old):
                self.planner.check_free(key_of(record))
        rows = [self.planner.row_of(key_of(old)) for _, old in pairs]
        change = self.planner.planned(records, rows, within=inside, keeps_vectors=True)
        standing = self.standing()
        for record, old in pairs:
            standing.change(record, old)
        follow(change, standing, set(map(key_of, records)))
        self.finish(change, standing)
        self.planner.release(change, records)
        return change

    def finish(self, change: Change, standing: Standing) -> None:
        """Add to a write how its records stand, and that summaries go by themselves: what these hid is found again."""
        standing.add_to(change)
        self.planner.leave_summaries(change)
        going = [key for key in change.removed if key not in standing.left]
        gone = self.commits.readable(going) if going else []
        if gone:
            change.expected.update((key_of(summary), summary) for summary in gone)
            standing.leave(gone)
            standing.add_to(change)
            self.planner.release(change, list(change.put.values()))

    def entering(self, record: Record) -> tuple[Change, Stood]:
        """Return the write of one complete record whose id is free, and what becomes of it; the lock is held."""
        change = self.planner.planned([record], [None])
        [stood] = self._stood([(None, record)], change, self.standing(), {})
        return change, stood

    def kept_vectors(self, change: Change, given: Mapping[Key, bytes] | None = None) -> Vectors | None:
        """Return the vectors of a change that makes none anew: those at hand, and those that are kept."""
        return Known(self.embedder).vectors(self._store, change, given or {}, {})

    def _updating(
        self, old: Record, inside: Boundary, changes: Mapping[str, Any], noise: NoisePolicy, *, anew: bool
    ) -> Change:
        """Return the write that changes fields of a stored record, and the turn whose copy says otherwise now.

        With `anew` it is embedded anew, though nothing else may change.
        """
        now = time.time()
        record, olds = updated(old, changes or ({"updated_at": now} if anew else {}), now), [old]
        self._vocabulary.check_anew(record, old)
        records = [record]
        if record.text != old.text:
            noise.check(record)
            stays = all(getattr(record, name) == getattr(old, name) for name in ("user_id", "scope", "boundary_class"))
            if record.text and stays and (turn := self.planner.turn_of(old, inside)) is not None:
                olds.append(turn)
                records.append(updated(turn, {"text": record.text, "updated_at": record.updated_at}, now))
            records = list(map(noise.judged_anew, records))
        elif anew:  # what says the same has the same vector
            for each in self.planner.counterparts(old, inside):
                olds.append(each)
                records.append(updated(each, {"updated_at": record.updated_at}, now))
        complete = self._completion.complete(records, now, lambda tenant, id: True)
        return self.changed_together(list(zip(complete, olds, strict=True)), inside)

    def _done(self, change: Change, known: Known, given: Mapping[Key, bytes]) -> bool:
        """Commit a change if all its vectors are at hand, and return whether it was done; the caller has the lock.

        If it was not, `known` says what to make before the next attempt.
        """
        known.turn_to(self.embedder)
        wanted = {key: record.embedded() for key, record in change.made.items() if key not in given}
        if known.lacks(wanted.values()):
            return False
        return self.commits.commit(change, known.vectors(self._store, change, given, wanted))


def _alone(records: Sequence[Record], now: float) -> tuple[Sequence[Record], Sequence[Record]]:
    return records, ()


def follow(change: Change, standing: Standing, own: Collection[Key]) -> None:
    """Plan what follows from copies that change with a write that is of other records: text, end or place."""
    for key, old in change.copies.items():
        if key not in own:
            standing.change(change.put[key], old)
