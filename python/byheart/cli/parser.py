"""The parser of the command line: the commands of each room, and the help."""

from __future__ import annotations

import argparse
import sys

from .._core import __version__
from . import (
    asking,
    benching,
    completing,
    conversations,
    diagnosing,
    evaluating,
    importing,
    modelling,
    owning,
    reading,
    serving,
    upkeep,
    writing,
)
from .options import Commands, command
from .usage import Parser

EXAMPLE = """\
an example:
  byheart import notes/ --memory me.db
  byheart remember "The kettle is descaled every spring." --memory me.db --topic kitchen
  byheart recall "when do I descale the kettle?" --memory me.db

A memory file whose name ends in .jsonl is text, a record a line, for people and version control to read; each write
costs time in proportion to it. Any other name is the durable file, for programs that write often, shared by processes.
`export BYHEART_MEMORY=me.db` names it once for all commands; `byheart.toml` holds that and other settings. A text that
begins with a dash goes behind --, as in `byheart recall -- "-decaf tea"`.
"""
ROOMS = (importing, writing, asking, reading, owning, conversations, upkeep, diagnosing, modelling, evaluating,
         benching, serving, completing)  # fmt: skip


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; `args.command` is the name of the command."""
    parser: argparse.ArgumentParser = Parser(
        prog="byheart",
        description="A memory in a file: remember texts, recall the few that matter, read why.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"byheart {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _demo(commands)
    for room in ROOMS:
        room.add_parsers(commands)
    return parser


def _demo(commands: Commands) -> None:
    def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
        from .demo import run  # on use: it measures and reads a manual

        run(sys.stdout, quick=args.quick)

    parser = command(
        commands, "demo", "see it remember, recall and explain real text", run, examples=["demo", "demo --quick"]
    )
    parser.add_argument("--quick", action="store_true", help="less text and fewer repeats")
