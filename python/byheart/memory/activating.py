"""The verbs that call records up under a policy: activate, search, and what was activated before. Bound to `Memory`."""
# docs/sources.md: B1.10, B1.11.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from ..errors import ContextExpired, InvalidArgument, RecordNotFound
from ..frozen import plain
from ..recall.question import BoundaryLike
from ..records import Record
from ..storage.attempts import attempts
from ..validation import CLASSES, call_time, check_labels, check_text, plain_text, shortly
from ..words import Time
from . import kinds
from .engine import Engine, Handle
from .options import ActivationOptions, checked

if TYPE_CHECKING:
    from .searching import Asked

MOST = 50
"""Results of one call at most."""
_STRICT = 8  # attempts to answer of the very moment of writing; beside busy writers, of one shortly before


def activate(
    self: Handle,
    query: str,
    k: int | None = None,
    *,
    actor: str | None = None,
    provenance: Mapping[str, Any] | None = None,
    lifetime: float | None = None,
    **options: Unpack[ActivationOptions],
) -> kinds.ActiveContext:
    """Call up what bears on a question, and keep it as an active context until it expires.

    What is looked at lies inside the policy and the boundary before anything is searched. Words and vectors are brought
    onto one scale and fused, times how useful, sure and recent a record is; what scores below the threshold is not
    accepted, of what says the same the best stays, and few records are about one entity. Context and events are kept
    in one write. `search` does the same, and keeps no context.

    Args:
        query: in plain words.
        k: items at most, 1 to 50; without it the policy's number. It changes no score.
        actor: for whom it is; another actor's context is another one. It is no wall, and what is found is the same:
            `where={"user_id": ...}` finds one user's records, and none of others; that context is another one, too.
        provenance: kept with the context, without what a policy hides.
        lifetime: seconds until it expires; without it an hour.
        options: what to look at, with what, when, and for whose request: `byheart.memory.options.ActivationOptions`
            lists them.

    Raises:
        InvalidArgument: an argument outside its domain, or a scope that the policy does not have.
        BoundaryViolation: more was asked for than the memory was opened for; or the actor, or an id of the request, is
            a secret.
        PolicyMissing: tags are named, or the policy "stored" is to be gone by, and there is none.
        StoreBusy: it took longer than the policy allows; no context is kept.
        ReadOnlyStore: the memory is only read; use `search`.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> ids = memory.remember_many([{"id": "tea", "text": "Ann drinks green tea."}, {"id": "boat", "text": "A boat."}])
    >>> context = memory.activate("what does Ann drink?")
    >>> len(context), context.policy_version, memory.active_context(context.id) == context
    (0, None, True)

    """
    from ..activation import contexts
    from ..activation.journal import CONTEXTS, Row
    from ..boundary.policy import strictest
    from . import searching

    [actor] = check_labels(actor=actor)
    query = plain_text(query)
    engine = self._engine
    engine.writer.commits.check_writable()
    asked = searching.asked(engine, query, k, "activate_ms", **checked("activate", options))
    within = asked.question.boundary
    boundary_class = strictest(within.classes or CLASSES[:1])
    engine.governed.check_names(boundary_class, actor=actor)
    beside = Record(text="-", boundary_class=boundary_class, provenance={} if provenance is None else provenance)
    provenance = engine.governed.clean()(beside).provenance
    narrowed = _narrowed(engine, asked, given=options.get("vector") is not None)
    for attempt in attempts("keep what was activated"):
        found = searching.answered(engine, asked)
        made = contexts.made(
            query, found.ranked, now=found.answer.now, scopes=within.scopes or (),
            policy_version=found.answer.policy_version, actor=actor, provenance=provenance,
            lifetime=contexts.LIFETIME if lifetime is None else lifetime, first=asked.after, narrowed=narrowed,
        )  # fmt: skip
        row = Row(CONTEXTS, made.id, made.created_at, within, plain(made), made.expires_at)
        if searching.keep(engine, asked, found, context=row, strict=attempt < _STRICT):
            return replace(made, found=found.answer)
    raise AssertionError("attempts end with an error")


def _narrowed(engine: Engine, asked: Asked, *, given: bool) -> list[object]:
    """Return what was asked for beside the question where that is not the usual: which records, of when, how many.

    Args:
        engine: of the memory.
        asked: the request.
        given: whether its vector was.

    """
    question = asked.question
    found: list[object] = [] if question.filter is None else [question.filter.canonical]
    found += [("classes", question.boundary.classes)] if question.boundary.classes != engine.default.classes else []
    found += [("k", asked.k)] if asked.k != asked.settings.k_final else []
    found += [] if question.as_of is None else [("as_of", question.as_of)]
    found += [("include_superseded",)] if question.include_superseded else []
    vector = question.vector if given else None
    return found if vector is None else [*found, ("vector", vector.tobytes())]


def search(
    self: Handle,
    query: str,
    k: int | None = None,
    **options: Unpack[ActivationOptions],
) -> kinds.Found:
    """Return what bears on a question, as `activate` does, and keep no context; an event says that it was asked.

    Arguments and errors as in `activate`. Of a memory that is only read, no event is kept.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> ids = memory.remember_many([{"id": "a", "text": "Ann drinks green tea."}, {"id": "b", "text": "Tea is hot."}])
    >>> [(item.claim_id, item.rank) for item in memory.search("green tea")]
    [('a', 1)]

    """
    from . import searching

    engine = self._engine
    asked = searching.asked(engine, query, k, "search_ms", **checked("search", options))
    for attempt in attempts("keep that something was asked"):
        found = searching.answered(engine, asked)
        if not engine.writable or searching.keep(engine, asked, found, strict=attempt < _STRICT):
            break
    return found.answer


def active_context(
    self: Handle, id: str, *, boundary: BoundaryLike | None = None, now: Time | None = None
) -> kinds.ActiveContext:
    """Return an active context that was kept, with the records of its items that are still there.

    Args:
        id: of the context.
        boundary: what to look at.
        now: the time of the call; without it the clock's.

    Raises:
        RecordNotFound: there is none by this id that may be seen.
        ContextExpired: its time is over, or another policy is in force.

    """
    from ..activation.contexts import ActiveContext
    from ..activation.journal import CONTEXTS
    from ..activation.results import Found, in_order

    id = check_text("id", id)
    engine, inside = self._engine, self._engine.inside(boundary)
    moment = call_time(now)
    held = engine.journal.get(CONTEXTS, id, inside.tenant)
    if held is None:
        raise RecordNotFound(f"active context {id!r}: there is none; activate again")
    context = ActiveContext.from_dict(held[0].content)
    if moment >= context.expires_at:
        raise ContextExpired(f"active context {id!r}: expired at {context.expires_at}; activate again")
    if context.policy_version != engine.governed.version:
        raise ContextExpired(
            f"active context {id!r}: was made under policy {context.policy_version}, and "
            f"{engine.governed.version} is in force; activate again"
        )
    records = engine.readable(inside, [item.claim_id for item in context.items])
    items, there = in_order(context.items, records)
    settings = engine.governed.retrieval()
    found = Found(
        items=items, records=there, policy_version=context.policy_version, request_id="", trace_id="",
        settings=settings, alpha=settings.alpha, now=moment,
    )  # fmt: skip
    return replace(context, found=found)


def check_page(k: int | None, after: int) -> int | None:
    """Return how many items are asked for, checked."""
    for name, value, least, most in (("k", k, 1, MOST), ("after", after, 0, 10_000)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most):
            raise InvalidArgument(f"{name}: is {shortly(value)}; give {least} to {most}")
    return k
