"""The command line as users see it: colours, control characters, progress, processes and pipes, the demo."""

import io
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.cli import demo, main
from byheart.cli.demo import passages
from byheart.cli.progress import Progress
from byheart.cli.render import Style, clean, counted, one_line, shown_id

from .conftest import Run

# ---- what a terminal shows

STRANGE = ("a\nb", "a  b", " a", "it's\\\t1", "\x1b[31m", "a\u202eb", "$'a'", "\U000e0001", "a\x85")
"""Ids that cannot be shown as they are."""


@pytest.mark.parametrize("id", [*STRANGE, "plain", "a b", "über-1", "src-1::chunk-000", "a'b", "a\\b", "日本"])
def test_an_id_is_shown_so_that_it_can_be_given_back(id: str) -> None:
    shown = shown_id(id)
    assert shown.isprintable() and (shown == id) == (id not in STRANGE)
    if id in STRANGE:
        typed = ["bash", "-c", f"printf %s {shown} | od -An -tx1"]
        own = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(typed, capture_output=True, text=True, check=True, env=own)
        assert bytes.fromhex(done.stdout.replace("\n", " ")).decode() == id


def test_the_commands_show_ids_so(run: Run) -> None:
    assert run("remember", "The kettle leaks.", "--id", "a\nb") == "$'a\\nb'\n"
    for command in (("list",), ("recall", "kettle"), ("update", "a\nb", "--topic", "tea")):
        said = run(*command)
        assert "$'a\\nb'" in said and "a b" not in said, command
    assert "leaks" in run("get", "a\nb")
    assert "not there: $'c\\nd'" in run("forget", "a\nb", "c\nd")


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
        assert "all:tea" in shown or shown.count("tea") == 3
        assert not [character for character in shown if not character.isprintable() and character != "\n"]
    assert "\x9b" not in run("stats")
    assert "\x9b" not in run("forget", "x\x9b", code=1)
    assert run("import", "x\x9b\ny", code=2) == "byheart: x y: is no file and no folder\n"
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


def test_output_that_cannot_hold_a_letter_shows_its_number(memory_file: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for arguments in (["remember", "für dich", "--id", "ü"], ["recall", "für"], ["recall", "für", "--json"]):
        done = start(*arguments, "-m", str(memory_file), env=environment)
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


def test_output_is_utf8_whatever_the_locale_says(tmp_path: Path) -> None:
    memory = str(tmp_path / "m.db")
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONIOENCODING", "LC_ALL", "LANG")}
    environment = {**bare, "LC_ALL": "en_US.ISO-8859-1", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with byheart.Memory(memory) as opened:
        opened.remember("tea für お茶 🎉", id="x")
    for arguments in (
        ["get", "x"],
        ["get", "x", "--raw"],
        ["list"],
        ["show", "x"],
        ["recall", "tea"],
        ["list", "--json"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "byheart", *arguments, "-m", memory],
            capture_output=True,
            env=environment,
            check=True,
        )
        assert "für お茶 🎉".encode() in done.stdout, arguments


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a memory file of which every command says more than a pipe holds; it is only read."""
    path = tmp_path_factory.mktemp("large") / "m.db"
    with byheart.Memory(path) as memory:
        memory.remember_many([{"id": "x", "text": "tea " * 100_000}, *(f"tea {n} " * 50 for n in range(2_000))])
    return path


@pytest.mark.skipif(os.name != "posix", reason="pipes and signals as POSIX has them")
@pytest.mark.parametrize(
    "command", ["get x", "get x --raw", "list", "show x", "recall tea --json", "context tea --budget 9e6"]
)
def test_every_command_is_quiet_when_its_reader_leaves(large: Path, command: str) -> None:
    done = start(*command.split(), "-m", str(large))
    assert done.stdout is not None and done.stderr is not None
    done.stdout.close()
    assert (done.wait(timeout=120), done.stderr.read()) == (128 + signal.SIGPIPE, "")


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_an_interrupt_is_quiet_and_leaves_the_file_whole(tmp_path: Path) -> None:
    (tmp_path / "n").mkdir()
    for number in range(30):
        (tmp_path / "n" / f"{number}.txt").write_text(f"Fact {number} of many. " * 3_000)
    file = tmp_path / "m.db"
    with byheart.Memory(file) as memory:
        memory.remember("kept", id="kept")
    (tmp_path / "m.db.byheart-lock").unlink()
    done = start("import", "--sync", str(tmp_path / "n"), "-m", str(file))
    assert done.stdout is not None and done.stderr is not None
    while not (tmp_path / "m.db.byheart-lock").exists():
        pass
    done.send_signal(signal.SIGINT)
    code, said = done.wait(timeout=120), done.stderr.read()
    assert code == 130
    assert said.startswith("\nbyheart: interrupted; an import is written whole or not at all")
    with byheart.Memory(file) as memory:
        assert memory.get("kept").text == "kept" and memory.check() == []
        sources = {record.provenance.get("source_name") for record in memory.records()} - {None}
        assert len(sources) in (0, 30)


def test_no_command_shows_what_a_terminal_obeys(run: Run, memory_file: Path) -> None:
    evil = "tea \x1b[2J\x07\x9b1m\u202e\x7f"
    fields = ("--topic", evil, "--kind", evil, "--entities", evil, "--speaker", evil, "--session", evil)
    run("remember", evil, "--id", evil, *fields, "--metadata", f"{evil}={evil}")
    run("remember", evil + " again", "--id", "b" + evil, *fields)
    commands: list[tuple[str, ...]] = [
        ("get", evil), ("show", evil), ("list",), ("recall", "tea"), ("context", "tea", "--budget", "100"),
        ("explain", "tea", evil), ("stats",), ("forget", "--where", "topic=tea", "--yes"), ("check",), ("purge",),
        ("compact", "--session", evil, "--force"), ("forget", evil),
    ]  # fmt: skip
    for command in commands:
        for more in ((), ("--json",)):
            shown = run(*command, *more, code=1 if command[:2] == ("forget", "--where") or command + more == (
                "forget", evil, "--json") else 0)  # fmt: skip
            assert not [each for each in shown if not each.isprintable() and each not in "\n\t"], command


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
    assert shown.count("\n  kb-fast: ") == shown.count("\n  auto: ") == 9
    assert "kb-fast: 0 hits\n  auto: 10 hits" in shown, "pieces of words find what is misspelled"
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
    assert len(shown[0]) == 100, "a line less, or one more, is meant"


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed by their numbers")
@pytest.mark.parametrize(
    ("arguments", "closed", "code"),
    [
        (("remember", "A note about bees", "--id", "bees"), 1, 0),
        (("list",), 1, 0),
        (("get", "tea"), 1, 0),
        (("recall", "tea", "--json"), 1, 0),
        (("recall", "tea"), 2, 0),
        (("remember", "-"), 0, 2),
        (("forget", "--where", "topic=x"), 0, 2),
    ],
)
def test_a_closed_stream_ends_in_no_traceback(
    tmp_path: Path, arguments: tuple[str, ...], closed: int, code: int
) -> None:
    path = tmp_path / "m.db"
    with byheart.Memory(path) as memory:
        memory.remember("tea is at four", id="tea")
    words = " ".join(shlex.quote(each) for each in (sys.executable, "-m", "byheart", *arguments, "-m", str(path)))
    ended = subprocess.run(
        ["sh", "-c", f"{words} {closed}>&-"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, "Traceback" in ended.stderr) == (code, False), ended.stderr
    with byheart.Memory(path) as memory:
        assert memory.check() == [] and ("bees" in memory) is (arguments[0] == "remember" and closed == 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_output_is_told_from_a_full_memory(tmp_path: Path) -> None:
    with byheart.Memory(tmp_path / "m.db") as memory:
        memory.remember("tea is at four", id="tea")
    for words in (["list", "-m", str(tmp_path / "m.db")], ["--version"], ["recall", "--help"]):
        with Path("/dev/full").open("w") as full:
            ended = subprocess.run(
                [sys.executable, "-m", "byheart", *words],
                stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},  # else what argparse passes over is noticed at the end
            )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (2, "byheart: standard output: No space left on device\n"), words


@pytest.mark.parametrize("gone", ["stdout", "stderr"])
def test_a_reader_that_has_gone_is_told_by_the_code_alone(tmp_path: Path, gone: str) -> None:
    file = tmp_path / "me.db"
    with byheart.Memory(file) as memory:
        memory.remember("Tea.")
    for words, code in ((["list", "-m", file], 141), (["export", "-", "-m", file], 141), (["list", "-m", "no.db"], 2)):
        reading, writing = os.pipe()
        os.close(reading)
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, gone: writing}
        done = subprocess.run([sys.executable, "-m", "byheart", *map(str, words)], cwd=tmp_path, **streams, check=False)
        os.close(writing)
        expected = code if gone == "stdout" or code == 2 else 0
        assert (done.returncode, b"Traceback" in (done.stderr or b"")) == (expected, False), words
