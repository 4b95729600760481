"""The programs in `examples/` run as a reader would run them: each alone, in a folder of its own."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import byheart

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = sorted((ROOT / "examples").glob("*.py"))
PACKAGE = Path(byheart.__file__).parents[1]


def test_there_are_programs_and_the_list_names_them() -> None:
    listed = (ROOT / "examples" / "README.md").read_text(encoding="utf-8")

    assert len(PROGRAMS) >= 5
    assert not [program.name for program in PROGRAMS if f"]({program.name})" not in listed]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_program(program: Path, tmp_path: Path) -> None:
    """It ends well, says something, and checks what it shows."""
    environment = os.environ | {"PYTHONPATH": str(PACKAGE)}
    done = subprocess.run(
        [sys.executable, str(program)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout and not done.stderr
    assert any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))))
    assert not list(program.parent.glob("*.db")), "it leaves files beside itself"
