"""The run of a recall: question, legs, table, stages, cut. The only control flow there is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from time import monotonic, perf_counter_ns
from typing import Any

from ..errors import InvalidArgument
from ..index import whose
from ..index.partition import Partition
from ..profiles.profile import Profile
from ..ranking import features
from ..ranking.agreement import cut
from ..ranking.algebra import StageContext
from ..ranking.candidates import Candidates, RowKey, join
from ..ranking.single import one_pass
from ..records import Record
from ..retrieval.question import Question
from ..retrieval.selection import Selection
from .depth import decided, shallow
from .legs import Legs, Reader, Sources, plan

_TEXT = {*features.FEATURES, "text"}


@dataclass(slots=True)
class Run:
    """What a run leaves behind.

    Attributes:
        table: the candidates that are left, in order; its columns are the account of their scores.
        tables: the table after each step, the first as the legs filled it.
        legs: what was asked and proposed.
        records: by key, those that were read.
        inside: how many records lie inside the boundary.
        escalated: whether a retriever beyond the first was asked.
        now: the time that was measured against; None if it did not matter.
        timings: microseconds by step.

    """

    question: Question
    profile: Profile
    table: Candidates
    tables: tuple[Candidates, ...]
    legs: Legs
    records: Records
    inside: int
    escalated: bool
    now: float | None
    timings: Mapping[str, float]

    @property
    def degraded(self) -> tuple[str, ...]:
        """What could not be done as asked."""
        return (*self.legs.degraded, *self.table.degraded)


class Records(Mapping[RowKey, Record]):
    """Records by key, read when they are first asked for: all rows of the table at once."""

    def __init__(self, read: Reader) -> None:
        self._read = read
        self._held: dict[RowKey, Record | None] = {}
        self._rows: tuple[RowKey, ...] = ()

    def expect(self, keys: Sequence[RowKey]) -> None:
        """Name the rows that are read together."""
        self._rows = tuple(keys)

    def load(self, keys: Sequence[RowKey]) -> list[Record | None]:
        """Read records, as far as they were not, and return them all; None for what is not there."""
        held = self._held
        missing = [key for key in keys if key not in held] if held else list(keys)
        if missing:
            held.update(zip(missing, self._read(missing), strict=True))
        return [held[key] for key in keys]

    def held(self, key: RowKey) -> Record | None:
        """Return a record if it was read and is there."""
        return self._held.get(key)

    def __getitem__(self, key: RowKey) -> Record:
        """Return a record; the first question reads those of all rows."""
        if key not in self._held:
            self.load(list(dict.fromkeys((*self._rows, key))))
        record = self._held[key]
        if record is None:
            raise KeyError(key)
        return record

    def __iter__(self) -> Iterator[RowKey]:
        """Give the keys of the records that were read."""
        return (key for key, record in self._held.items() if record is not None)

    def __len__(self) -> int:
        """Return how many were read."""
        return sum(record is not None for record in self._held.values())


class Laps:
    """Microseconds of each step, by name; steps of one name add up."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}
        self._last = perf_counter_ns()

    def lap(self, name: str) -> None:
        """Note what has passed since the last one."""
        now = perf_counter_ns()
        self.timings[name] = self.timings.get(name, 0.0) + (now - self._last) / 1000.0
        self._last = now


def run(question: Question, profile: Profile, sources: Sources, *, whole: bool = False) -> Run:
    """Run a profile inside the question's boundary.

    Where the first rows decide which hits there are, no more are looked at (see `byheart.recall.depth`); `whole` looks
    at all that the legs propose. Hits and scores are the same. The clock is read only if something depends on the
    time: a record inside the boundary has an end to its life, or a stage looks at more than columns.
    """
    laps, partition = Laps(), sources.partition
    deadline = None if question.deadline is None else monotonic() + question.deadline
    cells = partition.cells_in(question.boundary)
    inside = partition.records_in(question.boundary)
    ending = partition.any_ends_in(cells)
    now = question.now
    if now is None and (ending or not all(stage.bare for stage in profile.stages)):
        now = sources.clock()
    selection = _selection(question, partition, now if ending else None)

    def rounds(depth: int | None) -> Run | None:
        legs = Legs(question, profile, sources, cells, inside, selection)
        return _round(legs, inside, now, deadline, laps, depth, whole)

    depth = None if whole else shallow(question, profile, sources, cells)
    done = None if depth is None else rounds(depth)
    done = done or rounds(None)
    assert done is not None, "a run that looks at everything is decided"
    return done


def _round(
    legs: Legs, inside: int, now: float | None, deadline: float | None, laps: Laps, depth: int | None, whole: bool
) -> Run | None:
    """Ask the legs and run the stages; None if only the first `depth` rows were asked for and they do not decide.

    `whole`: the tables between the stages are wanted too.
    """
    question, profile, sources = legs.question, legs.profile, legs.sources
    laps.lap("question")
    first, escalated = profile.legs[0].retriever, False
    for leg, pool in plan(profile, question):
        if leg.when.holds(legs.count):
            legs.ask(leg, pool if depth is None or leg is not profile.legs[0] else depth)
            escalated = escalated or leg.retriever != first
            laps.lap(leg.retriever)
    records, k = Records(sources.read), min(question.k, profile.pool)
    notes = (*profile.notes, *_limited(question, profile))
    if not whole and len(legs.lists) == 1 and not legs.raw:
        passed = one_pass(
            profile.stages, first, legs.lists[first], tops=legs.tops, inside=inside,
            hashes=sources.partition.core.hashes, k=k, notes=notes,
        )  # fmt: skip
        if passed is not None:
            table, certain = passed
            laps.lap("stages")
            if not certain and depth is not None and len(legs.lists[first]) >= depth:
                return None
            return _finished(
                Run(question, profile, table, (), legs, records, inside, escalated, now, laps.timings), laps
            )
    table = _table(legs, profile)
    if any(_TEXT.intersection(stage.inputs) for stage in profile.stages):
        records.load(table.keys)
        gone = [row for row, key in enumerate(table.keys) if records.held(key) is None]
        table = table.drop(dict.fromkeys(gone, "forgotten meanwhile"))
        laps.lap("read")
    records.expect(table.keys)
    for note in notes:
        table = table.with_note(note)
    context = _context(legs, records, 0.0 if now is None else now, deadline)
    table = features.gather(table, profile.stages, context)
    tables = [table]
    for stage in profile.stages:
        table = stage(table, context)
        tables.append(table)
        laps.lap(stage.name)
    _check_finite(table, profile.name)
    if depth is not None and len(legs.lists[first]) >= depth and not decided(profile.stages, tables, k):
        return None
    table = cut(table, k)
    run = Run(question, profile, table, tuple(tables), legs, records, inside, escalated, now, laps.timings)
    return _finished(run, laps)


def _finished(run: Run, laps: Laps) -> Run:
    """Read the records of the rows that are left; those that are gone meanwhile are no hits."""
    held = run.records.load(run.table.keys)
    if any([record is None for record in held]):
        gone = [row for row, record in enumerate(held) if record is None]
        run.table = run.table.drop(dict.fromkeys(gone, "forgotten meanwhile"))
    laps.lap("cut")
    return run


def _selection(question: Question, partition: Partition, ends: float | None) -> Selection:
    """Return which records may be found: what lives, is not excluded, and passes category and filter."""
    selection = Selection(None, ends, partition.passes)
    if question.exclude:
        selection = selection.both(whose.none_of(question.exclude))
    if question.category is not None:
        selection = selection.both(whose.of_category(question.category))
    return selection if question.filter is None else selection.both(question.filter.canonical)


def _limited(question: Question, profile: Profile) -> tuple[str, ...]:
    if question.k <= profile.pool:
        return ()
    return (f"{question.k} hits were asked for; profile {profile.name!r} gives {profile.pool}",)


def _table(legs: Legs, profile: Profile) -> Candidates:
    """Return the union of what the legs propose: raw scores by retriever, and ranks where a stage reads them."""
    table = join(legs.lists)
    more: dict[str, Any] = {f"{name}_stand_in": [raw.get(row) for row in table.keys] for name, raw in legs.raw.items()}
    read = {name for stage in profile.stages for name in stage.inputs}
    for name, hits in legs.lists.items():
        if f"{name}_rank" in read:
            ranks = {row: float(rank) for rank, (row, _) in enumerate(hits, 1)}
            more[f"{name}_rank"] = [ranks.get(row) for row in table.keys]
    return table.with_columns(more) if more else table


def _check_finite(table: Candidates, profile: str) -> None:
    """Refuse the answer of a stage, which may be a caller's own, that orders by what is no number."""
    scores = table.scores()
    if not all(map(math.isfinite, scores)):
        id, score = next(row for row in zip(table.ids, scores, strict=True) if not math.isfinite(row[1]))
        raise InvalidArgument(f"profile {profile!r}: a stage gives {id!r} the score {score}; scores are finite")


def _context(legs: Legs, records: Records, now: float, deadline: float | None) -> StageContext:
    """Return what stages may know; records that are read on their behalf are kept with the others."""
    sources, question, profile = legs.sources, legs.question, legs.profile
    partition = sources.partition
    asks_uses = any("access_count" in stage.inputs for stage in profile.stages)

    @cache  # several stages look at the vectors of the same rows
    def vector_of(key: Any) -> Any | None:
        return partition.vector(key)

    row_of: dict[str, str] = {}

    def related(ids: Sequence[str]) -> Mapping[str, Record]:
        found = {}
        for id in ids:
            rows = [row for row in partition.rows_of(id) if partition.findable(row, legs.cells)]
            if rows and legs.selection.holds(rows[0]):
                found[id] = rows[0]
        row_of.update(found)
        records.load(list(found.values()))
        given = {each.id or "": each for each in sources.invariants if each.id in ids}
        return given | {id: record for id, row in found.items() if (record := records.held(row)) is not None}

    return StageContext(
        now=now,
        k=profile.max_results,
        query=question.text,
        records=records,
        query_vector=legs.vector,
        vector_of=vector_of,
        session_id=question.session_id,
        user_id=question.user_id,
        deadline=deadline,
        max_access_count=partition.max_access_count(legs.cells) if asks_uses else 0,
        related=related,
        row_of=lambda id: row_of.get(id, id),
        inside=legs.records,
        tops=legs.tops,
        content_hashes=lambda keys: partition.hashes([str(key) for key in keys]),
    )
