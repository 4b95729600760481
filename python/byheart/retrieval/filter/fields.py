"""The fields of a record that filters can ask for, the values that each takes, and the values that a record has.

`fields_of` is the one place that says what a record looks like to a filter: to the directory of records in the core as
well as to the reference.

Data of one's own is asked for as `metadata.KEY`. Keys may hold dots, and mappings inside metadata are flattened by
joining keys with dots: `{"a": {"b": 1}}` and `{"a.b": 1}` both have the field `metadata.a.b`, and a record that has
both has two values there. Of a list, each text, number and flag is a value; lists and mappings inside a list are not
seen. None is no value.

Numbers are compared as 64-bit floats, as JSON readers hold them. A whole number beyond 2**53 is rounded to one, so it
can be asked for by a range, and not by equality: keep such ids as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from ...errors import InvalidArgument, UnknownField
from ...frozen import teller
from ...frozen.read_only import ReadOnlyDict
from ...knowledge import UNIT_TYPES
from ...records import OTHER_WORDS, Record
from ...validation import CLASSES, MAX_QUERY_BYTES, check_text, epoch_seconds, nearest, plain_number, plain_text
from .canonical import Value, distinct

Kind: TypeAlias = Literal["text", "number", "time", "flag", "any"]

METADATA = "metadata."
LARGEST_EXACT = 2**53
MAX_FIELD_BYTES = 1_024
_LARGEST = 1.7976931348623157e308
_SHORT = 200  # characters of a key: no name of so many is too long for a filter

_TEXT = (
    "id",
    "tenant",
    "scope",
    "boundary_class",
    "kind",
    "role",
    "topic",
    "category",
    "session_id",
    "user_id",
    "speaker",
    "subject",
    "relation",
    "object",
    "ku_type",
    "archived_by",
    "superseded_by",
)
_TEXTS = (
    "tags",
    "entities",
    "links",
    "utility_acts",
    "source_ids",
    "parent_unit_ids",
    "child_unit_ids",
    "derived_from_unit_ids",
    "supersedes",
    "contradicts",
    "near_duplicates",
)
_TIMES = ("created_at", "updated_at", "expires_at", "accessed_at", "valid_from", "valid_to", "recency_anchor",
          "decayed_at", "superseded_at", "superseded_from", "superseded_to", "seen_at")  # fmt: skip
_NUMBERS = ("importance", "confidence", "utility", "quality", "authority", "decay_rate", "access_count", "seen_count")

KINDS: Mapping[str, Kind] = {
    **dict.fromkeys((*_TEXT, *_TEXTS, "source"), "text"),
    **dict.fromkeys(_TIMES, "time"),
    **dict.fromkeys(_NUMBERS, "number"),
    **dict.fromkeys(("archived", "invariant", "asks"), "flag"),
}
"""The kind of value of every field but those of metadata, which take any text, number or flag."""

SEARCHED = ("text", "claim", "procedure", "condition", "utility_note", "source_words")
"""Long texts: they are searched, not filtered."""

CLOSED: Mapping[str, tuple[str, ...]] = {"boundary_class": CLASSES, "ku_type": UNIT_TYPES}
"""Fields that hold one of few words."""

_INSTEAD = {"metadata": "name a key of it, such as 'metadata.room'", "provenance": "ask for 'source'"}


# Every record that is put is asked.
_single, _ordered, _several = (
    teller({name: nothing for name in names if name in Record.__dataclass_fields__})
    for names, nothing in ((_TEXT, None), ((*_TIMES, *_NUMBERS), None), (_TEXTS, ()))
)


def kind_of(field: object) -> tuple[str, Kind]:
    """Return the name of a field as plain text, and the kind of values that it takes.

    Raises:
        UnknownField: there is no such field; the message gives the nearest one.
        InvalidArgument: a field of a record that cannot be compared.

    >>> kind_of("created_at"), kind_of("metadata.room")
    (('created_at', 'time'), ('metadata.room', 'any'))

    """
    if not isinstance(field, str):
        raise InvalidArgument(f"where: field names are str, not {type(field).__name__}")
    field = plain_text(field)
    if field in KINDS:
        return field, KINDS[field]
    if field in SEARCHED:
        raise InvalidArgument(f"where: {field!r} is a text to be searched, not filtered; put it into the question")
    if field in _INSTEAD:
        raise InvalidArgument(f"where: {field!r} is a mapping; {_INSTEAD[field]}")
    if field.startswith(METADATA) and len(field) > len(METADATA):
        check_text("where: a field's name", field, MAX_FIELD_BYTES)
        return field, "any"
    own = f"; data of your own is asked for as {METADATA + field!r}" if 0 < len(field) < 100 else ""
    meant = OTHER_WORDS.get(field, field)
    near = nearest(meant if meant in KINDS else field, KINDS)
    raise UnknownField(f"where: unknown field {shown(field)}{own}{near}")


def value_of(field: str, kind: Kind, given: object, *, exact: bool = True) -> Value:
    """Return a value as filters compare it: texts, flags, and floats for numbers and times.

    Args:
        field: whose value it is.
        kind: what the field takes.
        given: what was written.
        exact: whether it is asked for by equality; a bound of a range is not.

    Raises:
        InvalidArgument: the field does not take such a value.

    """
    if kind == "time":
        return _time(field, given)
    if isinstance(given, bool):
        if kind in ("flag", "any"):
            return given
    elif isinstance(given, str):
        if kind in ("text", "any"):
            return _word(field, check_text(f"where: {field}", given, MAX_QUERY_BYTES), exact)
    elif (number := plain_number(given)) is not None and kind in ("number", "any"):
        return _number(field, number, exact)
    wanted = {"text": "text", "number": "numbers", "flag": "True or False", "any": "text, numbers or flags"}[kind]
    raise InvalidArgument(f"where: {field} takes {wanted}, not {shown(given)} ({type(given).__name__})")


def fields_of(record: Record) -> dict[str, tuple[Value, ...]]:
    """Return what filters see of a record: by field its values, each once; a field without one is left out.

    >>> seen = fields_of(Record(text="-", id="a", links=("b", "c"), metadata={"room": "hall", "size": {"m2": 12}}))
    >>> seen["links"], seen["metadata.room"], seen["metadata.size.m2"], seen["archived"]
    (('b', 'c'), ('hall',), (12.0,), (False,))
    """
    seen: dict[str, tuple[Value, ...]] = {name: (text,) for name, text in _single(record)}
    for name, number in _ordered(record):
        seen[name] = (number + 0.0,)
    for name, listed in _several(record):
        seen[name] = tuple(sorted(set(listed)))
    # Who said it, or else the name before a first colon; a record of an older version knows of neither, nor what asks.
    if (said_by := getattr(record, "said_by", None)) is not None and (speaker := said_by()) is not None:
        seen["speaker"] = (speaker,)
    if (asks := getattr(record, "asks", None)) is not None:
        seen["asks"] = (asks(),)
    if isinstance(source := record.provenance.get("source_name"), str):
        seen["source"] = (source,)
    seen["archived"] = (record.archived_by is not None,)
    seen["invariant"] = (record.invariant,)
    if record.metadata and not _flat(record.metadata, seen):
        found: dict[str, list[Value]] = {}
        _flatten(METADATA[:-1], record.metadata, found)
        for name, values in found.items():
            if len(name) > 256 and len(name.encode()) > MAX_FIELD_BYTES:
                continue  # no filter can name it
            seen[name] = distinct(values) if len(values) > 1 else (values[0],)
    return seen


def _flat(held: Mapping[str, object], seen: dict[str, tuple[Value, ...]]) -> bool:
    """Note what `_flatten` finds in a mapping of short keys with one value each; return whether it is such a one."""
    global _last
    known, found = _last
    if known is not held or found is None:
        found = _each_flat(held)
        if type(held) is ReadOnlyDict:  # which stays as it is
            _last = held, found
    if found is not None:
        seen.update(found)
    return found is not None


_last: tuple[Mapping[str, object], dict[str, tuple[Value, ...]] | None] = {}, None
"""What was found last: a turn and its copy have one mapping."""


def _each_flat(held: Mapping[str, object]) -> dict[str, tuple[Value, ...]] | None:
    found: dict[str, tuple[Value, ...]] = {}
    for key, value in held.items():
        kind = type(value)
        if len(key) > _SHORT:
            return None
        if kind is str or kind is bool:
            found[METADATA + key] = (value,)  # type: ignore[assignment]  # as the kinds say
        elif kind is float or kind is int:
            found[METADATA + key] = (_rounded(value),)  # type: ignore[arg-type]
        elif value is not None:
            return None
    return found


def _flatten(path: str, held: Mapping[str, object], found: dict[str, list[Value]]) -> None:
    """Note every value in a mapping under its keys joined by dots; a mapping is at most 32 levels deep."""
    for key, inner in held.items():
        name = f"{path}.{key}"
        if isinstance(inner, dict):
            _flatten(name, inner, found)
            continue
        for value in inner if isinstance(inner, (list, tuple)) else (inner,):
            if isinstance(value, (bool, str)):
                found.setdefault(name, []).append(value)
            elif isinstance(value, (int, float)):
                found.setdefault(name, []).append(_rounded(value))


def _rounded(number: int | float) -> float:
    """Return the nearest float; -0.0 is 0.0, and what is larger than any float is the largest."""
    if type(number) is float and -_LARGEST <= number <= _LARGEST:  # as most are
        return number + 0.0
    return float(max(-_LARGEST, min(_LARGEST, number))) + 0.0


def _number(field: str, given: int | float, exact: bool) -> float:
    if isinstance(given, float):
        if not abs(given) <= _LARGEST:
            raise InvalidArgument(f"where: {field} cannot be compared with {given}; leave an open bound out")
    elif exact and abs(given) > LARGEST_EXACT:
        raise InvalidArgument(f"where: {field}: a number beyond 2**53 equals its neighbours; keep such ids as text")
    return _rounded(given)


def _word(field: str, text: str, exact: bool) -> str:
    words = CLOSED.get(field)
    if exact and words and text not in words:
        raise InvalidArgument(f"where: {field} is never {shown(text)}; use one of {', '.join(words)}")
    return text


def _time(field: str, given: object) -> float:
    """Return epoch seconds: as `epoch_seconds` reads a time."""
    try:
        seconds = epoch_seconds(f"where: {field}", given)
    except TypeError:
        seconds = None
    if seconds is None:
        taken = "a datetime, ISO text or epoch seconds"
        raise InvalidArgument(f"where: {field} takes {taken}, not {shown(given)} ({type(given).__name__})")
    return seconds + 0.0


def shown(value: object, most: int = 60) -> str:
    """Return a value as a message shows it: short, whatever it is."""
    if isinstance(value, (str, bytes)):
        value = value[:most]
    elif isinstance(value, int) and value.bit_length() > 512:
        return "a number of many digits"
    elif not isinstance(value, (int, float, type(None))) and not hasattr(value, "toordinal"):
        return f"a {type(value).__name__}"
    return repr(value)[: most + 20]
