"""The run of a recall: question, legs, table, stages, cut. The only control flow there is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import monotonic, perf_counter_ns
from typing import Any

from ..errors import InvalidArgument
from ..index import whose
from ..index.cells import Inside
from ..light.classes import dataclass
from ..patterns.days_ahead import may_name_ahead
from ..profiles.profile import Profile
from ..ranking.agreement import cut
from ..ranking.algebra import StageContext
from ..ranking.candidates import Candidates, RowKey
from ..ranking.dates import may_name, periods
from ..records import Record
from ..retrieval.question import Question
from ..retrieval.selection import Selection
from .absolute import Fused, fused
from .admitted import Admitted, said_otherwise, selection_of
from .as_searched import as_searched
from .by_time import by_time
from .depth import FirstRows, Shallow, first_rows
from .legs import Legs
from .newest import with_newest
from .on_demand import Records, Vectors
from .places import to_ask
from .plan import Plan, plan_of
from .queries import Queries
from .said_between import outdated_then
from .sources import Sources
from .stage_context import context_of
from .tables import by_marks, nearest, present, scored, with_features
from .topic import topic_of
from .unproposed import proposes_nothing
from .without_hits import below_minimum, left_out, why_nothing


@dataclass(slots=True)
class Run:
    """What a run leaves behind.

    Attributes:
        table: the candidates that are left, in order; its columns are the account of their scores.
        tables: the table after each step, the first as the legs filled it.
        context: what the stages knew beside their tables.
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
    context: StageContext
    legs: Legs
    records: Records
    inside: int
    escalated: bool
    now: float | None
    timings: Mapping[str, float]

    @property
    def degraded(self) -> tuple[str, ...]:
        """What could not be done as asked."""
        return (*self.legs.queries.degraded, *self.table.degraded)

    @property
    def routing(self) -> dict[str, Any] | None:
        """What the gate of the profile decided, and what the stages took; None of a profile without one."""
        return None if self.legs.routing is None else self.legs.routing.told(self.timings)

    @property
    def scaled(self) -> bool:
        """Whether answers of the profile have a strength."""
        return "strength" in self.table.figures

    @property
    def mode(self) -> str | None:
        """How vectors were searched; None if they were not."""
        return self.legs.mode

    @property
    def rows(self) -> int:
        """How many rows are left."""
        return len(self.table.keys)

    @property
    def full(self) -> bool:
        """Whether a search gave as many rows as it may."""
        return any(len(each.found.hits) >= each.asked.pool for each in self.legs.proposals)

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
    ahead = plan.times and plan.content and (named or may_name_ahead(question.text))
    if now is None and ahead:
        now = sources.clock()
    if plan.content:
        question = as_searched(question, sources, inside, now if ahead else None)
    if now is None and (inside.timed or not plan.bare or named):
        now = sources.clock()
    tells_time = named and now is not None and bool(periods(question.text, now))  # most words of a time name none
    selection = selection_of(question, sources.partition, inside, now, own=profile.keeps_to == "own_and_shared")
    if outdated := outdated_then(question, sources, inside):
        selection = selection.both(whose.none_of(outdated))
    marks = Admitted(question, selection, sources.partition, inside, sources.read)
    said = () if question.operators is None else marks.said
    said = (*said, *said_otherwise(question, selection, sources.partition, inside))
    queries = _queries(question, profile, sources, inside, selection, plan, now)
    # Else nothing asks which records its marks let through.
    if question.operators is not None and (whole or tells_time or not proposes_nothing(queries)):
        selection = marks.selection
    whole = whole or not question.terms
    laps.lap("question")
    if plan.shallow is not None and not whole:
        first = _first(plan.shallow, question, profile, sources, inside, selection, now, laps)
        if first is not None:
            first.degraded = (*said, *_remarks(first, marks, question), *_narrow(first, question, profile))
            return first

    if question.operators is not None:  # those were asked without its marks
        queries = _queries(question, profile, sources, inside, selection, plan, now)
    queries.degraded += said
    if plan.fusing is not None and not whole and not tells_time and not question.saying:
        notes = (*profile.notes, *_limited(question, profile))
        found = fused(plan.fusing, queries, plan.features, now, notes)
        laps.lap("search")
        if found is not None and (found.rows or question.min_strength != 0.0):
            found.timings = laps.timings
            found.degraded += (*_remarks(found, marks, question), *_narrow(found, question, profile))
            return found
    done = _round(Legs(queries), plan, now, deadline, laps, whole=whole, tells_time=tells_time)
    if tells_time:
        by_words = [key for key, score in done.legs.lists.get("words", ()) if score > 0.0]
        if (table := by_time(done.legs.queries, now, by_words, scaled=done.scaled)) is not None:
            return _answered(done, table, laps)
    queries.degraded += _narrow(done, question, profile)
    return done if done.rows else _without_hits(done, marks, min(question.k, profile.pool), laps)


def _queries(
    question: Question,
    profile: Profile,
    sources: Sources,
    inside: Inside,
    selection: Selection,
    plan: Plan,
    now: float | None,
) -> Queries:
    return Queries(
        question, profile, sources, inside, selection, plan.columns, plan.words, plan.counted, plan.told, read_at=now
    )


def _narrow(done: Run | FirstRows | Fused, question: Question, profile: Profile) -> tuple[str, ...]:
    """Return what to say where more hits are asked for than the profile gives, and it may have passed over some.

    It weighs no more records for that: a stage may raise one that no search has among its best, so that the hits for a
    smaller k would not be the first of these.
    """
    most = profile.pool
    if question.k <= most or not 0 < done.rows < done.inside or not (done.full or done.rows == most):
        return ()
    name = profile.name
    return (f"profile {name!r} gives {most:,} hits at most, however many are asked for: more records may answer",)


def _remarks(done: FirstRows | Fused, marks: Admitted, question: Question) -> tuple[str, ...]:
    """Return what to say where nothing was found, or nothing that scores enough."""
    if done.rows:
        return ()
    said = tuple(why_nothing(question, marks, proposed=False, known=True))
    if isinstance(done, FirstRows) and any(why == "floor" for _, why, *_ in done.agreed.dropped):
        return (*said, below_minimum(done.rules.floor))
    return said


def _without_hits(run: Run, marks: Admitted, k: int, laps: Laps) -> Run:
    """Return a run that found nothing: with what its marks alone find, or with what to say of them."""
    legs, dropped = run.legs, run.table.dropped
    table = by_marks(run.question, marks, k, scaled=run.scaled) or nearest(run.question, legs, run.table, k)
    if table is not None:
        run = _answered(run, table, laps)
    if not run.rows:
        proposed, known = any(legs.lists.values()), legs.count > 0 or any(legs.tops.values())
        legs.queries.degraded += why_nothing(run.question, marks, proposed=proposed, known=known)
        legs.queries.degraded += left_out(run.profile.stages, dropped)
    return run


def _answered(run: Run, table: Candidates, laps: Laps) -> Run:
    """Return a run with another answer than that of its stages."""
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
    full = agreed.given >= how.leg.pool
    return FirstRows(agreed, how.rules, held, inside.records, k, notes, now, laps.timings, mode, full)


def _round(
    legs: Legs, plan: Plan, now: float | None, deadline: float | None, laps: Laps, *, whole: bool, tells_time: bool
) -> Run:
    """Ask the legs, and run the stages; `whole`: keep all tables."""
    queries = legs.queries
    question, profile, sources = queries.question, queries.profile, queries.sources
    escalated = legs.ask(to_ask(profile, question))
    with_newest(legs, plan)
    laps.lap("search")
    records, k = Records(sources.read), min(question.k, profile.pool)
    vectors = Vectors(sources.partition.vectors)
    notes = (*profile.notes, *_limited(question, profile))
    context = context_of(legs, plan, records, vectors, 0.0 if now is None else now, deadline)
    if tells_time and now is not None:
        context = replace(context, topic=topic_of(queries, now))
    passed = None if whole or plan.scoring is None else scored(legs, plan.scoring, context.now, notes)
    done = 0
    if passed is not None and plan.scoring is not None:
        table, done = passed, plan.scoring.stages
        laps.lap("scoring")
    else:
        table = with_features(legs, plan, records, context, notes)
        laps.lap("features")
    tables = [table]
    for stage, reads in zip(profile.stages[done:], plan.reads[done:], strict=True):
        if reads:
            table = present(table, records)
        records.expect(table.keys)
        vectors.expect(table.keys)
        table = stage(table, context)
        tables.append(table)
        laps.lap(stage.name)
    _check_finite(table, profile.name)
    table = cut(table, k)
    run = Run(
        question, profile, table, tuple(tables), context, legs, records, queries.inside.records, escalated,
        queries.read_at,
        laps.timings,
    )  # fmt: skip
    return _finished(run, laps)


def _finished(run: Run, laps: Laps) -> Run:
    """Read the records of the rows that are left; those that are gone meanwhile are no hits."""
    held = run.records.load(run.table.keys)
    if any([record is None for record in held]):
        gone = [row for row, record in enumerate(held) if record is None]
        run.table = run.table.drop(dict.fromkeys(gone, "forgotten meanwhile"))
    laps.lap("cut")
    return run


def _limited(question: Question, profile: Profile) -> tuple[str, ...]:
    if question.k <= profile.pool:
        return ()
    return (f"{question.k} hits were asked for; profile {profile.name!r} gives {profile.pool}",)


def _check_finite(table: Candidates, profile: str) -> None:
    """Refuse the answer of a stage, which may be a caller's own, that orders by what is no number."""
    scores = table.scores()
    if not all(map(math.isfinite, scores)):
        id, score = next(row for row in zip(table.ids, scores, strict=True) if not math.isfinite(row[1]))
        raise InvalidArgument(f"profile {profile!r}: a stage gives {id!r} the score {score}; scores are finite")
