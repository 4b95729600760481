"""The verbs of conversations: turns come in, old ones are summarised, uses are counted. Bound to `Memory`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .. import boundary as boundaries
from ..boundary import CellLike
from ..recall.question import BoundaryLike
from ..records import Record
from ..validation import MAX_IDS, call_time, check_id, epoch_seconds, strings
from ..words import BoundaryClass, Duplicates, Durable, Speaker, SummaryTime, Time, Trivial, TurnsFate
from . import kinds
from .engine import Handle

if TYPE_CHECKING:
    from ..conversation.message import Message
    from ..conversation.turns import Ingester


def ingest_turn(
    self: Handle,
    text: str,
    *,
    session_id: str,
    user_id: str | None = None,
    role: Speaker | str = "user",
    id: str | None = None,
    created_at: Time | None = None,
    durable: Durable = "gate",
    durable_duplicates: Duplicates = "keep",
    gate: kinds.GateSettings | None = None,
    tenant: str | None = None,
    scope: str | None = None,
    boundary_class: BoundaryClass | None = None,
    metadata: Mapping[str, Any] | None = None,
    vector: kinds.VectorLike | None = None,
    now: Time | None = None,
) -> kinds.TurnReceipt:
    """Take in one message of a conversation, and keep it for good if it is worth it.

    Every message becomes a record of kind "turn". Noise (see `noise` of `Memory`) is marked: the receipt says why in
    `refused`, and so does the turn's metadata; nothing is made of it. What says nothing at all ("ok", "thanks!", no
    words) is archived besides: kept, and not found. In a memory that refuses noise such messages are not kept, and
    nothing is raised. What a known user said goes through the gate first: how new it is beside the five nearest of
    the user's durable records, whether it comes back among the ten nearest of the user's turns, and what it shows by
    itself. By default what asks, a short reply ("yes") and chatter ("never mind") do not pass; what states something
    that none of the nearest durable records says is worth at least what is new. What says one of these otherwise passes
    in any case, and is linked with it (`near_duplicates`). If it passes, a copy without a session is
    written with it, of kind "memory", which outlives the session. The gate's numbers stand in the metadata of both. It
    looks at records of the turn's own tenant, scope and class alone. If the embedder or the gate fails, the turn is
    kept all the same, without a copy, and `degraded` says so.

    Args:
        text: what was said.
        session_id: of the conversation.
        user_id: with whom it is. Without one the turn is of the user of its session, if the turns there (in its scope
            and class) that have a user are all of one; else it is nobody's, which everybody finds: there is no gate
            then, and no copy. `TurnReceipt.user_id` says whose it is.
        role: who said it: "user" or "human", "assistant" or "ai", "system", "tool", in any case; kept as the first of
            each. Only what the user said goes through the gate.
        id: of the turn. One that is known in the session is replaced, and so is its copy; that of another session's
            or another user's turn is refused. Without one it is made of the session
            and the milliseconds of `created_at`, or the next that are free: also where several processes write.
        created_at: when it was said, a datetime, ISO text or epoch seconds; without it, `now`.
        durable: "gate"; "all" keeps a copy whatever the gate says; "none" keeps no copy, and does not ask it.
        durable_duplicates: "refuse" makes no copy where a durable record of the user is nearly the same already
            (cosine above 0.95), and names it in `duplicate_of`; "keep" does not look.
        gate: the numbers of the gate; see `byheart.conversation.gate.GateSettings`.
        tenant: whose the turn and its copy are; without it as in `remember`.
        scope, boundary_class: the same for where they lie.
        metadata: values of your own for both; `role` (but for the one that it is) and the names of the gate's
            numbers (`gating_score` and so on) are refused, since the memory writes these itself; `noise` is left out,
            since that is its mark of what is noise.
        vector: the embedding of the text, if you have made it; the copy has it, too.
        now: the time of the call, a datetime, ISO text or epoch seconds; without it the clock's.

    Raises:
        DuplicateId: the id is that of a turn of another session or user, or the copy's is another record's.
        StoreBusy: others wrote to the store during each of several attempts.
        UnknownRole: nobody has such a role.
        DimensionMismatch: the vector is of another width than the memory's model.
        InvalidArgument, LimitExceeded, BoundaryViolation, TypeError: see the message. Whatever is raised, nothing
            was changed.

    >>> from byheart import Memory
    >>> from byheart.embedding import HashingEmbedder
    >>> memory = Memory(embedder=HashingEmbedder(64))
    >>> done = memory.ingest_turn("I prefer the window seat.", session_id="s1", user_id="ada", now=1767225600)
    >>> done.id, done.durable_id is not None, round(done.gate.score, 2)
    ('s1:1767225600000', True, 0.45)
    >>> hello = memory.ingest_turn("hello!", session_id="s1", user_id="ada")
    >>> hello.refused, hello.archived, hello.id is not None
    ('noise: boilerplate: greeting', True, True)
    >>> memory.ingest_turn("Hi Anna, my flight is on Tuesday.", session_id="s1", role="Human").refused is None
    True

    """
    ingester, message_of, usual = _taking_in()
    moment = call_time(now)
    said = epoch_seconds("created_at", created_at)
    message = message_of(
        text=text, session_id=session_id, user_id=user_id, role=role, id=id, tenant=tenant, scope=scope,
        created_at=moment if said is None else said, boundary_class=boundary_class,
        metadata={} if metadata is None else metadata,
        durable=durable, durable_duplicates=durable_duplicates, gate=usual if gate is None else gate,
        vector=vector,
    )  # fmt: skip
    engine = self._engine
    return ingester(engine.store, engine.indexes, engine.saver, engine.writer, engine.noise).ingest(message, moment)


@lru_cache(maxsize=1)
def _taking_in() -> tuple[type[Ingester], type[Message], kinds.GateSettings]:
    """Return what takes messages in, imported on use: to find it again takes as long as a look into an index."""
    from ..conversation.gate import DEFAULT
    from ..conversation.message import Message
    from ..conversation.turns import Ingester

    return Ingester, Message, DEFAULT


def compact(
    self: Handle,
    session_id: str,
    *,
    target: int = 20,
    force: bool = False,
    summariser: kinds.Summariser | None = None,
    abstractive: kinds.Summariser | None = None,
    abstractive_from: float = 0.60,
    sources: TurnsFate = "archive",
    summary_time: SummaryTime = "newest",
    keep_recent: kinds.Recent | kinds.RecentTail | int | None = None,
    preservation: bool = False,
    strict_progress: bool = False,
    trivial: Trivial = "summarise",
    fallback: bool = False,
    boundary: BoundaryLike | None = None,
    now: Time | None = None,
) -> kinds.CompactReceipt:
    """Put summaries in the place of a session's old turns, all at once or not at all.

    The turns of each cell (scope and boundary class) are cut, in the order in which they were said, into clusters
    of nearly equal size; summaries, archived records, invariants and records that expire are left alone. A recall
    finds the summary, which is weighed by how sure it is; `expand` shows the turns behind it. Nothing happens while
    a cell has fewer turns than a cluster. While a summariser works, other calls go on; turns that arrive meanwhile
    wait for the next compaction. Compacting again changes nothing.

    Args:
        session_id: whose turns; any record that names this session is one.
        target: how many turns a summary stands for at most, up to 4,096; 0 or below counts as 20.
        force: two turns are enough.
        summariser: who summarises; without one those turns of a cluster stand for it that say the most different
            words together.
        abstractive: who summarises clusters whose mean gating score (`gating_score` in their metadata) is at least
            `abstractive_from`, in place of the other.
        abstractive_from: a share, 0 to 1; 0 sends every cluster there.
        sources: what becomes of the turns: "archive" keeps them, and they are found no more; "delete" erases them.
        summary_time: when a summary is from: "newest", as its newest turn, or "compaction", as of `now`.
        keep_recent: how many of the last turns stay as they are, at least; more do while all cost 128 tokens at
            most, and those with one `bundle` in their metadata stay together. `Recent` says both numbers; what is
            in a `RecentTail` stays whatever it is.
        preservation: measure what each summary keeps of its turns, note it in its metadata, and extract where what
            was written points elsewhere (alignment below 0.65).
        strict_progress: a summary has to have fewer tokens than its turns; else a quarter of them is extracted, and
            if that is no shorter, they stay as they are.
        trivial: what to do with a cluster of one turn: "summarise" or "decline".
        fallback: extract where a summariser fails, and say so, in place of the error.
        boundary: whose turns, and which, may be looked at.
        now: the time of the compaction, a datetime, ISO text or epoch seconds; without it the clock's.

    Raises:
        SummaryError: a summariser failed, or gave nothing of use.
        ModelError, MissingExtra: an embedder, or a summariser's model, cannot be used.
        StoreBusy: others changed the turns during each of several attempts.
        InvalidArgument, LimitExceeded, DuplicateId, BoundaryViolation, TypeError: see the message. Whatever is
            raised, nothing was changed.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> for number, text in enumerate(["Tea is at four.", "Tea, at four?", "At four, tea.", "Bring cake."]):
    ...     id = memory.remember(text, id=f"t{number}", session_id="s1", created_at=number)
    >>> done = memory.compact("s1", target=4)
    >>> done.turns_removed, done.summary_method, [hit.record.kind for hit in memory.recall("tea at four")]
    (4, 'extractive', ['summary'])
    >>> [turn.id for turn in memory.expand(done.summaries[0])]
    ['t0', 't1', 't2', 't3']

    """
    from ..conversation.compacting import Compactor
    from ..conversation.distilling import Compaction

    how = Compaction(
        target=target, force=force, summariser=summariser, abstractive=abstractive, abstractive_from=abstractive_from,
        sources=sources, summary_time=summary_time, keep_recent=keep_recent, preservation=preservation,
        strict_progress=strict_progress, trivial=trivial, fallback=fallback,
    )  # fmt: skip
    engine = self._engine
    compactor = Compactor(engine.store, engine.indexes, engine.saver, engine.writer)
    return compactor.compact(session_id, engine.inside(boundary), how, call_time(now))


def expand(
    self: Handle, summary_id: str, *, boundary: BoundaryLike | None = None, cell: CellLike | None = None
) -> list[Record]:
    """Return the turns behind a summary, archived or not, in the order in which they were said.

    Turns outside the boundary, and those that were deleted, are not among them; of a summary of summaries those
    behind these are. The use is counted (see `touch`), unless the memory can only be read.

    Raises:
        RecordNotFound: no record with this id lies inside the boundary.
        AmbiguousId: records of several cells bear the id, and `cell` (scope and class) names none of them.
        InvalidArgument: the record is no summary.

    """
    from ..conversation import uses

    summary_id = check_id(summary_id)
    engine, own = self._engine, boundaries.check_cell(cell)
    return uses.expand(engine.store, engine.indexes, engine.writer, engine.inside(boundary), summary_id, own)


def touch(
    self: Handle,
    ids: str | Sequence[str],
    *,
    boundary: BoundaryLike | None = None,
    cell: CellLike | None = None,
    now: Time | None = None,
) -> int:
    """Count that records were used, and return how many of them there are; a recall by itself counts nothing.

    Each one's `access_count` rises by 1, and `accessed_at` becomes `now`; nothing else changes.

    Args:
        ids: one id, or several; unknown ones, and those outside the boundary, are passed over.
        boundary: what may be touched.
        cell: scope and class of the records, where records of several cells bear an id.
        now: the time of the use, a datetime, ISO text or epoch seconds; without it the clock's.

    Raises:
        AmbiguousId: records of several cells bear an id, and no cell was named.

    >>> from byheart import Memory
    >>> memory = Memory()
    >>> id = memory.remember("The kettle is descaled every spring.", id="kettle")
    >>> memory.touch(["kettle", "unknown"], now=60), memory.records()[0].access_count
    (1, 1)

    """
    from ..conversation import uses

    wanted = strings("ids", [ids] if isinstance(ids, str) else ids, MAX_IDS)
    engine, moment, own = self._engine, call_time(now), boundaries.check_cell(cell)
    return uses.touch(engine.store, engine.indexes, engine.writer, engine.inside(boundary), wanted, moment, own)
