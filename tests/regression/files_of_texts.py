"""Memory files of a few texts, each under its own text as id, for tests of what lies beside them."""

from __future__ import annotations

from pathlib import Path

from byheart import Memory


def remember(path: Path, *texts: str) -> None:
    with Memory(path, noise=None) as memory:
        for text in texts or ("tea",):
            memory.remember(text, id=text)


def held(path: Path) -> list[str | None]:
    with Memory(path, noise=None) as memory:
        return [record.id for record in memory.records()]
