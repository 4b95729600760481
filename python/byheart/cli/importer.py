"""The import of files: what each says now beside what it said before, and one write of the difference."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..boundary.reach import Reach
from ..errors import ByheartError, InvalidArgument
from ..ingestion.sources import Source, find_sources, read_source, source_name
from ..knowledge import is_imported, source_id
from ..memory.memory import Memory
from ..records import Record
from ..storage import Key, is_in_process, key_of
from ..validation import CLASSES
from .progress import Progress

Read = list[tuple[Source, list[Record]]]
_OF_FILES = frozenset({
    "text", "topic", "role", "claim", "procedure", "condition", "utility_acts", "utility_note", "subject", "relation",
    "object", "kind", "ku_type", "tags", "entities", "links", "metadata", "parent_unit_ids", "child_unit_ids",
})  # fmt: skip
"""The fields that are a file's own: what it says no longer, its record does not say. The rest may be put by hand."""


@dataclass
class Counts:
    """How much an import did: sources read, what became of their records, what was skipped, and which sources went.

    `passed_over` says how many files of which endings lay below the folders that are of no type that can be read.
    """

    sources: int = 0
    remembered: int = 0
    unchanged: int = 0
    forgotten: int = 0
    skipped: list[dict[str, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    passed_over: dict[str, int] = field(default_factory=dict)

    def skip(self, source: str, error: Exception) -> None:
        """Note what could not be read."""
        told = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
        self.skipped.append({"source": source, "reason": told})


@dataclass
class Importer:
    """An import into a memory.

    A record that has not changed since the last import keeps its times.

    Attributes:
        memory: where to; its own tenant is that of `defaults`.
        file: the memory's own: sources are known by their path from its folder, or from this one if it has none.
        defaults: tenant, scope and boundary class: the cell of every record; a line that names another is refused.
        facts: make records of their own of sentences that state a fact.
        ignored: look at what version control passes over, too.
        sync: skip what cannot be read, and forget what is gone from below the folders.

    """

    memory: Memory
    file: str
    defaults: Mapping[str, Any]
    facts: bool = False
    ignored: bool = False
    sync: bool = False

    def __post_init__(self) -> None:
        """Find the folder that names are counted from."""
        self.own = None if is_in_process(self.file) else Path(os.path.realpath(self.file))
        self.base = Path(os.path.realpath(".")) if self.own is None else self.own.parent
        self.counts = Counts()
        self.unlisted: list[OSError] = []

    def run(self, paths: Sequence[str]) -> Counts:
        """Import files and folders in one write, and return the counts.

        Raises:
            InvalidArgument, BoundaryViolation, LimitExceeded, MissingExtra, OSError: a source cannot be read, or names
                another cell, and may not be skipped.
            DuplicateId: an id is that of a record that was remembered by hand, or that another source said.
            StoreBusy, StoreError, CorruptRecord: the memory file cannot be written.

        """
        before, ids = self._stored()
        sources = self._sources(paths)
        read = self._read(sources, ids)
        _check_ids(read)
        changed: dict[str, list[Record]] = {}
        for source, records in read:
            old = before.get(source.name, {})
            stricter = _stricter(records, old)
            if stricter is not None:
                error = _published(source.name, stricter)
                if not self.sync:
                    raise error
                self.counts.skip(source.name, error)
                continue
            dated = [_dated(record, old.get(key_of(record))) for record in records]
            if self._count(dated, old):
                changed[source.name] = dated
        for name in self._gone(paths, before, {source.name for source in sources}) if self.sync else ():
            self._count([], before[name])
            self.counts.gone.append(name)
            changed[name] = []
        self.counts.sources = len(read)
        changed.update(self._moved(changed, before))
        self.memory.replace_sources(changed, imported=True)
        return self.counts

    def _sources(self, paths: Sequence[str]) -> list[Source]:
        """Return the sources at the paths, each once; the memory file is none, though it may lie among them."""
        unlisted, others = self.unlisted if self.sync else None, list[Path]()
        found = {
            source.path: source
            for path in paths
            for source in find_sources(path, self.base, ignored=self.ignored, unlisted=unlisted, others=others)
        }
        endings = Counter(path.suffix.lower() or path.name for path in set(others) if not self._is_own(path))
        self.counts.passed_over = dict(sorted(endings.items()))
        if self.own is not None:
            found.pop(self.own, None)
        if not found and not self.sync:
            raise InvalidArgument(f"{paths[0]}: there is nothing here but the memory file itself")
        for error in self.unlisted:
            self.counts.skip(source_name(Path(error.filename), self.base), error)
        return list(found.values())

    def _is_own(self, path: Path) -> bool:
        """Return whether a file is the memory's, or lies beside it on its behalf."""
        if self.own is None or not path.is_relative_to(self.base):
            return False
        return path.relative_to(self.base).parts[0].startswith(self.own.name)

    def _read(self, sources: Sequence[Source], ids: dict[str, str]) -> Read:
        """Return the records of each source."""
        read: Read = []
        with Progress("reading", max(1, len(sources))) as bar:
            for source in sources:
                bar.step(source.name, steps=0)
                id = ids.setdefault(source.name, source_id(source.name, set(ids.values())))
                try:
                    read.append((source, read_source(source, id, self.defaults, facts=self.facts)))
                except (ByheartError, OSError) as error:
                    if not self.sync:
                        raise
                    self.counts.skip(source.name, error)
                bar.step()
        return read

    def _gone(self, paths: Sequence[str], before: Mapping[str, Mapping[Key, Record]], there: set[str]) -> Iterator[str]:
        """Yield the sources that lay below the folders and are there no longer.

        What lies below a folder that cannot be listed may be there still.
        """
        roots = [Path(os.path.realpath(path)) for path in paths]
        folders = [_below(source_name(root, self.base)) for root in roots if root.is_dir()]
        unlisted = [_below(source_name(Path(os.path.realpath(each.filename)), self.base)) for each in self.unlisted]
        for name in sorted(before.keys() - there):
            if any(_lies(name, each) for each in folders) and not any(_lies(name, each) for each in unlisted):
                yield name

    def _moved(
        self, changed: Mapping[str, Sequence[Record]], before: Mapping[str, Mapping[Key, Record]]
    ) -> dict[str, list[Record]]:
        """Return what is left to sources whose files were moved to where their records are read now.

        A file was moved if it is no longer in its place and every record under an id of its own that comes now says
        what it said there. It lets these ids go in the same write; else they would be another source's.
        """
        coming = {(record.tenant, record.id): record for records in changed.values() for record in records}
        left: dict[str, list[Record]] = {}
        for name, records in before.items():
            taken = {key: coming[key.name] for key in records if key.name in coming}
            if name in changed or not taken or os.path.lexists(self.base / name):
                continue
            if all(_says_what(record, records[key]) for key, record in taken.items()):
                left[name] = [record for key, record in records.items() if key not in taken]
        return left

    def _stored(self) -> tuple[dict[str, dict[Key, Record]], dict[str, str]]:
        """Return the tenant's records that imports wrote, by source, and the id of each source, by its name."""
        records: dict[str, dict[Key, Record]] = {}
        ids: dict[str, str] = {}
        for record in self.memory.records(boundary=Reach().of(self.defaults["tenant"])):
            if is_imported(record.id or "", record.provenance):
                name = record.provenance["source_name"]
                records.setdefault(name, {})[key_of(record)] = record
                ids[name] = record.provenance["source_id"]
        return records, ids

    def _count(self, records: Sequence[Record], before: Mapping[Key, Record]) -> bool:
        """Count what becomes of a source's records; return whether anything is to be done."""
        unchanged = sum(before.get(key_of(record)) == record for record in records)
        forgotten = len(before.keys() - {key_of(record) for record in records})
        self.counts.unchanged += unchanged
        self.counts.remembered += len(records) - unchanged
        self.counts.forgotten += forgotten
        return forgotten > 0 or unchanged < len(records)


def _below(folder: str) -> str:
    """Return how the names of all sources below a folder begin; the folder that names are counted from has none."""
    return "" if folder == "." else f"{folder}/"


def _lies(name: str, begin: str) -> bool:
    """Return whether a source lies below a folder: names that begin with `..` lie outside of what has no name."""
    return name.startswith(begin) and not name.removeprefix(begin).startswith("../")


def _check_ids(read: Read) -> None:
    """Refuse an id that two sources give: the second would take the place of the first."""
    owners: dict[Key, str] = {}
    for source, records in read:
        for record in records:
            owner = owners.setdefault(key_of(record), source.name)
            if owner != source.name:
                raise InvalidArgument(f"{source.name}, parsing: the id {record.id!r} stands in {owner} too")


def _says_what(record: Record, old: Record) -> bool:
    """Return whether a record says of itself what a stored one says, wherever both come from."""
    stored = old.to_dict()
    return all(stored.get(name) == value for name, value in record.to_dict().items() if name != "provenance")


def _dated(record: Record, old: Record | None) -> Record:
    """Return what is stored if the file says what it said then, with all that was put on it since; else the record."""
    if old is None or not _says_what(record, old) or record.provenance != old.provenance:
        return record
    more = old.to_dict().keys() - record.to_dict().keys()
    return record if more & _OF_FILES else old


def _stricter(records: Sequence[Record], old: Mapping[Key, Record]) -> Record | None:
    """Return a stored record of a source that is of a stricter class than all that come now; None if none is."""
    classes = [CLASSES.index(key_of(record).boundary_class) for record in records]
    return next(
        (each for key, each in old.items() if classes and CLASSES.index(key.boundary_class) > max(classes)), None
    )


def _published(name: str, old: Record) -> InvalidArgument:
    return InvalidArgument(
        f"{name}: its record {old.id!r} is of the class {old.boundary_class}, which this import would relax; import the"
        f" file with --class {old.boundary_class}, or forget that record first"
    )
