"""The weighing of a message: the gate, asked with what its user has said before and what is kept of it for good.

The gate compares vectors. Which of the durable records says the same, or says it otherwise, is told by their words:
those are read that are nearest by vectors, and those that share words, in a memory without an embedder too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..boundary import cell_key
from ..index import whose
from ..index.indexes import Moved
from ..index.partition import Partition
from ..light.classes import dataclass
from ..patterns.updating import may_update
from ..records import Record
from ..retrieval.filter.canonical import all_of, any_of, negated
from ..retrieval.selection import Hits
from ..storage import key_of
from ..writing.alike import sharing_words
from ..writing.counterparts import counterparts_of, is_counterpart, is_current, lasts
from ..writing.draft import MOST_ALIKE
from .gate import Gate, gate
from .message import Embedded, Message
from .verdict import judged, updated

DUPLICATE_ABOVE = 0.95
"""A durable record at a higher cosine says nearly the same."""

Read = Callable[[Sequence[str]], Sequence[Record | None]]


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the gate said, the durable record that says nearly the same, and what could not be done.

    `duplicate` is looked for if it keeps the message from being kept for good, and holds for as long. `updates` are the
    durable records that the message says otherwise; `looked`: whether any were read for that.
    """

    gate: Gate | None = None
    duplicate: Record | None = None
    degraded: tuple[str, ...] = ()
    updates: tuple[Record, ...] = ()
    looked: bool = False


def weigh(
    message: Message, turn: Record, embedded: Embedded, partition: Partition, own: set[str], now: float, read: Read
) -> Weighed:
    """Put a message through the gate, with two searches; what fails there costs the promotion alone.

    `read` gives the records of rows.
    """
    if not message.gated:
        return Weighed()
    if embedded.failure is not None:
        return Weighed(degraded=(f"gate: not asked, since {embedded.failure}",))
    try:
        said, known, alike, degraded = _hits(message, turn, embedded, partition, own, now)
        found = gate(message.text, _cosines(said), _cosines(known), settings=message.gate)
        near = _Near(message, turn, partition, known, own, now, read)
        found = judged(found, message.text, message.gate, near.lasting)
        duplicate = next((each for each in _there(alike, turn, read) if lasts(each, turn)), None)
        others = updated(turn, near(), found.stated) if found.stated and may_update(message.text) else []
    except Moved:
        raise
    except Exception as error:
        return Weighed(degraded=(f"gate: it failed ({type(error).__name__}: {error})",))
    return Weighed(found, duplicate, degraded, tuple(others), near.asked)


class _Near:
    """The durable records of a message's user that are nearest to it, read when they are first asked for."""

    def __init__(
        self, message: Message, turn: Record, partition: Partition, known: Hits, own: set[str], now: float, read: Read
    ) -> None:
        self._message, self._turn, self._partition, self._known = message, turn, partition, known
        self._own, self._now, self._read = own, now, read
        self._found: list[Record] = []
        self.asked = False

    def __call__(self) -> Sequence[Record]:
        """Return them, the nearest by vectors first; what is archived, over or superseded is none of them."""
        if not self.asked:
            self.asked = True
            rows = dict.fromkeys([*(row for row, _ in self._known), *self._sharing_words()])
            self._found = [each for each in self._read(list(rows)) if each is not None and is_current(each, self._now)]
        return self._found

    def lasting(self) -> Sequence[Record]:
        """Return those of them that may stand for the message: whoever finds what is kept of it finds them, as long."""
        kept = _kept(self._turn)
        return [each for each in self() if is_counterpart(each, kept, self._now) and lasts(each, kept)]

    def _sharing_words(self) -> list[str]:
        within = whose.known_of(self._message.user_id or "")
        others = whose.none_of(self._own) if self._own else None
        return sharing_words(self._partition, self._turn, within, self._now, others)


def _kept(turn: Record) -> Record:
    """Return what is kept for good of a turn, as far as it is compared."""
    return turn.completed(kind=whose.DURABLE, session_id=None)


def _there(hits: Hits, turn: Record, read: Read) -> list[Record]:
    """Return the records of hits that say nearly the same as a turn, the nearest first."""
    near = [row for row, cosine in hits if cosine > DUPLICATE_ABOVE]
    return [each for each in read(near) if each is not None] if near else []


def _hits(
    message: Message, turn: Record, embedded: Embedded, partition: Partition, own: set[str], now: float
) -> tuple[Hits, Hits, Hits, tuple[str, ...]]:
    """Return the nearest of the user's turns, of the user's durable records, and of those that may stand for the turn.

    And what could not be looked at.
    """
    vector, user = embedded.vector, message.user_id or ""
    if partition.settings.dimensions is None or vector is None:
        lacks = "memory has no embedder" if embedded.by is None else "message has no vector"
        return [], [], [], (f"gate: the {lacks}; nothing that was said before is known to it",)
    cells = [cell_key(*key_of(turn).cell)]
    said, known = whose.said_by(user), whose.known_of(user)
    theirs = all_of([any_of([said, known]), negated(whose.OF_ZEROS)])
    blind = partition.core.count(theirs, cells, blank=True) if partition.lacking(cells) else 0
    notes = (f"gate: {blind} of the user's records have no vector and were not compared",) if blind else ()
    if not vector.any():
        return [], [], [], notes  # nothing is near it
    legs = [
        {"retriever": "dense", "k": message.gate.turn_hits, "within": said},
        {"retriever": "dense", "k": message.gate.durable_hits, "within": known},
    ]
    refuses = message.durable_duplicates == "refuse"
    if refuses:
        legs.append({"retriever": "dense", "k": MOST_ALIKE, "within": counterparts_of(_kept(turn), now)})
    found = partition.core.propose(
        legs, cells, vector=vector, filter=whose.none_of(own) if own else None, now=now
    )  # fmt: skip
    return found.hits(0), found.hits(1), found.hits(2) if refuses else [], notes


def _cosines(hits: Hits) -> list[float]:
    return [cosine for _, cosine in hits]
