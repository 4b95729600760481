"""A memory file of two tenants in which one record cannot be read, as the tests of damage to one record want it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from byheart import Memory

MINE = {"tenant": "a"}
THEIRS = {"tenant": "b", "classes": ["secret"]}
SECRET = "their secret payroll words"
KINDS = ("sqlite", "sqlite with saved indexes", "jsonl")
Break = Callable[[bytes], bytes]


def memory_name(kind: str) -> str:
    return "memory.jsonl" if kind == "jsonl" else "memory.db"


def flipped(mark: bytes, at: int, bit: int) -> Break:
    """Flip a bit so many bytes behind the beginning of a mark, which occurs once."""

    def flip(data: bytes) -> bytes:
        assert data.count(mark) == 1
        place = data.index(mark) + at
        return data[:place] + bytes([data[place] ^ 1 << bit]) + data[place + 1 :]

    return flip


def filled(folder: Path, kind: str) -> Path:
    path = folder / memory_name(kind)
    with Memory(path, noise=None) as memory:
        memory.remember_many([
            {"id": "mine", "text": "a cup of tea", "tenant": "a", "created_at": 0},
            {"id": "too", "text": "tea and rice", "tenant": "a", "created_at": 0},
            {"id": "theirs", "text": SECRET, "tenant": "b", "boundary_class": "secret", "created_at": 0},
            {"id": "other", "text": "payroll paid in tea", "tenant": "b", "boundary_class": "secret", "created_at": 0},
        ])  # fmt: skip
        if kind == "sqlite with saved indexes":
            assert memory._engine.indexes.save()
    return path


def damaged(folder: Path, kind: str, how: Break | None = None) -> Path:
    """Return a memory file in which the record "theirs" cannot be read."""
    path = filled(folder, kind)
    if how is None:
        how = flipped(SECRET.encode(), 6, 7)  # in a text file, no UTF-8 any more
    path.write_bytes(how(path.read_bytes()))
    return path
