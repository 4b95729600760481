"""The import of files: what they hold now replaces what they held at their last import, all in one write."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..boundary.reach import Reach
from ..errors import InvalidArgument
from ..ingestion.sources import Source, find_sources, read_source
from ..knowledge import source_id
from ..memory.memory import Memory
from ..records import Record
from ..storage import Key, key_of
from .progress import Progress


@dataclass
class Counts:
    """How much an import did: sources read, and what became of their records."""

    sources: int = 0
    remembered: int = 0
    unchanged: int = 0
    forgotten: int = 0


def import_paths(
    paths: Sequence[str], file: str, memory: Memory, defaults: Mapping[str, Any], *, facts: bool = False
) -> Counts:
    """Import files and folders, all or nothing, and return the counts.

    `file` is the memory's own: sources are known by their path from its folder. `defaults` are tenant, scope and
    boundary class of records that name none; the memory's own tenant is to be the same as the first. A record that has
    not changed since the last import keeps its times. With `facts`, sentences that state one become records of their
    own.

    Raises:
        InvalidArgument, LimitExceeded, OSError: a source cannot be read.
        StoreBusy, StoreError, CorruptRecord: the memory file cannot be written.

    """
    before, ids = _stored(memory)
    read: list[tuple[Source, list[Record]]] = []
    sources = _sources(paths, Path(os.path.realpath(file)))
    with Progress("reading", len(sources)) as bar:
        for source in sources:
            bar.step(source.name, steps=0)
            ids.setdefault(source.name, source_id(source.name, set(ids.values())))
            read.append((source, read_source(source, ids[source.name], defaults, facts=facts)))
            bar.step()
    _check_ids(read)
    counts = Counts(sources=len(read))
    changed: dict[str, list[Record]] = {}
    for source, records in read:
        old = before.get(source.name, {})
        dated = [_dated(record, old.get(key_of(record))) for record in records]
        if _count(dated, old, defaults["tenant"], counts):
            changed[source.name] = dated
    memory.replace_sources(changed)
    return counts


def _sources(paths: Sequence[str], file: Path) -> list[Source]:
    """Return the sources at the paths, each once; the memory file is none, though it may lie among them."""
    found = {source.path: source for path in paths for source in find_sources(path, file.parent)}
    found.pop(file, None)
    if not found:
        raise InvalidArgument(f"{paths[0]}: there is nothing here but the memory file itself")
    return list(found.values())


def _stored(memory: Memory) -> tuple[dict[str, dict[Key, Record]], dict[str, str]]:
    """Return the stored records of each source, and the id of each source, by its name."""
    records: dict[str, dict[Key, Record]] = {}
    ids: dict[str, str] = {}
    for record in (record for tenant in memory.tenants() for record in memory.records(boundary=Reach().of(tenant))):
        name, id = record.provenance.get("source_name"), record.provenance.get("source_id")
        if isinstance(name, str) and isinstance(id, str):
            records.setdefault(name, {})[key_of(record)] = record
            ids[name] = id
    return records, ids


def _check_ids(read: Sequence[tuple[Source, Sequence[Record]]]) -> None:
    """Refuse an id that two sources give: the second would take the place of the first."""
    owners: dict[Key, str] = {}
    for source, records in read:
        for record in records:
            owner = owners.setdefault(key_of(record), source.name)
            if owner != source.name:
                raise InvalidArgument(f"{source.name}, parsing: the id {record.id!r} stands in {owner} too")


def _count(records: Sequence[Record], before: Mapping[Key, Record], tenant: str, counts: Counts) -> bool:
    """Count what becomes of a source's records; return whether anything is to be done."""
    unchanged = sum(before.get(key_of(record)) == record for record in records)
    # The same file may have been imported for another tenant; those records stay.
    tenants = {record.tenant for record in records} or {tenant}
    forgotten = len({key for key in before if key[0] in tenants} - {key_of(record) for record in records})
    counts.unchanged += unchanged
    counts.remembered += len(records) - unchanged
    counts.forgotten += forgotten
    return forgotten > 0 or unchanged < len(records)


def _dated(record: Record, old: Record | None) -> Record:
    """Return the record with the time of the one that it replaces, if that is the only difference."""
    if old is not None and record.created_at is None:
        dated = replace(record, created_at=old.created_at)
        return dated if dated == old else record
    return record
