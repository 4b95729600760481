"""The following of sources: what a file says now beside what it said at its last import, record by record.

A record keeps in its provenance, under `file_said`, a digest of each thing that its file said. So three things are told
apart: what the file said, what it says now, and what somebody has put on the record since.

- A chunk whose digests are the same stays the record that it is, wherever it stands in the file now.
- Else, of each field: where the file changed it, the file wins; what the file leaves as it was stays as it was put.
- What lies in another cell stays as it is. If it is what the file says, it counts as unchanged; if the file says
  something else by now, nobody can tell what of that belongs where: the file is left as it was.

`byheart.writing.pairing` tells which record is which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from ..records import Record
from ..storage import key_of
from .pairing import Pairing, is_made
from .said import APART, PLACED, SAID, TOGETHER, Digests, said, said_before

Cell = tuple[str, str]
_NOT_MERGED: Final = APART | {"created_at", "updated_at", "archived_by"}
_NAMES: Final = tuple(each.name for each in fields(Record))


@dataclass(slots=True)
class Followed:
    """What becomes of the records of an import.

    Attributes:
        put: what is written.
        standing: all records of the sources, as they are afterwards, in their order.
        gone: what goes, as it is stored.
        remembered, unchanged: how many records are new or replaced, and how many stay.
        elsewhere: of the latter, how many lie in another cell than that of the import, by source.
        refused: the sources that are left as they were, and why.

    """

    put: list[Record] = field(default_factory=list)
    standing: list[Record] = field(default_factory=list)
    gone: list[Record] = field(default_factory=list)
    remembered: int = 0
    unchanged: int = 0
    elsewhere: dict[str, int] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Following:
    """The comparison of what sources say now with what is stored of them.

    Attributes:
        cell: of the import: scope and class.
        now: the time of the call.

    """

    cell: Cell
    now: float

    def follow(self, sources: Mapping[str, Sequence[Record]], stored: Sequence[Record]) -> Followed:
        """Return what becomes of the records of sources.

        Args:
            sources: what each says now, by its name.
            stored: what these said before, and what was said by others whose files are gone: that may be taken over.

        """
        done = Followed()
        by_source: dict[str, list[Record]] = {}
        by_id: dict[str, list[Record]] = {}
        for old in stored:
            by_source.setdefault(old.provenance["source_name"], []).append(old)
            by_id.setdefault(old.id or "", []).append(old)
        taken: set[int] = set()
        kept: set[str] = set()
        for name, records in sources.items():
            own = by_source.get(name, [])
            ids = {record.id or "" for record in records}
            others = [old for id in sorted(ids) for old in by_id.get(id, ()) if old.provenance["source_name"] != name]
            pool = [*own, *(old for old in others if id(old) not in taken)]
            reason = self._one(name, records, pool, done, taken)
            if reason is not None:
                done.refused[name] = reason
                kept |= {name, *(old.provenance["source_name"] for old in pool)}
        done.gone = [
            old
            for name in sources
            if name not in kept
            for old in by_source.get(name, ())
            if id(old) not in taken and key_of(old).cell == self.cell
        ]
        return done

    def _one(
        self, name: str, records: Sequence[Record], pool: Sequence[Record], done: Followed, taken: set[int]
    ) -> str | None:
        """Add what becomes of one source's records; return why it is left as it was, if it is."""
        here = [old for old in pool if key_of(old).cell == self.cell]
        twins = {old.id for old in here}
        there = [old for old in pool if key_of(old).cell != self.cell and old.id not in twins]
        pairs = Pairing(records, here, there).pairs()
        met = {id(old) for _, old in pairs if old is not None}
        source = {record.provenance["source_id"] for record in records}  # another one: of a file that was moved away
        left = [old for old in there if id(old) not in met and old.provenance["source_id"] in source]
        written: list[Record] = []
        fresh: list[Record] = []
        standing: list[Record] = []
        elsewhere = 0
        for record, old in pairs:
            digests = said(record)
            same = old is not None and said_before(old, digests) == digests
            away = old is not None and key_of(old).cell != self.cell
            if old is not None and away and not same:
                return _moved(old)
            if old is not None and same:
                elsewhere += away
                placed = old if away else _placed(record, old)
                written += [placed] if placed is not old else []
                standing.append(placed)
                continue
            fresh.append(self._marked(record, digests) if old is None else self._merged(record, old, digests))
            standing.append(fresh[-1])
        if fresh and any(is_made(old) or _says_it(old, fresh) for old in left):
            return _moved(left[0])
        taken |= met
        done.put += [*written, *fresh]
        done.standing += standing
        done.remembered += len(fresh)
        done.unchanged += len(pairs) - len(fresh)
        if elsewhere:
            done.elsewhere[name] = elsewhere
        return None

    def _marked(self, record: Record, digests: Digests) -> Record:
        return replace(record, provenance={**record.provenance, SAID: dict(digests)})

    def _merged(self, record: Record, old: Record, digests: Digests) -> Record:
        """Return a record in the place of another one, with what was put on that one and is not the file's."""
        was, holds = said_before(old, digests), said(old)

        def stays(name: str) -> bool:
            return was.get(name) == digests.get(name) or (name not in digests and holds.get(name) != was.get(name))

        factless = record.ku_type not in (None, "atomic")
        carried = {
            name: getattr(old, name)
            for name in _NAMES
            if name not in _NOT_MERGED
            and not (name in PLACED and "chunk_id" in record.provenance)
            and not (factless and TOGETHER.get(name, name) == "subject")
            and stays(TOGETHER.get(name, name))
        }
        names = dict.fromkeys((*record.metadata, *old.metadata))
        metadata = {name: _of(record, old, name, stays) for name in names}
        merged = replace(
            record, **carried, metadata={name: value for name, value in metadata.items() if value is not _GONE}
        )
        retitled = replace(old, topic=merged.topic)  # headings above a text do not make a new one of it
        if (merged.text, merged.content_hash()) == (old.text, retitled.content_hash()):
            created_at, updated_at = record.created_at or old.created_at, record.updated_at or self.now
            merged = replace(merged, archived_by=old.archived_by, created_at=created_at, updated_at=updated_at)
        return self._marked(replace(merged, provenance=_provenance(record, old)), digests)


_GONE: Final = object()


def _of(record: Record, old: Record, name: str, stays: Any) -> Any:
    """Return a value of the metadata, by the same rule as fields; `_GONE` where there is none."""
    return (old if stays(f"metadata.{name}") else record).metadata.get(name, _GONE)


def _provenance(record: Record, old: Record) -> dict[str, Any]:
    """Return where a record comes from: as the file has it, beside what was put there by hand."""
    kept = {name: value for name, value in old.provenance.items() if name != "page"}
    told = {name: value for name, value in record.provenance.items() if name != SAID}
    return {**kept, **told}


def _placed(record: Record, old: Record) -> Record:
    """Return a stored record where it stands in its file now; itself if it stands where it did."""
    places = {name: getattr(record, name) for name in PLACED} if "chunk_id" in record.provenance else {}
    placed = old.completed(provenance=_provenance(record, old), **places)
    return old if placed == old else placed


def _says_it(old: Record, fresh: Sequence[Record]) -> bool:
    """Return whether one of some new records says what a stored one's file said."""
    return any(said_before(old, now := each.provenance[SAID]) == now for each in fresh)


def _moved(old: Record) -> str:
    scope, boundary_class = key_of(old).cell
    return (
        f"its record {old.id!r} was moved to {scope}/{boundary_class}, and the file does not say that any more; what is"
        f" new of it may belong there: import it with --scope {scope} --class {boundary_class}, or forget that record"
    )
