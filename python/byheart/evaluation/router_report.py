"""The report of a run of the router over judged questions: aggregates, ids and numbers, and no text of anybody.

Equal runs give equal bytes but for what was measured in time, which `without_timings` takes out. Questions and ground
truths are text too, so a report names questions by their ids.
"""
# docs/sources.md: A3.5.2 to A3.5.5, A3.6.3.

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..errors import InvalidArgument
from ..ranking.router.acceptance import acceptance
from ..ranking.router.gate import ERROR, NOT_TRIGGERED, USED
from ..ranking.router.routing import Constants
from . import bench_metrics
from .bench_metrics import Scores, percentile

SCHEMA: Final = "byheart/router-report/v1"
_STEPS: Final = ("total", "stage1", "stage2", "fusion")
_TIMED: Final = ("latency", "latency_ms", "acceptance", "stage2_estimate_ms")
_COUNTERS: Final = ("stage2_should_trigger", "stage2_used", "stage2_skipped_budget")


@dataclass(frozen=True, slots=True)
class Answered:
    """One question of a run: what was found, what should have been, and what the router decided.

    Attributes:
        question_id: names it.
        retrieved: ids, best first.
        relevant: ids.
        routing: `Recall.routing`, or `Routed.to_dict()`.

    """

    question_id: str
    retrieved: Sequence[str]
    relevant: Sequence[str]
    routing: Mapping[str, Any]


def report(
    answered: Iterable[Answered],
    constants: Constants,
    *,
    failures: Iterable[tuple[str, str]] = (),
    baseline: Mapping[str, float] | None = None,
    stage2_estimate: float | str | None = None,
    stage3: str = "off",
    dataset: Mapping[str, str] | None = None,
    degradation_quantified: bool = False,
) -> dict[str, Any]:
    """Return the report of a run as a JSON-able mapping.

    Means go over the questions that succeeded; beside them stand those with failures counted as 0.

    Args:
        answered: the questions that succeeded.
        constants: of the router.
        failures: (question id, code) of those that failed.
        baseline: hit, precision, recall, mrr and ndcg of the second source alone, over the same questions; without it
            nothing can be accepted.
        stage2_estimate: what the second stage was expected to take: milliseconds, "p95", or None.
        stage3: the name of the reranker, or "off".
        dataset: its "name" and "sha256".
        degradation_quantified: whether a loss of recall against the baseline is accepted, since the report tells it.

    Raises:
        InvalidArgument: a question occurs twice.

    """
    questions, failed = list(answered), list(failures)
    ids = [each.question_id for each in questions] + [id for id, _ in failed]
    twice = [id for id, count in Counter(ids).items() if count > 1]
    if twice:
        raise InvalidArgument(f"answered: question {twice[0]!r} occurs twice")
    scores = [bench_metrics.score(each.retrieved, each.relevant, constants.top_k) for each in questions]
    summary = bench_metrics.mean(scores)._asdict()
    nothing = [Scores(0.0, 0.0, 0.0, 0.0, 0.0)] * len(failed)
    latency = {step: _figures([each.routing["latency_ms"][step] for each in questions]) for step in _STEPS}
    verdict = None
    if baseline is not None:
        verdict = acceptance(
            latency["total"]["p95"],
            summary["recall"],
            baseline["recall"],
            degradation_quantified=degradation_quantified,
            target_ms=constants.p95_target_ms,
        )._asdict()
    return {
        "schema": SCHEMA,
        "config": {
            "mode": "hybrid_router",
            **constants.to_dict(),
            "stage2_estimate": stage2_estimate,
            "stage3": stage3,
        },
        "dataset": dict(dataset or {}),
        "questions": {"total": len(ids), "succeeded": len(questions), "failed": len(failed)},
        "stages": _counted(questions),
        "summary": summary,
        "summary_failures_as_zero": bench_metrics.mean([*scores, *nothing])._asdict(),
        "baseline": None if baseline is None else dict(baseline),
        "deltas": None if baseline is None else {name: summary[name] - baseline[name] for name in Scores._fields},
        "degradation_quantified": degradation_quantified,
        "latency": latency,
        "acceptance": verdict,
        "results": [
            {"question_id": each.question_id, "retrieved": list(each.retrieved), "metrics": score._asdict()}
            | {name: each.routing[name] for name in (*_COUNTERS, "reason", "latency_ms")}
            | {"stage2_estimate_ms": each.routing.get("estimate_ms")}
            for each, score in zip(questions, scores, strict=True)
        ],
        "failures": [{"question_id": id, "error_code": code} for id, code in failed],
    }


def without_timings(told: Any) -> Any:
    """Return a report without what was measured in time, and what follows of it.

    >>> without_timings({"summary": {"hit": 1.0}, "latency": {"total": 3.0}})
    {'summary': {'hit': 1.0}}
    """
    if isinstance(told, Mapping):
        return {name: without_timings(value) for name, value in told.items() if name not in _TIMED}
    return [without_timings(each) for each in told] if isinstance(told, list) else told


def as_json(told: Mapping[str, Any]) -> str:
    """Return a report as JSON: sorted keys, the same bytes for the same report."""
    return json.dumps(told, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_markdown(told: Mapping[str, Any]) -> str:
    """Return a report for people: stages, metrics, latencies, verdicts, and every constant."""
    counts, stages = told["questions"], told["stages"]
    lines = ["# Router report", "", f"{counts['total']} questions, {counts['failed']} failed."]
    if told["dataset"]:
        lines.append(f"Dataset {told['dataset'].get('name', '')}, sha256 {told['dataset'].get('sha256', 'unknown')}.")
    lines += ["", "| second stage | questions |", "|---|---|"]
    lines += [
        f"| {name} | {stages[key]} |"
        for name, key in (
            ("used", "stage2_used"),
            ("skipped for time", "stage2_skipped_budget"),
            ("not triggered", "stage2_not_triggered"),
            ("failed", "stage2_errors"),
        )
    ]
    lines += ["", "| metric | run | failures as 0 | baseline | difference |", "|---|---|---|---|---|"]
    for name in Scores._fields:
        base = "" if told["baseline"] is None else f"{told['baseline'][name]:.4f}"
        delta = "" if told["deltas"] is None else f"{told['deltas'][name]:+.4f}"
        run, strict = told["summary"][name], told["summary_failures_as_zero"][name]
        lines.append(f"| {name} | {run:.4f} | {strict:.4f} | {base} | {delta} |")
    lines += ["", "| milliseconds | p50 | p95 | mean |", "|---|---|---|---|"]
    for step in _STEPS:
        figures = told["latency"][step]
        lines.append(f"| {step} | {figures['p50']:.2f} | {figures['p95']:.2f} | {figures['mean']:.2f} |")
    lines += ["", _verdict(told["acceptance"]), "", "| constant | value |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in told["config"].items()]
    return "\n".join(lines) + "\n"


def _counted(questions: Sequence[Answered]) -> dict[str, int]:
    """Return how often each thing happened; used, skipped, not triggered and failed add up to all questions."""
    reasons = [each.routing["reason"] for each in questions]
    return {
        "stage2_should_trigger": sum(bool(each.routing["stage2_should_trigger"]) for each in questions),
        "stage2_used": reasons.count(USED),
        "stage2_skipped_budget": sum(bool(each.routing["stage2_skipped_budget"]) for each in questions),
        "stage2_not_triggered": reasons.count(NOT_TRIGGERED),
        "stage2_errors": reasons.count(ERROR),
        "stage1_errors": sum("stage1" in each.routing.get("errors", {}) for each in questions),
    }


def _figures(values: Sequence[float]) -> dict[str, float]:
    mean = sum(values) / len(values) if values else 0.0
    return {"p50": percentile(values, 50), "p95": percentile(values, 95), "mean": mean}


def _verdict(verdict: Mapping[str, bool] | None) -> str:
    if verdict is None:
        return "Not judged: there is no baseline."
    said = [f"{name.replace('_', ' ')}: {'yes' if value else 'no'}" for name, value in verdict.items()]
    return "; ".join(said) + "."
