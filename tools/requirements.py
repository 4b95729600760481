"""Prints what `make` installs into `.venv`: the package's own dependencies and the group `dev`, one a line.

With a name of another group: that group alone, for an environment of its own.

Read from `pyproject.toml` here, since `pip install --group` needs a newer pip than many systems ship.
"""

import sys
import tomllib
from pathlib import Path


def requirements(pyproject: Path, group: str | None = None) -> list[str]:
    """Return the requirement strings, in the file's order."""
    document = tomllib.loads(pyproject.read_text(encoding="utf-8"))
    if group:
        return list(document["dependency-groups"][group])
    return [*document["project"]["dependencies"], *document["dependency-groups"]["dev"]]


if __name__ == "__main__":
    asked = requirements(Path(__file__).resolve().parent.parent / "pyproject.toml", *sys.argv[1:2])
    sys.stdout.write("\n".join(asked) + "\n")
