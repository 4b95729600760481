"""What users read says what it means: no number of a rule, and no word that only the authors know.

Comments may cite rules by their labels (docs/sources.md); docstrings, help texts, error messages and pages may not.
"""

import argparse
import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from byheart import _core
from byheart.cli.parser import build_parser

INSIDE = re.compile(r"\bseeds?\b['’]?s?\s*0\d\d|\bthe\s+seeds?\b|\b[AB][123]\.\d|\bD-\d|\bspec\b|\bdecision \d")
PACKAGE = Path(__file__).resolve().parents[2] / "python" / "byheart"
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
FIRST_WORDS = {"What", "Who", "Whose", "Whoever", "How", "Where", "When", "Why", "Which", "From", "Such"}


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield every docstring of a module, those of its constants included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def messages(tree: ast.Module) -> Iterator[str]:
    """Yield the texts of every error that a module raises."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def helps(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the help of a command and of those below it."""
    yield parser.format_help()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from helps(below)


def test_the_scan_sees_what_it_looks_for() -> None:
    wrong = (
        "as seed 003 says",
        "(seed\n  003's)",
        "the seed's own",
        "see A1.5.13",
        "(spec B1.44)",
        "by D-11",
        "decision 22",
    )
    for said in wrong:
        assert INSIDE.search(said), said
    for said in ("seed: another seed gives other vectors", "a seeded hash", "specific", "A1 paper", "UD-2"):
        assert not INSIDE.search(said), said


def test_pages_and_help() -> None:
    root = Path(__file__).resolve().parents[2]
    pages = [
        *(root / f"{name}.md" for name in ("README", "CHANGELOG", "ARCHITECTURE")),
        *(root / "docs" / "guides").glob("*.md"),
        *(root / "examples").iterdir(),
    ]
    texts = {path.name: path.read_text(encoding="utf-8") for path in pages if path.is_file()}
    texts |= {f"help {number}": text for number, text in enumerate(helps(build_parser()))}

    assert len(texts) >= 20, "the scan found too few texts"
    assert not [(name, found[0]) for name, text in texts.items() for found in INSIDE.finditer(text)]


def check_docstrings_and_errors(paths: Iterable[Path]) -> None:
    """Hold the docstrings, errors and first lines of modules to the words that users know."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    said = [(path.name, text) for path, tree in trees.items() for text in (*docstrings(tree), *messages(tree))]

    assert said, "the scan found no text"
    assert not [(name, found[0]) for name, text in said for found in INSIDE.finditer(text)]
    first = [(path.name, (ast.get_docstring(tree) or "").split(" ", 1)[0]) for path, tree in trees.items()]
    assert not [(name, word) for name, word in first if word in FIRST_WORDS]


@pytest.mark.parametrize("room", ROOMS)
def test_docstrings_and_errors(room: str) -> None:
    check_docstrings_and_errors((PACKAGE / room).rglob("*.py"))


def test_docstrings_and_errors_at_the_root() -> None:
    assert len(ROOMS) >= 18, "the scan found too few rooms"
    check_docstrings_and_errors(PACKAGE.glob("*.py"))


def test_docstrings_of_the_core() -> None:
    ours = [thing for name, thing in vars(_core).items() if not name.startswith("__")]
    classes = [thing for thing in ours if isinstance(thing, type)]
    things = [*ours, *(member for kind in classes for member in vars(kind).values())]
    said = [text for thing in things if isinstance(text := getattr(thing, "__doc__", None), str)]

    assert len(said) >= 200, "the scan found too few texts"
    assert not [(found[0], text) for text in said for found in INSIDE.finditer(text)]


def test_errors_of_the_whole_package(root: Path) -> None:
    trees = [(path.name, ast.parse(path.read_text(encoding="utf-8"))) for path in (root / "python").rglob("*.py")]
    said = [(name, text) for name, tree in trees for text in messages(tree)]

    assert len(said) >= 200, "the scan found too few texts"
    assert not [(name, text) for name, text in said if INSIDE.search(text)]
