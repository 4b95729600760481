"""The lineage of records: with one go its copies and summaries, and what a summary stood for is found again.

What was forgotten is said by no summary: it goes with any of its sources, whether these are archived or were deleted
when it was made. Nor is it said by a turn's durable copy, which ends with the turn too where that is given an end. And
nothing is lost that nobody asked to forget: what a summary stood for beside them is found again once it is gone.

Records name each other by id. Where several cells have an id, the record in the cell of the one that names it is meant;
if there is none, all that can be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..boundary import Boundary, id_of
from ..errors import CorruptRecord
from ..index import selection as selecting
from ..index import whose
from ..index.partition import Partition
from ..light.classes import dataclass
from ..records import SUMMARY, Record
from ..retrieval.filter.canonical import Canonical
from ..storage import Key, key_of
from .copies import Follows

NO_CLAIMS: Mapping[str, object] = {}

_AT_ONCE = 1_000  # names, each in up to six fields: a filter has at most 10,000 values


@dataclass(frozen=True, slots=True)
class Removal:
    """What one call removes of one tenant, as keys.

    Attributes:
        asked: what was asked for and is there.
        summaries: what goes with it.
        copies: the durable copies that go with it.
        archived: what comes back, as it is stored now.
        untouched: what stays, though it may speak of what goes.
        damaged: what is set aside, so that no filter could look at it.

    """

    asked: tuple[Key, ...]
    summaries: tuple[Key, ...]
    copies: tuple[Key, ...]
    archived: tuple[Record, ...]
    untouched: tuple[Key, ...] = ()
    damaged: tuple[Key, ...] = ()

    def gone(self) -> tuple[Key, ...]:
        """Return all that is removed."""
        return (*self.asked, *self.summaries, *self.copies)

    def released(self) -> list[Record]:
        """Return what comes back, as it will be stored."""
        return [record.completed(archived_by=None) for record in self.archived]


class Lineage:
    """What the records of one tenant say of each other, inside a boundary.

    Args:
        partition: the indexes of the tenant.
        inside: what can be seen.
        read: gives records by their rows.

    """

    def __init__(self, partition: Partition, inside: Boundary, read: selecting.Read) -> None:
        self._partition, self._inside, self._read = partition, inside, read

    def keys(self, rows: Iterable[str]) -> tuple[Key, ...]:
        """Return the keys of rows that are there."""
        places = self._partition.places(list(rows))
        return tuple(Key(self._inside.tenant, *place[1], place[0]) for place in places if place is not None)

    def named(self, by: str, id: str) -> list[str]:
        """Return the rows that a record means by an id: the one of its own cell, or all that can be seen."""
        found = selecting.inside(self._partition, self._inside, [id])
        if len(found) > 1:
            cell = self._partition.cell_of(by)
            found = [row for row in found if self._partition.cell_of(row) == cell] or found
        return found

    def sources(self, summary: str) -> list[str]:
        """Return what a summary was made of, as far as it is there."""
        named = self._partition.values("source_ids", summary) if self._is_summary(summary) else ()
        return list(dict.fromkeys(row for id in named for row in self.named(summary, id)))

    def deleted_sources(self, rows: Iterable[str]) -> list[str]:
        """Return the ids of what the summaries among some records were made of and is no longer there."""
        summaries = [row for row in rows if self._is_summary(row)]
        named = [(row, str(id)) for row in summaries for id in self._partition.values("source_ids", row)]
        return list(dict.fromkeys(id for row, id in named if not self.named(row, id)))

    def claims(self, observations: Collection[str]) -> dict[str, str]:
        """Return the claims that were made of some observations, each with the id of that."""
        made = self._in_parts(whose.made_of_observations, observations)
        rows = selecting.rows_inside(self._partition, self._inside, made)
        return {row: str(id) for row in rows for id in self._partition.values(whose.OBSERVATION_ID, row)}

    def _is_summary(self, row: str) -> bool:
        return SUMMARY in self._partition.values("kind", row)

    def summaries(self, id: str, row: str | None) -> list[str]:
        """Return the summaries that were made of a record; of one that is not there, by its id."""
        return self._naming(self._partition.rows(whose.summaries_of(id)), id, row)

    def copies(self, id: str, row: str | None) -> list[str]:
        """Return the durable copies of a turn; of one that is not there, by its id."""
        return self._naming(self._partition.rows(whose.copies_of(id)), id, row)

    def _naming(self, rows: Collection[str], id: str, row: str | None) -> list[str]:
        """Return those of some rows that mean a record, or none that is there, by an id."""
        found = selecting.rows_inside(self._partition, self._inside, sorted(rows))
        return [each for each in found if (row in meant if (meant := self.named(each, id)) else row is None)]

    def with_sources(self, rows: Sequence[str]) -> list[str]:
        """Return records and, of the summaries among them, everything that they were made of."""
        found = dict.fromkeys(rows)
        waiting = list(found)
        while waiting:
            new = [source for source in self.sources(waiting.pop()) if source not in found]
            found.update(dict.fromkeys(new))
            waiting += new
        return list(found)

    def facts(self, rows: Sequence[str]) -> list[str]:
        """Return what was made of records, and of that again; of other users' records nothing."""
        owners = {owner for row in rows for owner in self._partition.values("user_id", row)}
        found: dict[str, None] = {}
        waiting, asked = list(rows), set(rows)
        while waiting:
            made = self._of(waiting, whose.made_of, (whose.SOURCE_ID, *whose.MADE_OF))
            waiting = [row for row in made if row not in found and row not in asked and self._is_of(row, owners)]
            found.update(dict.fromkeys(waiting))
        return list(found)

    def untouched(self, gone: Collection[str]) -> list[str]:
        """Return what may speak of records that go and stays: what names them, and nobody's in a user's sessions."""
        owned = [row for row in gone if self._partition.values("user_id", row)]
        sessions = {session for row in owned for session in self._partition.values("session_id", row)}
        said = self._in_parts(whose.nobodys_in, sessions)
        beside = selecting.rows_inside(self._partition, self._inside, said)
        named = self._of(gone, whose.speaking_of, (whose.SOURCE_ID, *whose.MADE_OF, *whose.NAMING))
        return [row for row in dict.fromkeys((*beside, *named)) if row not in gone]

    def _of(
        self, rows: Collection[str], filter: Callable[[Iterable[str]], Canonical], fields: Sequence[str]
    ) -> list[str]:
        """Return the rows that mean one of some others by an id in one of some fields."""
        if not rows:
            return []
        ids, meant = {id_of(row) for row in rows}, set(rows)
        found = selecting.rows_inside(self._partition, self._inside, self._in_parts(filter, ids))
        return [
            each
            for each in found
            if any(
                not meant.isdisjoint(self.named(each, str(id)))
                for field in fields
                for id in self._partition.values(field, each)
                if id in ids
            )
        ]

    def _in_parts(self, filter: Callable[[Iterable[str]], Canonical], named: Iterable[object]) -> list[str]:
        """Return the rows that a filter over so many names lets through, in order: a filter takes so many at a time."""
        names = sorted(map(str, named))
        found: set[str] = set()
        for start in range(0, len(names), _AT_ONCE):
            found.update(self._partition.rows(filter(names[start : start + _AT_ONCE])))
        return sorted(found)

    def _is_of(self, row: str, owners: Collection[object]) -> bool:
        """Return whether a record is of one of some users, or of nobody."""
        return all(owner in owners for owner in self._partition.values("user_id", row))

    def removal(
        self,
        rows: Sequence[str],
        named: Collection[str] = (),
        *,
        with_copies: bool = True,
        with_facts: bool = False,
        with_turns: bool = False,
        with_deleted: bool = False,
        claims: Mapping[str, object] = NO_CLAIMS,
    ) -> Removal:
        """Return what follows from removing records.

        Args:
            rows: the records.
            named: the ids asked for, which need not be there.
            with_copies: whether durable copies go with their turns.
            with_facts: whether all that was made of the records goes, and it is told what stays; without, it is told
                which turns stay whose copies are among the records.
            with_turns: whether the turns go whose copies are among the records and say the same.
            claims: what was made of observations that go, and who said these: other users' claims stay, and are told.
            with_deleted: whether summaries go that were made of turns whose copies are among the records, and which
                were deleted: nothing but the copy and the summary says what these said.

        """
        there = {id_of(row) for row in rows}
        asked: list[tuple[str, str | None]] = [(id_of(row), row) for row in dict.fromkeys(rows)]
        asked += [(id, None) for id in dict.fromkeys(named) if id not in there]
        asked += [(id, None) for id in self._deleted(rows)] if with_deleted else []
        copied = [copy for id, row in asked for copy in self.copies(id, row)] if with_copies else []
        copied += self.facts(rows) if with_facts else []
        copied += self._said_alike(rows) if with_turns else []
        copied += [row for row, actor in claims.items() if self._is_of(row, (actor,))]
        gone = dict.fromkeys(rows)
        copies = [copy for copy in dict.fromkeys(copied) if copy not in gone]
        gone.update(dict.fromkeys(copies))
        waiting = [*asked, *((id_of(copy), copy) for copy in copies)]
        summaries: list[str] = []
        while waiting:
            new = [summary for summary in self.summaries(*waiting.pop()) if summary not in gone]
            gone.update(dict.fromkeys(new))
            summaries += new
            waiting += [(id_of(summary), summary) for summary in new]
        archived = tuple(self._archived(gone))
        released = set(map(key_of, archived))
        stay = self.untouched(gone) if with_facts else self._copied(rows, gone)
        stays = self.keys(sorted({*stay, *(row for row in claims if row not in gone)}))
        return Removal(
            self.keys(sorted(rows)), self.keys(sorted(summaries)), self.keys(copies), archived,
            tuple(key for key in stays if key not in released),
        )  # fmt: skip

    def _copied(self, rows: Sequence[str], gone: Collection[str]) -> set[str]:
        """Return the turns of which some records are the durable copies, and that stay."""
        named = ((row, id) for row in rows for id in self._partition.values(whose.SOURCE_ID, row))
        return {turn for row, id in named for turn in self.named(row, str(id)) if turn not in gone}

    def _deleted(self, rows: Sequence[str]) -> list[str]:
        """Return the ids of the turns of which some records are the durable copies, and that are no longer there."""
        named = ((row, str(id)) for row in rows for id in self._partition.values(whose.SOURCE_ID, row))
        return list(dict.fromkeys(id for row, id in named if not self.named(row, id)))

    def _said_alike(self, rows: Sequence[str]) -> list[str]:
        """Return the turns of which some records are the durable copies, and that say the same as these."""
        found = [(row, turn) for row in rows for turn in sorted(self._copied([row], rows))]
        if not found:
            return []
        both = zip(self._read([row for row, _ in found]), self._read([turn for _, turn in found]), strict=True)
        alike = (one is not None and other is not None and one.text == other.text for one, other in both)
        return [turn for (_, turn), is_alike in zip(found, alike, strict=True) if is_alike]

    def over(self, rows: Sequence[str]) -> Removal:
        """Return what follows from removing records whose end has come: a copy that was given a later one stays."""
        removal, ended = self.removal(rows, with_copies=False), set(rows)
        copies = self.keys(sorted({copy for row in rows for copy in self.copies(id_of(row), row) if copy in ended}))
        asked = tuple(key for key in removal.asked if key not in copies)
        return replace(removal, asked=asked, copies=copies, untouched=())

    def changing(self, row: str, record: Record, old: Record) -> Follows:
        """Return what follows if a record of the same text, user and cell takes the place of the one known by a row."""
        return Follows([copy for copy in self._read(self.copies(id_of(row), row)) if copy], record, old, (), ())

    def rewriting(self, row: str, record: Record, old: Record, *, with_deleted: bool = True) -> Follows:
        """Return what follows if a record of another text, user or cell takes the place of the one known by a row.

        `with_deleted`: what was made of a deleted turn goes with its copy; not for an end, which is the copy's own.
        """
        gone = self.removal([row], with_deleted=with_deleted)
        summaries = {key.id for key in gone.summaries}
        return Follows(
            [copy for copy in self._read([each for key in gone.copies for each in self._rows(key)]) if copy],
            record,
            old,
            [each for each in gone.archived if each.archived_by in summaries and key_of(each) not in gone.asked],
            gone.summaries,
        )

    def _rows(self, key: Key) -> list[str]:
        return [row for row in self._partition.rows_of(key.id) if self._partition.cell_of(row) == key.cell]

    def _archived(self, gone: Collection[str]) -> Iterator[Record]:
        """Give what summaries that go have archived, and what stays."""
        going = {id_of(row) for row in gone}
        for source in dict.fromkeys(source for row in gone for source in self.sources(row)):
            if source not in gone and self._partition.is_archived(source):
                try:
                    [record] = self._read([source])
                except CorruptRecord:
                    continue  # it stays as it is, and a check names it; what is to be forgotten goes all the same
                if record is not None and record.archived_by in going:
                    yield record
