"""The written form of filters, as types: wrong operators are found before a program runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

Scalar: TypeAlias = str | int | float | bool | date
"""A value to compare with; a time may be a datetime, ISO text, both in UTC without a zone, or epoch seconds."""

Operators = TypedDict(
    "Operators",
    {
        "==": "Scalar | None",
        "!=": "Scalar | None",
        "in": "Sequence[Scalar | None]",
        "not in": "Sequence[Scalar | None]",
        ">": Scalar,
        ">=": Scalar,
        "<": Scalar,
        "<=": Scalar,
        "exists": bool,
        "not": "Scalar | Sequence[Scalar | None] | Operators | None",
        "$eq": "Scalar | None",
        "$ne": "Scalar | None",
        "$in": "Sequence[Scalar | None]",
        "$nin": "Sequence[Scalar | None]",
        "$gt": Scalar,
        "$gte": Scalar,
        "$lt": Scalar,
        "$lte": Scalar,
        "$exists": bool,
        "$not": "Scalar | Sequence[Scalar | None] | Operators | None",
    },
    total=False,
)
"""What a filter may ask of one field; several are "and". Those with a dollar mean what they do in MongoDB."""

Condition: TypeAlias = Scalar | Sequence[Scalar | None] | Operators | None
"""What a filter says of one field: its value, one of several, or operators."""

FieldFilter = TypedDict(
    "FieldFilter",
    {
        "and": "Sequence[Where]",
        "or": "Sequence[Where]",
        "not": "Where",
        "$and": "Sequence[Where]",
        "$or": "Sequence[Where]",
        "$not": "Where",
        "id": Condition,
        "tenant": Condition,
        "scope": Condition,
        "boundary_class": Condition,
        "kind": Condition,
        "role": Condition,
        "topic": Condition,
        "category": Condition,
        "session_id": Condition,
        "user_id": Condition,
        "speaker": Condition,
        "subject": Condition,
        "relation": Condition,
        "object": Condition,
        "ku_type": Condition,
        "archived_by": Condition,
        "superseded_by": Condition,
        "tags": Condition,
        "entities": Condition,
        "links": Condition,
        "utility_acts": Condition,
        "source_ids": Condition,
        "parent_unit_ids": Condition,
        "child_unit_ids": Condition,
        "derived_from_unit_ids": Condition,
        "supersedes": Condition,
        "contradicts": Condition,
        "near_duplicates": Condition,
        "source": Condition,
        "created_at": Condition,
        "updated_at": Condition,
        "expires_at": Condition,
        "accessed_at": Condition,
        "valid_from": Condition,
        "valid_to": Condition,
        "recency_anchor": Condition,
        "decayed_at": Condition,
        "superseded_at": Condition,
        "superseded_from": Condition,
        "superseded_to": Condition,
        "seen_at": Condition,
        "importance": Condition,
        "confidence": Condition,
        "utility": Condition,
        "quality": Condition,
        "authority": Condition,
        "decay_rate": Condition,
        "access_count": Condition,
        "seen_count": Condition,
        "archived": Condition,
        "invariant": Condition,
        "asks": Condition,
    },
    total=False,
)
"""A filter over fields of records, and what joins filters."""

if TYPE_CHECKING:
    # One kind of sequence, not two: of two that a list may be, mypy tries neither.
    _Values: TypeAlias = Sequence["Scalar | Where | None"]
    Where: TypeAlias = FieldFilter | Mapping[str, Scalar | Operators | FieldFilter | _Values | None]
else:
    Where = Mapping[str, Any]  # what reads annotations at run time has no types that hold themselves
"""A filter as it is written; see `byheart.retrieval.filter`.

Beside a key of metadata, a `not` holds fields alone; else both stand in an `and`: `{"and": [{"metadata.room":
"kitchen"}, {"not": {"metadata.floor": 1}}]}`. What is below a key of metadata is told from a wrong operator so.
"""
