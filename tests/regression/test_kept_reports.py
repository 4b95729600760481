"""Reports, pages and drawings as they were kept: of made-up collections, with times that are made up, too.

Who reads one learns from its numbers, so that none of them moves unseen. What is changed on purpose is written anew:
`python -m tests.regression.test_kept_reports`. Versions are left out, and of digests all but their length.
"""

from __future__ import annotations

import itertools
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byheart.embedding import HashingEmbedder
from byheart.evaluation import activation_report, drawing, pages, replay, router_report, runner, tables
from byheart.evaluation.activation_benchmark import benchmark
from byheart.evaluation.arms import comparing, receipts, retrieval_report
from byheart.evaluation.arms.histories import read
from byheart.evaluation.datasets import Collection, Document, Query, load

from ..unit import bench_files, judged
from ..unit.router_runs import routed

KEPT = Path(__file__).with_name("reports")
DIGEST = re.compile(r"\b(?=[0-9]*[a-f])[0-9a-f]{12,64}\b|\b\d+\.\d+\.\d+(?:\.\w+)?\b")
OF_TIME = re.compile(r"(?:_ms|_ms_mean|_seconds|microseconds|_ms_p\d+|_per_second)$|^(?:p50|p95|p99|took|latency)")
OF_MACHINE = {"environment", "platform", "packages", "python", "git_commit", "git_dirty"}
NO_TIME = {"stage2_cap_ms", "p95_target_ms", "cap_ms"}


def steady(value: Any, times: Iterator[int] | None = None, *, timed: bool = False) -> Any:
    """Return a report with made-up times, each another one, in the place of those that were measured."""
    times = itertools.count(1) if times is None else times
    if isinstance(value, dict):
        return {
            name: steady(each, times, timed=name not in NO_TIME and (timed or OF_TIME.search(str(name)) is not None))
            for name, each in value.items()
            if name not in OF_MACHINE
        }
    if isinstance(value, list | tuple):
        return [steady(each, times, timed=timed) for each in value]
    measured = timed and isinstance(value, int | float) and not isinstance(value, bool)
    return 37.5 * next(times) if measured else value


def written(value: Any) -> str:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False, default=str) + "\n"


def evaluation(folder: Path) -> dict[str, str]:
    """A collection of conversations, and one in which some queries have no answer, by three profiles."""
    found = {}
    for name, made in (("conversations", judged.conversations), ("subjects", judged.subjects)):
        options = {"unanswerable": True} if made is judged.subjects else {}
        ran = runner.evaluate(load(made(folder / name, **options)), ["dense", "kb-balanced", "hybrid"],
                              embedder=HashingEmbedder(16))  # fmt: skip
        told = ran.to_dict()
        told["timings"] = steady(told["timings"], timed=True)
        found |= {f"{name}.html": pages.page(told), f"{name}.md": tables.markdown(ran, timings=False)}
    return found


def drawings(folder: Path) -> dict[str, str]:
    """Drawings of numbers of all sizes."""
    places = [(0.41, 0.38, 0.47, 80.0, 240.0), (0.42, 0.4, 0.44, 950.0, 3_300.0), (0.9, 0.0, 1.0, 8.0, 2.1e6)]
    points = [
        {"name": f"<{at}>", "mean": mean, "low": low, "high": high, "p50": p50, "p95": p95}
        for at, (mean, low, high, p50, p95) in enumerate(places)
    ]
    laps = [
        ("few", 130.0, {"search": 90.0, "cut": 0.01}),
        ("many", 1_530.0, {"search": 420.0, "rerank & cut": 1_101.0}),
    ]
    values = [0.0, 0.25, -1.0, 0.5, -0.125, 1.0, 0.0]
    return {
        "scatter.svg": drawing.scatter(points, "nDCG@10"),
        "waterfall.svg": drawing.waterfall(laps),
        "differences.svg": drawing.differences(values, "one", "other"),
        "no_differences.svg": drawing.differences([], "one", "other"),
    }


def told_turn_by_turn(folder: Path) -> dict[str, str]:
    """Conversations that are told turn by turn, with and without compaction."""
    found = replay.replay(
        load(judged.conversations(folder / "told")), ["auto", "kb-balanced"], budgets=(12, 40), compaction=(False, True)
    )
    runs = tuple(replace(run, microseconds=[100.0 * at for at, _ in enumerate(run.asked, 1)]) for run in found.runs)
    timed = replace(found, runs=runs, telling={how: [250.0, 1_250.0] for how in found.telling})
    return {"replay.json": written(timed.to_dict()), "replay.md": replay.markdown(timed)}


def activated(folder: Path) -> dict[str, str]:
    """The benchmark of activation, with its lines and its choice of a share."""
    who, what = ("Ada", "Ben", "Eve", "Kim"), ("kettle", "violin", "saddle", "lantern", "harbour")
    documents, queries, grades = [], [], {}
    for number, (name, thing) in enumerate(itertools.product(who, what)):
        documents.append(Document(f"{thing}-{name}", f"{name} mended the {thing} for {number + 3} hours in spring."))
        queries.append(Query(f"q{number}", f"how long did {name} mend the {thing}?"))
        grades[f"q{number}"] = {f"{thing}-{name}": 1}
    made = Collection("feast", tuple(documents), tuple(queries), grades)
    found = benchmark(made, embedder=HashingEmbedder(64))
    return {
        "activation.json": written(found.to_dict(timings=False)),
        "activation.md": activation_report.markdown(found, timings=False),
    }


def arms(folder: Path) -> dict[str, str]:
    """The router beside its stages: reports, comparison and receipt."""
    asked = read(bench_files.write(folder))
    made = routed(asked, policies=["must", "observations"])
    found = {"router.json": written(steady(made.receipt)), "router.md": router_report.as_markdown(steady(made.receipt))}
    told = {name: steady(report) for name, report in made.reports.items()}
    compared = comparing.compare(told, "lancedb-only")
    found |= {"compared.json": written(compared), "compared.md": comparing.as_markdown(compared)}
    for name, report in told.items():
        file = f"report-{name.replace(', ', '-')}"
        found |= {f"{file}.json": written(report), f"{file}.md": retrieval_report.as_markdown(report)}
    runs = [routed(asked, sampling=receipts.Sampling(3, seed)).reports for seed in (1, 2)]
    reports = [{name: steady(report) for name, report in run.items()} for run in runs]
    over = comparing.over_seeds([comparing.compare(each, "lancedb-only") for each in reports])
    return found | {"seeds.json": written(over), "seeds.md": comparing.seeds_as_markdown(over)}


MAKERS = (evaluation, drawings, told_turn_by_turn, activated, arms)


def made_by(make: Callable[[Path], dict[str, str]], folder: Path) -> dict[str, str]:
    def mark(found: re.Match[str]) -> str:
        return "*" if "." in found[0] else f"*{len(found[0])}"

    return {name: DIGEST.sub(mark, text.replace(str(folder), "FOLDER")) for name, text in make(folder).items()}


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_reports_are_as_they_were_kept(make: Callable[[Path], dict[str, str]], tmp_path: Path) -> None:
    made = made_by(make, tmp_path)
    assert made
    for name, text in made.items():
        assert text == (KEPT / name).read_text(encoding="utf-8"), name


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for each in MAKERS:
        with tempfile.TemporaryDirectory() as place:
            for file, lines in made_by(each, Path(place)).items():
                (KEPT / file).write_text(lines, encoding="utf-8")
