"""Files and folders become records: .md and .txt in chunks, .jsonl line by line.

All or nothing for each source: its records are complete before any of them is remembered, and an error names
the source, the line and the step. Nothing is followed out of the folder, and nothing hidden is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from ..errors import InvalidArgument, LimitExceeded
from ..knowledge import source_id, unit_id
from ..records import Record
from ..validation import MAX_TEXT_BYTES
from .chunking import chunk_text, normalise_line_endings

SUFFIXES = (".md", ".txt", ".jsonl")
_FIELDS = frozenset(spec.name for spec in fields(Record))


@dataclass(frozen=True, slots=True)
class Source:
    """One file and the records it becomes; `name` is its path below the folder that was given."""

    name: str
    records: tuple[Record, ...]


def find(path: Path) -> list[tuple[str, Path]]:
    """Return (name, file) of every readable source: the file itself, or all below a folder, ordered by name.

    Raises:
        InvalidArgument: there is no such file or folder, or nothing in it that can be read.

    """
    if path.is_file():
        if path.suffix.lower() not in SUFFIXES:
            raise InvalidArgument(f"{path}: has another ending than {', '.join(SUFFIXES)}")
        return [(path.name, path)]
    if not path.is_dir():
        raise InvalidArgument(f"{path}: is no file and no folder")
    root = path.resolve()
    found = []
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
        if file.suffix.lower() in SUFFIXES and not hidden and file.is_file() and file.resolve().is_relative_to(root):
            found.append((name, file))
    if not found:
        raise InvalidArgument(f"{path}: holds no file that ends in {', '.join(SUFFIXES)}")
    return sorted(found)


def read(name: str, file: Path, **cell: Any) -> Source:
    """Return the records of one file; `cell` gives tenant, scope and boundary_class to each of them.

    Raises:
        InvalidArgument: bytes that are no UTF-8, or a line that is no record; LimitExceeded: a text over 10 MB.

    """
    if file.suffix.lower() == ".jsonl":
        records = tuple(_lines(name, file, cell))
    else:
        records = tuple(_chunks(name, _text(name, file), file.suffix.lower() == ".md", cell))
    return Source(name, records)


def _text(name: str, file: Path) -> str:
    size = file.stat().st_size
    if size > MAX_TEXT_BYTES:
        raise LimitExceeded(f"{name}, reading: {size} bytes are over the limit of {MAX_TEXT_BYTES}")
    return _decode(name, file.read_bytes())


def _decode(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidArgument(f"{name}, reading: byte {error.start} is no UTF-8; convert the file first") from None


def _chunks(name: str, text: str, markdown: bool, cell: Mapping[str, Any]) -> Iterator[Record]:
    source = source_id(name)
    for chunk in chunk_text(normalise_line_endings(text), source, markdown=markdown):
        yield Record(
            text=chunk.text,
            id=unit_id(source, chunk.index, 0),
            topic=chunk.heading,
            provenance={
                "source_id": source,
                "source_name": name,
                "source_type": "markdown" if markdown else "plain-text",
                "chunk_id": chunk.chunk_id,
                "chunk_index": chunk.index,
                "char_start": chunk.char_start,
                "char_end": chunk.char_end,
                "chunk_type": chunk.chunk_type,
            },
            **cell,
        )


def _lines(name: str, file: Path, cell: Mapping[str, Any]) -> Iterator[Record]:
    source = source_id(name)
    with file.open("rb") as stream:
        for number, raw in enumerate(stream, 1):
            line = _decode(f"{name}, line {number}", raw).strip()
            if not line:
                continue
            try:
                value = json.loads(line)
                yield _record(value, source, name, number, cell)
            except (ValueError, TypeError, RecursionError) as error:
                raise InvalidArgument(f"{name}, line {number}, parsing: {error}") from None


def _record(value: Any, source: str, name: str, number: int, cell: Mapping[str, Any]) -> Record:
    """Return a line's record: known fields pass through, others become metadata, `_id` may stand for `id`."""
    if not isinstance(value, dict):
        raise TypeError("a line must be a JSON object")
    if "_id" in value:
        value.setdefault("id", value.pop("_id"))
    if "title" in value:
        value.setdefault("topic", value.pop("title"))
    known = {key: item for key, item in value.items() if key in _FIELDS}
    unknown = {key: item for key, item in value.items() if key not in _FIELDS}
    known["metadata"] = {**known.get("metadata", {}), **unknown}
    record = Record.from_dict({**cell, **known})
    provenance = {**record.provenance, "source_id": source, "source_name": name, "line": number}
    return replace(record, id=record.id or f"{source}::line-{number:06d}", provenance=provenance)
