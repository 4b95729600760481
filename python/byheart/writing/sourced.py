"""The rule of sources: which stored records are theirs, and that their new ones take the place of no others.

Who imports a file again means what that file said before. A record that somebody remembered by hand, or that another
file said, has the same id by accident or by malice: it is refused, since it would go with the file later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from ..errors import BoundaryViolation, DuplicateId, InvalidArgument
from ..knowledge import is_imported
from ..light.classes import dataclass
from ..records import Record
from .change import Change

_AT_ONCE: Final = 1_000


@dataclass(frozen=True, slots=True)
class Sourced:
    """The records of sources that come in the place of what these said before.

    Attributes:
        tenant: whose memory it is: sources are this tenant's alone, so that none leaves records behind elsewhere.
        sources: the new records, by the source's name.
        imported: whether only what an import wrote was said by a source, whatever other records name it.
        cell: scope and class of what an import writes.
        left: sources whose files are gone: what the others say of theirs they may take over.
        beside: sources that are left as they are: what the others say of theirs in other cells is not said anew.

    """

    tenant: str
    sources: Mapping[str, Sequence[Record]]
    imported: bool = False
    cell: tuple[str, str] = ("", "")
    left: Collection[str] = ()
    beside: Collection[str] = ()

    def records(self) -> list[Record]:
        """Return the new records of all sources, in their order."""
        return [record for records in self.sources.values() for record in records]

    def names(self) -> Iterator[set[str]]:
        """Yield the names of the sources, and of those beside them; a filter takes so many at a time."""
        names = iter({*self.sources, *self.left, *self.beside})
        while part := set(islice(names, _AT_ONCE)):
            yield part

    def check(self) -> None:
        """Refuse records that these sources cannot say.

        Raises:
            InvalidArgument: a record says that it is of another source.
            BoundaryViolation: a record names another tenant.

        """
        for name, records in self.sources.items():
            for record in records:
                if record.provenance.get("source_name") != name:
                    raise InvalidArgument(f"source {name!r}: a record's provenance names another source_name")
                if record.tenant not in (None, self.tenant):
                    raise BoundaryViolation(
                        f"{_place(record)}: names tenant {record.tenant!r}, and the memory was opened for"
                        f" {self.tenant!r}; open it for the other one to replace a source there"
                    )

    def theirs(self, record: Record) -> bool:
        """Return whether one of the sources said a stored record."""
        return record.provenance.get("source_name") not in self.beside and self.looked_at(record)

    def looked_at(self, record: Record) -> bool:
        """Return whether one of the sources said a stored record, or one that is left as it is."""
        name = record.provenance.get("source_name")
        return (
            isinstance(name, str)
            and (name in self.sources or name in self.left or name in self.beside)
            and record.tenant == self.tenant
            and (not self.imported or is_imported(record.id or "", record.provenance))
        )

    def check_places(self, change: Change) -> None:
        """Refuse a write in which a record comes in the place of one that none of the sources said.

        Raises:
            DuplicateId: it would.

        """
        for key, old in change.instead.items():
            if not self.theirs(old):
                name = old.provenance.get("source_name")
                foreign = isinstance(name, str) and name not in self.sources
                origin = f"from {name!r}" if foreign else "that was remembered by hand"
                moved = ", or replace both sources at once if one has moved" if foreign else ""
                raise DuplicateId(
                    f"{_place(change.put[key])}: the id {key.id!r} is that of a record {origin}; nothing was changed."
                    f" Give this one another id, or forget that one first{moved}"
                )


def _place(record: Record) -> str:
    """Return where a record stands, for errors: its source, and the line there."""
    name, line = record.provenance.get("source_name"), record.provenance.get("line")
    return f"{name}, line {line}" if isinstance(line, int) else f"{name}"
