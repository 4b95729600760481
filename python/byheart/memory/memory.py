"""The memory of an agent: its verbs over one engine. Each verb checks its arguments and hands on.

The verbs are functions of the modules beside this one, by what they do, and are bound here: the class is their list.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, NoReturn, Self

from .. import boundary as boundaries
from .._core import Analyzer
from ..boundary import Boundary
from ..boundary.reach import Reach
from ..conversation import invariants as invariable
from ..errors import InvalidArgument, StoreError
from ..recall.question import BoundaryLike
from ..records import Record
from ..retrieval.hypervector import check_encoder
from ..retrieval.protocol import Settings
from ..retrieval.symbolic import Vocabulary, declared
from ..rules import SHIPPED, Rule
from ..storage import Durability, Store, open_store
from ..validation import MAX_RULES, check_flag, check_name, counted, plain_text, strings
from ..words import Hypervectors, Noise, PatternProfile, Preset
from ..writing.completion import Completion
from ..writing.noise_policy import NoisePolicy
from . import (
    activating,
    backing_up,
    claiming,
    conversing,
    histories,
    judging,
    kinds,
    owners,
    reading,
    recalling,
    remembering,
    ruling,
    upkeep,
)
from .coroutines import in_thread
from .engine import Engine
from .fields import RecordChanges, RecordFields
from .governed import Governed, PolicyOptions
from .options import ActivationOptions, RecallOptions, suggesting, told
from .other_words import BY_NAME, VERBS


class Memory:
    """An embedded memory: remember texts, recall the few that matter, read why.

    >>> with Memory() as memory:  # or Memory("me.db"), which keeps them
    ...     id = memory.remember("Ada Lovelace wrote the first program", id="ada", topic="computing")
    ...     answer = memory.recall("who wrote programs?", 3, where={"topic": "computing"})
    ...     [(hit.id, hit.text) for hit in answer]
    [('ada', 'Ada Lovelace wrote the first program')]

    Ten verbs do most; `help(Memory.recall)` and the like say all that each takes:

        remember(text, **fields)     keep a text, a record, or a mapping; its id comes back
        update(id, **changes)        change fields of a record
        forget(ids, where=...)       remove records, and what was made of them
        recall(query, k, profile)    the records that answer, best first: a sequence of hits
        explain(query, id)           how one record is scored, or why it is no hit
        context(query, budget)       the same, packed for a prompt
        get(id)                      one record, or several; `id in memory` asks whether it is there
        records(where, limit=...)    records in order, a page at a time; `count` and `len` count them
        ingest_turn(text, session_id=...)    a message of a conversation; `compact` puts summaries in the place of many
        history(id)                  what became of a record: who changed what, when

    Of the rest, `recall_many` and `remember_many` take several at once; `sessions`, `users` and `stats` count;
    `expand` and `touch` go with summaries and uses; `activate`, `search`, `upsert`, `observe`, `feedback` and `decay`
    go with a policy (`apply_policy`, `validate`, `events`); `check`, `purge`, `rebuild`, `flush`, `backup`, `export_to`
    and `import_from` look after the file. Each has a coroutine: `await memory.arecall(...)`. Profiles and settings by
    name: `byheart.profiles`, `byheart.Settings`.

    Args:
        tenant, scope: what records get that name none: without them what `boundary` alone allows, or else "default" and
            "project". (Their class is that which it alone allows, or else "internal".)
        boundary: what calls may see at most, and see by default; it is of the same tenant. Without it a call may name
            any boundary, and sees this memory's tenant, every scope, and the classes public and internal by default.
        path: the file in which records live, durable and shared between processes (see `byheart.storage.sqlite`); one
            whose name ends in ".jsonl" is a text file. Without a path, in this process only.
        store: where records live instead of a path.
        embedder: makes vectors of texts; see `byheart.embedding`. Without one there is no dense retrieval.
        reembed: accept a store whose vectors another embedder made, and make them all anew at opening. Without it
            such a store is refused.
        analyzer: how text becomes terms.
        preset: k1 and b of the lexical index: "default", or "conversation" for memories of chat turns.
        hypervectors: what a text's hypervector is made of: "subwords" (finds misspelled words), "ngrams",
            "tokens", or "embedding" (the signs of random projections of its embedding).
        relations: what facts may say beside the eleven relations of `byheart.knowledge.RELATIONS`.
        single_valued: relations in which a subject has one value at a time, such as ("lives_in",): a later fact of the
            same owner with another object takes the place of the earlier one (see `remember`). They are relations, too,
            and a plain sentence that says one ("I live in Rome.") states a fact in it.
        rules: what follows from facts; without them, `byheart.rules.SHIPPED`; () for none.
        invariants: texts or records that stand in every `context`, whatever is asked: standing rules of the author's.
            They are kept in this process, are neither stored nor searched, and share no id with what is.
        context_budget: tokens that a `context` may have which names no budget. Invariants that exceed it are refused.
        noise: what becomes of texts that say nothing worth remembering: greetings, denials, questions about the memory
            itself, less than five characters, and no more than thanks or nods ("ok thanks"). "mark" keeps them:
            `ingest_turn` marks such turns and makes nothing of them, and archives those that say nothing at all ("ok",
            "thanks!"); `remember` and `update` judge nothing. "refuse": all three refuse them; records that carry a
            fact, a claim or a procedure are not judged, and neither is what comes in as a whole: `remember_many`,
            `replace_sources`, `import_from`. None: nothing is judged.
        noise_profile: the patterns that say so, a profile of `byheart.is_noise`.
        durability: when a call that writes to the file returns. "full": when it is on the medium. "normal": when it is
            part of a commit that begins at most 50 ms later, so that a loss of power or of the process takes those
            milliseconds at most, whole calls, the last ones first, and damages nothing; `flush` waits for it. What
            forgets, and what replaces what was said, returns once that is gone, in any case. Nothing of it concerns a
            memory in this process, or one that is only read (see docs/guides/writing.md).
        read_only: only read: nothing is written, no file is made, and every verb that would change the memory is
            refused.
        policy: who may see what, what is hidden, which rules hold: a policy, its text (JSON or YAML), a path, a
            mapping, "default", or "stored" for the one that the store has. It comes into force for this memory's tenant
            in the store, and one that is applied later, by whomever, takes its place here too. It narrows what the
            memory sees; texts are redacted before they are stored, embedded or given back (see
            `byheart.boundary.policy`).
        policy_options: what goes with it: the tags of this process, values that invariants ask about, detectors (see
            `byheart.memory.governed.PolicyOptions`).
        vectors: "NAME:DIMENSIONS", the model of vectors that are made elsewhere, in place of an embedder: records and
            questions then bring their own by `vector`, and are found by words without. Another name is another model.

    Raises:
        FingerprintMismatch: the store's vectors were made by another embedder; the message names both.
        InvariantBudgetError: the invariants of a tenant cost more than `context_budget`.
        InvalidPolicy, PolicyConflict: the policy is none, or an older one than that in force.

    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        tenant: str | None = None,
        scope: str | None = None,
        boundary: BoundaryLike | None = None,
        store: Store | None = None,
        embedder: kinds.Embedder | None = None,
        reembed: bool = False,
        analyzer: Analyzer | None = None,
        preset: Preset = "default",
        hypervectors: Hypervectors = "subwords",
        relations: Sequence[str] = (),
        single_valued: Sequence[str] = (),
        rules: Sequence[Rule] | None = None,
        invariants: Iterable[invariable.Given] = (),
        context_budget: float | None = None,
        noise: Noise | None = "mark",
        noise_profile: PatternProfile = "byheart",
        read_only: bool = False,
        vectors: str | None = None,
        durability: Durability = "full",
        policy: kinds.PolicyLike | None = None,
        policy_options: PolicyOptions | None = None,
    ) -> None:
        """Open the memory and index what the store holds."""
        if scope is not None:
            scope = check_name("scope", scope)
        if tenant is not None:
            tenant = boundaries.check_tenant(tenant)
        if vectors is not None:
            embedder = _declared(vectors, embedder)
        check_flag("read_only", read_only)
        check_flag("reembed", reembed)
        if read_only and reembed:
            raise InvalidArgument("reembed, read_only: a memory that is only read makes no vectors anew; leave one out")
        preset, durability = plain_text(preset), plain_text(durability)
        hypervectors = check_encoder(hypervectors, has_embedder=embedder is not None)
        judging_noise = NoisePolicy(noise, noise_profile)
        own = Boundary(boundaries.DEFAULT_TENANT if tenant is None else tenant)
        configured = None if boundary is None else boundaries.resolve(boundary, own, None)
        home = boundaries.home(tenant, scope, configured)
        known, ones = declared(strings("relations", relations), strings("single_valued", single_valued))
        vocabulary = Vocabulary(known, counted("rules", SHIPPED if rules is None else rules, MAX_RULES), ones)
        if analyzer is not None and not isinstance(analyzer, Analyzer):
            raise TypeError(f"analyzer must be an Analyzer, such as Analyzer(), not {type(analyzer).__name__}")
        settings = Settings(analyzer if analyzer is not None else Analyzer(), preset, hypervectors, vocabulary)
        opened = open_store(path, store, read_only=read_only, durability=durability)
        try:
            governed = Governed(
                opened, policy, PolicyOptions() if policy_options is None else policy_options, tenant=home[0],
                configured=configured, read_only=read_only,
            )  # fmt: skip
            self._engine = Engine(
                opened, settings, Completion(*home, Reach(governed.ceiling())), embedder=embedder,
                noise=judging_noise, invariants=invariants, context_budget=context_budget, reembed=reembed,
                read_only=read_only, governed=governed,
            )  # fmt: skip
        except BaseException:
            if path is not None:
                opened.close()
            raise

    # ---- change

    remember = remembering.remember
    remember_many = remembering.remember_many
    replace_sources = remembering.replace_sources
    update = remembering.update
    forget = remembering.forget
    delete = forget  # the name that others look for; one verb

    # ---- ask

    recall = recalling.recall
    recall_many = recalling.recall_many
    explain = recalling.explain
    context = recalling.context

    # ---- activate

    activate = activating.activate
    search = activating.search
    active_context = activating.active_context
    upsert = claiming.upsert
    observe = claiming.observe
    observation = claiming.observation
    feedback = judging.feedback
    decay = judging.decay

    # ---- govern

    policy = property(ruling.policy)
    validate = ruling.validate
    apply_policy = ruling.apply_policy
    events = ruling.events

    # ---- read

    get = reading.get
    version = reading.version
    history = histories.history
    records = reading.records
    count = reading.count
    sessions = owners.sessions
    users = owners.users
    export_to = reading.export_to
    import_from = reading.import_from

    # ---- converse

    ingest_turn = conversing.ingest_turn
    compact = conversing.compact
    expand = conversing.expand
    touch = conversing.touch

    # ---- look after

    embed = upkeep.embed
    purge = upkeep.purge
    tenants = upkeep.tenants
    stats = upkeep.stats
    check = upkeep.check
    rebuild = upkeep.rebuild
    backup = backing_up.backup
    flush = upkeep.flush

    # ---- the same verbs for asyncio

    aremember = in_thread(remember)
    aremember_many = in_thread(remember_many)
    areplace_sources = in_thread(replace_sources)
    aupdate = in_thread(update)
    aforget = in_thread(forget)
    adelete = aforget
    arecall = in_thread(recall)
    arecall_many = in_thread(recall_many)
    aexplain = in_thread(explain)
    acontext = in_thread(context)
    aactivate = in_thread(activate)
    asearch = in_thread(search)
    aactive_context = in_thread(active_context)
    aupsert = in_thread(upsert)
    aobserve = in_thread(observe)
    aobservation = in_thread(observation)
    afeedback = in_thread(feedback)
    adecay = in_thread(decay)
    avalidate = in_thread(validate)
    aapply_policy = in_thread(apply_policy)
    aevents = in_thread(events)
    aget = in_thread(get)
    aversion = in_thread(version)
    ahistory = in_thread(history)
    arecords = in_thread(records)
    acount = in_thread(count)
    asessions = in_thread(sessions)
    ausers = in_thread(users)
    aexport_to = in_thread(export_to)
    aimport_from = in_thread(import_from)
    aingest_turn = in_thread(ingest_turn)
    acompact = in_thread(compact)
    aexpand = in_thread(expand)
    atouch = in_thread(touch)
    aembed = in_thread(embed)
    apurge = in_thread(purge)
    atenants = in_thread(tenants)
    astats = in_thread(stats)
    acheck = in_thread(check)
    arebuild = in_thread(rebuild)
    abackup = in_thread(backup)
    aflush = in_thread(flush)

    # ---- the memory itself

    @property
    def opened(self) -> str:
        """How the indexes of the whole store came to be at opening, and why saved ones were not used.

        Copies of the file from before it was migrated are named, too, as long as they lie beside it. A memory that was
        opened with a boundary is told nothing of the whole.
        """
        return upkeep.opened(self)

    @property
    def invariants(self) -> tuple[Record, ...]:
        """The records that stand in every context, as they were given at opening, completed."""
        return self._engine.invariants

    def close(self) -> None:
        """Save the indexes of a durable store, if enough has changed, and let go of the store.

        Raises:
            StoreError: calls that had returned could not be written (`durability="normal"`), and are undone.
            StoreBusy: a signal's handler would close it amid a write of the same thread; nothing is done.

        """
        self._engine.close()

    aclose = in_thread(close)

    def __enter__(self) -> Self:
        """Return the memory; leaving the block closes it.

        Raises:
            StoreError: it is closed already.

        """
        return self._entered()

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    async def __aenter__(self) -> Self:
        """Return the memory; leaving the block closes it, and the event loop goes on meanwhile. Errors as without."""
        return self._entered()

    def _entered(self) -> Self:
        if self._engine.closed:
            raise StoreError("the memory is closed; open it again")
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the memory."""
        await self.aclose()

    def __len__(self) -> int:
        """Return how many records lie inside the boundary, as `count` does."""
        return reading.count(self)

    def __contains__(self, id: object) -> bool:
        """Return whether `get` knows a record by this id: one that lies inside the boundary. Errors as in `get`.

        >>> memory = Memory()
        >>> id = memory.remember("The kettle is descaled every spring.", id="kettle")
        >>> "kettle" in memory, "pot" in memory, len(memory)
        (True, False, 1)

        """
        return reading.contains(self, id)

    def __bool__(self) -> bool:
        """Return True: a memory without records is one, too."""
        return True

    def __repr__(self) -> str:
        """Show where it lies, how much of it can be seen, and what it was opened with."""
        return upkeep.shown(self)

    def __reduce__(self) -> str:
        """Refuse to be pickled: an index is a cache, and the store is the truth."""
        raise TypeError(f"{type(self).__name__} cannot be pickled; open its store again instead")


def _declared(vectors: str, embedder: kinds.Embedder | None) -> kinds.Embedder:
    """Return what stands for a model of which the memory knows the name and the width alone."""
    from ..embedding.given import GivenVectors

    if embedder is not None:
        raise InvalidArgument("vectors, embedder: give one of them; an embedder names its model itself")
    return GivenVectors.parse(vectors)


_KEYWORDS: Mapping[str, tuple[type, ...]] = {
    "recall": (RecallOptions,), "activate": (ActivationOptions,), "remember": (RecordFields, RecordChanges),
    "update": (RecordChanges,),
}  # fmt: skip
"""The keywords that the help of a verb lists; others say as which verb they take them."""

if not TYPE_CHECKING:  # or every misspelled verb would pass for one

    def _unknown(self: Memory, name: str) -> NoReturn:
        """Name the verb that a caller means by what other stores call it."""
        from ..validation import nearest

        more = f"; it is called {VERBS[name]!r} here" if name in VERBS else ""
        if not more and not name.startswith("_"):
            more = nearest(name, [each for each in dir(self) if not each.startswith("_")])
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{more}", name=name, obj=self)

    Memory.__getattr__ = _unknown


_MORE = 0x08
"""The flag of a function that takes keywords beside those it names (`inspect.CO_VARKEYWORDS`)."""


def _own(owner: type) -> None:
    """Have the functions that a class binds say that they are its methods: in errors, traces and help.

    Those that take no keywords beside their arguments answer a misspelled one; the others do so themselves.
    """
    answering: dict[FunctionType, object] = {}
    for name, value in list(vars(owner).items()):
        if isinstance(value, FunctionType) and name == value.__name__:  # and no second name of one
            value.__module__, value.__qualname__ = owner.__module__, f"{owner.__qualname__}.{name}"
            kinds = _KEYWORDS.get(name)
            if kinds is not None and value.__doc__ is not None:  # which `python -OO` leaves out
                value.__doc__ = f"{value.__doc__.rstrip()}\n\n    {told(*kinds)}\n"
            if not value.__code__.co_flags & _MORE or name in BY_NAME:
                answering[value] = suggesting(value)
    for name, value in list(vars(owner).items()):
        if isinstance(value, FunctionType) and value in answering:
            setattr(owner, name, answering[value])


_own(Memory)
