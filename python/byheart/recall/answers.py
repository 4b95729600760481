"""What comes back: hits, dropped rows, what was degraded, timings, and a receipt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..ranking.candidates import Candidates, Dropped
from ..ranking.explanation import Explanation, Step
from ..records import Record


@dataclass(frozen=True, slots=True)
class Hit:
    """One record that answers the query; `explanation` is there when it was asked for."""

    id: str
    score: float
    record: Record
    explanation: Explanation | None = None

    @property
    def text(self) -> str:
        """The record's text."""
        return self.record.text


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was asked, of what, and what came out: enough to ask again and compare."""

    version: str
    query: str | tuple[str, ...]
    profile: str
    k: int
    boundary: Mapping[str, Any]
    act: str | None
    needed_roles: tuple[str, ...]
    now: float | None
    analyzer: str
    preset: str
    hypervectors: str
    records: int
    escalated: bool
    hits: tuple[tuple[str, str], ...]
    embedder: str | None = None
    mode: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    category: str | None = None
    exclude: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the receipt as a JSON-able mapping; scores are written as hexadecimal floats, bit for bit."""
        values = {name: getattr(self, name) for name in self.__slots__}
        values["query"] = self.query if isinstance(self.query, str) else list(self.query)
        values["needed_roles"] = list(self.needed_roles)
        values["exclude"] = list(self.exclude)
        values["hits"] = [list(hit) for hit in self.hits]
        return values


@dataclass(frozen=True, slots=True)
class TraceCandidate:
    """What a retriever proposed: where the record belongs ("session" or "kb"), its scores, and why."""

    id: str
    store: str
    raw_score: float
    normalised_score: float
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Strategy:
    """A retriever that ran, and whether it used up its budget of work."""

    name: str
    candidates: tuple[TraceCandidate, ...]
    exhausted: bool


@dataclass(frozen=True, slots=True)
class Trace:
    """How an answer came about (spec B1.42.2).

    Attributes:
        purpose: what the answer is for: the act, if one was given.
        strategies: the retrievers that ran, in order, with what they proposed.
        escalated: whether the second one ran.
        unit_types: the kinds of records among the hits: "atomic", "composite", "aggregate".
        considered: how many records lie inside the boundary.
        proofs: what was derived, or stated, that bears on the query; the most telling first.

    """

    purpose: str | None
    strategies: tuple[Strategy, ...]
    escalated: bool
    unit_types: tuple[str, ...]
    considered: int
    proofs: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a query. Iterating gives the hits, best first.

    Attributes:
        hits: best first.
        dropped: (id, reason) of every candidate that is no hit.
        degraded: what could not be done as asked; empty when all went well.
        timings: microseconds by step. The only part that differs between equal calls.
        receipt: what was asked and what came out.
        table: the candidate table of the hits.
        trace: which retrievers ran, what they proposed, and the proofs; with `explain=True` only.
        skipped: why nothing was searched, where the query needs no memory (`adaptive`); None if it was searched.

    """

    hits: tuple[Hit, ...]
    dropped: tuple[Dropped, ...]
    degraded: tuple[str, ...]
    receipt: Receipt
    table: Candidates
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)
    trace: Trace | None = None
    skipped: str | None = None

    @property
    def sufficient(self) -> bool:
        """Whether the evidence is enough to answer from (spec B1.42.1).

        There is a hit; and no role is needed, or a hit has a needed one, or there are two hits at least.
        """
        roles = self.receipt.needed_roles
        if not self.hits or not roles or len(self.hits) > 1:
            return bool(self.hits)
        return self.hits[0].record.role in roles

    def __iter__(self) -> Iterator[Hit]:
        """Give the hits, best first."""
        return iter(self.hits)

    def __len__(self) -> int:
        """Return how many hits there are."""
        return len(self.hits)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the timings as a JSON-able mapping: equal for equal answers, byte for byte."""
        return {
            "hits": [{"id": hit.id, "score": hit.score, "record": hit.record.to_dict()} for hit in self.hits],
            "dropped": [list(row) for row in self.dropped],
            "degraded": list(self.degraded),
            "skipped": self.skipped,
            "notes": list(self.table.notes),
            "columns": {name: list(values) for name, values in self.table.columns.items()},
            "receipt": self.receipt.to_dict(),
        }

    def explain(self) -> str:
        """Return the candidate table for a terminal: hits with their columns, dropped rows with their reasons."""
        receipt = self.receipt
        steps = ", ".join(f"{name} {value:.0f} us" for name, value in self.timings.items())
        lines = [f"{receipt.profile}: {len(self.hits)} of {receipt.records} records  ({steps})"]
        names = list(self.table.columns)
        for rank, hit in enumerate(self.hits, 1):
            values = (self.table.columns[name][rank - 1] for name in names)
            cells = "  ".join(
                f"{name} {'-' if value is None else format(value, '.4f')}"
                for name, value in zip(names, values, strict=True)
            )
            lines.append(f"{rank:>3}. {hit.id}  {cells}")
            lines.append(f"     {snippet(hit.text)}")
            if hit.explanation is not None:
                lines += ["     " + line for line in str(hit.explanation).splitlines()[1:]]
        lines += [f"  -  {row.id}  dropped: {row.reason}" for row in self.dropped]
        lines += [f"note: {note}" for note in self.table.notes]
        lines += [f"degraded: {reason}" for reason in self.degraded]
        lines += [f"not searched: {self.skipped}"] if self.skipped is not None else []
        return "\n".join(lines)


def snippet(text: str, width: int = 88) -> str:
    r"""Return the beginning of a text on one line, control characters shown as blanks.

    >>> snippet("two\nlines")
    'two lines'
    """
    flat = " ".join("".join(c if c.isprintable() else " " for c in text[: width * 4]).split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"
