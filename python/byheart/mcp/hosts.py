"""The configuration of hosts: what to paste where, so that a host starts `byheart mcp` by itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Host:
    """A host.

    Attributes:
        file: where its snippet goes for all of a user's work.
        project_file: where it goes for one folder; None where the host knows no folders.
        folder: what it writes for that folder.
        key: under which it lists servers; None for one that reads TOML.
        typed: whether an entry says that it is started, not reached by the web.

    """

    file: str
    project_file: str | None
    folder: str = "${workspaceFolder}"
    key: str | None = "mcpServers"
    typed: bool = True


HOSTS: Final[Mapping[str, Host]] = {
    "claude-code": Host("~/.claude.json", ".mcp.json", "${CLAUDE_PROJECT_DIR:-.}"),
    "cursor": Host("~/.cursor/mcp.json", ".cursor/mcp.json", typed=False),
    "vscode": Host("mcp.json of the user (command MCP: Open User Configuration)", ".vscode/mcp.json", key="servers"),
    "codex": Host("~/.codex/config.toml", ".codex/config.toml", ".", key=None),
    "claude-desktop": Host("claude_desktop_config.json (Settings, Developer, Edit Config)", None, typed=False),
}


def snippet(client: str, options: Sequence[str], *, project: bool = False) -> tuple[str, str]:
    """Return what to paste for a host, and where to.

    Args:
        client: the host.
        options: of `byheart mcp`.
        project: a folder's own memory in place of the user's.

    Raises:
        InvalidArgument: the host knows no folders.

    >>> print(snippet("codex", ["--read-only"], project=True)[0])
    [mcp_servers.byheart]
    command = "..."
    args = [..."mcp", "--project", ".", "--read-only"]

    """
    host = HOSTS[client]
    if project and host.project_file is None:
        raise InvalidArgument(f"--project: {client} knows no folders; name a file by --memory")
    command, *first = program()
    args = [*first, "mcp", *(["--project", host.folder] if project else []), *options]
    where = host.project_file if project and host.project_file else host.file
    if host.key is None:
        return "\n".join(("[mcp_servers.byheart]", f"command = {_toml(command)}", f"args = {_toml(args)}")), where
    entry: dict[str, Any] = {"type": "stdio"} if host.typed else {}
    return json.dumps({host.key: {"byheart": entry | {"command": command, "args": args}}}, indent=2), where


def program() -> list[str]:
    """Return how this byheart is started from anywhere: hosts have a path of their own, or none.

    Hosts start it in the folder that is worked on; `-P` keeps Python from taking modules from there.
    """
    script = Path(sys.executable).with_name("byheart.exe" if sys.platform == "win32" else "byheart")
    return [str(script)] if script.exists() else [sys.executable, "-P", "-m", "byheart"]


def _toml(value: str | list[str]) -> str:
    """Return a text, or a list of texts, as TOML: its basic strings are those of JSON."""
    return json.dumps(value, ensure_ascii=True)
