"""Frames that a hostile or broken host may send: right ones, and right ones spoilt in every way that JSON allows."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}

ODD: list[Any] = [
    None, True, 0, -1, 2**31, 2**63, 10**400, 0.5, 1e308, -0.0, "", " ", "x", "\x00", "\u202e", "\ud800", "a\ud83d",
    "é" * 600, "x" * 70_000, "/memories/../../etc/passwd", "/memories/%2e%2e/x", "/memories/" + "a/" * 200, "{}",
    "'; DROP TABLE records; --", "</memory></memories>", "__proto__", "${HOME}", [], {}, [[]], [None] * 300,
    {"$ne": None}, {"boundary": {"tenant": "other"}}, {"__class__": "x"}, ["a", 1, None], "new", "default\x1fsecret",
    {str(number): number for number in range(300)},
]  # fmt: skip
WIDE = '{"version": "9.0.0", "boundary_classes": {"secret": {"allow": ["*"]}}, "scopes": {"project": {}}}'
"""A policy that opens everything: no frame may bring it into force."""
CALLS: list[tuple[str, dict[str, Any]]] = [
    (
        "remember",
        {"text": "Ann prefers green tea.", "id": "tea", "tags": ["a"], "importance": 0.5, "if_version": "new"},
    ),
    ("remember", {"text": "The office is in Bern."}),
    (
        "recall",
        {"query": "what does Ann drink?", "k": 3, "tags": ["a"], "since": "2020-01-01T00:00:00Z", "explain": True},
    ),
    ("get", {"id": "tea"}),
    ("list", {"limit": 2, "cursor": "x", "kind": "file"}),
    ("forget", {"id": "tea"}),
    ("stats", {}),
    ("memory", {"command": "create", "path": "/memories/a.md", "file_text": "one\ntwo\n"}),
    ("memory", {"command": "view", "path": "/memories", "view_range": [1, -1]}),
    ("memory", {"command": "str_replace", "path": "/memories/a.md", "old_str": "one", "new_str": "1"}),
    ("memory", {"command": "insert", "path": "/memories/a.md", "insert_line": 1, "insert_text": "x"}),
    ("memory", {"command": "rename", "old_path": "/memories/a.md", "new_path": "/memories/b/c.md"}),
    ("memory", {"command": "delete", "path": "/memories/b"}),
    (
        "pce.memory.activate",
        {"q": "tea", "top_k": 2, "scope": ["project"], "allow": ["answer:task"], "include_meta": True, "cursor": "x"},
    ),
    ("pce_memory_activate", {"q": "what does Ann drink?"}),
    ("pce_memory_search", {"query": "tea", "top_k": 50, "scope": ["session", "project"], "allow": ["*"]}),
    (
        "pce.memory.upsert",
        {
            "text": "Ann owns the kettle.", "kind": "fact", "scope": "project", "boundary_class": "internal",
            "provenance": {"at": "2026-01-01T00:00:00Z", "git": {"commit": "abcdef1"}},
            "entities": [{"id": "e", "type": "Actor", "name": "Ann"}],
            "relations": [{"id": "r", "src_id": "e", "dst_id": "kettle", "type": "owns"}],
        },
    ),
    ("pce.memory.upsert", {"text": "The key is sk-abcdefghijklmnopqrst.", "provenance": {"at": "2026-01-01T00:00Z"}}),
    ("pce.memory.feedback", {"claim_id": "tea", "signal": "helpful", "score": 0.5}),
    ("pce_memory_feedback", {"claim_id": "tea", "signal": "duplicate"}),
    (
        "pce.memory.observe",
        {"source_type": "chat", "content": "mail x@example.com", "tags": ["a"], "ttl_days": 3, "actor": "ann"},
    ),
    ("pce.boundary.validate", {"payload": "mail x@example.com", "allow": ["answer:task"], "scope": "project"}),
    ("pce.policy.apply", {"yaml": "version: 9.0.0", "dry_run": False, "expected_version": "0.1.0"}),
    ("pce.policy.apply", {"yaml": WIDE, "validate_only": False, "approver": "root"}),
]  # fmt: skip
METHODS = (
    "tools/call", "tools/list", "ping", "server/discover", "initialize", "resources/list", "prompts/get",
    "completion/complete", "logging/setLevel", "notifications/cancelled", "notifications/initialized", "", "no/such",
    "subscriptions/listen", "rpc.discover",
)  # fmt: skip


class Frames:
    """Gives frames, each a line without its end; the same ones for the same seed.

    Args:
        seed: of the choice.
        modern: whether each request carries what the protocol of 2026 wants of it.

    Attributes:
        expected: the ids of requests that are right as JSON-RPC, so that each is to be answered once.

    """

    def __init__(self, seed: int, *, modern: bool) -> None:
        self._random, self._modern, self._number = random.Random(seed), modern, 0
        self.expected: list[int] = []

    def request(self, method: str, params: dict[str, Any], id: Any) -> dict[str, Any]:
        """Return a request that is right."""
        meta = {"_meta": dict(META)} if self._modern else {}
        return {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, **meta}}

    def next(self) -> bytes:
        """Return the next frame."""
        choose: Callable[[], bytes] = self._random.choices(
            [self._odd_arguments, self._odd_frame, self._odd_bytes, self._odd_whole, self._right], [10, 4, 4, 1, 4]
        )[0]
        return choose()

    def _call(self) -> dict[str, Any]:
        name, arguments = self._random.choice(CALLS)
        self._number += 1
        return self.request("tools/call", {"name": name, "arguments": dict(arguments)}, self._number)

    def _right(self) -> bytes:
        return self._sent(self._call())

    def _odd_arguments(self) -> bytes:
        """Spoil one to three arguments of a call: their values, their names, or that they are there."""
        frame = self._call()
        arguments = frame["params"]["arguments"]
        for _ in range(self._random.randint(1, 3)):
            name = self._random.choice([*arguments, "boundary", "tenant", "scope", "allow", "path", "__init__"])
            if self._random.random() < 0.2:
                arguments.pop(name, None)
            else:
                arguments[name] = self._random.choice(ODD)
        return self._sent(frame)

    def _odd_frame(self) -> bytes:
        """Spoil what stands around the arguments; whether an answer is due is then the SDK's to say."""
        frame = self._call()
        where = self._random.choice([frame, frame["params"]])
        where[self._random.choice([*where, "extra"])] = self._random.choice([*ODD, *METHODS])
        if self._random.random() < 0.5:
            frame["method"] = self._random.choice(METHODS)
        return _line(frame)

    def _odd_bytes(self) -> bytes:
        """Spoil the bytes of a frame."""
        line = bytearray(_line(self._call()))
        for _ in range(self._random.randint(1, 4)):
            place = self._random.randrange(len(line))
            kind = self._random.randrange(3)
            if kind == 0:
                line[place] = self._random.randrange(256)
            elif kind == 1:
                del line[place : place + self._random.randint(1, 40)]
            else:
                line[place:place] = self._random.randbytes(self._random.randint(1, 20))
            if not line:
                break
        return bytes(line).replace(b"\n", b" ").replace(b"\r", b" ")

    def _odd_whole(self) -> bytes:
        """Give what is no frame at all."""
        deep = self._random.choice((10, 150, 5_000))
        return self._random.choice(
            (b"", b"null", b"[]", b"{}", b"[" * deep, b"[" * deep + b"]" * deep, b'{"a":' * deep + b"1" + b"}" * deep,
             b"\xff\xfe", b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', b'{"jsonrpc":"2.0","id":1,"result":{}}',
             b"9" * 5_000, b'"' + b"x" * 100_000 + b'"', b'{"jsonrpc":"2.0","method":"notifications/x"}',
             b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', b'{"id":1,"id":2}')
        )  # fmt: skip

    def _sent(self, frame: dict[str, Any]) -> bytes:
        line = _line(frame)
        if b"\\ud8" not in line:  # a lone surrogate is no JSON to a strict reader
            self.expected.append(frame["id"])
        return line


def _line(frame: Any) -> bytes:
    return json.dumps(frame).encode()
