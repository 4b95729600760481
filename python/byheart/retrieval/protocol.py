"""The protocol of retrievers: who proposes candidates for a question, with or without an index of their own.

A retriever of a caller needs a `name` and `search(asked)`, which returns pairs (id, score); it may answer from a
service, a table, or a recorded report. What it proposes outside the boundary, and ids that the memory does not hold,
are dropped. `register` makes it known, and a leg of a profile names it.

>>> from byheart import Memory, Profile
>>> from byheart.profiles import Leg
>>> class Report:
...     name = "report"
...     def search(self, asked):
...         return {"tea?": [("kettle", 0.9), ("unknown", 0.8)]}.get(asked.question.text, [])
>>> from byheart.ranking.agreement import AgreementFusion
>>> register(Report())
>>> memory = Memory()
>>> id = memory.remember("The kettle is descaled every spring.", id="kettle")
>>> profile = Profile("recorded", legs=(Leg("report"),), stages=(AgreementFusion({"report": 1.0}),))
>>> [(hit.id, hit.score) for hit in memory.recall("tea?", profile=profile)]
[('kettle', 0.9)]
>>> unregister("report")  # a program leaves it registered
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from .._core import Analyzer
from ..errors import InvalidArgument, UnknownField
from ..light.classes import dataclass
from ..ranking.explanation import Explanation, Step
from ..records import Record
from ..validation import check_name, nearest
from .question import Question
from .selection import Hits, Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .filter.canonical import Canonical


@dataclass(frozen=True, slots=True)
class Settings:
    """What the indexes of a memory are made with."""

    analyzer: Analyzer
    preset: str = "default"
    encoder: str = "subwords"
    vocabulary: Any = None
    dimensions: int | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """Records that an index takes in, each with its id, the key of its cell, and its stored embedding if it has one."""

    ids: Sequence[str]
    records: Sequence[Record]
    cells: Sequence[str]
    embeddings: Sequence[bytes | None]


@dataclass(frozen=True, slots=True)
class LegQuery:
    """What one leg of a recall asks of a retriever.

    Attributes:
        question: what was asked.
        pool: how many records it may propose.
        cells: the keys of the cells that may be looked at.
        selection: which records may be found there; for a retriever of ours but for `within`.
        within: the part of the selection that is the leg's own: what lies elsewhere belongs to other legs.
        blank: whether only records without a vector may be found.
        counted: whether it matters how many records would be proposed if all could be found.
        core: the partition of the core, which holds the indexes of the retrievers that are ours.
        index: the retriever's own, or that which it borrows, over the records of the tenant; None if it has neither.
        settings: what the memory's indexes are made with.
        options: the settings of the leg.
        mode: how vectors are searched: "exact", "early_exit" or "approx".
        told: whether stages read what was told around records, in their conversations.
        converses: whether a record in the cells is part of a conversation.
        unrelated: returns the cosine that texts with nothing in common reach by the vectors of the recall, where its
            model is none that was measured; 0 where no vectors are compared.
        embed: returns the question's vector; None without an embedder, or where it failed.
        embed_text: returns the vector of another text, likewise.
        rows: what the records with an id are known by that lie in the cells and can be found, but for the selection:
            mostly the id itself.
        record: reads a record by what it is known by.
        records: reads several at once; None for those that are not there.
        embedding: reads a record's stored embedding.
        worked_out: what a retriever has worked out of a question in this run, by its name, with the question.

    """

    question: Question
    pool: int
    cells: Sequence[str]
    selection: Selection = field(default_factory=Selection)
    within: Canonical | None = None
    blank: bool = False
    counted: bool = False
    core: Any = None
    index: Any = None
    settings: Settings | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    mode: str = "exact"
    told: bool = False
    converses: bool = False
    unrelated: Callable[[], float] = lambda: 0.0
    embed: Callable[[], NDArray[np.float32] | None] = lambda: None
    embed_text: Callable[[str], NDArray[np.float32] | None] = lambda text: None
    rows: Callable[[str], Sequence[str]] = lambda id: ()
    record: Callable[[str], Record | None] = lambda row: None
    records: Callable[[Sequence[str]], Sequence[Record | None]] = lambda rows: [None] * len(rows)
    embedding: Callable[[str], bytes | None] = lambda row: None
    worked_out: dict[str, tuple[Question, Any]] = field(default_factory=dict)

    def passing(self, hits: Hits) -> Hits:
        """Return the hits that may be found, in order; the directory is asked once for all of them."""
        if not hits or self.selection.everything:
            return hits
        found = self.selection.rows(self.core, self.cells, (row for row, _ in hits))
        return [hit for hit in hits if hit[0] in found]


@dataclass(frozen=True, slots=True)
class Found:
    """What a retriever proposes, best first.

    Attributes:
        hits: ids and raw scores.
        top: the best raw score of all that it may look at, whatever the selection; None if there is none.
        least: the worst raw score of those that it would have proposed without the selection, likewise.
        count: how many it would have proposed without the selection.
        evidence: what its explanations rest on.
        degraded: what could not be done as asked.
        answered: False if it could not look at all: whoever stands in for it is asked.
        mode: how vectors were searched, if they were.
        latency_ms: what the search took when it was recorded; None for one that is made now, whose time is measured.
        most: the score of a record that says all that the question says, as often as it counts: the scale of the raw
            scores, which is the same for whatever is found; None where there is none.
        familiarity: how much of the question the records speak about that may be found, 0 to 0.3; None where that is
            not known.

    """

    hits: Sequence[tuple[str, float]]
    top: float | None = None
    count: int = 0
    least: float | None = None
    evidence: Any = None
    degraded: tuple[str, ...] = ()
    answered: bool = True
    mode: str | None = None
    latency_ms: float | None = None
    most: float | None = None
    familiarity: float | None = None


NO_SETTINGS: Mapping[str, Any] = {}
"""What a leg may tell a retriever that takes nothing."""


@runtime_checkable
class Retriever(Protocol):
    """Who proposes candidates; the least that a retriever of a caller has to be."""

    name: str

    def search(self, asked: LegQuery) -> Found | Iterable[tuple[str, float]]:
        """Return ids and scores of at most `asked.pool` records."""


class IndexedRetriever:
    """A retriever with an index over the records of each tenant. Derive from it, and overwrite what is different.

    Attributes:
        name: what legs and columns call it.
        section: what its part of a saved generation is called.
        lazy: whether its index is made of the stored records when it is first asked, and never saved.
        complete: whether its index holds every record that can be found, but for those that `put` names.
        borrows: the retriever whose index it is given, as it has none of its own; "" for none.
        takes: what a leg may tell it by its settings, with what holds without; None: it looks at them itself.

    """

    name: str = ""
    section: str = ""
    lazy: bool = False
    complete: bool = False
    borrows: str = ""
    takes: Mapping[str, Any] | None = None

    def checked(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the settings of a leg, checked.

        Raises:
            UnknownField: the retriever does not take such a setting; the message gives the nearest one.
            InvalidArgument: a value that it does not take.

        """
        if given and self.takes is not None:
            for name in given:
                if name not in self.takes:
                    there = f"there are {', '.join(self.takes)}" if self.takes else "it has none"
                    raise UnknownField(
                        f"settings of {self.name!r}: there is no {name!r}; {there}{nearest(str(name), self.takes)}"
                    )
            self.check_settings({**self.takes, **given})
        return given

    def check_settings(self, settings: Mapping[str, Any]) -> None:
        """Refuse a value that the retriever does not take; all that it takes are there."""

    def reads(self, query: str) -> bool:
        """Return whether a question is in a language of the retriever's own, so that its marks are no operators."""
        return False

    def new_index(self, settings: Settings) -> Any | None:
        """Return an empty index; None if a memory with these settings has none."""
        return None

    def put(self, index: Any, batch: Batch, settings: Settings) -> Collection[str] | None:
        """Take records in; those with a known id are replaced. Return which are not held, if that is kept count of."""
        raise NotImplementedError(f"retriever {self.name!r} has an index and no put")

    def remove(self, index: Any, ids: Sequence[str]) -> None:
        """Take records out; unknown ids are passed over."""
        index.remove(ids)

    def made_with(self, index: Any) -> object:
        """Return what an index was made with: a restored one has to say the same as a new one."""
        return None

    def write(self, index: Any) -> bytes:
        """Return the index as bytes."""
        data: bytes = index.to_bytes()
        return data

    def read(self, data: bytes) -> Any:
        """Return the index of these bytes."""
        raise NotImplementedError(f"retriever {self.name!r} has an index and no read")

    def lacking(self, missing: int, records: int) -> str:
        """Return what an answer says about records inside the boundary that the index does not hold."""
        return f"{self.name}: {missing} of {records} records are not in its index"

    def search(self, asked: LegQuery) -> Found:
        """Return the best of the records that may be found."""
        raise NotImplementedError(f"retriever {self.name!r} has no search")

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return a raw score taken apart, or why there is none (`score` None); None if there is no more to say."""
        return None

    def notes(self, found: Found, id: str) -> tuple[str, ...]:
        """Return what a trace says of a candidate."""
        return (self.name,)

    def proofs(self, found: Found) -> tuple[Step, ...]:
        """Return what was proved on the way."""
        return ()

    def exhausted(self, found: Found) -> bool:
        """Return whether the search used up its budget of work."""
        return False


class Foreign(IndexedRetriever):
    """A retriever of a caller: no index, and nothing it says is taken on trust."""

    def __init__(self, retriever: Retriever) -> None:
        self.name, self.retriever = retriever.name, retriever

    def search(self, asked: LegQuery) -> Found:
        """Return what it proposes, in order, without what may not be found."""
        said = self.retriever.search(asked)
        scores: dict[str, float] = {}
        for id, score in said.hits if isinstance(said, Found) else said:
            if isinstance(score, bool) or not isinstance(score, (int, float)) or not math.isfinite(score):
                raise InvalidArgument(f"retriever {self.name!r}: gives {id!r} the score {score!r}; scores are finite")
            for row in asked.rows(id) if isinstance(id, str) else ():
                scores.setdefault(row, float(score))
        ranked = sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))
        kept = asked.passing(ranked)[: asked.pool]
        top, count = ranked[0][1] if ranked else None, min(len(ranked), asked.pool)
        if not isinstance(said, Found):
            return Found(kept, top, count)
        return Found(kept, top, count, degraded=said.degraded, answered=said.answered, latency_ms=said.latency_ms)

    def explain(self, asked: LegQuery, found: Found, id: str, score: float | None) -> Explanation | None:
        """Return what the retriever itself says, if it explains."""
        explain = getattr(self.retriever, "explain", None)
        return None if explain is None or score is None else explain(asked, id, score)


_OURS: Mapping[str, str] = {
    "lexical": "Lexical",
    "words": "Words",
    "hypervector": "Hypervectors",
    "dense": "Dense",
    "symbolic": "Symbolic",
}
_BESIDE: Mapping[str, str] = {"substring": "Substring", "columns": "Columns"}  # shipped too, with indexes of their own
_COMPOSED: Mapping[str, str] = {"qmd": "Qmd"}  # shipped too, of the indexes of others
_SHIPPED: tuple[str, ...] = (*_OURS, *_BESIDE, *_COMPOSED)
_KNOWN: dict[str, IndexedRetriever] = {}


def register(retriever: Retriever | IndexedRetriever, *, replace: bool = False) -> None:
    """Make a retriever known under its name, for legs of profiles.

    One with an index derives from `IndexedRetriever`; register it before the first memory is opened, since an index is
    made when a memory is. Indexes that were saved without it are made anew.

    Args:
        retriever: an object with a `name` and a `search`.
        replace: whether it may take the place of another one that was registered under its name.

    Raises:
        InvalidArgument: the name is taken.
        TypeError: it is no retriever.

    """
    if not isinstance(retriever, Retriever):
        raise TypeError(f"retriever must have a name and a search, which {type(retriever).__name__} has not")
    check_name("name", retriever.name)
    if retriever.name in _SHIPPED or (retriever.name in _KNOWN and not replace):
        raise InvalidArgument(f"retriever: the name {retriever.name!r} is taken; choose another")
    _KNOWN[retriever.name] = retriever if isinstance(retriever, IndexedRetriever) else Foreign(retriever)


def unregister(name: str) -> None:
    """Forget a retriever that was registered; profiles that name it can no longer be asked."""
    if name in _SHIPPED or name not in _KNOWN:
        raise InvalidArgument(f"retriever: {name!r} was not registered")
    del _KNOWN[name]


def retriever_names() -> tuple[str, ...]:
    """Return the names that legs may use."""
    return tuple(dict.fromkeys((*_SHIPPED, *_KNOWN)))


def get(name: str) -> IndexedRetriever:
    """Return the retriever of this name.

    Raises:
        InvalidArgument: there is none.

    """
    if not isinstance(name, str):
        raise TypeError(f"retriever must be str, not {type(name).__name__}")
    known = _KNOWN.get(name)
    home = _OURS.get(name) or _BESIDE.get(name) or _COMPOSED.get(name)
    if known is None and home is not None:
        known = _KNOWN[name] = getattr(import_module(f".{name}", __package__), home)()
    if known is None:
        advice = "one of your own has to be registered first (byheart.retrieval.protocol.register)"
        names = ", ".join(retriever_names())
        raise InvalidArgument(f"retriever: {name!r} is none of {names}{nearest(name, retriever_names())}; {advice}")
    return known


def settings_of(name: str) -> Mapping[str, Any]:
    """Return what a leg may tell a retriever, with what holds without; one of a caller's may take more.

    >>> settings_of("symbolic")["max_depth"], settings_of("lexical")
    (3, {})
    """
    return get(name).takes or {}


def is_ours(name: str) -> bool:
    """Return whether a retriever's index is part of the core's partition."""
    return name in _OURS


def has_index(name: str) -> bool:
    """Return whether a retriever may keep an index of its own."""
    if is_ours(name) or name in _COMPOSED:
        return False
    retriever = get(name)
    return type(retriever).new_index is not IndexedRetriever.new_index


def with_index() -> Iterator[IndexedRetriever]:
    """Give the retrievers that may keep an index of their own."""
    return (get(name) for name in retriever_names() if has_index(name))
