"""Memory: what an agent does with its memories. Each verb checks its arguments and delegates."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from threading import RLock
from typing import Any

from . import boundary as boundaries
from . import knowledge, pipeline, profiles
from ._core import Analyzer, __version__
from .answers import ForgetReceipt, Hit, Recall, Receipt
from .boundary import Boundary
from .errors import BoundaryViolation, DuplicateId, InvalidArgument, RecordNotFound, UnknownField
from .partition import Partition
from .profiles import Profile
from .ranking.explanation import Explanation
from .records import Record
from .retrieval.hypervector import check_encoder
from .retrieval.symbolic import Vocabulary, question
from .rules import SHIPPED, Rule
from .storage import InProcessStore, Key, Store, key_of
from .validation import (
    MAX_QUERY_BYTES,
    check_deadline,
    check_id,
    check_k,
    check_name,
    check_text,
    epoch_seconds,
    strings,
)

BoundaryLike = Boundary | Mapping[str, Any]
Query = str | Sequence[str]


class Memory:
    """An embedded memory: remember texts, recall the few that matter, read why.

    Args:
        tenant, scope: what records get that name none.
        boundary: what calls may see at most, and see by default. Without it a call may name any boundary, and
            sees this memory's tenant, every scope, and the classes public and internal by default.
        store: where records live; without one, in this process only.
        analyzer: how text becomes terms.
        preset: k1 and b of the lexical index: "default", or "conversation" for memories of chat turns.
        hypervectors: what a text's hypervector is made of: "subwords" (finds misspelled words), "ngrams" (seed
            003's), or "tokens".
        relations: what facts may say beside the eleven relations of `byheart.knowledge.RELATIONS`.
        rules: what follows from facts; see `byheart.rules`.

    >>> memory = Memory()
    >>> memory.remember("Ada Lovelace wrote the first program", id="ada")
    'ada'
    >>> [hit.id for hit in memory.recall("who wrote programs?")]
    ['ada']

    """

    def __init__(
        self,
        *,
        tenant: str = boundaries.DEFAULT_TENANT,
        scope: str = boundaries.DEFAULT_SCOPE,
        boundary: BoundaryLike | None = None,
        store: Store | None = None,
        analyzer: Analyzer | None = None,
        preset: str = "default",
        hypervectors: str = "subwords",
        relations: Sequence[str] = (),
        rules: Sequence[Rule] = SHIPPED,
    ) -> None:
        """Open the memory and index what the store holds."""
        check_name("tenant", tenant)
        check_name("scope", scope)
        check_encoder(hypervectors)
        own = Boundary(tenant)
        self._ceiling = None if boundary is None else boundaries.resolve(boundary, own, None)
        self._default = self._ceiling or own
        self._tenant, self._scope = tenant, scope
        self._analyzer = analyzer if analyzer is not None else Analyzer()
        self._preset, self._encoder = preset, hypervectors
        self._vocabulary = Vocabulary((*knowledge.RELATIONS, *strings("relations", relations)), tuple(rules))
        self._store: Store = store if store is not None else InProcessStore()
        self._lock = RLock()
        self._partitions: dict[str, Partition] = {}
        self._stale: set[Key] = set()  # written to the store, not yet followed by the index
        self._empty = self._new_partition()
        self._index(list(self._store.load()))

    # ---- remember

    def remember(self, text_or_record: str | Record | Mapping[str, Any], **fields: Any) -> str:
        """Remember one text or record and return its id; a record with the same id is replaced.

        Keyword arguments are fields of `Record`. Without an id one is made of the content.

        Raises:
            InvalidArgument, LimitExceeded, TypeError: a field that cannot be taken; nothing is remembered then.

        """
        return self._remember([_as_record(text_or_record, fields)])[0]

    def remember_many(self, records: Iterable[str | Record | Mapping[str, Any]]) -> list[str]:
        """Remember several texts or records, all or none, and return their ids in order.

        Raises:
            DuplicateId: one id occurs twice in the call.

        """
        if isinstance(records, (str, Mapping)):
            raise TypeError("records must be a list of texts or records, not one of them")
        return self._remember([_as_record(record, {}) for record in records])

    def replace_source(self, name: str, records: Iterable[Record]) -> list[str]:
        """Remember the records of a source and forget what it said before, in one write (spec B1.44.5).

        A record belongs to the source that its provenance calls `source_name`; each of these must say `name`.
        What the source said before is looked for in the tenants of the new records, or in this memory's own.
        """
        given = list(records)
        if any(record.provenance.get("source_name") != name for record in given):
            raise InvalidArgument(f"source {name!r}: a record's provenance names another source_name")
        with self._lock:
            self._catch_up()
            tenants = {record.tenant or self._tenant for record in given} or {self._tenant}
            return self._remember(given, [key for tenant in tenants for key in self._said_by(name, tenant)])

    def _said_by(self, name: str, tenant: str) -> Iterable[Key]:
        ids = self._partition(tenant).ids()
        for id, record in zip(ids, self._store.get(tenant, ids), strict=True):
            if record is not None and record.provenance.get("source_name") == name:
                yield tenant, id

    def _remember(self, records: list[Record], instead_of: Sequence[Key] = ()) -> list[str]:
        with self._lock:
            self._catch_up()
            complete = self._completed(records)
            keys = [key_of(record) for record in complete]
            gone = sorted(set(instead_of) - set(keys))
            self._stale.update(keys, gone)
            self._store.write(complete, gone)
            self._catch_up()
        return [id for _, id in keys]

    def _completed(self, records: list[Record]) -> list[Record]:
        """Fill in cell, time and id; refuse records outside the boundary and repeated ids."""
        now = time.time()
        seen: set[Key] = set()
        complete = []
        for record in records:
            tenant, scope = record.tenant or self._tenant, record.scope or self._scope
            boundary_class = record.boundary_class or "internal"
            self._check_writable(tenant, scope, boundary_class)
            self._vocabulary.check(record)
            id = record.id or self._make_id(record, tenant, f"{scope}\x1f{boundary_class}", seen)
            if (tenant, id) in seen:
                raise DuplicateId(f"id {id!r} occurs twice in one call; give each id once")
            seen.add((tenant, id))
            created_at = now if record.created_at is None else record.created_at
            complete.append(
                record.completed(
                    id=id, tenant=tenant, scope=scope, boundary_class=boundary_class, created_at=created_at
                )
            )
        return complete

    def _check_writable(self, tenant: str, scope: str, boundary_class: str) -> None:
        ceiling = self._ceiling
        if ceiling is not None and not (tenant == ceiling.tenant and ceiling.holds(scope, boundary_class)):
            raise BoundaryViolation(
                f"record: tenant {tenant!r}, scope {scope!r}, class {boundary_class!r} "
                "lies outside the boundary that the memory was opened with"
            )

    def _make_id(self, record: Record, tenant: str, cell: str, taken: set[Key]) -> str:
        """Return an id made of cell and content; a number is added where the same content is remembered again."""
        base = knowledge.digest("\x1f".join((cell, record.content_hash(), record.text)))[:16]
        partition = self._partition(tenant)
        id, number = base, 1
        while id in partition or (tenant, id) in taken:
            number += 1
            id = f"{base}-{number}"
        return id

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

        Raises:
            UnknownProfile, InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: see the message.

        """
        request, inside, partition = self._request(query, k, profile, boundary, now, act, needed_roles, deadline)
        tenant = inside.tenant
        done = pipeline.run(request, partition, lambda ids: self._store.get(tenant, ids), time.time)
        hits = tuple(
            Hit(id, score, done.records[id], pipeline.explain(request, partition, done, id) if explain else None)
            for id, score in zip(done.table.ids, done.table.scores(), strict=True)
        )
        receipt = self._receipt(query, request, inside, done, hits)
        trace = pipeline.trace(request, done) if explain else None
        return Recall(hits, done.table.dropped, pipeline.degraded(done), receipt, done.table, done.timings, trace)

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
    ) -> Explanation:
        """Return how a recall scores one record, or why the record is no hit. Arguments as in `recall`.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.

        """
        check_id(id)
        request, inside, partition = self._request(query, k, profile, boundary, now, act, needed_roles, deadline)
        tenant = inside.tenant
        cell = partition.cell_of(id)
        if cell is None or not inside.holds(*cell):
            raise RecordNotFound(f"no record {id!r} lies inside the boundary")
        done = pipeline.run(request, partition, lambda ids: self._store.get(tenant, ids), time.time)
        return pipeline.explain(request, partition, done, id)

    def _request(
        self,
        query: Query,
        k: int | None,
        profile: str | Profile,
        boundary: BoundaryLike | None,
        now: Any,
        act: str | None,
        needed_roles: Sequence[str],
        deadline: float | None,
    ) -> tuple[pipeline.Request, Boundary, Partition]:
        """Check every argument of a recall, here and only here; return also whose indexes are asked."""
        chosen = profiles.get(profile)
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        if act is not None and act not in knowledge.ACT_ROLES:
            raise InvalidArgument(f"act: {act!r} does not exist; there are {', '.join(knowledge.ACTS)}")
        roles = strings("needed_roles", needed_roles) or knowledge.ACT_ROLES.get(act or "", ())
        if self._stale:
            with self._lock:
                self._catch_up()
        partition = self._partition(inside.tenant)
        if chosen.asks_facts and not partition.knows_facts:
            with self._lock:
                partition = self._partition(inside.tenant)
                partition.learn_facts(lambda ids: self._store.get(inside.tenant, ids))
        request = pipeline.Request(
            terms=self._terms(query),
            k=chosen.max_results if k is None else check_k(k),
            profile=chosen,
            cells=partition.cells_in(inside),
            records=partition.records_in(inside),
            act=act,
            needed_roles=roles,
            now=epoch_seconds("now", now),
            question=question(query) if chosen.asks_facts else None,
            deadline=check_deadline(deadline),
        )
        return request, inside, partition

    def _terms(self, query: Query) -> Sequence[str]:
        if isinstance(query, str):
            check_text("query", query, MAX_QUERY_BYTES)
            return self._analyzer.terms(query)
        if not isinstance(query, (list, tuple)):
            raise TypeError(f"query must be str or a list of terms, not {type(query).__name__}")
        for term in query:
            if not isinstance(term, str):
                raise TypeError(f"query terms must be str, not {type(term).__name__}")
        return query

    def _receipt(
        self, query: Query, request: pipeline.Request, inside: Boundary, done: pipeline.Run, hits: tuple[Hit, ...]
    ) -> Receipt:
        return Receipt(
            version=__version__,
            query=query if isinstance(query, str) else tuple(query),
            profile=request.profile.name,
            k=request.k,
            boundary=inside.to_dict(),
            act=request.act,
            needed_roles=request.needed_roles,
            now=done.now,
            analyzer=self._analyzer.name,
            preset=self._preset,
            hypervectors=self._encoder,
            records=request.records,
            escalated=done.escalated,
            hits=tuple((hit.id, hit.score.hex()) for hit in hits),
        )

    # ---- forget, stats, close

    def forget(
        self,
        ids: str | Sequence[str] | None = None,
        *,
        where: Mapping[str, Any] | None = None,
        boundary: BoundaryLike | None = None,
    ) -> ForgetReceipt:
        """Remove records by id, or all inside the boundary whose fields have these values.

        `where` maps field names of `Record` to a value, or to a list of values of which one must match.

        Raises:
            UnknownField: `where` names a field that records do not have.
            InvalidArgument: neither ids nor where, or both.

        """
        if (ids is None) == (where is None):
            raise InvalidArgument("forget: give either ids or where")
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        with self._lock:
            self._catch_up()
            partition = self._partition(inside.tenant)
            wanted = strings("ids", [ids] if isinstance(ids, str) else ids) if ids is not None else None
            candidates = partition.ids() if wanted is None else list(dict.fromkeys(wanted))
            found = [id for id in candidates if (cell := partition.cell_of(id)) is not None and inside.holds(*cell)]
            if where is not None:
                found = self._matching(inside.tenant, found, where)
            keys = [(inside.tenant, id) for id in found]
            self._stale.update(keys)
            self._store.write([], keys)
            self._catch_up()
        gone = set(found)
        return ForgetReceipt(tuple(sorted(found)), tuple(id for id in wanted or () if id not in gone))

    def _matching(self, tenant: str, ids: list[str], where: Mapping[str, Any]) -> list[str]:
        known = {spec.name for spec in fields(Record)}
        for name in where:
            if name not in known:
                raise UnknownField(f"where: unknown field {name!r}")
        if not where:
            raise InvalidArgument("where: is empty; name at least one field, or give ids")
        wanted = {name: value if isinstance(value, (list, tuple, set)) else [value] for name, value in where.items()}
        records = zip(ids, self._store.get(tenant, ids), strict=True)
        return [
            id
            for id, record in records
            if record is not None and all(getattr(record, name) in values for name, values in wanted.items())
        ]

    def stats(self, *, boundary: BoundaryLike | None = None) -> dict[str, Any]:
        """Return counts and settings, counted inside the boundary only."""
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        with self._lock:
            self._catch_up()
            sizes = dict(self._partition(inside.tenant).cell_sizes)
        cells = {cell: size for cell, size in sorted(sizes.items()) if inside.holds(*cell)}
        return {
            "records": sum(cells.values()),
            "cells": {f"{scope}/{boundary_class}": size for (scope, boundary_class), size in cells.items()},
            "boundary": inside.to_dict(),
            "analyzer": self._analyzer.name,
            "preset": self._preset,
            "hypervectors": self._encoder,
            "version": __version__,
        }

    def close(self) -> None:
        """Let go of the store."""
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

    # ---- the index follows the store

    def _catch_up(self) -> None:
        """Bring the indexes up to what the store says of every record that was written since.

        If it is interrupted, the same records are still marked, and the next call does it again.
        """
        if not self._stale:
            return
        by_tenant: dict[str, list[str]] = {}
        for tenant, id in sorted(self._stale):
            by_tenant.setdefault(tenant, []).append(id)
        for tenant, ids in by_tenant.items():
            stored = self._store.get(tenant, ids)
            partition = self._partitions.setdefault(tenant, self._new_partition())
            partition.remove([id for id, record in zip(ids, stored, strict=True) if record is None])
            partition.put([record for record in stored if record is not None])
            if not partition.cell_sizes:
                del self._partitions[tenant]
        self._stale.clear()

    def _index(self, records: list[Record]) -> None:
        by_tenant: dict[str, list[Record]] = {}
        for record in records:
            by_tenant.setdefault(record.tenant or "", []).append(record)
        for tenant, own in by_tenant.items():
            self._partitions[tenant] = self._new_partition()
            self._partitions[tenant].put(own)

    def _partition(self, tenant: str) -> Partition:
        return self._partitions.get(tenant, self._empty)

    def _new_partition(self) -> Partition:
        return Partition(self._analyzer, self._preset, self._encoder, self._vocabulary)


def _as_record(value: str | Record | Mapping[str, Any], changes: Mapping[str, Any]) -> Record:
    if isinstance(value, str):
        return Record.from_dict({"text": value, **changes})
    if isinstance(value, Record):
        return replace(value, **changes) if changes else value
    if isinstance(value, Mapping):
        return Record.from_dict({**value, **changes})
    raise TypeError(f"a record must be str, Record or a mapping, not {type(value).__name__}")
