"""The run of an evaluation: every query of a collection is put to every profile over one memory.

A query sees its own conversation alone, at the time of its newest document. What is right is known from the judgements;
how long it takes is kept apart, so that two runs give the same bytes but for the timings. Before a profile's clock
starts it answers one query, which makes what is made at first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..errors import ByheartError, InvalidArgument
from ..profiles import Profile
from . import digests
from .datasets import Collection, Query
from .filling import Filled, Progress, fill, preset_of, silent
from .measures import MEASURES, measured
from .profile_files import profiles_of
from .resampling import LEVEL, RESAMPLES
from .results import Answer, Evaluation, Lap, ProfileResult

if TYPE_CHECKING:
    from ..embedding import Embedder
    from ..words import Preset

K = 10


def evaluate(
    collection: Collection,
    profiles: Iterable[str | Profile],
    *,
    embedder: Embedder | None = None,
    k: int = K,
    preset: Preset | None = None,
    progress: Progress[Any] = silent,
) -> Evaluation:
    """Return how well profiles answer the queries of a collection, and how fast.

    Args:
        collection: what is asked of what; `byheart.evaluation.splits.split` gives a part of one.
        profiles: names, profiles, or files of profiles (see `byheart.evaluation.profile_files`). The first one is the
            baseline that the others are compared with.
        embedder: makes vectors; without one, profiles that compare meanings say that they are degraded.
        k: how many hits count.
        preset: of the lexical index: "default" or "conversation"; without it, whichever suits the collection.
        progress: shows how far it is.

    Raises:
        InvalidArgument: there is no profile, no document, or no query that counts; k is below 1.
        UnknownProfile: see `profiles_of`.

    >>> from byheart.evaluation.datasets import Document
    >>> texts = ["The kettle is descaled in spring.", "The violin is tuned in May."]
    >>> documents = tuple(Document(f"d{number}", text) for number, text in enumerate(texts))
    >>> collection = Collection("tiny", documents, (Query("q", "when is the violin tuned?"),), {"q": {"d1": 1}})
    >>> found = evaluate(collection, ["kb-fast", "kb-balanced"])
    >>> found.profiles[0].intervals["ndcg"].mean
    1.0

    """
    chosen, asked = profiles_of(profiles), queries_of(collection)
    if not chosen:
        raise InvalidArgument("profiles: are none; name one at least")
    if not collection.documents or not asked:
        raise InvalidArgument(
            f"{collection.name}: has no document, or no query with a relevant one; there is nothing to measure"
        )
    if type(k) is not int or k < 1:
        raise InvalidArgument(f"k: is {k!r}; measure at least the first place")
    results, laps = [], {}
    filled = fill(collection, embedder=embedder, preset=preset, progress=progress)
    with filled.memory:
        for profile in chosen:
            answers, laps[profile.name] = run(filled, collection, asked, profile, k, progress)
            results.append(result(profile.name, profile, answers))
    config = {
        "version": __version__,
        "k": k,
        "preset": preset or preset_of(collection),
        "embedder": None if embedder is None else str(embedder.fingerprint),
        "profiles": {result.name: result.digest for result in results},
        "measures": list(MEASURES),
        "intervals": {"resamples": RESAMPLES, "level": LEVEL},
    }
    counts = {
        "name": collection.name,
        "digest": digests.of_collection(collection),
        "documents": len(collection.documents),
        "undated": filled.undated,
        "queries": len(collection.queries),
        "asked": len(asked),
        "judged": len(collection.judged()),
        "unanswerable": sum(not query.answerable for query in asked),
    }
    texts = {query.id: query.text for query in asked}
    digest = digests.digest([config, counts["digest"]])
    return Evaluation(counts, config, digest, tuple(results), texts, laps, filled.seconds)


def queries_of(collection: Collection) -> list[Query]:
    """Return the queries that say something: those with a relevant document, and those that nothing answers."""
    judged = {query.id for query in collection.judged()}
    return [query for query in collection.queries if query.id in judged or not query.answerable]


def run(
    filled: Filled, collection: Collection, asked: Sequence[Query], profile: Profile, k: int, progress: Progress[Any]
) -> tuple[list[Answer], list[Lap]]:
    """Return what each query got of one profile over a filled memory, and how long it took."""
    answers, laps = [], []
    _ask(filled, collection, asked[0], profile, k)
    for query in progress(profile.name, asked, len(asked)):
        answer, lap = _ask(filled, collection, query, profile, k)
        answers.append(answer)
        laps.append(lap)
    return answers, laps


def result(name: str, profile: Profile, answers: Sequence[Answer]) -> ProfileResult:
    """Return what one profile made of queries, under a name of its own."""
    settings = profile.to_dict()
    return ProfileResult(name, digests.digest([settings]), plain(settings), tuple(answers))


def _ask(filled: Filled, collection: Collection, query: Query, profile: Profile, k: int) -> tuple[Answer, Lap]:
    """Put one query to the memory. An error of ours is a failure of this query; any other one is a bug."""
    tenant = query.conversation
    boundary = None if tenant is None else {"tenant": tenant}
    begun = perf_counter()
    try:
        found = filled.memory.recall(query.text, k, profile, boundary=boundary, now=filled.now(tenant))
    except ByheartError as error:
        grades = collection.grades.get(query.id, {})
        empty = dict.fromkeys(measured((), grades, k), 0.0) if query.answerable and any(grades.values()) else {}
        failure = f"{type(error).__name__}: {error}"
        lap = Lap(query.id, (perf_counter() - begun) * 1e6, {})
        return Answer(query.id, query.type, query.answerable, measures=empty, failure=failure), lap
    lap = Lap(query.id, (perf_counter() - begun) * 1e6, dict(found.timings))
    ids, grades = tuple(hit.id for hit in found), collection.grades.get(query.id, {})
    answer = Answer(
        query.id,
        query.type,
        query.answerable,
        ids,
        tuple(hit.score for hit in found),
        tuple(grades.get(id, 0) for id in ids),
        measured(ids, grades, k) if any(grades.values()) else {},
        found.degraded,
    )
    return answer, lap


def plain(settings: Any) -> Any:
    """Return settings as data alone: what is an object is named by its class."""
    import json

    return json.loads(digests.canonical(settings))
