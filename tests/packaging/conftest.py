"""What the packaging tests share: where the checkout is and which files belong to it."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_OURS = {".git", ".venv", "target", "dist", "__pycache__"}


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the top folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def committed_files(root: Path) -> list[Path]:
    """Return the files that belong to the project: git's list, or all there are in an unpacked source archive."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        files = [root / name for name in listed.stdout.decode().split("\0") if name]
    else:
        files = [path for path in root.rglob("*") if not NOT_OURS & set(path.relative_to(root).parts)]
    return [path for path in files if path.is_file()]
