"""The comparison of indexes with new ones made of the same records: what `check` says of them is found here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..boundary import cell_key
from ..records import Record
from ..storage import Key
from . import whose
from .partition import Partition

_TERMS = 64  # of a record that are compared


def differences(
    tenant: str, held: Partition, fresh: Partition, records: Mapping[Key, Record], keys: Collection[Key] | None = None
) -> Iterator[Key]:
    """Give the keys of the records that one of two partitions lacks, or that they know differently.

    Compared are: whether it is found, its content, what filters ask of it, its vector, and its words: nothing that
    depends on other records. With `keys`, only these are looked at.
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
        words,
    )
