"""Every line that a host sends and waits for is answered, whatever is wrong with it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from byheart import Memory
from byheart.mcp.unreadable import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, refusal

PATIENCE, LAST = 60, 3
SURROGATE = r'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"recall","arguments":{"query":"x\ud800"}}}'


def _command(path: Path) -> list[str]:
    return [sys.executable, "-m", "byheart", "mcp", "--memory", str(path)]


def _greeting() -> list[str]:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    greeting = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    return [json.dumps(greeting), '{"jsonrpc":"2.0","method":"notifications/initialized"}']


def answers(path: Path, *lines: str) -> list[dict[str, Any]]:
    """Return what a server answers to some lines, after the greeting, until it answers the last of them."""
    with subprocess.Popen(_command(path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None and server.stdout is not None
        watch = threading.Timer(PATIENCE, server.kill)
        watch.start()
        server.stdin.write("\n".join([*_greeting(), *lines, ""]))
        server.stdin.flush()
        told: list[dict[str, Any]] = []
        while not told or told[-1]["id"] != LAST:
            told.append(json.loads(server.stdout.readline()))
        watch.cancel()
    return told[1:]


def test_half_a_character_and_what_is_no_json_are_answered(tmp_path: Path) -> None:
    good = '{"jsonrpc":"2.0","id":3,"method":"ping"}'
    told = answers(tmp_path / "memory.db", SURROGATE, "no json", "", '{"jsonrpc":"2.0","id":"x","method":7}', good)
    codes = {answer["id"]: answer["error"]["code"] for answer in told if "error" in answer}
    assert codes == {2: INVALID_PARAMS, None: PARSE_ERROR, "x": INVALID_REQUEST}
    assert [answer["id"] for answer in told if "result" in answer] == [3]


def test_a_request_whose_id_is_no_id_is_answered_without_one(tmp_path: Path) -> None:
    ids = ("null", "true", "false", "{}", '{"a":1}', "[]", "[1]", "1.5")
    methods = ("ping", "tools/list", "no/such", "notifications/initialized")
    lines = [f'{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}' for id in ids for method in methods]
    lines += [r'{"jsonrpc":"2.0","method":"ping","\u0069d":null}', '{"jsonrpc":"2.0","method":"no/such"}']
    deep = '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"stats","arguments":{"id":null}}}'
    told = answers(tmp_path / "memory.db", *lines, deep)
    refused = [answer["error"]["code"] for answer in told if answer["id"] is None]
    assert refused == [INVALID_REQUEST] * (len(lines) - 1), "what has no id at all is a notification, and has no answer"
    assert [answer["id"] for answer in told if answer["id"] is not None] == [3], "who sends a right one goes on"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", (None, PARSE_ERROR)),
        ("[" * 100_000, (None, PARSE_ERROR)),
        ("[]", (None, INVALID_REQUEST)),
        ('{"id": true, "method": "x"}', (None, INVALID_REQUEST)),
        ('{"id": 1.5, "method": "x"}', (None, INVALID_REQUEST)),
        (r'{"id": "\ud800", "method": "x"}', (None, INVALID_REQUEST)),
        ('{"id": "a", "method": 7}', ("a", INVALID_REQUEST)),
        (SURROGATE, (2, INVALID_PARAMS)),
        ('{"method": "x", "params": 7}', None),
        ('{"id": 1, "result": 7}', None),
        ("", None),
        (None, (None, INVALID_REQUEST)),
    ],
)  # fmt: skip
def test_the_answer_says_what_was_wrong_and_to_what(line: str | None, expected: tuple[Any, int] | None) -> None:
    said = refusal(line)
    assert (said and said[:2]) == expected


def test_what_was_asked_before_the_input_ended_is_answered(tmp_path: Path) -> None:
    """The host was told that a write had failed which was made."""
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call",
         "params": {"name": "remember", "arguments": {"text": f"The key of gate {number} hangs in shed {number}."}}}
        for number in range(2, 22)
    ]  # fmt: skip
    cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}}
    odd = [{"id": True, "method": "ping"}, {"id": 98, "method": "ping", "result": {}}]  # nobody answers by these ids
    said = "\n".join([*_greeting(), *map(json.dumps, [*calls, cancelled, *odd]), ""])
    done = subprocess.run(_command(tmp_path / "m.db"), input=said, capture_output=True, text=True, timeout=PATIENCE)
    told = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert done.returncode == 0 and [told[call["id"]]["result"]["isError"] for call in calls] == [False] * len(calls)
    with Memory(tmp_path / "m.db") as memory:
        assert memory.count() == len(calls)
