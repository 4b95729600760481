"""The parts of records that the indexes of a tenant take in: texts by field, hypervectors, and what filters ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter, is_
from typing import Any, Final, NamedTuple

from .._core import HyperVector
from ..records import Record
from ..retrieval import dense, hypervector, sameness, words
from ..retrieval.filter.canonical import Value
from ..retrieval.protocol import Settings
from . import whose


class Said(NamedTuple):
    """What the indexes take in of a record's texts."""

    document: Mapping[str, str]
    hypervectors: dict[str, HyperVector] | None
    hash: bytes


class Made(NamedTuple):
    """What was made of records with their embeddings, to be put; `deferred` as in `taken_in`."""

    records: Sequence[Record]
    embeddings: Sequence[bytes | None]
    deferred: bool
    said: list[Said]
    fields: list[dict[str, tuple[Value, ...]]]

    def is_of(self, records: Sequence[Record], embeddings: Sequence[bytes | None], *, deferred: bool) -> bool:
        """Return whether it was made of these very records."""
        same = len(records) == len(self.records) and all(map(is_, records, self.records))
        return same and list(embeddings) == list(self.embeddings) and deferred == self.deferred


_saying: Final = attrgetter(
    "text", "role", "topic", "claim", "procedure", "condition", "utility_acts", "utility_note", "subject", "relation",
    "object", "source_words",
)  # fmt: skip
"""All that a record's texts are made of."""


def taken_in(
    records: Sequence[Record], embeddings: Sequence[bytes | None], settings: Settings, *, deferred: bool
) -> list[Said]:
    """Return what the indexes take in of the texts of records, made once of those that say the same.

    Args:
        records: complete ones.
        embeddings: of each, as it is stored; None where it has none.
        settings: what the indexes are made with.
        deferred: whether hypervectors are made when they are first asked.

    """
    of_vectors = settings.encoder == hypervector.EMBEDDING
    known: dict[tuple[object, ...], Said] = {}
    found = []
    for record, row in zip(records, embeddings, strict=True):
        key = (*_saying(record), row) if of_vectors else _saying(record)
        said = known.get(key)
        if said is None:
            vectors = None if deferred else hypervectors_of(record, row, settings)
            hash = bytes.fromhex(record.content_hash()[:32])
            said = known[key] = Said(words.document(record, settings.analyzer), vectors, hash)
        found.append(said)
    return found


def hypervectors_of(record: Record, row: bytes | None, settings: Settings) -> dict[str, HyperVector] | None:
    """Return the hypervectors of a record, by field; None for one without any."""
    return hypervector.encode_record(record, settings.analyzer, settings.encoder, row) or None


def fields_of(
    records: Sequence[Record], vocabulary: Any, embeddings: Sequence[bytes | None] = ()
) -> list[dict[str, tuple[Value, ...]]]:
    """Return what the directory keeps of records: what filters see, and the marks of what is like them."""
    kept = [{**whose.directory_fields(record), **sameness.marks(record, vocabulary)} for record in records]
    for fields, row in zip(kept, embeddings, strict=False):
        if row is not None and dense.is_blank(row):
            fields[whose.ZERO_VECTOR] = (True,)
    return kept
