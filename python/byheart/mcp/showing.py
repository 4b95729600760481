"""The showing of records: as items for programs, and quoted for the model as a context quotes them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from ..ranking.quoting import Quoted, assemble
from ..records import Record
from .schemas import or_null, several, text

CHARACTERS = 4_000
"""No more of a text is shown in a list, or among hits; `get` shows all of it."""

_STRING: dict[str, Any] = {"type": "string"}
ITEM = {
    "id": _STRING,
    "text": _STRING,
    "length": {"type": "integer"},
    "kind": or_null(_STRING),
    "topic": or_null(_STRING),
    "tags": several(_STRING),
    "importance": or_null({"type": "number"}),
    "created_at": or_null(text()),
    "updated_at": or_null(text()),
}
"""The properties of an item. `length` is that of the whole text, in characters."""


def item(record: Record, characters: int | None = None) -> dict[str, Any]:
    """Return a record as programs get it; `characters` cuts its text.

    >>> item(Record(id="tea", text="green tea", created_at=0), characters=5)["text"]
    'green'
    """
    return {
        "id": record.id,
        "text": record.text[:characters],
        "length": len(record.text),
        "kind": record.kind,
        "topic": record.topic,
        "tags": list(record.tags),
        "importance": record.importance,
        "created_at": moment(record.created_at),
        "updated_at": moment(record.updated_at),
    }


def quoted(records: Iterable[Record], characters: int | None = None) -> str:
    """Return records as a block for a prompt, in which none can pretend to be anything else."""
    return quoted_parts((record, record.gist()[:characters]) for record in records)


def quoted_parts(parts: Iterable[tuple[Record, str]]) -> str:
    """Return what is shown of each record as such a block; what is not the whole text says how long that is."""
    return assemble(
        Quoted(
            number,
            record.id or "",
            shown,
            role=record.role,
            source=record.provenance.get("source_name"),
            time=record.created_at,
            length=len(record.gist()) if shown != record.gist() else None,
            topic=record.titled(),
        )
        for number, (record, shown) in enumerate(parts, 1)
    )


def moment(seconds: float | None) -> str | None:
    """Return a time as ISO text; None where there is none, or where calendars end."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None
