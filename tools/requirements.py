"""Prints what `make` installs into `.venv`: the package's own dependencies and the group `dev`, one a line.

Read from `pyproject.toml` here, since `pip install --group` needs a newer pip than many systems ship.
"""

import sys
import tomllib
from pathlib import Path


def requirements(pyproject: Path) -> list[str]:
    """Return the requirement strings, in the file's order."""
    document = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    return [*document["project"]["dependencies"], *document["dependency-groups"]["dev"]]


if __name__ == "__main__":
    sys.stdout.write("\n".join(requirements(Path(__file__).resolve().parent.parent / "pyproject.toml")) + "\n")
