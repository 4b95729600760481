"""The fields of a record as options: one for each, named after it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection
from dataclasses import MISSING, fields
from typing import Any, Final

from ..knowledge import ACTS, UNIT_TYPES
from ..records import SHARES, Record
from ..retrieval.filter import KINDS
from ..validation import nearest
from .filters import time_of
from .numbers import NUMBER, SHARE, WHOLE

CELL: Final = ("tenant", "scope", "boundary_class")
FIXED: Final = ("id", "created_at", "supersedes", "contradicts", "near_duplicates")
"""Fields that an update leaves as they are."""
MAPPINGS: Final[tuple[str, ...]] = ("metadata", "provenance")
"""Fields of names and values: of these an update sets one value each, and keeps the others."""
UNKEPT: Final = ("invariant", "revisions")
"""Fields that nobody types: what no store keeps (`byheart context --invariant` has such), and what a memory notes."""

_SHORT: Final = {"utility_acts": "--act", "session_id": "--session", "user_id": "--user", "tags": "--tag"}
_CHOICES: Final = {"utility_acts": ACTS, "ku_type": UNIT_TYPES}
_HELP: Final = {
    "text": "what it says",
    "id": "a name of your own; a record with the same id is replaced",
    "kind": "a word of your own, to filter by",
    "role": "what it is: Procedure, Definition, Constraint ...",
    "topic": "what the text is about; its title",
    "claim": "what it says, in short",
    "procedure": "how it is done",
    "condition": "when it holds",
    "utility_acts": "what it helps to do; may be repeated",
    "utility_note": "what it is good for, in words",
    "subject": "of a fact, with --relation and --object",
    "relation": "of a fact: uses, provides, part_of ...",
    "object": "of a fact",
    "importance": "between 0 and 1",
    "confidence": "between 0 and 1",
    "quality": "between 0 and 1",
    "authority": "between 0 and 1",
    "decay_rate": "of a summary: how much of its turns it lost, 0 to 1",
    "utility": "how useful it was; no bounds",
    "access_count": "how often it was used",
    "created_at": "when it was made (default: now): ISO text with a zone, or seconds",
    "updated_at": "when it was last changed",
    "expires_at": "when it ends: recalls leave it out from then on, and `byheart purge` removes it",
    "accessed_at": "when it was last used",
    "superseded_at": "since when another record stands in its place",
    "superseded_from": "from when on that one holds in its place",
    "superseded_to": "until when it does",
    "contradicts": "ids of those that it supersedes by its fact alone; may be repeated",
    "supersedes": "ids of records in whose place it stands; may be repeated",
    "seen_count": "how often it was said",
    "seen_at": "when it was last said",
    "near_duplicates": "ids of records that say nearly the same; may be repeated",
    "valid_from": "from when on it holds",
    "valid_to": "until when it holds",
    "recency_anchor": "when it last helped",
    "decayed_at": "when utility and quality were what they are",
    "session_id": "the conversation that it is of",
    "user_id": "whose it is",
    "speaker": "who said it",
    "category": "a drawer of your own, to recall from",
    "tags": "may be repeated",
    "entities": "who or what it speaks of; may be repeated",
    "links": "ids of records that it points to; may be repeated",
    "source_ids": "ids of what a summary was made of; may be repeated",
    "source_words": "words of what a summary was made of, by which it is found, too",
    "archived_by": "the summary that stands for it",
    "superseded_by": "the record that says it better now",
    "ku_type": "what it is made of",
    "metadata": "data of your own, to filter by: KEY=VALUE, may be repeated; or an object of JSON. A VALUE is read as "
    "JSON where it is some: 3, true, [1, 2]; else it is text, as is a number that JSON would write otherwise: 1.10",
    "provenance": "where it comes from; as --metadata",
}


def add_fields(parser: argparse.ArgumentParser, without: Collection[str]) -> None:
    """Add an option for every field of `Record` but some; only those that are given stand in the parsed arguments."""
    group = parser.add_argument_group("fields of the record")
    for spec in fields(Record):
        if spec.name in (*without, *UNKEPT):
            continue
        own = "--" + spec.name.replace("_", "-")
        names = [_SHORT[spec.name], own] if spec.name in _SHORT else [own]
        group.add_argument(
            *names,
            dest=spec.name,
            default=argparse.SUPPRESS,
            help=_HELP.get(spec.name, "may be repeated" if spec.type == "tuple[str, ...]" else None),
            **_taken(spec.name, str(spec.type)),
        )


def _taken(name: str, type: str) -> dict[str, Any]:
    """Return how the value of a field is typed."""
    if type.startswith("Mapping"):
        return {"action": "append", "metavar": "KEY=VALUE"}
    if type.startswith("tuple"):
        more = {"choices": _CHOICES[name]} if name in _CHOICES else {"metavar": "TEXT"}
        return {"action": "append", **more}
    if KINDS.get(name) == "time":
        return {"type": time_of, "metavar": "TIME"}
    if type.startswith("float"):
        return {"type": SHARE if name in SHARES else NUMBER, "metavar": "NUMBER"}
    if type.startswith("int"):
        return {"type": WHOLE, "metavar": "N"}
    return {"choices": _CHOICES[name]} if name in _CHOICES else {"metavar": "TEXT"}


def fields_of(
    args: argparse.Namespace, parser: argparse.ArgumentParser, without: Collection[str] = ()
) -> dict[str, Any]:
    """Return the fields that were given, by name."""
    names = [spec.name for spec in fields(Record) if spec.name not in without]
    given = {name: getattr(args, name) for name in names if hasattr(args, name)}
    for name in MAPPINGS:
        if name in given:
            given[name] = _mapping(name, given[name], parser)
    return given


def emptied(names: Collection[str], parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Return what fields hold that say nothing, by name."""
    fixed = (*FIXED, *CELL, *UNKEPT)
    known = {spec.name: spec.default for spec in fields(Record) if spec.name not in fixed}
    given = {name: name.replace("-", "_") for name in names}
    for typed, name in given.items():
        if name not in known:
            parser.error(f"--clear: there is no field {typed!r}{nearest(name, known)}")
    return {name: {} if known[name] is MISSING else known[name] for name in given.values()}


def cleared(typed: Collection[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Return what is to be cleared: fields, and single names of mappings by their field.

    >>> cleared(["topic", "metadata.room.size"])
    (['topic'], {'metadata': ['room.size']})
    """
    whole: list[str] = []
    keys: dict[str, list[str]] = {}
    for each in typed:
        field, dot, key = each.partition(".")
        if dot and field in MAPPINGS:
            keys.setdefault(field, []).append(key)
        else:
            whole.append(each)
    return whole, keys


def _mapping(option: str, typed: list[str], parser: argparse.ArgumentParser) -> dict[str, Any]:
    """Return one mapping of all that was typed; a value is JSON where it reads as such, and else text."""
    made: dict[str, Any] = {}
    for each in typed:
        if each.lstrip().startswith("{"):
            read = as_json(each)
            if not isinstance(read, dict):
                parser.error(f"--{option}: {each!r} is no JSON")
        else:
            key, equals, value = each.partition("=")
            if not equals:
                parser.error(f"--{option}: {each!r} is neither KEY=VALUE nor an object of JSON")
            if not key.strip():
                parser.error(f"--{option}: {each!r} names no key; give KEY=VALUE")
            plain = as_json(value, exact=True)
            read = {key: value if plain is None and value != "null" else plain}
        twice = made.keys() & read.keys()
        if twice:
            parser.error(f"--{option}: {min(twice)!r} is given twice; for several values give a list of JSON")
        made |= read
    return made


def as_json(typed: str, *, exact: bool = False) -> Any:
    """Return the value of a text as JSON; None if it is not JSON, or `exact` and a number was written otherwise.

    >>> as_json("3"), as_json("[1, 2]"), as_json("three"), as_json("NaN")
    (3, [1, 2], None, None)
    >>> as_json("1.10"), as_json("1.10", exact=True), as_json("1.1", exact=True)
    (1.1, None, 1.1)
    """

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    def as_written(number: str) -> int | float:
        read: int | float = json.loads(number, parse_constant=refuse)
        if exact and json.dumps(read) != number:
            raise ValueError(number)
        return read

    try:
        return json.loads(typed, parse_constant=refuse, parse_float=as_written, parse_int=as_written)
    except (ValueError, RecursionError):
        return None
