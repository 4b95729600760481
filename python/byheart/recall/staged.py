"""Runs a staged profile: ask the legs, join, gather what the stages read, run them, cut."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..errors import InvalidArgument
from ..index.partition import Partition
from ..ranking import algebra, features, normalisation, stages
from ..ranking.algebra import About
from ..ranking.candidates import Candidates, join
from ..ranking.explanation import Explanation
from ..records import Record
from ..retrieval.narrow import Hits, Narrow
from .answers import Strategy, Trace, TraceCandidate
from .request import Clock, Reader, Request, Run, read_all
from .searching import Asking, over

if TYPE_CHECKING:
    from ..profiles.staged import Leg, StagedProfile

    Asked = Request[StagedProfile]


def run(request: Asked, partition: Partition, read: Reader, clock: Callable[[], float]) -> Run:
    """Run a staged profile inside the request's cells. The clock is read once, unless the request says when it is."""
    laps, profile = Clock(), request.profile
    deadline = None if request.deadline is None else monotonic() + request.deadline
    now = clock() if request.now is None else request.now
    k = request.k if profile.largest is None else min(request.k, profile.largest)
    ended, _ = over(partition, request, now, clock)
    legs = _Legs(request, partition, frozenset(ended))
    for leg, size in plan(request, k):
        legs.ask(leg, size)
        laps.lap(leg.retriever)
    records = read_all(read, list(dict.fromkeys(id for hits in legs.lists.values() for id, _ in hits)))
    table = _table(legs, records)
    for note in (*profile.notes, *_limited(request, k)):
        table = table.with_note(note)
    laps.lap("read")
    about = _about(request, partition, read, legs, records, now, k, deadline)
    table = features.gather(table, profile.stages, about)
    for stage in profile.stages:
        table = stage(table, about)
        laps.lap(stage.name)
    _check_finite(table, profile.name)
    table = stages.cut(table, k)
    laps.lap("cut")
    degraded = (*legs.degraded, *table.degraded)
    return Run(table, records, {}, {}, False, now, laps.timings, None, degraded, legs.lists)


def _limited(request: Asked, k: int) -> tuple[str, ...]:
    return () if k == request.k else (f"{request.k} hits were asked for; profile {request.profile.name!r} gives {k}",)


class _Legs(Asking):
    """What the legs of a profile propose, by retriever; legs of one retriever stand one behind the other."""

    request: Asked

    def __init__(self, request: Asked, partition: Partition, ended: frozenset[str]) -> None:
        super().__init__(request, partition)
        if ended:
            self.narrow = replace(self.narrow, without=self.narrow.without | ended)
        self.lists: dict[str, Hits] = {}
        self.stand_in = False  # whether the words' scores are in the place of cosines

    def ask(self, leg: Leg, size: int) -> None:
        """Ask one leg, for as many rows as it may propose."""
        within = self._narrowed(leg.within)
        hits = list(self.words(size, within)) if leg.retriever == "lexical" else self._dense(size, within)
        if leg.floor is not None:
            hits = [hit for hit in hits if hit[1] >= leg.floor]
        held = self.lists.setdefault(leg.retriever, [])
        known = {id for id, _ in held}
        held += [hit for hit in hits if hit[0] not in known]

    def _dense(self, size: int, within: Narrow) -> Hits:
        if self.vector is None and not self.degraded:
            if self.embedded("dense") is not None:
                self.note_blind(self.partition.without_vector(self.request.cells))
            elif self.request.profile.words_stand_in:
                self.stand_in = True
        if self.vector is not None:
            return list(self.nearest(self.vector, size, within))
        return list(self.words(size, within)) if self.stand_in else []

    def _narrowed(self, place: str | None) -> Narrow:
        """Return which records a leg may find: those of a session, of a user elsewhere, of nobody, or all."""
        if place is None:
            return self.narrow
        members, request = self.partition.members, self.request
        if place == "global" and request.session_id is None and request.user_id is None:
            return self.narrow  # a recall that does not say for whom it is knows of no owners
        if place == "global":
            return self.narrow.both(self.partition.commons()) if members.owned else self.narrow
        return self.narrow.both(members.within(place, request.session_id, request.user_id))


def plan(request: Asked, k: int) -> list[tuple[Leg, int]]:
    """Return the legs to ask, and how many rows each may propose.

    A recall that names no session, or no user, has nothing to look for there: each place takes the share of the one
    before it instead.
    """
    legs = request.profile.legs
    absent = {"session": request.session_id is None, "user": request.user_id is None}
    shares = iter([leg.size(k) for leg in legs if leg.within is not None])
    asked = []
    for leg in legs:
        if leg.within is None:
            asked.append((leg, leg.size(k)))
        elif not absent.get(leg.within, False):
            asked.append((leg, next(shares)))
    return asked


def _table(legs: _Legs, records: Mapping[str, Record]) -> Candidates:
    """Return the union of what the legs propose: raw scores, and ranks from 1, by retriever."""
    lists = {name: [hit for hit in hits if hit[0] in records] for name, hits in legs.lists.items()}
    if legs.stand_in:
        hits = lists["dense"]
        scaled = normalisation.top_or_one([score for _, score in hits])
        lists["dense"] = [(id, score) for (id, _), score in zip(hits, scaled, strict=True)]
    table = join(lists)
    ranks = {name: {id: float(rank) for rank, (id, _) in enumerate(hits, 1)} for name, hits in lists.items()}
    return table.with_columns({f"{name}_rank": map(rank.get, table.ids) for name, rank in ranks.items()})


def _check_finite(table: Candidates, profile: str) -> None:
    """Refuse the answer of a stage, which may be a caller's own, that orders by what is no number."""
    for id, score in zip(table.ids, table.scores(), strict=True):
        if not math.isfinite(score):
            raise InvalidArgument(f"profile {profile!r}: a stage gives {id!r} the score {score}; scores are finite")


def _about(
    request: Asked,
    partition: Partition,
    read: Reader,
    legs: _Legs,
    records: dict[str, Record],
    now: float,
    k: int,
    deadline: float | None,
) -> About:
    """Return what stages may know; records that are read on their behalf are kept with the others."""
    index = partition.dense
    asks_uses = any("access_count" in stage.inputs for stage in request.profile.stages)

    @cache  # several stages look at the vectors of the same rows
    def vector_of(id: str) -> Any | None:
        return index.vector(id) if index is not None and id in index else None

    def related(ids: Sequence[str]) -> Mapping[str, Record]:
        asked = [id for id in ids if partition.key_of(id) in request.cells and legs.narrow.holds(id)]
        found = read_all(read, [id for id in asked if id not in partition.members.archived])
        records.update(found)
        return found

    return About(
        now=now,
        k=k,
        query=request.text,
        records=records,
        query_vector=legs.vector,
        vector_of=vector_of,
        session_id=request.session_id,
        user_id=request.user_id,
        deadline=deadline,
        max_access_count=partition.max_access_count(request.cells) if asks_uses else 0,
        related=related,
    )


def explain(request: Asked, partition: Partition, done: Run, id: str) -> Explanation:
    """Return how a record got its score in a run, or why it is no hit."""
    dropped = next((row.reason for row in done.table.dropped if row.id == id), None)
    raw = tuple(
        f"{name}: raw {score:.6f}, rank {rank}"
        for name, hits in (done.proposed or {}).items()
        for rank, (each, score) in enumerate(hits, 1)
        if each == id
    )
    if id in done.table.ids:
        return replace(algebra.explain(done.table, id), notes=(*raw, *done.table.notes))
    reason = f"dropped: {dropped}" if dropped else "no leg of the profile proposed it"
    return Explanation(id, 0.0, notes=(reason, *raw, *done.table.notes))


def trace(request: Asked, done: Run) -> Trace:
    """Return what was run and what each leg proposed."""
    strategies = []
    for name, hits in (done.proposed or {}).items():
        candidates = [
            TraceCandidate(id, _store_of(done.records.get(id)), score, normalisation.clamped(score), (f"rank {rank}",))
            for rank, (id, score) in enumerate(hits, 1)
        ]
        strategies.append(Strategy(name, tuple(candidates), exhausted=False))
    return Trace(
        purpose=request.act,
        strategies=tuple(strategies),
        escalated=False,
        unit_types=tuple(sorted({done.records[id].ku_type or "atomic" for id in done.table.ids})),
        considered=request.records,
        proofs=(),
    )


def _store_of(record: Record | None) -> str:
    return "session" if record is not None and record.session_id is not None else "kb"
