"""Digests of what files said: a record that an import wrote keeps one of each thing that its file said of it.

They tell what the file said at its last import from what somebody has put on the record since. They are made of what is
stored: what a policy hides is in none of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from ..knowledge import digest
from ..records import Record
from .draft import MARKS

SAID: Final = "file_said"
"""Where the provenance of an imported record keeps the digests of what its file said."""

Digests = Mapping[str, str]

PLACED: Final = ("parent_unit_ids", "child_unit_ids", "ku_type")
"""What tells of a chunk where it stands beside others."""
APART: Final = frozenset(
    {"id", "tenant", "scope", "boundary_class", "provenance", "metadata", "revisions", "invariant", *MARKS}
)
"""What is no field that a file says and a hand may change."""
TOGETHER: Final = {"relation": "subject", "object": "subject", "valid_to": "valid_from"}
"""Fields that make sense beside another one alone: they are kept, or replaced, with it."""
_OF_TEXTS: Final = ("text", "topic", "metadata.")


def said(record: Record) -> dict[str, str]:
    """Return a digest of each thing that a record says, by its name; not of where it stands.

    >>> sorted(said(Record(text="Tea.", id="a", metadata={"room": 1}, provenance={"source_name": "a.md"})))
    ['metadata.room', 'text']
    """
    told = record.to_dict()
    apart = {*APART, *(PLACED if "chunk_id" in record.provenance else ()), "schema_version"} - {"supersedes"}
    values = {name: told.get(name) for name in told if name not in apart and name not in TOGETHER}
    for name, beside in TOGETHER.items():
        if name in told:
            values[beside] = [values.get(beside), name, told[name]]
    values.update({f"metadata.{name}": value for name, value in record.metadata.items()})
    return {name: _digest(value) for name, value in values.items()}


def text_of(told: Digests) -> str | None:
    """Return the digest of a text among those of a record; None where it has none, or an empty one."""
    text = told.get("text")
    return None if text == _NO_TEXT else text


def _digest(value: Any) -> str:
    return digest(json.dumps(value, sort_keys=True, ensure_ascii=False))[:12]


def said_before(old: Record, now: Digests) -> Digests:
    """Return the digests of what a stored record's file said; of one that has none, what it says itself.

    Of what its file may have said, since it bears no mark of that: text, title and metadata, and what it says now.
    """
    kept = old.provenance.get(SAID)
    if isinstance(kept, Mapping):
        return {str(name): str(value) for name, value in kept.items()}
    return {name: each for name, each in said(old).items() if name.startswith(_OF_TEXTS) or name in now}


_NO_TEXT: Final = _digest("")
