"""The eraser of a memory: it removes forgotten, expired and damaged records from the store and the saved indexes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..boundary import Boundary
from ..boundary.reach import Reach
from ..index import selection as selecting
from ..index import vectors as embeddings
from ..index.aside import INDEX
from ..index.indexes import Indexes, Moved
from ..index.saving import Saver
from ..records import Record
from ..retrieval.filter.canonical import names
from ..storage import Key, Problem, SalvagingStore, VectorStore, by_id, key_of
from ..storage.attempts import attempts
from .change import Seen
from .committer import Committer, damaged
from .draft import either, names_any, with_marks
from .erased import observation_id, receipt_of
from .lineage import Lineage, Removal
from .standing import follows

if TYPE_CHECKING:
    from pathlib import Path

    from ..retrieval.filter import Filter
    from ..retrieval.symbolic import Vocabulary
    from .receipts import ForgetReceipt


Following = Callable[[Sequence[Key], Sequence[Record], Sequence[Record]], tuple[list[Record], list[Record], list[Key]]]
"""Gives what else speaks of the records that go, by their keys and as they are stored, and of observations that go:
rows as they are stored, rows as they are to be, and the keys of those that go too."""

Observed = Callable[[Boundary, "Sequence[str] | None", "Filter | None"], list[Record]]
"""Gives the observations inside a boundary of some ids, or that a filter lets through, as they are stored."""
Observes = Callable[[Boundary, "Filter", Record], bool]
"""Tells whether a stored row of the journal is an observation inside a boundary that a filter lets through."""


def _nothing(
    gone: Sequence[Key], records: Sequence[Record], observed: Sequence[Record]
) -> tuple[list[Record], list[Record], list[Key]]:
    """Return nothing: nothing else speaks of a record."""
    return [], [], []


class Eraser:
    """Removes records, each call all or nothing.

    Args:
        store: where the records are.
        indexes: of the store.
        saver: of the indexes.
        reach: what the memory may see.
        commits: writes.
        vocabulary: what facts may say: who stands in the place of which, once one goes.

    Attributes:
        following: gives what else speaks of the records that go.
        observed: gives observations, which are no records.
        observes: tells one.

    """

    def __init__(
        self,
        store: VectorStore,
        indexes: Indexes,
        saver: Saver,
        reach: Reach,
        commits: Committer,
        vocabulary: Vocabulary,
    ) -> None:
        self._store, self._indexes, self._saver = store, indexes, saver
        self.reach, self._commits, self._vocabulary = reach, commits, vocabulary
        self.following: Following = _nothing
        self.observed: Observed = lambda inside, ids, where: []
        self.observes: Observes = lambda inside, where, row: False

    def forget(
        self,
        inside: Boundary,
        wanted: Sequence[str] | None,
        where: Filter | None,
        *,
        dry_run: bool,
        with_sources: bool,
        cell: tuple[str, str] | None = None,
        of_users: bool = False,
    ) -> ForgetReceipt:
        """Remove the records inside a boundary with these ids, or that a filter lets through; or say which they are.

        With `of_users` what was made of them goes too, and it is told what stays. An observation goes by its id, or
        with the user who said it.
        """
        going: set[str] = set()
        whose = where if of_users else None
        of_sessions = where is not None and names(where.canonical, "session_id")

        def observed(*, elsewhere: bool = False) -> list[Record]:
            if where is not None and whose is None:
                return []
            found = self.observed(inside, wanted, whose)
            if cell is None:
                return found
            there = self.observed(Boundary.of_cell(inside.tenant, *cell), wanted, whose)
            return [row for row in found if (row in there) is not elsewhere]

        def find() -> list[tuple[Boundary, Removal]]:
            partition, lineage = self._indexes[inside.tenant], self._lineage(inside)
            found = (
                partition.rows_in(inside, where.canonical)
                if where is not None
                else selecting.inside(partition, inside, wanted)
            )
            if cell is not None:
                found = [row for row in found if partition.cell_of(row) == cell]
            if with_sources:
                found = lineage.with_sources(found)
            named = [*(wanted or ()), *(lineage.deleted_sources(found) if with_sources or of_sessions else ())]
            by_id = wanted is not None
            actors = {observation_id(row): _actor(row) for row in observed()} if of_users else {}
            removal = lineage.removal(
                found, named, with_facts=of_users, with_turns=by_id, with_deleted=by_id,
                claims={row: actors[id] for row, id in lineage.claims(actors).items()},
            )  # fmt: skip
            if where is not None and of_users:
                going.clear()
                going.update(key.id for key in removal.gone())
                removal = self._told(inside, where, removal) if cell is not None else removal
            sure = not self.reach.sees_all  # who owns all may name what only seems to be a record's
            aside = self._indexes.aside_in(inside, None if where is not None else wanted or (), sure=sure)
            damaged = tuple([key for key in aside if cell is None or key.cell == cell])
            if cell is None and (where is None or of_users):
                damaged += tuple(self._indexes.rows_aside_in(inside, wanted, sure=sure))
            if where is not None:  # which cannot look at them
                return [(inside, replace(removal, damaged=damaged))]
            return [(inside, replace(removal, asked=(*removal.asked, *damaged)))]

        def would() -> ForgetReceipt:
            found, rows = find(), observed()
            keys = [key for _, each in found for key in each.gone()]
            going = self._commits.readable(keys)
            freed = follows(self._indexes, self.reach.of, self._vocabulary, going)
            *_, dropped = self.following(keys, going, rows)
            return told(receipt_of(found, wanted or (), freed, rows, dropped))

        def told(receipt: ForgetReceipt) -> ForgetReceipt:
            if cell is None or not of_users:
                return receipt
            with self._indexes.lock:
                self._indexes.catch_up()
                others = observed(elsewhere=True)
            return replace(receipt, untouched=tuple(sorted([*receipt.untouched, *map(observation_id, others)])))

        if dry_run:
            return selecting.at_once(self._indexes, would)

        def seen(record: Record) -> bool:
            assert where is not None
            key = key_of(record)
            there = key.tenant == inside.tenant and inside.holds(*key.cell) and cell in (None, key.cell)
            return there and (where.matches(record) or not going.isdisjoint(_sources(record)))

        row_seen = None if whose is None else partial(self.observes, inside, whose)
        return told(self._erase(find, wanted or (), None if where is None else seen, observed, row_seen))

    def _told(self, inside: Boundary, where: Filter, removal: Removal) -> Removal:
        """Return a removal from one cell that says too what its filter lets through in others of the boundary."""
        gone, known = set(removal.gone()), set(removal.untouched)
        those = self._lineage(inside).keys(self._indexes[inside.tenant].rows_in(inside, where.canonical))
        beyond = [key for key in those if key not in gone and key not in known]
        return replace(removal, untouched=(*removal.untouched, *beyond))

    def purge(self, now: float) -> ForgetReceipt:
        """Remove the records whose end has come."""

        def find() -> list[tuple[Boundary, Removal]]:
            return [
                (within, self._lineage(within).over(selecting.expired(self._indexes, within, now)))
                for within in self.reach.boundaries(self._indexes.tenants())
            ]

        return self._erase(find, (), over=True)

    def _erase(
        self,
        find: Callable[[], list[tuple[Boundary, Removal]]],
        wanted: Sequence[str],
        seen: Seen | None = None,
        observed: Callable[[], list[Record]] = list,
        row_seen: Seen | None = None,
        *,
        over: bool = False,
    ) -> ForgetReceipt:
        """Remove what is found, and the saved indexes that hold it; found again if others change it meanwhile.

        Or if they put a record that would have been `seen`, or a row of the journal that would have been `row_seen`.

        Raises:
            StoreBusy: others changed it each time.

        """
        self._commits.check_writable()
        for _ in attempts("forget records"):
            done = False
            with suppress(Moved), self._saver.alone(), self._commits.planning(alone=True):
                found, rows = find(), observed()
                keys = [key for _, each in found for key in each.gone()]
                if not (keys or rows):
                    break
                released = {key_of(record): record for _, each in found for record in each.released()}
                going = self._commits.readable(keys)
                expected = [*going, *(record for _, each in found for record in each.archived)]
                self._indexes.check_unmoved(keys)
                freed = follows(self._indexes, self.reach.of, self._vocabulary, going, over=over)
                expected += [old for old, _ in freed if key_of(old) not in released]
                for _, new in freed:
                    released[key_of(new)] = with_marks(released.get(key_of(new), new), new)
                vectors = embeddings.kept(self._store, list(released)) if released else None
                naming, renamed, dropped = self.following(keys, going, rows)
                files: list[Path] = []
                done = self._commits.exchange(
                    [*expected, *naming], [*released.values(), *renamed], [*keys, *dropped], vectors, erased=files,
                    seen=either(seen, names_any(going)), row_seen=row_seen,
                )  # fmt: skip
            if done:
                told = files if self.reach.sees_all else ()  # a file's name counts everybody's changes
                receipt = receipt_of(found, wanted, freed, rows, dropped)
                return replace(receipt, files=tuple(path.name for path in told))
        return receipt_of(found, wanted)

    def check_sound(self, inside: Boundary, id: str, cell: tuple[str, str] | None = None) -> None:
        """Refuse a record that is set aside.

        Raises:
            CorruptRecord: it is.

        """
        for key in self._indexes.aside_in(inside, [id]):
            if cell is None or key.cell == cell:
                raise damaged(id)

    def repair(self, found: Sequence[Problem]) -> None:
        """Remove for good what a check has found to be damaged, and make the indexes anew.

        What can be read is no such thing: where a note about a record is wrong, or its vector, it is written again, and
        a vector that does not fit is left out. A memory that was opened without a boundary has the whole store
        repaired; another one, its own records alone.
        """
        self._commits.check_writable()
        named = {each.key: each.where for each in found if each.key is not None}
        for _ in attempts("repair what is damaged"):
            with self._saver.alone(), self._commits.planning(alone=True):
                self._saver.erase()  # first: they may hold what the damaged records said
                wrong = [key for key, where in named.items() if where != INDEX]
                refused = self._indexes.contents.aside.keys() & named.keys()
                again = self._commits.readable([key for key in wrong if key not in refused])
                kept = [key for key in map(key_of, again) if named[key] != embeddings.VECTORS]
                if self.reach.sees_all and isinstance(self._store, SalvagingStore):
                    self._store.repair()
                    again, wrong = [record for record in again if key_of(record) not in kept], []
                    self._indexes.catch_up()
                gone = {*wrong, *refused}.difference(map(key_of, again))
                vectors = embeddings.kept(self._store, kept) if kept else None
                done = self._commits.exchange(again, again, sorted(gone, key=by_id), vectors)
                self._indexes.rebuild()
            if done:
                return

    def _lineage(self, within: Boundary) -> Lineage:
        return Lineage(self._indexes[within.tenant], within, self._commits.reader(within.tenant))


def _sources(record: Record) -> tuple[str, ...]:
    """Return the ids of what a record says that it was made of."""
    source = record.provenance.get("source_id")
    return (*record.derived_from_unit_ids, *([source] if isinstance(source, str) else []))


def _actor(row: Record) -> object:
    """Return who said an observation that is stored as this row."""
    return row.metadata["content"].get("actor")
