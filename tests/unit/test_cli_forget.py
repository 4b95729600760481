"""Forgetting on the command line: by id, filter and source, what is asked first, and what lies outside the boundary."""

import json
from pathlib import Path

import pytest

import byheart
from byheart.cli import main

from .conftest import Run
from .test_cli import stored, typed_input, write


def test_records_are_forgotten_by_id(run: Run, memory_file: Path) -> None:
    for name in "abc":
        run("remember", f"text {name}", "--id", name)
    assert run("forget", "a") == "1 record forgotten\n"
    told = {"forgotten": ["b"], "missing": ["x"], "summaries": [], "released": [], "copies": [], "reinstated": []}
    told |= {"untouched": [], "damaged": []}
    assert json.loads(run("forget", "b", "x", "--json")) == told
    assert run("forget", "y", "z", code=1) == "0 records forgotten\nnot there: y, z\n"
    assert list(stored(memory_file)) == ["c"]
    run("remember", "text d", "--id", "d", "--supersedes", "c")
    assert "they stood in the place of these, found again: c" in run("forget", "d")


def test_records_are_forgotten_by_their_fields(run: Run, memory_file: Path) -> None:
    run("remember", "the first", "--id", "a", "--topic", "tea", "--importance", "0.5")
    run("remember", "the second", "--id", "b", "--topic", "tea")
    run("remember", "three", "--id", "c", "--topic", "rice")
    assert run("forget", "--where", "topic=tea", "--where", "importance=0.5", "--yes") == "1 record forgotten\n"
    assert run("forget", "--where", "topic=tea", "--where", "topic=rice", "--yes") == "2 records forgotten\n"
    assert "unknown field 'colour'" in run("forget", "--where", "colour=red", "--yes", code=2)
    assert stored(memory_file) == {}


def test_records_are_forgotten_by_their_source(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.txt": "Tea.", "b.txt": "Rice."})
    run("import", "a.txt", "b.txt")
    assert run("forget", "--source", "a.txt", "--yes") == "1 record forgotten\n"
    assert list(stored(memory_file).values()) == ["Rice."]
    assert "nothing was imported from 'a.txt'" in run("forget", "--source", "a.txt", "--yes", code=1)


def test_a_source_is_forgotten_inside_the_boundary_alone(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.jsonl": '{"id": "a", "text": "Tea."}\n{"id": "b", "text": "Rice."}\n'})
    run("import", "a.jsonl")
    assert "nothing was imported from 'a.jsonl'" in run(
        "forget", "--source", "a.jsonl", "--class", "secret", "--yes", code=1
    )
    with byheart.Memory(memory_file) as memory:
        memory.update("a", boundary_class="secret")
    assert run("forget", "--source", "a.jsonl", "--class", "secret", "--yes") == "1 record forgotten\n"
    assert stored(memory_file) == {"b": "Rice."}


def test_what_lies_outside_the_boundary_is_not_forgotten(run: Run, memory_file: Path) -> None:
    run("remember", "the first", "--id", "a", "--class", "secret", "--topic", "x")
    assert run("forget", "--where", "topic=x", "--yes", code=1) == "0 records forgotten\n"
    assert run("forget", "a", "--class", "secret") == "1 record forgotten\n"


def test_forgetting_by_field_asks_first(
    run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("remember", "the first", "--id", "a", "--topic", "x")
    before = memory_file.read_bytes()
    for answer in (b"n\n", b"\n", b""):
        typed_input(monkeypatch, answer, terminal=True)
        asked = run("forget", "--where", "topic=x", code=1)
        assert asked == "forget 1 record (a)? [y/N] byheart: nothing was forgotten\n"
        assert memory_file.read_bytes() == before
    typed_input(monkeypatch, b"y\n", terminal=True)
    assert main(["forget", "--where", "topic=x", "-m", str(memory_file)]) == 0
    assert capsys.readouterr().out == "1 record forgotten\n"
    assert stored(memory_file) == {}


def test_more_than_a_filter_can_name_is_forgotten_with_the_secrets_among_it(
    run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("byheart.cli.writing.MAX_VALUES", 2)
    for id, kind in (("a", "public"), ("b", "secret")):
        run("remember", f"the word {id}", "--id", id, "--user", "ada", "--class", kind)
    typed_input(monkeypatch, b"y\n", terminal=True)
    assert main(["forget", "--where", "user_id=ada", "-m", str(memory_file)]) == 0
    assert "2 records forgotten" in capsys.readouterr().out and stored(memory_file) == {}


@pytest.mark.parametrize(("records", "named"), [(3, "(a, b, c)?"), (4, "(a, b, c ...)?")])
def test_the_question_names_three_records_and_says_that_there_are_more(
    run: Run, monkeypatch: pytest.MonkeyPatch, records: int, named: str
) -> None:
    for id in "abcd"[:records]:
        run("remember", f"the {id}", "--id", id, "--topic", "x")
    typed_input(monkeypatch, b"n\n", terminal=True)
    assert f"forget {records} records {named}" in run("forget", "--where", "topic=x", code=1)
