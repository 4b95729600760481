"""The rules of `.gitignore` against git itself: what `git ls-files` passes over, an import passes over."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart.ingestion.ignoring import FILE, Ignored, Rule

from ..counts import examples

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git to compare with")

NAMES = ["a", "é", "b", "ab", "a b", "c.md", "x]", "[y", "-", "#q", "!z", "a\\b"]
PIECES = ["a", "é", "[é]", "[!é]", "b", "c", ".md", "*", "?", "**", "/", "[ab]", "[!a]", "[^b]",
          "[a-c]", "[]x]", "\\a", "\\*", "\\ ", " ", "!", "#", "[", "]", "\\", "-", "[-a]",
          "[a\\]]", "[[:alpha:]]", "[[:no:]]", "[c-a]", "x"]  # fmt: skip
RULES = st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join), min_size=1, max_size=5)
PATHS = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join), min_size=1, max_size=12)


def ours(root: Path) -> set[str]:
    rules, kept = Ignored(root), set()

    def walk(folder: Path) -> None:
        for each in folder.iterdir():
            if each.name == ".git" or rules.passes_over(each, folder=each.is_dir()):
                continue
            if each.is_dir():
                walk(each)
            else:
                kept.add(each.relative_to(root).as_posix())

    walk(root)
    return kept


def theirs(root: Path) -> set[str]:
    asked = ["git", "-c", "core.excludesFile=/dev/null", "ls-files", "-z", "--others", "--exclude-standard"]
    done = subprocess.run(asked, cwd=root, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split("\0") if name}


@example(["a/b", "a/c.md"], [(0, ["a/**", "!a/b"])])
@example(["a/b/c.md", "b/c.md", "c.md"], [(0, ["/a/**/c.md", "!a/b", "[[:alpha:]].md"])])
@settings(max_examples=examples(250), deadline=None)
@given(PATHS, st.lists(st.tuples(st.integers(0, 4), RULES), min_size=1, max_size=2))
def test_what_git_passes_over_is_passed_over(paths: list[str], rules: list[tuple[int, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        for path in paths:
            place = root / path
            if not any(above.is_file() for above in (place, *place.parents)) and not place.is_dir():
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text("x")
        folders = [root, *sorted(each for each in root.rglob("*") if each.is_dir() and ".git" not in each.parts)]
        for number, lines in rules:
            (folders[number % len(folders)] / FILE).write_text("\n".join(lines) + "\n")
        assert ours(root) == theirs(root)


def test_a_rule_takes_no_longer_for_a_long_name() -> None:
    rule = Rule.parse("*a" * 40 + "b")
    assert rule is not None and not rule.fits("a" * 5_000, folder=False)
    deep = Rule.parse("**/a/" * 20 + "b")
    assert deep is not None and not deep.fits("a/" * 200 + "c", folder=False)
