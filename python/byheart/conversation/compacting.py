"""Compaction of a session in a store: look, summarise without a lock, and write all of it at once or nothing.

Laws: a summary stands for turns of one cell and, in a session of several users, of one user or nobody, so that it never
tells what its reader may not see; the summaries and what becomes of their turns are one write; where a turn has changed
since it was read, the write does not happen and all begins again, with the summaries that are still true. Turns that
arrive meanwhile wait for the next time. The same turns give the same ids, so that whoever comes second finds nothing
left to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from operator import itemgetter
from typing import TYPE_CHECKING

from ..boundary import Boundary
from ..errors import DuplicateId, InvalidArgument
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index import whose
from ..index.indexes import Indexes, Moved
from ..index.saving import Saver
from ..index.turns import bundle_of
from ..light.classes import dataclass
from ..ranking.tokens import HostTokens
from ..records import SUMMARY, Record
from ..storage import Vectors, VectorStore, by_id, key_of
from ..storage.attempts import attempts
from ..summarising import Summary
from ..validation import check_text, one_form
from ..writing.draft import names_any
from ..writing.lineage import Lineage
from ..writing.writer import Writer
from .compaction import Entry, decay_rate, mean_confidence, merge_method, plan, summary_id, words_behind
from .context import Recent
from .distilling import Compaction, Distilled, Distiller
from .receipts import CompactReceipt, Declined
from .recent_tail import RecentTail, Turn, recent_tail

if TYPE_CHECKING:
    from ..embedding import Embedder

Cluster = list[Record]


@dataclass(frozen=True, slots=True)
class Made:
    """A summary's record, and the turns that it is of."""

    record: Record
    cluster: Cluster
    degraded: tuple[str, ...]


class Compactor:
    """Compacts sessions.

    Args:
        store: where the records are.
        indexes: of the store.
        saver: of the indexes.
        writer: of the same.

    """

    def __init__(self, store: VectorStore, indexes: Indexes, saver: Saver, writer: Writer) -> None:
        self._store, self._indexes, self._saver, self._writer = store, indexes, saver, writer

    def compact(self, session_id: str, inside: Boundary, how: Compaction, now: float) -> CompactReceipt:
        """Summarise the turns of a session that lie inside a boundary.

        Raises:
            InvalidArgument, LimitExceeded, TypeError: the session's name is refused.
            SummaryError, ModelError, MissingExtra: a summary could not be made. Nothing is changed.
            DuplicateId: a record that is no such summary has a summary's id.
            StoreBusy: others changed the turns during each of several attempts.

        """
        if not isinstance(session_id, str):
            raise TypeError(f"session_id must be str, not {type(session_id).__name__}")
        session_id = check_text("session_id", session_id)
        if not session_id.strip():
            raise InvalidArgument("session_id: is blank; name the session to compact")
        session_id = one_form(session_id)
        self._writer.commits.check_writable()
        distiller = Distiller(how, self._writer.embedder)
        for _ in attempts(f"compact session {session_id!r}"):
            if distiller.embedder is not self._writer.embedder:
                distiller = Distiller(how, self._writer.embedder)
            clusters, declined = self._look(session_id, inside, how)
            made: list[Made] = []
            for cluster in clusters:
                found = distiller.distil(cluster)
                if found.summary is None:
                    declined.append(Declined(tuple(record.id or "" for record in cluster), found.refused))
                else:
                    made.append(_made(session_id, cluster, found.summary, found, how, now))
            if self._commit(made, inside, how, distiller.embedder):
                break
        notes = () if made or declined else self._unknown(session_id, inside)
        return _receipt(session_id, made, declined, how, notes)

    def _unknown(self, session_id: str, inside: Boundary) -> tuple[str, ...]:
        """Return a note if no record inside a boundary names a session: its name may be misspelled."""
        rows = self._indexes[inside.tenant].rows_in
        if selecting.at_once(self._indexes, lambda: len(rows(inside, whose.of_session(session_id)))):
            return ()
        return (f"session {session_id!r}: no record that can be seen here is of it",)

    def _look(self, session_id: str, inside: Boundary, how: Compaction) -> tuple[list[Cluster], list[Declined]]:
        """Return the clusters of a session, cell by cell and user by user, and what is left alone."""
        said = self._said(session_id, inside)
        turns = _spoken(said)
        recent = _recent(turns, how)
        declined: list[Declined] = []
        # Of all that was said in it: once one user's turns are summarised, it is no session of the others alone.
        shared = len({record.user_id for record in said if record.user_id is not None}) > 1
        groups: dict[tuple[str, str, str], dict[str, Record]] = {}
        for record in turns:
            reason = _kept_apart(record, how)
            if record.id in recent:
                continue
            if reason:
                declined.append(Declined((record.id or "",), reason))
            else:
                owner = (record.user_id or "") if shared else ""
                group = groups.setdefault((*key_of(record).cell, owner), {})
                group[record.id or ""] = record
        clusters = [
            [by_id[entry.id] for entry in cluster]
            for _, by_id in sorted(groups.items(), key=itemgetter(0))
            for cluster in plan(map(Entry.of_record, by_id.values()), how.target, how.force)
        ]
        return clusters, declined

    def _said(self, session_id: str, inside: Boundary) -> list[Record]:
        """Return the records of a session."""
        tenant = inside.tenant

        def read() -> Sequence[Record | None]:
            rows = self._indexes[tenant].rows_in(inside, whose.of_session(session_id))
            return self._indexes.stored(tenant, rows)

        return [record for record in selecting.at_once(self._indexes, read) if record is not None]

    def _commit(self, made: Sequence[Made], inside: Boundary, how: Compaction, embedder: Embedder | None) -> bool:
        """Write summaries, and archive or delete their turns; return False, with nothing changed, if these changed."""
        if not made:
            return True
        summaries = [each.record for each in made]
        for summary in summaries:
            self._writer.check_variant(summary)
        new = None if embedder is None else embeddings.of_records(embedder, summaries)
        with suppress(Moved), self._saver.alone(), self._writer.commits.planning(alone=True):
            if self._writer.embedder is not embedder:
                return False
            turns = [record for each in made for record in each.cluster]
            replaced = self._replaced(inside, summaries)
            own = set(map(key_of, summaries))
            moved = [key for key in map(key_of, replaced) if key not in own]
            absent = sorted(own.difference(map(key_of, replaced)))
            if how.sources == "delete":
                left = self._left(turns)
                expected, put = [*turns, *replaced, *(old for old, _ in left)], [*summaries, *(now for _, now in left)]
                vectors = _both(embeddings.kept(self._store, [key_of(each) for each, _ in left], embedder), new)
                gone, seen = [*map(key_of, turns), *moved], names_any(turns)
                return self._writer.commits.exchange(expected, put, gone, vectors, absent, seen=seen)
            archived = [record.completed(archived_by=each.record.id) for each in made for record in each.cluster]
            old = embeddings.kept(self._store, [key_of(record) for record in turns], embedder)
            put = [*summaries, *archived]
            return self._writer.commits.exchange([*turns, *replaced], put, moved, _both(old, new), absent)
        return False

    def _left(self, gone: Sequence[Record]) -> list[tuple[Record, Record]]:
        """Return what names turns that are deleted: as it is stored, and without their names."""
        standing, keys = self._writer.standing(), set(map(key_of, gone))
        standing.leave(gone)
        return [(old, now) for old, now in standing.marked() if key_of(old) not in keys]

    def _replaced(self, inside: Boundary, summaries: Sequence[Record]) -> list[Record]:
        """Return the stored records that have the ids of summaries: made before, of the same turns.

        Where these have moved to another cell since, the old one goes, if it lies inside the boundary. One whose turns
        lie beside it stays.
        """
        tenant = inside.tenant
        partition, reach = self._indexes[tenant], self._writer.reach(tenant)
        lineage = Lineage(partition, reach, lambda rows: self._indexes.stored(tenant, rows))
        found = []
        for new in summaries:
            rows = selecting.inside(partition, reach, [new.id or ""])
            for row, old in zip(rows, self._indexes.stored(tenant, rows), strict=True):
                if old is None:
                    continue
                elsewhere = key_of(old) != key_of(new)
                if elsewhere and any(key.cell == key_of(old).cell for key in lineage.keys(lineage.sources(row))):
                    continue
                same = (old.kind, old.source_ids) == (new.kind, new.source_ids)
                if not same or not inside.holds(*key_of(old).cell):
                    raise DuplicateId(
                        f"id {new.id!r}: the summary's, is another record's; forget that, or name it otherwise"
                    )
                found.append(old)
        return found


def _spoken(said: Sequence[Record]) -> list[Record]:
    """Return what may be summarised of a session, in the order in which it was said."""
    spoken = [record for record in said if Entry.of_record(record).open]
    return sorted(spoken, key=lambda record: (Entry.of_record(record).at, by_id(key_of(record))))


def _recent(turns: Sequence[Record], how: Compaction) -> frozenset[str]:
    """Return the turns that stay as they are since they were said last."""
    wanted = how.keep_recent
    if isinstance(wanted, RecentTail):
        return frozenset(wanted.recent)
    if not isinstance(wanted, Recent):
        return frozenset()
    spoken = [Turn(turn.id or "", HostTokens().count(turn.text), bundle_of(turn)) for turn in turns]
    return frozenset(recent_tail(spoken, wanted.least, wanted.budget).recent)


def _kept_apart(record: Record, how: Compaction) -> str:
    """Return why a turn is not summarised; "" if it may be."""
    if record.superseded_by is not None:
        return "another stands in its place: a summary would say it as if it held"
    if record.supersedes and how.sources == "delete":
        return "it stands in the place of others, which would be found again"
    if record.expires_at is not None:
        return "it expires: a summary would outlive it, or take with it what should stay"
    if record.valid_to is not None:
        return "it holds until a day: a summary would say it beyond that"
    return "it is an invariant, which is kept word for word" if record.invariant else ""


def _made(
    session_id: str, cluster: Cluster, summary: Summary, distilled: Distilled, how: Compaction, now: float
) -> Made:
    """Return the record of a summary: of the time of its newest turn, naming all of them.

    Words of turns that are deleted are not kept.
    """
    ids = tuple(record.id or "" for record in cluster)
    newest = max((record.created_at for record in cluster if record.created_at is not None), default=now)
    record = Record(
        id=summary_id(session_id, ids),
        text=summary.text,
        tenant=cluster[0].tenant,
        scope=cluster[0].scope,
        boundary_class=cluster[0].boundary_class,
        kind=SUMMARY,
        session_id=session_id,
        user_id=next((record.user_id for record in cluster if record.user_id is not None), None),
        created_at=newest if how.summary_time == "newest" else now,
        confidence=summary.confidence,
        decay_rate=decay_rate(summary.confidence),
        source_ids=ids,
        source_words=None if how.sources == "delete" else words_behind(map(_said, cluster), summary.text),
        metadata={
            "method": summary.method,
            "token_count": len(summary.text.split()),
            "compacted_at": now,
            **distilled.facts,
        },
    )
    return Made(record, cluster, distilled.degraded)


def _said(record: Record) -> str:
    return "\n".join(record.indexed().values())


def _both(old: Vectors | None, new: Vectors | None) -> Vectors | None:
    """Return the vectors of turns and of their summaries, which are of one model."""
    if old is None or new is None:
        return old or new
    return Vectors(new.model, {**old.rows, **new.rows})


def _receipt(
    session_id: str, made: Sequence[Made], declined: Sequence[Declined], how: Compaction, notes: Sequence[str]
) -> CompactReceipt:
    in_order = sorted(made, key=lambda each: (each.cluster[0].created_at or 0, each.cluster[0].id or ""))
    confidences = [each.record.confidence or 0.0 for each in in_order]
    return CompactReceipt(
        session_id=session_id,
        did_compact=bool(made),
        clusters_formed=len(made),
        turns_removed=sum(len(each.cluster) for each in made),
        summary_method=merge_method(each.record.metadata["method"] for each in in_order),
        mean_confidence=mean_confidence(confidences),
        summaries=tuple(each.record.id or "" for each in in_order),
        sources=how.sources,
        declined=tuple(declined),
        degraded=tuple(dict.fromkeys((*notes, *(note for each in in_order for note in each.degraded)))),
    )
