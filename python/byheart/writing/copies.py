"""The durable copy of a turn: what it follows where the turn changes, and what stays its own.

A copy is made of all that its turn says, and so it follows all of that: text, user, tags, metadata, times. What
somebody has given it by itself stays: a field in which it differed from the turn before, a tag, a key of metadata. It
never outlives the turn, though, and a new text of the turn is the copy's in any case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..light.classes import dataclass
from ..records import Record
from ..storage import Key, key_of
from .completion import revised

_TEXT: Final = ("text", "claim")
_ENDS: Final = ("expires_at", "valid_to")
_FACT: Final = ("subject", "relation", "object")
_LISTS: Final = ("utility_acts", "entities", "links", "tags")
_SINGLE: Final = (
    "user_id", "role", "topic", "procedure", "condition", "utility_note", "category", "speaker", "valid_from",
)  # fmt: skip
FOLLOWED: Final = (*_TEXT, *_SINGLE, *_FACT, *_LISTS, *_ENDS, "metadata")
"""The fields in which a copy follows its turn, beside where it lies."""
STAYS: Final = (
    "id", "tenant", "scope", "boundary_class", "kind", "session_id", "provenance", "created_at", "updated_at",
    "importance", "confidence", "utility", "quality", "authority", "access_count", "accessed_at", "recency_anchor",
    "decayed_at", "decay_rate", "invariant", "source_ids", "source_words", "archived_by", "ku_type", "parent_unit_ids",
    "child_unit_ids", "derived_from_unit_ids", "superseded_by", "superseded_at", "superseded_from", "superseded_to",
    "supersedes", "contradicts", "seen_count", "seen_at", "near_duplicates", "revisions",
)  # fmt: skip
"""The others: what it is known by, what it is worth, how it was used, what it is made of, how it stands by others."""


@dataclass(frozen=True, slots=True)
class Follows:
    """What follows from a record's change: its copies as they are, what is to be released, what goes.

    A summary is of one cell and one user, and must not tell past them: it goes with a turn that leaves. A copy follows
    the turn.
    """

    copies: Sequence[Record]
    record: Record
    old: Record
    archived: Sequence[Record]
    summaries: Sequence[Key]

    @property
    def changed(self) -> list[Record]:
        """The copies as the record is now, and in the new place if they lay beside it."""
        said = [followed(copy, self.record, self.old) for copy in self.copies]
        cell, left = {"scope": self.record.scope, "boundary_class": self.record.boundary_class}, key_of(self.old).cell
        return [copy.completed(**cell) if key_of(copy).cell == left else copy for copy in said]


def is_followed(record: Record, old: Record) -> bool:
    """Return whether a copy has to follow where a record takes the place of another."""
    return key_of(old) != key_of(record) or any(getattr(old, name) != getattr(record, name) for name in FOLLOWED)


def ends_sooner(record: Record, old: Record) -> bool:
    """Return whether a record is over before the one in whose place it comes.

    >>> ever, soon = Record(text="tea"), Record(text="tea", expires_at=5)
    >>> ends_sooner(soon, ever), ends_sooner(ever, soon), ends_sooner(soon, soon)
    (True, False, False)

    """
    ends = ((getattr(record, name), getattr(old, name)) for name in _ENDS)
    return any(now is not None and (was is None or now < was) for now, was in ends)


def followed(copy: Record, record: Record, old: Record) -> Record:
    """Return the copy of a record that is in the place of an old one now.

    >>> old, new = Record(text="tea", topic="a", tags=["x"]), Record(text="rice", topic="b", tags=["y"])
    >>> copy = followed(Record(text="tea", topic="own", tags=["x", "z"]), new, old)
    >>> copy.text, copy.topic, copy.tags
    ('rice', 'own', ('z', 'y'))

    """
    says = record.text != old.text
    taken = (
        name for name in (*_TEXT, *_SINGLE) if (says and name in _TEXT) or getattr(copy, name) == getattr(old, name)
    )
    values: dict[str, Any] = {name: getattr(record, name) for name in taken}
    values |= {name: _merged(getattr(copy, name), getattr(record, name), getattr(old, name)) for name in _LISTS}
    values |= {name: _end(*(getattr(each, name) for each in (copy, record, old))) for name in _ENDS}
    if copy.ku_type in (None, "atomic") and _fact(copy) == _fact(old):  # else it carries none
        values |= dict(zip(_FACT, _fact(record), strict=True))
    values["metadata"] = _data(copy.metadata, record.metadata, old.metadata)
    begins, ends = values.get("valid_from", copy.valid_from), values["valid_to"]
    if begins is not None and ends is not None and ends < begins:
        values["valid_from"] = ends  # it holds at no time
    names = tuple(name for name in FOLLOWED if name in values and values[name] != getattr(copy, name))
    if not names:
        return copy
    at = record.updated_at or record.created_at or 0.0
    return revised(copy, copy.completed(**values), tuple(name for name in names if name != "claim"), at)


def _fact(record: Record) -> tuple[str | None, ...]:
    return tuple(getattr(record, name) for name in _FACT)


def _merged(own: Sequence[Any], now: Sequence[Any], was: Sequence[Any]) -> tuple[Any, ...]:
    """Return the words of a copy's list: the turn's, and those that it was given by itself."""
    if own == was:
        return tuple(now)
    return tuple(dict.fromkeys((*(each for each in own if each not in was or each in now), *now)))


def _data(own: Mapping[str, Any], now: Mapping[str, Any], was: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a copy: the turn's, and what it was given by itself."""
    left = {name: value for name, value in own.items() if name not in was or was[name] != value}
    taken = {name: value for name, value in now.items() if name not in left and (name not in was or name in own)}
    return {**left, **taken}


def _end(own: float | None, now: float | None, was: float | None) -> float | None:
    """Return when a copy is over: with the record, unless it has an end of its own that comes before."""
    if now == was or own is None or own == was:
        return own if now == was else now
    return own if now is None else min(own, now)
