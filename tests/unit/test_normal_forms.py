"""Names of the same characters are one, be they written composed (NFC) or as letters with marks behind them (NFD)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from byheart import Memory
from byheart.errors import RecordNotFound

Form = Callable[[str], str]
FORMS: list[tuple[Form, Form]] = [
    (partial(normalize, "NFC"), partial(normalize, "NFD")),
    (partial(normalize, "NFD"), partial(normalize, "NFC")),
]
NAMES = {
    "id": "é", "user_id": "josé", "session_id": "café", "category": "thé", "tags": "été", "topic": "crème",
    "speaker": "Zoë", "source": "notés.md", "metadata.room": "salón", "kind": "note privée",
}  # fmt: skip


@pytest.fixture(params=["in process", "memory.jsonl", "memory.db"])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Memory:
    return Memory(None if request.param == "in process" else tmp_path / request.param)


def remember(memory: Memory, stored: Form, **more: Any) -> None:
    fields: dict[str, Any] = {name: stored(value) for name, value in NAMES.items() if "." not in name}
    fields |= {"tags": [fields["tags"]], "metadata": {"room": stored(NAMES["metadata.room"])}}
    memory.remember("The kettle leaks.", provenance={"source_name": fields.pop("source")}, **fields, **more)


@pytest.mark.parametrize(("stored", "asked"), FORMS, ids=["NFC", "NFD"])
def test_what_is_stored_in_one_form_is_found_in_the_other(memory: Memory, stored: Form, asked: Form) -> None:
    remember(memory, stored)
    for field, value in NAMES.items():
        assert stored(value) != asked(value)
        for there in (asked(value), {"in": ["x", asked(value)]}, {"==": asked(value)}):
            assert memory.count({field: there}) == len(memory.recall("kettle", where={field: there})) == 1, field
        assert memory.count({field: {"!=": asked(value)}}) == 0, field
    for name in ("user_id", "category"):
        assert len(memory.recall("kettle", **{name: asked(NAMES[name])})) == 1  # type: ignore[call-overload]
    assert memory.forget(where={"user_id": asked("josé")}).ids == (stored("é"),)


@pytest.mark.parametrize(("stored", "asked"), FORMS, ids=["NFC", "NFD"])
def test_a_record_is_known_by_its_id_in_either_form(memory: Memory, stored: Form, asked: Form) -> None:
    remember(memory, stored)
    id, kept = asked("é"), stored("é")
    assert memory.get(id).id == memory.get([id])[0].id == kept and id in memory and memory.history(id)  # type: ignore[union-attr]
    assert memory.explain("kettle", id).id == kept and memory.version(id) == memory.version(kept)
    memory.update(id, importance=0.5)
    assert memory.get(kept).importance == 0.5
    memory.remember("The kettle is new.", id="n", user_id=stored("josé"), supersedes=id)
    assert (memory.get("n").supersedes, memory.get(kept).superseded_by) == ((kept,), "n")
    memory.forget("n")
    assert memory.get(kept).superseded_by is None
    told = memory.remember("The kettle is gone.", id=id, user_id=stored("josé"), receipt=True)
    assert told.status == "replaced" and memory.count() == 1 and memory.check() == []
    receipt = memory.forget([kept])
    assert receipt.ids == (id,) and receipt.missing == () and kept not in memory and id not in memory


@pytest.mark.parametrize(("stored", "asked"), FORMS, ids=["NFC", "NFD"])
def test_what_lies_outside_decides_nothing(tmp_path: Path, stored: Form, asked: Form) -> None:
    with Memory(tmp_path / "memory.db", boundary={"scopes": ["session"], "classes": ["secret"]}) as outside:
        outside.remember("A secret kettle.", id=asked("é"))
    with Memory(tmp_path / "memory.db", boundary={"scopes": ["project"], "classes": ["internal"]}) as part:
        remember(part, stored)
        assert part.get(asked("é")).id == stored("é") and part.forget(asked("é")).ids == (stored("é"),)
        with pytest.raises(RecordNotFound):
            part.get(asked("é"))
