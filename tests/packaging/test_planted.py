"""The list of planted bugs fits the tree: code that moves takes its bugs along."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def bugs(root: Path) -> list[dict[str, Any]]:
    """Return the entries of the list."""
    listed: list[dict[str, Any]] = tomllib.loads((root / "tests/planted/bugs.toml").read_text(encoding="utf-8"))["bug"]
    assert len(listed) >= 57, "the list has lost entries"
    return listed


def test_the_text_to_replace_stands_once_in_its_file(root: Path, bugs: list[dict[str, Any]]) -> None:
    wrong = []
    for bug in bugs:
        path = root / bug["file"]
        found = path.read_text(encoding="utf-8").count(bug["old"]) if path.is_file() else "no file,"
        if found != 1:
            wrong.append(f"{bug['name']}: {found} times in {bug['file']}")
    assert not wrong


def test_every_bug_changes_something_and_has_a_name_of_its_own(bugs: list[dict[str, Any]]) -> None:
    assert not [bug["name"] for bug in bugs if bug["old"] == bug["new"] or not bug["why"]]
    assert len({bug["name"] for bug in bugs}) == len(bugs)


def test_the_tests_that_ought_to_notice_are_there(root: Path, bugs: list[dict[str, Any]]) -> None:
    named = {suite for bug in bugs for suite in bug.get("suites", ())}
    assert len(named) >= 10, "the bugs of the newer rooms name their tests"
    assert not [suite for suite in sorted(named) if not (root / "tests" / suite).exists()]


def test_the_score_speaks_of_these_bugs(root: Path, bugs: list[dict[str, Any]]) -> None:
    text = (root / "tests/planted/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \| `(\S+)` \|", text, re.MULTILINE)
    assert rows == [(bug["name"], bug["file"]) for bug in bugs]
