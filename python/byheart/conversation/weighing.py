"""The weighing of a message: the gate, asked with what its user has said before and what is kept of it for good."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..boundary import cell_key, id_of
from ..index import whose
from ..index.partition import Partition
from ..records import Record
from ..retrieval.filter.canonical import all_of, any_of, negated
from ..retrieval.selection import Hits
from .gate import Gate, gate
from .message import Embedded, Message

DUPLICATE_ABOVE = 0.95
"""A durable record at a higher cosine says nearly the same."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the gate said, the nearest durable records with their cosines, and what could not be done."""

    gate: Gate | None = None
    known: Hits = field(default_factory=list)
    degraded: tuple[str, ...] = ()

    def duplicate(self) -> str | None:
        """Return the durable record that says nearly the same, if there is one."""
        return id_of(self.known[0][0]) if self.known and self.known[0][1] > DUPLICATE_ABOVE else None


def weigh(
    message: Message, turn: Record, embedded: Embedded, partition: Partition, own: set[str], now: float
) -> Weighed:
    """Put a message through the gate, with two searches; what fails there costs the promotion alone."""
    if not message.gated:
        return Weighed()
    if embedded.failure is not None:
        return Weighed(degraded=(f"gate: not asked, since {embedded.failure}",))
    try:
        said, known, degraded = _hits(message, turn, embedded, partition, own, now)
        found = gate(message.text, _cosines(said), _cosines(known), settings=message.gate)
    except Exception as error:
        return Weighed(degraded=(f"gate: it failed ({type(error).__name__}: {error})",))
    return Weighed(found, known, degraded)


def _hits(
    message: Message, turn: Record, embedded: Embedded, partition: Partition, own: set[str], now: float
) -> tuple[Hits, Hits, tuple[str, ...]]:
    """Return the user's turns and the user's durable records that are nearest, and what could not be looked at."""
    vector, user = embedded.vector, message.user_id or ""
    if partition.settings.dimensions is None or vector is None:
        return [], [], ("gate: the memory has no embedder; nothing that was said before is known to it",)
    cells = [cell_key(turn.scope or "", turn.boundary_class or "")]
    said, known = whose.said_by(user), whose.known_of(user)
    theirs = all_of([any_of([said, known]), negated(whose.OF_ZEROS)])
    blind = partition.core.count(theirs, cells, blank=True) if partition.lacking(cells) else 0
    notes = (f"gate: {blind} of the user's records have no vector and were not compared",) if blind else ()
    if not vector.any():
        return [], [], notes  # nothing is near it
    legs = [
        {"retriever": "dense", "k": message.gate.turn_hits, "within": said},
        {"retriever": "dense", "k": message.gate.durable_hits, "within": known},
    ]
    found = partition.core.propose(
        legs, cells, vector=vector, filter=whose.none_of(own) if own else None, now=now
    )  # fmt: skip
    return found.hits(0), found.hits(1), notes


def _cosines(hits: Hits) -> list[float]:
    return [cosine for _, cosine in hits]
