"""`byheart eval router`, `report` and `compare`: arms of a retrieval bench in one run, and the files about it."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidArgument
from .numbers import COUNT, WHOLE
from .opening import embedder_of
from .options import Commands, add_embedder_names, command
from .render import clean, show
from .reporting import shown, write_json, write_text

if TYPE_CHECKING:
    from ..evaluation.arms.histories import Dataset
    from ..evaluation.arms.receipts import Sampling, Told
    from ..profiles.router import RouterConfig

FORMATS = ("longmemeval", "locomo", "convomem", "sessions")
FALLBACKS = ("none", "first")
POLICIES = ("must", "must+nice", "observations")
SEARCHES = ("auto", "vectors", "words")
MODES = ("append_fill", "rrf_fusion")
_TOLD = (
    "The arms are qmd-only (the first stage), lancedb-only (the second, the baseline) and hybrid (the profile router), "
    "asked the same questions in one run. Files go into a folder of their own below --out, and latest.json there names "
    "the latest: a retrieval report of each arm, compare.json and .md, receipt.json and .md. Extra: lancedb."
)
_ROUTER = (
    "eval router --dataset longmemeval_s.json --format longmemeval --fallback first --sample 50 --seed 7 --out runs",
    "eval router --replay qmd-only.retrieval-report.json lancedb-only.retrieval-report.json --out replays",
)


def add_parsers(kinds: Commands) -> None:
    """Add the commands below `byheart eval`."""
    help = "ask the router and each of its stages the same questions, and judge it"
    router = command(kinds, "router", help, _run_router, told=_TOLD, examples=_ROUTER)
    _asked(router, required=False)
    router.add_argument("--mode", default="append_fill", choices=MODES, help="how the two stages are joined")
    router.add_argument("--always-stage2", action="store_true", help="ask the second stage whatever the first found")
    router.add_argument("--estimate", metavar="MS", help="what the second stage is expected to take; or p95: its last")
    router.add_argument(
        "--lancedb", default="auto", choices=SEARCHES, help="how it searches (default: vectors, if any)"
    )
    router.add_argument("--policy", action="append", choices=POLICIES, help="one more arm: the baseline, keeping less")
    router.add_argument("--accept-loss", action="store_true", help="a loss of recall that is told in numbers will do")
    router.add_argument("--out", metavar="DIR", required=True, help="where the folder of the run goes")
    router.add_argument("--label", default="router", metavar="TEXT", help="in the run's name, behind its time")
    router.add_argument("--run-group", metavar="TEXT", help="the run's name, in place of time and label")
    router.add_argument("--replay", nargs=2, metavar="REPORT", help="of the two stages: nothing is asked anew")

    help = "write the retrieval report of one profile, which the router can replay"
    report = command(kinds, "report", help, _reported, examples=["eval report --dataset data/locomo --report a.json"])
    _asked(report, required=True)
    report.add_argument("--profile", default="auto", metavar="NAME", help="a name, or a file of your own")
    report.add_argument("--report", metavar="FILE", required=True, help="where the report goes")

    help = "put retrieval reports beside each other; the first is the baseline"
    compare = command(kinds, "compare", help, _compared, examples=["eval compare fast.json auto.json --json all.json"])
    compare.add_argument("reports", nargs="+", metavar="REPORT", help="or comparisons of several seeds: what they say")
    compare.add_argument("--json", metavar="FILE", help="write all numbers")


def add_fallback(parser: argparse.ArgumentParser) -> None:
    """Add what becomes of questions without an answer."""
    parser.add_argument(
        "--fallback",
        default="none",
        choices=FALLBACKS,
        help="first: the first session answers a question whose file names no answer, which flatters",
    )


def _asked(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add what says which questions are asked."""
    parser.add_argument(
        "--dataset", metavar="PATH", required=required, help="a file, or the folder of a judged collection"
    )
    parser.add_argument("--format", default="sessions", choices=FORMATS, help="of the file (default: sessions)")
    add_fallback(parser)
    parser.add_argument("--sample", type=WHOLE, metavar="N", help="draw so many questions")
    parser.add_argument("--seed", type=WHOLE, action="append", metavar="N", help="of the draw; several: a run for each")
    parser.add_argument("--limit", type=WHOLE, metavar="N", help="of the questions that were drawn, the first")
    parser.add_argument("--save-dataset", metavar="FILE", help="write what is asked as questions with sessions, too")
    parser.add_argument("-k", "--k", type=COUNT, default=10, metavar="N", help="how many sessions count (default: 10)")
    add_embedder_names(parser)


def _run_router(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if args.replay is not None:
        _replayed(args)
    elif args.dataset is None:
        parser.error("eval router: --dataset is missing; name a file with questions, or --replay two reports")
    else:
        _routed(args)


def _routed(args: argparse.Namespace) -> None:
    from ..evaluation.arms import comparing, receipts, router_run, run_files

    now, seeds = time.time(), args.seed or [None]
    if len(seeds) > 1 and args.save_dataset:
        raise InvalidArgument("--save-dataset: is of one seed; name one")
    dataset, embedder = _dataset(args, seeds[0]), embedder_of(args)
    whole = _group(args, now)
    told = []
    for seed in seeds:
        found = receipts.router_run_of(
            dataset,
            _config(args),
            sampling=_sampling(args, seed),
            policies=list(dict.fromkeys(args.policy or ())),
            embedder=embedder,
            lancedb=args.lancedb,
            accept_loss=args.accept_loss,
            run_group=whole if len(seeds) == 1 else f"{whole}-seed{seed}",
            created=run_files.written_at(now),
            progress=shown,
        )
        told.append(found.compared)
        _kept(args, found, router_run.as_markdown(found.receipt))
    if len(told) > 1:
        over = comparing.over_seeds(told)
        write_json(str(Path(args.out) / f"{whole}-seeds.json"), over)
        show(clean(comparing.seeds_as_markdown(over)))


def _replayed(args: argparse.Namespace) -> None:
    from ..evaluation.arms import receipts, retrieval_report, router_run

    first, second = (retrieval_report.read(path) for path in args.replay)
    found = receipts.router_replay_of(
        first, second, _config(args), accept_loss=args.accept_loss, run_group=_group(args, time.time())
    )
    _kept(args, found, router_run.as_markdown(found.receipt))


def _reported(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    from ..evaluation.arms import receipts, retrieval_report, run_files
    from ..evaluation.arms.running import Arm
    from ..evaluation.profile_files import profiles_of

    profiles, seeds = profiles_of([args.profile]), args.seed or [None]
    if len(profiles) > 1 or len(seeds) > 1:
        raise InvalidArgument("report: is of one profile and one seed; name one of each")
    [profile] = profiles
    now = time.time()
    reports = receipts.reported(
        _dataset(args, seeds[0]),
        [Arm(profile.name, lambda: profile, args.k, mode=profile.name)],
        sampling=_sampling(args, seeds[0]),
        embedder=embedder_of(args),
        run_group=run_files.run_group("report", now),
        created=run_files.written_at(now),
        progress=shown,
    )
    told = reports[profile.name]
    write_text(args.report, retrieval_report.as_json(told))
    show(clean(retrieval_report.as_markdown(told)))


def _compared(args: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    import json

    from ..evaluation.arms import comparing, retrieval_report

    told: dict[str, Any]
    try:
        found = [json.loads(Path(path).read_text(encoding="utf-8")) for path in args.reports]
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"compare: a file cannot be read ({error})") from error
    if all(isinstance(each, dict) and each.get("schema") == comparing.SCHEMA for each in found):
        told = comparing.over_seeds(found)
        shown_as = comparing.seeds_as_markdown(told)
    else:
        reports = {path: retrieval_report.read(path) for path in args.reports}
        names = [report["provider"] for report in reports.values()]
        unlike = len(set(names)) == len(names)
        called = {report["provider"] if unlike else path: report for path, report in reports.items()}
        told = comparing.compare(called, next(iter(called)))
        shown_as = comparing.as_markdown(told)
    if args.json:
        write_json(args.json, told)
    show(clean(shown_as))


def _kept(args: argparse.Namespace, found: Told, text: str) -> None:
    """Write the files of a run, and show its receipt."""
    from ..evaluation.arms import run_files

    home = run_files.write(args.out, found.run_group, found.files())
    show(clean(f"{text}\nWritten to {home}.\n"))


def _group(args: argparse.Namespace, now: float) -> str:
    from ..evaluation.arms import run_files

    return run_files.run_group(args.label, now) if args.run_group is None else run_files.slug(args.run_group)


def _config(args: argparse.Namespace) -> RouterConfig:
    from ..profiles.gated import RUNNING
    from ..profiles.router import RouterConfig

    try:
        estimate = args.estimate if args.estimate in (None, RUNNING) else float(args.estimate)
    except ValueError:
        raise InvalidArgument(f"--estimate: is {args.estimate!r}; give milliseconds, or p95") from None
    return RouterConfig(top_k=args.k, mode=args.mode, always_stage2=args.always_stage2, estimate=estimate)


def _dataset(args: argparse.Namespace, seed: int | None) -> Dataset:
    """Return the dataset; what is asked of it is written where that is wanted."""
    from ..evaluation.arms import dataset_files, histories

    dataset = histories.read(args.dataset, args.format, fallback=args.fallback)
    if args.save_dataset:
        sampling = _sampling(args, seed)
        dataset_files.save(args.save_dataset, sampling.of(dataset), sampling.to_dict())
    return dataset


def _sampling(args: argparse.Namespace, seed: int | None) -> Sampling:
    from ..evaluation.arms.receipts import Sampling

    return Sampling(args.sample, seed, args.limit)
