"""Embedding vectors beside the records: what a store that keeps them offers, and a home for those of one that does not.

A vector belongs to one record and one model, named by the fingerprint of its embedder. Vectors of different models
are never mixed: one model is the active one, and only its vectors are searched. A vector is kept as its float32s,
little-endian; a row of zeros says that the record was embedded and has nothing to be found by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from ..records import Record
from . import Key, Store, key_of


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of one model, by the key of their record."""

    model: str
    rows: Mapping[Key, bytes] = field(default_factory=dict)


@runtime_checkable
class VectorStore(Store, Protocol):
    """A store that keeps vectors too, in the same transaction as their records."""

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Put and remove records, and put vectors, all or nothing.

        A record that is put loses its old vectors, of every model: its text is another. `vectors` may also name
        records that are not put.
        """

    def model(self) -> str | None:
        """Return the active model; None before the first."""

    def adopt(self, model: str) -> None:
        """Make a model the active one, and let go of the vectors of all others."""

    def vectors(self, model: str, keys: Sequence[Key] | None = None) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model: of these records, or of all that have one."""


class VectorTable:
    """Vectors in dictionaries, by model."""

    def __init__(self) -> None:
        """Start empty."""
        self._active: str | None = None
        self._rows: dict[str, dict[Key, bytes]] = {}

    def follow(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None) -> None:
        """Do to the vectors what a write does."""
        for key in (*remove, *map(key_of, put)):
            for rows in self._rows.values():
                rows.pop(key, None)
        if vectors is not None:
            self._rows.setdefault(vectors.model, {}).update(vectors.rows)

    def model(self) -> str | None:
        """Return the active model; None before the first."""
        return self._active

    def adopt(self, model: str) -> None:
        """Make a model the active one, and let go of the vectors of all others."""
        self._active, self._rows = model, {model: self._rows.get(model, {})}

    def vectors(self, model: str, keys: Sequence[Key] | None = None) -> Iterable[tuple[Key, bytes]]:
        """Return the vectors of a model: of these records, or of all that have one."""
        rows = self._rows.get(model, {})
        return list(rows.items()) if keys is None else [(key, rows[key]) for key in keys if key in rows]


class WithVectors(VectorTable):
    """A store that keeps no vectors of its own, with a table of them in this process beside it.

    The vectors are gone with the process: `Memory.embed` makes them again.
    """

    def __init__(self, store: Store) -> None:
        """Stand before `store`."""
        super().__init__()
        self._store = store
        self.load, self.get, self.close = store.load, store.get, store.close

    def write(self, put: Sequence[Record], remove: Sequence[Key], vectors: Vectors | None = None) -> None:
        """Write to the store; the vectors follow once it has taken the records."""
        if put or remove:
            self._store.write(put, remove)
        self.follow(put, remove, vectors)
