"""What an agent does with conversations: turns in, context out, old turns summarised."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import boundary as boundaries
from .answers import CompactReceipt
from .coroutines import in_thread
from .records import Record
from .request import BoundaryLike
from .upkeep import Upkeep
from .validation import MAX_IDS, check_id, epoch_seconds, strings

if TYPE_CHECKING:
    from .ingestion.recent_tail import RecentTail
    from .summarising import Summariser


class Conversing(Upkeep):
    """The verbs over turns and sessions."""

    def compact(
        self,
        session_id: str,
        *,
        target: int = 20,
        force: bool = False,
        summariser: Summariser | None = None,
        abstractive: Summariser | None = None,
        sources: str = "archive",
        summary_time: str = "newest",
        keep_recent: RecentTail | int | None = None,
        preservation: bool = False,
        strict_progress: bool = False,
        trivial: str = "summarise",
        fallback: bool = False,
        boundary: BoundaryLike | None = None,
        now: Any = None,
    ) -> CompactReceipt:
        """Put summaries in the place of a session's old turns, all at once or not at all (seed 000, section 5).

        The turns of each cell (scope and boundary class) are cut, in the order in which they were said, into clusters
        of nearly equal size; summaries, archived records and records that expire are left alone. A recall
        finds the summary, which is weighed by how sure it is; `expand` shows the turns behind it. Nothing happens while
        a cell has fewer turns than a cluster. While a summariser works, other calls go on; turns that arrive meanwhile
        wait for the next compaction. Compacting again changes nothing.

        Args:
            session_id: whose turns; any record that names this session is one.
            target: how many turns a summary stands for at most, up to 4,096; 0 or below counts as 20.
            force: two turns are enough.
            summariser: who summarises; without one the turns nearest to the middle of a cluster stand for it.
            abstractive: who summarises clusters whose mean gating score (`gating_score` in their metadata) is at least
                0.60, in place of the other.
            sources: what becomes of the turns: "archive" keeps them, and they are found no more; "delete" erases them.
            summary_time: when a summary is from: "newest", as its newest turn, or "compaction", as of `now`.
            keep_recent: how many of the last turns stay as they are, at least; more do while all cost 128 tokens at
                most, and those with one `bundle` in their metadata stay together. Or a `RecentTail`: what is in it.
            preservation: measure what each summary keeps of its turns, note it in its metadata, and extract where what
                was written points elsewhere (alignment below 0.65).
            strict_progress: a summary has to have fewer tokens than its turns; else a quarter of them is extracted, and
                if that is no shorter, they stay as they are.
            trivial: what to do with a cluster of one turn: "summarise" or "decline".
            fallback: extract where a summariser fails, and say so, in place of the error.
            boundary: whose turns, and which, may be looked at.
            now: the time of the compaction, an aware datetime or epoch seconds; without it the clock's.

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
        from .compacting import Compactor
        from .distilling import Compaction

        how = Compaction(
            target=target, force=force, summariser=summariser, abstractive=abstractive, sources=sources,
            summary_time=summary_time, keep_recent=keep_recent, preservation=preservation,
            strict_progress=strict_progress, trivial=trivial, fallback=fallback,
        )  # fmt: skip
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        compactor = Compactor(self._store, self._indexes, self._saver, self._writer)
        return compactor.compact(session_id, inside, how, _moment(now))

    def expand(self, summary_id: str, *, boundary: BoundaryLike | None = None) -> list[Record]:
        """Return the turns behind a summary, archived or not, in the order in which they were said.

        Turns outside the boundary, and those that were deleted, are not among them; of a summary of summaries those
        behind these are. The use is counted (see `touch`), unless the memory can only be read.

        Raises:
            RecordNotFound: no record with this id lies inside the boundary.
            InvalidArgument: the record is no summary.

        """
        from .uses import expand

        check_id(summary_id)
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        return expand(self._store, self._indexes, self._writer, inside, summary_id)

    def touch(self, ids: str | Sequence[str], *, boundary: BoundaryLike | None = None, now: Any = None) -> int:
        """Count that records were used, and return how many of them there are; a recall by itself counts nothing.

        Each one's `access_count` rises by 1, and `accessed_at` becomes `now`; nothing else changes.

        Args:
            ids: one id, or several; unknown ones, and those outside the boundary, are passed over.
            boundary: what may be touched.
            now: the time of the use, an aware datetime or epoch seconds; without it the clock's.

        >>> from byheart import Memory
        >>> memory = Memory()
        >>> id = memory.remember("The kettle is descaled every spring.", id="kettle")
        >>> memory.touch(["kettle", "unknown"], now=60), memory.records()[0].access_count
        (1, 1)

        """
        from .uses import touch

        wanted = strings("ids", [ids] if isinstance(ids, str) else ids, MAX_IDS)
        inside = boundaries.resolve(boundary, self._default, self._ceiling)
        return touch(self._store, self._indexes, self._writer, inside, wanted, _moment(now))

    acompact = in_thread(compact)
    aexpand = in_thread(expand)
    atouch = in_thread(touch)


def _moment(now: Any) -> float:
    moment = epoch_seconds("now", now)
    return time.time() if moment is None else moment
