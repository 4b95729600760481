"""`byheart eval`: how well profiles answer a judged collection, and what a prompt gets of a conversation."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from . import arms
from .arms import FORMATS
from .numbers import COUNT, WHOLE
from .opening import embedder_of
from .options import PRESETS, Commands, add_embedder_names, command
from .render import clean, show
from .reporting import add_numbers, report, shown, write_text

if TYPE_CHECKING:
    from ..evaluation.datasets import Collection

PARTS = ("dev", "test", "train", "valid")
RATIOS = ("1:1", "8:1:1")
COMPACTION = ("off", "on", "both")
_TOLD = (
    "A collection is a folder with corpus.jsonl, queries.jsonl and qrels.tsv. Profiles are names, or files: "
    ".toml (a table for each; `byheart.profiles.files` says how) or .py. The first profile is what the others are "
    'compared with. The JSON of two runs is the same but for "timings".'
)
EXAMPLES = (
    "eval --collection data/locomo --profile auto --profile mine.toml --html report.html",
    "eval --collection data/locomo --end-to-end --budget 1024 --compaction both",
    "eval activation --collection data/locomo --embedder wordllama --json activation.json",
    "eval convert longmemeval longmemeval_s.json data/longmemeval",
    "eval router --dataset data/locomo --sample 50 --seed 7 --out runs",
)


def add_parsers(commands: Commands) -> None:
    """Add the commands."""
    help = "measure how well profiles answer a judged collection"
    parser = command(commands, "eval", help, run, told=_TOLD, examples=EXAMPLES)
    parser.description = "Measure how well profiles answer a judged collection: tables, a file of numbers, a page."
    parser.add_argument("--collection", metavar="DIR", help="the judged collection")
    parser.add_argument("--profile", action="append", metavar="NAME", help="may be repeated (default: auto; see below)")
    parser.add_argument("-k", "--k", type=COUNT, default=10, metavar="N", help="how many hits count (default: 10)")
    parser.add_argument("--split", choices=PARTS, help="ask the queries of one part only, drawn by their ids")
    parser.add_argument("--ratio", default="1:1", choices=RATIOS, help="of the parts: dev and test, or train to test")
    parser.add_argument("--preset", choices=PRESETS, help="of the lexical index (default: what suits the collection)")
    add_embedder_names(parser)
    parser.add_argument("--html", metavar="FILE", help="write a page for a browser, which needs no network")
    add_numbers(parser)
    _end_to_end(parser.add_argument_group("end to end: what a prompt gets of conversations, told turn by turn"))
    kinds = parser.add_subparsers(dest="eval", metavar="WHAT")
    _activation(kinds)
    _convert(kinds)
    arms.add_parsers(kinds)


def _end_to_end(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--end-to-end", action="store_true", help="replay the sessions, then ask in a new one")
    group.add_argument(
        "--budget",
        type=WHOLE,
        action="append",
        metavar="N",
        help="tokens of a context; may be repeated (default: 1024)",
    )
    group.add_argument("--compaction", default="off", choices=COMPACTION, help="of each session behind the next one")
    group.add_argument("--limit", type=WHOLE, metavar="N", help="so many conversations only")


def _activation(kinds: Commands) -> None:
    parser = command(
        kinds, "activation", "measure activation against its pass lines", _activated,
        told="Measures activation and its levels of search: claims are asked for by words of their own, beside what "
        "people judged. The share of vectors is chosen on the tenth `valid`, and reported on the tenth `test`.",
        examples=EXAMPLES[2:3],
    )  # fmt: skip
    parser.add_argument("--collection", metavar="DIR", required=True, help="the judged collection")
    add_embedder_names(parser, required=True)
    parser.add_argument("--preset", choices=PRESETS, help="of the lexical index (default: what suits the collection)")
    parser.add_argument("--keep", metavar="FILE", help="a new memory file for the claims, and the event of the run")
    add_numbers(parser)


def _convert(kinds: Commands) -> None:
    help = "make a collection of a file of LongMemEval, LoCoMo, ConvoMem, or questions with sessions"
    parser = command(kinds, "convert", help, _converted, examples=EXAMPLES[3:4])
    parser.add_argument("format", choices=FORMATS, help="of the file")
    parser.add_argument("file", metavar="FILE", help="the file, or a folder of such files (convomem)")
    parser.add_argument("folder", metavar="DIR", help="where the collection goes; must not exist yet, or be empty")
    parser.add_argument("--by", default="turn", choices=("turn", "session"), help="what a document is")
    arms.add_fallback(parser)


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Evaluate, or replay."""
    if args.collection is None:
        parser.error("eval: --collection is missing; name the folder of a judged collection")
    if args.end_to_end:
        _replayed(args)
    else:
        _evaluated(args)


def _evaluated(args: argparse.Namespace) -> None:
    from ..evaluation import tables
    from ..evaluation.runner import evaluate

    found = evaluate(
        _collection(args),
        args.profile or ["auto"],
        embedder=embedder_of(args),
        k=args.k,
        preset=args.preset,
        progress=shown,
    )
    if args.html:
        from ..evaluation.pages import page

        write_text(args.html, page(found.to_dict()))
    report(args, found.to_dict, lambda: tables.markdown(found))


def _replayed(args: argparse.Namespace) -> None:
    from ..evaluation import replay

    found = replay.replay(
        _collection(args),
        args.profile or ["auto"],
        budgets=args.budget or [1024],
        compaction={"off": (False,), "on": (True,), "both": (False, True)}[args.compaction],
        embedder=embedder_of(args),
        preset=args.preset,
        limit=args.limit,
        progress=shown,
    )
    report(args, found.to_dict, lambda: replay.markdown(found))


def _activated(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    from ..evaluation import activation_report, datasets
    from ..evaluation.activation_benchmark import benchmark

    embedder = embedder_of(args)
    assert embedder is not None, "the parser asks for its name"
    collection = datasets.load(args.collection)
    found = benchmark(collection, embedder=embedder, preset=args.preset, path=args.keep, progress=shown)
    report(args, found.to_dict, lambda: activation_report.markdown(found))


def _converted(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    from ..evaluation.converters import convert

    done = convert(args.format, args.file, args.folder, by=args.by, fallback=args.fallback)
    show(clean("\n".join(done.lines())))


def _collection(args: argparse.Namespace) -> Collection:
    from ..evaluation import datasets, splits

    whole = datasets.load(args.collection)
    return whole if args.split is None else splits.split(whole, args.split, splits.RATIOS[args.ratio])
