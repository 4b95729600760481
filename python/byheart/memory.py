"""Memory: what an agent does with its memories. Each verb checks its arguments and delegates."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import boundary as boundaries
from . import embeddings, knowledge, request, saving, selecting
from ._core import Analyzer, __version__
from .answers import EmbedReceipt, ForgetReceipt, Recall
from .boundary import Boundary
from .coroutines import in_thread
from .errors import InvalidArgument
from .indexes import Indexes
from .ingestion.completion import Completion, as_record
from .partition import Partition
from .profiles import Profile
from .ranking.explanation import Explanation
from .recalling import Recaller
from .records import Record
from .request import Asked, BoundaryLike, Query
from .retrieval.hypervector import check_encoder
from .retrieval.symbolic import Vocabulary
from .rules import SHIPPED, Rule
from .storage import CheckedStore, Problem, Store, open_store
from .validation import MAX_IDS, check_id, check_name, epoch_seconds, strings
from .writing import Writer

if TYPE_CHECKING:
    from .embedding import Embedder
    from .storage.tiers import Backfill


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
        hypervectors: what a text's hypervector is made of: "subwords" (finds misspelled words), "ngrams" (seed
            003's), "tokens", or "embedding" (the signs of random projections of its embedding).
        relations: what facts may say beside the eleven relations of `byheart.knowledge.RELATIONS`.
        rules: what follows from facts; see `byheart.rules`.

    >>> memory = Memory()
    >>> memory.remember("Ada Lovelace wrote the first program", id="ada")
    'ada'
    >>> [hit.id for hit in memory.recall("who wrote programs?")]
    ['ada']

    Raises:
        FingerprintMismatch: the store's vectors were made by another embedder; the message names both.

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
    ) -> None:
        """Open the memory and index what the store holds."""
        check_name("tenant", tenant)
        check_name("scope", scope)
        check_encoder(hypervectors, has_embedder=embedder is not None)
        own = Boundary(tenant)
        self._ceiling = None if boundary is None else boundaries.resolve(boundary, own, None)
        self._default = self._ceiling or own
        completion = Completion(tenant, scope, self._ceiling)
        self._analyzer = analyzer if analyzer is not None else Analyzer()
        self._preset, self._encoder = preset, hypervectors
        self._vocabulary = Vocabulary((*knowledge.RELATIONS, *strings("relations", relations)), tuple(rules))
        self._store = open_store(path, store)
        self._embedder = embedder
        try:
            model = None if embedder is None else embeddings.open_model(self._store, embedder, reembed=reembed)
            self._saved = saving.of(self._store, self._settings())
            self._indexes = Indexes(self._store, self._new_partition, model, self._saved)
            self._backfill: Backfill | None = None
            self._saver = saving.Saver(self._indexes, self._saved)
            self._writer = Writer(self._store, self._indexes, self._saver, completion, self._vocabulary, embedder)
            self._recaller = Recaller(self._store, self._indexes, self._analyzer, preset, hypervectors, embedder)
            if embedder is not None:
                self._backfill = embeddings.backfill(self._store, self._indexes, embedder.dimensions)
            if reembed:
                self.embed()
        except BaseException:
            if path is not None:
                self._store.close()
            raise

    # ---- remember

    def remember(self, text_or_record: str | Record | Mapping[str, Any], **fields: Any) -> str:
        """Remember one text or record and return its id; a record with the same id is replaced.

        Keyword arguments are fields of `Record`. Without an id one is made of the content.

        Raises:
            InvalidArgument, LimitExceeded, TypeError: a field that cannot be taken; nothing is remembered then.
            ModelError: the embedder's answer cannot be used; nothing is remembered then.

        """
        return self._writer.remember([as_record(text_or_record, fields)])[0]

    def remember_many(self, records: Iterable[str | Record | Mapping[str, Any]]) -> list[str]:
        """Remember several texts or records, all or none, and return their ids in order.

        Raises:
            DuplicateId: one id occurs twice in the call.

        """
        if isinstance(records, (str, Mapping)):
            raise TypeError("records must be a list of texts or records, not one of them")
        return self._writer.remember([as_record(record, {}) for record in records])

    def replace_sources(self, sources: Mapping[str, Iterable[Record]]) -> list[str]:
        """Remember the records of sources and forget what these said before, in one write (spec B1.44.5).

        A record belongs to the source that its provenance calls `source_name`; each must say the name it is given
        under. What a source said before is looked for in the tenants of its new records, or in this memory's own.
        """
        return self._writer.replace_sources({name: list(records) for name, records in sources.items()})

    def update(self, id: str, *, boundary: BoundaryLike | None = None, **changes: Any) -> str:
        """Change fields of a stored record and return its id; fields that are not named keep their values.

        `created_at` stays and `updated_at` becomes now, or what is given. The vector is made anew only if the text
        has changed. A text that stood for the record's claim follows it. Two processes that update one record at the
        same moment may both start from the same record: then the later one stands.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            InvalidArgument: nothing is to change, or tenant or created_at are.
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
        self._writer.update(id, inside, changes)
        return id

    def embed(self, embedder: Embedder | None = None, *, batch: int = 256) -> EmbedReceipt:
        """Make the vectors that are missing; with another embedder make all of them anew, and use it from then on.

        Each batch is stored as it is made: a call that was broken off goes on where it stopped. Until all are
        there the old vectors are the ones that are searched; old and new are never mixed.

        Raises:
            InvalidArgument: there is no embedder, or `batch` is below 1.

        """
        if batch < 1:
            raise InvalidArgument(f"batch: is {batch}; give at least 1")
        new = embedder if embedder is not None else self._embedder
        if new is None:
            raise InvalidArgument("embed: the memory has no embedder; give one")
        made = embeddings.embed_missing(self._store, self._indexes, new, batch)
        with self._saver.alone(), self._indexes.lock:
            self._embedder = self._writer.embedder = self._recaller.embedder = new
            if self._saved is not None:
                self._saved.of(self._settings())
            self._indexes.reset(self._new_partition, str(new.fingerprint))
        return made

    # ---- recall

    def recall(
        self,
        query: Query,
        k: int | None = None,
        profile: str | Profile = "kb-balanced",
        *,
        boundary: BoundaryLike | None = None,
        now: Any = None,
        explain: bool = False,
        act: str | None = None,
        needed_roles: Sequence[str] = (),
        deadline: float | None = None,
        mode: str | None = None,
    ) -> Recall:
        """Return the records that answer a query, best first.

        Args:
            query: a text in plain words, or a list of terms analysed before.
            k: hits at most, 1 to 100,000; without it the profile's own number.
            profile: the name of a profile, or a Profile.
            boundary: what to look at: tenant, scopes, classes.
            now: the time that expiry is measured against, an aware datetime or epoch seconds.
            explain: give each hit its explanation, and the recall its trace.
            act: what the answer is for ("explain", "compare" ...): roles that serve it are boosted.
            needed_roles: roles to look for by hypervectors; without them, those of the act.
            deadline: seconds after which a closure over facts stops with what it has found; the answer then
                depends on the clock, and says that it is degraded.
            mode: how vectors are searched, if the profile searches them: "exact", "early_exit" or "approx".

        Raises:
            UnknownProfile, InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: see the message.

        """
        asked = self._asked(
            query, k=k, profile=profile, boundary=boundary, now=now, act=act, needed_roles=needed_roles,
            deadline=deadline, mode=mode,
        )  # fmt: skip
        return self._recaller.recall(asked, explain=explain)

    def explain(
        self,
        query: Query,
        id: str,
        *,
        k: int | None = None,
        profile: str | Profile = "kb-balanced",
        boundary: BoundaryLike | None = None,
        now: Any = None,
        act: str | None = None,
        needed_roles: Sequence[str] = (),
        deadline: float | None = None,
        mode: str | None = None,
    ) -> Explanation:
        """Return how a recall scores one record, or why the record is no hit. Arguments as in `recall`.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.

        """
        check_id(id)
        asked = self._asked(
            query, k=k, profile=profile, boundary=boundary, now=now, act=act, needed_roles=needed_roles,
            deadline=deadline, mode=mode,
        )  # fmt: skip
        return self._recaller.explain(asked, id)

    def _asked(self, query: Query, **given: Any) -> Asked:
        return request.check(query, default=self._default, ceiling=self._ceiling, **given)

    # ---- forget

    def forget(
        self,
        ids: str | Sequence[str] | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        boundary: BoundaryLike | None = None,
        dry_run: bool = False,
    ) -> ForgetReceipt:
        """Remove records by id, or all inside the boundary whose fields have these values.

        `where` maps field names of `Record` to a value, or to a list of values of which one must match. With `dry_run`
        nothing is removed: the receipt says what would be.

        Raises:
            UnknownField: `where` names a field that records do not have.
            InvalidArgument: neither ids nor where, or both.

        """
        if (ids is None) == (where is None):
            raise InvalidArgument("forget: give either ids or where")
        wanted = None if ids is None else strings("ids", [ids] if isinstance(ids, str) else ids, MAX_IDS)
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        return self._writer.forget(inside, wanted, where, dry_run=dry_run)

    def purge(self, now: Any = None) -> ForgetReceipt:
        """Remove the records whose `expires_at` has come, and return which: recalls leave them out already.

        All tenants are looked at, unless the memory was opened with a boundary: then what lies inside it.

        Args:
            now: the time to measure against, an aware datetime or epoch seconds; without it the clock's.

        >>> memory = Memory()
        >>> memory.remember_many([{"id": "a", "text": "tea", "expires_at": 60}, {"id": "b", "text": "rice"}])
        ['a', 'b']
        >>> memory.purge(now=59).ids, memory.purge(now=60).ids, memory.stats()["records"]
        ((), ('a',), 1)

        """
        moment = epoch_seconds("now", now)
        return self._writer.purge(time.time() if moment is None else moment)

    # ---- all records: list, export, import

    def tenants(self) -> list[str]:
        """Return the tenants that have records, inside what the memory was opened for."""
        with self._indexes.lock:
            self._indexes.catch_up()
            within = selecting.reach(self._indexes, self._ceiling)
            return [one.tenant for one in within if self._indexes[one.tenant].records_in(one)]

    def records(self, *, boundary: BoundaryLike | None = None) -> list[Record]:
        """Return all records inside the boundary, in order of their ids, as of one moment; expired ones too.

        >>> memory = Memory()
        >>> memory.remember_many([{"id": "b", "text": "rice"}, {"id": "a", "text": "tea"}])
        ['b', 'a']
        >>> [record.text for record in memory.records()]
        ['tea', 'rice']

        """
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        return selecting.records(self._store, self._indexes, lambda: [inside])

    def export_to(self, path: str | os.PathLike[str]) -> int:
        """Write the records into a new text file (`byheart.storage.jsonl`), private to its owner; return how many.

        All tenants are written, unless the memory was opened with a boundary: then what lies inside it. Equal records
        give equal bytes. Vectors are left out: they can be made again.

        Raises:
            InvalidArgument: the file is there already.
            CorruptRecord, StoreBusy: a record is damaged, or the store was never quiet. No file is written.

        """
        from .storage.exchange import write_jsonl

        found = selecting.records(self._store, self._indexes, lambda: selecting.reach(self._indexes, self._ceiling))
        return write_jsonl(found, path)

    def import_from(self, path: str | os.PathLike[str]) -> int:
        """Remember the records of a file that `export_to` wrote, as they are, all or none; return how many.

        A record with a known id is replaced.

        Raises:
            InvalidArgument: there is no such file.
            CorruptRecord: a line is no record; names it.
            BoundaryViolation: a record lies outside the boundary that the memory was opened with.

        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder, Memory() as memory, Memory() as other:
        ...     id = memory.remember("Steep the tea for three minutes.", id="tea")
        ...     file = pathlib.Path(folder) / "memory.jsonl"
        ...     memory.export_to(file), other.import_from(file), other.records() == memory.records()
        (1, 1, True)

        """
        from .storage.exchange import read_jsonl

        return len(self._writer.remember(read_jsonl(path)))

    # ---- stats, upkeep, close

    def stats(self, *, boundary: BoundaryLike | None = None) -> dict[str, Any]:
        """Return counts and settings, counted inside the boundary only."""
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        with self._indexes.lock:
            self._indexes.catch_up()
            partition = self._indexes[inside.tenant]
            sizes = dict(partition.cell_sizes)
            blank = len(partition.without_vector(partition.cells_in(inside)))
        cells = {cell: size for cell, size in sorted(sizes.items()) if inside.holds(*cell)}
        return {
            "records": sum(cells.values()),
            "cells": {f"{scope}/{boundary_class}": size for (scope, boundary_class), size in cells.items()},
            "boundary": inside.to_dict(),
            "analyzer": self._analyzer.name,
            "preset": self._preset,
            "hypervectors": self._encoder,
            "embedder": None if self._embedder is None else str(self._embedder.fingerprint),
            "vectors": 0 if self._embedder is None else sum(cells.values()) - blank,
            "version": __version__,
        }

    @property
    def opened(self) -> str:
        """How the indexes of the whole store came to be at opening, and why saved ones were not used."""
        return self._indexes.opened

    @property
    def backfill(self) -> Backfill | None:
        """What became, at opening, of the tiers that were marked as not written; None without an embedder."""
        return self._backfill

    def check(self) -> list[Problem]:
        """Return what is wrong with the store, and with the indexes where they differ from it; nothing if all is well.

        The indexes are compared with new ones made of the records; that takes as long as opening without a generation.
        """
        found = list(self._store.check()) if isinstance(self._store, CheckedStore) else []
        return found if found else self._indexes.check()

    def rebuild(self) -> None:
        """Throw the indexes away, those that are saved too, and make them anew of the records."""
        with self._saver.alone():
            self._saver.erase()
        self._indexes.reset(self._new_partition, self._indexes.model)
        self._saver.nudge()

    # The same verbs for asyncio.
    aremember = in_thread(remember)
    aremember_many = in_thread(remember_many)
    aupdate = in_thread(update)
    arecall = in_thread(recall)
    aexplain = in_thread(explain)
    aforget = in_thread(forget)

    def close(self) -> None:
        """Save the indexes of a durable store, if enough has changed, and let go of the store."""
        self._saver.finish()
        self._store.close()

    def __enter__(self) -> Memory:
        """Return the memory; leaving the block closes it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self.close()

    def __reduce__(self) -> str:
        """Refuse to be pickled: an index is a cache, and the store is the truth."""
        raise TypeError("Memory cannot be pickled; open its store again instead")

    def _settings(self) -> dict[str, object]:
        """Return what the indexes depend on beside the records."""
        model = None if self._embedder is None else str(self._embedder.fingerprint)
        return {
            "analyzer": self._analyzer.name,
            "preset": self._preset,
            "hypervectors": self._encoder,
            "model": model,
            "version": __version__,
        }

    def _new_partition(self) -> Partition:
        dimensions = None if self._embedder is None else self._embedder.dimensions
        return Partition(self._analyzer, self._preset, self._encoder, self._vocabulary, dimensions)
