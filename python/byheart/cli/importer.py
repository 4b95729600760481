"""The import of files: what each says now beside what it said before, and one write of the difference."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..errors import BoundaryViolation, ByheartError, InvalidArgument
from ..ingestion.sources import Source, find_sources, read_source, source_name
from ..memory.memory import Memory
from ..memory.remembering import follow_sources
from ..records import Record
from ..storage import Key, is_in_process, key_of
from ..writing.pairing import is_made
from ..writing.said import said as digests_of
from ..writing.said import text_of
from .imported import Before, Contents, contents_of, says_what
from .progress import Progress
from .wording import told

Read = list[tuple[Source, list[Record]]]


@dataclass
class Counts:
    """Counts of an import: sources read, the outcomes of their records, what was skipped, and sources removed.

    `elsewhere` says how many of the unchanged lie in another cell; `passed_over` how many files of which endings lay
    below the folders that are of no type that can be read; `left_out` which links and the like were not read, and why.
    """

    sources: int = 0
    remembered: int = 0
    unchanged: int = 0
    forgotten: int = 0
    elsewhere: int = 0
    skipped: list[dict[str, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    passed_over: dict[str, int] = field(default_factory=dict)
    left_out: list[dict[str, str]] = field(default_factory=list)

    def skip(self, source: str, error: Exception) -> None:
        """Note what could not be read."""
        self.skipped.append({"source": source, "reason": told(error)})


@dataclass
class Importer:
    """An import into a memory.

    What has not changed since the last import stays as it is (`byheart.writing.following`).

    Attributes:
        memory: where to; its own tenant is that of `defaults`.
        file: the memory's own: sources are known by their path from its folder, or from this one if it has none.
        defaults: tenant, scope and boundary class: the cell of every record; a line that names another is refused.
        facts: make records of their own of sentences that state a fact.
        ignored: look at what version control passes over, too.
        sync: skip what cannot be read, and forget what is gone from below the folders.
        empty: forget it of a folder that holds nothing now, too.

    """

    memory: Memory
    file: str
    defaults: Mapping[str, Any]
    facts: bool = False
    ignored: bool = False
    sync: bool = False
    empty: bool = False

    def __post_init__(self) -> None:
        """Find the folder that names are counted from."""
        self.own = None if is_in_process(self.file) else Path(os.path.realpath(self.file))
        self.base = Path(os.path.realpath(".")) if self.own is None else self.own.parent
        self.counts = Counts()
        self.unread: dict[Path, Exception] = {}

    def run(self, paths: Sequence[str]) -> Counts:
        """Import files and folders in one write, and return the counts.

        Raises:
            InvalidArgument, BoundaryViolation, LimitExceeded, MissingExtra, OSError: a source cannot be read, names
                another cell, or says something new beside what was moved to one, and may not be skipped.
            InvalidArgument: all of a folder would be forgotten, and it was not asked for.
            DuplicateId: an id is that of a record that was remembered by hand, or that another source said.
            StoreBusy, StoreError, CorruptRecord: the memory file cannot be written.

        """
        before = Before.of(self.memory, self.defaults)
        sources = self._sources(paths)
        read = self._read(sources, before)
        _check_ids(read)
        said = {source.name: records for source, records in read}
        gone = self._gone(paths, before, sources, said) if self.sync else []
        said.update({name: [] for name in gone})
        left, beside = self._others(paths, said, before)
        done = follow_sources(self.memory, said, before.cell, left=left, beside=beside, lenient=self.sync)
        for name, why in done.refused.items():
            self.counts.skip(name, InvalidArgument(f"{name}: {why}"))
        self.counts.sources = len(read) - len(done.refused)
        self.counts.remembered, self.counts.unchanged = done.remembered, done.unchanged
        self.counts.forgotten, self.counts.elsewhere = len(done.gone), sum(done.elsewhere.values())
        self.counts.gone = [name for name in gone if name in {old.provenance["source_name"] for old in done.gone}]
        return self.counts

    def _sources(self, paths: Sequence[str]) -> list[Source]:
        """Return the sources at the paths, each once; the memory file is none, though it may lie among them."""
        unread, others = self.unread if self.sync else None, list[Path]()
        left_out: dict[Path, str] = {}
        found = {
            source.path: source
            for path in paths
            for source in find_sources(path, self.base, ignored=self.ignored, unread=unread, others=others,
                                       left_out=left_out)
        }  # fmt: skip
        self.counts.left_out = [
            {"source": source_name(path, self.base), "reason": why} for path, why in sorted(left_out.items())
        ]
        endings = Counter(path.suffix.lower() or path.name for path in set(others) if not self._is_own(path))
        self.counts.passed_over = dict(sorted(endings.items()))
        if self.own is not None:
            found.pop(self.own, None)
        if not found and not self.sync:
            raise InvalidArgument(f"{paths[0]}: there is nothing here but the memory file itself")
        for place, error in sorted(self.unread.items(), key=lambda each: each[0].parts):
            name = os.path.relpath(place, self.base).encode("utf-8", "backslashreplace").decode()
            self.counts.skip(Path(name).as_posix(), error)
        return list(found.values())

    def _is_own(self, path: Path) -> bool:
        """Return whether a file is the memory's, or lies beside it on its behalf."""
        if self.own is None or not path.is_relative_to(self.base):
            return False
        return path.relative_to(self.base).parts[0].startswith(self.own.name)

    def _read(self, sources: Sequence[Source], before: Before) -> Read:
        """Return the records of each source.

        Raises:
            ByheartError, OSError: one cannot be read, and may not be skipped; of several that cannot, all are named.

        """
        read: Read = []
        bad: list[ByheartError | OSError] = []
        with Progress("reading", max(1, len(sources))) as bar:
            for source in sources:
                bar.step(source.name, steps=0)
                try:
                    id = before.id_of(source.name)
                    read.append((source, read_source(source, id, self.defaults, facts=self.facts)))
                except (ByheartError, OSError) as error:
                    if self.sync:
                        self.counts.skip(source.name, error)
                    bad.append(error)
                bar.step()
        if bad and not self.sync:
            raise _all_of(bad)
        return read

    def _is_there(self, name: str) -> bool:
        """Return whether a file is in its place; where nothing can be looked at it may be.

        What a link leads to is called otherwise itself, and is in no place of that name.
        """
        place = os.path.normpath(self.base / name)
        return self._is_unread(name) or (os.path.lexists(place) and os.path.realpath(place) == place)

    def _is_unread(self, name: str) -> bool:
        """Return whether what bears a name, or a folder above it, cannot be looked at."""
        path = self.base / name
        return any(each in self.unread for each in (path, *path.parents))

    def _gone(
        self, paths: Sequence[str], before: Before, sources: Sequence[Source], said: Mapping[str, Sequence[Record]]
    ) -> list[str]:
        """Return the sources that lay below the folders and are there no longer.

        What cannot be looked at may be there still.

        Raises:
            InvalidArgument: all of a folder would be forgotten, as if it were empty, and that was not asked for.

        """
        there = {source.name for source in sources}
        gone: dict[str, None] = {}
        texts: set[str | None] | None = None
        for path in paths:
            folder = self._folder(path)
            if folder is None:
                continue
            lost = [name for name in sorted(before.here - there) if _lies(name, folder) and not self._is_unread(name)]
            if lost and not self.empty and not any(_lies(name, folder) for name in there):
                texts = texts or {text_of(digests_of(each)) for records in said.values() for each in records}
                if not all(texts.issuperset(before.texts(name)) for name in lost):
                    raise InvalidArgument(
                        f"{path}: holds no file that can be imported, and {len(lost)} imported from there would be"
                        " forgotten; is it the right folder, and mounted? --allow-empty forgets them"
                    )
            gone.update(dict.fromkeys(lost))
        return sorted(gone)

    def _folder(self, path: str) -> str | None:
        """Return how the names of all sources below a path begin; None if it is no folder."""
        root = Path(os.path.realpath(path))
        return _below(source_name(root, self.base)) if root.is_dir() else None

    def _others(
        self, paths: Sequence[str], said: Mapping[str, Sequence[Record]], before: Before
    ) -> tuple[list[str], list[str]]:
        """Return the other sources to be compared with: those whose files are gone, and those that are not read.

        A file that is gone lets its records go to where they are read now, if it was of the folders, or of what is
        imported to this cell, or moved as a whole; not if a record comes under an id of its own that says something
        else: that is no move. Of files that are there, those below the folders count.
        """
        folders = [folder for path in paths if (folder := self._folder(path)) is not None]
        coming = {record.id: record for records in said.values() for record in records}
        wholes: set[Contents] | None = None
        left, beside = list[str](), list[str]()
        for name, records in before.records.items():
            inside = any(_lies(name, folder) for folder in folders)
            if name in said:
                continue
            if self._is_there(name):
                beside += [name] * inside
                continue
            if not inside and name not in before.here:
                wholes = wholes or set(map(contents_of, said.values()))
                if before.contents(name) not in wholes:
                    continue
            moved = all(says_what(coming[old.id], old) for old in records if old.id in coming and not is_made(old))
            (left if moved else beside).append(name)
        return left, beside


def _below(folder: str) -> str:
    """Return how the names of all sources below a folder begin; the folder that names are counted from has none."""
    return "" if folder == "." else f"{folder}/"


def _lies(name: str, begin: str) -> bool:
    """Return whether a source lies below a folder.

    >>> _lies("a.md", ""), _lies("../a.md", ""), _lies("a.md", "../"), _lies("../../a.md", "../")
    (True, False, True, False)
    >>> _lies("../x/a.md", "../x/"), _lies("a.md", "../x/")
    (True, False)

    """
    if begin.replace("../", ""):
        return name.startswith(begin)
    return not name.startswith(f"{begin}../")  # all but what lies above


def _check_ids(read: Read) -> None:
    """Refuse an id that two sources give: the second would take the place of the first."""
    owners: dict[Key, str] = {}
    for source, records in read:
        for record in records:
            owner = owners.setdefault(key_of(record), source.name)
            if owner != source.name:
                raise InvalidArgument(f"{source.name}, parsing: the id {record.id!r} stands in {owner} too")


_MOST_NAMED: Final = 100  # files, in one message


def _all_of(errors: Sequence[ByheartError | OSError]) -> ByheartError | OSError:
    """Return one error that names the files that cannot be read, a hundred at most."""
    if len(errors) == 1:
        return errors[0]
    more = f"; and {len(errors) - _MOST_NAMED} more" if len(errors) > _MOST_NAMED else ""
    said = f"{len(errors)} files cannot be imported: {'; '.join(map(told, errors[:_MOST_NAMED]))}{more}"
    foreign = all(isinstance(error, BoundaryViolation) for error in errors)
    return BoundaryViolation(said) if foreign else InvalidArgument(said)
