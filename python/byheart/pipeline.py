"""Runs a profile: retrieve, escalate, join, stages, select. The only control flow of a recall."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter_ns

from ._core import Ranking
from .partition import Partition
from .profiles import Profile
from .ranking import stages
from .ranking.candidates import Candidates, join
from .ranking.explanation import Explanation, Part
from .records import Record
from .retrieval import hypervector, lexical

Reader = Callable[[Sequence[str]], Sequence[Record | None]]


@dataclass(frozen=True, slots=True)
class Request:
    """A recall with every argument checked and the boundary resolved to cells."""

    terms: Sequence[str]
    k: int
    profile: Profile
    cells: Sequence[str]
    records: int
    act: str | None
    needed_roles: tuple[str, ...]
    now: float | None


@dataclass(slots=True)
class Run:
    """What a run leaves behind."""

    table: Candidates
    records: dict[str, Record]
    found: Mapping[str, Ranking]
    vectors: hypervector.Vectors
    escalated: bool
    now: float | None
    timings: Mapping[str, float]


class _Clock:
    """Microseconds of each step, by name."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}
        self._last = perf_counter_ns()

    def lap(self, name: str) -> None:
        now = perf_counter_ns()
        self.timings[name] = (now - self._last) / 1000.0
        self._last = now


def run(request: Request, partition: Partition, read: Reader, clock: Callable[[], float]) -> Run:
    """Run a profile inside the request's cells.

    `read` gives records by id; `clock` is asked for the time only if a candidate has an end to its life.
    """
    laps, profile = _Clock(), request.profile
    found = {"lexical": lexical.search(partition.lexical, request.terms, request.k, request.cells, request.act)}
    laps.lap("lexical")
    vectors: hypervector.Vectors = {}
    escalated = profile.runs_secondary(len(found["lexical"]))
    if escalated:
        vectors = hypervector.encode_query(request.terms, request.act, request.needed_roles, partition.encoder)
    if vectors:
        found["hypervector"] = partition.hypervectors.search(vectors, request.k, cells=request.cells)
    if escalated:
        laps.lap("hypervector")
    table = join(found)
    records = _read(read, table.ids)
    table = table.drop({row: "forgotten meanwhile" for row, id in enumerate(table.ids) if id not in records})
    table = stages.fuse_by_agreement(stages.normalise_lexical(table), profile.weights, profile.agreement_bonus)
    table, now = _drop_expired(table, records, request.now, clock)
    table = _select(table.sorted_by_score(), records, request)
    laps.lap("stages")
    return Run(table, records, found, vectors, escalated, now, laps.timings)


def _read(read: Reader, ids: Sequence[str]) -> dict[str, Record]:
    return {id: record for id, record in zip(ids, read(ids), strict=True) if record is not None}


def _drop_expired(
    table: Candidates, records: dict[str, Record], now: float | None, clock: Callable[[], float]
) -> tuple[Candidates, float | None]:
    expiries = [records[id].expires_at for id in table.ids]
    if all(end is None for end in expiries):
        return table, now
    now = clock() if now is None else now
    return stages.drop_expired(table, expiries, now), now


def _select(table: Candidates, records: dict[str, Record], request: Request) -> Candidates:
    profile = request.profile
    table = stages.drop_below_minimum(table, profile.min_score, records=request.records, literal=profile.literal)
    table = stages.drop_duplicates(table, [records[id].content_hash() for id in table.ids])
    return stages.cut(stages.drop_behind_gap(table, profile.gap), request.k)


def explain(request: Request, partition: Partition, done: Run, id: str) -> Explanation:
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


def _parts(request: Request, partition: Partition, done: Run, id: str, raw: Explanation) -> tuple[Part, ...]:
    """Return weighted normalised scores and the bonus, in the order in which the fusion adds them."""
    weights, parts = request.profile.weights, []
    lexical_scores = done.found["lexical"].scores
    if id in done.found["lexical"].ids:
        top = lexical_scores[0]
        detail = f"weight {weights['lexical']:g} x raw {raw.score:.6f} / max(best raw {top:.6f}, 1)"
        parts.append(Part("lexical", weights["lexical"] * (raw.score / max(top, 1.0)), detail, raw))
    if "hypervector" in done.found and id in done.found["hypervector"].ids:
        vectors = hypervector.encode_record(done.records[id], partition.analyzer, partition.encoder)
        inner = hypervector.explain(done.vectors, vectors, id)
        detail = f"weight {weights['hypervector']:g} x {inner.score:.6f}"
        parts.append(Part("hypervector", weights["hypervector"] * inner.score, detail, inner))
    if len(parts) > 1:
        parts.append(Part("agreement", request.profile.agreement_bonus * (len(parts) - 1), "found by both"))
    return tuple(parts)
