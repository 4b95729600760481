"""`byheart bench`: how long things take on this machine, at several sizes."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from .numbers import COUNT, HITS
from .opening import embedder_of
from .options import Commands, add_embedder_names, command
from .reporting import add_numbers, report, shown

if TYPE_CHECKING:
    from ..embedding import Embedder

SIZES = (1_000, 10_000, 100_000)


def add_parsers(commands: Commands) -> None:
    """Add the command."""
    help = "time every profile on this machine, at several sizes"
    parser = command(
        commands, "bench", help, run, examples=["bench", "bench --sizes 1000 --profile auto --embedder hashing"],
        told="Times building, opening and asking a memory of made-up texts. Times are of this machine and this moment. "
        "Without an embedder, profiles that compare meanings rest on words; --embedder hashing times them whole.",
    )  # fmt: skip
    parser.add_argument("--profile", action="append", metavar="NAME", help="may be repeated (default: all by name)")
    parser.add_argument(
        "--sizes", type=COUNT, nargs="+", default=SIZES, metavar="N", help="records (default: 1000 10000 100000)"
    )
    parser.add_argument("--queries", type=COUNT, default=200, metavar="N", help="of each profile (default: 200)")
    parser.add_argument("-k", "--k", type=HITS, default=10, metavar="N", help="hits (default: 10)")
    parser.add_argument("--threads", type=COUNT, metavar="N", help="who ask at once (default: the cores, at most 4)")
    add_embedder_names(parser)
    add_numbers(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Measure, and print."""
    from ..evaluation import benching
    from ..profiles import NAMES

    named = embedder_of(args)  # checks the name here, where an error is one line
    found = benching.bench(
        args.profile or NAMES,
        sizes=args.sizes,
        queries=args.queries,
        k=args.k,
        threads=args.threads,
        embedder=None if named is None else partial(_embedder, args.embedder, args.model_profile),
        progress=shown,
    )
    report(args, lambda: found, lambda: benching.markdown(found))


def _embedder(name: str, profile: str | None) -> Embedder:
    made = embedder_of(argparse.Namespace(embedder=name, model_profile=profile))
    assert made is not None, "a name was given"
    return made
