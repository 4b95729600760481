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
from byheart.memory.engine import Engine

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


@pytest.mark.parametrize(("stored", "asked"), FORMS, ids=["NFC", "NFD"])
def test_a_user_is_one_and_a_session_too(memory: Memory, stored: Form, asked: Form) -> None:
    first = memory.remember("I live in Rome.", id="rome", user_id=stored("josé"), created_at=1)
    again = memory.remember("I live in Rome.", user_id=asked("josé"), created_at=2, receipt=True)
    assert (again.status, again.id) == ("same", first)
    memory.remember("I live in Oslo.", id="oslo", user_id=asked("josé"), created_at=3, supersedes="rome")
    memory.update("oslo", user_id=stored("josé"))
    assert memory.get("oslo").supersedes == ("rome",), "the same user says it still"
    told = [
        memory.ingest_turn(text, session_id=form("café"), user_id=user, created_at=at)
        for at, (text, form, user) in enumerate(
            [("The tea is hot.", stored, stored("josé")), ("The cup is red.", asked, None)], 4
        )
    ]
    composed = normalize("NFC", "josé"), normalize("NFC", "café")
    assert {receipt.user_id for receipt in told} == {composed[0]}
    assert [(user.id, user.sessions) for user in memory.users()] == [(composed[0], (composed[1],))]
    assert [(session.id, session.records) for session in memory.sessions()] == [(composed[1], 2)]
    own = memory.recall("what is hot?", session_id=asked("café"), user_id=asked("josé"), explain=True)
    assert (
        own.hits == memory.recall("what is hot?", session_id=stored("café"), user_id=stored("josé"), explain=True).hits
    )
    assert memory.compact(asked("café"), force=True).summaries
    assert len(memory.forget(where={"user_id": asked("josé")}).ids) >= 4 and memory.users() == ()


@pytest.mark.parametrize("name", ["memory.jsonl", "memory.db"])
def test_an_older_file_that_holds_both_forms_holds_one_user(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = {form: normalize(form, "josé") for form in ("NFC", "NFD")}
    identity = Engine._identity
    monkeypatch.setattr("byheart.index.saving.MIN_CHANGES", 1)
    with monkeypatch.context() as older:
        older.setattr(Engine, "_identity", lambda self: {**identity(self), "names": None})
        older.setattr("byheart.validation.texts.one_form", lambda name: name)
        older.setattr("byheart.storage.encoding.one_form", lambda name: name)
        with Memory(tmp_path / name) as memory:
            for at, (form, user) in enumerate(forms.items(), 1):
                memory.remember(f"My cat is called {form}.", id=form, user_id=user, created_at=at)
            memory.remember("It leaks.", id="turn", user_id=user, session_id=user, created_at=3)
            assert len(memory.users()) == 2
    with Memory(tmp_path / name) as memory:
        assert memory.check() == []
        composed = forms["NFC"]
        assert [(user.id, user.records, user.sessions) for user in memory.users()] == [(composed, 3, (composed,))]
        assert {record.user_id for record in memory.records()} == {composed}
        memory.update("NFD", importance=0.7)
        again = memory.remember("My cat is called NFD.", user_id=composed, importance=0.7, receipt=True)
        assert (again.status, again.id) == ("same", "NFD")
        memory.remember("Cold tea.", id="cold", user_id=forms["NFD"], supersedes=["NFD", "NFC"])
        gone = memory.forget(where={"user_id": forms["NFD"]}).ids
        assert gone == ("NFC", "NFD", "cold", "turn") and memory.check() == []
