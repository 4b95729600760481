"""The comparison of indexes with new ones made of the same records: what `check` says of them is found here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..boundary import cell_key
from ..records import Record
from ..storage import Key
from . import whose
from .partition import Partition

_TERMS = 64  # of a record that are compared


def differences(tenant: str, held: Partition, fresh: Partition, records: Mapping[Key, Record]) -> Iterator[Key]:
    """Give the keys of the records that one of two partitions lacks, or that they know differently.

    Compared are: whether it is found, its content, what filters ask of it, its vector, and its words.
    """
    theirs, ours = _rows(tenant, held), _rows(tenant, fresh)
    yield from theirs.keys() ^ ours.keys()
    for key in theirs.keys() & ours.keys():
        record = records[key]
        if _known(held, theirs[key], key, record) != _known(fresh, ours[key], key, record):
            yield key


def _rows(tenant: str, partition: Partition) -> dict[Key, str]:
    """Return what each record is known by."""
    rows = partition.rows()
    places = zip(rows, partition.places(rows), strict=True)
    return {Key(tenant, *place[1], place[0]): row for row, place in places if place is not None}


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
