"""The tools that there are. A new one is an entry here, and its handler."""

from __future__ import annotations

from . import file_tool, governing, keeping, pce, short
from .tool import Tool

TOOLS: tuple[Tool, ...] = (*short.TOOLS, *file_tool.TOOLS, *pce.TOOLS, *keeping.TOOLS, *governing.TOOLS)
