"""The comparison of indexes with what is stored: by their keys, and with new ones made of the same records."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from itertools import islice
from typing import Any

from ..boundary import cell_key
from ..records import Record
from ..retrieval import hypervector, symbolic
from ..storage import JOURNAL, Key, Problem, VectorStore, by_id, is_reserved, key_of, salvage
from ..storage.numbering import NumberedKeys
from . import aside, whose
from .partition import Partition

_TERMS = 64  # of a record that are compared
_AT_ONCE, _PAUSE_SECONDS = 64, 0.001  # keys that are looked at, some 100 us, and the pause after them


def journal_of(stored: Set[Key]) -> frozenset[Key]:
    """Return the keys of the rows that are no records."""
    if isinstance(stored, NumberedKeys):
        return stored.of_tenant(JOURNAL)
    return frozenset(filter(is_reserved, stored))


def missing_of(partitions: Mapping[str, Partition], stored: Set[Key]) -> set[Key] | None:
    """Return the keys of records that are not indexed; None if something is indexed that is not among them."""
    if isinstance(stored, NumberedKeys):
        return stored.missing_of({tenant: partition.core for tenant, partition in partitions.items()}, JOURNAL)
    ids: dict[tuple[str, str, str], set[str]] = {}  # by tenant, scope and class
    for key in stored:
        if not is_reserved(key):
            ids.setdefault(key[:3], set()).add(key[3])
    missing: set[Key] = set()
    for tenant, partition in partitions.items():
        known = partition.ids_by_cell()
        if not 0 < len(partition) == sum(map(len, known.values())):
            return None
        for cell, held in known.items():
            own = ids.pop((tenant, *cell), set())
            if own == held:
                continue
            if not held <= own:
                return None
            missing.update(Key(tenant, *cell, id) for id in own - held)
    missing.update(Key(*cell, id) for cell, own in ids.items() for id in own)
    return missing


def differs(key: Key) -> Problem:
    """Return what to say of a record that is indexed otherwise than it is stored."""
    advice = "the index says something else than the store; rebuild it"
    return Problem(aside.INDEX, f"record {key.id!r} of tenant {key.tenant!r}: {advice}", key)


def unknown_in_time(partitions: Mapping[str, Partition], keys: Iterable[Key], in_haste: Callable[[], bool]) -> set[Key]:
    """Return what `unknown_of` does, a few at a time: unless it is in haste, others have the interpreter in between."""
    left, missing = iter(keys), set[Key]()
    while some := list(islice(left, _AT_ONCE)):
        missing |= unknown_of(partitions, some)
        if not in_haste():
            time.sleep(_PAUSE_SECONDS)
    return missing


def unknown_of(partitions: Mapping[str, Partition], keys: Iterable[Key]) -> set[Key]:
    """Return those of some keys that are not indexed; takes a microsecond for each, and no lock but the core's."""
    missing: set[Key] = set()
    by_tenant: dict[str, list[Key]] = {}
    for key in keys:
        by_tenant.setdefault(key.tenant, []).append(key)
    for tenant, own in by_tenant.items():
        partition = partitions.get(tenant)
        places = [None] * len(own) if partition is None else partition.core.places([key.id for key in own])
        for key, place in zip(own, places, strict=True):
            if place is not None and place[1] == cell_key(*key.cell):
                continue
            rows = [] if partition is None else partition.core.rows_of(key.id)  # an id of several cells
            if partition is None or all(partition.cell_of(row) != key.cell for row in rows):
                missing.add(key)
    return missing


def differing(
    partitions: Mapping[str, Partition],
    store: VectorStore,
    model: str | None,
    new_partition: Callable[[], Partition],
    among: Collection[Key] | None,
) -> set[Key]:
    """Return the keys of all records, or of some, that new indexes would tell something else of."""
    asked = None if among is None else sorted(among, key=by_id)
    vectors = {} if model is None else salvage.vectors(store, model, asked, [])
    records = salvage.all_records(store, []) if asked is None else salvage.records(store, asked, [])
    by_tenant: dict[str, dict[Key, Record]] = {tenant: {} for tenant in partitions}
    for record in records:
        if record is not None and not is_reserved(key := key_of(record)):
            by_tenant.setdefault(key.tenant, {})[key] = record
    wrong: set[Key] = set()
    for tenant, own in by_tenant.items():
        held, fresh = partitions.get(tenant) or new_partition(), new_partition()
        if held.knows(symbolic.NAME):
            fresh.learn(symbolic.NAME, lambda rows: [])  # so that the facts of what it takes in are indexed, too
        if held.knows(hypervector.NAME):
            fresh.encode(lambda rows: [], lambda rows: {})  # likewise
        aside.taken_in(fresh, list(own.values()), list(map(vectors.get, own)))
        wrong.update(differences(tenant, held, fresh, own, among))
    return wrong


def differences(
    tenant: str, held: Partition, fresh: Partition, records: Mapping[Key, Record], keys: Collection[Key] | None = None
) -> Iterator[Key]:
    """Give the keys of the records that one of two partitions lacks, or that they know differently.

    Compared are: whether it is found, its content, what filters ask of it, its vector, its hypervectors, its fact, and
    its words: nothing that depends on other records. With `keys`, only these are looked at.
    """
    theirs, ours = _rows(tenant, held, keys), _rows(tenant, fresh, keys)
    yield from theirs.keys() ^ ours.keys()
    for key in theirs.keys() & ours.keys():
        record = records[key]
        if _known(held, theirs[key], key, record) != _known(fresh, ours[key], key, record):
            yield key


def _rows(tenant: str, partition: Partition, keys: Collection[Key] | None) -> dict[Key, str]:
    """Return what records are known by: all of a partition, or those with some keys."""
    if keys is None:
        rows = partition.rows()
    else:
        rows = [row for id in sorted({key.id for key in keys}) for row in partition.rows_of(id)]
    places = zip(rows, partition.places(rows), strict=True)
    found = {Key(tenant, *place[1], place[0]): row for row, place in places if place is not None}
    return {key: row for key, row in found.items() if keys is None or key in keys}


def _known(partition: Partition, row: str, key: Key, record: Record) -> tuple[Any, ...]:
    """Return what a partition knows of a record."""
    core, cell = partition.core, cell_key(*key.cell)
    active = core.is_active(row)
    fields = {name: sorted(core.values(name, row), key=repr) for name in whose.directory_fields(record)}
    [vector] = partition.vectors([row]) if active else [None]
    terms = partition.settings.analyzer.terms(record.gist())[:_TERMS] if active else []
    parts = core.explain_words(terms, key.id, cell).parts if terms else []
    words = [(part.field, part.term, part.term_frequency, part.length) for part in parts]
    return (
        active,
        core.hashes([row]),
        fields,
        partition.numbers(row),
        None if vector is None else vector.tobytes(),
        core.hypervectors([row]),
        core.facts([row]),
        words,
    )
