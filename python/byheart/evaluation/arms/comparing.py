"""The comparison of arms: each beside a baseline, question by question, and which of them wins.

Everything is made of retrieval reports, of this run or of files. Means and differences go over the questions that both
arms answered. An arm wins by the rule of `bench.wins`; since that rests on times, two runs can come to two verdicts.
"""
# docs/sources.md: A3.6.9.

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...errors import InvalidArgument
from .. import bench
from ..bench_metrics import percentile
from ..resampling import LEVEL, RESAMPLES, STREAM, intervals
from ..tables import table
from .retrieval_report import METRICS

SCHEMA: Final = "byheart/compare-report/v0.2"
OVER_SEEDS: Final = "byheart/compare-seeds/v0.2"
MEASURED: Final = (*METRICS.values(), "search_ms")
RULE: Final = {
    "p95_gain_at_least": bench.P95_GAIN,
    "recall_drop_at_most": bench.RECALL_DROP,
    "ndcg_delta_at_least": 0.0,
}
_RATIOS: Final = ("compression_ratio_items", "compression_ratio_chars")
DRAWN: Final = {"resamples": RESAMPLES, "level": LEVEL, "stream": STREAM}


def compare(
    reports: Mapping[str, Mapping[str, Any]], baseline: str, *, run_group: str = "", created: str | None = None
) -> dict[str, Any]:
    """Return arms beside a baseline as a JSON-able mapping.

    Args:
        reports: retrieval reports, by the arm's name.
        baseline: the name of the arm that the others are compared with.
        run_group: the run that they are of.
        created: the time in UTC.

    Raises:
        InvalidArgument: there is no such baseline, the reports are of two datasets or two k, or have no question in
            common.

    """
    if baseline not in reports:
        raise InvalidArgument(f"baseline: {baseline!r} is no arm; there are {', '.join(reports)}")
    base = reports[baseline]
    for name, report in reports.items():
        _check(name, report, base)
    others = {name: _beside(name, base, report) for name, report in reports.items() if name != baseline}
    curve = [_on_curve(name, report, others.get(name)) for name, report in reports.items()]
    return {
        "schema": SCHEMA,
        "run_group": run_group,
        "created_at_utc": created,
        "manifest": {
            "toolkit": base["manifest"]["toolkit"],
            "dataset": _dataset(base),
            "top_k": base["top_k"],
            "sample_size": base["config"]["sample_size"],
            "sample_seed": base["config"]["sample_seed"],
        },
        "baseline": baseline,
        "intervals": dict(DRAWN),
        "arms": {name: _arm(report) for name, report in reports.items()},
        "deltas": others,
        "tradeoff_curve": sorted(curve, key=lambda row: (row["compression_ratio_chars"], row["arm"])),
        "win_rule": {"rule": dict(RULE), "results": [_won(name, told) for name, told in others.items()]},
    }


def over_seeds(compared: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what comparisons over several samples of one dataset come to: their differences, with intervals over them.

    Raises:
        InvalidArgument: there are fewer than two, they are of two datasets, or have other arms.

    """
    first = compared[0] if compared else {}
    if len(compared) < 2 or any(set(each["deltas"]) != set(first["deltas"]) for each in compared):
        raise InvalidArgument("seeds: an interval over seeds needs two comparisons at least, of the same arms")
    if len({each["manifest"]["dataset"]["sha256"] for each in compared}) > 1:
        raise InvalidArgument("seeds: the comparisons are of several datasets")
    deltas = {}
    for arm in first["deltas"]:
        columns = {name: [each["deltas"][arm]["mean"][name] for each in compared] for name in MEASURED}
        deltas[arm] = {name: found._asdict() for name, found in intervals(columns).items()}
    return {
        "schema": OVER_SEEDS,
        "baseline": first["baseline"],
        "dataset": first["manifest"]["dataset"],
        "seeds": [each["manifest"]["sample_seed"] for each in compared],
        "sample_size": first["manifest"]["sample_size"],
        "intervals": dict(DRAWN),
        "deltas": deltas,
        "wins": {
            arm: sum(row["win"] for each in compared for row in each["win_rule"]["results"] if row["arm"] == arm)
            for arm in first["deltas"]
        },
    }


def as_markdown(told: Mapping[str, Any]) -> str:
    """Return a comparison for people: the arms, their differences, what they keep, and who wins."""
    head = ["", "questions", *METRICS, "p50 ms", "p95 ms", "sessions kept", "characters kept"]
    arms = [
        [*arm_row(name, row), *(f"{row['compression'].get(ratio, 1.0):.3f}" for ratio in _RATIOS)]
        for name, row in told["arms"].items()
    ]
    beside = [[name, *(_interval(row["intervals"][each]) for each in MEASURED)] for name, row in told["deltas"].items()]
    won = [
        [
            row["arm"],
            f"{row['p95_gain_ratio']:+.3f}",
            f"{row['recall_drop']:+.4f}",
            f"{row['ndcg_delta']:+.4f}",
            "yes" if row["win"] else "no",
        ]
        for row in told["win_rule"]["results"]
    ]
    dataset, share = told["manifest"]["dataset"], round(told["intervals"]["level"] * 100)
    rule = (
        f"An arm wins if p95 gains {RULE['p95_gain_at_least']:.0%} at least, recall loses "
        f"{RULE['recall_drop_at_most']:.2f} at most, and nDCG loses nothing."
    )
    parts = [
        f"# Arms beside {told['baseline']}",
        f"Dataset {dataset['name']}, sha256 {dataset['sha256']}, first {told['manifest']['top_k']}.",
        table(head, arms),
        f"Differences from {told['baseline']}, question by question, with intervals of {share} % "
        f"({told['intervals']['resamples']} resamples):",
        table(["", *MEASURED], beside),
        rule,
        table(["", "p95 gain", "recall lost", "nDCG gained", "wins"], won),
    ]
    return "\n\n".join(parts) + "\n"


def arm_row(name: str, row: Mapping[str, Any]) -> list[str]:
    """Return an arm as a row of a table: its questions, metrics and times."""
    metrics = row["metrics"]
    times = [f"{metrics[each]:.2f}" for each in ("search_ms_p50", "search_ms_p95")]
    return [name, str(row["questions_succeeded"]), *(f"{metrics[each]:.4f}" for each in METRICS.values()), *times]


def seeds_as_markdown(told: Mapping[str, Any]) -> str:
    """Return what several samples come to, for people: differences with intervals over them, and how often who won."""
    rows = [
        [arm, *(_interval(row[each]) for each in MEASURED), f"{told['wins'][arm]} of {len(told['seeds'])}"]
        for arm, row in told["deltas"].items()
    ]
    seeds = ", ".join(map(str, told["seeds"]))
    parts = [
        f"# Differences from {told['baseline']} over seeds {seeds}",
        f"Dataset {told['dataset']['name']}, sha256 {told['dataset']['sha256']}. The intervals are over the seeds.",
        table(["", *MEASURED, "wins"], rows),
    ]
    return "\n\n".join(parts) + "\n"


def _check(name: str, report: Mapping[str, Any], base: Mapping[str, Any]) -> None:
    for field, ours, theirs in (
        ("dataset", _dataset(report)["sha256"], _dataset(base)["sha256"]),
        ("top_k", report["top_k"], base["top_k"]),
    ):
        if ours != theirs:
            raise InvalidArgument(f"{name}: {field} is {ours!r}, the baseline's is {theirs!r}; nothing to compare")


def _dataset(report: Mapping[str, Any]) -> dict[str, Any]:
    told = report["manifest"]["dataset"]
    return {"name": told["name"], "sha256": told["sha256"]}


def _arm(report: Mapping[str, Any]) -> dict[str, Any]:
    summary = report["summary"]
    metrics = {name: summary[name] for name in METRICS.values()}
    return {
        "provider": report["provider"],
        "run_id": report["run_id"],
        **{name: summary[name] for name in ("questions_total", "questions_succeeded", "questions_failed")},
        "metrics": metrics | {name: report["latency"][name] for name in ("search_ms_p50", "search_ms_p95")},
        "compression": dict(report.get("compression", {})),
    }


def _beside(name: str, base: Mapping[str, Any], report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the means of both over the questions that both answered, and the differences."""
    theirs = {each["question_id"]: each for each in base["results"]}
    pairs = [(theirs[each["question_id"]], each) for each in report["results"] if each["question_id"] in theirs]
    if not pairs:
        told = f"baseline: {_failed(base)}; {name}: {_failed(report)}"
        raise InvalidArgument(f"{name}: answered no question that the baseline answered; nothing to compare ({told})")
    before, after = ({each: [_value(pair[at], each) for pair in pairs] for each in MEASURED} for at in (0, 1))
    columns = {each: [b - a for a, b in zip(before[each], after[each], strict=True)] for each in MEASURED}
    found = intervals(columns)
    return {
        "questions": len(pairs),
        "baseline": _means(before),
        "experimental": _means(after),
        "mean": {each: found[each].mean for each in MEASURED},
        "intervals": {each: found[each]._asdict() for each in MEASURED},
    }


def _failed(report: Mapping[str, Any]) -> str:
    """Return how often an arm failed, and the first error of it."""
    failures = report["failures"]
    first = f", first by {failures[0]['error_code']}: {failures[0]['error']}" if failures else ""
    return f"{len(failures)} failures{first}"


def _value(result: Mapping[str, Any], name: str) -> float:
    return float(result["latency_ms"] if name == "search_ms" else result["metrics"][name])


def _means(columns: Mapping[str, Sequence[float]]) -> dict[str, float]:
    told = {name: math.fsum(values) / len(values) for name, values in columns.items() if name in METRICS.values()}
    return told | {f"search_ms_p{share}": percentile(columns["search_ms"], share) for share in (50, 95)}


def _on_curve(name: str, report: Mapping[str, Any], beside: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a point: what an arm keeps, and what it costs."""
    saved, row = report.get("compression", {}), _arm(report)["metrics"]
    return {
        "arm": name,
        "policy": saved.get("policy", "all"),
        "compression_ratio_items": saved.get("compression_ratio_items", 1.0),
        "compression_ratio_chars": saved.get("compression_ratio_chars", 1.0),
        **row,
        "delta": None if beside is None else {each: beside["mean"][each] for each in METRICS.values()},
    }


def _won(name: str, beside: Mapping[str, Any]) -> dict[str, Any]:
    before, after = (
        bench.Arm(beside[at]["search_ms_p95"], beside[at]["recall_at_k"], beside[at]["ndcg_at_k"])
        for at in ("baseline", "experimental")
    )
    return {
        "arm": name,
        "win": bench.wins(before, after),
        "p95_gain_ratio": (before.p95 - after.p95) / before.p95 if before.p95 else 0.0,
        "recall_drop": before.recall - after.recall,
        "ndcg_delta": after.ndcg - before.ndcg,
    }


def _interval(told: Mapping[str, float]) -> str:
    return f"{told['mean']:+.4f} [{told['low']:+.4f}, {told['high']:+.4f}]"
