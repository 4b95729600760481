"""The benchmark of activation: how well its levels of search and all of it together find claims, and how fast.

Two golds, told apart: pseudo queries that ask for the claim they were taken from, and the judgements of people, if the
collection has any. The share of vectors is chosen on the part `valid` and reported on `test`; every claim can be found.
Besides, `Memory.activate` answers each query of `test` itself, which is timed, and whose events say how often a side
failed. The run stands in the journal of its memory, as one event "benchmark".
"""
# docs/sources.md: B1.21, B1.13.4.

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from .. import __version__
from ..boundary import Boundary
from ..boundary.policy import Retrieval
from ..errors import InvalidArgument
from ..memory import telling
from ..memory.memory import Memory
from . import digests
from .activation_arms import ALPHAS, HYBRID, arms, hybrids
from .activation_results import LINES, Activated, Gold, Report, Step
from .datasets import Collection
from .filling import UNDATED, Filled, Progress, fill, preset_of, silent
from .pseudo_queries import WORDS, Drawn, draw
from .results import Lap
from .runner import result, run
from .splits import EIGHT_ONE_ONE, split

if TYPE_CHECKING:
    from ..embedding import Embedder
    from ..words import Preset

K: Final = 12
"""Hits that count, as the pass lines have it."""
CLAIMS, JUDGEMENTS = "claims", "judgements"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A gold's queries to choose on, and those to report on."""

    name: str
    valid: Collection
    test: Collection


def benchmark(
    collection: Collection,
    *,
    embedder: Embedder,
    settings: Retrieval | None = None,
    preset: Preset | None = None,
    path: str | Path | None = None,
    progress: Progress[Any] = silent,
) -> Report:
    """Return how well the arms of activation find the claims of a collection, and whether the lines are passed.

    Args:
        collection: its documents are the claims.
        embedder: makes the vectors of claims and queries; half of what is measured are vectors.
        settings: the parameters of activation; alpha is chosen anew. None for the usual ones.
        preset: of the lexical index; without it, whichever suits the collection.
        path: a new file for the memory, which then keeps the event; without it, memory and event are gone afterwards.
        progress: shows how far it is.

    Raises:
        InvalidArgument: there is no query to report on, or the file is there already.

    >>> from byheart.embedding import HashingEmbedder
    >>> from byheart.evaluation.datasets import Document
    >>> texts = {"ada": "Ada wrote the first program in her notes.", "ben": "The kettle is descaled every spring."}
    >>> claims = Collection("c", tuple(Document(id, text) for id, text in texts.items()), (), {})
    >>> found = benchmark(claims, embedder=HashingEmbedder())
    >>> [gold.name for gold in found.golds], [arm.name for arm in found.golds[0].arms]
    (['claims'], ['L0', 'L1', 'L2', 'L3', 'Hybrid'])

    """
    if path is not None and Path(path).exists():
        raise InvalidArgument(f"{path}: is there already; the claims of a benchmark go into a new file")
    base = settings or Retrieval()
    drawn = draw(collection)
    golds = [each for each in _golds(collection, drawn) if each.test.judged()]
    if not golds:
        raise InvalidArgument(
            f"{collection.name}: its part test has neither a claim with {WORDS} words of its own nor a judged query; "
            "give more documents or queries"
        )
    filled = fill(collection, embedder=embedder, preset=preset, path=path, progress=progress)
    with filled.memory:
        measured = [_measured(filled, gold, base, progress) for gold in golds]
        activated = _activated(filled, golds, progress)
        config = {
            "version": __version__,
            "k": K,
            "preset": preset or preset_of(collection),
            "embedder": str(embedder.fingerprint),
            "words": WORDS,
            "parts": dict(EIGHT_ONE_ONE),
            "alphas": list(ALPHAS),
            "lines": [list(line) for line in LINES],
            "arms": {name: digests.digest([arm.to_dict()]) for name, arm in arms(base).items()},
        }
        counts = {
            "name": collection.name,
            "digest": digests.of_collection(collection),
            "documents": len(collection.documents),
            "undated": filled.undated,
            "short": drawn.short,
            "common": drawn.common,
        }
        digest = digests.digest([config, counts["digest"]])
        report = Report(counts, config, digest, tuple(measured), activated, filled.seconds)
        _tell(filled.memory, report, base)
    return report


def _golds(collection: Collection, drawn: Drawn) -> list[_Asked]:
    """Return both golds: what the claims ask for themselves, and what people judged, split by their queries' ids."""
    judged = (split(collection, part, EIGHT_ONE_ONE) for part in ("valid", "test"))
    return [_Asked(CLAIMS, drawn.parts["valid"], drawn.parts["test"]), _Asked(JUDGEMENTS, *judged)]


def _measured(filled: Filled, gold: _Asked, base: Retrieval, progress: Progress[Any]) -> Gold:
    """Choose alpha on one part, and ask every arm the other."""
    grid: list[Step] = []
    judged = gold.valid.judged()
    for alpha, profile in hybrids(base).items() if judged else ():
        answers, _ = run(filled, gold.valid, judged, profile, K, progress)
        values = [answer.measures for answer in answers]
        means = {name: math.fsum(each[name] for each in values) / len(values) for name in ("ndcg", "recall")}
        grid.append(Step(alpha, means["ndcg"], means["recall"]))
    alpha = chosen(grid, base.alpha)
    asked, laps = gold.test.judged(), dict[str, Sequence[Lap]]()
    results = []
    profiles = {**arms(base), HYBRID: hybrids(base)[alpha] if grid else arms(base)[HYBRID]}
    for name, profile in profiles.items():
        found, laps[name] = run(filled, gold.test, asked, profile, K, progress)
        results.append(result(name, profile, found))
    usual, _ = run(filled, gold.test, asked, arms(base)[HYBRID], K, progress)
    usually = result("usual", arms(base)[HYBRID], usual)
    return Gold(gold.name, len(judged), tuple(grid), alpha, tuple(results), base.alpha, usually, laps)


def chosen(grid: Sequence[Step], usual: float) -> float:
    """Return the alpha of the best nDCG; of several the one nearest to the usual one, then the smaller.

    >>> chosen([Step(0.3, 0.5, 0.9), Step(0.7, 0.6, 0.8), Step(0.5, 0.6, 0.7)], 0.65), chosen([], 0.65)
    (0.7, 0.65)
    >>> chosen([Step(0.75, 0.6, 0.8), Step(0.25, 0.6, 0.8)], 0.5)
    0.25
    """
    return max(grid, key=lambda step: (step.ndcg, -abs(step.alpha - usual), -step.alpha)).alpha if grid else usual


def _activated(filled: Filled, golds: Sequence[_Asked], progress: Progress[Any]) -> Activated:
    """Have `activate` answer the queries to report on, and count the events of it."""
    memory, times, empty = filled.memory, list[float](), 0
    asked = [query for gold in golds for query in gold.test.judged()]
    for query in progress("activate", asked, len(asked)):
        tenant = query.conversation
        boundary = None if tenant is None else {"tenant": tenant}
        begun = perf_counter()
        context = memory.activate(query.text, K, boundary=boundary, now=filled.now(tenant))
        times.append((perf_counter() - begun) * 1e3)
        empty += not len(context)
    counts = {"search": 0, "search_fallback": 0, "activate": 0}
    for tenant in sorted({query.conversation for query in asked}, key=str):
        log = memory.events(boundary=None if tenant is None else {"tenant": tenant})
        counts = {topic: count + log.count(topic) for topic, count in counts.items()}
    return Activated(len(asked), empty, counts, tuple(times))


def _tell(memory: Memory, report: Report, base: Retrieval) -> None:
    """Write the event that tells of the run: figures, and digests of what was measured and how."""
    words, vectors = base.candidates
    payload: Mapping[str, Any] = {
        "collection": {"id": report.collection["digest"]},
        "config": {"id": report.config_digest},
        "k": K,
        "k_txt": words,
        "k_vec": vectors,
        "k_final": base.k_final,
        "alpha": {gold.name: gold.alpha for gold in report.golds},
        "metrics": {gold.name: gold.means() for gold in report.golds},
        "milliseconds": {gold.name: gold.milliseconds() for gold in report.golds},
        "activate": report.activated.milliseconds(),
        "fallback_share": report.activated.fallback_share,
    }
    telling.write(memory._engine, telling.Who(Boundary(), UNDATED), [("benchmark", payload)])
