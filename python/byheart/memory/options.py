"""The options of a recall and of an activation, each spelled once: the verbs of a kind take the same ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypedDict, TypeVar

from ..recall.question import BoundaryLike
from ..validation import nearest
from ..words import Act, KnowledgeRole, Time, VectorMode
from . import kinds
from .other_words import BY_NAME, HINTS, OPTIONS

P = ParamSpec("P")
T = TypeVar("T")


class RecallOptions(TypedDict, total=False):
    """What a recall may be told beside the question.

    Attributes:
        boundary: what to look at: tenant, scopes, classes.
        now: the time that expiry is measured against, a datetime, ISO text, or epoch seconds; UTC where
            no zone is named.
        as_of: only what was known and held at this time is found, a time as in `now`: records made by then, as valid
            then (`valid_from`, `valid_to`), and in whose place no other stood yet. One whose text was changed later
            is not found, since what it said then is gone; `degraded` counts those that hold a word of the question.
            Without it: what holds now, with all that others stand in the place of left out. Without `now`, ages are
            measured against it too.
        include_superseded: find records that others stand in the place of, too.
        act: what the answer is for ("explain", "compare" ...): roles that serve it are boosted.
        needed_roles: roles to look for by hypervectors; without them, those of the act.
        deadline: seconds after which a closure over facts stops with what it has found, or a reranker is not waited
            for; the answer then depends on the clock, and says that it is degraded.
        mode: how vectors are searched, if the profile searches them: "exact", "early_exit", "approx" or "by_model".
            What was done stands in the receipt: "approx" is exact where the model was not trained for vectors that can
            be cut, since it would lose much there and save nothing.
        session_id: for which session the recall is: its records stand higher (profile "scoped", and those with a stage
            `ThisSession`). A profile that makes nothing of it refuses it in a recall; `where` keeps to one session.
        user_id: for whom the recall is: found are this user's records of all sessions and those of no user, never
            another user's. Profile "scoped" finds turns of this session alone.
        category: look only at the records of this category.
        exclude: ids of records that are not to be found, such as the messages that the prompt holds already; nor are
            the copies that were kept of these for good.
        vector: the question's embedding, if you have made it; of the width of the memory's own.
        where: which records may be found, by fields and metadata: `{"metadata.room": "kitchen", "importance": {">=":
            0.5}}`, or what `byheart.field` makes (see `byheart.retrieval.filter`). It changes no score.
        min_strength: profile "auto" gives no hits if the best is weaker than this, 0 to 1 (see `Recall.strength`); 0
            for the best there are, whatever they are worth. Without it the profile decides. One above 0 is refused by
            a profile whose answers have no strength.
        since, until: only records made from `since` on, or before `until`: datetimes, ISO text
            ("2026-05-03"), or epoch seconds; UTC where no zone is named.
        operators: whether "a phrase" and +word must be in a record, and -word must not (see
            `byheart.retrieval.operators`); False takes such marks as plain text, for messages that nobody wrote as a
            question. Without it they are read, except where `adaptive` asks whether the text is a question at all.

    """

    boundary: BoundaryLike | None
    now: Time | None
    as_of: Time | None
    include_superseded: bool
    act: Act | None
    needed_roles: Sequence[KnowledgeRole | str]
    deadline: float | None
    mode: VectorMode | None
    session_id: str | None
    user_id: str | None
    category: str | None
    exclude: Sequence[str]
    vector: kinds.VectorLike | None
    where: kinds.Where | kinds.Filter | None
    min_strength: float | None
    since: Time | None
    until: Time | None
    operators: bool


class ActivationOptions(TypedDict, total=False):
    """What `activate` and `search` may be told beside the question.

    Attributes:
        scope: scopes to look at, of those that may be seen.
        allow: tags that open classes, of those that may be seen; without them the tags of this process.
        boundary: what to look at; all three only narrow.
        where: a filter, as in `recall`.
        vector: the question's embedding, if you have made it.
        after: leave out so many of the first: the next page.
        now: the time of the call, a datetime, ISO text or epoch seconds; without it the clock's.
        as_of, include_superseded: as in `recall`.
        request_id, trace_id: kept with the events; without them made of what was asked.

    """

    scope: Sequence[str] | None
    allow: Iterable[str] | None
    boundary: BoundaryLike | None
    where: kinds.Where | kinds.Filter | None
    vector: kinds.VectorLike | None
    after: int
    now: Time | None
    as_of: Time | None
    include_superseded: bool
    request_id: str | None
    trace_id: str | None


def checked(verb: str, options: RecallOptions | ActivationOptions) -> dict[str, Any]:
    """Return the options as a mapping of one's own.

    Raises:
        TypeError: an option that does not exist; the message gives the nearest one that does.

    >>> checked("recall", {"sesion_id": "s"})
    Traceback (most recent call last):
        ...
    TypeError: recall: there is no option 'sesion_id'; did you mean 'session_id'?

    """
    given: Mapping[str, Any] = options
    there = (ActivationOptions if verb in ("activate", "search") else RecallOptions).__annotations__
    for name in given:
        if name not in there:
            more = (
                HINTS.get((verb, name))
                or HINTS.get(("", name))
                or nearest(OPTIONS.get(name, name), (*there, *_OWN.get(verb, ("k", "profile"))))
            )
            raise TypeError(f"{verb}: there is no option {name!r}{more}")
    return dict(given)


def suggesting(verb: Callable[P, T]) -> Callable[P, T]:
    """Return a verb that answers a misspelled argument with the nearest one there is, as `checked` does.

    >>> suggesting(checked)(verbs="recall")
    Traceback (most recent call last):
        ...
    TypeError: checked: there is no argument 'verbs'; did you mean 'verb'?

    """

    @wraps(verb)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return verb(*args, **kwargs)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise  # from within the verb
            from inspect import signature

            known = signature(verb).parameters
            named = verb.__qualname__.removesuffix(".__init__")
            if (twice := next((name for name in list(known)[: len(args)] if name in kwargs), None)) is not None:
                raise TypeError(f"{named}: {twice!r} is given twice, by its place and by its name") from None
            strange = next((name for name in kwargs if name not in known), None)
            most, said = BY_NAME.get(verb.__name__, (len(args), ""))
            if len(args) > most:
                raise TypeError(f"{verb.__qualname__}: {said}") from None
            if strange is None or verb.__name__ in BY_NAME:  # which tells unknown names itself
                raise
            more = HINTS.get((verb.__name__, strange)) or nearest(strange, [name for name in known if name != "self"])
            raise TypeError(f"{named}: there is no argument {strange!r}{more}") from None

    return run


def told(*kinds: type) -> str:
    """Return what keywords mean, as a section of the help of a verb.

    >>> print(told(ActivationOptions).splitlines()[1].strip())
    scope: scopes to look at, of those that may be seen.
    """
    parts = [(each.__doc__ or "").partition("Attributes:\n")[2].strip("\n ") for each in kinds]
    return "Keywords:\n        " + "\n        ".join(part for part in parts if part)


_OWN: Mapping[str, tuple[str, ...]] = {
    "activate": ("k", "actor", "provenance", "lifetime"),
    "search": ("k",),
    "recall": ("k", "profile", "explain", "adaptive"),
    "recall_many": ("k", "profile", "explain", "adaptive", "vectors", "threads"),
    "context": (
        "k", "profile", "budget", "adaptive", "fraction", "policy", "tokens", "count_frame", "flatten", "characters",
        "recent",
    ),
}  # fmt: skip
