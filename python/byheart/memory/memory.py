"""The memory of an agent: its verbs over one engine. Each verb checks its arguments and hands on.

The verbs are functions of the modules beside this one, by what they do, and are bound here: the class is their list.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Self

from .. import boundary as boundaries
from .. import knowledge
from .._core import Analyzer
from ..boundary import Boundary
from ..boundary.reach import Reach
from ..conversation import invariants as invariable
from ..errors import InvalidArgument
from ..recall.question import BoundaryLike
from ..records import Record
from ..retrieval.hypervector import check_encoder
from ..retrieval.protocol import Settings
from ..retrieval.symbolic import Vocabulary
from ..rules import SHIPPED, Rule
from ..storage import Store, open_store
from ..validation import MAX_RULES, check_name, counted, strings
from ..writing.completion import Completion
from ..writing.noise_policy import NoisePolicy
from . import activating, claiming, conversing, judging, reading, recalling, remembering, ruling, upkeep
from .coroutines import in_thread
from .engine import Engine
from .governed import Governed, PolicyOptions

if TYPE_CHECKING:
    from ..activation.governing import PolicyLike
    from ..embedding import Embedder


class Memory:
    """An embedded memory: remember texts, recall the few that matter, read why.

    Args:
        tenant, scope: what records get that name none.
        boundary: what calls may see at most, and see by default. Without it a call may name any boundary, and
            sees this memory's tenant, every scope, and the classes public and internal by default.
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
        rules: what follows from facts; see `byheart.rules`.
        invariants: texts or records that stand in every `context`, whatever is asked: standing rules of the author's.
            They are kept in this process, are neither stored nor searched, and share no id with what is.
        context_budget: tokens that a `context` may have which names no budget. Invariants that exceed it are refused.
        noise: what becomes of texts that say nothing worth remembering: greetings, denials, questions about the memory
            itself, and less than five characters. "mark" keeps them: `ingest_turn` marks such turns and makes nothing
            of them, and archives those that say nothing at all ("ok", "thanks!"); `remember` and `update` judge
            nothing. "refuse": all three refuse them; records that carry a fact, a claim or a procedure are not judged,
            and neither is what comes in as a whole: `remember_many`, `replace_sources`, `import_from`. None: nothing
            is judged.
        noise_profile: the patterns that say so, a profile of `byheart.is_noise`.
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

    >>> memory = Memory()
    >>> memory.remember("Ada Lovelace wrote the first program", id="ada")
    'ada'
    >>> [hit.id for hit in memory.recall("who wrote programs?")]
    ['ada']

    Raises:
        FingerprintMismatch: the store's vectors were made by another embedder; the message names both.
        InvariantBudgetError: the invariants of a tenant cost more than `context_budget`.
        InvalidPolicy, PolicyConflict: the policy is none, or an older one than that in force.

    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        tenant: str = boundaries.DEFAULT_TENANT,
        scope: str = boundaries.DEFAULT_SCOPE,
        boundary: BoundaryLike | None = None,
        store: Store | None = None,
        embedder: Embedder | None = None,
        reembed: bool = False,
        analyzer: Analyzer | None = None,
        preset: str = "default",
        hypervectors: str = "subwords",
        relations: Sequence[str] = (),
        rules: Sequence[Rule] = SHIPPED,
        invariants: Iterable[invariable.Given] = (),
        context_budget: float | None = None,
        noise: str | None = "mark",
        noise_profile: str = "byheart",
        read_only: bool = False,
        vectors: str | None = None,
        policy: PolicyLike | None = None,
        policy_options: PolicyOptions | None = None,
    ) -> None:
        """Open the memory and index what the store holds."""
        check_name("scope", scope)
        if vectors is not None:
            embedder = _declared(vectors, embedder)
        if read_only and reembed:
            raise InvalidArgument("reembed, read_only: a memory that is only read makes no vectors anew; leave one out")
        check_encoder(hypervectors, has_embedder=embedder is not None)
        boundaries.check_tenant(tenant)
        judging_noise = NoisePolicy(noise, noise_profile)
        configured = None if boundary is None else boundaries.resolve(boundary, Boundary(tenant), None)
        vocabulary = Vocabulary(
            (*knowledge.RELATIONS, *strings("relations", relations)), counted("rules", rules, MAX_RULES)
        )
        settings = Settings(analyzer if analyzer is not None else Analyzer(), preset, hypervectors, vocabulary)
        opened = open_store(path, store, read_only=read_only)
        try:
            governed = Governed(
                opened, policy, policy_options or PolicyOptions(), tenant=tenant, configured=configured,
                read_only=read_only,
            )  # fmt: skip
            self._engine = Engine(
                opened, settings, Completion(tenant, scope, Reach(governed.ceiling())), embedder=embedder,
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

    # ---- ask

    recall = recalling.recall
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
    records = reading.records
    count = reading.count
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

    # ---- the same verbs for asyncio

    aremember = in_thread(remember)
    aremember_many = in_thread(remember_many)
    aupdate = in_thread(update)
    aforget = in_thread(forget)
    arecall = in_thread(recall)
    aexplain = in_thread(explain)
    acontext = in_thread(context)
    aactivate = in_thread(activate)
    asearch = in_thread(search)
    aupsert = in_thread(upsert)
    aobserve = in_thread(observe)
    afeedback = in_thread(feedback)
    aget = in_thread(get)
    aversion = in_thread(version)
    arecords = in_thread(records)
    acount = in_thread(count)
    aexport_to = in_thread(export_to)
    aimport_from = in_thread(import_from)
    aingest_turn = in_thread(ingest_turn)
    acompact = in_thread(compact)
    aexpand = in_thread(expand)
    atouch = in_thread(touch)

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
        """Save the indexes of a durable store, if enough has changed, and let go of the store."""
        self._engine.close()

    def __enter__(self) -> Self:
        """Return the memory; leaving the block closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def __reduce__(self) -> str:
        """Refuse to be pickled: an index is a cache, and the store is the truth."""
        raise TypeError(f"{type(self).__name__} cannot be pickled; open its store again instead")


def _declared(vectors: str, embedder: Embedder | None) -> Embedder:
    """Return what stands for a model of which the memory knows the name and the width alone."""
    from ..embedding.given import GivenVectors

    if embedder is not None:
        raise InvalidArgument("vectors, embedder: give one of them; an embedder names its model itself")
    return GivenVectors.parse(vectors)


def _own(owner: type) -> None:
    """Have the functions that a class binds say that they are its methods: in errors, traces and help."""
    for name, value in vars(owner).items():
        if isinstance(value, FunctionType):
            value.__module__, value.__qualname__ = owner.__module__, f"{owner.__qualname__}.{name}"


_own(Memory)
