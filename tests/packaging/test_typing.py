"""What type checkers see: `tests/typing` holds calls, and beside each wrong one the error that mypy has to give.

Pyright has to give one in the same lines, in its strict mode, and none elsewhere: so nothing is of an unknown type. The
programs of README.md and of the guides are checked by both, less strictly, as a reader would type them.
"""

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import byheart
from byheart.errors import InvalidArgument

EXPECTED = re.compile(r"#\s*E: ([a-z-]+)")
FOUND = re.compile(r"^(.*\.py):(\d+): error: .*\[([a-z-]+)\]$")
OPTIONAL = ("reportOptionalSubscript", "reportOptionalMemberAccess", "reportOptionalOperand")
"""What a reader sees: that there is an explanation, since the line before asked for it."""
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def expected(root: Path) -> set[tuple[str, int, str]]:
    """Return file, line and code of each mark."""
    return {
        (file.name, number, said[1])
        for file in files_of(root)
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if (said := EXPECTED.search(line))
    }


def files_of(root: Path) -> list[Path]:
    return sorted((root / "tests" / "typing").glob("*.py"))


def by_mypy(root: Path, files: Iterable[Path], config: Path) -> tuple[set[tuple[str, int, str]], str]:
    """Return file, line and code of each error, and all that was said."""
    command = [sys.executable, "-m", "mypy", "--config-file", str(config)]
    own = {**os.environ, "MYPYPATH": str(root / "python")}
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, cwd=root, env=own, check=False)
    assert "checked" in done.stdout or "no issues found" in done.stdout, done.stdout + done.stderr
    said = (FOUND.match(line) for line in done.stdout.splitlines())
    return {(Path(each[1]).name, int(each[2]), each[3]) for each in said if each}, done.stdout + done.stderr


def by_pyright(
    root: Path, files: Iterable[Path], folder: Path, mode: str, **rules: bool
) -> tuple[set[tuple[str, int]], str]:
    """Return file and line of each error, and all that was said."""
    config: dict[str, Any] = {
        **rules, "typeCheckingMode": mode, "include": list(map(str, files)), "extraPaths": [str(root / "python")],
        "pythonVersion": "3.11",
    }  # fmt: skip
    (folder / "pyrightconfig.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "basedpyright", "-p", str(folder), "--outputjson"]
    command += ["--pythonpath", sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = json.loads(done.stdout)
    assert said["summary"]["filesAnalyzed"] >= len(config["include"]), done.stdout
    errors = [each for each in said["generalDiagnostics"] if each["severity"] == "error"]
    places = [(Path(each["file"]).name, each["range"]["start"]["line"] + 1) for each in errors]
    told = [f"{name}:{line}: {each['message']}" for (name, line), each in zip(places, errors, strict=True)]
    return set(places), "\n".join(told)


def test_filters_that_are_right_to_a_type_checker_are_right(root: Path) -> None:
    calls = runpy.run_path(str(root / "tests" / "typing" / "filters.py"))
    with byheart.Memory() as memory:
        calls["right"](memory)
        with pytest.raises(InvalidArgument):
            calls["wrong"](memory)


def test_mypy_finds_wrong_calls_and_no_others(root: Path, expected: set[tuple[str, int, str]]) -> None:
    assert len(expected) >= 40, "nothing to look at"
    found, said = by_mypy(root, files_of(root), root / "pyproject.toml")
    assert found == expected, said


def test_pyright_finds_wrong_calls_and_no_others(
    root: Path, expected: set[tuple[str, int, str]], tmp_path: Path
) -> None:
    pytest.importorskip("basedpyright")
    found, said = by_pyright(root, files_of(root), tmp_path, "strict")
    assert found == {(name, line) for name, line, _ in expected}, said


def test_programs_of_the_pages_have_no_wrong_types(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("basedpyright")
    pages = [root / "README.md", *sorted((root / "docs" / "guides").glob("*.md"))]
    programs = []
    for page in pages:
        blocks = [match["code"] for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]
        if blocks:
            programs.append(tmp_path / f"{page.stem.lower()}_page.py")
            programs[-1].write_text("\n".join(blocks), encoding="utf-8")
    assert len(programs) >= 10, "no pages"
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\ncheck_untyped_defs = True\nstrict_optional = False\n")
    found, said = by_mypy(root, programs, config)
    assert not found, said
    also, more = by_pyright(root, programs, tmp_path, "standard", **dict.fromkeys(OPTIONAL, False))
    assert not also, more
