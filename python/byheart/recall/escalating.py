"""Runs a profile: retrieve, escalate, join, stages, select. The only control flow of a recall."""

from __future__ import annotations

from collections.abc import Callable

from ..index.partition import Partition
from ..profiles import Profile
from ..ranking import stages
from ..ranking.candidates import Candidates, join
from ..ranking.explanation import Explanation, Part, Step
from ..records import Record
from ..retrieval import dense, hypervector, lexical, symbolic
from .answers import Strategy, Trace, TraceCandidate
from .request import Clock, Reader, Request, Run, read_all
from .searching import Search, over


def run(request: Request[Profile], partition: Partition, read: Reader, clock: Callable[[], float]) -> Run:
    """Run a profile inside the request's cells.

    `read` gives records by id; `clock` is asked for the time only if a candidate has an end to its life.
    """
    laps, profile = Clock(), request.profile
    search = Search(request, partition, clock)
    search.ask(profile.primary)
    laps.lap(profile.primary)
    escalated = profile.runs_secondary(sum(len(ranking) for ranking in search.found.values()))
    if escalated:
        search.ask(profile.secondary)
        laps.lap(profile.secondary)
    table = join(search.lists)
    records = read_all(read, table.ids)
    table = table.drop({row: "forgotten meanwhile" for row, id in enumerate(table.ids) if id not in records})
    table = stages.normalise(stages.drop_unlike(table))
    table = stages.fuse_by_agreement(table, profile.weights, profile.agreement_bonus)
    table, now = _drop_expired(table, records, search.now, clock)
    table = _select(table.sorted_by_score(), records, request, partition)
    if profile.expand_aggregates:
        table, now = _expand(table, records, request, partition, read, now, clock)
    laps.lap("stages")
    return Run(
        table, records, search.found, search.vectors, escalated, now, laps.timings, search.closure,
        tuple(search.degraded),
    )  # fmt: skip


def _drop_expired(
    table: Candidates, records: dict[str, Record], now: float | None, clock: Callable[[], float]
) -> tuple[Candidates, float | None]:
    expiries = [records[id].expires_at for id in table.ids]
    if all(end is None for end in expiries):
        return table, now
    now = clock() if now is None else now
    return stages.drop_expired(table, expiries, now), now


def _select(
    table: Candidates, records: dict[str, Record], request: Request[Profile], partition: Partition
) -> Candidates:
    profile = request.profile
    table = stages.drop_below_minimum(table, profile.min_score, records=request.records, literal=profile.literal)
    table = stages.drop_duplicates(table, [partition.content_hash(records[id]) for id in table.ids])
    return stages.cut(stages.drop_behind_gap(table, profile.gap), request.k)


def _expand(
    table: Candidates,
    records: dict[str, Record],
    request: Request[Profile],
    partition: Partition,
    read: Reader,
    now: float | None,
    clock: Callable[[], float],
) -> tuple[Candidates, float | None]:
    """Add the children of aggregates, as far as they lie inside the boundary and their time is not over."""
    named = {id: records[id].child_unit_ids for id in table.ids if records[id].ku_type == "aggregate"}
    wanted = dict.fromkeys(child for children in named.values() for child in children)
    ended, now = over(partition, request, now, clock)
    alive = read_all(read, [id for id in wanted if id not in ended and partition.key_of(id) in request.cells])
    records.update(alive)
    inside = {id: [child for child in children if child in alive] for id, children in named.items()}
    return stages.expand_aggregates(table, inside), now


def explain(request: Request[Profile], partition: Partition, done: Run, id: str) -> Explanation:
    """Return how a record got its score in a run, or why it is no hit."""
    raw = lexical.explain(partition.lexical, request.terms, id, request.cells, request.act)
    reason = next((row.reason for row in done.table.dropped if row.id == id), None)
    if id not in done.table.ids and reason is None:
        note = "no query term occurs in it" if raw.score == 0.0 else f"not among the best {request.k} of any retriever"
        return Explanation(id, 0.0, notes=(note, f"its raw lexical score is {raw.score:.6f}"))
    notes = (*((f"dropped: {reason}",) if reason else ()), *done.table.notes)
    parts = _parts(request, partition, done, id, raw)
    total = 0.0
    for part in parts:
        total += part.value
    return Explanation(id, total, parts, total, notes=notes)


def _parts(request: Request[Profile], partition: Partition, done: Run, id: str, raw: Explanation) -> tuple[Part, ...]:
    """Return weighted normalised scores and the bonus, in the order in which the fusion adds them."""
    weights, found = request.profile.weights, done.found
    inner: dict[str, tuple[Explanation, float, str]] = {}  # by retriever: the raw score, its normalised value, how
    if "lexical" in found and id in found["lexical"].ids and not _only_by_vector(request, partition, done, id):
        top = found["lexical"].scores[0]
        inner["lexical"] = raw, raw.score / max(top, 1.0), f"raw {raw.score:.6f} / max(best raw {top:.6f}, 1)"
    if "dense" in found and id in found["dense"].ids:
        cosine = dense.explain(dict(found["dense"])[id], id)
        inner["dense"] = cosine, cosine.score, f"{cosine.score:.6f}"
    if "hypervector" in found and id in found["hypervector"].ids:
        row = request.embeddings_of([id]).get(id) if partition.encoder == hypervector.EMBEDDING else None
        vectors = hypervector.encode_record(done.records[id], partition.analyzer, partition.encoder, row)
        similar = hypervector.explain(done.vectors, vectors, id)
        inner["hypervector"] = similar, similar.score, f"{similar.score:.6f}"
    proven = None if done.closure is None else symbolic.explain(done.closure, id)
    if done.closure is not None and proven is not None:
        top = done.closure.scores[0]
        inner["symbolic"] = proven, proven.score / max(top, 1.0), f"{proven.score:.6f} / max(best {top:.6f}, 1)"
    parts = [
        Part(name, weights[name] * value, f"weight {weights[name]:g} x {detail}", explanation)
        for name, (explanation, value, detail) in inner.items()
        if name in weights
    ]
    parts.sort(key=lambda part: list(weights).index(part.name))
    if id in done.table.ids and not parts:
        share = done.table.columns["aggregate"][done.table.ids.index(id)]
        return (Part("aggregate", share or 0.0, "a share of the score of the aggregate that it is a child of"),)
    if len(parts) > 1:
        parts.append(Part("agreement", request.profile.agreement_bonus * (len(parts) - 1), "found by both"))
    return tuple(parts)


def _only_by_vector(request: Request[Profile], partition: Partition, done: Run, id: str) -> bool:
    """Return whether words were not asked about a record, since it has a vector and vectors come first."""
    first = request.profile.primary == "dense" and "dense" in done.found
    return first and id not in partition.without_vector(request.cells)


def trace(request: Request[Profile], done: Run) -> Trace:
    """Return what was run and what each retriever proposed (spec B1.42.2)."""
    proposed = {name: list(ranking) for name, ranking in done.found.items()}
    proofs: list[Step] = []
    if done.closure is not None:
        proposed["symbolic"] = list(zip(done.closure.ids, done.closure.scores, strict=True))
        proofs = [symbolic.step(proof) for proof in done.closure.proofs]
    strategies = []
    for name, rows in proposed.items():
        divisor = 1.0 if name in ("hypervector", "dense") else max([1.0, *(score for _, score in rows)])
        candidates = [
            TraceCandidate(id, _store_of(done.records.get(id)), score, score / divisor, _notes(name, done, id))
            for id, score in rows
        ]
        exhausted = name == "symbolic" and done.closure is not None and done.closure.exhausted
        strategies.append(Strategy(name, tuple(candidates), exhausted))
    levels = sorted({done.records[id].ku_type or "atomic" for id in done.table.ids})
    return Trace(
        purpose=request.act,
        strategies=tuple(strategies),
        escalated=done.escalated,
        unit_types=tuple(levels),
        considered=request.records,
        proofs=tuple(proofs),
    )


def _store_of(record: Record | None) -> str:
    return "session" if record is not None and record.session_id is not None else "kb"


def _notes(name: str, done: Run, id: str) -> tuple[str, ...]:
    proof = done.closure.proof_of(id) if name == "symbolic" and done.closure is not None else None
    return (name,) if proof is None else symbolic.notes(proof)
