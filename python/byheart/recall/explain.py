"""The explanation and the trace of a run, read from its table, its stages and its legs. No score is made anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..boundary import id_of
from ..index.standing import changed_later
from ..ranking import algebra
from ..ranking.candidates import Candidates, RowKey
from ..ranking.explanation import Change, Explanation
from ..ranking.normalisation import clamped
from ..records import Record
from ..retrieval.selection import Selection
from .legs import Proposal
from .run import Run
from .told_around import AFTER, BEFORE, WHOLE, told_around
from .trace import Strategy, Trace, TraceCandidate


def explain(run: Run, key: RowKey) -> Explanation:
    """Return how a record got its score in a run, or why it is no hit.

    A row that was dropped is explained as it stood then.
    """
    raw = tuple(_raw_lines(run, key))
    table = run.table if key in run.table.keys else _last_with(run, key)
    if table is None:
        return Explanation(id_of(key), 0.0, notes=(*_absent(run, key), *run.table.notes))
    operators = run.question.operators
    passed = () if operators is None else (f"passes {operators}",) if run.legs.queries.selection.holds(key) else ()
    told = algebra.explain(table, key)
    details, places = _by_stages(run, key)
    changes = tuple(
        _with_inner(run, key, replace(change, detail=details.get(change.name, change.detail)))
        for change in told.changes
    )
    reason = () if table is run.table else tuple(f"dropped: {why}" for why in _reasons(run, key))
    return replace(told, changes=changes, notes=(*reason, *places, *passed, *raw, *run.table.notes))


def _by_stages(run: Run, key: RowKey) -> tuple[dict[str, str], list[str]]:
    """Return what the stages say of a row: how their operands came about, by column, and why it stands where it does.

    A run that explains has made a table for each stage.
    """
    details: dict[str, str] = {}
    places: list[str] = []
    for stage, before, after in zip(run.profile.stages, run.tables, run.tables[1:], strict=False):
        if key in after.keys:
            details.update(stage.working(before, after, key, run.context))
            places += stage.standing(before, after, key, run.context)
    return details, places


def _last_with(run: Run, key: RowKey) -> Candidates | None:
    return next((table for table in reversed(run.tables) if key in table.keys), None)


def _reasons(run: Run, key: RowKey) -> Iterator[str]:
    return (row.reason for row in run.table.dropped if row.id == id_of(key))


def _proposals(run: Run, key: RowKey) -> Iterator[tuple[Proposal, float, int]]:
    """Give the searches that found a record, with its raw score and its rank from 1."""
    for proposal in run.legs.proposals:
        for rank, (id, score) in enumerate(proposal.found.hits, 1):
            if id == key:
                yield proposal, score, rank
                break


def _with_inner(run: Run, key: RowKey, change: Change) -> Change:
    """Return a change with the raw score taken apart that its operand was made of, or what was told around."""
    if change.name in (BEFORE, AFTER, WHOLE) and f"told_{change.name}" in run.tables[0].columns:
        return replace(change, inner=told_around(run, key, change.name))
    for proposal, score, _ in _proposals(run, key):
        if change.of == (proposal.of or proposal.retriever.name):
            return replace(change, inner=_plainly(proposal.explain(key, score)))
    return change


def _plainly(told: Explanation | None) -> Explanation | None:
    """Return a raw score taken apart by a retriever, who knows the record by its row, with the id in its place.

    A row says more than the id where another cell has the id, too, of which nothing is told.
    """
    if told is None:
        return None
    parts = tuple(replace(part, inner=_plainly(part.inner)) for part in told.parts)
    return replace(told, id=id_of(told.id), parts=parts)


def _raw_lines(run: Run, key: RowKey) -> Iterator[str]:
    for proposal, score, rank in _proposals(run, key):
        name = proposal.retriever.name
        place = name if proposal.of is None else f"{name}, in the place of {proposal.of}"
        yield f"{place}: raw {score:.6f}, rank {rank}"


def _absent(run: Run, key: RowKey) -> Iterator[str]:
    """Say why a record was proposed by nobody."""
    reasons, queries = list(_reasons(run, key)), run.legs.queries
    if reasons:
        yield f"dropped: {reasons[0]}"
    elif not queries.selection.without_said().holds(key):
        yield _left_out(queries.selection, key, run.question.as_of)
    elif not queries.selection.holds(key):
        yield from _lacking(run, key)
    elif not queries.sources.partition.findable(key, queries.cells):
        yield "archived: something else stands for it"
    else:
        yield from _unproposed(run, key)


def _left_out(selection: Selection, key: RowKey, as_of: float | None) -> str:
    """Say which part of a selection leaves a record out."""
    there = replace(selection, filter=None)
    if there.holds(key):
        return "excluded, or outside the filter"
    if not replace(there, gone=None).holds(key):
        return "expired"
    if as_of is not None and replace(there, filter=changed_later(as_of), gone=None).holds(key):
        return "changed later: what it said at that time is gone"
    return "superseded, or not valid at that time"


def _lacking(run: Run, key: RowKey) -> Iterator[str]:
    """Say which operators of the question a record does not pass."""
    [record] = run.legs.queries.sources.read([key])
    operators = run.question.operators
    if operators is not None and record is not None:
        yield from operators.lacking(record)


def _unproposed(run: Run, key: RowKey) -> Iterator[str]:
    words = next((each for each in run.legs.proposals if each.retriever.name == "lexical"), None)
    told = None if words is None else words.retriever.explain(words.asked, words.found, key, None)
    pools = ", ".join(dict.fromkeys(f"{each.asked.pool} of {each.retriever.name}" for each in run.legs.proposals))
    if told is not None and told.score == 0.0:
        yield "no query term occurs in it"
    else:
        yield f"no leg of the profile proposed it: not among the best {pools}"
    if told is not None:
        yield f"its raw lexical score is {told.score:.6f}"
    yield from run.degraded  # what could not look for it


def trace(run: Run) -> Trace:
    """Return what was run, what each search proposed, and what was proved on the way."""
    strategies = []
    for proposal in run.legs.proposals:
        found, name = proposal.found, proposal.retriever.name
        top = max(1.0, found.top if found.top is not None else 1.0)
        scaled = clamped if name in ("dense", "hypervector") else (lambda score, top=top: score / top)
        candidates = tuple(
            TraceCandidate(
                id_of(id), _store_of(run.records.get(id)), score, scaled(score), proposal.retriever.notes(found, id)
            )
            for id, score in found.hits
        )
        strategies.append(Strategy(name, candidates, proposal.retriever.exhausted(found)))
    return Trace(
        purpose=run.question.act,
        strategies=tuple(strategies),
        escalated=run.escalated,
        unit_types=tuple(sorted({run.records[key].ku_type or "atomic" for key in run.table.keys})),
        considered=run.inside,
        proofs=tuple(step for each in run.legs.proposals for step in each.retriever.proofs(each.found)),
    )


def _store_of(record: Record | None) -> str:
    return "session" if record is not None and record.session_id is not None else "kb"
