"""Conversations with questions: what every format is read into; and how a damaged file is told where it is damaged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Turn:
    """One message."""

    id: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Session:
    """Messages of one sitting; `date` and `metadata` as the file has them."""

    id: str
    date: str | None
    turns: tuple[Turn, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and the ids of the turns and the sessions that the file names for it.

    If it is not `answerable` (see `datasets.Query`), they are no answers, whatever the file names. `ground_truth` is
    the answer in the file's words.
    """

    id: str
    text: str
    type: str | None
    turns: frozenset[str]
    sessions: frozenset[str]
    answerable: bool = True
    ground_truth: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """Sessions in their order, and what is asked about them."""

    id: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]


def items(path: Path) -> list[Any]:
    """Return the list that a JSON file holds, or the lines of a JSONL one.

    Raises:
        InvalidArgument: it cannot be read, or holds no list.

    """
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        found = json.loads(text)
    except OSError as error:
        raise InvalidArgument(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # of JSON, and of UTF-8
        raise InvalidArgument(f"{path}: {error}") from None
    if not isinstance(found, list):
        raise InvalidArgument(f"{path}: holds no list")
    return found


def said(item: Mapping[str, Any], name: str) -> str | None:
    """Return what a file says under a name, as text; None if it says nothing.

    >>> said({"answer": 7}, "answer"), said({"answer": None}, "answer")
    ('7', None)
    """
    value = item.get(name)
    return None if value is None else str(value)


def get(place: str, item: Any, name: str, kind: type, default: Any = None) -> Any:
    """Return a field of an item; the default if it is not there.

    Raises:
        InvalidArgument: it is missing without a default, or of another kind; the message says where.

    """
    value = item.get(name, default) if isinstance(item, Mapping) else None
    if not isinstance(value, kind):
        raise InvalidArgument(f"{place}: {name!r} is missing, or no {kind.__name__}")
    return value
