"""The command `byheart mcp`: a memory as a server for hosts, and the snippets that have hosts start it."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..boundary import DEFAULT_CLASSES, DEFAULT_TENANT
from ..errors import InvalidArgument
from ..memory.governed import USUAL_TAGS
from ..profiles import NAMES
from ..storage import at_home
from ..validation import CLASSES
from .configuring import MEMORY_VARIABLE
from .opening import embedder_of
from .options import Commands, add_embedder, add_opening, command, declared
from .render import one_line, show

if TYPE_CHECKING:
    from ..memory.settings import Settings
    from ..profiles import Profile

_TOLD = """\
One file may be served by any number of these at once, and used by other programs beside them. What a server may see
and write is said here, and by nothing that a host asks.
The first example prints what to paste, and where; the second serves this folder's own memory, in .byheart; the third
serves by the web: the token is in BYHEART_MCP_TOKEN."""
CLIENTS = ("claude-code", "cursor", "vscode", "codex", "claude-desktop")
_SPELLINGS = ("underscores", "dots", "both")


def add_parsers(commands: Commands) -> None:
    """Add the command and what is below it."""
    parser = command(
        commands, "mcp", "serve a memory to agents, by the Model Context Protocol", mcp, told=_TOLD,
        examples=["mcp config --client claude-code", "mcp --project .", "mcp --http 127.0.0.1:8807"],
    )  # fmt: skip
    _served(parser)
    parser.set_defaults(needs_memory=False, serves=True)
    below = parser.add_subparsers(dest="mcp", metavar="config")
    config = command(
        below, "config", "print what a host has to be told", _config,
        examples=["mcp config --client claude-code", "mcp config --client cursor --project --read-only"],
    )  # fmt: skip
    config.add_argument("--client", required=True, choices=CLIENTS, help="the host")
    config.set_defaults(needs_memory=None)  # it opens none
    config.add_argument(
        "--project", action="store_true", help="a memory of its own for each folder, in place of the user's"
    )
    config.add_argument("-m", "--memory", metavar="FILE", help="this file, in place of the user's")
    config.add_argument("--settings", metavar="FILE", help="as of `byheart mcp`")
    config.add_argument("--tools", metavar="NAMES", help="as of `byheart mcp`")
    config.add_argument("--read-only", action="store_true", help="as of `byheart mcp`")
    for option in ("--admin", "--policy", "--allow", "--rate"):
        config.add_argument(option, **_GOVERNING[option] | {"help": "as of `byheart mcp`"})


_GOVERNING: dict[str, dict[str, Any]] = {
    "--admin": {"action": "store_true", "help": "let tools change the policy that bounds them"},
    "--policy": {
        "metavar": "FILE",
        "help": "what bounds the server: a file, default, or stored (default: stored with the tools of pce, else none)",
    },
    "--allow": {
        "action": "append",
        "metavar": "TAG",
        "help": f"what the server is for, which opens classes; may be repeated (default: {', '.join(USUAL_TAGS)})",
    },
    "--rate": {
        "metavar": "N/SECONDS",
        "help": "calls that are answered in a time; 0: any number (default: 1000/10)",
    },
}


def _served(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "-m",
        "--memory",
        metavar="FILE",
        help="the memory file (default: $BYHEART_MEMORY, then a file named by --settings, then ~/.byheart/memory.db)",
    )
    which.add_argument("--project", metavar="DIR", help="the folder's own: DIR/.byheart/memory.db")
    add_opening(parser)
    parser.add_argument("--profile", choices=NAMES, help="how recall runs (default: the memory's own)")
    tools = parser.add_argument_group("tools")
    tools.add_argument(
        "--tools",
        default="short",
        metavar="NAMES",
        help="short, files, pce, all, or names, with commas (default: short)",
    )
    tools.add_argument(
        "--names",
        default="underscores",
        choices=_SPELLINGS,
        help="how names with dots are listed (default: %(default)s)",
    )
    tools.add_argument("--read-only", action="store_true", help="only tools that change nothing")
    for option in ("--admin", "--rate"):
        tools.add_argument(option, **_GOVERNING[option])
    seen = parser.add_argument_group("boundary: what the server may see and write, whatever it is asked")
    seen.add_argument("--tenant", default=DEFAULT_TENANT, help="default: %(default)s")
    seen.add_argument(
        "--scope",
        dest="scopes",
        metavar="SCOPE",
        action="append",
        help="may be repeated; new records go into the first (default: every scope)",
    )
    seen.add_argument(
        "--class", dest="classes", action="append", choices=CLASSES, help="may be repeated (default: public, internal)"
    )
    for option in ("--policy", "--allow"):
        seen.add_argument(option, **_GOVERNING[option])
    web = parser.add_argument_group("web: in place of standard input and output")
    web.add_argument("--http", metavar="HOST:PORT", help="listen there; port 0 takes a free one")
    web.add_argument("--token-file", metavar="FILE", help="the bearer token that callers must have")
    web.add_argument(
        "--token-env", metavar="NAME", default="BYHEART_MCP_TOKEN", help="or where it is (default: $%(default)s)"
    )
    web.add_argument("--no-token", action="store_true", help="take every caller on this machine; not for a shared one")
    web.add_argument("--allow-host", action="append", default=[], metavar="NAME", help="another name it is reached by")
    web.add_argument("--allow-origin", action="append", default=[], metavar="URL", help="a page that may call it")
    add_embedder(parser)


def mcp(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Serve a memory."""
    from ..mcp import rates, serving

    of_the_web = ("no_token", "token_file", "allow_host", "allow_origin")
    given = [name for name in of_the_web if getattr(args, name)]
    if given and args.http is None:
        parser.error(f"mcp: --{given[0].replace('_', '-')} is for --http")
    web = None if args.http is None else _web(args, parser)
    settings = serving.Settings(
        memory=serving.memory_file(None if args.project else args.memory, args.project),
        tools=args.tools,
        names=args.names,
        read_only=args.read_only,
        admin=args.admin,
        tenant=args.tenant,
        scopes=None if args.scopes is None else tuple(args.scopes),
        classes=tuple(args.classes or DEFAULT_CLASSES),
        preset=args.preset,
        profile=_profile(args),
        policy=args.policy,
        allow=tuple(args.allow or USUAL_TAGS),
        rate=rates.Rate.parse(args.rate or "1000/10"),
        opening=_opening(args),
    )
    serving.run(settings, web, embedder_of(args))


def _opening(args: argparse.Namespace) -> dict[str, Any] | None:
    """Return what else the memory is opened with: what is said of relations, and what the file of settings says."""
    told = {name: names for name, names in declared(args).items() if names}
    opening = told | {name: value for name, value in args.opening.items() if name != "read_only"}
    if args.configuration is not None and "scope" in args.configuration.opening:
        opening["scope"] = args.configuration.opening["scope"]
    return opening or None


def _profile(args: argparse.Namespace) -> str | Profile | None:
    """Return how recall runs: as it was typed, or as the file of settings says."""
    settings: Settings | None = args.configuration
    typed: str | None = args.profile
    return typed if typed or settings is None or "profile" not in settings.recall else settings.profile()


def _web(args: argparse.Namespace, parser: argparse.ArgumentParser) -> Any:
    """Return where to listen, and whom to answer."""
    from ..mcp import serving

    host, colon, port = args.http.rpartition(":")
    if not (colon and port.isdecimal() and len(port) < 6):
        parser.error("mcp: --http takes HOST:PORT, such as 127.0.0.1:8807")
    token = None if args.no_token else serving.token_of(args.token_file, args.token_env)
    if token is None and not args.no_token:
        raise InvalidArgument(
            f"--http: needs a token, in ${one_line(args.token_env)} or by --token-file; for this machine alone "
            "--no-token does"
        )
    return serving.Web(
        host=host.strip("[]"),
        port=int(port),
        token=token,
        hosts=tuple(args.allow_host),
        origins=tuple(args.allow_origin),
    )


def _config(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    from ..mcp.hosts import snippet
    from ..mcp.rates import Rate
    from ..mcp.registry import Registry
    from ..mcp.tools import TOOLS

    if args.project and args.memory is not None:
        raise InvalidArgument("mcp config: give --project or --memory, not both")
    memory = os.environ.get(MEMORY_VARIABLE) if args.memory is None and not args.project else args.memory
    options = ["--memory", str(Path(at_home(memory)).absolute())] if memory else []
    options += ["--settings", str(Path(at_home(args.settings)).absolute())] if args.settings else []
    if args.tools is not None:
        Registry.of(TOOLS, args.tools)  # so that a word that is none is told here, and not by the host's log
        options += ["--tools", args.tools]
    if args.rate is not None:
        Rate.parse(args.rate)
    options += ["--read-only"] if args.read_only else []
    options += ["--admin"] if args.admin else []
    if args.policy is not None:
        named = args.policy in ("default", "stored")
        options += ["--policy", args.policy if named else str(Path(at_home(args.policy)).absolute())]
    options += [word for tag in args.allow or () for word in ("--allow", tag)]
    options += [] if args.rate is None else ["--rate", args.rate]
    text, where = snippet(args.client, options, project=args.project)
    sys.stderr.write(f"put this into {where}:\n")
    sys.stderr.flush()
    show(text)
