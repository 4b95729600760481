"""What tests of the protocol's server share: a host over standard input and output, and one over the web."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import byheart

if TYPE_CHECKING:
    from mcp import Client

PACKAGE = Path(byheart.__file__).parents[1]
ENVIRONMENT = {"PYTHONPATH": str(PACKAGE)}
TOKEN = "0123456789abcdef0123456789abcdef"
COMMAND = [sys.executable, "-P", "-m", "byheart", "mcp"]


@asynccontextmanager
async def over_stdio(memory: Path, *options: str, mode: str = "auto") -> AsyncIterator[Client]:
    """Start a server as hosts do, and give the SDK's own client of it."""
    from mcp import Client, StdioServerParameters

    arguments = [*COMMAND[1:], "--memory", str(memory), *options]
    server = StdioServerParameters(command=COMMAND[0], args=arguments, env=ENVIRONMENT, cwd=memory.parent)
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        yield client


@contextmanager
def web_server(memory: Path, *options: str, token: str | None = TOKEN) -> Iterator[str]:
    """Run a server on a free port of this machine; give its address."""
    environment = {**os.environ, **ENVIRONMENT, **({} if token is None else {"BYHEART_MCP_TOKEN": token})}
    command = [*COMMAND, "--memory", str(memory), "--http", "127.0.0.1:0", *options]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, cwd=memory.parent) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            found = re.search(r"http://\S+", line)
            assert found, line + process.stderr.read()
            yield found[0]
        finally:
            process.terminate()
            process.communicate(timeout=60)


@asynccontextmanager
async def over_web(url: str, token: str | None = TOKEN, mode: str = "auto") -> AsyncIterator[Client]:
    """Give the SDK's own client of a server on the web."""
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    web = httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False)
    server = streamable_http_client(url, http_client=web)
    async with web, Client(server, mode=mode, read_timeout_seconds=60) as client:
        yield client


async def data(client: Client, name: str, **arguments: Any) -> Any:
    """Call a tool that has to do well, and return its data."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return result.structured_content
