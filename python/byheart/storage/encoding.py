"""A record as one line of JSON, the same in every store: equal records have equal bytes."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from ..errors import ByheartError, CorruptRecord, InvalidArgument
from ..records import NAMES_OF_SOMEBODY, Record
from ..validation import one_form

_COMPLETE: Final = ("id", "tenant", "scope", "boundary_class")

_BLANK: Final = Record(text="-")
_NAMES: Final = frozenset(spec.name for spec in fields(Record))
UNSAYABLE: Final = (TypeError, ValueError, RecursionError)
"""What Python raises of values that JSON cannot say."""
_READ: Final = json.JSONDecoder().raw_decode  # a line of ours has nothing before its value and nothing after it
_LISTS: Final = tuple(spec.name for spec in fields(Record) if spec.default == ())


def encode(record: Record) -> str:
    """Return a record's line: sorted keys, so that equal records have equal bytes.

    Raises:
        InvalidArgument: it holds what JSON cannot say.

    """
    try:
        return record.canonical()
    except UNSAYABLE as error:
        raise unsaid(record, error) from error


def unsaid(record: Record, error: Exception) -> InvalidArgument:
    """Return the error of a record that JSON cannot say."""
    return InvalidArgument(f"record {record.id!r}: holds what JSON cannot say, and is not written: {error}")


def restore(line: bytes) -> Record:
    """Return the record of a line that `encode` made, as a checksum has shown; what it holds is not checked again."""
    values, _ = _READ(line.decode("utf-8", "surrogatepass"))
    if not values.keys() <= _NAMES:
        return Record.from_dict(values)  # raises: it is of another version
    for name in _LISTS:
        if name in values:
            values[name] = tuple(values[name])
    if "revisions" in values:
        values["revisions"] = tuple((at, how, tuple(names)) for at, how, names in values["revisions"])
    for name in ("provenance", "metadata"):
        values.setdefault(name, {})
    for name in NAMES_OF_SOMEBODY:  # which older builds kept as they were written
        if name in values:
            values[name] = one_form(values[name])
    return _BLANK.completed(**values)


def decode(value: Mapping[str, Any], where: str) -> Record:
    """Return the record that a line describes; one that was stored is complete."""
    try:
        record = Record.from_dict(value)
    except (ByheartError, TypeError) as error:
        raise CorruptRecord(f"{where}: {error}") from error
    for name in _COMPLETE:
        if getattr(record, name) is None:
            raise CorruptRecord(
                f"{where}: the record has no {name}; byheart alone writes this file, and a line of your own is taken "
                "from another one: `byheart import FILE`"
            )
    return record


def parse(raw: bytes, where: str) -> tuple[str, dict[str, Any]]:
    """Return a line as text and as the JSON object that it holds."""
    try:
        line = raw.decode().rstrip("\n")
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorruptRecord(f"{where}: not JSON in UTF-8 ({error})") from error
    if not isinstance(value, dict):
        raise CorruptRecord(f"{where}: not a JSON object")
    return line, value
