"""A policy and the fields of a record: what of each is hidden or refused, whichever way a record comes in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.boundary.policy import DEFAULT_POLICY, enforcing
from byheart.boundary.policy.enforcing import Enforcer
from byheart.errors import BoundaryViolation
from byheart.records import Record
from byheart.storage import InProcessStore

TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
ADDRESS = "ann@example.com"
FACT = {"subject": "Ann", "relation": "uses", "object": "tea"}
NO_TEXT = frozenset({"boundary_class", "ku_type"})
NAMES = {
    "id", "tenant", "scope", "user_id", "session_id", "links", "source_ids", "archived_by", "parent_unit_ids",
    "child_unit_ids", "derived_from_unit_ids", "superseded_by", "supersedes", "contradicts", "near_duplicates",
}  # fmt: skip
SPECS = {spec.name: str(spec.type) for spec in fields(Record)}
HOLDING = sorted(name for name, kind in SPECS.items() if name not in NO_TEXT and ("str" in kind or "Revision" in kind))


def filled(name: str, said: str) -> Any:
    kind = SPECS[name]
    if kind.startswith("Mapping"):
        return {said: [said]}
    if kind == "tuple[Revision, ...]":
        return ((1.0, said, (said,)),)
    return (said,) if kind.startswith("tuple") else said


def record_with(name: str, said: str, **values: Any) -> Record:
    fact = FACT if name in FACT else {}
    return Record(**{"text": "Plain note", **fact, **values, name: filled(name, said)})


def test_every_field_of_a_record_is_looked_at_or_named_as_one_that_holds_no_text() -> None:
    looked_at = {*enforcing.TEXTS, *enforcing.LISTS, *enforcing.MAPPINGS, *enforcing.CHANGES}
    told = [*looked_at, *enforcing.NAMES, *enforcing.CLOSED]
    assert len(told) == len(set(told)), "each once"
    others = {name for name, kind in SPECS.items() if name not in told}
    assert {SPECS[name] for name in others} == {"float | None", "int", "bool"}
    assert set(enforcing.NAMES) == NAMES and set(enforcing.CLOSED) == NO_TEXT and len(SPECS) > 50
    assert {"kind", "role", "relation", "text"} <= looked_at


@pytest.mark.parametrize("name", HOLDING)
def test_an_address_is_hidden_in_every_field_but_names(name: str) -> None:
    enforcer = Enforcer(DEFAULT_POLICY)
    record = record_with(name, ADDRESS)
    for left in (enforcer.admit(record, "project", "internal"), enforcer.clean(record)):
        assert (ADDRESS in json.dumps(json.loads(left.canonical()))) == (name in NAMES)
        assert left.revisions == () or left.revisions == ((1.0, "[email]", ("[email]",)),)


@pytest.mark.parametrize("name", HOLDING)
def test_a_secret_is_refused_in_every_field(name: str) -> None:
    enforcer = Enforcer(DEFAULT_POLICY)
    with pytest.raises(BoundaryViolation, match="holds a secret") as told:
        enforcer.admit(record_with(name, TOKEN), "project", "internal")
    assert TOKEN not in str(told.value)
    assert (name in NAMES) == str(told.value).startswith(f"{name}: ")
    assert (TOKEN in enforcer.clean(record_with(name, TOKEN)).canonical()) == (name in NAMES)


def test_a_name_that_is_an_address_is_taken_and_found_again() -> None:
    memory = Memory(policy="default")
    memory.remember("The kettle leaks.", id="a@example.com", user_id=ADDRESS, session_id="s@example.com")
    record = memory.get("a@example.com")
    assert (record.user_id, record.session_id) == (ADDRESS, "s@example.com")


WAYS: dict[str, Callable[[Memory, dict[str, Any], Path], Any]] = {
    "remember": lambda memory, given, _: memory.remember({"text": "Plain note", **given}),
    "remember_many": lambda memory, given, _: memory.remember_many([{"text": "Plain note", **given}]),
    "update": lambda memory, given, _: memory.update(memory.remember("Plain note"), **given),
    "ingest_turn": lambda memory, given, _: memory.ingest_turn(
        "I prefer the seat at the window.", **{"session_id": "s", **given}
    ),
    "import": lambda memory, given, folder: imported(memory, given, folder),
}


def imported(memory: Memory, given: dict[str, Any], folder: Path) -> None:
    file = folder / "out.jsonl"
    with Memory(noise=None) as other:
        other.remember({"id": "in", "text": "Plain note", **given})
        file.unlink(missing_ok=True)
        other.export_to(file)
    memory.import_from(file)


def given_to(verb: str) -> list[str]:
    names = ["metadata", "kind", "role", "user_id", "session_id"]
    return [name for name in names if verb != "ingest_turn" or name not in ("kind", "role")]  # which are words there


@pytest.mark.parametrize(("verb", "name"), [(verb, name) for verb in WAYS for name in given_to(verb)])
def test_kinds_and_roles_are_hidden_and_secrets_refused_by_every_verb(verb: str, name: str, tmp_path: Path) -> None:
    store = InProcessStore()
    memory = Memory(store=store, policy="default", noise=None)
    with pytest.raises(BoundaryViolation, match="holds a secret"):
        WAYS[verb](memory, {name: filled(name, TOKEN)}, tmp_path)
    assert TOKEN not in "".join(record.canonical() for record in store.load())
    WAYS[verb](memory, {name: filled(name, ADDRESS)}, tmp_path)
    kept = "".join(record.canonical() for record in store.load())
    assert (ADDRESS in kept) == (name in NAMES) and (name in NAMES or "[email]" in kept)


def test_an_id_that_is_a_secret_is_refused() -> None:
    memory = Memory(policy="default", noise=None)
    writes: list[Callable[[], Any]] = [
        lambda: memory.remember("Plain note", id=TOKEN),
        lambda: memory.remember_many([{"id": "a", "text": "x"}, {"id": TOKEN, "text": "y"}]),
        lambda: memory.ingest_turn("I prefer tea.", session_id="s", id=TOKEN),
        lambda: memory.remember("Plain note", links=["a", TOKEN]),
    ]
    for write in writes:
        with pytest.raises(BoundaryViolation, match="holds a secret"):
            write()
    assert memory.records() == []


def test_what_was_kept_before_the_policy_is_seen_through_it(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db") as before:
        before.remember("Plain note", id="old", kind=TOKEN, role=ADDRESS)
    with Memory(tmp_path / "memory.db", policy="default") as memory:
        record = memory.get("old")
        assert (record.kind, record.role) == ("[secret]", "[email]")
        assert memory.count({"kind": TOKEN}) == 0 and memory.count({"role": "[email]"}) == 1
        assert not memory.recall("example.com", profile="kb-fast").hits, "roles are indexed"
        memory.update("old", importance=0.5)
    with Memory(tmp_path / "memory.db") as whole:
        assert whole.get("old").kind == "[secret]"


def test_what_comes_with_an_observation_is_looked_at_too() -> None:
    memory = Memory(policy="default")
    for given in ({"source_id": TOKEN}, {"actor": TOKEN}):
        with pytest.raises(BoundaryViolation, match="holds a secret"):
            memory.observe("chat", "The kettle leaks.", **given)
    kept = memory.observe(
        "chat", "The kettle leaks.", tags=[ADDRESS], provenance={"by": ADDRESS, TOKEN: [TOKEN]}, actor=ADDRESS
    )
    assert (kept.tags, kept.provenance, kept.actor) == (
        ("[email]",),
        {"by": "[email]", "[secret]": ["[secret]"]},
        ADDRESS,
    )
    assert memory.observation(kept.id) == kept


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"card": 4111111111111111}, {"card": "[card]"}),
        ({"a": [{"paid with": [5555555555554444, 1]}]}, {"a": [{"paid with": ["[card]", 1]}]}),
        ({"phone": 4917155512345, "order": 4917155512345}, {"phone": "[phone]", "order": 4917155512345}),
        ({"n": 12, "f": 0.5, "at": 1700000000.25, "yes": True, "no": None, "ms": 1700000000123}, None),
        ({"token": 512, "secret": True, "password": None, "tokens": 2026, "credentials": {}}, None),
        ({"a@x.com": 1, "b@x.com": 2, "[email] (2)": 3}, {"[email]": 1, "[email] (3)": 2, "[email] (2)": 3}),
    ],
)  # fmt: skip
def test_numbers_and_names_of_metadata_are_looked_at_and_none_is_lost(given: Any, kept: Any) -> None:
    memory = Memory(policy="default")
    for where in ("metadata", "provenance"):
        record = memory.get(memory.remember("The lamp is out.", **{where: given}))
        assert getattr(record, where) == (given if kept is None else kept)
        again = memory.get(memory.remember(record.completed(id="again")))
        assert getattr(again, where) == getattr(record, where)


@pytest.mark.parametrize(
    "given",
    [{"password": 48151623}, {"passwords": {"password": ["swordfish"]}}, {"password": {"value": "swordfish"}},
     {"a": [{"client_secret": [{"b": ["swordfish"]}]}]}, {"passcode": [4711]}],
)  # fmt: skip
def test_whatever_lies_below_a_name_of_a_secret_is_one(given: Any) -> None:
    with pytest.raises(BoundaryViolation, match="holds a secret"):
        Memory(policy="default").remember("The lamp is out.", metadata=given)
    store = InProcessStore()
    Memory(store=store).remember("The lamp is out.", id="old", metadata=given)
    seen = str(Memory(store=store, policy="default").get("old").metadata)
    assert "[secret]" in seen and not {"swordfish", "48151623", "4711"} & set(re.findall(r"\w+", seen))


def everything_in(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("field", ["actor", "request_id", "trace_id"])
def test_a_name_of_a_request_that_is_a_secret_is_refused_and_written_nowhere(tmp_path: Path, field: str) -> None:
    memory = Memory(tmp_path / "memory.db", policy="default")
    memory.remember("The boat leaves at nine.", id="boat")
    said: dict[str, Any] = {"provenance": {"at": 1}, "boundary_class": "internal"}
    verbs: list[Callable[[dict[str, Any]], Any]] = [
        lambda named: memory.activate("boat", **named),
        lambda named: memory.observe("chat", "a boat", **named),
        *([] if field == "actor" else [
            lambda named: memory.search("boat", **named),
            lambda named: memory.upsert("Ann likes boats a lot.", **said, **named),
            lambda named: memory.feedback("boat", "helpful", **named),
        ]),
    ]  # fmt: skip
    for verb in verbs:
        with pytest.raises(BoundaryViolation, match=f"{field}: holds a secret") as raised:
            verb({field: TOKEN})
        assert TOKEN not in str(raised.value)
    assert memory.count() == 1 and memory.get("boat").utility is None
    assert TOKEN.encode() not in everything_in(tmp_path)
    assert len([verb({field: "r-1"}) for verb in verbs]) == len(verbs)


def test_what_is_kept_with_a_context_is_looked_at(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", policy="default")
    context = memory.activate("boat", provenance={"by": ADDRESS, "key": TOKEN})
    assert context.provenance == {"by": "[email]", "key": "[secret]"} == memory.active_context(context.id).provenance
    assert not any(each.encode() in everything_in(tmp_path) for each in (ADDRESS, TOKEN))
    assert Memory().activate("boat", provenance={"by": ADDRESS}).provenance == {"by": ADDRESS}


def test_an_observation_from_before_a_policy_is_seen_through_it() -> None:
    store = InProcessStore()
    said: dict[str, Any] = {"mode": "raw", "tags": [ADDRESS], "provenance": {"by": ADDRESS}}
    kept = [Memory(store=store).observe("chat", text, **said).id for text in (f"mail {ADDRESS}", "tea")]
    governed = Memory(store=store, policy="default")
    first, second = (governed.observation(id) for id in kept)
    assert (first.content, first.tags, first.provenance) == ("mail [email]", ("[email]",), {"by": "[email]"})
    assert (second.content, second.tags) == ("tea", ("[email]",))
