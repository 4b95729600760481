"""The command line: what is printed where, what is asked, which code comes back, and what an import replaces."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import main
from byheart.storage import open_store
from byheart.storage.change import Change
from byheart.storage.text_file import TextFile

from .conftest import Run


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")


def records(memory_file: Path) -> list[byheart.Record]:
    store = open_store(memory_file)
    try:
        return list(store.load())
    finally:
        store.close()


def stored(memory_file: Path) -> dict[str, str]:
    return {str(record.id): record.text for record in records(memory_file)}


def typed_input(monkeypatch: pytest.MonkeyPatch, text: bytes, *, terminal: bool = False) -> None:
    stream = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8")
    monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(sys, "stdin", stream)


# ---- remember, recall, explain


def test_what_is_remembered_is_recalled_and_explained(run: Run, memory_file: Path) -> None:
    assert run("remember", "Steep the tea for three minutes.", "--id", "tea", "--topic", "kitchen") == "tea\n"
    run("remember", "Rinse the rice twice.", "--id", "rice")
    first, second = run("recall", "how long must tea steep?").splitlines()
    assert first.startswith("  1. 0.")
    assert first.endswith("  tea  kitchen")
    assert second.strip() == "Steep the tea for three minutes."
    assert "all:steep" in run("recall", "steep tea", "--explain")
    assert "all:steep" in run("explain", "steep tea", "tea")
    assert "no leg of the profile proposed it" in run("explain", "steep tea", "rice")


def test_every_field_that_can_be_typed_is_kept(run: Run, memory_file: Path) -> None:
    given = {"id": "x", "topic": "a", "role": "Procedure", "condition": "b", "procedure": "c", "utility-note": "d"}
    options = [word for name, value in given.items() for word in (f"--{name}", value)]
    run("remember", "text", *options, "--kind", "e", "--importance", "0.5", "--act", "verify", "--act", "define",
        "--tenant", "t", "--scope", "s", "--class", "pii")  # fmt: skip
    [record] = records(memory_file)
    assert {name: getattr(record, name.replace("-", "_")) for name in given} == given
    assert (record.kind, record.importance, record.utility_acts) == ("e", 0.5, ("verify", "define"))
    assert (record.tenant, record.scope, record.boundary_class) == ("t", "s", "pii")


def test_a_text_may_come_from_standard_input(run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed_input(monkeypatch, "\ufeffnaïve\nlines\r\n".encode())
    run("remember", "-", "--id", "x")
    assert stored(memory_file) == {"x": "naïve\nlines"}
    typed_input(monkeypatch, b"bad \xff byte")
    assert run("remember", "-", code=2) == "byheart: standard input: byte 4 is not UTF-8\n"


def test_a_recall_shapes_as_it_is_told(run: Run) -> None:
    for number in range(5):
        run("remember", f"tea number {number}", "--id", f"t{number}")
    run("remember", "tea is made so", "--id", "how", "--role", "Procedure")
    assert len(run("recall", "tea", "-k", "2").splitlines()) == 4
    assert len(run("recall", "tea", "--profile", "kb-fast").splitlines()) == 6
    asked = json.loads(run("recall", "tea", "--act", "implement", "--json"))["receipt"]
    assert (asked["act"], asked["needed_roles"]) == ("implement", ["Procedure", "Constraint"])
    asked = json.loads(run("recall", "tea", "--role", "Definition", "--json"))["receipt"]
    assert (asked["act"], asked["needed_roles"]) == (None, ["Definition"])


def test_a_recall_says_what_it_could_not_do(run: Run) -> None:
    run("remember", "the kettle is descaled every spring", "--id", "kettle")
    note = "note: dense: the memory has no embedder; the answer rests on words"
    assert note in run("recall", "kettle", "--profile", "scoped").splitlines()
    assert run("recall", "zebra", "--profile", "scoped", code=1).splitlines() == ["nothing found among 1 record", note]


def test_a_recall_sees_its_boundary_only(run: Run) -> None:
    run("remember", "Ann likes lemon", "--tenant", "ann", "--id", "x")
    run("remember", "Bob likes milk", "--tenant", "bob", "--id", "x")
    run("remember", "The door likes 4417", "--class", "secret", "--id", "door")
    run("remember", "Notes like paper", "--scope", "session", "--id", "notes")
    assert "lemon" in run("recall", "likes", "--tenant", "ann")
    assert "lemon" not in run("recall", "likes", "--tenant", "bob")
    assert run("recall", "likes", "--scope", "project", code=1) == "nothing found among 0 records\n"
    assert "paper" in run("recall", "likes", "--scope", "project", "--scope", "session")
    assert "4417" not in run("recall", "door likes")
    assert "4417" in run("recall", "door likes", "--class", "secret")
    assert "outside" not in run("explain", "likes", "x", "--tenant", "ann")
    assert "no record 'x' lies inside the boundary" in run("explain", "likes", "x", code=1)


def test_reading_changes_no_file(run: Run, memory_file: Path) -> None:
    run("remember", "green tea", "--id", "tea")
    before = {path.name: path.stat().st_mtime_ns for path in memory_file.parent.iterdir()}
    run("recall", "tea")
    run("explain", "tea", "tea")
    run("stats")
    assert {path.name: path.stat().st_mtime_ns for path in memory_file.parent.iterdir()} == before


# ---- import


def test_an_import_replaces_what_a_source_said_before(run: Run, memory_file: Path) -> None:
    lines = '{"_id": "own", "text": "A line", "colour": "red"}\n\n{"text": "Another"}\n'
    write(
        memory_file.parent,
        {"n/a.md": "# Tea\nSteep it.\n\n# Rice\nRinse it.\n", "n/b.txt": "Kettles.", "n/c.jsonl": lines},
    )
    assert run("import", "n") == "3 sources read; records: 5 remembered, 0 unchanged, 0 forgotten\n"
    before = memory_file.read_bytes()
    assert run("import", "n/") == "3 sources read; records: 0 remembered, 5 unchanged, 0 forgotten\n"
    assert memory_file.read_bytes() == before, "what has not changed keeps its time"
    write(memory_file.parent, {"n/a.md": "# Coffee\nGrind it.\n"})
    counts = json.loads(run("import", "n/a.md", "--json"))
    assert {name: number for name, number in counts.items() if number} == {
        "sources": 1, "remembered": 1, "forgotten": 1,
    }  # fmt: skip
    assert sorted(stored(memory_file).values()) == ["# Coffee\nGrind it.", "A line", "Another", "Kettles."]
    write(memory_file.parent, {"n/a.md": ""})
    assert "0 remembered, 0 unchanged, 1 forgotten" in run("import", "n/a.md")


def test_files_of_one_name_in_two_folders_are_two_sources(run: Run, memory_file: Path, monkeypatch: Any) -> None:
    write(memory_file.parent, {"one/README.md": "First.", "two/README.md": "Second."})
    for folder in ("one", "two"):
        monkeypatch.chdir(memory_file.parent / folder)
        run("import", "README.md")
    assert sorted(stored(memory_file).values()) == ["First.", "Second."]


def test_a_file_may_be_imported_for_two_tenants(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.txt": "Tea."})
    run("import", "a.txt", "--tenant", "ann")
    assert "1 remembered, 0 unchanged, 0 forgotten" in run("import", "a.txt", "--tenant", "bob")
    write(memory_file.parent, {"a.txt": ""})
    assert "0 remembered, 0 unchanged, 1 forgotten" in run("import", "a.txt", "--tenant", "bob")
    assert [record.tenant for record in records(memory_file)] == ["ann"]


def test_an_import_for_another_cell_moves_no_record(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.txt": "Tea."})
    run("import", "a.txt", "--class", "secret")
    told = run("import", "a.txt")
    assert "0 remembered, 1 unchanged" in told and "1 of the unchanged lie in other cells" in told
    assert [record.boundary_class for record in records(memory_file)] == ["secret"]


def test_the_memory_file_is_no_source(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"a.txt": "Tea."})
    run("import", ".")
    assert "1 source read" in run("import", ".", "a.txt")
    (memory_file.parent / "a.txt").unlink()
    said = {".jsonl": "nothing here but the memory file itself", ".db": "holds no file that ends in .md"}
    assert said[memory_file.suffix] in run("import", ".", code=2)


def test_one_bad_source_and_nothing_is_remembered(run: Run, memory_file: Path) -> None:
    run("remember", "kept so", "--id", "kept")
    write(memory_file.parent, {"n/a.txt": "good", "n/b.jsonl": '{"text": "good"}\n{"text": 3}\n'})
    before = memory_file.read_bytes()
    assert "n/b.jsonl, line 2, parsing: text must be str" in run("import", "n", code=2)
    write(memory_file.parent, {"n/b.jsonl": '{"id": "x", "text": "b"}', "n/c.jsonl": '{"id": "x", "text": "c"}'})
    assert "n/c.jsonl, parsing: the id 'x' stands in n/b.jsonl too" in run("import", "n", code=2)
    assert memory_file.read_bytes() == before


def test_an_error_while_remembering_undoes_the_import(run: Run, memory_file: Path, monkeypatch: Any) -> None:
    write(memory_file.parent, {"n/a.txt": "one", "n/b.txt": "two"})
    run("import", "n/a.txt")
    before = memory_file.read_bytes()
    write(memory_file.parent, {"n/a.txt": "changed"})

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device", "disk")

    with monkeypatch.context() as broken:
        if memory_file.suffix == ".jsonl":
            broken.setattr(TextFile, "replace", fail)
        else:
            broken.setattr(Change, "finish", fail)
        assert "No space left on device" in run("import", "n", code=2)
    assert memory_file.read_bytes() == before


def test_an_import_is_one_write(run: Run, memory_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(memory_file.parent, {"n/a.txt": "one", "n/b.txt": "two", "n/c.txt": "three"})
    run("import", "n/a.txt", "n/b.txt")
    write(memory_file.parent, {"n/a.txt": "changed", "n/b.txt": ""})
    writer, step = (TextFile, "replace") if memory_file.suffix == ".jsonl" else (Change, "finish")
    done, writes = getattr(writer, step), []

    def counted(self: Any, *arguments: Any) -> None:
        writes.append(self)
        done(self, *arguments)

    monkeypatch.setattr(writer, step, counted)
    assert "2 remembered, 0 unchanged, 1 forgotten" in run("import", "n")
    assert len(writes) == 1
    assert sorted(stored(memory_file).values()) == ["changed", "three"]


def test_a_hit_says_where_it_comes_from(run: Run, memory_file: Path) -> None:
    write(memory_file.parent, {"n/a.md": "# Tea\nSteep it."})
    run("import", "n")
    assert run("recall", "steep").splitlines()[0].endswith("  Tea  n/a.md")


# ---- usage


@pytest.mark.parametrize(
    "arguments",
    [("forget",), ("forget", "a", "--where", "b=c"), ("forget", "--where", "b", "--yes"), ("forget", "--where", "b=c"),
     ("dance",), ("recall",), ("recall", "x", "-k", "two"), ("recall", "x", "--class", "open"), ("import",),
     ("remember", "x", "--act", "dance"), ("recall", "x", "--prof", "kb-fast")],
)  # fmt: skip
def test_wrong_usage_is_code_2(run: Run, memory_file: Path, arguments: tuple[str, ...], monkeypatch: Any) -> None:
    run("remember", "a text", "--id", "a")
    typed_input(monkeypatch, b"")
    said = run(*arguments, code=2)
    assert said.startswith("byheart") and said.count("\n") == 1 and "--help" in said
    assert list(stored(memory_file)) == ["a"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("recal", "x"), "byheart: argument COMMAND: there is no 'recal'; did you mean 'recall'? (see byheart --help)"),
        (
            ("recall", "x", "--wher=a=1"),
            "byheart recall: there is no option '--wher'; did you mean '--where'? (see byheart recall --help)",
        ),
        (
            ("recall", "x", "--k", "3"),
            "byheart recall: there is no option '--k'; did you mean '-k'? (see byheart recall --help)",
        ),
        (
            ("recall", "x", "--m=me.db"),
            "byheart recall: there is no option '--m'; did you mean '-m'? (see byheart recall --help)",
        ),
        (("recall", "x", "--z"), "byheart recall: there is no option '--z' (see byheart recall --help)"),
        (("recall", "x", "y"), "byheart recall: 'y' is one argument too many (see byheart recall --help)"),
        (("recall", "x", "--class", "publi"), "byheart recall: argument --class/--boundary-class: there is no 'publi' "
         "(one of public, internal, pii, secret); did you mean 'public'? (see byheart recall --help)"),
        (("forget",), "byheart forget: give ids, or a filter, or --source (see byheart forget --help)"),
        (("models", "asemble"), "byheart models: argument WHAT: there is no 'asemble' (one of assemble); did you mean "
         "'assemble'? (see byheart models --help)"),
        (("recall", "x", "--\x1b[9QQ"), "byheart recall: there is no option '--\\x1b[9QQ' (see byheart recall --help)"),
    ],
)  # fmt: skip
def test_a_usage_error_is_one_line_with_what_was_perhaps_meant(run: Run, arguments: tuple[str, ...], said: str) -> None:
    run("remember", "a text", "--id", "a")
    assert run(*arguments, code=2) == f"{said}\n"


def test_every_command_on_a_memory_needs_its_file() -> None:
    for arguments in ("import x", "remember x", "recall x", "explain x y", "forget x", "stats", "check", "rebuild",
                      "export x", "embed"):  # fmt: skip
        with pytest.raises(SystemExit, match="2"):
            main(arguments.split())


def test_noise_is_kept_and_refused_in_one_line_on_demand(run: Run, memory_file: Path) -> None:
    message = run("remember", "Good morning!", "--id", "a", "--refuse-noise", code=1)
    assert message.startswith("byheart: text 'Good morning!': is noise by profile 'byheart' (boilerplate: greeting)")
    assert message.count("\n") == 1 and "--refuse-noise" in message
    assert "(backchannel)" in run("remember", "ok thanks", "--refuse-noise", code=1)
    assert stored(memory_file) == {}
    assert run("remember", "Good morning!", "--id", "a") == "a\n"
    write(memory_file.parent, {"n/a.txt": "Good morning!"})
    run("import", "n")
    assert sorted(stored(memory_file).values()) == ["Good morning!", "Good morning!"]


# ---- stats, JSON, errors


def test_stats_count_by_tenant_and_cell(run: Run, memory_file: Path) -> None:
    run("remember", "the first", "--id", "a")
    run("remember", "the second", "--id", "b", "--class", "secret")
    run("remember", "three", "--id", "c", "--tenant", "t", "--scope", "s")
    assert run("stats").splitlines() == [
        f"{memory_file}: 3 records of 2 tenants",
        "  default: 2 records",
        "    project/internal: 1",
        "    project/secret: 1",
        "  t: 1 record",
        "    s/internal: 1",
    ]
    assert json.loads(run("stats", "--json"))["t"]["cells"] == {"s/internal": 1}


def test_json_has_the_same_bytes_for_the_same_answer(run: Run) -> None:
    assert json.loads(run("remember", "Tee für zwei", "--id", "tea", "--json")) == {"id": "tea"}
    one, two = (run("recall", "tee", "--json", "--explain") for _ in range(2))
    assert one == two
    answer = json.loads(one)
    assert answer["hits"][0]["record"]["text"] == "Tee für zwei"
    assert answer["explanations"]["tea"]["score"] == answer["hits"][0]["score"]
    assert "für" in one
    assert json.loads(run("explain", "tee", "tea", "--json"))["id"] == "tea"


def test_errors_are_one_line(run: Run, memory_file: Path) -> None:
    assert "there is no such memory" in run("recall", "x", code=2)
    assert not memory_file.exists()
    run("remember", "a text", "--id", "a")
    cases = {("recall", "x", "-k", "0"): 2, ("explain", "x", "no\nbody"): 1, ("recall", "x", "--profile", "best"): 2}
    for arguments, code in cases.items():
        message = run(*arguments, code=code)
        assert message.startswith("byheart: ")
        assert message.count("\n") == 1
    memory_file.write_text("notes of mine\n", encoding="utf-8")
    said = {".jsonl": "line 1: not JSON", ".db": "file is not a database"}
    assert said[memory_file.suffix] in run("remember", "x", code=2)
    assert memory_file.read_text(encoding="utf-8") == "notes of mine\n"


def test_an_error_of_the_system_names_the_file(run: Run, memory_file: Path) -> None:
    memory_file.mkdir()
    assert run("stats", code=2).startswith(f"byheart: {memory_file}: ")


def test_an_interrupt_is_code_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(byheart.Memory, "remember", interrupted)
    assert run("remember", "x", code=130) == "\n"


def test_every_command_is_listed_with_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if line.startswith("    ")]
    told = {line[0]: line[1:] for line in lines if line[0].isalpha()}
    for name in ("remember", "recall", "rebuild", "export", "embed", "forget", "check", "eval", "bench", "mcp"):
        assert told.get(name), f"{name}: nothing is said of it"


@pytest.mark.parametrize(
    "instead",
    [
        ["--topic", "tea"], ["--claim", "Tea is hot."], ["--procedure", "Boil."], ["--metadata", '{"room": 1}'],
        ["--subject", "tea", "--relation", "uses", "--object", "water"],
    ],
)  # fmt: skip
def test_what_says_something_without_a_text_is_remembered(run: Run, memory_file: Path, instead: list[str]) -> None:
    run("remember", "--id", "x", *instead)
    assert set(stored(memory_file)) == {"x"}


def test_what_says_nothing_is_not_remembered(run: Run, memory_file: Path) -> None:
    assert "give a text, or at least --topic" in run("remember", "--id", "x", "--kind", "note", code=2)
    assert not memory_file.exists()
