"""What type checkers see: `tests/typing` holds calls, and beside each wrong one the error that it has to give."""

import os
import re
import subprocess
import sys
from pathlib import Path

EXPECTED = re.compile(r"#\s*E: ([a-z-]+)")
FOUND = re.compile(r"^(.*\.py):(\d+): error: .*\[([a-z-]+)\]$")


def test_wrong_calls_are_found_and_right_ones_are_not(root: Path) -> None:
    files = sorted((root / "tests" / "typing").glob("*.py"))
    expected = {
        (file.name, number, said[1])
        for file in files
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if (said := EXPECTED.search(line))
    }
    assert files and len(expected) >= 6, "nothing to look at"
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(root / "pyproject.toml")]
    own = {**os.environ, "MYPYPATH": str(root / "python")}
    done = subprocess.run([*command, *map(str, files)], capture_output=True, text=True, cwd=root, env=own, check=False)
    found = {
        (Path(said[1]).name, int(said[2]), said[3]) for line in done.stdout.splitlines() if (said := FOUND.match(line))
    }
    assert found == expected, done.stdout + done.stderr
