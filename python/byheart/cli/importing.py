"""`byheart import`: what files hold now replaces what they held at their last import, all in one write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ..errors import InvalidArgument
from ..ingestion.sources import Source, find_sources, read_source
from ..knowledge import source_id
from ..memory import Memory
from ..records import Record
from ..storage import Key, key_of
from ..storage.jsonl import JsonlStore
from ..validation import CLASSES
from .progress import Progress

_AT_ONCE: Final = 256  # records between two looks at the clock


@dataclass
class Plan:
    """What an import will do, made before anything is changed."""

    sources: int = 0
    changed: list[Record] = field(default_factory=list)
    unchanged: int = 0
    vanished: list[Key] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers of sources and records."""
        records = {
            "remembered": len(self.changed),
            "unchanged": self.unchanged,
            "forgotten": len(self.vanished),
        }
        return {"sources": self.sources, "records": records}


def import_paths(
    paths: Sequence[str], store: JsonlStore, memory: Memory, defaults: Mapping[str, Any]
) -> dict[str, Any]:
    """Import files and folders and return how many sources and records that were.

    `defaults` are tenant, scope and boundary class of records that name none. A record that has not changed since the
    last import keeps its times. All or nothing: an error leaves the memory as it was.

    Raises:
        InvalidArgument, LimitExceeded, OSError: a source cannot be read.
        StoreBusy, CorruptRecord: the memory file cannot be written.
    """
    plan = _plan(_sources(paths, store), store, defaults)
    with store.gather(), Progress("remembering", len(plan.changed)) as bar:
        for start in range(0, len(plan.changed), _AT_ONCE):
            slice = plan.changed[start : start + _AT_ONCE]
            memory.remember_many(slice)
            bar.step(steps=len(slice))
        for tenant in sorted({tenant for tenant, _ in plan.vanished}):
            everything = {"tenant": tenant, "scopes": None, "classes": CLASSES}
            memory.forget([id for owner, id in plan.vanished if owner == tenant], boundary=everything)
    return plan.to_dict()


def _sources(paths: Sequence[str], store: JsonlStore) -> list[Source]:
    """Return the sources at the paths, each once; the memory file is none, though it may lie among them."""
    found = {source.path: source for path in paths for source in find_sources(path, store.path.parent)}
    found.pop(store.path, None)
    if not found:
        raise InvalidArgument(f"{paths[0]}: there is nothing here but the memory file itself")
    return list(found.values())


def _plan(sources: Sequence[Source], store: JsonlStore, defaults: Mapping[str, Any]) -> Plan:
    """Read every source and compare it with what the store holds of it."""
    plan, planned = Plan(len(sources)), dict[Key, str]()
    stored, ids = _stored(store)
    with Progress("reading", len(sources)) as bar:
        for source in sources:
            bar.step(source.name, steps=0)
            ids.setdefault(source.name, source_id(source.name, set(ids.values())))
            records = read_source(source, ids[source.name], defaults)
            _compare(records, store, plan)
            keys = {key_of(record) for record in records}
            for key in sorted(keys & planned.keys()):
                raise InvalidArgument(f"{source.name}: the id {key[1]!r} stands in {planned[key]} too")
            planned.update(dict.fromkeys(keys, source.name))
            # The same file may have been imported for another tenant; those records are not ours to forget.
            tenants = {tenant for tenant, _ in keys} | {defaults["tenant"]}
            plan.vanished += [key for key in stored.get(source.name, ()) if key[0] in tenants and key not in keys]
            bar.step()
    plan.vanished = sorted(set(plan.vanished) - planned.keys())
    return plan


def _stored(store: JsonlStore) -> tuple[dict[str, list[Key]], dict[str, str]]:
    """Return the keys of the stored records of each source, and the id of each source, by its name."""
    keys: dict[str, list[Key]] = {}
    ids: dict[str, str] = {}
    for record in store.records():
        name, id = record.provenance.get("source_name"), record.provenance.get("source_id")
        if isinstance(name, str) and isinstance(id, str):
            keys.setdefault(name, []).append(key_of(record))
            ids[name] = id
    return keys, ids


def _compare(records: Sequence[Record], store: JsonlStore, plan: Plan) -> None:
    """Sort records into those that are new or changed, and those that the store holds already."""
    for record in records:
        tenant, id = key_of(record)
        [old] = store.get(tenant, [id])
        if old is not None and old == _with_times(record, old):
            plan.unchanged += 1
        else:
            plan.changed.append(record)


def _with_times(record: Record, old: Record) -> Record:
    """Return the record as it would be stored now, had it been remembered when the old one was."""
    return record if record.created_at is not None else replace(record, created_at=old.created_at)
