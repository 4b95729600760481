"""What a store brings with it: packages, by the names that each asks for in turn, and the bytes of their files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = 1e6


def _asked(name: str) -> list[str]:
    """Return the requirements of a package; byheart is not installed here but lies on the path."""
    if name == "byheart":
        return list(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"])
    return metadata.requires(name) or []


def closure(names: Iterable[str]) -> set[str]:
    """Return the packages that are installed for these, they themselves among them."""
    found: set[tuple[str, str]] = set()
    waiting = [(canonicalize_name(name), "") for name in names]
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in found:
            continue
        found.add((name, extra))
        for requirement in map(Requirement, _asked(name)):
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                waiting += [(canonicalize_name(requirement.name), each) for each in ("", *requirement.extras)]
    return {name for name, _ in found}


def megabytes(names: Iterable[str]) -> float:
    """Return what the files of packages take, without compiled copies of Python files."""
    total = 0
    for name in names:
        if name == "byheart":
            files: Iterable[Path] = (ROOT / "python" / "byheart").rglob("*")
        else:
            files = (Path(str(file.locate())) for file in metadata.files(name) or ())
        total += sum(path.stat().st_size for path in files if path.suffix != ".pyc" and path.is_file())
    return total / MEGABYTE


def version(name: str) -> str:
    """Return the version of an installed package."""
    return metadata.version(name)
