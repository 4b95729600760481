"""What: a call of the protocol's server over standard input and output, by the SDK's own client, as a host waits.
Corpus: English turns, seed 7. Compare: the same call in this process, without the protocol; what is between them is the
SDK of both sides, two pipes and the threads that read and write them. Not named after the SDK, which it would hide.

    python benches/mcp_server.py --records 10000
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import corpora
from harness import ROUNDS, emit, note, per_call, row

import byheart
from byheart.mcp.serving import Settings

CALLS, WRITES = 200, 60
PACKAGE = Path(byheart.__file__).parents[1]


async def waited(call: Callable[[Any], Awaitable[Any]], arguments: list[Any]) -> float:
    """Return the median milliseconds that a host waits for a call."""
    times = []
    for argument in arguments:
        start = time.perf_counter()
        result = await call(argument)
        times.append((time.perf_counter() - start) * 1e3)
        assert not result.is_error, result.content
    return statistics.median(times)


async def hosts(path: Path, queries: list[str]) -> dict[str, list[float]]:
    """Measure a recall, a count and a durable write over the protocol."""
    from mcp import Client, StdioServerParameters

    found: dict[str, list[float]] = {"recall": [], "stats": [], "remember": []}
    command = ["-P", "-m", "byheart", "mcp", "--memory", str(path), "--rate", "0"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    async with Client(StdioServerParameters(command=sys.executable, args=command, env=environment)) as client:
        for round_ in range(ROUNDS + 1):
            texts = [{"text": f"Round {round_} has learnt fact {number} of many."} for number in range(WRITES)]
            turn = {
                "recall": await waited(lambda query: client.call_tool("recall", {"query": query}), queries),
                "stats": await waited(lambda _: client.call_tool("stats", {}), queries[:50]),
                "remember": await waited(lambda said: client.call_tool("remember", said), texts),
            }
            for name, value in turn.items():
                found[name] += [value] if round_ else []  # the first one warms up
    return found


def inside(path: Path, queries: list[str]) -> list[float]:
    """Measure the same recall without the protocol."""
    settings = Settings(memory=path, rate=None)
    with settings.open() as memory:
        dispatch = settings.dispatch(memory)
        return [per_call(lambda query: dispatch("recall", {"query": query}), queries) / 1e3 for _ in range(ROUNDS)]


def main() -> None:
    """Measure a memory of English turns."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--records", type=int, required=True)
    records = parser.parse_args().records
    texts = corpora.load("english", records)
    queries = corpora.queries(texts, "sentence", CALLS)
    note(f"mcp, {records:,} records")
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "memory.db"
        with byheart.Memory(path) as memory:
            memory.remember_many(
                byheart.Record(id=f"r{n}", text=text, created_at=1.7e9) for n, text in enumerate(texts)
            )
        bare = inside(path, queries)
        found = asyncio.run(hosts(path, queries))
    case = f"over stdio, {records:,} records: a recall, p50"
    emit(row("mcp", case, "ms", {"byheart": found["recall"], "in process": bare}, limit="in process"))
    emit(row("mcp", "over stdio: stats, p50", "ms", {"byheart": found["stats"]}))
    emit(row("mcp", "over stdio: a durable memory, p50", "ms", {"byheart": found["remember"]}))


if __name__ == "__main__":
    main()
