"""The verbs that move what records are worth: feedback and decay. Bound to `Memory`; being found moves nothing."""
# docs/sources.md: B1.8.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

from .. import boundary as boundaries
from ..boundary import Boundary, CellLike
from ..errors import ContextExpired, InvalidArgument, RecordNotFound
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index import whose
from ..index.indexes import Moved
from ..recall.question import BoundaryLike
from ..records import Record
from ..storage import key_of
from ..storage.attempts import attempts
from ..validation import call_time, check_id, check_labels, check_text, plain_text
from ..words import Signal, Time
from ..writing.counterparts import counterparts_of
from . import kinds
from .engine import Engine, Handle

if TYPE_CHECKING:
    from ..activation.feedback import Feedback
    from ..activation.journal import Row

_AT_ONCE = 1_000


def feedback(
    self: Handle,
    id: str,
    signal: Signal,
    *,
    score: float | None = None,
    active_context_id: str | None = None,
    duplicate_of: str | None = None,
    now: Time | None = None,
    boundary: BoundaryLike | None = None,
    cell: CellLike | None = None,
    request_id: str | None = None,
    trace_id: str | None = None,
) -> kinds.FeedbackReceipt:
    """Say that a record was helpful, harmful, outdated or a duplicate; the same counts once a minute of the clock.

    Helpful adds 0.10 to the utility and 0.05 to the confidence, counts a use and moves the anchor of recency; harmful
    takes 0.20 and 0.10; outdated takes 0.20 of the confidence, which stays in [0, 1]. A duplicate is merged into the
    record that says the same, or `duplicate_of`, or the likest (cosine of at least 0.95), of what holds now and is
    the same user's and, unless somebody names it, the same session's: that one gets its entities, links, evidence and
    signals; the duplicate is kept, superseded for as long as that one holds, with half of its utility, and both get the
    stricter class of the two. A turn takes its durable copy along. What is already there of signal, event and record is
    written at once.

    Args:
        id: of the record.
        signal: "helpful", "harmful", "outdated" or "duplicate".
        score: how much, -1 to 1; it is kept, and scales nothing.
        active_context_id: where the record was found.
        duplicate_of: of a duplicate, the record that it repeats; it is the same user's and holds now.
        now: the time of the call; without it the clock's. Minutes begin with it: 59 and 61 seconds are two.
        boundary: what to look at.
        cell: scope and class of the record, where several bear the id.
        request_id, trace_id: kept with the event.

    Raises:
        RecordNotFound: no record with this id lies inside the boundary, or no such context.
        ContextExpired: the context's time is over.
        InvalidArgument: there is no such signal; or a duplicate repeats nothing.
        AmbiguousId: records of several cells bear the id, and no cell was named.
        StoreBusy: others changed it during each of several attempts.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember("Ann drinks green tea.", id="tea")
    >>> [memory.feedback("tea", "helpful", now=at).new for at in (0, 30, 60)], round(memory.get("tea").utility, 3)
    ([True, False, True], 0.2)

    """
    from ..activation.feedback import Feedback

    id, signal = check_id(id), plain_text(signal)
    active_context_id = check_text("active_context_id", active_context_id)
    duplicate_of = check_text("duplicate_of", duplicate_of)
    request_id, trace_id = check_labels(request_id=request_id, trace_id=trace_id)
    engine, inside, own = self._engine, self._engine.inside(boundary), boundaries.check_cell(cell)
    engine.writer.commits.check_writable()
    moment = call_time(now)
    entry = Feedback.given(id, signal, at=moment, score=score, active_context_id=active_context_id)
    if active_context_id is not None:
        _check_context(engine, inside, active_context_id, moment)
    said = _Said(engine, inside, entry, duplicate_of, (request_id, trace_id))
    for attempt in attempts("take in feedback"):
        alone = engine.saver.alone() if signal == "duplicate" else nullcontext()
        with suppress(Moved), alone, engine.writer.commits.planning(alone=attempt > 0):
            receipt = said.done(own)
            if receipt is not None:
                return receipt
    raise AssertionError("attempts end with an error")


def _check_context(engine: Engine, inside: Boundary, id: str, now: float) -> None:
    from ..activation.journal import CONTEXTS

    held = engine.journal.get(CONTEXTS, id, inside.tenant)
    if held is None:
        raise RecordNotFound(f"active context {id!r}: there is none; leave it out, or activate again")
    if now >= (held[0].expires_at or 0.0):
        raise ContextExpired(f"active context {id!r}: expired at {held[0].expires_at}; activate again")


class _Said:
    """One signal, and what follows from it."""

    def __init__(
        self,
        engine: Engine,
        inside: Boundary,
        entry: Feedback,
        duplicate_of: str | None,
        ids: tuple[str | None, str | None],
    ) -> None:
        self._engine, self._inside, self._entry, self._duplicate_of = engine, inside, entry, duplicate_of
        self._ids = ids

    def done(self, cell: tuple[str, str] | None) -> kinds.FeedbackReceipt | None:
        """Return what was done; None if what was read no longer stands. The caller holds the lock."""
        engine, entry = self._engine, self._entry
        row = selecting.the_row(engine.indexes[self._inside.tenant], self._inside, entry.claim_id, cell)
        record = engine.indexes.stored(self._inside.tenant, [row])[0] if row is not None else None
        if record is None or row is None:
            raise self._inside.lacks(entry.claim_id)
        kept = self._row(record)
        if engine.journal.holds(kept.to_record()):
            return self._receipt(record, new=False)
        if entry.signal == "duplicate":
            return self._merged(record, row)
        changed = _told(record, entry)
        vectors = embeddings.kept(engine.store, [key_of(record)], engine.embedder)
        if not self._write([kept], expected=[record], records=[changed], vectors=vectors):
            return None
        return self._receipt(changed, new=True)

    def _row(self, record: Record) -> Row:
        from ..activation.journal import FEEDBACKS, Row, row_id

        entry = self._entry
        key = key_of(record)
        within = Boundary.of_cell(key.tenant, *key.cell)
        content = {
            "claim_id": entry.claim_id, "signal": entry.signal, "score": entry.score,
            "active_context_id": entry.active_context_id, "at": entry.at,
        }  # fmt: skip
        return Row(FEEDBACKS, f"{entry.id}-{row_id(*key_of(record).cell)[:8]}", entry.at, within, content)

    def _write(self, rows: Sequence[Row], **change: Any) -> bool:
        from . import telling

        entry = self._entry
        who = telling.Who(rows[0].within, entry.at, *self._ids)
        event = ("critic", {"claim_id": entry.claim_id, "signal": entry.signal})
        return telling.put(self._engine, who, [event], rows, **change)

    def _receipt(self, record: Record, *, new: bool, superseded_by: str | None = None) -> kinds.FeedbackReceipt:
        from ..activation.receipts import FeedbackReceipt

        confidence = 0.5 if record.confidence is None else record.confidence
        return FeedbackReceipt(
            id=self._entry.id, claim_id=self._entry.claim_id, signal=self._entry.signal, new=new,
            utility=record.utility or 0.0, confidence=confidence, superseded_by=superseded_by or record.superseded_by,
        )  # fmt: skip

    def _merged(self, record: Record, row: str) -> kinds.FeedbackReceipt | None:
        """Merge a duplicate into what it repeats; both, and the signals about it, in one write."""
        from ..activation.feedback import merged, representative

        engine, at = self._engine, self._entry.at
        others, near = self._beside(record, row)
        into = representative(record, others, now=at, duplicate_of=self._duplicate_of, similarities=near)
        if into is None:
            raise InvalidArgument(
                f"duplicate: nothing of the same owner that holds now and may be seen says the same as {record.id!r}; "
                "name it by duplicate_of="
            )
        both = merged(record, into, at)
        change = engine.writer.changed_together([(both.kept, into), (both.superseded, record)], self._inside)
        key = key_of(both.kept)
        old, new = engine.journal.moved(key_of(record), key)
        if key != key_of(into):
            more, again = engine.journal.moved(key_of(into), key)
            old, new = [*old, *more], [*new, *again]
        left = set(map(key_of, old)).difference(map(key_of, new))
        vectors = engine.writer.kept_vectors(change)
        done = self._write(
            [self._row(both.superseded)], expected=[*change.expected.values(), *old],
            records=[*change.put.values(), *new], remove=sorted({*left, *change.removed}),
            vectors=vectors, absent=change.absent, seen=change.seen,
        )  # fmt: skip
        return self._receipt(both.superseded, new=True, superseded_by=into.id) if done else None

    def _beside(self, record: Record, row: str) -> tuple[list[Record], Mapping[str, float]]:
        """Return the records that a duplicate may repeat: of its text, named, or near; and how near these are."""
        from ..knowledge import text_mark

        engine, tenant = self._engine, self._inside.tenant
        partition = engine.indexes[tenant]
        mark = text_mark(record.gist())
        rows = partition.rows_in(self._inside, ("range", whose.TEXT_MARK, mark, True, mark, True))
        if self._duplicate_of is not None:
            rows = [*rows, *selecting.inside(partition, self._inside, [self._duplicate_of])]
        near = dict[str, float]()
        [vector] = partition.vectors([row])
        if vector is not None:
            cell = Boundary.of_cell(tenant, *key_of(record).cell)
            near = engine.nearest(cell, vector, counterparts_of(record, self._entry.at))
            rows = [*rows, *near]
        known = list(dict.fromkeys(rows))
        found = [each for each in engine.indexes.stored(tenant, known) if each is not None]
        return found, {id: near[each] for each in near for id, _ in filter(None, partition.places([each]))}


def _told(record: Record, entry: Feedback) -> Record:
    """Return a record after a signal."""
    from ..activation.feedback import Standing, after

    if record.decayed_at is not None:  # what is added now is not older than that
        record = _at(record, entry.at)
    confidence = 0.5 if record.confidence is None else record.confidence
    standing = after(Standing(record.utility or 0.0, confidence), entry.signal)
    changed: dict[str, Any] = {"utility": standing.utility, "confidence": standing.confidence}
    if record.decayed_at is None:
        changed["decayed_at"] = entry.at  # what it is worth, it is worth from now on
    if entry.signal == "helpful":
        changed |= {
            "access_count": min(record.access_count + 1, 2**53 - 1), "accessed_at": entry.at,
            "recency_anchor": entry.at,
        }  # fmt: skip
    return record.completed(**changed)


def decay(self: Handle, now: Time | None = None, *, boundary: BoundaryLike | None = None) -> kinds.DecayReceipt:
    """Let utility halve every 30 days and quality every 120, of all records that may be seen; return how many changed.

    What they were, and when, is kept with each record: between two signals it makes no difference how often this is
    called. The first that says what a record is worth, be it feedback or `update`, starts its clock anew. What another
    process changes meanwhile is decayed by the next call.

    Args:
        now: the time to reckon with; without it the clock's.
        boundary: what to look at.

    Raises:
        StoreBusy: others changed the records during each of several attempts.
        ReadOnlyStore: the memory is only read.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember({"id": "tea", "text": "Ann drinks tea.", "utility": 1.0, "created_at": 0})
    >>> memory.decay(now=30 * 86_400).changed, memory.get("tea").utility
    (1, 0.5)

    """
    from ..activation.receipts import DecayReceipt
    from . import telling

    engine, inside = self._engine, self._engine.inside(boundary)
    engine.writer.commits.check_writable()
    moment = call_time(now)
    worth = ("or", (("exists", "quality", True), ("exists", "utility", True)))
    rows = selecting.at_once(engine.indexes, lambda: engine.indexes[inside.tenant].rows_in(inside, worth))
    changed = 0
    for first in range(0, len(rows), _AT_ONCE):
        changed += _decayed(engine, inside, rows[first : first + _AT_ONCE], moment)
    event = ("critic", {"records": len(rows), "changed": changed, "utility_days": 30.0, "quality_days": 120.0})
    telling.write(engine, telling.Who(inside, moment), [event])
    return DecayReceipt(records=len(rows), changed=changed, now=moment)


def _decayed(engine: Engine, inside: Boundary, rows: Sequence[str], now: float) -> int:
    """Write some records as they are worth now, and return how many changed."""
    for _ in attempts("let the worth of records decay"):
        with suppress(Moved), engine.writer.commits.planning(alone=True):
            found = [record for record in engine.indexes.stored(inside.tenant, rows) if record is not None]
            pairs = [(record, _at(record, now)) for record in found]
            old = [record for record, later in pairs if later != record]
            new = [later for record, later in pairs if later != record]
            vectors = embeddings.kept(engine.store, list(map(key_of, old)), engine.embedder) if old else None
            if not old or engine.writer.commits.exchange(old, new, [], vectors):
                return len(new)
    raise AssertionError("attempts end with an error")


def _at(record: Record, now: float) -> Record:
    """Return a record with its worth at a time, and that time as the anchor of the next run."""
    from ..activation.critic import Anchored

    began = record.decayed_at
    if began is None:
        began = record.created_at if record.created_at is not None else now
    if now <= began:
        return record
    then = Anchored(record.utility or 0.0, record.quality or 0.0, began).run(now)
    return record.completed(
        utility=None if record.utility is None else then.utility,
        quality=None if record.quality is None else then.quality,
        decayed_at=then.decayed_at,
    )
