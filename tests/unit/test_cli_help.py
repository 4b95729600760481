"""The help of every command, and the options that must not lag behind what they stand for."""

import argparse
import ast
import json
import re
import shlex
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from pathlib import Path

import pytest

from byheart.cli import asking
from byheart.cli.fields import CELL, FIXED, UNKEPT
from byheart.cli.parser import build_parser
from byheart.memory.options import RecallOptions
from byheart.memory.settings import RECALL
from byheart.records import Record

from .conftest import Run

WHOLE_FILE = {"backup", "import", "replay", "check", "rebuild", "doctor"}
"""Commands on a memory that are of a whole file, of a cell, or of the boundary that a receipt names."""
EXPECTED = {
    "demo", "import", "remember", "update", "forget", "purge", "recall", "context", "explain", "replay", "list", "get",
    "show", "history", "sessions", "users", "compact", "expand", "stats", "check", "rebuild", "export", "backup",
    "embed", "doctor", "models", "models assemble",
    "eval", "eval activation", "eval convert", "eval router", "eval report", "eval compare", "bench", "mcp",
    "mcp config", "completion",
}  # fmt: skip


def commands(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every command with its parser, those below others too."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            aliases = {id(below): own for own, below in reversed(list(action.choices.items()))}
            for below in dict.fromkeys(action.choices.values()):
                own = f"{name} {aliases[id(below)]}".strip()
                yield own, below
                yield from commands(below, own)


COMMANDS = dict(commands(build_parser()))


def dests(name: str) -> set[str]:
    return {action.dest for action in COMMANDS[name]._actions}


def test_the_commands_are_those_that_are_promised() -> None:
    assert COMMANDS.keys() >= EXPECTED


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_examples_that_can_be_typed_and_says_its_codes(name: str) -> None:
    told = COMMANDS[name].format_help()
    assert re.search(r"exit codes: 0 done; 1 \S+ \S+.*; 2 ", " ".join(told.split())) and "130" in told
    assert "1 None" not in told
    examples = [line.strip() for line in told.split("\nexamples:\n")[1].split("\n\n")[0].splitlines()]
    assert examples
    for example in examples:
        program, *words = shlex.split(example.split(" < ")[0].split(" > ")[0])
        args = build_parser().parse_args(words)
        assert program == "byheart" and (args.command == name.split()[0] or name in ("models", "eval", "mcp"))
    for action in COMMANDS[name]._actions:
        assert action.help or isinstance(action, argparse._SubParsersAction), f"{name}: {action.dest} has no help"


def test_every_argument_is_read_under_the_name_that_it_is_kept_under() -> None:
    """What is typed and read nowhere is passed over without a word; what is read and not kept ends in a traceback."""
    named = {spec.name for spec in fields(Record)} | {*asking.OPTIONS, "relations", "single_valued"}  # read as a whole
    read: set[str] = set()
    for path in Path(asking.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Attribute(value=ast.Name(id="args"), attr=name):
                    read.add(name)
                case ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="args"), ast.Constant(value=name), *_]):
                    read.add(name)
    kept = {dest for name in COMMANDS for dest in dests(name)}
    assert len(read) > 110 and len(kept) > 170
    assert kept - read - named == {"help", "eval", "mcp", "models"}, "the last three choose what runs"
    of_commands = {
        "command",
        "configuration",
        "needs_memory",
        "opening",
        "parser",
        "run",
        "said_in",
    }  # which nobody types
    assert read - kept == of_commands


def test_every_field_of_a_record_is_an_option() -> None:
    for spec in (spec for spec in fields(Record) if spec.name not in UNKEPT):
        assert spec.name in dests("remember"), spec.name
        if spec.name not in (*FIXED, *CELL):
            assert spec.name in dests("update"), spec.name
    assert {"to_scope", "to_class"} <= dests("update") and len(dests("remember")) >= 45


def test_every_option_of_a_recall_is_an_option_of_the_commands_that_ask() -> None:
    told = set(RecallOptions.__annotations__) - {"boundary", "since", "until", "where", "now", "as_of", "vector"}
    assert told == set(asking.OPTIONS)
    for name in ("recall", "context", "explain"):
        options = {
            *told,
            "k",
            "profile",
            "set",
            "since",
            "until",
            "where",
            "now",
            "as_of",
            "vector",
            "tenant",
            "scopes",
        }
        assert options <= dests(name)
    assert set(RECALL) == {*RecallOptions.__annotations__, "k", "profile", "adaptive"} - {"now", "vector"}


def test_every_command_on_a_memory_has_a_boundary_or_says_that_it_is_of_the_whole() -> None:
    on_memory = {name for name in COMMANDS if "memory" in dests(name) and name not in ("mcp", "mcp config")}
    assert len(on_memory) >= 18
    for name in on_memory - WHOLE_FILE - {"remember"}:
        assert {"tenant", "scopes", "classes"} <= dests(name), name
    for name in ("remember", "import"):
        assert {"tenant", "scope", "boundary_class"} <= dests(name), name
    for name in WHOLE_FILE - {"import", "replay"}:
        assert "whole file" in COMMANDS[name].format_help(), name
    assert "The boundary is the receipt's" in " ".join(COMMANDS["replay"].format_help().split())
    assert all("json" in dests(name) for name in on_memory)


def test_no_help_is_wider_than_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name, parser in COMMANDS.items():
        below = parser.epilog or ""
        assert max(map(len, re.sub(r"(?m)^  byheart .*$", "", below).splitlines())) <= 120, name


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_below_the_options_is_shorter_than_its_sentence_lets_it_be(name: str) -> None:
    told = (COMMANDS[name].epilog or "").split("examples:")[0].strip().splitlines()
    for line, after in pairwise(told):
        ragged = after and line[-1:] not in ".:" and len(line) + 1 + len(after.split()[0]) <= 100
        assert not ragged, line


def test_the_help_of_forget_says_which_classes_a_filter_reaches(run: Run, memory_file: Path) -> None:
    told = " ".join(COMMANDS["forget"].format_help().split())
    assert "(default: public, internal; with a filter by user_id: every class)" in told
    assert "user_id" not in COMMANDS["recall"].format_help().split("--class")[1]
    for name, kind in (("a", "public"), ("b", "secret"), ("c", "pii")):
        run("remember", f"text {name}", "--id", name, "--user", "u1", "--class", kind, "--session", "s")
    assert json.loads(run("forget", "--where", "session_id=s", "--dry-run", "--json"))["forgotten"] == ["a"]
    narrowed = ("forget", "--where", "user_id=u1", "--class", "pii", "--dry-run", "--json")
    assert json.loads(run(*narrowed))["forgotten"] == ["c"]
    assert json.loads(run("forget", "--where", "user_id=u1", "--yes", "--json"))["forgotten"] == ["a", "b", "c"]


def test_examples_of_a_command_are_of_that_command() -> None:
    seen = 0
    for name, parser in commands(build_parser()):
        said = [line.strip() for line in (parser.epilog or "").splitlines() if line.strip().startswith("byheart ")]
        seen += len(said)
        assert all(line.startswith(f"byheart {name}") for line in said if name), name
    assert seen > 30
