"""The verbs that answer questions: recall, explain, context. Bound to `Memory` in its class body."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Unpack

from .. import boundary as boundaries
from .. import profiles
from ..boundary import Boundary, CellLike
from ..conversation import invariants
from ..index.turns import Told, last_turns
from ..profiles import Profile
from ..ranking.explanation import Explanation
from ..recall.answers import Recall
from ..recall.beside import beside
from ..recall.question import Query, Question, check, needless
from ..validation import check_id
from .engine import Engine, Handle
from .options import RecallOptions, checked

if TYPE_CHECKING:
    from ..conversation.context import Recent, Tokens
    from ..conversation.filling import Filling
    from ..conversation.receipts import Context


def recall(
    self: Handle,
    query: Query,
    k: int | None = None,
    profile: str | Profile = "auto",
    *,
    explain: bool = False,
    adaptive: bool | str = False,
    **options: Unpack[RecallOptions],
) -> Recall:
    """Return the records that answer a query, best first.

    How many hits are asked for changes no score: those for a smaller k are the first of those for a larger one.

    Args:
        query: a text in plain words, or a list of terms analysed before.
        k: hits at most, 1 to 100,000; without it the profile's own number.
        profile: the name of a profile, or a Profile.
        explain: give each hit its explanation, and the recall its trace.
        adaptive: search nothing for what needs no memory ("thanks!"), and say why in `skipped`: True, or the name
            of a pattern profile (see `byheart.should_skip_retrieval`).
        options: who asks, within which boundary, when, and for what: `byheart.memory.options.RecallOptions` lists
            them (boundary, now, where, since, until, session_id, user_id, category, exclude, act, needed_roles,
            mode, vector, deadline, operators).

    In a text "a phrase" and +word must be in a record, and -word must not (see `byheart.retrieval.operators`).

    >>> from byheart import Memory
    >>> Memory().recall("go ahead", adaptive=True).skipped
    'skip: continuation'

    Raises:
        UnknownProfile, InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: see the message.

    """
    question, chosen = _question(self, "recall", query, k, profile, options, adaptive=adaptive)
    return _answer(self, question, chosen, needless(question, adaptive), explain=explain)


def explain(
    self: Handle,
    query: Query,
    id: str,
    *,
    k: int | None = None,
    profile: str | Profile = "auto",
    cell: CellLike | None = None,
    **options: Unpack[RecallOptions],
) -> Explanation:
    """Return how a recall scores one record, or why the record is no hit. Arguments as in `recall`.

    Raises:
        RecordNotFound: no record with this id lies inside the boundary.
        AmbiguousId: records of several cells bear the id, and `cell` names none of them.

    """
    check_id(id)
    question, chosen = _question(self, "explain", query, k, profile, options)
    return self._engine.recaller.explain(question, chosen, id, boundaries.check_cell(cell))


def context(
    self: Handle,
    query: Query,
    budget: float | None = None,
    profile: str | Profile = "auto",
    *,
    k: int | None = None,
    adaptive: bool | str = False,
    fraction: float = 1.0,
    policy: str | Filling | None = None,
    tokens: Tokens | None = None,
    count_frame: bool = False,
    flatten: bool = False,
    characters: int | None = None,
    recent: Recent | bool = False,
    **options: Unpack[RecallOptions],
) -> Context:
    """Return what the memory has to say to a query, packed for a prompt.

    First the invariants, always and whole; then what a recall finds, as `policy` says, and never more than the
    budget. The block says that entries are untrusted history, and quotes them so that none can pretend to be
    another part of the prompt (`byheart.ranking.quoting`). A query with nothing in it is not searched for.

    Arguments as in `recall`, and:

        budget: tokens that there are; without it, the `context_budget` of the memory.
        fraction: the share of the budget that memories may have; 0.25 is usual where a host has more to say.
        policy: "prefix"; "first_fit", which passes over what does not fit (see `byheart.ranking.budget.fit`); or
            "fill": as many hits as may fit are asked for if `k` does not say otherwise, turns told beside hits come in
            where they fit, and those behind summaries in their place, a long entry is cut behind a sentence, and what
            was told in one session stands in order of time; a `byheart.conversation.filling.Filling` has its numbers.
            Without it, the profile's own: `auto` fills.
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
        k = profiles.get(profile).pool  # as many as may fit
    question, chosen = _question(self, "context", query, k, profile, options, adaptive=adaptive)
    why = needless(question, adaptive) if question.text.strip() else "empty query"
    engine, inside = self._engine, question.boundary
    own = invariants.inside(engine.invariants, inside)
    told = None
    if how.recent is not None:
        moment = time.time() if question.now is None else question.now
        ids = [rule.id or "" for rule in own]
        told = partial(_told, engine, inside, question.session(), now=moment, without=ids)
    return contexts.pack(
        question, how, own, told, lambda narrowed: _answer(self, narrowed, chosen, why), engine.indexes.settled,
        partial(beside, engine.indexes), partial(behind, engine.indexes), engine.settings.analyzer.terms,
    )  # fmt: skip


def _told(
    engine: Engine, inside: Boundary, session_id: str, wanted: int, *, now: float, without: Sequence[str]
) -> Told:
    return last_turns(engine.indexes, inside, session_id, wanted, now, without)


def _answer(
    self: Handle, question: Question, profile: Profile, skipped: str | None, *, explain: bool = False
) -> Recall:
    if skipped is not None:
        return self._engine.recaller.unasked(question, profile, skipped)
    return self._engine.recaller.recall(question, profile, explain=explain)


def _question(
    self: Handle,
    verb: str,
    query: Query,
    k: int | None,
    profile: str | Profile,
    options: RecallOptions,
    *,
    adaptive: bool | str = False,
) -> tuple[Question, Profile]:
    """Return what was asked, checked, and how the recall runs."""
    chosen, given = profiles.get(profile), checked(verb, options)
    given.setdefault("operators", adaptive is False)  # whoever asks whether it is a question hands on a message
    mode = given.pop("mode", None)
    if mode is not None:
        chosen = chosen.in_mode(mode)
    engine = self._engine
    engine.follow()
    question = check(
        engine.governed.asked(query), k=k, profile=chosen, analyzer=engine.settings.analyzer, default=engine.default,
        ceiling=engine.reach.ceiling, **given,
    )  # fmt: skip
    # The session of a context says whose last turns it begins with, whatever the profile makes of it.
    chosen.check_honours(None if verb == "context" else question.session_id, question.user_id)
    return question, chosen
