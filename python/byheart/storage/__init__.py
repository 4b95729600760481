"""Where records live: the truth, of which every index is a cache.

A record is known by its tenant and its id. A store keeps records whole; it knows nothing of retrieval.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ..records import Record

Key = tuple[str, str]  # (tenant, id)


def key_of(record: Record) -> Key:
    """Return what a complete record is known by."""
    assert record.tenant is not None and record.id is not None, "a stored record is complete"
    return record.tenant, record.id


class Store(Protocol):
    """What a memory asks of a store. Records handed in are complete: id, tenant, scope and class are set."""

    def load(self) -> Iterable[Record]:
        """Return every record, in any order."""

    def get(self, tenant: str, ids: Sequence[str]) -> list[Record | None]:
        """Return the records of a tenant with these ids, None where there is none."""

    def write(self, put: Sequence[Record], remove: Sequence[Key]) -> None:
        """Put and remove records; all or nothing, and durable (as far as the store is) on return."""

    def close(self) -> None:
        """Let go of files and locks."""


class InProcessStore:
    """Records in a dictionary: gone with the process."""

    def __init__(self) -> None:
        """Start empty."""
        self._records: dict[Key, Record] = {}

    def load(self) -> Iterable[Record]:
        """Return every record."""
        return list(self._records.values())

    def get(self, tenant: str, ids: Sequence[str]) -> list[Record | None]:
        """Return the records of a tenant with these ids, None where there is none."""
        return [self._records.get((tenant, id)) for id in ids]

    def write(self, put: Sequence[Record], remove: Sequence[Key]) -> None:
        """Put and remove records."""
        for key in remove:
            self._records.pop(key, None)
        self._records.update((key_of(record), record) for record in put)

    def close(self) -> None:
        """Forget everything."""
        self._records = {}
