"""What hosts are promised of each tool: the arguments, answers, limits and codes of `mcp_tools.json`.

What is changed on purpose is written anew: `python -m tests.unit.test_mcp_contract > tests/unit/mcp_tools.json`.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from byheart.mcp.tool import Tool
from byheart.mcp.tools import TOOLS

TABLE = Path(__file__).with_name("mcp_tools.json")
APART = ("handler", "codes")


def promised(tool: Tool) -> dict[str, Any]:
    """Return what a host may rely on; errors by the names of their classes."""
    told = {each.name: getattr(tool, each.name) for each in fields(tool) if each.name not in APART}
    return {**told, "codes": {error.__name__: code for error, code in tool.codes.items()}}


def table() -> str:
    """Return the table as it is kept."""
    return json.dumps([promised(tool) for tool in TOOLS], indent=1, ensure_ascii=False) + "\n"


def test_every_tool_takes_and_gives_what_the_table_says() -> None:
    there = json.loads(TABLE.read_text(encoding="utf-8"))
    assert len(there) == len(TOOLS) >= 14
    assert json.loads(table()) == there


if __name__ == "__main__":
    print(table(), end="")
