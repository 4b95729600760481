"""Fuzzed frames: whatever a host sends, each right request is answered once, and the process lives and stays itself.

A run says its seed, and the same seed gives the same frames: `BYHEART_SEED=... pytest tests/faults/test_mcp_frames.py`.
"""

import json
import os
import queue
import random
import re
import subprocess
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import httpx2

import byheart

from ..mcp_hosts import COMMAND, ENVIRONMENT, TOKEN, web_server
from .mcp_frames import META, Frames

CHUNK, PATIENCE = 50, 120
SEED = int(os.environ.get("BYHEART_SEED") or random.randrange(2**32))
FEW = pytest.param(500, id="500")
MANY = pytest.param(9_000, id="9000", marks=pytest.mark.long)


OPTIONS = (
    "--tools", "all", "--scope", "project", "--class", "internal", "--policy", "default", "--rate", "0",
)  # fmt: skip


class Stdio:
    """A server and a raw host of it: lines in, lines out."""

    def __init__(self, memory: Path) -> None:
        command = [*COMMAND, "--memory", str(memory), *OPTIONS]
        self.process = subprocess.Popen(
            command,
            env={**os.environ, **ENVIRONMENT},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.answers: list[dict[str, Any]] = []
        self._said: queue.Queue[bytes | None] = queue.Queue()
        self.log: list[bytes] = []
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._note, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._said.put(line)
        self._said.put(None)

    def _note(self) -> None:
        assert self.process.stderr is not None
        self.log.extend(self.process.stderr)

    def send(self, *lines: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(line + b"\n" for line in lines))
        self.process.stdin.flush()

    def until(self, id: Any) -> dict[str, Any]:
        """Return the answer with this id; keep all that came before it."""
        while True:
            line = self._said.get(timeout=PATIENCE)
            assert line is not None, b"".join(self.log).decode(errors="replace")[-3_000:]
            answer = json.loads(line)
            assert (answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer)) or "method" in answer
            self.answers.append(answer)
            if answer.get("id") == id:
                return answer

    def close(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


@pytest.mark.parametrize("frames", [FEW, MANY])
@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_fuzzed_frames_over_standard_input(tmp_path: Path, era: str, frames: int) -> None:
    print(f"BYHEART_SEED={SEED}")
    path, made = tmp_path / "memory.db", Frames(SEED, modern=era == "modern")
    host = Stdio(path)
    if era == "legacy":
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        host.send(json.dumps(made.request("initialize", hello, "hello")).encode())
        host.until("hello")
        host.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    host.send(json.dumps(made.request("tools/list", {}, "tools")).encode())
    assert len(host.until("tools")["result"]["tools"]) == 14
    for start in range(0, frames, CHUNK):
        sound = json.dumps(made.request("tools/call", {"name": "stats", "arguments": {}}, f"s{start}")).encode()
        host.send(*(made.next() for _ in range(CHUNK)), sound)
        answer = host.until(f"s{start}")
        assert answer["result"]["structuredContent"]["records"] >= 0
    deadline = threading.Timer(PATIENCE, host.process.kill)
    deadline.start()
    while True:  # calls run side by side: the last ones may still be on their way
        known = Counter(answer.get("id") for answer in host.answers)
        missing = [id for id in made.expected if not known[id]]
        if not missing:
            break
        host.until(missing[-1])
    deadline.cancel()
    assert host.close() == 0
    assert len(made.expected) > frames // 3
    told = {answer["id"]: answer for answer in host.answers if type(answer.get("id")) is int}
    results = [told[id]["result"] for id in made.expected if "result" in told[id]]
    failures = Counter(r["structuredContent"]["error"]["code"] for r in results if r.get("isError"))
    assert len(results) > len(made.expected) * 0.9 and failures["VALIDATION_ERROR"] > frames // 10, failures
    enveloped = sum("data" in result["structuredContent"] for result in results)
    assert enveloped > frames // 50 and not failures["RATE_LIMIT"], failures
    assert frames < 5_000 or (failures["BOUNDARY_DENIED"] and failures["INVALID_POLICY"]), failures
    assert failures["INTERNAL"] == 0, b"".join(host.log).decode(errors="replace")[-3_000:]
    check(path, many=frames >= 1_000)


def check(path: Path, *, many: bool) -> None:
    """Look whether the memory is sound, and whether everything lies where the process may write.

    Of few frames, by chance none may remember anything that stays.
    """
    with byheart.Memory(path) as memory:
        assert memory.tenants() == ["default"] or memory.count() == 0
        assert set(memory.stats()["cells"]) <= {"project/internal"}
        assert memory.check() == []
        kept = [record.text for record in memory.records()]
        assert kept or not many, "nothing was ever remembered, so nothing was looked at"
        assert not [text for text in kept if re.search(r"(?i)\bsk-[a-z0-9]{10,}", text)], "a secret is stored"
    with byheart.Memory(path, policy="stored") as governed:
        assert str(governed.policy.version) == "0.1.0", "a frame changed what bounds the process"
    assert {each.name.split(".")[0] for each in path.parent.iterdir()} == {"memory"}, "a path became a file"


@pytest.mark.parametrize("frames", [pytest.param(80, id="80"), pytest.param(2_000, id="2000", marks=pytest.mark.long)])
def test_fuzzed_frames_over_the_web(tmp_path: Path, frames: int) -> None:
    print(f"BYHEART_SEED={SEED}")
    folder = tmp_path / "own"
    folder.mkdir()
    made = Frames(SEED, modern=True)
    codes: Counter[int] = Counter()
    right = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
    with web_server(folder / "memory.db", *OPTIONS) as url, httpx2.Client(trust_env=False, timeout=PATIENCE) as web:
        for number in range(frames):
            line = made.next()
            headers = {**right, "Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28"}
            frame = as_json(line)
            if isinstance(frame, dict):
                headers |= routed(frame)
            answer = web.post(url, content=line, headers=headers)
            codes[answer.status_code] += 1
            assert answer.status_code < 500, (line[:300], answer.text[:300])
            if answer.content and answer.headers["content-type"].startswith("application/json"):
                answer.json()
            if number % CHUNK == 0:
                sound = made.request("tools/call", {"name": "stats", "arguments": {}}, "sound")
                told = web.post(url, json=sound, headers=headers | routed(sound)).json()
                assert told["result"]["structuredContent"]["records"] >= 0
    assert codes[200] > frames // 3 and sum(codes.values()) == frames, codes
    check(folder / "memory.db", many=frames >= 1_000)


def as_json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def routed(frame: dict[str, Any]) -> dict[str, str]:
    """Return the headers that say again what a request is of, as that protocol wants it."""
    params = frame.get("params")
    told = {"Mcp-Method": frame.get("method"), "Mcp-Name": params.get("name") if isinstance(params, dict) else None}
    return {
        key: value for key, value in told.items() if isinstance(value, str) and re.fullmatch(r"[\w/.-]+", value, re.A)
    }


def test_the_frames_are_as_odd_as_they_should_be() -> None:
    made = Frames(7, modern=True)
    lines = [made.next() for _ in range(2_000)]
    parsed = [as_json(line) for line in lines]
    assert sum(each is None for each in parsed) > 100, "frames that are no JSON"
    assert sum(isinstance(each, dict) and each.get("params", {}) not in (None,) for each in parsed) > 1_000
    assert len({line for line in lines}) > 1_500 and META
    again = Frames(7, modern=True)
    assert [again.next() for _ in range(50)] == lines[:50]
