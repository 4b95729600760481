"""Receipts of what was done with conversations, and what a prompt gets. Imported on use."""

from __future__ import annotations

from ..frozen import Document
from ..light.classes import dataclass
from ..recall.answers import Recall
from ..words import EntryKind, TurnsFate
from .gate import Gate

_SHOWN = 5  # entries, where a context is shown on a line


@dataclass(frozen=True, slots=True)
class ContextEntry(Document):
    """One entry: its number ("M1" is 1), the record's id, the text as shown, its kind, score and cost.

    `kind` is "invariant", "recent" or "hit"; only hits have a score. `cut`: a part of it is shown. `beside`: the id of
    the hit that it was told beside, or of the summary that it stands behind, where it is there for that alone.
    """

    number: int
    id: str
    text: str
    kind: EntryKind
    score: float | None
    tokens: float
    cut: bool = False
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class Charge(Document):
    """A row of a context's receipt: what an item costs, what was spent then, and why it is in or out.

    Attributes:
        number: of the entry; None if it is out.
        id: of the record; of a "frame" the kind of its entries.
        kind: "invariant", "recent", "hit"; or "frame": what stands around entries of a kind, set aside before them if
            it counts.
        tokens: what it costs.
        spent: what had been spent once it was looked at.
        reason: "accepted"; "cut": a part of it is in; "expanded": the turns behind it are considered in its place;
            "over_budget"; "outdated": a newer statement that says nearly the same did not fit; "after_stop": something
            before it was over; "invariant": it is in already.
        beside: the id of the hit that it was told beside, or of the summary that it stands behind, if that is why it
            was considered.
        worth: by which it stood in order where a context is filled (see `byheart.conversation.leaning`): turns among
            turns, and what is no turn by its score.

    """

    number: int | None
    id: str
    kind: str
    tokens: float
    spent: float
    reason: str
    beside: str | None = None
    worth: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Context(Document):
    """What to put into a prompt, and how it came about. `str(context)` is its text; without one it is false.

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

    @property
    def sufficient(self) -> bool:
        """Whether the memory knows what is asked about, as its answer says (`Recall.sufficient`)."""
        return self.recall.sufficient

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def __bool__(self) -> bool:
        """Return whether there is a text."""
        return bool(self.text)

    def __repr__(self) -> str:
        """Show what the block costs of what there was, and of what it is made."""
        more = "".join(
            f", {name}={value!r}"
            for name in ("degraded", "skipped")
            if (value := getattr(self, name)) not in ((), None)
        )
        made = ", ".join(f"M{entry.number} {entry.kind} {entry.id!r}" for entry in self.entries[:_SHOWN])
        made += ", ..." if len(self.entries) > _SHOWN else ""
        return f"Context({self.tokens:g} of {self.budget:g} tokens{more}: [{made}])"

    def _repr_html_(self) -> str:
        """Show the entries as a table in a notebook."""
        from ..recall.showing import table

        rows = [(f"M{each.number}", each.kind, each.id, each.tokens, each.text) for each in self.entries]
        return table(f"{self.tokens:g} of {self.budget:g} tokens", ["", "kind", "id", "tokens", "text"], rows)


@dataclass(frozen=True, slots=True)
class Declined(Document):
    """Turns that were left as they are, and why."""

    source_ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class CompactReceipt(Document):
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
    sources: TurnsFate
    declined: tuple[Declined, ...]
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnReceipt(Document):
    """What `Memory.ingest_turn` did with a message.

    Attributes:
        id: of the turn; None if it was not kept: the memory refuses noise.
        durable_id: of the copy that is remembered for good; None if there is none.
        refused: why the message is noise: nothing is made of it, and the turn's metadata says so under "noise".
        gate: what the gate found, with all its signals; None if it was not asked, or failed.
        duplicate_of: the durable record that says nearly the same, so that no copy was made.
        degraded: what could not be done as asked.
        archived: whether the turn is kept where no recall finds it, since it says nothing at all.
        superseded: ids of the records in whose place turn or copy stands now (see `Memory.remember`).
        near_duplicates: ids of records that say nearly the same with another value.
        user_id: whose the turn is: as it was given, or the user of its session; None if it is nobody's or not kept.

    """

    id: str | None = None
    durable_id: str | None = None
    refused: str | None = None
    gate: Gate | None = None
    duplicate_of: str | None = None
    degraded: tuple[str, ...] = ()
    archived: bool = False
    superseded: tuple[str, ...] = ()
    near_duplicates: tuple[str, ...] = ()
    user_id: str | None = None
