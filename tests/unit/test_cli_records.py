"""The commands over single records: list, get, show, update, purge; context, and what doctor says."""

import json
import sys
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import main
from byheart.cli.fields import CELL, FIXED, UNKEPT
from byheart.records import Record

from .conftest import Run

EVERY: dict[str, Any] = {
    "id": "x", "text": "text", "kind": "a", "role": "Procedure", "topic": "b", "claim": "c", "procedure": "d",
    "condition": "e", "utility_acts": ("verify", "define"), "utility_note": "f", "subject": "Ploinky",
    "relation": "uses", "object": "Linux", "importance": 0.5, "confidence": 0.25, "utility": 3.0, "quality": 0.75,
    "authority": 1.0, "decay_rate": 0.125, "access_count": 4, "created_at": 1.0, "updated_at": 2.0, "expires_at": 4e9,
    "accessed_at": 86400.0, "valid_from": 5.0, "valid_to": 6.0, "superseded_at": 9.0, "supersedes": ("r",),
    "seen_count": 2, "seen_at": 10.0, "near_duplicates": ("s",), "recency_anchor": 7.0, "decayed_at": 8.0,
    "session_id": "s", "user_id": "u", "speaker": "Ann", "category": "g", "tags": ("h", "i"),
    "entities": ("j",), "links": ("k",), "source_ids": ("l",), "archived_by": "m", "superseded_by": "n",
    "ku_type": "atomic", "parent_unit_ids": ("o",), "child_unit_ids": ("p",), "derived_from_unit_ids": ("q",),
    "metadata": {"room": "kitchen", "n": 3, "list": [1, "two"], "none": None},
    "provenance": {"source_name": "a.txt"}, "tenant": "t", "scope": "z", "boundary_class": "pii",
}  # fmt: skip
"""A value for each field; a field that is not here yet is not tried, and says so."""


def typed(name: str, value: Any) -> list[str]:
    """Return the words that give a field its value."""
    option = {"boundary_class": "--class"}.get(name, "--" + name.replace("_", "-"))
    if isinstance(value, tuple):
        return [word for each in value for word in (option, str(each))]
    if isinstance(value, dict):
        plain = {key: each for key, each in value.items() if key != "list"}
        pairs = [f"{key}={each if isinstance(each, str) else json.dumps(each)}" for key, each in plain.items()]
        whole = [json.dumps({"list": value["list"]})] if "list" in value else []
        return [word for each in (*pairs, *whole) for word in (option, each)]
    return [option, str(value)]


def stored(file: Path, **boundary: Any) -> Record:
    with byheart.Memory(file) as memory:
        return memory.get("x", boundary=boundary or None)


def remember_named(run: Run) -> None:
    """Remember the records in whose place others may stand."""
    for id in ("m", "n", "r"):
        run("remember", f"record {id}", "--id", id, "--tenant", "t", "--scope", "z", "--class", "pii", "--user", "u")


def test_every_field_is_remembered_as_it_is_typed(run: Run, memory_file: Path) -> None:
    remember_named(run)
    options = [word for name, value in EVERY.items() if name != "text" for word in typed(name, value)]
    run("remember", "text", *options)
    record = stored(memory_file, tenant="t", classes=["pii"])
    assert {name: getattr(record, name) for name in EVERY} == EVERY
    known = {spec.name for spec in fields(Record)}
    assert EVERY.keys() <= known and len(EVERY) >= 47


def test_every_field_is_changed_and_cleared(run: Run, memory_file: Path) -> None:
    remember_named(run)
    run("remember", "old", "--id", "x", "--tenant", "t", "--scope", "z", "--class", "pii", "--metadata", "old=1")
    inside = ("--tenant", "t", "--class", "pii")
    fixed = (*FIXED, *CELL)
    options = [word for name, value in EVERY.items() if name not in fixed for word in typed(name, value)]
    assert run("update", "x", *options, *inside) == "x\n"
    record = stored(memory_file, tenant="t", classes=["pii"])
    told = {name: value for name, value in EVERY.items() if name not in FIXED}
    told["metadata"] = {"old": 1, **told["metadata"]}
    assert {name: getattr(record, name) for name in told} == told
    gone = [spec for spec in fields(Record) if spec.name not in (*fixed, *UNKEPT, "text", "updated_at")]
    cleared = [word for spec in gone for word in ("--clear", spec.name.replace("_", "-"))]
    run("update", "x", "--to-class", "internal", "--to-scope", "y", *cleared, *inside)
    record = stored(memory_file, tenant="t")
    assert {spec.name: getattr(record, spec.name) for spec in gone} == {
        spec.name: {} if spec.default is MISSING else spec.default for spec in gone
    }
    assert (record.text, record.scope, record.boundary_class) == ("text", "y", "internal")


def test_a_key_of_the_metadata_is_set_and_taken_away_and_the_others_stay(run: Run, memory_file: Path) -> None:
    run("remember", "tea", "--id", "x", "--metadata", "room=kitchen", "--metadata", "n=1", "--provenance", "by=ann")
    run("update", "x", "--metadata", "n=2", "--metadata", '{"colour": "red"}', "--provenance", "at=home")
    assert dict(stored(memory_file).metadata) == {"room": "kitchen", "n": 2, "colour": "red"}
    assert dict(stored(memory_file).provenance) == {"by": "ann", "at": "home"}
    run("update", "x", "--clear", "metadata.room", "--clear", "provenance.by", "--metadata", "n=")
    assert (dict(stored(memory_file).metadata), dict(stored(memory_file).provenance)) == (
        {"n": "", "colour": "red"}, {"at": "home"},
    )  # fmt: skip
    run("update", "x", "--clear", "metadata", "--metadata", "n=3")
    assert dict(stored(memory_file).metadata) == {"n": 3}, "cleared, and then set: another mapping in its place"
    before = memory_file.read_bytes()
    assert "is to be cleared, and to be changed" in run(
        "update", "x", "--clear", "metadata.n", "--metadata", "n=1", code=2
    )
    assert "there is no field 'topic.n'" in run("update", "x", "--clear", "topic.n", code=2)
    assert memory_file.read_bytes() == before
    version = json.loads(run("show", "x", "--json"))["version"]
    run("update", "x", "--metadata", "n=4", "--if-version", version)
    assert "read it again" in run("update", "x", "--metadata", "n=5", "--if-version", version, code=1)
    assert dict(stored(memory_file).metadata) == {"n": 4}


def test_what_another_one_sets_meanwhile_stays(run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("remember", "tea", "--id", "x")
    update, others = byheart.Memory.update, iter(["1", "2"])

    def meanwhile(memory: byheart.Memory, id: str, **changes: Any) -> str:
        if other := next(others, None):
            update(memory, id, metadata={**memory.get(id).metadata, f"other{other}": other})
        return update(memory, id, **changes)

    monkeypatch.setattr(byheart.Memory, "update", meanwhile)
    run("update", "x", "--metadata", "mine=yes")
    assert dict(stored(memory_file).metadata) == {"other1": "1", "other2": "2", "mine": "yes"}


@pytest.mark.parametrize(
    ("typed", "value"),
    [("1.10", "1.10"), ("1.1", 1.1), ("007", "007"), ("1e3", "1e3"), ("-0", "-0"), ("10", 10), ("true", True),
     ("[1, 2]", [1, 2]), ("[1.10]", "[1.10]"), ('"1.1"', "1.1"), ("12345678901234567890123", 12345678901234567890123),
     ("0.1234567890123456789", "0.1234567890123456789"), ("null", None), ("2026-01-01", "2026-01-01")],
)  # fmt: skip
def test_a_number_that_json_would_write_otherwise_is_text(
    run: Run, memory_file: Path, typed: str, value: object
) -> None:
    run("remember", "tea", "--id", "x", "--metadata", f"version={typed}")
    assert stored(memory_file).metadata["version"] == value
    if "[" not in typed and typed not in ('"1.1"', "null") and len(typed) != 23:
        assert json.loads(run("list", "--where", f"metadata.version={typed}", "--json"))
    assert "read as JSON" in " ".join(run("remember", "--help").split())


def test_an_update_keeps_to_its_boundary_and_its_version(run: Run, memory_file: Path) -> None:
    run("remember", "secret tea", "--id", "x", "--class", "secret")
    assert "lies inside the boundary" in run("update", "x", "--topic", "t", code=1)
    version = json.loads(run("show", "x", "--class", "secret", "--json"))["version"]
    assert json.loads(run("update", "x", "--topic", "t", "--if-version", version, "--class", "secret", "--json")) == {
        "id": "x"
    }
    assert "read it again" in run("update", "x", "--topic", "u", "--if-version", version, "--class", "secret", code=1)
    assert stored(memory_file, classes=["secret"]).topic == "t"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("x",), "give a field to change"),
        (("x", "--class", "secret"), "--to-class secret moves it there"),
        (("x", "--scope", "home"), "--to-scope home moves it there"),
        (("x", "--clear", "topc"), "there is no field 'topc'; did you mean 'topic'?"),
        (("x", "--clear", "tenant"), "there is no field 'tenant'"),
        (("x", "--clear", "topic", "--topic", "a"), "topic is to be cleared, and to be changed"),
        (("x", "--metadata", "a"), "neither KEY=VALUE nor an object of JSON"),
        (("x", "--metadata", "a=1", "--metadata", '{"a": 2}'), "'a' is given twice"),
        (("x", "--metadata", '{"a": NaN}'), "is no JSON"),
        (("x", "--metadata", "=1"), "'=1' names no key; give KEY=VALUE"),
        (("x", "--provenance", " =1"), "names no key"),
        (("x", "--importance", "much"), "'much' is no number; give one from 0 to 1"),
        (("x", "--importance", "2"), "importance"),
        (("x", "--expires-at", "noon"), "no ISO time"),
        (("x", "--expires-at", "-1e18"), "expires_at: -1e+18 is no usable number of seconds"),
    ],
)
def test_a_change_that_cannot_be_made_is_one_error(
    run: Run, memory_file: Path, arguments: tuple[str, ...], message: str
) -> None:
    run("remember", "tea", "--id", "x")
    before = memory_file.read_bytes()
    assert message in run("update", *arguments, code=2)
    assert memory_file.read_bytes() == before


def test_a_record_may_have_a_title_and_no_text(run: Run, memory_file: Path) -> None:
    run("remember", "--topic", "Kettle", "--metadata", "litres=2", "--id", "x")
    assert (stored(memory_file).text, stored(memory_file).topic) == ("", "Kettle")
    assert "give a text, or at least --topic" in run("remember", code=2)
    assert run("get", "x") == "\n"
    assert "Kettle" in run("show", "x") and "litres=2" in run("show", "x")


def test_a_vector_may_be_made_elsewhere(run: Run, memory_file: Path) -> None:
    (memory_file.parent / "query.json").write_text("[0, 1]")
    model = ("--vectors", "mine:2")
    if memory_file.suffix == ".jsonl":
        assert "keeps no vectors" in run("remember", "north", *model, "--vector", "[1, 0]", code=2)
        return
    run("remember", "north", "--id", "n", *model, "--vector", "[1, 0]")
    run("remember", "east", "--id", "e", *model, "--vector", "[0, 1]")
    found = run("recall", "where", "--profile", "dense", *model, "--vector", "@query.json", "--json")
    assert json.loads(found)["hits"][0]["id"] == "e"
    for wrong in ("north", "[true]", '["1"]', "@absent.json"):
        assert "--vector: " in run("recall", "where", *model, "--vector", wrong, code=2)


# ---- reading


def test_a_text_is_printed_alone_and_commands_no_terminal(run: Run) -> None:
    text = "one\ttwo\n\x1b[2Jthree\x9b1m\u202e"
    run("remember", text, "--id", "x")
    assert run("get", "x") == "one\ttwo\n [2Jthree 1m \n"
    assert json.loads(run("get", "x", "--json")) == {"id": "x", "text": text}
    assert "\x9b" not in run("get", "x", "--json") and "\u202e" not in run("list", "--json")
    assert "no record 'y'" in run("get", "y", code=1)
    assert "not both" in run("get", "x", "--raw", "--json", code=2)


def test_a_raw_text_is_what_was_remembered(tmp_path: Path, capfdbinary: Any) -> None:
    text = "one\ttwo\r\n\x1b[2Jthree"
    with byheart.Memory(tmp_path / "m.db") as memory:
        memory.remember(text, id="x")
    assert main(["get", "x", "--raw", "-m", str(tmp_path / "m.db")]) == 0
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == text.encode()


def test_a_record_is_shown_in_full(run: Run, memory_file: Path) -> None:
    run("remember", "Steep it.\nThree minutes.", "--id", "x", "--tag", "hot", "--tag", "green", "--created-at", "86400",
        "--metadata", "evil=\x1b[2J")  # fmt: skip
    shown = run("show", "x")
    assert shown.endswith("\n\nSteep it.\nThree minutes.\n")
    said = dict(line.split(maxsplit=1) for line in shown.split("\n\n")[0].splitlines())
    assert (said["tags"], said["created_at"]) == ("hot, green", "1970-01-02T00:00:00+00:00")
    assert said["version"] == stored(memory_file).version and "\x1b" not in shown
    assert json.loads(run("show", "x", "--json"))["record"] == stored(memory_file).to_dict()
    assert "lies inside the boundary" in run("show", "x", "--class", "secret", code=1)


def test_two_records_of_one_id_are_told_apart_by_options(run: Run, memory_file: Path) -> None:
    for scope in ("a", "b"):
        with byheart.Memory(memory_file, boundary={"scopes": [scope]}, scope=scope) as memory:
            memory.remember(f"of {scope}", id="x")
    assert "name one of them by --scope and --class" in run("get", "x", code=2)
    assert run("get", "x", "--scope", "b") == "of b\n"


def test_a_list_is_paged(run: Run) -> None:
    for name in "abc":
        run("remember", f"text {name}", "--id", name)
    page = json.loads(run("list", "--limit", "2", "--json"))
    rest = json.loads(run("list", "--limit", "2", "--cursor", page["cursor"], "--json"))
    assert [record["id"] for record in (*page["records"], *rest["records"])] == ["a", "b", "c"]
    assert rest["cursor"] is None and run("list") == run("records")


def test_a_history_holds_no_text(run: Run) -> None:
    run("remember", "We meet at noon.", "--id", "x", "--created-at", "1", "--user", "ann")
    run("update", "x", "--text", "We meet at one.", "--updated-at", "2")
    first, second = run("history", "x").splitlines()
    assert first == "1970-01-01T00:00:01+00:00        remembered  ann"
    assert second == "1970-01-01T00:00:02+00:00        updated  text"
    assert [each["what"] for each in json.loads(run("history", "x", "--json"))] == ["remembered", "updated"]
    assert "lies inside the boundary" in run("history", "x", "--class", "secret", code=1)


def test_a_backup_opens_as_a_memory(run: Run, memory_file: Path) -> None:
    run("remember", "secret tea", "--id", "x", "--class", "secret")
    copy = memory_file.with_name("copy" + memory_file.suffix)
    assert run("backup", copy.name).startswith(f"1 record written to {copy}")
    assert (
        run("get", "x", "--class", "secret") == "secret tea\n" and stored(copy, classes=["secret"]).text == "secret tea"
    )
    assert json.loads(run("backup", copy.name, "--json"))["replaced"] is True
    (memory_file.parent / "other").write_text("mine")
    assert "other" in run("backup", "other", code=2) and (memory_file.parent / "other").read_text() == "mine"


# ---- purge, parts of a file


def test_what_has_ended_is_purged_inside_the_part_that_is_named(run: Run, memory_file: Path) -> None:
    for number, (tenant, kind) in enumerate((("default", "internal"), ("default", "secret"), ("ann", "internal"))):
        run(
            "remember",
            f"text {number}",
            "--id",
            f"x{number}",
            "--expires-at",
            "60",
            "--tenant",
            tenant,
            "--class",
            kind,
        )
    assert run("purge", "--now", "59") == "0 records purged\n"
    assert json.loads(run("purge", "--tenant", "ann", "--json"))["forgotten"] == ["x2"]
    assert json.loads(run("purge", "--class", "internal", "--json"))["forgotten"] == ["x0"]
    assert run("purge") == "1 record purged\n"
    assert run("stats").startswith(f"{memory_file}: 0 records")


def test_a_part_of_a_file_is_counted_and_exported_alone(run: Run, memory_file: Path) -> None:
    for tenant, kind in (("default", "internal"), ("default", "secret"), ("ann", "internal")):
        run("remember", f"{tenant} {kind}", "--tenant", tenant, "--class", kind)
    assert list(json.loads(run("stats", "--tenant", "ann", "--json"))) == ["ann"]
    assert json.loads(run("stats", "--class", "secret", "--json"))["default"]["cells"] == {"project/secret": 1}
    assert json.loads(run("export", "part.jsonl", "--class", "secret", "--json")) == {"exported": 1}
    assert "default secret" in (memory_file.parent / "part.jsonl").read_text()
    assert json.loads(run("export", "all.jsonl", "--json")) == {"exported": 3}


def test_a_dry_run_forgets_nothing(run: Run, memory_file: Path) -> None:
    run("remember", "tea", "--id", "x", "--topic", "t")
    before = memory_file.read_bytes()
    assert run("forget", "--where", "topic=t", "--dry-run") == "1 record would be forgotten\n"
    assert memory_file.read_bytes() == before


# ---- context


def test_a_context_is_packed_for_a_prompt(run: Run, memory_file: Path) -> None:
    run("remember", "The kettle is \x1b[31mdescaled every spring.", "--id", "kettle", "--created-at", "0")
    shown = run("context", "kettle", "--budget", "100", "--invariant", "Be brief.")
    with byheart.Memory(memory_file, invariants=["Be brief."]) as memory:
        packed = memory.context("kettle", 100)
    assert shown == packed.text.replace("\x1b", " ") + "\n" and "untrusted" in shown and "Be brief." in shown
    told = json.loads(run("context", "kettle", "--budget", "100", "--json"))
    assert [entry["id"] for entry in told["entries"]] == ["kettle"] and told["tokens"] <= told["budget"] == 100
    assert run("context", "zebra", "--budget", "100", code=1) == "nothing found\n"
    assert run("context", "kettle", "--budget", "2", code=1) == "found, but nothing fits a budget of 2\n"
    assert "give --budget" in run("context", "kettle", code=2)
    assert "lies inside" not in run("context", "kettle", "--budget", "100", "--class", "secret", code=1)


def test_a_context_may_begin_with_the_last_turns(run: Run, memory_file: Path) -> None:
    for number in range(3):
        run("remember", f"turn {number}", "--id", f"t{number}", "--session", "s", "--created-at", str(number + 1))
    shown = run("context", "which kettle now?", "--budget", "50", "--session", "s", "--recent")
    assert shown.index("turn 0") < shown.index("turn 1") < shown.index("turn 2")
    assert run("context", "thanks!", "--budget", "50", "--adaptive", code=1).startswith("not searched: skip: ")


# ---- doctor


def test_the_doctor_says_what_is_there(run: Run, memory_file: Path) -> None:
    assert f"{memory_file}: is not there yet" in run("doctor", code=1)
    run("remember", "tea", "--tenant", "ann", "--class", "secret")
    told = json.loads(run("doctor", "--json"))
    assert told["versions"]["byheart"] == byheart.__version__ and told["instruction_set"] in (
        "portable",
        "avx2",
        "avx512",
    )
    assert (told["memory"]["records"], told["memory"]["problems"], told["todo"]) == (1, [], [])
    assert told["embedders"]["hashing"] == "ready" and set(told["extras"].values()) <= {True, False}
    assert "nothing: all is well" in run("doctor")


def test_the_doctor_needs_no_memory(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BYHEART_MEMORY", raising=False)
    monkeypatch.setattr("byheart.cli.diagnosing.util.find_spec", lambda name: None)
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["memory"] is None and told["embedders"]["wordllama"] == 'pip install "byheart[static]"'
    assert not any(told["extras"].values())


def test_the_doctor_finds_damage_and_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.db"
    with byheart.Memory(file) as memory:
        memory.remember("Steep the tea for three minutes.", id="tea")
    file.write_bytes(file.read_bytes().replace(b"three minutes", b"seven minutes"))
    before = file.read_bytes()
    assert main(["doctor", "-m", str(file)]) == 1
    assert "check --repair" in capsys.readouterr().err
    file.write_bytes(b"no memory at all")
    assert main(["doctor", "-m", str(file), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["todo"] and before


def test_sessions_and_users_are_listed_inside_the_boundary(run: Run) -> None:
    run("remember", "The kettle is whole.")
    assert run("sessions") == "no sessions\n" and run("users") == "no users\n"
    run("remember", "Tea is out.", "--session", "mon", "--user", "ann", "--created-at", "60")
    run("remember", "Rice is out.", "--session", "tue", "--user", "ann", "--created-at", "120")
    run("remember", "The pin is 4711.", "--session", "sec", "--user", "eve", "--boundary-class", "secret")
    assert [line.split()[:3] for line in run("sessions", "--class", "internal").splitlines()] == [
        ["tue", "1", "record"], ["mon", "1", "record"],
    ]  # fmt: skip
    [ann] = json.loads(run("users", "--boundary-class", "internal", "--json"))
    ann.pop("schema_version")
    assert ann == {"id": "ann", "records": 2, "first": 60.0, "last": 120.0, "sessions": ["mon", "tue"]}
    assert run("sessions", "--where", "user_id=bob") == "no sessions\n"
    assert run("users", "--class", "secret").startswith("eve  1 record  ")
    assert "eve" not in run("users")
