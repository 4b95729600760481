"""The run of an arm: each history is remembered, its questions are asked, and what fails fails in a phase.

    clear, ingest     a new memory with the sessions of the history; of one that all questions share: preindex
    await_indexing    the tables of outside sources, and one recall whose time does not count
    search            the recall; the clock runs here alone
    score             the measures

A question that failed is told with its code and counts in no mean. A history that cannot be remembered fails all its
questions. Arms of one run are asked one after the other over the same memory where they keep the same sessions.
"""
# docs/sources.md: A3.6.5, A3.6.6.

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...embedding.extras import import_extra
from ...errors import InvalidArgument
from ...memory.memory import Memory
from ...profiles import Profile
from ...retrieval.protocol import register, retriever_names, unregister
from .. import bench_metrics
from ..bench_metrics import Scores
from ..converters.conversations import Session
from ..filling import Progress, silent
from . import keeping
from .failures import failure
from .histories import Asked, Dataset
from .remembering import preset_of, remember

if TYPE_CHECKING:
    from ...embedding import Embedder
    from ...recall.answers import Recall

LANCEDB = "lancedb"
MODES = ("auto", "vectors", "words")
"""How LanceDB searches."""


@dataclass(frozen=True, slots=True)
class Arm:
    """A way to find sessions.

    Attributes:
        name: what receipts call it.
        make: makes the profile of its recalls, once its sources are registered: a profile checks their names.
        top_k: how many sessions count; the profile's `max_results` are told.
        policy: which sessions it remembers; see `keeping`.
        mode: of the router, "hybrid_router"; of an arm with one source, its name.
        lancedb: whether it asks LanceDB.

    """

    name: str
    make: Callable[[], Profile]
    top_k: int = 10
    policy: str = keeping.ALL
    mode: str = "single"
    lancedb: bool = False


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What one question got.

    Attributes:
        asked: the question.
        ids: the sessions found, best first, as many as the arm tells.
        sources: of each, which sources proposed it.
        ingested: what was remembered before.
        latency_ms: of the recall.
        scores: at the arm's k.
        routing: what a gate decided, if there is one.
        degraded: what could not be done as asked.

    """

    asked: Asked
    ids: tuple[str, ...]
    sources: tuple[str, ...]
    ingested: Mapping[str, Any]
    latency_ms: float
    scores: Scores
    routing: Mapping[str, Any] | None = None
    degraded: tuple[str, ...] = ()


@dataclass(slots=True)
class Ran:
    """What an arm made of a dataset: answers and failures, in the order of the questions; what it kept; its profile."""

    arm: Arm
    retrieved: list[Retrieved] = field(default_factory=list)
    failures: list[dict[str, Any]] = field(default_factory=list)
    compression: dict[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


def run(
    dataset: Dataset,
    arms: Sequence[Arm],
    *,
    embedder: Embedder | None = None,
    lancedb: str = "auto",
    progress: Progress[Any] = silent,
) -> list[Ran]:
    """Return what each arm makes of the questions of a dataset, in one run.

    A memory is made for each history and each policy of keeping; the arms share it, and each asks all questions of the
    history before the next arm does.

    Args:
        dataset: what is asked; see `Dataset.sampled`.
        arms: the ways to find sessions.
        embedder: makes vectors; without one sources rest on words, and reports say so.
        lancedb: how LanceDB searches: "vectors", "words", or "auto": by vectors where there are any.
        progress: shows how far it is.

    Raises:
        InvalidArgument: two arms have one name, one judges no place, or the name "lancedb" is taken.
        MissingExtra: an arm asks LanceDB, and there is none.

    """
    runs = {arm.name: Ran(arm) for arm in arms}
    if len(runs) != len(arms):
        raise InvalidArgument("arms: two have one name; give each a name of its own")
    if any(arm.top_k < 1 for arm in arms):
        raise InvalidArgument("top_k: is below 1; judge at least the first place")
    if lancedb not in MODES:
        raise InvalidArgument(f"lancedb: is {lancedb!r}; use one of {', '.join(MODES)}")
    if any(arm.lancedb for arm in arms):
        import_extra("lancedb", "lancedb")  # here, where it is one error and no failure of every question
        if LANCEDB in retriever_names():
            raise InvalidArgument(f"retriever: {LANCEDB!r} is registered already; a run registers its own, so free it")
    questions: list[list[Asked]] = [[] for _ in dataset.histories]
    for asked in dataset.questions:
        questions[asked.history].append(asked)
    whole = len(dataset.histories) == 1
    for at, sessions in progress("histories", list(enumerate(dataset.histories)), len(dataset.histories)):
        for policy in dict.fromkeys(arm.policy for arm in arms):
            sharing = [runs[arm.name] for arm in arms if arm.policy == policy]
            _run_history(sharing, keeping.kept(sessions, policy), questions[at], embedder, lancedb, whole)
    order = {asked.id: number for number, asked in enumerate(dataset.questions)}
    for each in runs.values():
        each.retrieved.sort(key=lambda got: order[got.asked.id])
        each.failures.sort(key=lambda told: order[told["question_id"]])
        before = [session for sessions in dataset.histories for session in sessions]
        after = [session for sessions in dataset.histories for session in keeping.kept(sessions, each.arm.policy)]
        each.compression = {"policy": each.arm.policy, **keeping.compression(before, after)}
    return list(runs.values())


def _run_history(
    runs: Sequence[Ran],
    sessions: Sequence[Session],
    questions: Sequence[Asked],
    embedder: Embedder | None,
    lancedb: str,
    whole: bool,
) -> None:
    """Ask the questions of one history; what fails before they are asked fails them all."""
    phase = "preindex" if whole else "ingest"
    try:
        with Memory(None, embedder=embedder, preset=preset_of(sessions)) as memory:
            now = remember(memory, sessions)
            phase = "await_indexing"
            with _sources(memory, lancedb if any(each.arm.lancedb for each in runs) else None):
                ingested = {"ingest": "preindexed" if whole else "history", "sessions": len(sessions)}
                for each in runs:
                    _run_arm(each, memory, questions, now, ingested)
            phase = "clear"
    except Exception as error:  # whatever a source or a model raises is a failure of these questions
        for each in runs:
            _fail(each, questions, phase, error)


def _run_arm(ran: Ran, memory: Memory, questions: Sequence[Asked], now: float, ingested: Mapping[str, Any]) -> None:
    """Ask the questions of one history in one way; an arm whose profile cannot be made fails alone."""
    try:
        profile = ran.arm.make()
    except Exception as error:  # a profile of somebody's own
        _fail(ran, questions, "await_indexing", error)
        return
    ran.settings = profile.to_dict()
    _warm(memory, profile, questions[0], now)
    for asked in questions:
        _ask(ran, memory, profile, asked, now, ingested)


def _fail(ran: Ran, questions: Sequence[Asked], phase: str, error: Exception) -> None:
    """Note that the questions failed, but for those that were answered, or failed, before."""
    done = {got.asked.id for got in ran.retrieved} | {told["question_id"] for told in ran.failures}
    ran.failures += [failure(one.id, one.text, phase, error) for one in questions if one.id not in done]


@contextmanager
def _sources(memory: Memory, lancedb: str | None) -> Iterator[None]:
    """Register LanceDB over a memory for a while, if an arm asks it; its table is filled before."""
    if lancedb is None:
        yield
        return
    from ...integrations.lancedb import LanceRetriever  # an extra

    with LanceRetriever(memory, LANCEDB, mode=lancedb) as source:
        source.refresh()
        register(source)
        try:
            yield
        finally:
            unregister(LANCEDB)


def _warm(memory: Memory, profile: Profile, asked: Asked, now: float) -> None:
    """Make what is made at first use. The answer, and an error that the question itself raises, are passed over."""
    try:
        memory.recall(asked.text, profile.max_results, profile, now=now)
    except Exception:  # it is told where it counts, when the question is asked
        return


def _ask(ran: Ran, memory: Memory, profile: Profile, asked: Asked, now: float, ingested: Mapping[str, Any]) -> None:
    """Ask one question, and note what came of it."""
    top_k, phase = ran.arm.top_k, "search"
    try:
        begun = perf_counter()
        found = memory.recall(asked.text, max(top_k, profile.max_results), profile, now=now)
        took = (perf_counter() - begun) * 1000.0
        phase = "score"
        ids = tuple(hit.id for hit in found)
        scores = bench_metrics.score(ids, asked.relevant, top_k)
        routing = None if found.routing is None else _with_total(found.routing, took)
        sources = _sources_of(found, profile)
        ran.retrieved.append(Retrieved(asked, ids, sources, ingested, took, scores, routing, found.degraded))
    except Exception as error:  # whatever a source or a model raises is a failure of this question
        ran.failures.append(failure(asked.id, asked.text, phase, error))


def _with_total(routing: Mapping[str, Any], took: float) -> dict[str, Any]:
    """Return a routing whose total is all that the recall took: its steps leave out what lies between them."""
    # docs/sources.md: A3.4.2.
    return {**routing, "latency_ms": {**routing["latency_ms"], "total": took}}


def _sources_of(found: Recall, profile: Profile) -> tuple[str, ...]:
    """Return for each hit the sources in whose lists it is."""
    columns = {leg.retriever: found.table.columns.get(f"{leg.retriever}_rank") for leg in profile.legs}
    return tuple(
        "+".join(name for name, ranks in columns.items() if ranks is not None and ranks[row] is not None)
        for row in range(len(found.hits))
    )
