"""What follows from removing a record: what says the same does not outlive it, and a summary gives back the rest.

What was forgotten is said by no summary: it goes with any of its sources, whether these are archived or were deleted
when it was made. Nor is it said by a turn's durable copy; a turn whose time is over, though, leaves its copy behind:
that is what the copy is for. And nothing is lost that nobody asked to forget: what a summary stood for beside them is
found again once it is gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ..boundary import Boundary
from ..errors import CorruptRecord
from ..index.partition import Partition
from ..records import Record
from ..storage import Key
from . import selection as selecting


@dataclass(frozen=True, slots=True)
class Removal:
    """What one call removes of one tenant.

    Attributes:
        ids: what was asked for and is there.
        summaries: what goes with it.
        copies: the durable copies that go with it.
        archived: what comes back, as it is stored now.

    """

    ids: tuple[str, ...]
    summaries: tuple[str, ...]
    copies: tuple[str, ...]
    archived: tuple[Record, ...]

    def gone(self) -> tuple[str, ...]:
        """Return all that is removed."""
        return (*self.ids, *self.summaries, *self.copies)

    def released(self) -> list[Record]:
        """Return what comes back, as it will be stored."""
        return [record.completed(archived_by=None) for record in self.archived]


@dataclass(frozen=True, slots=True)
class Follows:
    """What follows from a record's new text: its durable copies as they are, what is to be released, what goes."""

    copies: Sequence[Record]
    record: Record
    archived: Sequence[Record]
    summaries: Sequence[Key]

    @property
    def changed(self) -> list[Record]:
        """The copies with the new text."""
        return [copy.completed(text=self.record.text, claim=self.record.claim) for copy in self.copies]

    @property
    def released(self) -> list[Record]:
        """What is found again."""
        return [each.completed(archived_by=None) for each in self.archived]


def with_sources(partition: Partition, inside: Boundary, ids: Sequence[str]) -> list[str]:
    """Return records and, of the summaries among them, everything inside the boundary that they were made of."""
    found = dict.fromkeys(ids)
    waiting = list(found)
    while waiting:
        sources = selecting.inside(partition, inside, partition.members.sources.get(waiting.pop(), ()))
        new = [source for source in sources if source not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return list(found)


def removal(
    partition: Partition,
    inside: Boundary,
    read: selecting.Read,
    ids: Sequence[str],
    named: Collection[str],
    *,
    with_copies: bool = True,
) -> Removal:
    """Return what follows from removing records inside a boundary; `named` are ids asked for that may not be there."""
    members = partition.members
    asked = dict.fromkeys((*ids, *named))
    copied = sorted(copy for id in asked for copy in members.copies_of(id)) if with_copies else []
    copies = [copy for copy in selecting.inside(partition, inside, copied) if copy not in asked]
    gone = dict.fromkeys((*ids, *copies))
    waiting = [*gone, *named]
    summaries: list[str] = []
    while waiting:
        made = sorted(members.summaries_of(waiting.pop()))
        new = [summary for summary in selecting.inside(partition, inside, made) if summary not in gone]
        gone.update(dict.fromkeys(new))
        summaries += new
        waiting += new
    archived = tuple(_archived(partition, inside, read, gone))
    return Removal(tuple(sorted(ids)), tuple(sorted(summaries)), tuple(copies), archived)


def rewriting(partition: Partition, inside: Boundary, read: selecting.Read, record: Record) -> Follows:
    """Return what follows inside a boundary if a record of another text takes the place of the one that is stored."""
    tenant, id = record.tenant or "", record.id or ""
    gone = removal(partition, inside, read, [id], ())
    return Follows(
        [copy for copy in read(gone.copies) if copy],
        record,
        [each for each in gone.archived if each.archived_by in gone.summaries and each.id != id],
        [(tenant, summary) for summary in gone.summaries],
    )


def _archived(partition: Partition, inside: Boundary, read: selecting.Read, gone: Collection[str]) -> Iterator[Record]:
    """Give what summaries that go have archived, and what stays."""
    sources = dict.fromkeys(source for id in gone for source in partition.members.sources.get(id, ()))
    for source in selecting.inside(partition, inside, sources):
        if source in partition.members.archived and source not in gone:
            try:
                [record] = read([source])
            except CorruptRecord:
                continue  # it stays as it is, and a check names it; what is to be forgotten goes all the same
            if record is not None and record.archived_by in gone:
                yield record
