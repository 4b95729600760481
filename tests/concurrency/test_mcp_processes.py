"""Three servers on one file, as three hosts start them: all write at once, and nothing is lost."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("mcp", reason="the extra mcp is not installed")

import byheart

from ..mcp_hosts import data, over_stdio

HOSTS, NOTES, LINES, MOVES = 3, 15, 10, 6
LOG = "/memories/log.md"


async def work(number: int, client: Any) -> dict[str, int]:
    """Write as a host does; return what was acknowledged, and how often another one had been quicker."""
    done = {"notes": 0, "lines": 0, "names": 0, "moves": 0, "counted": 0, "retries": 0}
    for turn in range(max(NOTES, LINES, MOVES)):
        if turn < NOTES:
            said = await data(client, "remember", text=f"Host {number} has learnt fact {turn} of many.")
            done["notes"] += bool(said["new"])
        if turn < LINES:
            line = {"command": "insert", "path": LOG, "insert_line": 0, "insert_text": f"host {number} line {turn}"}
            done["lines"] += not (await client.call_tool("memory", line)).is_error
        if turn < MOVES:
            name = {"command": "create", "path": f"/memories/turn{turn}.md", "file_text": f"host {number}"}
            done["names"] += not (await client.call_tool("memory", name)).is_error
            move = {
                "command": "rename",
                "old_path": f"/memories/seat{turn}",
                "new_path": f"/memories/host{number}/{turn}",
            }
            done["moves"] += not (await client.call_tool("memory", move)).is_error
        while True:  # a counter, by the version that was read
            seen = await data(client, "get", id="counter")
            more = f"The counter stands at {int(seen['text'].split()[-1]) + 1}"
            result = await client.call_tool("remember", {"text": more, "id": "counter", "if_version": seen["version"]})
            if not result.is_error:
                done["counted"] += 1
                break
            assert result.structured_content["error"]["code"] == "VERSION_MISMATCH", result.content
            done["retries"] += 1
    return done


def test_three_servers_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with byheart.Memory(path) as memory:
        memory.remember("The counter stands at 0", id="counter")
        from byheart.mcp.files import Files

        files = Files(memory)
        files.create(LOG, "")
        for turn in range(MOVES):
            files.create(f"/memories/seat{turn}", f"seat {turn}")

    async def run() -> list[dict[str, int]]:
        async def one(number: int) -> dict[str, int]:
            async with over_stdio(path, "--tools", "all") as client:
                await ready.wait()
                return await work(number, client)

        ready = asyncio.Barrier(HOSTS)
        return await asyncio.gather(*(one(number) for number in range(HOSTS)))

    done = asyncio.run(run())
    turns = max(NOTES, LINES, MOVES)
    assert [each["notes"] for each in done] == [NOTES] * HOSTS
    assert [each["lines"] for each in done] == [LINES] * HOSTS
    assert sum(each["names"] for each in done) == sum(each["moves"] for each in done) == MOVES, (
        "each name is taken once"
    )
    with byheart.Memory(path) as memory:
        texts = {record.text for record in memory.records()}
        assert {
            f"Host {host} has learnt fact {note} of many." for host in range(HOSTS) for note in range(NOTES)
        } <= texts
        lines = [line for line in memory.get(LOG).text.splitlines() if line]
        assert sorted(lines) == sorted(f"host {host} line {line}" for host in range(HOSTS) for line in range(LINES))
        assert memory.get("counter").text == f"The counter stands at {HOSTS * turns}"
        moved = [record for record in memory.records() if record.text.startswith("seat ")]
        assert sorted(record.text for record in moved) == [f"seat {turn}" for turn in range(MOVES)]
        assert all("/host" in (record.id or "") for record in moved)
        assert memory.check() == []
