"""A memory filled with a judged collection: a tenant for each conversation, and the time at which each is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeVar

from ..memory.memory import Memory
from ..records import Record
from ..words import Preset
from .datasets import Collection, Document

if TYPE_CHECKING:
    from ..embedding import Embedder

UNDATED: Final = 1_767_225_600.0
"""When documents without a date were made, and their questions asked: the beginning of 2026, on every run."""

_AT_ONCE = 500

T = TypeVar("T")
Progress = Callable[[str, Iterable[T], int], Iterable[T]]
"""What shows how far a loop is: it is given a label, what is looped over and how many steps there are."""


def silent(label: str, steps: Iterable[T], total: int) -> Iterable[T]:
    """Return the steps as they are: the progress that shows nothing."""
    return steps


@dataclass(frozen=True, slots=True)
class Filled:
    """A memory with a collection in it.

    Attributes:
        memory: with a tenant for each conversation.
        asked_at: by conversation, the time of its newest document: "now" of its questions.
        undated: how many documents have no date, or one that cannot be read.
        seconds: how long it took to fill.

    """

    memory: Memory
    asked_at: Mapping[str | None, float]
    undated: int
    seconds: float

    def now(self, conversation: str | None) -> float:
        """Return the time at which questions about a conversation are asked."""
        return self.asked_at.get(conversation, UNDATED)


def preset_of(collection: Collection) -> Preset:
    """Return the preset of the lexical index that suits a collection: chat turns name their speakers."""
    return "conversation" if any(document.speaker for document in collection.documents) else "default"


def newest(documents: Iterable[Document]) -> dict[str | None, float]:
    """Return the time of the newest dated document of each conversation."""
    found: dict[str | None, float] = {}
    for document in documents:
        at = document.record().created_at
        if at is not None:
            found[document.conversation] = max(at, found.get(document.conversation, at))
    return found


def fill(
    collection: Collection,
    *,
    embedder: Embedder | None = None,
    preset: Preset | None = None,
    path: str | Path | None = None,
    progress: Progress[int] = silent,
) -> Filled:
    """Return a new memory that holds every document of a collection.

    Args:
        collection: what to remember.
        embedder: makes vectors; without one, profiles that compare meanings say that they are degraded.
        preset: of the lexical index; without it `preset_of` chooses.
        path: a file for the memory; without it, it lives in this process.
        progress: shows how far it is.

    """
    begun = perf_counter()
    memory = Memory(path, embedder=embedder, preset=preset or preset_of(collection))
    asked_at = newest(collection.documents)
    dated = 0

    def records() -> Iterator[Record]:
        nonlocal dated
        for document in collection.documents:
            record = document.record()
            dated += record.created_at is not None
            at = asked_at.get(document.conversation, UNDATED) if record.created_at is None else record.created_at
            yield replace(record, created_at=at)

    coming, total = records(), len(collection.documents)
    for _ in progress("remembering", range(0, total, _AT_ONCE), -(-total // _AT_ONCE)):
        memory.remember_many(list(islice(coming, _AT_ONCE)))
    return Filled(memory, asked_at, total - dated, perf_counter() - begun)
