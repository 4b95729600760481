"""What comes back: hits, dropped rows, what was degraded, timings, and a receipt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .ranking.candidates import Candidates, Dropped
from .ranking.explanation import Explanation, Step
from .records import Record

if TYPE_CHECKING:
    from .ingestion.gate import Gate


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


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """One entry: its number ("M1" is 1), the record's id, the text as shown, its kind, score and cost.

    `kind` is "invariant", "recent" or "hit"; only hits have a score.
    """

    number: int
    id: str
    text: str
    kind: str
    score: float | None
    tokens: float


@dataclass(frozen=True, slots=True)
class Charge:
    """A row of a context's receipt: what an item costs, what was spent then, and why it is in or out.

    Attributes:
        number: of the entry; None if it is out.
        id: of the record; of a "frame" the kind of its entries.
        kind: "invariant", "recent", "hit"; or "frame": what stands around entries of a kind, set aside before them if
            it counts.
        tokens: what it costs.
        spent: what had been spent once it was looked at.
        reason: "accepted"; "over_budget"; "after_stop": something before it was over; "invariant": it is in already.

    """

    number: int | None
    id: str
    kind: str
    tokens: float
    spent: float
    reason: str


@dataclass(frozen=True, slots=True)
class Context:
    """What to put into a prompt, and how it came about. `str(context)` is its text.

    Attributes:
        text: the block, or an empty text if there is nothing to say.
        entries: what stands in it, in order.
        tokens: what the entries' texts cost together.
        frame_tokens: what all the rest of the block costs: its sections, tags and escapes.
        budget: what there was to spend, after `fraction`.
        receipt: every item that was considered.
        degraded: what could not be done as asked.
        skipped: why nothing was searched; None if it was.
        recall: the answer behind the hits.

    """

    text: str
    entries: tuple[ContextEntry, ...]
    tokens: float
    frame_tokens: float
    budget: float
    receipt: tuple[Charge, ...]
    degraded: tuple[str, ...]
    skipped: str | None
    recall: Recall

    def __str__(self) -> str:
        """Return the text."""
        return self.text


@dataclass(frozen=True, slots=True)
class EmbedReceipt:
    """What `Memory.embed` did: the model, the one before it, how many vectors it made, and how many were there."""

    model: str
    previous: str | None
    made: int
    kept: int


@dataclass(frozen=True, slots=True)
class ForgetReceipt:
    """What `Memory.forget` did.

    Attributes:
        ids: the records that were removed, as asked.
        missing: which of the ids asked for were not there.
        files: the index files that went with them.
        summaries: records that were removed besides, since they said in other words what these said.
        released: what those summaries, or summaries among `ids`, stood for beside them: archived before, found again.
        copies: durable copies of turns that were removed with the turns.

    """

    ids: tuple[str, ...]
    missing: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    summaries: tuple[str, ...] = ()
    released: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Declined:
    """Turns that were left as they are, and why."""

    source_ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CompactReceipt:
    """What `Memory.compact` did.

    Attributes:
        session_id: whose turns were looked at.
        did_compact: whether a summary was made.
        clusters_formed: how many were made.
        turns_removed: how many turns are found no more: archived, or deleted.
        summary_method: the method of all summaries, or "mixed"; "" without any.
        mean_confidence: of the summaries, 0 to 1.
        summaries: their ids, in order of time.
        sources: what became of the turns: "archive" or "delete".
        declined: turns that could have been summarised, and were not.
        degraded: what was not done as asked, or not as well as it could have been.

    """

    session_id: str
    did_compact: bool
    clusters_formed: int
    turns_removed: int
    summary_method: str
    mean_confidence: float
    summaries: tuple[str, ...]
    sources: str
    declined: tuple[Declined, ...]
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnReceipt:
    """What `Memory.ingest_turn` did with a message.

    Attributes:
        id: of the turn; None if the message was refused.
        durable_id: of the copy that is remembered for good; None if there is none.
        refused: why the message was not kept.
        gate: what the gate found, with all its signals; None if it was not asked, or failed.
        duplicate_of: the durable record that says nearly the same, so that no copy was made.
        degraded: what could not be done as asked.

    """

    id: str | None = None
    durable_id: str | None = None
    refused: str | None = None
    gate: Gate | None = None
    duplicate_of: str | None = None
    degraded: tuple[str, ...] = ()


def snippet(text: str, width: int = 88) -> str:
    r"""Return the beginning of a text on one line, control characters shown as blanks.

    >>> snippet("two\nlines")
    'two lines'
    """
    flat = " ".join("".join(c if c.isprintable() else " " for c in text[: width * 4]).split())
    return flat if len(flat) <= width else flat[: width - 1].rstrip() + "…"
