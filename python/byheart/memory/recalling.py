"""The verbs that answer questions: recall and recall_many, explain, context. Bound to `Memory` in its class body."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar, Unpack

from .. import boundary as boundaries
from .. import profiles
from ..boundary import CellLike
from ..conversation import invariants
from ..errors import ByheartError, InvalidArgument
from ..index.turns import Told, last_turns
from ..profiles import Profile
from ..ranking.explanation import Explanation
from ..recall.answers import Recall
from ..recall.beside import beside
from ..recall.question import Query, Question, check, needless
from ..recall.question_vector import Together
from ..validation import MAX_IDS, MAX_QUERIES, check_at_least_one, check_flag, check_id, counted, plain_text, strings
from ..words import Packing, PatternProfile, ProfileName
from . import kinds
from .engine import Engine, Handle
from .options import RecallOptions, checked

T = TypeVar("T")


def recall(
    self: Handle,
    query: Query,
    k: int | None = None,
    profile: ProfileName | str | Profile = "auto",
    *,
    explain: bool = False,
    adaptive: bool | PatternProfile = False,
    **options: Unpack[RecallOptions],
) -> Recall:
    """Return the records that answer a query, best first.

    How many hits are asked for changes no score: those for a smaller k are the first of those for a larger one. In
    `auto` a newer one stands before one that says nearly the same, if it fits about as well, though it may score less;
    `explain` tells which hits were moved, and why.

    Args:
        query: a text in plain words, or a list of terms analysed before.
        k: hits at most, 1 to 100,000; without it the profile's own number. A profile gives no more than its pool (100
            of `auto`, 20 of `hybrid`): where more are asked for and more records may answer, `degraded` says so.
        profile: the name of a profile, or a Profile.
        explain: give each hit its explanation, and the recall its trace.
        adaptive: search nothing for what needs no memory ("thanks!"), and say why in `skipped`: True, or the name
            of a pattern profile (see `byheart.should_skip_retrieval`).
        options: who asks, within which boundary, when, and for what: `byheart.RecallOptions`. The help of
            `Memory.recall` lists them under "Keywords".

    In a text "a phrase" and +word must be in a record, and -word must not (see `byheart.retrieval.operators`).

    >>> from byheart import Memory
    >>> Memory().recall("go ahead", adaptive=True).skipped
    'skip: continuation'

    Raises:
        UnknownProfile, InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: see the message.

    """
    question, chosen = _question(self, "recall", query, k, profile, options, adaptive=adaptive)
    return _answer(self, question, chosen, needless(question, adaptive), adaptive, explain=explain)


def recall_many(
    self: Handle,
    queries: Sequence[Query],
    k: int | None = None,
    profile: ProfileName | str | Profile = "auto",
    *,
    explain: bool = False,
    adaptive: bool | PatternProfile = False,
    vectors: Sequence[kinds.VectorLike | None] | None = None,
    threads: int = 1,
    **options: Unpack[RecallOptions],
) -> list[Recall]:
    """Return the answers to several queries, in their order: each what `recall` gives, byte for byte but for timings.

    Made for all of them at once are the checks of the arguments, before anything is searched, and the questions'
    vectors, 64 in a call of the embedder: with a model that is most of what a recall takes. The searches themselves
    are one a query, for every profile, side by side in as many `threads`; where others write meanwhile, each answers as
    of its own moment.

    Args:
        queries: texts in plain words, or lists of terms analysed before; 100,000 at most.
        k, profile, explain, adaptive, options: as in `recall`, for all of them.
        vectors: the questions' embeddings, if you have made them: one for each query, None where it has none.
        threads: so many are answered at a time; they end with the call. No answer depends on it.

    Raises:
        UnknownProfile, InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: as in `recall`, of the first query
            that is refused, which a note of the error names; none is answered then.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> ids = memory.remember_many([{"id": "tea", "text": "Steep the tea."}, {"id": "rice", "text": "Wash the rice."}])
    >>> [answer[0].id for answer in memory.recall_many(["how is rice washed?", "how is tea steeped?"])]
    ['rice', 'tea']

    """
    checked("recall_many", options)
    check_at_least_one("threads", threads)
    asked, given = _several(queries, vectors, options)
    found: list[tuple[Question, Profile, str | None]] = []
    for number, (query, vector) in enumerate(asked):
        try:
            own: RecallOptions = given if vector is None else {**given, "vector": vector}
            question, chosen = _question(self, "recall", query, k, profile, own, adaptive=adaptive)
            found.append((question, chosen, needless(question, adaptive)))
        except (ByheartError, TypeError) as error:
            error.add_note(f"queries: this is about number {number}, counted from 0; none was answered")
            raise
    together = Together(question for question, _, skipped in found if skipped is None)

    def answered(each: tuple[Question, Profile, str | None]) -> Recall:
        return _answer(self, *each, adaptive, explain=explain, together=together)

    return _side_by_side(answered, found, threads)


def _side_by_side(answered: Callable[[T], Recall], found: Sequence[T], threads: int) -> list[Recall]:
    """Return the answers in order, from threads that end with the call: a fork finds none."""
    if threads == 1 or len(found) < 2:
        return list(map(answered, found))
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(min(threads, len(found)), "byheart-recall")
    try:
        return list(pool.map(answered, found))
    finally:
        pool.shutdown(cancel_futures=True)  # where one failed, or was interrupted, no other is begun


def _several(
    queries: Sequence[Query], vectors: Sequence[kinds.VectorLike | None] | None, options: RecallOptions
) -> tuple[list[tuple[Query, Any]], RecallOptions]:
    """Return the queries, each with its vector, and the options, of which each query may read lists anew."""
    if isinstance(queries, str) or not hasattr(queries, "__iter__"):
        raise TypeError(f"queries must be a list of queries, not {type(queries).__name__}; `recall` takes one")
    asked = counted("queries", queries, MAX_QUERIES)
    if "vector" in options:
        raise InvalidArgument("vector: is the embedding of one query; give vectors, one for each")
    if vectors is not None and not isinstance(vectors, Iterable):
        raise TypeError(f"vectors must be a list, one for each query, not {type(vectors).__name__}")
    rows = [None] * len(asked) if vectors is None else list(counted("vectors", vectors, MAX_QUERIES))
    if len(rows) != len(asked):
        raise InvalidArgument(f"vectors: are {len(rows)} for {len(asked)} queries; give one for each, or None")
    given = options.copy()
    if "exclude" in given:
        given["exclude"] = strings("exclude", given["exclude"], MAX_IDS)
    if "needed_roles" in given:
        given["needed_roles"] = strings("needed_roles", given["needed_roles"])
    return list(zip(asked, rows, strict=True)), given


def explain(
    self: Handle,
    query: Query,
    id: str,
    *,
    k: int | None = None,
    profile: ProfileName | str | Profile = "auto",
    cell: CellLike | None = None,
    adaptive: bool | PatternProfile = False,
    **options: Unpack[RecallOptions],
) -> Explanation:
    """Return how a recall scores one record, or why the record is no hit. Arguments as in `recall`.

    With `adaptive` too the record is scored as if something were searched for.

    Raises:
        RecordNotFound: no record with this id lies inside the boundary.
        AmbiguousId: records of several cells bear the id, and `cell` names none of them.

    """
    id = check_id(id)
    question, chosen = _question(self, "explain", query, k, profile, options, adaptive=adaptive)
    needless(question, adaptive)  # refuses what is no pattern profile
    return self._engine.recaller.explain(question, chosen, id, boundaries.check_cell(cell))


def context(
    self: Handle,
    query: Query,
    budget: float | None = None,
    profile: ProfileName | str | Profile = "auto",
    *,
    k: int | None = None,
    adaptive: bool | PatternProfile = False,
    fraction: float = 1.0,
    policy: Packing | kinds.Filling | None = None,
    tokens: kinds.Tokens | None = None,
    count_frame: bool = False,
    flatten: bool = False,
    characters: int | None = None,
    recent: kinds.Recent | bool = False,
    **options: Unpack[RecallOptions],
) -> kinds.Context:
    """Return what the memory has to say to a query, packed for a prompt.

    First the invariants, always and whole; then what a recall finds, as `policy` says, and never more than the
    budget. The block says that entries are untrusted history, and quotes them so that none can pretend to be
    another part of the prompt (`byheart.ranking.quoting`). A query with nothing in it is not searched for.

    Arguments as in `recall`, and:

        budget: tokens that there are; without it, the `context_budget` of the memory.
        fraction: the share of the budget that memories may have; 0.25 is usual where a host has more to say.
        policy: "prefix"; "first_fit", which passes over what does not fit (see `byheart.ranking.budget.fit`); or
            "fill": as many hits as may fit are asked for if `k` does not say otherwise, turns told beside hits come in
            where they fit, and those behind summaries in their place, turns go in by more than their scores (see
            `byheart.conversation.leaning`; `Charge.worth` says by how much), a long entry is cut behind a sentence or
            a line, and what was told in one session stands in order of time. `byheart.conversation.filling.Filling` has
            its numbers. Without it, the profile's own: `auto` fills.
        tokens: what estimates the cost of a text, by a method `count(text)`; without it `HostTokens` of
            `byheart.ranking.tokens`.
        count_frame: let sections, tags and escapes count too; otherwise an entry costs what its bare text does, and
            the rest is told in `frame_tokens`.
        flatten: show what was found on one line each.
        characters: show no more of what was found than so many characters each.
        recent: the last turns of the session, word for word, before anything is searched: True for the last four
            and up to 128 tokens, or a `byheart.conversation.context.Recent`. They are not found a second time.

    Raises:
        InvariantBudgetError: the invariants inside the boundary cost more than the budget.
        InvalidArgument: there is no budget, or `recent` without a session; others as in `recall`.

    >>> from byheart import Memory
    >>> memory = Memory(invariants=["Answer in English."])
    >>> memory.remember("The kettle is descaled every spring.", id="kettle", created_at=0)
    'kettle'
    >>> context = memory.context("when is the kettle descaled?", budget=20)
    >>> [(entry.number, entry.kind, entry.tokens) for entry in context.entries]
    [(1, 'invariant', 5), (2, 'hit', 9)]
    >>> context.text.splitlines()[-4:-2]
    ['<memory number="M2" id="kettle" time="1970-01-01T00:00:00+00:00">', 'The kettle is descaled every spring.']

    """
    from ..conversation import context as contexts  # on use: `import byheart` stays light
    from ..conversation.behind import behind

    how = contexts.packing(
        self._engine.context_budget if budget is None else budget, fraction=fraction, tokens=tokens,
        policy=profiles.get(profile).packing if policy is None else policy, count_frame=count_frame, flatten=flatten,
        characters=characters, recent=recent,
    )  # fmt: skip
    if how.filling is not None and k is None:
        profile = _profile(self._engine, profile).deepened(how.filling.deep)
        k = profile.pool  # as many as may fit
    question, chosen = _question(self, "context", query, k, profile, options, adaptive=adaptive)
    why = needless(question, adaptive) if question.text.strip() else "empty query"
    engine, inside = self._engine, question.boundary
    own = invariants.inside(engine.invariants, inside)
    told = None
    if how.recent is not None:
        moment = time.time() if question.now is None else question.now
        ids = [*(rule.id or "" for rule in own), *question.exclude]
        told = partial(_told, engine, question, now=moment, without=ids)
    return contexts.pack(
        question, how, own, told, lambda narrowed: _answer(self, narrowed, chosen, why, adaptive),
        engine.indexes.settled, partial(beside, engine.indexes), partial(behind, engine.indexes),
        engine.settings.analyzer,
    )  # fmt: skip


def _told(engine: Engine, question: Question, wanted: int, *, now: float, without: Sequence[str]) -> Told:
    return last_turns(
        engine.indexes, question.boundary, question.session(), wanted, now, without, user_id=question.user_id,
        as_of=question.as_of, include_superseded=question.include_superseded,
        among=None if question.filter is None else question.filter.canonical,
    )  # fmt: skip


def _answer(
    self: Handle,
    question: Question,
    profile: Profile,
    skipped: str | None,
    adaptive: bool | PatternProfile = False,
    *,
    explain: bool = False,
    together: Together | None = None,
) -> Recall:
    if skipped is not None:
        rules = "byheart" if adaptive is True else None if adaptive is False else plain_text(adaptive)
        return self._engine.recaller.unasked(question, profile, skipped, rules)
    check_flag("explain", explain)
    return self._engine.recaller.recall(question, profile, explain=explain, together=together)


def _profile(engine: Engine, given: str | Profile) -> Profile:
    """Return a profile by its name; the parameters of `activation` are those of the memory's policy."""
    if isinstance(given, str) and plain_text(given) == "activation":
        from .searching import profile_of

        return profile_of(engine)
    return profiles.get(given)


def _question(
    self: Handle,
    verb: str,
    query: Query,
    k: int | None,
    profile: ProfileName | str | Profile,
    options: RecallOptions,
    *,
    adaptive: bool | PatternProfile = False,
) -> tuple[Question, Profile]:
    """Return what was asked, checked, and how the recall runs."""
    chosen, given = _profile(self._engine, profile), checked(verb, options)
    given.setdefault("operators", adaptive is False)  # whoever asks whether it is a question hands on a message
    mode = given.pop("mode", None)
    if mode is not None:
        chosen = chosen.in_mode(plain_text(mode))
    engine = self._engine
    engine.writer.commits.tell()
    engine.follow()
    question = check(
        engine.governed.asked(query), k=k, profile=chosen, analyzer=engine.settings.analyzer, default=engine.default,
        ceiling=engine.reach.ceiling, told=engine.governed.told(query), **given,
    )  # fmt: skip
    if question.vector is not None and engine.embedder is None:
        raise InvalidArgument("vector: the memory has no model; open it with an embedder, or with vectors='NAME:WIDTH'")
    # The session of a context says whose last turns it begins with, whatever the profile makes of it.
    session_id = None if verb == "context" else question.session_id
    chosen.check_honours(session_id, question.user_id, question.min_strength)
    return question, chosen
