"""Options that several commands have, each spelled once, and what stands below the help of every command."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from ..boundary import DEFAULT_SCOPE, DEFAULT_TENANT
from ..validation import CLASSES
from .codes import TOLD

Run: TypeAlias = Callable[[argparse.Namespace, argparse.ArgumentParser], "int | None"]
Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

PRESETS = ("default", "conversation")
MEMORY = (
    "the memory file: text if its name ends in .jsonl, else the durable one; :memory: lasts as long as the command "
    "(default: $BYHEART_MEMORY, then byheart.toml)"
)
_CELL: Final = {"tenant": DEFAULT_TENANT, "scope": DEFAULT_SCOPE, "boundary_class": "internal"}
_WIDTH = 100
_WRAPPED: Final = re.compile(r"(?<![.:])\n(?! )")
"""Where a line of the source ends amid a sentence: it is wrapped anew, or every second line would be short."""
_RELATIONS: Final = {
    "--relations": "a relation of your own, for facts",
    "--single-valued": "a relation with one value at a time, such as lives_in: a later fact supersedes the earlier one",
}


def declared(args: argparse.Namespace) -> dict[str, Any]:
    """Return what a command line says of relations, as `Memory` takes it."""
    return {name: getattr(args, name) or () for name in ("relations", "single_valued")}


def command(
    commands: Commands,
    name: str,
    help: str,
    run: Run | None,
    *,
    examples: Sequence[str],
    told: str = "",
    no: str = "it was refused",
    aliases: Sequence[str] = (),
) -> argparse.ArgumentParser:
    """Add a command.

    Args:
        commands: where.
        name: what it is called.
        aliases: other names.
        help: what it does, in a line.
        run: does it, and returns the exit code if that is not 0.
        examples: command lines without the word `byheart`.
        told: what else the help says.
        no: what exit code 1 means.

    """
    parser = commands.add_parser(
        name,
        help=help,
        description=help[0].upper() + help[1:] + ".",
        epilog=below(examples, told, no),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        aliases=list(aliases),
    )
    if run is not None:
        parser.set_defaults(run=run, parser=parser)
    return parser


def below(examples: Sequence[str], told: str = "", no: str = "it was refused") -> str:
    """Return what stands below the options: what else is told, examples, exit codes."""
    whole = _WRAPPED.sub(" ", told).split("\n") if told else []
    lines = [textwrap.fill(each, _WIDTH, break_on_hyphens=False) for each in whole]
    shown = "\n".join(f"  byheart {example}" for example in examples)
    codes = textwrap.fill(f"exit codes: {TOLD.format(no=no)}", _WIDTH)
    return "\n\n".join(["\n".join(lines)] * bool(lines) + [f"examples:\n{shown}", codes])


def on_memory(commands: Commands, name: str, help: str, run: Run, **more: Any) -> argparse.ArgumentParser:
    """Add a command that works on a memory file; further arguments as of `command`."""
    parser = command(commands, name, help, run, **more)
    add_memory(parser)
    add_json(parser)
    parser.set_defaults(needs_memory=True)
    return parser


def add_memory(parser: argparse.ArgumentParser) -> None:
    """Add what names a memory file and how its words are counted."""
    parser.add_argument("-m", "--memory", metavar="FILE", help=MEMORY)
    add_opening(parser)


def add_opening(parser: argparse.ArgumentParser) -> None:
    """Add the file of settings, and how a memory is opened."""
    parser.add_argument("--settings", metavar="FILE", help="in place of byheart.toml in this folder, if there is one")
    parser.add_argument("--preset", default="default", choices=PRESETS, help="conversation: made of chat turns")
    for option, told in _RELATIONS.items():
        parser.add_argument(option, action="append", metavar="NAME", help=f"{told}; may be repeated")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the output for programs."""
    parser.add_argument("--json", action="store_true", help="print JSON, the same bytes for the same answer")


def add_embedder(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Add what makes vectors of texts."""
    group = parser.add_argument_group("embedder: for profiles that compare meanings; the same one each time")
    add_embedder_names(group, required=required)


def add_embedder_names(parser: argparse._ActionsContainer, *, required: bool = False) -> None:
    """Add the two options that name an embedder."""
    parser.add_argument(
        "--embedder", metavar="NAME", required=required, help="hashing, wordllama, or a folder with a model"
    )
    parser.add_argument(
        "--model-profile", metavar="NAME", help="how the folder's ONNX model is asked: all-MiniLM-L6-v2 ..."
    )


def add_vectors(parser: argparse.ArgumentParser, of: str) -> None:
    """Add vectors that are made elsewhere; `of` says of what."""
    group = parser.add_argument_group("vectors: made elsewhere, in place of an embedder")
    group.add_argument("--vectors", metavar="NAME:WIDTH", help="the model that makes them, and how wide they are")
    group.add_argument("--vector", metavar="JSON", help=f"that of the {of}, as a list of numbers; @FILE reads it there")


def add_seen(parser: argparse.ArgumentParser, classes: str = "public, internal") -> None:
    """Add what a command may see: a boundary; `classes` says which classes, where none is named."""
    group = parser.add_argument_group("boundary: what the command may see")
    group.add_argument("--tenant", default=DEFAULT_TENANT, help="default: %(default)s")
    _add_cells(group, "every scope", classes)


def add_part(parser: argparse.ArgumentParser) -> None:
    """Add what part of a file a command works on that works on all of it otherwise."""
    group = parser.add_argument_group("boundary: the part of the file that the command sees (default: all of it)")
    group.add_argument("--tenant", help="default: every tenant; with one of the others: default")
    _add_cells(group, "every scope", "public, internal, once a part is named")


def _add_cells(group: argparse._ArgumentGroup, scopes: str, classes: str) -> None:
    group.add_argument(
        "--scope", dest="scopes", action="append", metavar="SCOPE", help=f"may be repeated (default: {scopes})"
    )
    group.add_argument(
        "--class", "--boundary-class", dest="classes", action="append", choices=CLASSES,
        help=f"may be repeated (default: {classes})",
    )  # fmt: skip


def add_cell(parser: argparse.ArgumentParser, *, as_typed: bool = False) -> None:
    """Add the options of a cell that records go to; with `as_typed`, one that is left out is None."""
    group = parser.add_argument_group("cell: where the records go")
    for option, name in (("--tenant", "tenant"), ("--scope", "scope")):
        group.add_argument(option, default=None if as_typed else _CELL[name], help=f"default: {_CELL[name]}")
    group.add_argument(
        "--class", "--boundary-class", dest="boundary_class", choices=CLASSES,
        default=None if as_typed else _CELL["boundary_class"], help=f"default: {_CELL['boundary_class']}",
    )  # fmt: skip


def cell_of(args: argparse.Namespace) -> dict[str, str]:
    """Return where records go, with the defaults of what was not typed."""
    return {name: default if getattr(args, name) is None else getattr(args, name) for name, default in _CELL.items()}


def boundary_of(args: argparse.Namespace) -> dict[str, object]:
    """Return what a command may see, as far as it was said; empty where nothing was."""
    asked = {"tenant": args.tenant, "scopes": args.scopes, "classes": args.classes}
    return {name: value for name, value in asked.items() if value is not None}
