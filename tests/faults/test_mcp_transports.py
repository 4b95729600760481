"""The protocol's server, asked by the SDK's own client: both ways of reaching it, and whom it turns away."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import httpx2

import byheart
from byheart.cli import main
from byheart.mcp.hosts import program, snippet

from ..mcp_hosts import COMMAND, ENVIRONMENT, TOKEN, data, over_stdio, over_web, web_server

PING: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
MODES = ("2026-07-28", "legacy")


async def story(client: Any) -> None:
    """Do what a host does, and look at each answer."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == ["remember", "recall", "get", "list", "forget", "stats"]
    assert tools["recall"].annotations.read_only_hint and tools["forget"].annotations.destructive_hint
    assert tools["recall"].input_schema["additionalProperties"] is False and tools["recall"].output_schema
    kept = await data(client, "remember", text="Ann prefers green tea.", kind="preference")
    result = await client.call_tool("recall", {"query": "what does Ann drink?"})
    assert [hit["id"] for hit in result.structured_content["hits"]] == [kept["id"]]
    assert result.content[0].text.startswith("<memories>")
    assert (await data(client, "get", id=kept["id"]))["version"] == kept["version"]
    assert (await data(client, "list"))["items"][0]["text"] == "Ann prefers green tea."
    assert (await data(client, "stats"))["records"] == 1
    noise = await client.call_tool("memory_store", {"text": "hello there"})
    assert noise.is_error and noise.structured_content["error"]["code"] == "NOISE_REFUSED"
    wrong = await client.call_tool("recall", {"query": "tea", "boundary": {"classes": ["secret"]}})
    assert wrong.is_error and "boundary" not in wrong.content[0].text.split("there are")[1]
    with pytest.raises(Exception, match="no such tool"):
        await client.call_tool("memory", {"command": "view", "path": "/memories"})
    assert (await data(client, "forget", id=kept["id"]))["forgotten"] == [kept["id"]]
    assert (await data(client, "recall", query="tea"))["hits"] == []


@pytest.mark.parametrize("mode", MODES)
def test_over_standard_input_and_output(tmp_path: Path, mode: str) -> None:
    async def run() -> None:
        async with over_stdio(tmp_path / "memory.db", mode=mode) as client:
            assert (client.protocol_version == "2026-07-28") == (mode != "legacy")
            await story(client)

    asyncio.run(run())


def test_over_the_web(tmp_path: Path) -> None:
    async def run(url: str) -> None:
        for mode in MODES:
            async with over_web(url, mode=mode) as client:
                await story(client)

    with web_server(tmp_path / "memory.db") as url:
        asyncio.run(run(url))


async def claims_story(client: Any) -> None:
    """Do what an agent does that keeps claims, and try to widen what bounds it."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == PCE_LISTED and all(
        tool.input_schema["additionalProperties"] is False for tool in tools.values()
    )
    assert set(tools["pce_memory_search"].output_schema["properties"]) == ENVELOPE
    for number in range(4):
        at = {"at": "2026-01-01T00:00:00Z", "actor": "ann"}
        text = f"Ann drinks green tea from cup {number}, ask x@example.com." + " Tea." * number
        kept = await data(client, "pce_memory_upsert", text=text, provenance=at)
        assert set(kept) == ENVELOPE and kept["policy_version"] == "0.1.0" and kept["data"]["new"]
    first = (await data(client, "pce_memory_activate", q="green tea", top_k=2))["data"]
    assert first["claims_count"] == 2 and first["has_more"] and "[email]" in first["claims"][0]["text"]
    second = (await data(client, "pce.memory.activate", q="green tea", cursor=first["next_cursor"]))["data"]
    assert [claim["rank"] for claim in (*first["claims"], *second["claims"])] == [1, 2, 3]
    for narrow in ({"scope": ["session"]}, {"allow": []}, {"allow": ["*"]}, {"allow": ["no:such"]}):
        assert (await data(client, "pce_memory_search", query="green tea", **narrow))["data"]["items"] == []
    seen = await data(client, "pce_boundary_validate", payload="mail x@example.com")
    assert seen["data"]["redacted"] == "mail [email]"
    used = {"claim_id": first["claims"][0]["id"], "signal": "helpful"}
    assert (await data(client, "pce_memory_feedback", **used))["data"]["ok"]
    held = await data(client, "pce_memory_observe", source_type="chat", content="tea")
    assert held["data"]["content_stored"]
    for _ in range(2):
        applied = await data(client, "pce_policy_apply", yaml=WIDE, approver="root")
        assert not applied["data"]["applied"] and applied["policy_version"] == "0.1.0"
    wrong = await client.call_tool("pce_memory_search", {"query": "tea", "tenant": "other"})
    assert wrong.is_error and wrong.structured_content["error"]["code"] == "VALIDATION_ERROR"
    secret = {"text": "The key is sk-abcdefghijklmnopqrst.", "provenance": {"at": "2026-01-01T00:00:00Z"}}
    denied = await client.call_tool("pce_memory_upsert", secret)
    assert denied.structured_content["error"]["code"] == "BOUNDARY_DENIED"
    assert set(denied.structured_content) == {"error", "policy_version", "request_id", "trace_id"}


GOVERNED = ("--tools", "pce", "--policy", "default")
PCE_LISTED = [
    "pce_memory_activate", "pce_memory_search", "pce_memory_upsert", "pce_memory_feedback", "pce_memory_observe",
    "pce_boundary_validate", "pce_policy_apply",
]  # fmt: skip
ENVELOPE = {"data", "policy_version", "request_id", "trace_id"}
WIDE = json.dumps({"version": "9.0.0", "boundary_classes": {"secret": {"allow": ["*"]}}, "scopes": {"project": {}}})


def unchanged(path: Path) -> None:
    """Look, as another process does, whether the policy in force is the one that the server was started with."""
    with byheart.Memory(path, policy="stored") as memory:
        assert str(memory.policy.version) == "0.1.0" and memory.count() == 4
        assert len(memory.events("activate")) == 2


@pytest.mark.parametrize("mode", MODES)
def test_claims_over_standard_input_and_output(tmp_path: Path, mode: str) -> None:
    async def run() -> None:
        async with over_stdio(tmp_path / "memory.db", *GOVERNED, mode=mode) as client:
            await claims_story(client)

    asyncio.run(run())
    unchanged(tmp_path / "memory.db")


@pytest.mark.parametrize("mode", MODES)
def test_claims_over_the_web(tmp_path: Path, mode: str) -> None:
    async def run(url: str) -> None:
        async with over_web(url, mode=mode) as client:
            await claims_story(client)

    with web_server(tmp_path / "memory.db", *GOVERNED) as url:
        asyncio.run(run(url))
        unchanged(tmp_path / "memory.db")


def test_an_administrators_server_changes_the_policy_of_all(tmp_path: Path) -> None:
    """Two servers of one file: what one applies bounds the other, at its next call."""
    path = tmp_path / "memory.db"

    async def run() -> None:
        async with over_stdio(path, *GOVERNED, "--admin") as admin, over_stdio(path, "--tools", "pce") as other:
            before = await data(other, "pce_memory_search", query="tea")
            assert before["policy_version"] == "0.1.0"
            applied = await data(admin, "pce_policy_apply", yaml=WIDE, expected_version="0.1.0")
            assert applied["data"]["applied"] and applied["policy_version"] == "9.0.0"
            after = await other.call_tool("pce_memory_search", {"query": "tea", "scope": ["session"]})
            assert after.structured_content["error"]["code"] == "INVALID_SCOPE"
            assert after.structured_content["policy_version"] == "9.0.0"

    asyncio.run(run())


def test_a_server_without_a_policy_says_so(tmp_path: Path) -> None:
    async def run() -> None:
        async with over_stdio(tmp_path / "memory.db", "--tools", "pce,stats", "--rate", "3/60") as client:
            missing = await client.call_tool("pce_memory_search", {"query": "tea"})
            assert missing.structured_content["error"]["code"] == "POLICY_MISSING"
            for _ in range(2):
                assert (await data(client, "stats"))["records"] == 0
            late = await client.call_tool("stats", {})
            assert late.structured_content["error"]["code"] == "RATE_LIMIT"
            assert late.structured_content["error"]["details"]["X-RateLimit-Limit"] == 3

    asyncio.run(run())


def test_whom_the_web_turns_away(tmp_path: Path) -> None:
    def status(url: str, **headers: str) -> int:
        answer = httpx2.post(url, json=PING, headers={**HEADERS, **headers}, trust_env=False)
        assert "mcp-session-id" not in answer.headers, "no state is kept between calls"
        return answer.status_code

    right = {"Authorization": f"Bearer {TOKEN}"}
    allowed = ("--allow-origin", "https://app.example", "--allow-host", "memory.example")
    with web_server(tmp_path / "memory.db", *allowed) as url:
        assert status(url, **right) == 200
        assert status(url) == status(url, Authorization=f"Bearer {TOKEN[:-1]}x") == 401
        assert status(url, Authorization=f"Basic {TOKEN}") == status(url, Authorization="Bearer") == 401
        assert status(f"{url}?token={TOKEN}") == 401, "a token is no part of an address"
        assert status(url, **right, Host="evil.example") == 421
        assert status(url, **right, Host="memory.example") == 200
        assert status(url, **right, Origin="https://evil.example") == 403
        assert status(url, **right, Origin="https://app.example") == 200
        assert (
            httpx2.post(url, content=b"{" * 5_000_000, headers={**HEADERS, **right}, trust_env=False).status_code == 413
        )
        assert httpx2.get(url.removesuffix("/mcp"), headers=right, trust_env=False).status_code == 404


def test_no_token_is_for_this_machine_alone(tmp_path: Path) -> None:
    with web_server(tmp_path / "memory.db", "--no-token", token=None) as url:
        assert httpx2.post(url, json=PING, headers=HEADERS, trust_env=False).status_code == 200
        evil = {**HEADERS, "Origin": "https://evil.example"}
        assert httpx2.post(url, json=PING, headers=evil, trust_env=False).status_code == 403


REFUSED: list[tuple[str, tuple[str, ...], str]] = [
    ("needs a token", ("--http", "127.0.0.1:0"), ""),
    ("at least 16", ("--http", "127.0.0.1:0"), "short"),
    ("can be reached from elsewhere", ("--http", "0.0.0.0:0", "--no-token"), ""),
    ("--allow-host", ("--http", "0.0.0.0:0"), TOKEN),
    ("cannot listen", ("--http", "192.0.2.1:80"), TOKEN),
    ("takes HOST:PORT", ("--http", "8807"), TOKEN),
    ("--no-token is for --http", ("--no-token",), ""),
    ("--token-file is for --http", ("--token-file", "no_such"), ""),
    ("--allow-host is for --http", ("--allow-host", "x"), ""),
    ("--allow-origin is for --http", ("--allow-origin", "http://y"), ""),
    ("no_such", ("--http", "127.0.0.1:0", "--token-file", "no_such"), ""),
    ("did you mean 'recall'", ("--tools", "recal"), ""),
    ("not allowed with", ("--project", "."), ""),
]


@pytest.mark.parametrize(("why", "options", "token"), REFUSED, ids=[why for why, _, _ in REFUSED])
def test_a_server_that_would_answer_anybody_does_not_start(
    why: str,
    options: tuple[str, ...],
    token: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("BYHEART_MCP_TOKEN", token)
    try:
        code = main(["mcp", "--memory", str(tmp_path / "memory.db"), *options])
    except SystemExit as error:
        code = int(error.code or 0)
    said = capsys.readouterr()
    assert code in (1, 2) and why in said.err and not said.out
    assert TOKEN not in said.err


def test_a_token_may_lie_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n", encoding="utf-8")
    options = ("--token-file", str(tmp_path / "token"))

    async def run(url: str) -> None:
        async with over_web(url) as client:
            assert (await data(client, "stats"))["records"] == 0

    with web_server(tmp_path / "memory.db", *options, token=None) as url:
        asyncio.run(run(url))


def test_a_process_that_only_reads(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember("Ann prefers green tea.", id="tea")
    before = path.read_bytes()

    async def run() -> None:
        async with over_stdio(path, "--read-only", "--tools", "all") as client:
            reads = {"recall", "get", "list", "stats", "pce_memory_search", "pce_boundary_validate"}
            assert {tool.name for tool in (await client.list_tools()).tools} == reads
            assert (await data(client, "recall", query="tea"))["hits"][0]["id"] == "tea"

    asyncio.run(run())
    assert path.read_bytes() == before


def served(folder: Path) -> subprocess.Popen[bytes]:
    """Return a server of a memory in a folder, spoken to through its pipes."""
    command = [*COMMAND, "--memory", str(folder / "memory.db")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env={**os.environ, **ENVIRONMENT}, **pipes)


def test_what_goes_out_is_the_protocol_and_nothing_else(tmp_path: Path) -> None:
    """A first word that is none, and a last line without an end: the process says what they are, answers, ends well."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    call = {"name": "remember", "arguments": {"text": "Bern is a town."}, "_meta": meta}
    frames = [b"hello", json.dumps({**PING, "method": "tools/call", "params": call}).encode(), b'{"jsonrpc"']
    with served(tmp_path) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(b"\n".join(frames))
        process.stdin.flush()
        refused, answer = (json.loads(process.stdout.readline()) for _ in range(2))
        process.stdin.close()
        assert process.wait(60) == 0
        rest = [json.loads(line) for line in process.stdout.read().splitlines()]
        assert process.stderr.read() == b"" and all(each == refused for each in rest) and len(rest) <= 1
    assert (refused["id"], refused["error"]["code"]) == (None, -32700)
    assert answer["id"] == 1 and answer["result"]["structuredContent"]["new"] is True
    with byheart.Memory(tmp_path / "memory.db") as memory:
        assert memory.count() == 1


def test_the_folder_that_it_is_started_in_says_nothing_of_what_it_runs(tmp_path: Path) -> None:
    """A folder that somebody else has filled may hold files that are named like modules."""
    told = tomllib.loads(snippet("codex", ["--memory", str(tmp_path / "memory.db")])[0])["mcp_servers"]["byheart"]
    for name in ("mcp", "http", "json", "byheart", "anyio"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('planted')\n", encoding="utf-8")
    command = [*COMMAND[:-1], *told["args"][told["args"].index("mcp") :]]
    environment = {**os.environ, **ENVIRONMENT}
    for start in (command, [told["command"], *told["args"]]):
        done = subprocess.run(
            start, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert program() == COMMAND[:-1] or Path(program()[0]).name.startswith("byheart")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of another kind")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_though_the_host_says_nothing(tmp_path: Path, number: signal.Signals) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    with served(tmp_path) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(json.dumps({**PING, "method": "initialize", "params": hello}).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.send_signal(number)
        try:
            code = process.wait(30)
        finally:
            process.kill()
        assert code == (130 if number == signal.SIGINT else -number)
        assert process.stderr.read() == b""


def test_a_tool_in_an_envelope_and_one_that_takes_too_long() -> None:
    """What is added to the tools is listed with the schema of its envelope; who waits too long is told so."""
    from mcp import Client

    from byheart.mcp.dispatch import Dispatch
    from byheart.mcp.registry import Registry
    from byheart.mcp.schemas import closed, text
    from byheart.mcp.sdk import server_of
    from byheart.mcp.tool import PCE, Answer, Arguments, Call, Service, Tool

    go_on = threading.Event()

    def wait(call: Call, arguments: Arguments) -> Answer:
        if arguments["text"] == "wait":
            go_on.wait(60)
        return Answer({"said": arguments["text"]})

    tool = Tool(
        name="pce.memory.wait", group=PCE, title="Wait", description="Waits.", handler=wait, changes=True, seconds=1.0,
        arguments=closed({"text": text(10)}, ["text"]), result=closed({"said": text()}, ["said"]), envelope=True,
    )  # fmt: skip
    service = Service(byheart.Memory(), policy_version=lambda: "1.0.0")
    server = server_of(Dispatch(service, Registry.of((tool,), "pce", names="both")))

    async def run() -> None:
        async with Client(server) as client:
            listed = {each.name: each for each in (await client.list_tools()).tools}
            assert set(listed) == {"pce.memory.wait", "pce_memory_wait"}
            assert set(listed["pce.memory.wait"].output_schema["properties"]) == {
                "data", "policy_version", "request_id", "trace_id",
            }  # fmt: skip
            for name in listed:
                assert (await data(client, name, text="hello"))["data"] == {"said": "hello"}
            trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            late = await client.call_tool("pce_memory_wait", {"text": "wait"}, meta={"traceparent": trace})
            assert late.is_error and late.structured_content["error"]["code"] == "TIMEOUT"
            assert late.structured_content["trace_id"] == trace[3:35]
            assert "may still be done" in late.content[0].text
            assert (await data(client, "pce_memory_wait", text="again"))["policy_version"] == "1.0.0"

    try:
        asyncio.run(run())
    finally:
        go_on.set()
