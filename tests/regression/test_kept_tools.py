"""Tools of the protocol's server as they answered: what each gives, and what it says of each wrong argument.

What is changed on purpose is written anew: `python -m tests.regression.test_kept_tools > tests/regression/tools.txt`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from byheart import Memory
from byheart.embedding import HashingEmbedder
from byheart.mcp.dispatch import Dispatch
from byheart.mcp.registry import Registry
from byheart.mcp.tool import Service
from byheart.mcp.tools import TOOLS

from .scenes import NOTES, NOW
from .test_kept_answers import plain

TABLE = Path(__file__).with_name("tools.txt")
DRAWN = re.compile(r"\b(?:ac|req|tr)_[0-9a-f]+\b|\b[0-9a-f]{16,64}\b")
AT = {"at": "2026-05-03T18:30:00Z", "actor": "ann"}
CLAIM: dict[str, Any] = {"text": "Ann drinks tea.", "kind": "fact", "boundary_class": "internal", "provenance": AT}
RIGHT: list[tuple[str, dict[str, Any]]] = [
    ("remember", {"text": "The ferry leaves at noon.", "id": "ferry", "topic": "sea", "tags": ["boat"]}),
    ("remember", {"text": "The ferry leaves at one.", "id": "ferry", "if_version": "new"}),
    ("remember", {"text": "The ferry leaves at one.", "id": "ferry", "if_version": "1"}),
    ("recall", {"query": "when does the ferry leave?"}),
    ("recall", {"query": "boiler tank", "k": 2, "max_tokens": 50, "explain": True}),
    ("recall", {"query": "boiler", "tags": ["house"], "since": "2020-01-01T00:00:00Z", "operators": False}),
    ("recall", {"query": "xyzzy"}),
    ("get", {"id": "ferry"}), ("get", {"id": "nobody"}), ("get", {"id": "kettle", "cell": ["project", "internal"]}),
    ("list", {"limit": 3}), ("list", {"tags": ["boat"], "kind": "note"}), ("list", {"cursor": "x"}),
    ("remember", {"text": "The ferry leaves at two.", "id": "ferry", "topic": "lake", "importance": 0.5}),
    ("get", {"id": "ferry"}),
    ("forget", {"id": "boiler2"}), ("forget", {"id": "boiler2"}), ("stats", {}),
    ("memory", {"command": "create", "path": "/memories/a.md", "file_text": "one\ntwo\nthree\n"}),
    ("memory", {"command": "view", "path": "/memories"}), ("memory", {"command": "view", "path": "/memories/a.md"}),
    ("memory", {"command": "view", "path": "/memories/a.md", "view_range": [2, -1]}),
    ("memory", {"command": "view", "path": "/memories/a.md", "view_range": [9, 2]}),
    ("memory", {"command": "str_replace", "path": "/memories/a.md", "old_str": "two", "new_str": "2"}),
    ("memory", {"command": "str_replace", "path": "/memories/a.md", "old_str": "two", "new_str": "2"}),
    ("memory", {"command": "str_replace", "path": "/memories/a.md", "old_str": "e", "new_str": "2"}),
    ("memory", {"command": "insert", "path": "/memories/a.md", "insert_line": 1, "insert_text": "half"}),
    ("memory", {"command": "insert", "path": "/memories/a.md", "insert_line": 90, "insert_text": "half"}),
    ("memory", {"command": "view", "path": "/memories/a.md"}),
    ("memory", {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b/c.md"}),
    ("memory", {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b/c.md"}),
    ("memory", {"command": "create", "path": "/memories/b", "file_text": "no"}),
    ("memory", {"command": "create", "path": "/memories/b/c.md", "file_text": "one\ntwo"}),
    ("memory", {"command": "create", "path": "/memories/b/c.md/d", "file_text": "no"}),
    ("memory", {"command": "create", "path": "/memories/.hidden", "file_text": "h"}),
    ("memory", {"command": "create", "path": "/memories/b/d/e/f.md", "file_text": "deep"}),
    ("memory", {"command": "create", "path": "/memories/g.md", "file_text": ""}),
    ("memory", {"command": "rename", "old_path": "/memories/g.md", "new_path": "/memories/b"}),
    ("memory", {"command": "rename", "old_path": "/memories/b", "new_path": "/memories/b/h"}),
    ("memory", {"command": "rename", "old_path": "/memories/b/d", "new_path": "/memories/i"}),
    ("memory", {"command": "view", "path": "/memories/b"}), ("memory", {"command": "view", "path": "/memories/i"}),
    ("memory", {"command": "view", "path": "/memories/nothing"}),
    ("memory", {"command": "str_replace", "path": "/memories/b", "old_str": "a", "new_str": "b"}),
    ("memory", {"command": "view", "path": "/memories"}), ("memory", {"command": "view", "path": "/etc/passwd"}),
    ("memory", {"command": "view", "path": "/memories/../x"}), ("memory", {"command": "insert", "path": "/memories"}),
    ("memory", {"command": "delete", "path": "/memories/b"}), ("memory", {"command": "delete", "path": "/memories/b"}),
    ("memory", {"command": "delete", "path": "/memories"}), ("memory", {"command": "view"}),
    ("pce.memory.upsert", CLAIM), ("pce.memory.upsert", CLAIM | {"text": "Mail bob@example.com.", "scope": "project"}),
    ("pce.memory.upsert", CLAIM | {"provenance": {}}),
    ("pce.memory.activate", {"q": "what does Ann drink?", "include_meta": True}),
    ("pce.memory.activate", {"q": "tea", "scope": ["project"], "top_k": 1, "allow": ["answer:task"]}),
    ("pce.memory.search", {"query": "tea boiler", "top_k": 2, "include_meta": True}),
    ("pce.memory.search", {"query": "tea", "cursor": "x"}),
    ("pce.memory.feedback", {"claim_id": "kettle", "signal": "helpful", "score": 0.5}),
    ("pce.memory.feedback", {"claim_id": "nobody", "signal": "harmful"}),
    ("pce.memory.observe", {"source_type": "chat", "content": "My key is sk-abcdefghijklmnop.", "tags": ["a"]}),
    ("pce.boundary.validate", {"payload": "Write to bob@example.com.", "allow": ["answer:task"]}),
    ("pce.boundary.validate", {"payload": "Nothing of note.", "scope": "session"}),
    ("pce.policy.apply", {"yaml": "version: 0.3.0", "validate_only": True}),
    ("pce.policy.apply", {"yaml": "version: [", "dry_run": True}),
]  # fmt: skip
WRONG: dict[str, Any] = {
    "null": None, "true": True, "-5": -5, "10**9": 10**9, "2.5": 2.5, "empty": "", "word": "x?", "long": "x" * 200_000,
    "list": ["x?"], "of null": [None], "object": {"x?": 1}, "many": ["a"] * 400,
}  # fmt: skip


def host() -> Dispatch:
    """Return tools that serve a memory with all notes, under the default policy."""
    memory = Memory(policy="default", embedder=HashingEmbedder(64))
    open_to_all = [{"created_at": NOW, **note} for note in NOTES if not {"scope", "boundary_class"} & note.keys()]
    memory.remember_many(open_to_all)
    return Dispatch(Service(memory), Registry.of(TOOLS, "all"))


def told(dispatch: Dispatch, name: str, arguments: dict[str, Any]) -> str:
    """Return what a tool answers, in one line."""
    outcome = dispatch(name, arguments)
    said = outcome.text if outcome.is_error else json.dumps(plain(outcome.data), ensure_ascii=False)
    details = outcome.data["error"]["details"] if outcome.is_error else None
    return DRAWN.sub(
        lambda found: f"<drawn {len(found[0])}>",
        f"{said}{f' {json.dumps(plain(details))}' if details else ''}".replace("\n", "\\n"),
    )


def right() -> Iterator[str]:
    """Yield what tools that are called as they should be, more or less, answer."""
    dispatch = host()
    for name, arguments in RIGHT:
        yield f"{name} {json.dumps(arguments)}"
        yield "    " + told(dispatch, name, arguments)


def wrong() -> Iterator[str]:
    """Yield what is told of wrong arguments, of each tool by what is told."""
    usual = dict(reversed(RIGHT))
    for tool in TOOLS:
        dispatch, said = host(), dict[str, list[str]]()
        for argument in [*tool.arguments["properties"], "unknown"]:
            for what, value in WRONG.items():
                if dispatch(tool.name, arguments := {**usual[tool.name], argument: value}).is_error:
                    answer = re.sub(rf"\b{argument}\b", "<it>", told(dispatch, tool.name, arguments))
                    said.setdefault(answer, []).append(f"{argument} {what}")
        yield f"{tool.name}"
        yield from (f"    {', '.join(of)}: {answer}" for answer, of in said.items())


def found() -> list[str]:
    """Return the whole table, at a made-up time."""
    with mock.patch("time.time", lambda: NOW + 86_400):
        return [*right(), *wrong()]


def test_tools_answer_as_it_was_kept() -> None:
    there = TABLE.read_text(encoding="utf-8").splitlines()
    assert len(there) > 200
    assert found() == there


if __name__ == "__main__":
    print(*found(), sep="\n")
