"""Memory: what an agent does with its memories. Each verb checks its arguments and delegates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from .. import boundary as boundaries
from .. import profiles
from ..boundary import CellLike
from ..conversation import invariants
from ..errors import InvalidArgument
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..profiles import Profile
from ..ranking.explanation import Explanation
from ..recall.answers import Recall
from ..recall.question import BoundaryLike, Query, Question, check, needless
from ..records import Record
from ..validation import MAX_IDS, check_id, strings
from ..writing.completion import as_record
from .conversing import Conversing
from .coroutines import in_thread
from .options import RecallOptions, checked

if TYPE_CHECKING:
    from ..conversation.context import Recent, Tokens
    from ..conversation.receipts import Context
    from ..retrieval.filter import Filter, Where
    from ..writing.receipts import ForgetReceipt


class Memory(Conversing):
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
        noise: the profile of patterns by which `remember`, `update` and `ingest_turn` refuse texts that say nothing
            worth keeping: greetings, denials, questions about the memory itself, and less than five characters. One
            of `byheart.is_noise`; None keeps everything. Records that carry a fact, a claim or a procedure are not
            judged, and neither is what comes in as a whole: `remember_many`, `replace_sources`, `import_from`.
        read_only: only read: nothing is written, no file is made, and every verb that would change the memory is
            refused.
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

    """

    # ---- remember

    def remember(self, text_or_record: str | Record | Mapping[str, Any], *, vector: Any = None, **fields: Any) -> str:
        """Remember one text or record and return its id; a record with the same id is replaced, as `update` would.

        Keyword arguments are fields of `Record`. Without an id one is made of the content. A `vector` takes the place
        of the one that the embedder would make: a list or an array of numbers, as wide as the model's.

        Raises:
            DimensionMismatch: the vector is of another width.
            NoiseRefused: the text is noise (see `noise` of `Memory`), and the record no fact, claim or procedure.
            InvalidArgument, LimitExceeded, TypeError: a field that cannot be taken; nothing is remembered then.
            ModelError: the embedder's answer cannot be used; nothing is remembered then.

        >>> Memory(noise=None).remember("tea", id="tea")
        'tea'

        """
        record = as_record(text_or_record, fields)
        self._door.check(record)
        given = {} if vector is None else {0: embeddings.as_stored(embeddings.given(self._embedder, vector))}
        return self._writer.remember([record], given=given)[0]

    def remember_many(self, records: Iterable[str | Record | Mapping[str, Any]]) -> list[str]:
        """Remember several texts or records, all or none, and return their ids in order.

        They come in as they are: none is looked at for noise. A mapping may bring a "vector" beside its fields.

        Raises:
            DuplicateId: one id occurs twice in the call.
            DimensionMismatch: a vector is of another width than the model's.

        """
        if isinstance(records, (str, Mapping)):
            raise TypeError("records must be a list of texts or records, not one of them")
        made: list[Record] = []
        given: dict[int, bytes] = {}
        for number, record in enumerate(records):
            fields = record
            if isinstance(record, Mapping) and record.get("vector") is not None:
                given[number] = embeddings.as_stored(embeddings.given(self._embedder, record["vector"]))
            if isinstance(record, Mapping):
                fields = {name: value for name, value in record.items() if name != "vector"}
            made.append(as_record(fields, {}))
        return self._writer.remember(made, given=given)

    def replace_sources(self, sources: Mapping[str, Iterable[Record]]) -> list[str]:
        """Remember the records of sources and forget what these said before, in one write.

        A record belongs to the source that its provenance calls `source_name`; each must say the name it is given
        under. What a source said before is looked for in the tenants of its new records, or in this memory's own.
        Records come in as they are: none is looked at for noise.
        """
        # docs/sources.md: B1.44.5.
        return self._writer.replace_sources({name: list(records) for name, records in sources.items()})

    def update(
        self,
        id: str,
        *,
        boundary: BoundaryLike | None = None,
        cell: CellLike | None = None,
        if_version: str | None = None,
        **changes: Any,
    ) -> str:
        """Change fields of a stored record and return its id; fields that are not named keep their values.

        `created_at` stays and `updated_at` becomes now, or what is given. The vector is made anew only if the text
        has changed. A text that stood for the record's claim follows it; a turn's durable copy changes with the turn,
        and summaries that say the old text go (what else they stood for is found again). With another scope or class
        the record moves there. Of two processes that update one record at the same moment, the later one starts from
        what the earlier one has made of it.

        Args:
            id: of the record.
            boundary: what may be changed.
            cell: scope and class of the record, where records of several cells bear the id.
            if_version: change it only if it is stored in this version (`Record.version`, `Memory.version`).
            changes: fields of `Record`, and their new values.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            AmbiguousId: records of several cells bear the id, and no cell was named.
            VersionMismatch: the record is stored in another version than `if_version`.
            InvalidArgument: nothing is to change; or tenant or created_at are, or what a summary is of.
            NoiseRefused: the text changes, and the new one would not be remembered.
            UnknownField, LimitExceeded, BoundaryViolation, TypeError: a field that cannot be taken. Nothing is changed.

        >>> memory = Memory()
        >>> id = memory.remember("The kettle is descaled every spring.", topic="kitchen")
        >>> memory.update(id, text="The kettle is descaled every autumn.") == id
        True
        >>> hit = memory.recall("when is the kettle descaled?").hits[0]
        >>> hit.text, hit.record.topic
        ('The kettle is descaled every autumn.', 'kitchen')

        """
        check_id(id)
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        self._writer.update(id, inside, changes, self._door, cell=boundaries.check_cell(cell), if_version=if_version)
        return id

    # ---- recall

    def recall(
        self,
        query: Query,
        k: int | None = None,
        profile: str | Profile = "kb-balanced",
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
                them (boundary, now, where, since, until, session_id, user_id, category, exclude, act, needed_roles, mode,
                vector, deadline).

        >>> Memory().recall("go ahead", adaptive=True).skipped
        'skip: continuation'

        Raises:
            UnknownProfile, InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: see the message.

        """
        question, chosen = self._question("recall", query, k, profile, options)
        return self._answer(question, chosen, needless(question, adaptive), explain=explain)

    def explain(
        self,
        query: Query,
        id: str,
        *,
        k: int | None = None,
        profile: str | Profile = "kb-balanced",
        cell: CellLike | None = None,
        **options: Unpack[RecallOptions],
    ) -> Explanation:
        """Return how a recall scores one record, or why the record is no hit. Arguments as in `recall`.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            AmbiguousId: records of several cells bear the id, and `cell` names none of them.

        """
        check_id(id)
        question, chosen = self._question("explain", query, k, profile, options)
        return self._recaller.explain(question, chosen, id, boundaries.check_cell(cell))

    def context(
        self,
        query: Query,
        budget: float | None = None,
        profile: str | Profile = "kb-balanced",
        *,
        k: int | None = None,
        adaptive: bool | str = False,
        fraction: float = 1.0,
        policy: str = "prefix",
        tokens: Tokens | None = None,
        count_frame: bool = False,
        flatten: bool = False,
        characters: int | None = None,
        recent: Recent | bool = False,
        **options: Unpack[RecallOptions],
    ) -> Context:
        """Return what the memory has to say to a query, packed for a prompt.

        First the invariants, always and whole; then what a recall finds, best first, until the next one would exceed
        the budget. The block says that entries are untrusted history, and quotes them so that none can pretend to be
        another part of the prompt (`byheart.ranking.quoting`). A query with nothing in it is not searched for.

        Arguments as in `recall`, and:

            budget: tokens that there are; without it, the `context_budget` of the memory.
            fraction: the share of the budget that memories may have; 0.25 is usual where a host has more to say.
            policy: "prefix", or "first_fit", which passes over what does not fit (see `byheart.ranking.budget.fit`).
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

        how = contexts.packing(
            self._context_budget if budget is None else budget, fraction=fraction, policy=policy, tokens=tokens,
            count_frame=count_frame, flatten=flatten, characters=characters, recent=recent,
        )  # fmt: skip
        question, chosen = self._question("context", query, k, profile, options)
        why = needless(question, adaptive) if question.text.strip() else "empty query"
        inside = question.boundary
        own = invariants.inside(self._invariants, inside)
        turns = [] if how.recent is None else selecting.turns(self._store, self._indexes, inside, question.session())
        return contexts.pack(question, how, own, turns, lambda narrowed: self._answer(narrowed, chosen, why))

    def _answer(self, question: Question, profile: Profile, skipped: str | None, *, explain: bool = False) -> Recall:
        if skipped is not None:
            return self._recaller.unasked(question, profile, skipped)
        return self._recaller.recall(question, profile, explain=explain)

    def _question(
        self, verb: str, query: Query, k: int | None, profile: str | Profile, options: RecallOptions
    ) -> tuple[Question, Profile]:
        """Return what was asked, checked, and how the recall runs."""
        chosen, given = profiles.get(profile), checked(verb, options)
        mode = given.pop("mode", None)
        if mode is not None:
            chosen = chosen.in_mode(mode)
        question = check(
            query, k=k, profile=chosen, analyzer=self._analyzer, default=self._default, ceiling=self._ceiling, **given
        )
        return question, chosen

    # ---- forget

    def forget(
        self,
        ids: str | Sequence[str] | None = None,
        *,
        where: Where | Filter | None = None,
        boundary: BoundaryLike | None = None,
        cell: CellLike | None = None,
        dry_run: bool = False,
        sources: str = "release",
    ) -> ForgetReceipt:
        """Remove records by id, or all inside the boundary that a filter lets through.

        With `dry_run` nothing is removed: the receipt says what would be. Where records of several cells bear an id,
        all of them go, and the receipt says so in `several`.

        A summary goes with any of the turns that it was made of, though these were deleted when it was made: what is
        forgotten is said by no other record. So does a turn's durable copy. What a summary stood for beside them is
        found again. The receipt names all three.

        Args:
            ids: one id, or several.
            where: a filter (see `byheart.retrieval.filter`), in place of ids, such as `{"user_id": "ada"}`.
            boundary: what may be removed.
            cell: scope and class of the only cell that is looked at.
            dry_run: only say what would be.
            sources: what becomes of the turns behind a summary that is asked for: "release" finds them again, "forget"
                removes them too.

        Raises:
            UnknownField: `where` names a field that records do not have.
            InvalidArgument: neither ids nor where, or both; or `sources` is another word.
            StoreBusy: others changed the records during each of several attempts.

        >>> memory = Memory()
        >>> for number in (1, 2):
        ...     id = memory.remember(f"We meet at {number}.", id=f"t{number}", session_id="s", created_at=number)
        >>> [summary] = memory.compact("s", force=True).summaries
        >>> memory.forget("t1").summaries == (summary,), [record.id for record in memory.records()]
        (True, ['t2'])

        """
        if (ids is None) == (where is None):
            raise InvalidArgument("forget: give either ids or where")
        if sources not in ("release", "forget"):
            raise InvalidArgument(f'sources: is {sources!r}; use "release" or "forget"')
        wanted = None if ids is None else strings("ids", [ids] if isinstance(ids, str) else ids, MAX_IDS)
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        filter = None if where is None else selecting.asked_for(where)
        return self._writer.forget(
            inside, wanted, filter, dry_run=dry_run, with_sources=sources == "forget", cell=boundaries.check_cell(cell)
        )

    # The same verbs for asyncio.
    aremember = in_thread(remember)
    aremember_many = in_thread(remember_many)
    aupdate = in_thread(update)
    arecall = in_thread(recall)
    acontext = in_thread(context)
    aexplain = in_thread(explain)
    aforget = in_thread(forget)
