"""The command `byheart doctor`: versions, what is installed, the state of a memory file, and what to do."""

from __future__ import annotations

import argparse
import sys
from importlib import util
from pathlib import Path
from typing import Any, Final

from .. import _core
from ..errors import ByheartError, CorruptIndex, CorruptRecord, CorruptStore, ReadOnlyStore
from ..memory.memory import Memory
from ..storage import is_in_process, is_text
from ..storage.around import check_one_name
from ..storage.beside import EMPTY_FILE
from ..storage.checking import WAY_OUT
from ..storage.connection import application_of
from ..storage.lines import FORMAT, VERSION
from ..storage.schema import APPLICATION_ID
from . import wording
from .codes import Negative
from .options import Commands, add_json, add_memory, command, declared
from .render import Style, one_line, show, show_json
from .vectors import lacking

_MODULES: Final = {
    "static": ("tokenizers", "wordllama"),
    "onnx": ("onnxruntime", "tokenizers"),
    "documents": ("bs4", "pypdf", "yaml"),
    "policy": ("yaml",),
    "rerank": ("httpx2",),
    "mcp": ("mcp",),
    "duckdb": ("duckdb",),
    "lancedb": ("lancedb",),
}
"""The modules that each extra brings."""

_CHECK: Final = "`byheart check --repair`"
_REPAIR: Final = f"; {_CHECK} removes what is damaged"
_BACKUP: Final = "; nothing mends it as a whole: put a backup in its place"
_OTHERS: Final = "; name the memory's own file, or a backup of it"
_FIRST_LINE: Final = (
    f'; put a backup in its place, or write line 1 anew: {{"format": "{FORMAT}", "version": {VERSION}}}'
)
_HEAD: Final = 1_000  # bytes that say whose a file is
_SAYS_WHAT_TO_DO: Final = (EMPTY_FILE, _CHECK, WAY_OUT)
"""What messages say themselves of what to do; nothing is added to these."""


def add_parsers(commands: Commands) -> None:
    """Add the command."""
    parser = command(
        commands, "doctor", "say what is installed, how the memory file is, and what to do", doctor,
        no="something is to be done", examples=["doctor", "doctor -m me.db --json"],
        told="The whole file is looked at, as by `byheart check`; nothing is changed.",
    )  # fmt: skip
    add_memory(parser)
    add_json(parser)
    parser.set_defaults(needs_memory=False)


def doctor(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Look at everything, and say what to do."""
    todo: list[str] = []
    told = {
        "versions": _versions(),
        "instruction_set": _core.active_isa(),
        "extras": {name: _missing(modules) == [] for name, modules in _MODULES.items()},
        "embedders": _embedders(),
        "memory": None if args.memory is None else _memory(args, todo),
        "todo": todo,
    }
    if args.json:
        show_json(told)
    else:
        show(_lines(told))
    if todo:
        raise Negative(f"{len(todo)} to do" if len(todo) > 1 else todo[0])


def _versions() -> dict[str, str]:
    import platform
    import sqlite3
    from importlib import metadata  # on use: other commands do not wait for these

    return {
        "byheart": _core.__version__,
        "python": platform.python_version(),
        "numpy": metadata.version("numpy"),
        "sqlite": sqlite3.sqlite_version,
        "platform": platform.platform(),
    }


def _missing(modules: tuple[str, ...]) -> list[str]:
    return [name for name in modules if util.find_spec(name) is None]


def _embedders() -> dict[str, str]:
    """Return which embedders can be used; of the others, what to install."""
    found = {"hashing": "ready"}
    for name, extra in (("wordllama", "static"), ("folder with ONNX", "onnx"), ("folder with model2vec", "static")):
        missing = [each for each in _missing(_MODULES[extra]) if each != "wordllama" or name == "wordllama"]
        found[name] = f'pip install "byheart[{extra}]"' if missing else "ready"
    return found


def _memory(args: argparse.Namespace, todo: list[str]) -> dict[str, Any]:
    """Return how a memory file is; what is wrong with it is something to do."""
    there = is_in_process(args.memory) or Path(args.memory).exists()
    told: dict[str, Any] = {"file": args.memory, "exists": there}
    if not there:
        todo.append(f"{args.memory}: is not there yet; remember or import something first")
        return told
    if not is_in_process(args.memory):
        told["bytes"] = Path(args.memory).stat().st_size
        if not is_text(args.memory):
            todo.extend(_one_name(Path(args.memory).resolve()))
    try:
        read_only = not is_in_process(args.memory)
        with Memory(args.memory, preset=args.preset, read_only=read_only, **declared(args)) as memory:
            told["opened"] = memory.opened
            told["tenants"] = len(memory.tenants())
            told["records"] = sum(memory.count(boundary=_all(tenant)) for tenant in memory.tenants())
            problems = [problem.message for problem in memory.check()]
            advice = _REPAIR
        missing = None if problems else lacking(args.memory, told["records"])
        todo.extend([missing] if missing else [])
    except (ByheartError, OSError) as error:
        problems, advice = [wording.told(error)], _advice(error, args.memory)
    told["problems"] = problems
    if problems:
        place = "" if Path(args.memory).name in problems[0] else f"{args.memory}: "
        said = any(each in problems[0] for each in _SAYS_WHAT_TO_DO)
        todo.append(f"{place}{problems[0]}{'' if said else advice}")
    return told


def _one_name(path: Path) -> list[str]:
    """Return what to do about a file that has several names."""
    try:
        check_one_name(path)
    except ReadOnlyStore as error:
        return [str(error)]
    return []


def _advice(error: Exception, file: str) -> str:
    """Return what to do about a file that cannot be opened: a repair mends records, and no file as a whole."""
    if isinstance(error, CorruptIndex):
        return _REPAIR
    if not isinstance(error, CorruptRecord):
        return ""
    if is_text(file):
        with Path(file).open("rb") as opened:
            head = opened.read(_HEAD)
        return _FIRST_LINE if FORMAT.encode() in head.partition(b"\n")[0] else _OTHERS
    if application_of(Path(file).resolve()) not in (-1, APPLICATION_ID):
        return _OTHERS
    return _BACKUP if isinstance(error, CorruptStore) else _REPAIR


def _all(tenant: str) -> dict[str, Any]:
    from ..validation import CLASSES

    return {"tenant": tenant, "classes": CLASSES}


def _lines(told: dict[str, Any]) -> str:
    style, lines = Style(sys.stdout), []
    for name in ("versions", "extras", "embedders", "memory"):
        part = told[name] or {}
        lines += [style.bold(name)] * bool(part)
        lines += [f"  {each.ljust(22)} {one_line(_said(value))}" for each, value in part.items()]
    lines.insert(len(told["versions"]) + 1, f"  {'instruction set'.ljust(22)} {told['instruction_set']}")
    lines += [style.bold("to do")] + [f"  {one_line(each)}" for each in told["todo"] or ["nothing: all is well"]]
    return "\n".join(lines)


def _said(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "; ".join(map(str, value)) or "none"
    return str(value)
