"""The one path of activating and searching: the question checked, the recall, and the rows that tell of it."""
# docs/sources.md: B1.5.5, B1.11.4, B1.13, B1.14.3, decision 11.

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ..activation.events import of_activation
from ..activation.journal import Row, row_id
from ..activation.results import Fallback, Found, items_of
from ..boundary.policy import Retrieval
from ..errors import InvalidArgument, StoreBusy
from ..frozen import plain
from ..index import vectors as embeddings
from ..knowledge import digest
from ..light.classes import dataclass
from ..profiles import Profile
from ..profiles.activation import activation
from ..ranking.activation import Ranked
from ..ranking.activation.calibration import Calibration
from ..ranking.activation.ranked import of_table
from ..recall.question import BoundaryLike, Question, check
from ..validation import call_time, check_labels, plain_text
from ..words import Time
from . import kinds, telling
from .activating import check_page
from .engine import Engine
from .telling import Who


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request that was checked: the question, the profile that answers it, and what it has to do without."""

    question: Question
    profile: Profile
    settings: Retrieval
    fallbacks: tuple[Fallback, ...]
    absent: tuple[str, ...]  # what this memory was opened without, which is no failure
    k: int
    after: int
    now: float
    began: float
    seconds: float
    request_id: str
    trace_id: str


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of a request: the answer, what was ranked for it, and of which version of the records it is."""

    answer: Found
    ranked: Ranked
    of: tuple[object, int]


def asked(
    engine: Engine,
    query: str,
    k: int | None,
    limit: str,
    *,
    scope: Sequence[str] | None = None,
    allow: Iterable[str] | None = None,
    boundary: BoundaryLike | None = None,
    where: kinds.Where | kinds.Filter | None = None,
    vector: kinds.VectorLike | None = None,
    after: int = 0,
    now: Time | None = None,
    as_of: Time | None = None,
    include_superseded: bool = False,
    request_id: str | None = None,
    trace_id: str | None = None,
) -> Asked:
    """Return a request, checked; the question's vector is made, if there is something that makes it in time.

    Args:
        engine: of the memory.
        query: in plain words.
        k: items at most.
        limit: the policy's time for such a request: "activate_ms" or "search_ms".
        scope, allow, boundary, where, vector, after, now, as_of, include_superseded, request_id, trace_id: see
            `ActivationOptions`.

    """
    began = time.monotonic()
    if not isinstance(query, str):
        raise TypeError(f"query must be str, not {type(query).__name__}")
    request_id, trace_id = check_labels(request_id=request_id, trace_id=trace_id)
    query = plain_text(query)
    if vector is not None and engine.embedder is None:
        raise InvalidArgument("vector: the memory has no model; open it with an embedder, or with vectors='NAME:WIDTH'")
    k = check_page(k, after)
    governed = engine.governed
    inside = governed.narrowed(engine.inside(boundary), scope, allow)
    if governed.given:
        governed.the_policy()
    settings = governed.retrieval()
    wanted = settings.k_final if k is None else k
    moment = call_time(now)
    query = str(governed.asked(query))
    seconds = getattr(settings, limit) / 1000.0
    made, failed, absent = _vector(engine, query, vector, _LEG_SHARE * seconds)
    coefficients, missing = _calibration(engine)
    profile = governed.profile(
        (after + wanted + 1 > settings.k_final, failed is None and not absent, tuple(sorted(coefficients))),
        lambda: activation(
            settings, vectors=failed is None and not absent, calibration=coefficients,
            results=_POOLS * settings.k_final if after + wanted + 1 > settings.k_final else None,
        ),
    )  # fmt: skip
    question = check(
        query, k=after + wanted + 1, profile=profile, analyzer=engine.settings.analyzer, default=inside,
        ceiling=engine.reach.ceiling, now=moment, as_of=as_of, include_superseded=include_superseded, vector=made,
        where=where,
    )  # fmt: skip
    request = request_id or "req_" + row_id(digest(query), repr(moment), inside.to_dict(), after, wanted)
    fallbacks = (*([failed] if failed else ()), *missing)
    return Asked(
        question=question, profile=profile, settings=settings, fallbacks=fallbacks, absent=absent, k=wanted,
        after=after, now=moment, began=began, seconds=seconds, request_id=request, trace_id=trace_id or request,
    )  # fmt: skip


_LACKING: Final[Mapping[str, str]] = {
    "embedder": "dense: the memory has no embedder; the answer rests on words",
    "vector": "dense: the memory makes no vectors, and none was given; the answer rests on words",
}
"""What an answer says of what the memory was opened without."""
_POOLS = 4
_LEG_SHARE = 0.8  # of the time of a request, after which the question's vector is not waited for any more
_PRUNED = 256  # requests after which contexts whose time is over are looked for


def _vector(engine: Engine, query: str, given: Any, seconds: float) -> tuple[Any, Fallback | None, tuple[str, ...]]:
    """Return the question's vector; or why there is none although there could be; or what the memory lacks for it."""
    embedder = engine.embedder
    if embedder is None:
        return None, None, ("embedder",)
    if given is not None:
        return given, None, ()
    if not embeddings.makes_vectors(embedder):
        return None, None, ("vector",)
    try:
        return engine.in_time(lambda: embeddings.of_query(embedder, query), seconds), None, ()
    except TimeoutError:
        why = f"the embedder took more than {seconds:g} s"
    except Exception as error:  # whatever an embedder raises: this side fails, and words have all of the weight
        why = f"the embedder failed ({type(error).__name__})"
    return None, Fallback(leg="vec", why=why, used="text"), ()


def profile_of(engine: Engine) -> Profile:
    """Return the profile `activation` with the numbers of the memory's policy, as activating and searching have it."""
    coefficients, _ = _calibration(engine)
    settings = engine.governed.retrieval()
    return engine.governed.profile(
        ("recall", tuple(sorted(coefficients))), lambda: activation(settings, calibration=coefficients)
    )


def _calibration(engine: Engine) -> tuple[dict[str, Mapping[str, Any]], list[Fallback]]:
    """Return the policy's coefficients by leg, and a fallback for each that is of something else."""
    policy = engine.governed.policy
    if policy is None or not policy.calibration:
        return {}, []
    models = {"text": engine.lexical_model, "vec": "" if engine.embedder is None else str(engine.embedder.fingerprint)}
    fitted, missing = dict[str, Mapping[str, Any]](), []
    for leg, given in policy.calibration.items():
        try:
            Calibration.of_dict(given).check(leg, models.get(leg, ""), str(policy.version))
            fitted[leg] = given
        except ValueError:
            used = "min-max" if leg == "text" else "(cosine + 1) / 2"
            missing.append(Fallback(leg=leg, why="calibration_missing", used=used))
    return fitted, missing


def answered(engine: Engine, request: Asked) -> Answered:
    """Return the answer.

    Raises:
        StoreBusy: it took longer than the policy allows.

    """
    of = _version(engine, request)
    recall = engine.recaller.recall(request.question, request.profile, explain=False)
    if time.monotonic() - request.began > request.seconds:
        raise StoreBusy(f"the answer took longer than {request.seconds:g} s; try again, or allow more in the policy")
    ranked = of_table(recall.account.bare())
    page = ranked.items[request.after : request.after + request.k]
    records = {hit.id: hit.record for hit in recall.hits}
    shown = replace(ranked, items=page)
    answer = Found(
        items=items_of(shown, request.after), records=tuple(records[item.id] for item in page),
        policy_version=engine.governed.version, request_id=request.request_id, trace_id=request.trace_id,
        settings=request.settings, alpha=ranked.alpha, fallbacks=request.fallbacks,
        degraded=(*map(_LACKING.__getitem__, request.absent), *recall.degraded), below=ranked.below,
        more=len(ranked.items) > request.after + request.k, now=request.now, figures=ranked.figures,
    )  # fmt: skip
    return Answered(answer, shown, of)


def _version(engine: Engine, request: Asked) -> tuple[object, int]:
    """Return which version of the tenant's records the indexes hold."""
    partition = engine.indexes[request.question.boundary.tenant]
    return partition, partition.version


def keep(engine: Engine, request: Asked, found: Answered, *, context: Row | None = None, strict: bool = True) -> bool:
    """Write the events of a request, and the context if there is one, at once; return whether that was done.

    It is not done where a record that they name has changed since it was found, or has gone: who was forgotten is named
    by nothing that is written later. If `strict`, it is not done either where anything else has changed. Each request
    writes one event "search", so that the share of fallbacks among searches is defined.
    """
    within = request.question.boundary
    with engine.indexes.lock:
        engine.indexes.catch_up()
        below = engine.readable(within, found.ranked.below)
        if len(below) < len(found.ranked.below) or (strict and found.of != _version(engine, request)):
            return False
        payload = of_activation(
            found.ranked, request.settings, policy_version=found.answer.policy_version,
            candidates=request.settings.candidates, context=None if context is None else context.id,
            chosen=("alpha",) if request.settings.dynamic_alpha else (),
        )  # fmt: skip
        absent = engine.first_absence(request.absent)
        told: list[tuple[str, Mapping[str, Any]]] = [("schema", {"absent": list(absent)})] if absent else []
        told += [("search_fallback", plain(each)) for each in request.fallbacks]
        told.append(("search", payload if context is None else {"context": context.id}))
        if context is not None:
            told.append(("activate", payload))
        who = Who(within, request.now, request.request_id, request.trace_id)
        expected = [*found.answer.records, *below.values()]
        done = telling.put(engine, who, told, [] if context is None else [context], expected=expected)
        if absent and not done:
            engine.untold(absent)
    engine.kept += done
    if done and context is not None and engine.kept % _PRUNED == 0:
        engine.prune(request.now)
    return done
