"""The serving of a memory: from the configuration of a process, which no call can change, to a server that runs."""

from __future__ import annotations

import logging
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..activation.governing import DEFAULT, STORED
from ..boundary import DEFAULT_CLASSES, DEFAULT_SCOPE, DEFAULT_TENANT, Boundary
from ..errors import InvalidArgument
from ..memory.governed import USUAL_TAGS, PolicyOptions
from ..memory.memory import Memory
from ..storage import at_home
from ..words import BoundaryClass, Preset
from .dispatch import Dispatch
from .rates import Limiter, Rate
from .registry import Registry
from .tool import PCE, Service
from .tools import TOOLS

if TYPE_CHECKING:
    from ..embedding import Embedder
    from ..profiles import Profile

MEMORY_VARIABLE = "BYHEART_MEMORY"
SHORTEST_TOKEN = 16
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a process is started with.

    Attributes:
        memory: the memory file.
        tools, names: which tools, and how those with dots are listed (see `Registry.of`).
        read_only: nothing may be changed.
        admin: tools may change what bounds them.
        tenant: whose memory.
        scopes: what may be seen; None for every one. New records go into the first.
        classes: what may be seen. New records are internal if that is among them, else of the first.
        preset, profile: of the index, and of `recall`.
        policy: what bounds the process: a file, "default", or "stored" for the one that the memory has. None: the
            stored one if tools of the group "pce" are offered, else none.
        allow: the tags of the process, which open classes under a policy; a call may only narrow what they open.
        rate: how many calls are answered in a time; None: any number.
        opening: what else the memory is opened with, such as its relations of one value; the scope of new records
            where `scopes` names none.

    """

    memory: Path
    tools: str = "short"
    names: str = "underscores"
    read_only: bool = False
    admin: bool = False
    tenant: str = DEFAULT_TENANT
    scopes: tuple[str, ...] | None = None
    classes: tuple[BoundaryClass, ...] = DEFAULT_CLASSES
    preset: Preset = "default"
    profile: str | Profile | None = None
    policy: str | None = None
    allow: tuple[str, ...] = USUAL_TAGS
    rate: Rate | None = Rate()  # noqa: RUF009 - it is frozen
    opening: Mapping[str, Any] | None = None

    @property
    def boundary_class(self) -> BoundaryClass:
        """The class of new records."""
        return "internal" if "internal" in self.classes else self.classes[0]

    def open(self, embedder: Embedder | None = None) -> Memory:
        """Open the memory with its boundary; a file that is not there is begun, unless it is only read."""
        opening = {"scope": DEFAULT_SCOPE, **(self.opening or {})} | ({"scope": self.scopes[0]} if self.scopes else {})
        boundary = Boundary(self.tenant, self.scopes, self.classes)
        return Memory(
            self.memory, tenant=self.tenant, boundary=boundary, preset=self.preset, embedder=embedder,
            read_only=self.read_only, policy=self.governing(), policy_options=PolicyOptions(allow=self.allow),
            **opening,
        )  # fmt: skip

    def governing(self) -> str | Path | None:
        """Return the policy that the memory is opened with.

        >>> file = Path("me.db")
        >>> Settings(memory=file).governing(), Settings(memory=file, tools="all").governing()
        (None, 'stored')
        """
        if self.policy is None:
            return STORED if any(tool.group == PCE for _, tool in self.registry()) else None
        return self.policy if self.policy in (STORED, DEFAULT) else Path(self.policy)

    def dispatch(self, memory: Memory) -> Dispatch:
        """Return the calls of an open memory."""
        service = Service(
            memory, read_only=self.read_only, admin=self.admin, profile=self.profile,
            boundary_class=self.boundary_class,
        )  # fmt: skip
        return Dispatch(service, self.registry(), None if self.rate is None else Limiter(self.rate))

    def registry(self) -> Registry:
        """Return the tools that are offered."""
        return Registry.of(TOOLS, self.tools, read_only=self.read_only, names=self.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """Where a process listens, and whom it answers.

    Attributes:
        host, port: the address; port 0 takes a free one.
        token: what callers have to bear; None only for this machine.
        hosts, origins: names that callers may give it beside the address, and pages that may call.

    """

    host: str
    port: int
    token: str | None
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what would answer anybody."""
        if self.token is None and self.host not in _LOOPBACK:
            raise InvalidArgument(f"--no-token: {self.host} can be reached from elsewhere; use a token, or 127.0.0.1")
        if self.token is not None and (len(self.token) < SHORTEST_TOKEN or not self.token.isascii()):
            raise InvalidArgument(
                f"token: give at least {SHORTEST_TOKEN} ASCII characters, as from `openssl rand -hex 32`"
            )
        if self.host in ("0.0.0.0", "::", "") and not self.hosts:
            raise InvalidArgument(f"--http {self.host}: say by --allow-host under which name callers reach it")

    def listen(self) -> socket.socket:
        """Return a socket that listens."""
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        try:
            return socket.create_server((self.host, self.port), family=family)
        except (OSError, OverflowError) as error:
            raise InvalidArgument(f"--http {self.host}:{self.port}: cannot listen there ({error})") from None

    def known(self, port: int) -> tuple[list[str], list[str]]:
        """Return what the headers Host and Origin may say.

        >>> Web(host="127.0.0.1", port=0, token=None).known(8807)[0]
        ['127.0.0.1:8807', 'localhost:8807', '[::1]:8807']
        """
        names = ["127.0.0.1", "localhost", "[::1]"] if self.host in _LOOPBACK else [self.host]
        hosts = [f"{name}:{port}" for name in names] + list(self.hosts)
        return hosts, list(self.origins)


def run(settings: Settings, web: Web | None, embedder: Embedder | None = None) -> None:
    """Serve until the host goes, or the process is told to stop.

    Raises:
        MissingExtra: the extra `mcp` is not installed.

    """
    from . import sdk

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="byheart mcp: %(message)s")
    settings.registry()  # before a file is made
    with settings.open(embedder) as memory:
        dispatch = settings.dispatch(memory)
        if web is None:
            sdk.serve_stdio(dispatch)
            return
        with web.listen() as listening:
            port = listening.getsockname()[1]
            app = sdk.web_app(dispatch, web.token, *web.known(port))
            sys.stderr.write(f"byheart mcp: listening on http://{web.host}:{port}{sdk.PATH}\n")
            sys.stderr.flush()
            sdk.serve_http(app, listening)


def memory_file(memory: str | None, project: str | None) -> Path:
    """Return which file is served: the one named, a folder's own, the one of the environment, or the user's.

    A folder's own lies in `.byheart` there, which version control passes over.
    """
    if memory is not None:
        return _in_folder(memory)
    if project is not None:
        folder = Path(project)
        if not folder.is_dir():
            raise InvalidArgument(f"--project: {project!r} is no folder")
        return _private(folder / ".byheart", ignored=True) / "memory.db"
    named = os.environ.get(MEMORY_VARIABLE)
    return _in_folder(named) if named else _private(Path.home() / ".byheart") / "memory.db"


def _in_folder(named: str) -> Path:
    """Return the path of a file, which may be new; its folder has to be there, since the name may be mistyped."""
    folder = Path(at_home(named)).parent
    if not folder.is_dir():
        raise InvalidArgument(f"{named}: there is no folder {str(folder)!r}; make it first")
    return Path(named)


def _private(folder: Path, *, ignored: bool = False) -> Path:
    """Return a folder that its owner alone can read; make it where it is not there."""
    if not folder.exists():
        folder.mkdir(mode=0o700, parents=True)
        if ignored:
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    return folder


def token_of(file: str | None, variable: str) -> str | None:
    """Return the token of a file, or of a variable of the environment; None if neither is there."""
    if file is not None:
        return Path(file).read_text(encoding="utf-8").strip()
    return os.environ.get(variable, "").strip() or None
