"""Memories that are opened again and again, and what is found in them: what the tests of facts that change share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import byheart
from byheart.storage import InProcessStore

KINDS = ["in process", "memory.jsonl", "memory.db"]
PROFILES = ["auto", "kb-fast", "kb-balanced", "kb-thinkingdb", "dense", "hybrid", "scoped", "discovery", "activation"]


class Place:
    """Where memories of one kind are opened, again and again."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.path = None if kind == "in process" else folder / kind
        self.store = InProcessStore() if self.path is None else None

    @contextmanager
    def open(self, **how: Any) -> Iterator[byheart.Memory]:
        where: dict[str, Any] = {"store": self.store} if self.path is None else {"path": self.path}
        memory = byheart.Memory(**{"single_valued": ["lives_in"], **where, **how})
        yield memory
        if self.path is not None:  # what is closed in this process is gone
            memory.close()


def found(memory: byheart.Memory, question: str, **how: Any) -> list[str]:
    """Return the ids of the hits, in order."""
    return [hit.id for hit in memory.recall(question, **how)]


def moved(memory: byheart.Memory, **newer: Any) -> None:
    """Say of somebody a town, and then another one, which supersedes it."""
    memory.remember("I live in Rome.", id="r", user_id="a", created_at=1)
    memory.remember("I live in Oslo.", **{"id": "o", "user_id": "a", "created_at": 2, **newer})
    assert memory.get("r").superseded_by == "o" and memory.get("o").contradicts == ("r",)
