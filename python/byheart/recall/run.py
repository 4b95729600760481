"""The run of a recall: question, legs, table, stages, cut. The only control flow there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic, perf_counter_ns
from typing import TYPE_CHECKING, Any

from .._core import Staged
from ..errors import InvalidArgument
from ..index import standing, whose
from ..index.cells import Inside
from ..index.partition import Partition
from ..profiles.profile import Profile
from ..ranking import features
from ..ranking.agreement import cut
from ..ranking.algebra import StageContext
from ..ranking.candidates import Candidates, RowKey, join
from ..ranking.curves import words_in
from ..ranking.dates import may_name, periods
from ..records import Record
from ..retrieval.question import Question
from ..retrieval.selection import Selection
from .absolute import Fused, fused
from .admitted import Admitted, admitted
from .by_marks import by_marks, left_out, why_nothing
from .depth import MARGIN, FirstRows, Shallow, first_rows
from .legs import Legs, Reader, Sources, to_ask
from .plan import FIRST, Plan, plan_of

if TYPE_CHECKING:
    from ..ranking.scoring.at_once import Scoring


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

    @property
    def routing(self) -> dict[str, Any] | None:
        """What the gate of the profile decided, and what the stages took; None of a profile without one."""
        return None if self.legs.routing is None else self.legs.routing.told(self.timings)

    @property
    def mode(self) -> str | None:
        """How vectors were searched; None if they were not."""
        return self.legs.mode

    @property
    def rows(self) -> int:
        """How many rows are left."""
        return len(self.table.keys)

    @property
    def proposed(self) -> int:
        """How many rows the search of words gave."""
        return len(self.legs.lists.get("words", ()))

    def hits(self) -> Iterator[tuple[RowKey, str, float, Record]]:
        """Give key, id, score and record of each hit."""
        table, records = self.table, self.records
        return zip(table.keys, table.ids, table.scores(), [records[key] for key in table.keys], strict=True)

    def drawn(self) -> Candidates:
        """Return the table of the answer."""
        return self.table


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


class Vectors:
    """Vectors of records by key, read when they are first asked for: those of all rows of the table at once."""

    def __init__(self, read: Callable[[Sequence[RowKey]], Sequence[Any | None]]) -> None:
        self._read = read
        self._held: dict[RowKey, Any | None] = {}
        self._rows: tuple[RowKey, ...] = ()

    def expect(self, keys: tuple[RowKey, ...]) -> None:
        """Name the rows that are read together."""
        self._rows = keys

    def of(self, key: RowKey) -> Any | None:
        """Return a record's unit vector, or None."""
        if key not in self._held:
            keys = [each for each in dict.fromkeys((*self._rows, key)) if each not in self._held]
            self._held.update(zip(keys, self._read(keys), strict=True))
        return self._held[key]


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


def run(question: Question, profile: Profile, sources: Sources, *, whole: bool = False) -> Run | FirstRows | Fused:
    """Run a profile inside the question's boundary.

    Where the first rows of one search decide which hits there are, no more are looked at and no stage runs (see
    `byheart.recall.depth`); `whole` looks at all that the legs propose. Hits and scores are the same. The clock is read
    only if something depends on the time: a record inside the boundary has an end to its life, or a stage looks at more
    than columns.
    """
    laps = Laps()
    deadline = None if question.deadline is None else monotonic() + question.deadline
    inside = sources.partition.inside(question.boundary)
    now = question.now
    plan = plan_of(profile)
    named = plan.times and may_name(question.text)
    if now is None and (inside.timed or not plan.bare or named):
        now = sources.clock()
    tells_time = named and now is not None and bool(periods(question.text, now))  # most words of a time name none
    selection = selection_of(question, sources.partition, inside, now, own=profile.keeps_to == "own_and_shared")
    marks = admitted(question, selection, sources.partition, inside, sources.read)
    selection, whole = marks.selection, whole or not question.terms
    laps.lap("question")
    if plan.shallow is not None and not whole:
        first = _first(plan.shallow, question, profile, sources, inside, selection, now, laps)
        if first is not None:
            first.degraded = (*marks.said, *_remarks(first, marks, question))
            return first

    def asked(first: int | None) -> Run | Fused:
        legs = Legs(question, profile, sources, inside, selection, plan.columns, plan.words, plan.counted, plan.told)
        legs.degraded += marks.said
        if plan.fusing is not None and not whole and not tells_time:
            notes = (*profile.notes, *_limited(question, profile))
            found = fused(plan.fusing, legs, first, plan.features, now, notes)
            laps.lap("search")
            if found is not None:
                found.timings = laps.timings
                found.degraded += _remarks(found, marks, question)
                return found
        done = _round(legs, plan, now, deadline, laps, whole=whole, first=first)
        return done if done.rows else _without_hits(done, marks, laps)

    wanted = min(question.k, profile.pool)
    few = max(FIRST, wanted + MARGIN)
    says_more = named or question.session_id is not None or few >= profile.legs[0].pool
    if plan.in_order and not whole and not says_more and sources.partition.figures.is_plain(inside.cells):
        found = asked(few)
        if found.rows >= wanted or found.proposed < few:
            return found
    return asked(None)


def _remarks(done: FirstRows | Fused, marks: Admitted, question: Question) -> tuple[str, ...]:
    """Return what to say where nothing was found."""
    return () if done.rows else tuple(why_nothing(question, marks, proposed=False, known=True))


def _without_hits(run: Run, marks: Admitted, laps: Laps) -> Run:
    """Return a run that found nothing: with what its marks alone find, or with what to say of them."""
    legs, k = run.legs, min(run.question.k, run.profile.pool)
    table = by_marks(run.question, marks, k, scaled="strength" in run.table.figures)
    if table is None:
        proposed, known = any(legs.lists.values()), legs.count > 0 or any(legs.tops.values())
        legs.degraded += why_nothing(run.question, marks, proposed=proposed, known=known)
        legs.degraded += left_out(run.profile.stages, run.table.dropped)
        return run
    run.table, run.tables = table, (*run.tables, table)
    return _finished(run, laps)


def _first(
    how: Shallow,
    question: Question,
    profile: Profile,
    sources: Sources,
    inside: Inside,
    selection: Selection,
    now: float | None,
    laps: Laps,
) -> FirstRows | None:
    """Return the answer of the first rows of the first leg, if they decide it and their records are there."""
    agreed = first_rows(question, profile, how, sources, inside, selection)
    laps.lap("search")
    if agreed is None:
        return None
    records = sources.read(agreed.keys)
    laps.lap("read")
    held = [record for record in records if record is not None]
    if len(held) < len(records):
        return None
    k, notes = min(question.k, profile.pool), (*profile.notes, *_limited(question, profile))
    mode = "exact" if how.rules.clamps else None
    return FirstRows(agreed, how.rules, held, inside.records, k, notes, now, laps.timings, mode)


def _round(
    legs: Legs, plan: Plan, now: float | None, deadline: float | None, laps: Laps, *, whole: bool, first: int | None
) -> Run:
    """Ask the legs, each for its `first` rows if so many are enough, and run the stages; `whole`: keep all tables."""
    question, profile, sources = legs.question, legs.profile, legs.sources
    to_be_asked = to_ask(profile, question)
    escalated = legs.ask([(leg, pool if first is None else min(pool, first)) for leg, pool in to_be_asked])
    laps.lap("search")
    records, k = Records(sources.read), min(question.k, profile.pool)
    vectors = Vectors(sources.partition.vectors)
    notes = (*profile.notes, *_limited(question, profile))
    context = _context(legs, plan, records, vectors, 0.0 if now is None else now, deadline)
    passed = None if whole or plan.scoring is None else _scored(legs, plan.scoring, context.now, notes)
    done = 0
    if passed is not None and plan.scoring is not None:
        table, done = passed, plan.scoring.stages
        laps.lap("scoring")
    else:
        table = _with_features(legs, plan, records, context, notes)
        laps.lap("features")
    tables = [table]
    for stage, reads in zip(profile.stages[done:], plan.reads[done:], strict=True):
        if reads:
            table = _present(table, records)
        records.expect(table.keys)
        vectors.expect(table.keys)
        table = stage(table, context)
        tables.append(table)
        laps.lap(stage.name)
    _check_finite(table, profile.name)
    table = cut(table, k)
    run = Run(question, profile, table, tuple(tables), legs, records, legs.inside.records, escalated, now, laps.timings)
    return _finished(run, laps)


def _scored(legs: Legs, scoring: Scoring, now: float, notes: tuple[str, ...]) -> Candidates | None:
    """Return the table after the first stages, in one pass of the core; None where they have to run."""
    vector = legs.sources.vector.made
    if vector is None or len(legs.of_core) != 1 or legs.raw or legs.inside.blank:
        return None
    staged = Staged.of(
        legs.sources.partition.core, legs.of_core[0], dense=0, lexical=1, floor=legs.profile.legs[0].floor, now=now,
        vector=vector.tolist(), minimum=scoring.minimum, window=scoring.window, recency=scoring.recency,
        anchor=scoring.anchor, decay=scoring.decay, hard=scoring.hard,
    )  # fmt: skip
    return None if staged is None else scoring.table(staged, notes)


def _with_features(
    legs: Legs, plan: Plan, records: Records, context: StageContext, notes: tuple[str, ...]
) -> Candidates:
    """Return the table of what the legs propose, with the features that stages read."""
    table = _table(legs, plan)
    if legs.routing is not None:
        table = table.with_figures({"routing": legs.routing.figures()})
    for note in notes:
        table = table.with_note(note)
    if plan.reads_records:
        table = _present(table, records)
    records.expect(table.keys)
    return features.filled(table, plan.features, context, legs.held(table.keys))


def _present(table: Candidates, records: Records) -> Candidates:
    """Return the table without the rows whose records are gone."""
    held = records.load(table.keys)
    gone = [row for row, record in enumerate(held) if record is None]
    return table.drop(dict.fromkeys(gone, "forgotten meanwhile"))


def _finished(run: Run, laps: Laps) -> Run:
    """Read the records of the rows that are left; those that are gone meanwhile are no hits."""
    held = run.records.load(run.table.keys)
    if any([record is None for record in held]):
        gone = [row for row, record in enumerate(held) if record is None]
        run.table = run.table.drop(dict.fromkeys(gone, "forgotten meanwhile"))
    laps.lap("cut")
    return run


def selection_of(
    question: Question, partition: Partition, inside: Inside, now: float | None, *, own: bool
) -> Selection:
    """Return which records may be found: what lives and holds, is not excluded, passes the filters.

    Args:
        question: what was asked.
        partition: of the tenant.
        inside: what lies inside the boundary, which says whether a time matters, and which of its rules do.
        now: the time; None where none matters.
        own: whether no other user's records are found.

    """
    at = now if question.as_of is None else question.as_of
    gone = None
    if inside.dated or inside.superseded or question.as_of is not None:
        superseded = inside.superseded and not question.include_superseded
        gone = standing.gone(at, question.as_of, dated=inside.dated, superseded=superseded)
    selection = Selection(None, at if inside.ends else None, gone, partition.passes)
    if question.user_id is not None and own:
        selection = selection.both(whose.of_user_or_none(question.user_id))
    if question.exclude:
        selection = selection.both(whose.none_of(question.exclude))
    if question.category is not None:
        selection = selection.both(whose.of_category(question.category))
    return selection if question.filter is None else selection.both(question.filter.canonical)


def _admits(question: Question) -> Callable[[Record], bool] | None:
    """Return what tells the records that marks of the question let through; None where a retriever reads the marks."""
    if question.is_typed:
        return None
    return question.operators.admits if question.operators is not None else lambda record: True


def _limited(question: Question, profile: Profile) -> tuple[str, ...]:
    if question.k <= profile.pool:
        return ()
    return (f"{question.k} hits were asked for; profile {profile.name!r} gives {profile.pool}",)


def _table(legs: Legs, plan: Plan) -> Candidates:
    """Return the union of what the legs propose: raw scores by retriever, and ranks where a stage reads them."""
    table = join(legs.lists)
    more: dict[str, Any] = {f"{name}_stand_in": [raw.get(key) for key in table.keys] for name, raw in legs.raw.items()}
    for name, hits in legs.lists.items():
        if f"{name}_rank" in plan.ranks:
            ranks = {id: float(rank) for rank, (id, _) in enumerate(hits, 1)}
            more[f"{name}_rank"] = [ranks.get(key) for key in table.keys]
    return table.with_columns(more) if more else table


def _check_finite(table: Candidates, profile: str) -> None:
    """Refuse the answer of a stage, which may be a caller's own, that orders by what is no number."""
    scores = table.scores()
    if not all(map(math.isfinite, scores)):
        id, score = next(row for row in zip(table.ids, scores, strict=True) if not math.isfinite(row[1]))
        raise InvalidArgument(f"profile {profile!r}: a stage gives {id!r} the score {score}; scores are finite")


def _context(
    legs: Legs, plan: Plan, records: Records, vectors: Vectors, now: float, deadline: float | None
) -> StageContext:
    """Return what stages may know; records that are read on their behalf are kept with the others."""
    sources, question, profile = legs.sources, legs.question, legs.profile
    partition = sources.partition
    asks_uses = "access_count" in plan.features

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

    def words(field: str, keys: Sequence[RowKey]) -> Mapping[RowKey, Any]:
        said = legs.held(keys, (field,)) if field in legs.words else None
        if said is None:
            said = {field: [next(iter(partition.values(field, key)), None) for key in keys]}
        return {key: value for key, value in zip(keys, said[field], strict=True) if value is not None}

    return StageContext(
        now=now,
        k=profile.max_results,
        query=question.text,
        length=words_in(question.terms),
        records=records,
        query_vector=sources.vector.made,
        vector_of=vectors.of,
        session_id=question.session_id,
        user_id=question.user_id,
        deadline=deadline,
        max_access_count=partition.figures.max_access_count(legs.cells) if asks_uses else 0,
        spread=lambda column: partition.figures.spread(column, legs.inside),
        unasked=frozenset(legs.unasked),
        related=related,
        row_of=lambda id: row_of.get(id, id),
        inside=legs.inside.records,
        tops=legs.tops,
        bests=legs.bests,
        leasts=legs.leasts,
        mosts=legs.mosts,
        familiarity=legs.familiarity,
        model=sources.vector.family,
        min_strength=question.min_strength,
        words=words,
        values=partition.values,
        says=lambda field: partition.figures.says(field, legs.cells),
        content_hashes=lambda keys: partition.hashes([str(key) for key in keys]),
        admits=_admits(question),
    )
