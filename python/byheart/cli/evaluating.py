"""`byheart eval`: how well profiles answer a judged collection, and what a prompt gets of a conversation."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import InvalidArgument
from .opening import embedder_of
from .progress import Progress
from .render import clean, show, show_json

if TYPE_CHECKING:
    from ..evaluation.datasets import Collection

T = TypeVar("T")
PARTS = ("dev", "test", "train", "valid")
RATIOS = ("1:1", "8:1:1")
PRESETS = ("default", "conversation")
FORMATS = ("longmemeval", "locomo", "convomem", "sessions")
COMPACTION = ("off", "on", "both")
EXAMPLE = """\
a collection is a folder with corpus.jsonl, queries.jsonl and qrels.tsv. Profiles are names, or files of your own: .toml
(a table for each; `byheart.evaluation.profile_files` says how) or .py. The first profile is what the others are
compared with. The JSON of two runs is the same but for "timings".

examples:
  byheart eval --collection data/locomo --profile auto --profile mine.toml --html report.html
  byheart eval --collection data/locomo --end-to-end --budget 1024 --compaction both
  byheart eval activation --collection data/locomo --embedder wordllama --json activation.json
  byheart eval convert longmemeval longmemeval_s.json data/longmemeval
  byheart eval router --dataset data/locomo --sample 50 --seed 7 --out runs
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "eval",
        help="measure how well profiles answer a judged collection",
        description="Measure how well profiles answer a judged collection: tables, a file of numbers, a page.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--collection", metavar="DIR", help="the judged collection")
    parser.add_argument("--profile", action="append", metavar="NAME", help="may be repeated (default: auto; see below)")
    parser.add_argument("-k", "--k", type=int, default=10, metavar="N", help="how many hits count (default: 10)")
    parser.add_argument("--split", choices=PARTS, help="ask the queries of one part only, drawn by their ids")
    parser.add_argument("--ratio", default="1:1", choices=RATIOS, help="of the parts: dev and test, or train to test")
    parser.add_argument("--preset", choices=PRESETS, help="of the lexical index (default: what suits the collection)")
    parser.add_argument("--embedder", metavar="NAME", help="hashing, wordllama, or a folder with a model")
    parser.add_argument("--model-profile", metavar="NAME", help="how the folder's ONNX model is asked")
    parser.add_argument("--html", metavar="FILE", help="write a page for a browser, which needs no network")
    parser.add_argument("--json", metavar="FILE", help="write all numbers; - prints them in place of the tables")
    _end_to_end(parser.add_argument_group("end to end: what a prompt gets of conversations, told turn by turn"))
    from . import arms  # here, since it writes files as this module does

    kinds = parser.add_subparsers(dest="eval", metavar="WHAT")
    _activation(kinds)
    _convert(kinds)
    arms.add_parsers(kinds)


def _end_to_end(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--end-to-end", action="store_true", help="replay the sessions, then ask in a new one")
    group.add_argument(
        "--budget", type=int, action="append", metavar="N", help="tokens of a context; may be repeated (default: 1024)"
    )
    group.add_argument("--compaction", default="off", choices=COMPACTION, help="of each session behind the next one")
    group.add_argument("--limit", type=int, metavar="N", help="so many conversations only")


def _activation(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = kinds.add_parser(
        "activation",
        help="measure activation against its pass lines",
        description="Measure activation and its levels of search: claims are asked for by words of their own, beside "
        "what people judged. The share of vectors is chosen on the tenth `valid`, and reported on the tenth `test`.",
        allow_abbrev=False,
    )
    parser.add_argument("--collection", metavar="DIR", required=True, help="the judged collection")
    parser.add_argument(
        "--embedder", metavar="NAME", required=True, help="hashing, wordllama, or a folder with a model"
    )
    parser.add_argument("--model-profile", metavar="NAME", help="how the folder's ONNX model is asked")
    parser.add_argument("--preset", choices=PRESETS, help="of the lexical index (default: what suits the collection)")
    parser.add_argument("--keep", metavar="FILE", help="a new memory file for the claims, and the event of the run")
    parser.add_argument("--json", metavar="FILE", help="write the receipt; - prints it in place of the tables")


def _convert(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = kinds.add_parser(
        "convert",
        help="make a collection of a file in another format",
        description="Make a collection of a file of LongMemEval, LoCoMo, ConvoMem, or questions with sessions.",
        allow_abbrev=False,
    )
    parser.add_argument("format", choices=FORMATS, help="of the file")
    parser.add_argument("file", metavar="FILE", help="the file, or a folder of such files (convomem)")
    parser.add_argument("folder", metavar="DIR", help="where the collection goes; must not exist yet, or be empty")
    parser.add_argument("--by", default="turn", choices=("turn", "session"), help="what a document is")
    parser.add_argument(
        "--fallback",
        default="none",
        choices=("none", "first"),
        help="first: the first session answers a question whose file names no answer, which flatters",
    )


def run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Evaluate, replay, convert, or run arms."""
    if args.eval == "convert":
        _converted(args)
        return
    if args.eval == "activation":
        _activated(args)
        return
    if args.eval is not None:
        from . import arms

        arms.run(args, parser)
        return
    if args.collection is None:
        parser.error("eval: --collection is missing; name the folder of a judged collection")
    if args.end_to_end:
        _replayed(args)
        return
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
    told = found.to_dict() if args.json or args.html else {}
    if args.html:
        from ..evaluation.pages import page

        write_text(args.html, page(told))
    if args.json == "-":
        show_json(told)
        return
    if args.json:
        write_json(args.json, told)
    show(clean(tables.markdown(found)))


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
    if args.json == "-":
        show_json(found.to_dict())
        return
    if args.json:
        write_json(args.json, found.to_dict())
    show(clean(replay.markdown(found)))


def _activated(args: argparse.Namespace) -> None:
    from ..evaluation import activation_report, datasets
    from ..evaluation.activation_benchmark import benchmark

    embedder = embedder_of(args)
    assert embedder is not None, "the parser asks for its name"
    collection = datasets.load(args.collection)
    found = benchmark(collection, embedder=embedder, preset=args.preset, path=args.keep, progress=shown)
    if args.json == "-":
        show_json(found.to_dict())
        return
    if args.json:
        write_json(args.json, found.to_dict())
    show(clean(activation_report.markdown(found)))


def _converted(args: argparse.Namespace) -> None:
    from ..evaluation.converters import convert

    done = convert(args.format, args.file, args.folder, by=args.by, fallback=args.fallback)
    show(clean("\n".join(done.lines())))


def _collection(args: argparse.Namespace) -> Collection:
    from ..evaluation import datasets, splits

    whole = datasets.load(args.collection)
    return whole if args.split is None else splits.split(whole, args.split, splits.RATIOS[args.ratio])


def shown(label: str, steps: Iterable[T], total: int) -> Iterator[T]:
    """Loop with a progress bar on a terminal."""
    with Progress(label, max(1, total)) as bar:
        for step in steps:
            yield step
            bar.step()


def write_json(file: str, value: Any) -> None:
    """Write numbers into a file, the same bytes for the same numbers."""
    write_text(file, json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=1) + "\n")


def write_text(file: str, text: str) -> None:
    """Write a text into a file."""
    try:
        Path(file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InvalidArgument(f"{file}: cannot be written ({error.strerror})") from None
