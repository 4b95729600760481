"""The command line: what is printed where, what is asked, which code comes back, and what an import replaces."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart import demo
from byheart.cli import main
from byheart.cli.progress import Progress
from byheart.cli.render import Style, clean, counted, one_line
from byheart.demo import passages
from byheart.storage.jsonl import JsonlStore

Run = Callable[..., str]


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


@pytest.fixture
def run(memory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run one command in this process; return its standard output, or standard error where it is to fail."""
    monkeypatch.chdir(memory.parent)

    def call(*arguments: str, code: int = 0) -> str:
        try:
            came = main([*arguments, "--memory", str(memory)])
        except SystemExit as error:
            came = int(error.code or 0)
        printed = capsys.readouterr()
        assert came == code, printed
        assert bool(printed.err) == (code != 0), printed
        return printed.err if code else printed.out

    return call


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")


def stored(memory: Path) -> dict[str, str]:
    return {str(record.id): record.text for record in JsonlStore(memory).load()}


def typed_input(monkeypatch: pytest.MonkeyPatch, text: bytes, *, terminal: bool = False) -> None:
    stream = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8")
    monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(sys, "stdin", stream)


# ---- remember, recall, explain


def test_what_is_remembered_is_recalled_and_explained(run: Run, memory: Path) -> None:
    assert run("remember", "Steep the tea for three minutes.", "--id", "tea", "--topic", "kitchen") == "tea\n"
    run("remember", "Rinse the rice twice.", "--id", "rice")
    first, second = run("recall", "how long must tea steep?").splitlines()
    assert first.startswith("  1. 1.")
    assert first.endswith("  tea  kitchen")
    assert second.strip() == "Steep the tea for three minutes."
    assert "claim:steep" in run("recall", "steep tea", "--explain")
    assert "claim:steep" in run("explain", "steep tea", "tea")
    assert "no query term occurs in it" in run("explain", "steep tea", "rice")


def test_every_field_that_can_be_typed_is_kept(run: Run, memory: Path) -> None:
    given = {"id": "x", "topic": "a", "role": "Procedure", "condition": "b", "procedure": "c", "utility-note": "d"}
    options = [word for name, value in given.items() for word in (f"--{name}", value)]
    run("remember", "text", *options, "--kind", "e", "--importance", "0.5", "--act", "verify", "--act", "define",
        "--tenant", "t", "--scope", "s", "--class", "pii")  # fmt: skip
    [record] = JsonlStore(memory).load()
    assert {name: getattr(record, name.replace("-", "_")) for name in given} == given
    assert (record.kind, record.importance, record.utility_acts) == ("e", 0.5, ("verify", "define"))
    assert (record.tenant, record.scope, record.boundary_class) == ("t", "s", "pii")


def test_a_text_may_come_from_standard_input(run: Run, memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed_input(monkeypatch, "\ufeffnaïve\nlines\r\n".encode())
    run("remember", "-", "--id", "x")
    assert stored(memory) == {"x": "naïve\nlines"}
    typed_input(monkeypatch, b"bad \xff byte")
    assert run("remember", "-", code=1) == "byheart: standard input: byte 4 is not UTF-8\n"


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


def test_a_recall_sees_its_boundary_only(run: Run) -> None:
    run("remember", "Ann likes lemon", "--tenant", "ann", "--id", "x")
    run("remember", "Bob likes milk", "--tenant", "bob", "--id", "x")
    run("remember", "The door likes 4417", "--class", "secret", "--id", "door")
    run("remember", "Notes like paper", "--scope", "session", "--id", "notes")
    assert "lemon" in run("recall", "likes", "--tenant", "ann")
    assert "lemon" not in run("recall", "likes", "--tenant", "bob")
    assert run("recall", "likes", "--scope", "project") == "nothing found among 0 records\n"
    assert "paper" in run("recall", "likes", "--scope", "project", "--scope", "session")
    assert "4417" not in run("recall", "door likes")
    assert "4417" in run("recall", "door likes", "--class", "secret")
    assert "outside" not in run("explain", "likes", "x", "--tenant", "ann")
    assert "no record 'x' lies inside the boundary" in run("explain", "likes", "x", code=1)


def test_reading_changes_no_file(run: Run, memory: Path) -> None:
    run("remember", "tea", "--id", "tea")
    before = {path.name: path.stat().st_mtime_ns for path in memory.parent.iterdir()}
    run("recall", "tea")
    run("explain", "tea", "tea")
    run("stats")
    assert {path.name: path.stat().st_mtime_ns for path in memory.parent.iterdir()} == before


# ---- import


def test_an_import_replaces_what_a_source_said_before(run: Run, memory: Path) -> None:
    lines = '{"_id": "own", "text": "A line", "colour": "red"}\n\n{"text": "Another"}\n'
    write(
        memory.parent, {"n/a.md": "# Tea\nSteep it.\n\n# Rice\nRinse it.\n", "n/b.txt": "Kettles.", "n/c.jsonl": lines}
    )
    assert run("import", "n") == "3 sources read; records: 5 remembered, 0 unchanged, 0 forgotten\n"
    before = memory.read_bytes()
    assert run("import", "n/") == "3 sources read; records: 0 remembered, 5 unchanged, 0 forgotten\n"
    assert memory.read_bytes() == before, "what has not changed keeps its time"
    write(memory.parent, {"n/a.md": "# Coffee\nGrind it.\n"})
    counts = json.loads(run("import", "n/a.md", "--json"))
    assert counts == {"sources": 1, "remembered": 1, "unchanged": 0, "forgotten": 1}
    assert sorted(stored(memory).values()) == ["# Coffee\nGrind it.", "A line", "Another", "Kettles."]
    write(memory.parent, {"n/a.md": ""})
    assert "0 remembered, 0 unchanged, 1 forgotten" in run("import", "n/a.md")


def test_files_of_one_name_in_two_folders_are_two_sources(run: Run, memory: Path, monkeypatch: Any) -> None:
    write(memory.parent, {"one/README.md": "First.", "two/README.md": "Second."})
    for folder in ("one", "two"):
        monkeypatch.chdir(memory.parent / folder)
        run("import", "README.md")
    assert sorted(stored(memory).values()) == ["First.", "Second."]


def test_a_file_may_be_imported_for_two_tenants(run: Run, memory: Path) -> None:
    write(memory.parent, {"a.txt": "Tea."})
    run("import", "a.txt", "--tenant", "ann")
    assert "1 remembered, 0 unchanged, 0 forgotten" in run("import", "a.txt", "--tenant", "bob")
    write(memory.parent, {"a.txt": ""})
    assert "0 remembered, 0 unchanged, 1 forgotten" in run("import", "a.txt", "--tenant", "bob")
    assert [record.tenant for record in JsonlStore(memory).load()] == ["ann"]


def test_an_import_for_another_cell_moves_the_records(run: Run, memory: Path) -> None:
    write(memory.parent, {"a.txt": "Tea."})
    run("import", "a.txt")
    assert "1 remembered, 0 unchanged" in run("import", "a.txt", "--class", "secret", "--scope", "s")
    [record] = JsonlStore(memory).load()
    assert (record.boundary_class, record.scope) == ("secret", "s")


def test_the_memory_file_is_no_source(run: Run, memory: Path) -> None:
    write(memory.parent, {"a.txt": "Tea."})
    run("import", ".")
    assert "1 source read" in run("import", ".", "a.txt")
    (memory.parent / "a.txt").unlink()
    assert "nothing here but the memory file itself" in run("import", ".", code=1)


def test_one_bad_source_and_nothing_is_remembered(run: Run, memory: Path) -> None:
    run("remember", "kept", "--id", "kept")
    write(memory.parent, {"n/a.txt": "good", "n/b.jsonl": '{"text": "good"}\n{"text": 3}\n'})
    before = memory.read_bytes()
    assert "n/b.jsonl, line 2, parsing: text must be str" in run("import", "n", code=1)
    write(memory.parent, {"n/b.jsonl": '{"id": "x", "text": "b"}', "n/c.jsonl": '{"id": "x", "text": "c"}'})
    assert "n/c.jsonl, parsing: the id 'x' stands in n/b.jsonl too" in run("import", "n", code=1)
    assert memory.read_bytes() == before


def test_an_error_while_remembering_undoes_the_import(run: Run, memory: Path, monkeypatch: Any) -> None:
    write(memory.parent, {"n/a.txt": "one", "n/b.txt": "two"})
    run("import", "n/a.txt")
    before = memory.read_bytes()
    write(memory.parent, {"n/a.txt": "changed"})
    remember_many = byheart.Memory.remember_many

    def fail(self: Any, records: Any) -> Any:
        remember_many(self, records)
        raise OSError(28, "No space left on device", "disk")

    monkeypatch.setattr(byheart.Memory, "remember_many", fail)
    assert run("import", "n", code=1) == "byheart: disk: No space left on device\n"
    assert memory.read_bytes() == before


def test_a_hit_says_where_it_comes_from(run: Run, memory: Path) -> None:
    write(memory.parent, {"n/a.md": "# Tea\nSteep it."})
    run("import", "n")
    assert run("recall", "steep").splitlines()[0].endswith("  Tea  n/a.md")


# ---- forget


def test_records_are_forgotten_by_id(run: Run, memory: Path) -> None:
    for name in "abc":
        run("remember", f"text {name}", "--id", name)
    assert run("forget", "a") == "1 record forgotten\n"
    assert json.loads(run("forget", "b", "x", "--json")) == {"forgotten": ["b"], "missing": ["x"]}
    assert run("forget", "y", "z") == "0 records forgotten\nnot there: y, z\n"
    assert list(stored(memory)) == ["c"]


def test_records_are_forgotten_by_their_fields(run: Run, memory: Path) -> None:
    run("remember", "one", "--id", "a", "--topic", "tea", "--importance", "0.5")
    run("remember", "two", "--id", "b", "--topic", "tea")
    run("remember", "three", "--id", "c", "--topic", "rice")
    assert run("forget", "--where", "topic=tea", "--where", "importance=0.5", "--yes") == "1 record forgotten\n"
    assert run("forget", "--where", "topic=tea", "--where", "topic=rice", "--yes") == "2 records forgotten\n"
    assert "unknown field 'colour'" in run("forget", "--where", "colour=red", "--yes", code=1)
    assert stored(memory) == {}


def test_records_are_forgotten_by_their_source(run: Run, memory: Path) -> None:
    write(memory.parent, {"a.txt": "Tea.", "b.txt": "Rice."})
    run("import", "a.txt", "b.txt")
    assert run("forget", "--source", "a.txt", "--yes") == "1 record forgotten\n"
    assert list(stored(memory).values()) == ["Rice."]
    assert "nothing was imported from 'a.txt'" in run("forget", "--source", "a.txt", "--yes", code=1)


def test_what_lies_outside_the_boundary_is_not_forgotten(run: Run, memory: Path) -> None:
    run("remember", "one", "--id", "a", "--class", "secret", "--topic", "x")
    assert run("forget", "--where", "topic=x", "--yes") == "0 records forgotten\n"
    assert run("forget", "a", "--class", "secret") == "1 record forgotten\n"


def test_forgetting_by_field_asks_first(
    run: Run, memory: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("remember", "one", "--id", "a", "--topic", "x")
    before = memory.read_bytes()
    for answer in (b"n\n", b"\n", b""):
        typed_input(monkeypatch, answer, terminal=True)
        asked = run("forget", "--where", "topic=x", code=1)
        assert asked == "forget 1 record (a)? [y/N] byheart: nothing was forgotten\n"
        assert memory.read_bytes() == before
    typed_input(monkeypatch, b"y\n", terminal=True)
    assert main(["forget", "--where", "topic=x", "-m", str(memory)]) == 0
    assert capsys.readouterr().out == "1 record forgotten\n"
    assert stored(memory) == {}


@pytest.mark.parametrize(
    "arguments",
    [("forget",), ("forget", "a", "--where", "b=c"), ("forget", "--where", "b", "--yes"), ("forget", "--where", "b=c"),
     ("dance",), ("recall",), ("recall", "x", "-k", "two"), ("recall", "x", "--class", "open"), ("import",),
     ("remember", "x", "--act", "dance"), ("recall", "x", "--prof", "kb-fast")],
)  # fmt: skip
def test_wrong_usage_is_code_2(run: Run, memory: Path, arguments: tuple[str, ...], monkeypatch: Any) -> None:
    run("remember", "x", "--id", "a")
    typed_input(monkeypatch, b"")
    assert "usage: byheart" in run(*arguments, code=2)
    assert list(stored(memory)) == ["a"]


def test_every_command_on_a_memory_needs_its_file() -> None:
    for arguments in ("import x", "remember x", "recall x", "explain x y", "forget x", "stats"):
        with pytest.raises(SystemExit, match="2"):
            main(arguments.split())


# ---- stats, JSON, errors


def test_stats_count_by_tenant_and_cell(run: Run, memory: Path) -> None:
    run("remember", "one", "--id", "a")
    run("remember", "two", "--id", "b", "--class", "secret")
    run("remember", "three", "--id", "c", "--tenant", "t", "--scope", "s")
    assert run("stats").splitlines() == [
        f"{memory}: 3 records of 2 tenants",
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


def test_errors_are_one_line(run: Run, memory: Path) -> None:
    assert "there is no such memory" in run("recall", "x", code=1)
    assert not memory.exists()
    run("remember", "x", "--id", "a")
    for arguments in (("recall", "x", "-k", "0"), ("explain", "x", "no\nbody"), ("recall", "x", "--profile", "best")):
        message = run(*arguments, code=1)
        assert message.startswith("byheart: ")
        assert message.count("\n") == 1
    memory.write_text("notes of mine\n", encoding="utf-8")
    assert "line 1: not JSON" in run("remember", "x", code=1)
    assert memory.read_text(encoding="utf-8") == "notes of mine\n"


def test_an_error_of_the_system_names_the_file(run: Run, memory: Path) -> None:
    memory.mkdir()
    assert run("stats", code=1).startswith(f"byheart: {memory}: ")


def test_an_interrupt_is_code_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(byheart.Memory, "remember", interrupted)
    assert run("remember", "x", code=130) == "\n"


# ---- what a terminal shows


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Style(Screen()).bold("x") == "\x1b[1mx\x1b[0m"
    assert Style(io.StringIO()).bold("x") == "x"
    monkeypatch.setenv("TERM", "dumb")
    assert Style(Screen()).dim("x") == "x"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert Style(Screen()).dim("x") == "x"


def test_a_text_cannot_command_the_terminal(run: Run) -> None:
    evil = "\x1b[2J tea \x07\x9b1m"
    run("remember", evil, "--id", evil, "--topic", evil, "--tenant", "t\x9b")
    asked = ("tea", "--tenant", "t\x9b")
    for shown in (run("recall", *asked), run("recall", *asked, "--explain"), run("explain", "tea", evil, *asked[1:])):
        assert "claim:tea" in shown or shown.count("tea") == 3
        assert not [character for character in shown if not character.isprintable() and character != "\n"]
    assert "\x9b" not in run("stats")
    assert "\x9b" not in run("forget", "x\x9b")
    assert run("import", "x\x9b\ny", code=1) == "byheart: x y: is no file and no folder\n"
    assert clean("a\x1bb\nc") == "a b\nc"
    assert one_line("a\x1bb\n\nc") == "a b c"
    assert (counted(1, "hit"), counted(2, "hit")) == ("1 hit", "2 hits")


def test_progress_is_drawn_on_terminals_a_few_times_a_second() -> None:
    screen, times = Screen(), iter([0.0, 0.05, 0.2])
    with Progress("reading", 3, screen, lambda: next(times)) as bar:
        for name in ("a", "b", "c\x1b"):
            bar.step(name)
    drawn = screen.getvalue().split("\r\x1b[K")
    assert drawn == ["", "reading [########................] 1/3 a", "reading [########################] 3/3 c", ""]


def test_progress_is_silent_elsewhere() -> None:
    nothing = io.StringIO()
    with Progress("reading", 0, nothing) as bar:
        bar.step("a")
    assert nothing.getvalue() == ""


# ---- as users run it


def start(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "byheart", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_the_module_runs_as_a_command() -> None:
    done = start("--version")
    assert done.communicate() == (f"byheart {byheart.__version__}\n", "")
    assert done.returncode == 0


def test_output_that_cannot_hold_a_letter_shows_its_number(memory: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for arguments in (["remember", "für", "--id", "ü"], ["recall", "für"], ["recall", "für", "--json"]):
        done = start(*arguments, "-m", str(memory), env=environment)
        out, err = done.communicate()
        assert (done.returncode, err) == (0, "")
    assert json.loads(out)["hits"][0]["id"] == "ü"


@pytest.mark.skipif(os.name != "posix", reason="pipes and signals as POSIX has them")
@pytest.mark.parametrize("arguments", [("demo", "--quick"), ("demo",), ("--help",)])
def test_a_reader_that_leaves_is_no_matter_to_talk_about(arguments: tuple[str, ...]) -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = start(*arguments, env=buffered)
    assert done.stdout is not None
    assert done.stderr is not None
    done.stdout.close()
    assert (done.wait(timeout=60), done.stderr.read()) == (128 + signal.SIGPIPE, "")


# ---- the demo


def test_the_demo_shows_all_it_promises(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    shown = capsys.readouterr().out
    for title in (
        "Questions",
        "Why the first",
        "When words do not help",
        "How long it took",
        "Two tenants",
        "Your turn",
    ):
        assert f"\n{title}" in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert shown.count("\n  kb-fast: ") == shown.count("\n  kb-balanced: ") == 9
    assert "kb-fast: 0 hits\n  kb-balanced: 7 hits" in shown, "the misspelled query escalates"
    assert "the score is the same, to the last bit" in shown
    assert shown.count("The door code of the boat house is 4417.") == 1
    ben = [line for line in shown.splitlines() if " b1 " in line]
    assert len(ben) == 2 and len(set(ben)) == 1, "Ben's score does not know of Anna"


def test_the_demo_cuts_at_titles_and_says_nothing_twice() -> None:
    manual = {"a": "Tea\n***\n\nA drink.\n\nnot a title but a row\n===\nof a table", "b": "Drink\n*****\n\nA drink."}
    assert [(record.id, record.topic) for record in passages({**manual, "c": "No title."})] == [
        ("a-01", "Tea"),
        ("b-01", "Drink"),
        ("c-01", "c"),
    ]
    assert [record.text for record in passages({"a": "x\n\nA\n---\n\nx"})] == ["x"]


def test_the_demo_keeps_to_its_width() -> None:
    out = io.StringIO()
    demo._say(out, "x" * 100, "y" * 101)
    assert out.getvalue() == "x" * 100 + "\n" + "y" * 99 + "…\n"


def test_the_demo_is_the_same_but_for_times(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for _ in range(2):
        main(["demo", "--quick"])
        lines = capsys.readouterr().out.splitlines()
        shown.append([line for line in lines if " s." not in line and "microseconds" not in line])
    assert shown[0] == shown[1]
    assert len(shown[0]) > 40
