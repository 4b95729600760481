"""What is said of mutants fits the tree: code that moves takes its excuses along, and the page has a score."""

import ast
import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def excused(root: Path) -> list[dict[str, Any]]:
    """Return the mutants that are named as equivalent."""
    page = root / "tests" / "mutation" / "equivalent.toml"
    listed: list[dict[str, Any]] = tomllib.loads(page.read_text(encoding="utf-8"))["mutant"]
    assert listed, "the list is empty"
    return listed


def test_the_line_of_an_excuse_stands_in_its_file(root: Path, excused: list[dict[str, Any]]) -> None:
    wrong = []
    for entry in excused:
        lines = {line.strip() for line in (root / entry["file"]).read_text(encoding="utf-8").splitlines()}
        if entry["before"] not in lines or entry["after"] in lines:
            wrong.append(f"{entry['file']}: {entry['before']}")
    assert not wrong


def test_every_excuse_has_a_reason_and_stands_once(excused: list[dict[str, Any]]) -> None:
    assert not [entry["before"] for entry in excused if len(entry["why"]) < 20 or entry["before"] == entry["after"]]
    assert len({(entry["file"], entry["before"], entry["after"]) for entry in excused}) == len(excused)


def test_the_page_has_a_score_of_both(root: Path) -> None:
    text = (root / "tests" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| \d{4}-\d\d-\d\d, \w+ \| (\w+) \| \d+ \| \d+ \| \d+ \| \d+ \| \d+ \| [\d.]+% \|$", text, re.M
    )

    assert set(rows) == {"package", "core"}
    assert all(f"<!-- {mark} -->" in text and f"<!-- /{mark} -->" in text for mark in ("scores", "package", "core"))


def test_what_keeps_its_answers_is_reached_by_whoever_asks_for_them(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [str(root / "tests" / "mutation"), *sys.path])
    statement = import_module("lines").statement
    kept = "A = 1\n@cache\ndef forms():\n    return A\n"
    module = ast.parse(f"{kept}def one():\n    return forms()\ndef two():\n    x = 3\n")
    assert [sorted(statement(module, line)) for line in (1, 4, 6, 8)] == [[4], [4, 6], [6], [8]]


def test_the_last_score_of_each_kind_stays_on_the_page(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(root / "tests" / "mutation"), *sys.path])
    scoring = import_module("scoring")
    core, package = ["| a | core | 1 |", "| b | core | 2 |"], [f"| {at} | package | {at} |" for at in range(20)]
    assert scoring.latest([*core, *package]) == [core[1], *package[-scoring.KEPT :]]
    assert scoring.latest([*core, *package[:3]]) == [*core, *package[:3]]
    assert scoring.latest([*package[:3], *core * 9]) == [package[2], *(core * 9)[-scoring.KEPT :]]
