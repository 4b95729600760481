"""Turns of conversations: what is said is kept, and what is worth it is remembered for good.

Laws: every turn is kept, unless the memory refuses noise; noise and the gate decide what is made of it. A turn that
says nothing at all is archived, by its own name. The gate looks before anything is written, so that a message never
finds itself. It compares a message with the records of its own user and its own cell alone, so that the numbers which
the record then carries tell nobody of what he may not see. What says with another value what is kept for good is kept,
too, whatever the gate says of it: else the old value alone would outlive its session. A turn that names no user is its
session's user's, if there is one. A turn and its durable copy are one write. A turn's name is free when it is written,
whoever else writes to the store. What goes wrong with vectors or gate costs the promotion, and never the turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .. import knowledge
from ..boundary import Boundary, cell_key, id_of
from ..errors import DuplicateId, InvalidArgument
from ..frozen import copier
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index import whose
from ..index.indexes import Indexes, Moved
from ..index.partition import Partition
from ..index.saving import Saver
from ..index.whose import DURABLE, TURN, USER_ROLE
from ..records import Record
from ..retrieval.filter.canonical import any_of
from ..retrieval.selection import Hits
from ..storage import Key, Problem, Vectors, VectorStore, key_of, salvage
from ..storage.attempts import attempts
from ..validation import MAX_ID_BYTES, check_id, check_text, json_mapping
from ..words import Duplicates, Durable, words_of
from ..writing.change import Change
from ..writing.completion import first_free
from ..writing.draft import either
from ..writing.noise_policy import Judged, NoisePolicy, marked
from ..writing.standing import Standing
from ..writing.writer import Writer
from .gate import Gate, GateSettings, gate
from .receipts import TurnReceipt
from .roles import role_of
from .session_user import session_user

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..embedding import Embedder

DUPLICATE_ABOVE = 0.95
"""A durable record at a higher cosine says nearly the same."""

_DIGITS = 13  # of the milliseconds of our time: ids of one session sort as they were given, until the year 2286
_LOOK = 64  # so many of a cell are asked for at once, where a user has too many records to be named one by one
_LONGEST_SESSION = MAX_ID_BYTES - 32
_CHOICES = {"durable": words_of(Durable), "durable_duplicates": words_of(Duplicates)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message, and what may become of it; `Memory.ingest_turn` says what the fields are. Checked when made."""

    text: str
    session_id: str
    user_id: str | None
    role: str
    id: str | None
    created_at: float
    tenant: str | None
    scope: str | None
    boundary_class: str | None
    metadata: Mapping[str, Any]
    durable: Durable
    durable_duplicates: Duplicates
    gate: GateSettings
    judged: Judged = field(default_factory=Judged)

    def __post_init__(self) -> None:
        """Check what the record itself does not."""
        for name in ("text", "session_id", "role"):
            if not isinstance(getattr(self, name), str):
                raise TypeError(f"{name} must be str, not {type(getattr(self, name)).__name__}")
        for name in ("text", "session_id", "user_id", "role"):
            check_text(name, getattr(self, name))
            if name != "text" and getattr(self, name) is not None and not getattr(self, name).strip():
                raise InvalidArgument(f"{name}: is blank; say whose turn it is")
        object.__setattr__(self, "role", role_of(self.role))
        if self.id is not None:
            check_id(self.id)
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise InvalidArgument(f"{name}: {getattr(self, name)!r} is none of {', '.join(choices)}")
        if not isinstance(self.gate, GateSettings):
            raise TypeError(f"gate must be GateSettings, not {type(self.gate).__name__}")

    @property
    def gated(self) -> bool:
        """Whether it may be remembered for good: it is what a known user said, and no noise."""
        said = self.role == USER_ROLE and self.user_id is not None
        return said and self.durable != "none" and self.judged.reason is None

    def record(self) -> Record:
        """Return the turn, still without an id if it was given none."""
        return Record(
            text=self.text, id=self.id, tenant=self.tenant, scope=self.scope, boundary_class=self.boundary_class,
            kind=TURN, session_id=self.session_id, user_id=self.user_id, created_at=self.created_at,
            metadata=marked({**self.metadata, "role": self.role}, self.judged.reason),
        )  # fmt: skip


_judged = copier(Message)


@dataclass(frozen=True, slots=True)
class Embedded:
    """The one vector of a message, and of everything that is stored of it; None where there is none, and why."""

    by: Embedder | None
    vector: NDArray[np.float32] | None = None
    failure: str | None = None

    def of(self, records: Sequence[Record]) -> Vectors | None:
        """Return it as the vector of records."""
        if self.by is None or self.vector is None or not records:
            return None
        row = self.vector.astype("<f4", copy=False).tobytes()
        return Vectors(str(self.by.fingerprint), {key_of(record): row for record in records})


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the gate said, the nearest durable records with their cosines, and what could not be done."""

    gate: Gate | None = None
    known: Hits = field(default_factory=list)
    degraded: tuple[str, ...] = ()

    def duplicate(self) -> str | None:
        """Return the durable record that says nearly the same, if there is one."""
        return id_of(self.known[0][0]) if self.known and self.known[0][1] > DUPLICATE_ABOVE else None


class Ingester:
    """Takes in messages.

    Args:
        store: where the records are.
        indexes: of the store.
        saver: of the indexes.
        writer: of the same.
        noise: what becomes of messages that are noise.

    """

    def __init__(self, store: VectorStore, indexes: Indexes, saver: Saver, writer: Writer, noise: NoisePolicy) -> None:
        self._store, self._indexes, self._saver, self._writer, self._noise = store, indexes, saver, writer, noise

    def ingest(self, message: Message, now: float) -> TurnReceipt:
        """Keep a message as a turn, and as a durable record if the gate lets it pass; or say why it is refused.

        Raises:
            InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: a field cannot be taken.
            DuplicateId: the copy's id is another record's.
            StoreBusy: others wrote to the store during each of several attempts.

        """
        self._writer.commits.check_writable()
        judged = self._noise.judged(message.text)
        if not judged.kept:
            return TurnReceipt(refused=judged.reason)
        message, record = self._admitted(message, judged)
        asked, receipt = dict[Key, None](), TurnReceipt()
        embedded, alone = self._embed(message), False
        for attempt in attempts("keep a turn"):
            if embedded.by is not self._writer.embedder:
                embedded = self._embed(message)
            with (
                suppress(Moved),
                self._saver.alone() if alone else nullcontext(),
                self._writer.commits.planning(alone=alone or attempt > 0),
            ):
                if embedded.by is not self._writer.embedder:
                    continue
                lost = self._there(list(asked))  # now: what was in the way before may be forgotten by now
                change, receipt = self._planned(message, record, embedded, lost, now)
                if change.removed and not alone:
                    alone = True  # the saver's turn is taken before the lock
                    continue
                if self._writer.commits.commit(change, self._vectors(change, embedded)):
                    break
                asked.update(dict.fromkeys(change.absent))
        return receipt

    def _admitted(self, message: Message, judged: Judged) -> tuple[Message, Record]:
        """Return a message with what was judged of it, and its record, as a policy lets them in."""
        record = message.record()
        admitted = self._writer.admitted(record)
        if admitted is record and judged.reason is None:  # as nearly always: nothing that was checked has changed
            return _judged(message, {"judged": judged}), record
        message = replace(message, text=admitted.text, judged=judged)
        return message, message.record()

    def _there(self, keys: Sequence[Key]) -> set[str]:
        """Return the ids of those of some keys that have a record in the store, be it damaged."""
        problems: list[Problem] = []
        found = salvage.records(self._store, keys, problems)
        damaged = {each.key.id for each in problems if each.key is not None}
        return damaged | {key.id for key, record in zip(keys, found, strict=True) if record is not None}

    def _vectors(self, change: Change, embedded: Embedded) -> Vectors | None:
        """Return the vectors of what is written: the message's one, and those that are kept."""
        made = embedded.of(list(change.made.values()))
        model = self._writer.embedder
        kept = embeddings.kept(self._store, list(change.moved), model) if change.moved else None
        if made is None or kept is None:
            return made or kept
        return Vectors(made.model, {**kept.rows, **made.rows})

    def _embed(self, message: Message) -> Embedded:
        """Make the vector, without a lock; whatever a caller's embedder raises, the turn can be kept without.

        What is archived is found by nothing, and needs none.
        """
        embedder = self._writer.embedder
        if embedder is None or message.judged.archived:
            return Embedded(embedder)
        try:
            return Embedded(embedder, embeddings.of_text(embedder, message.text))
        except Exception as error:
            return Embedded(embedder, failure=f"the embedder failed ({type(error).__name__}: {error})")

    def _planned(
        self, message: Message, record: Record, embedded: Embedded, lost: set[str], now: float
    ) -> tuple[Change, TurnReceipt]:
        """Return what to write, and what to say of it; the caller holds the lock of the indexes."""
        named = record if record.id is not None else record.completed(id="-")  # its cell is known before its name
        [turn] = self._writer.completed([named], now)
        user = session_user(turn, self._indexes) if message.user_id is None else None
        if user is not None and user.id is not None:
            message, turn = replace(message, user_id=user.id), turn.completed(user_id=user.id)
        partition = self._indexes[turn.tenant or ""]
        reach = self._writer.reach(turn.tenant or "")
        own = set[str]()
        if message.id is None:
            taken = _taken(partition, reach, lost)
            id = _free_id(message, lambda id: self._is_reserved(turn, id) or taken(id))
        else:
            id, own = message.id, {message.id, durable_id(message.id)}
        said: dict[str, Any] = {"id": id, "archived_by": id} if message.judged.archived else {"id": id}
        weighed = self._weighed(message, turn, embedded, partition, own, now)
        if weighed.gate is not None:
            said["metadata"] = json_mapping("metadata", {**turn.metadata, **weighed.gate.to_metadata()})
        turn = turn.completed(**said)
        duplicate = weighed.duplicate() if message.durable_duplicates == "refuse" else None
        wanted = message.durable == "all" or (weighed.gate is not None and weighed.gate.promoted)
        standing = self._writer.standing()
        if message.gated and (not wanted or duplicate is not None) and _corrects(standing, turn, now):
            wanted, duplicate = True, None
        promoted = message.gated and wanted and duplicate is None
        degraded = weighed.degraded
        if embedded.failure is not None:
            degraded = (f"vector: {embedded.failure}; Memory.embed makes it later", *degraded)
        receipt = TurnReceipt(
            id=id, durable_id=durable_id(id) if promoted else None, refused=message.judged.reason, gate=weighed.gate,
            duplicate_of=duplicate if message.gated and wanted else None, degraded=degraded,
            archived=message.judged.archived, user_id=turn.user_id,
        )  # fmt: skip
        change = self._written(turn, receipt)
        if message.id is None:
            self._rest_on_number(change, turn, message, partition, reach)
        if user is not None:
            user.add_to(change)
        if message.durable_duplicates == "refuse" and message.gated and wanted:
            self._rest_on(change, turn, weighed, receipt)
        return change, receipt if message.judged.archived else _stood(standing, change, turn, receipt)

    def _rest_on_number(
        self, change: Change, turn: Record, message: Message, partition: Partition, reach: Boundary
    ) -> None:
        """Have a write depend on the turn whose number came before: if that is forgotten meanwhile, it is free."""
        before = _number_of(turn.id or "") - 1
        if before < _first(message):
            return
        last = turn_id(message.session_id, before)
        rows = selecting.inside(partition, reach, [last])
        found = [record for record in self._indexes.stored(turn.tenant or "", rows) if record is not None]
        change.expected.update((key_of(record), record) for record in found)

    def _rest_on(self, change: Change, turn: Record, weighed: Weighed, receipt: TurnReceipt) -> None:
        """Have a write depend on what it was compared with: two that say the same at once are not both remembered."""
        if receipt.duplicate_of is not None:
            rows = [row for row, _ in weighed.known[:1]]
            found = [record for record in self._indexes.stored(turn.tenant or "", rows) if record is not None]
            change.expected.update((key_of(record), record) for record in found)
        cell = key_of(turn).cell

        def is_compared(record: Record) -> bool:
            return record.user_id == turn.user_id and record.kind != TURN and key_of(record).cell == cell

        change.seen = either(change.seen, is_compared)

    def _is_reserved(self, turn: Record, id: str) -> bool:
        """Return whether an invariant has this id, or that of the copy of a turn with this id."""
        return any(self._writer.is_reserved(turn.tenant or "", each) for each in (id, durable_id(id)))

    def _weighed(
        self, message: Message, turn: Record, embedded: Embedded, partition: Partition, own: set[str], now: float
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

    def _written(self, turn: Record, receipt: TurnReceipt) -> Change:
        """Return the write: turn and copy together; of a turn that was there before, the old copy goes or is replaced.

        Raises:
            DuplicateId: there is a record with the copy's id that is no copy of this turn.
            InvalidArgument: an invariant has that id.
            AmbiguousId: several records have the id of the turn, and none lies in its cell.

        """
        places = [(turn, self._writer.planner.place_of(turn))]
        copy = _copy_of(turn)
        self._writer.check_variant(copy)
        place = self._writer.planner.place_of(copy)
        old = None if place is None else self._indexes.stored(turn.tenant or "", [place])[0]
        if old is not None and old.provenance.get("source_id") != turn.id:
            raise DuplicateId(
                f"id {copy.id!r}: the copy's, is another record's; forget that, or name the turn otherwise"
            )
        if receipt.durable_id is not None:
            places.append((copy, place))
            return self._writer.planner.planned(places)
        change = self._writer.planner.planned(places, [] if old is None else [old])
        if old is None:
            change.absent.append(key_of(copy))
        return change


def _stood(standing: Standing, change: Change, turn: Record, receipt: TurnReceipt) -> TurnReceipt:
    """Add to a write in whose place turn and copy stand, and what is nearly the same; return what to say of it."""
    own = {receipt.durable_id, turn.id}
    records = [record for record in change.put.values() if record.id in own]
    stood = [  # the copy first: it outlives the turn
        standing.stand(record, change.instead.get(key_of(record)))
        for record in sorted(records, key=lambda record: record.id == turn.id)
    ]
    if change.remove:
        standing.leave([change.expected[key] for key in change.removed if key in change.expected])
    standing.add_to(change)
    superseded = dict.fromkeys(id for each in stood for id in each.superseded)
    near = dict.fromkeys(id for each in stood for id in each.record.near_duplicates)
    if not superseded and not near:
        return receipt
    return replace(receipt, superseded=tuple(superseded), near_duplicates=tuple(near))


def _corrects(standing: Standing, turn: Record, now: float) -> bool:
    """Return whether a turn says otherwise what is kept for good: it is kept too, however like that the gate finds it.

    Else the old value alone would outlive the session.
    """
    return any(each.kind == DURABLE for each in standing.changed_by(_copy_of(turn), now))


def _copy_of(turn: Record) -> Record:
    """Return the durable copy of a turn."""
    return turn.completed(
        id=durable_id(turn.id or ""), kind=DURABLE, session_id=None,
        provenance={"source_id": turn.id, "session_id": turn.session_id},
    )  # fmt: skip


def durable_id(turn_id: str) -> str:
    """Return the id of a turn's durable copy: always the same, so that it is replaced together with the turn.

    >>> durable_id("s1:1767225600000")
    'durable:1d9cf061ebd74491'
    """
    return f"durable:{knowledge.digest(turn_id)[:16]}"


def turn_id(session_id: str, milliseconds: int) -> str:
    """Return the id of a turn: its session and a number; of a session with a very long name, a digest of that.

    >>> turn_id("s1", 1767225600000), turn_id("s1", 7)
    ('s1:1767225600000', 's1:0000000000007')
    """
    long = len(session_id.encode()) > _LONGEST_SESSION
    return f"{knowledge.digest(session_id) if long else session_id}:{milliseconds:0{_DIGITS}}"


def _first(message: Message) -> int:
    """Return the number of the first turn of a message's millisecond."""
    return max(round(message.created_at * 1000), 0)


def _number_of(id: str) -> int:
    return int(id.rpartition(":")[2])


def _free_id(message: Message, taken: Callable[[str], bool]) -> str:
    """Return the first id that is free from the message's millisecond on, in a time that grows with its logarithm.

    Of messages of one millisecond the later one has the greater number: what was taken stays taken, so that no search
    ends before an earlier one did.
    """
    before = _first(message) - 1

    def name(number: int) -> str:
        return turn_id(message.session_id, before + number)

    return name(first_free(lambda number: taken(name(number))))


def _taken(partition: Partition, reach: Boundary, lost: set[str]) -> Callable[[str], bool]:
    """Return what tells whether an id is known: to the indexes, to the store alone, or to what stands for a turn."""

    def taken(id: str) -> bool:
        if id in lost or selecting.inside(partition, reach, [id, durable_id(id)]):
            return True
        return bool(partition.rows_in(reach, whose.summaries_of(id)))

    return taken


def _hits(
    message: Message, turn: Record, embedded: Embedded, partition: Partition, own: set[str], now: float
) -> tuple[Hits, Hits, tuple[str, ...]]:
    """Return the user's turns and the user's durable records that are nearest, and what could not be looked at."""
    vector, user = embedded.vector, message.user_id or ""
    if partition.settings.dimensions is None or vector is None:
        return [], [], ("gate: the memory has no embedder; nothing that was said before is known to it",)
    cells = [cell_key(turn.scope or "", turn.boundary_class or "")]
    said, known = whose.said_by(user), whose.known_of(user)
    blind = partition.core.count(any_of([said, known]), cells, blank=True) if partition.without_vector(cells) else 0
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
