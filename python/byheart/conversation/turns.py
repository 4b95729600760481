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

from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from ..boundary import Boundary
from ..errors import DuplicateId
from ..frozen import copier, maker
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.indexes import Indexes, Moved
from ..index.partition import Partition
from ..index.saving import Saver
from ..index.whose import DURABLE, TURN
from ..records import Record
from ..storage import Key, Problem, Vectors, VectorStore, key_of, salvage
from ..storage.attempts import attempts
from ..validation import json_mapping
from ..writing.change import Change
from ..writing.draft import either
from ..writing.noise_policy import Judged, NoisePolicy
from ..writing.standing import Standing
from ..writing.writer import Writer
from .corrected import Corrected, corrected_by
from .message import Embedded, Message
from .receipts import TurnReceipt
from .session_user import session_user
from .turn_names import durable_id, first_number, free_id, number_of, taken_in, turn_id
from .weighing import Weighed, weigh

_judged, _receipt = copier(Message), maker(TurnReceipt)


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
                # Now: what was in the way before may be forgotten by now.
                lost = self._there(list(asked)) if asked else set[str]()
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
            return message if judged is message.judged else _judged(message, {"judged": judged}), record
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

        What is archived is found by nothing, and needs none. One that the caller brings is taken.
        """
        embedder = self._writer.embedder
        if message.vector is not None:
            return Embedded(embedder, embeddings.brought(embedder, message.vector))
        if embedder is None or message.judged.archived or not embeddings.makes_vectors(embedder):
            return Embedded(embedder)
        try:
            return Embedded(embedder, embeddings.of_text(embedder, message.text))
        except Exception as error:
            from ..boundary.redaction.reasons import reason_of  # its detectors are compiled where an embedder failed

            return Embedded(embedder, failure=f"the embedder failed ({reason_of(error)})")

    def _planned(
        self, message: Message, record: Record, embedded: Embedded, lost: set[str], now: float
    ) -> tuple[Change, TurnReceipt]:
        """Return what to write, and what to say of it; the caller holds the lock of the indexes."""
        [turn] = self._writer.completed([record], now, unnamed="-")  # its cell is known before its name
        user = session_user(turn, self._indexes) if message.user_id is None else None
        if user is not None and user.id is not None:
            message, turn = replace(message, user_id=user.id), turn.completed(user_id=user.id)
        tenant = key_of(turn).tenant
        partition, reach = self._indexes[tenant], self._writer.reach(tenant)
        own = set[str]()
        if message.id is None:
            taken = taken_in(partition, reach, lost)
            id = free_id(message, lambda id: self._is_reserved(turn, id) or taken(id))
        else:
            id, own = message.id, {message.id, durable_id(message.id)}
        said: dict[str, Any] = {"id": id, "archived_by": id} if message.judged.archived else {"id": id}
        read = partial(self._indexes.stored, tenant)
        weighed = weigh(message, turn, embedded, partition, own, now, read)
        if weighed.gate is not None:
            told = {**turn.metadata, **weighed.gate.to_metadata()}
            # Of most turns there is but the role, which was looked at, beside numbers that are finite.
            said["metadata"] = told if len(turn.metadata) == 1 else json_mapping("metadata", told)
        turn = turn.completed(**said)
        duplicate = None if weighed.duplicate is None else weighed.duplicate.id
        wanted = message.durable == "all" or (weighed.gate is not None and weighed.gate.promoted)
        standing, copy = self._writer.standing(), _copy_of(turn)
        turned_away = message.gated and (not wanted or duplicate is not None)
        corrected = corrected_by(turn, self._indexes, now)
        if turned_away and (weighed.updates or corrected.copies or _corrects(standing, copy, now)):
            wanted, duplicate = True, None
        promoted = message.gated and wanted and duplicate is None
        degraded = weighed.degraded
        if embedded.failure is not None:
            degraded = (f"vector: {embedded.failure}; Memory.embed makes it later", *degraded)
        elif embedded.is_lacking and not message.judged.archived:
            degraded = (
                "vector: the memory makes none of a model that is declared alone; bring it by vector=",
                *degraded,
            )
        receipt = _receipt(
            id=id, durable_id=durable_id(id) if promoted else None, refused=message.judged.reason, gate=weighed.gate,
            duplicate_of=duplicate if message.gated and wanted else None, degraded=degraded,
            archived=message.judged.archived, user_id=turn.user_id,
        )  # fmt: skip
        change = self._written(turn, copy, receipt, free=message.id is None)
        if message.id is None:
            self._rest_on_number(change, turn, message, partition, reach)
        if user is not None:
            user.add_to(change)
        if message.durable_duplicates == "refuse" and message.gated and wanted:
            self._rest_on(change, turn, weighed, receipt)
        if promoted and weighed.looked:
            self._rest_on_others(change, turn)
        if message.judged.archived:
            return change, receipt
        receipt = _stood(standing, change, turn, receipt, weighed.updates if promoted else (), corrected)
        self._writer.finish(change, standing)
        return change, receipt

    def _rest_on_number(
        self, change: Change, turn: Record, message: Message, partition: Partition, reach: Boundary
    ) -> None:
        """Have a write depend on the turn whose number came before: if that is forgotten meanwhile, it is free."""
        before = number_of(turn.id or "") - 1
        if before < first_number(message):
            return
        last = turn_id(message.session_id, before)
        rows = selecting.inside(partition, reach, [last])
        found = [record for record in self._indexes.stored(key_of(turn).tenant, rows) if record is not None]
        change.expected.update((key_of(record), record) for record in found)

    def _rest_on(self, change: Change, turn: Record, weighed: Weighed, receipt: TurnReceipt) -> None:
        """Have a write depend on what it was compared with: two that say the same at once are not both remembered."""
        if receipt.duplicate_of is not None and weighed.duplicate is not None:
            change.expected[key_of(weighed.duplicate)] = weighed.duplicate
        self._rest_on_others(change, turn)

    @staticmethod
    def _rest_on_others(change: Change, turn: Record) -> None:
        """Have a write depend on that nobody keeps anything for good of the same user meanwhile."""
        cell = key_of(turn).cell

        def is_compared(record: Record) -> bool:
            return record.user_id == turn.user_id and record.kind != TURN and key_of(record).cell == cell

        change.seen = either(change.seen, is_compared)

    def _is_reserved(self, turn: Record, id: str) -> bool:
        """Return whether an invariant has this id, or that of the copy of a turn with this id."""
        return self._writer.is_reserved(key_of(turn).tenant, id, durable_id(id))

    def _written(self, turn: Record, copy: Record, receipt: TurnReceipt, *, free: bool) -> Change:
        """Return the write: turn and copy together; of a turn that was there before, the old copy goes or is replaced.

        Where the turn was given a name that is free, its copy's is free as well: nothing is there before.

        Raises:
            DuplicateId: there is a record with the copy's id that is no copy of this turn; or a turn of another session
                or user has the id.
            InvalidArgument: an invariant has that id.
            AmbiguousId: several records have the id of the turn, and none lies in its cell.

        """
        row = None if free else self._writer.planner.place_of(turn)
        self._check_own(turn, row)
        self._writer.check_variant(copy)
        place = None if free else self._writer.planner.place_of(copy)
        old = None if place is None else self._indexes.stored(key_of(turn).tenant, [place])[0]
        if old is not None and old.provenance.get("source_id") != turn.id:
            raise DuplicateId(
                f"id {copy.id!r}: the copy's, is another record's; forget that, or name the turn otherwise"
            )
        if receipt.durable_id is not None:
            return self._writer.planner.planned([turn, copy], [row, place])
        change = self._writer.planner.planned([turn], [row], [] if old is None else [old])
        if old is None:
            change.absent.append(key_of(copy))
        return change

    def _check_own(self, turn: Record, row: str | None) -> None:
        """Raise DuplicateId if what stands in a row is no turn, or was told in another session or by another user.

        Chats number the messages of each conversation, and the second one must not take the first one's away.
        """
        old = None if row is None else self._indexes.stored(key_of(turn).tenant, [row])[0]
        if old is None:
            return
        if old.kind != TURN:
            raise DuplicateId(f"id {turn.id!r}: is that of a record that is no turn; name the turn otherwise")
        if old.session_id != turn.session_id:
            whose = "another session's"
        elif old.user_id is not None and turn.user_id not in (None, old.user_id):
            whose = "another user's"
        else:
            return
        raise DuplicateId(
            f"id {turn.id!r}: is that of {whose} turn; name this one otherwise, such as {turn.session_id}:{turn.id},"
            " or forget that one first"
        )


def _stood(
    standing: Standing,
    change: Change,
    turn: Record,
    receipt: TurnReceipt,
    updates: Sequence[Record],
    corrected: Corrected,
) -> TurnReceipt:
    """Add to a write in whose place turn and copy stand, and what is nearly the same; return what to say of it.

    The copy names what it updates or corrects, and the turn the turns that this was promoted from.
    """
    own = {receipt.durable_id, turn.id}
    records = [record for record in change.put.values() if record.id in own]
    stood = [  # the copy first: it outlives the turn
        standing.stand(
            record,
            change.instead.get(key_of(record)),
            beside=(*standing.links.turns_of(updates), *corrected.turns)
            if record.id == turn.id
            else (*updates, *corrected.copies),
        )
        for record in sorted(records, key=lambda record: record.id == turn.id)
    ]
    if change.remove:
        standing.leave([change.expected[key] for key in change.removed if key in change.expected])
    superseded = dict.fromkeys(id for each in stood for id in each.superseded)
    near = dict.fromkeys(id for each in stood for id in each.record.near_duplicates)
    if not superseded and not near:
        return receipt
    return replace(receipt, superseded=tuple(superseded), near_duplicates=tuple(near))


def _corrects(standing: Standing, copy: Record, now: float) -> bool:
    """Return whether a turn says otherwise what is kept for good: it is kept too, however like that the gate finds it.

    Else the old value alone would outlive the session.
    """
    return any(each.kind == DURABLE for each in standing.changed_by(copy, now))


def _copy_of(turn: Record) -> Record:
    """Return the durable copy of a turn."""
    return turn.completed(
        id=durable_id(turn.id or ""), kind=DURABLE, session_id=None,
        provenance={"source_id": turn.id, "session_id": turn.session_id},
    )  # fmt: skip
