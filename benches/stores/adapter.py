"""The face that every store has here, and byheart behind it.

An answer is ten pairs: a record's number and its text, read from the store. `add` followed by `sync` is as durable as
the store can promise; `settle` makes what its own guide would have made once many records are in: indexes, a merge.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from data import TOP, WIDTH, Item

Answer = list[tuple[int, str]]
KINDS = ("text", "vector", "hybrid", "filtered")


class Store(ABC):
    """One store in a folder of its own.

    Attributes:
        name: as in the table.
        packages: what is installed for it by name; what those need comes by itself.
        imports: the modules that a program of it names.
        promise: what is on the disk when a record's `add` and `sync` have returned.
        vectors: how it finds vectors by default.
        cannot: kinds of question that it has no answer to.

    """

    name: ClassVar[str]
    packages: ClassVar[Sequence[str]]
    imports: ClassVar[Sequence[str]]
    promise: ClassVar[str]
    vectors: ClassVar[str]
    cannot: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def create(self) -> None:
        """Make the store."""

    @abstractmethod
    def open(self) -> None:
        """Open what is there."""

    @abstractmethod
    def add(self, items: Sequence[Item]) -> None:
        """Put records in."""

    def sync(self) -> None:  # noqa: B027 - most have nothing to do
        """Make what was put in durable, where `add` has not."""

    def settle(self) -> None:  # noqa: B027
        """Make indexes."""

    @abstractmethod
    def text(self, words: str) -> Answer:
        """Return the best by words."""

    @abstractmethod
    def vector(self, vector: Any) -> Answer:
        """Return the nearest."""

    @abstractmethod
    def hybrid(self, words: str, vector: Any) -> Answer:
        """Return the best by both."""

    @abstractmethod
    def filtered(self, vector: Any, group: str) -> Answer:
        """Return the nearest of a group."""

    def close(self) -> None:  # noqa: B027
        """Close it."""


class Byheart(Store):
    """A memory in a file, whose vectors are made elsewhere."""

    name = "byheart"
    packages, imports = ("byheart",), ("byheart",)
    promise = "record and vector synced, in one commit of SQLite (rollback journal, FULL)"
    vectors = "exact scan"

    def _open(self) -> None:
        import byheart

        self.memory = byheart.Memory(self.folder / "memory.db", vectors=f"bench:{WIDTH}")

    create = open = _open

    def add(self, items: Sequence[Item]) -> None:
        self.memory.remember_many(
            {"id": item.id, "text": item.text, "vector": item.vector, "metadata": {"group": item.group}}
            for item in items
        )

    def _found(self, words: str, profile: str, **options: Any) -> Answer:
        return [(int(hit.id[1:]), hit.text) for hit in self.memory.recall(words, TOP, profile, **options)]

    def text(self, words: str) -> Answer:
        return self._found(words, "kb-fast")

    def vector(self, vector: Any) -> Answer:
        return self._found("a vector", "dense", vector=vector)

    def hybrid(self, words: str, vector: Any) -> Answer:
        return self._found(words, "auto", vector=vector)

    def filtered(self, vector: Any, group: str) -> Answer:
        return self._found("a vector", "dense", vector=vector, where={"metadata.group": group})

    def close(self) -> None:
        self.memory.close()
