"""What a commit may be late with: counts and marks alone, since all that was said before has to be gone at once."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from byheart.records import Record
from byheart.storage import Write, key_of
from byheart.storage.delay import can_wait

OLD = Record(
    id="a", text="tea", tenant="t", scope="s", boundary_class="internal", created_at=1.0, updated_at=1.0,
    subject="ann", relation="uses", object="tea", metadata={"room": 1}, provenance={"by": "ann"},
)  # fmt: skip
WHERE = {"id", "tenant", "scope", "boundary_class"}
MARKS: dict[str, Any] = {
    "importance": 0.5, "confidence": 0.5, "utility": 0.5, "quality": 0.5, "authority": 0.5, "decay_rate": 0.5,
    "access_count": 2, "updated_at": 2.0, "accessed_at": 2.0, "archived_by": "a rule", "valid_to": 2.0,
    "superseded_by": "b", "superseded_at": 2.0, "supersedes": ("b",), "seen_count": 2, "seen_at": 2.0,
    "near_duplicates": ("b",), "recency_anchor": 2.0, "decayed_at": 2.0,
}  # fmt: skip
OTHERS: dict[str, Any] = {
    "relation": "is_a", "utility_acts": ("explain",), "source_words": "green tea", "ku_type": "atomic",
    "role": "claim", "metadata": {"room": 2}, "provenance": {}, "invariant": True,
}  # fmt: skip


def other(name: str) -> Any:
    """Return a value of a field that the old record has not."""
    if name in OTHERS:
        return OTHERS[name]
    value, kind = getattr(OLD, name), next(str(field.type) for field in fields(Record) if field.name == name)
    return ("b",) if kind.startswith("tuple") else 2.0 if kind.startswith("float") else f"{value or ''} b".strip()


@pytest.mark.parametrize("name", MARKS)
def test_a_mark_alone_may_wait(name: str) -> None:
    new = OLD.completed(**{name: MARKS[name]})
    assert new != OLD and can_wait([Write([OLD], [new])])


@pytest.mark.parametrize(
    "name", [field.name for field in fields(Record) if field.compare and field.name not in {*MARKS, *WHERE}]
)
def test_what_says_something_else_does_not_wait(name: str) -> None:
    new = OLD.completed(**{name: other(name)})
    assert new != OLD and not can_wait([Write([OLD], [new])])
    assert not can_wait([Write(), Write([OLD], [new])]) and not can_wait([Write(put=[new])])


def test_what_is_new_waits_and_what_is_removed_does_not() -> None:
    assert can_wait([Write(put=[OLD], absent=[key_of(OLD)])]) and not can_wait([Write(remove=[key_of(OLD)])])
    many = [OLD.completed(id=f"r{number}") for number in range(257)]
    new = [Write(put=[record], absent=[key_of(record)]) for record in many]
    assert can_wait(new[:256]) and not can_wait(new)
