"""The command `byheart import`: what files hold now replaces what they held at their last import, all in one write."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from ..errors import InvalidArgument
from ..memory.reading import take_in
from ..storage.exchange import read_jsonl
from ..storage.opening import at_home, is_in_process
from .codes import NO
from .opening import open_to_add
from .options import Commands, add_cell, add_embedder, cell_of, on_memory
from .render import counted, one_line, show, show_json

_TOLD = """\
Markdown, text, PDF and HTML are cut into records; .jsonl holds one a line. Importing a file again replaces what it
says otherwise now; what it says as before stays, with all that was put on it since. A file is known by its path from
the folder of the memory file; one that was moved keeps its records. Front matter of Markdown becomes metadata.
PDF, HTML and front matter need the extra: pip install "byheart[documents]".
Every record goes to the cell that is named below, and other cells stay as they are; a line of .jsonl that names
another tenant, scope or class is refused. So is an id that was remembered by hand, or that another file gave.
All or nothing: one bad file, and nothing is remembered. With --sync, files that cannot be read are named on standard
error and left as they were, the exit code is 1, and what was imported from below a folder and is gone is forgotten;
of a folder in which no file is left only with --allow-empty.
Below a folder, hidden files, node_modules, __pycache__ and what .gitignore names are passed over. So are files of other
types; the last line, and "passed_over" of --json, say how many there are of which ending. Links that lead out of the
folder are named, and not read."""
_READING = {"--sync": "sync", "--allow-empty": "allow_empty", "--no-ignore": "no_ignore", "--facts": "facts",
            "--tenant": "tenant", "--scope": "scope", "--class": "boundary_class"}  # fmt: skip
"""The options that say how files are read and where their records go; an export says both itself."""


def add_parsers(commands: Commands) -> None:
    """Add the command."""
    parser = on_memory(
        commands, "import", "remember files and folders (.md, .txt, .jsonl, .pdf, .html)", imported, told=_TOLD,
        no="with --sync: a file was skipped; without: a line names another cell",
        examples=["import notes/ -m me.db", "import --sync notes/ -m me.db --embedder wordllama",
                  "import --exported all.jsonl -m me.db"],
    )  # fmt: skip
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder with all that is below it")
    parser.add_argument("--sync", action="store_true", help="skip what cannot be read, and forget what is gone")
    parser.add_argument("--allow-empty", action="store_true", help="with --sync: also if a folder holds nothing now")
    parser.add_argument("--no-ignore", action="store_true", help="look at what .gitignore names, too, and node_modules")
    parser.add_argument("--facts", action="store_true", help="records of their own for sentences that state a fact")
    parser.add_argument(
        "--exported",
        action="store_true",
        help="PATH is a file made by `byheart export`: its records come back as they were, in their own cells",
    )
    add_embedder(parser)
    add_cell(parser, as_typed=True)


def imported(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int | None:
    """Import files."""
    if args.exported:
        unfit = [f", and no {option}" for option, name in _READING.items() if getattr(args, name) not in (None, False)]
        if unfit or len(args.paths) != 1:
            parser.error(f"import: --exported takes one file{unfit[0] if unfit else ''}")
    if args.allow_empty and not args.sync:
        parser.error("import: --allow-empty goes with --sync")
    for path in args.paths:  # before a memory file is made that nobody wanted
        if not Path(at_home(path)).exists():
            raise InvalidArgument(
                f"import: {path} does not exist" if args.exported else f"{path}: is no file and no folder"
            )
    try:
        return _exported(args) if args.exported else _files(args)
    except KeyboardInterrupt:
        sys.stderr.write("\nbyheart: interrupted; an import is written whole or not at all: import again, which adds"
                         " nothing twice")  # fmt: skip
        raise  # its code, and the end of the line, are those of every command


def _exported(args: argparse.Namespace) -> int | None:
    if not is_in_process(args.memory) and not Path(args.memory).exists():
        read_jsonl(args.paths[0])  # likewise: what cannot be read leaves no empty memory behind
    with open_to_add(args) as memory:
        number, released = take_in(memory, args.paths[0])
    if args.json:
        show_json({"remembered": number, "released": released})
    else:
        show(f"{counted(number, 'record')} remembered")
        if released:
            show(f"{counted(released, 'record')} found again: what stood for it, or in its place, is not in the file")
    return None


def _files(args: argparse.Namespace) -> int | None:
    from .importer import Importer  # on use: other commands do not wait for readers of files

    defaults = cell_of(args)
    with open_to_add(args, tenant=defaults["tenant"]) as memory:
        importer = Importer(memory, args.memory, defaults, facts=args.facts, ignored=args.no_ignore, sync=args.sync,
                            empty=args.allow_empty)  # fmt: skip
        counts = asdict(importer.run(args.paths))
    skipped, gone, passed_over, left_out, elsewhere = (
        counts.pop(name) for name in ("skipped", "gone", "passed_over", "left_out", "elsewhere")
    )
    if args.json:
        more = {"passed_over": passed_over, "left_out": left_out, "skipped": skipped, "gone": gone}
        show_json(counts | {"elsewhere": elsewhere} | more)
    else:
        sources = counted(counts.pop("sources"), "source")
        show(f"{sources} read; records: " + ", ".join(f"{number} {name}" for name, number in counts.items()))
        if elsewhere:
            show(f"{elsewhere} of the unchanged lie in other cells, and stay there")
        for name in gone:
            show(f"gone: {one_line(name)}")
        for each in left_out:
            show(f"left out: {one_line(each['source'])}: {each['reason']}")
        if passed_over:
            files = ", ".join(f"{number} {one_line(ending)}" for ending, number in passed_over.items())
            show(f"passed over, since their type is not read: {files}")
    for each in skipped:
        sys.stderr.write(f"skipped: {one_line(each['reason'])}\n")
    return NO if skipped else None
