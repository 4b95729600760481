"""The acceptance of the router: its stages alone and both behind the gate, asked the same questions in one run.

    qmd-only      the first stage alone
    lancedb-only  the second alone: the baseline
    hybrid        the profile `router` over both

The hybrid can also be made of reports of the other two: then no source is asked, times are those of the reports, and
two runs give the same bytes. Receipts hold ids and numbers, and no text of anybody.
"""
# docs/sources.md: A3.1.1, A3.4.4, A3.5.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from ...errors import InvalidArgument
from ...profiles import Leg, Profile
from ...profiles.gated import RUNNING
from ...profiles.router import RouterConfig
from ...ranking.qmd.marks import KeepMarks
from ...ranking.router.gate import ESTIMATED, NOT_TRIGGERED
from ...ranking.router.routing import route
from ...ranking.router.stage import Route
from ...recall.routing import Latencies
from .. import bench_metrics, router_report
from ..bench_metrics import Scores
from ..router_report import Answered
from ..tables import table
from .comparing import arm_row
from .histories import Asked
from .retrieval_report import METRICS
from .running import LANCEDB, Arm, Ran, Retrieved

FIRST: Final = "qmd-only"
SECOND: Final = "lancedb-only"
HYBRID: Final = "hybrid"
QMD: Final = "qmd"
_NOBODY: Final = "no second source"


def router_arms(config: RouterConfig | None = None, *, policies: Iterable[str] = ()) -> list[Arm]:
    """Return the three arms, and the baseline once more for each policy of keeping.

    Args:
        config: of the router; its stages are always QMD's rules and LanceDB.
        policies: see `byheart.evaluation.arms.keeping`.

    >>> [arm.name for arm in router_arms(policies=["must"])]
    ['qmd-only', 'lancedb-only', 'hybrid', 'lancedb-only, must']

    """
    rules = (config or RouterConfig()).merged({"stage1": QMD, "stage2": LANCEDB})
    first = Arm(FIRST, partial(_alone, QMD, rules.n1), rules.top_k, mode="qmd")
    second = Arm(SECOND, partial(_alone, LANCEDB, rules.n2), rules.top_k, mode="lancedb", lancedb=True)
    hybrid = Arm(HYBRID, rules.profile, rules.top_k, mode="hybrid_router", lancedb=True)
    kept = [replace(second, name=f"{SECOND}, {policy}", policy=policy) for policy in policies]
    return [first, second, hybrid, *kept]


def _alone(name: str, pool: int) -> Profile:
    """Return the profile of one stage, in the order in which it delivers."""
    stages = (KeepMarks(), Route(name, _NOBODY, top_k=pool))
    return Profile(f"{name}-only", (Leg(name, pool),), stages, pool=pool, max_results=pool)


def receipt(
    reports: Mapping[str, Mapping[str, Any]],
    compared: Mapping[str, Any],
    config: RouterConfig,
    *,
    accept_loss: bool = False,
) -> dict[str, Any]:
    """Return the receipt of a run: verdict, counters, the baseline and what the hybrid gains over it.

    Args:
        reports: the retrieval reports of the three arms, by name.
        compared: `comparing.compare` of them, whose intervals say how sure a difference is.
        config: of the router.
        accept_loss: whether a loss of recall against the baseline is accepted, since the receipt tells it.

    """
    hybrid, baseline = reports[HYBRID], reports[SECOND]
    parameters = hybrid["manifest"]["parameters"]
    both = {each["question_id"] for each in hybrid["results"]} & {each["question_id"] for each in baseline["results"]}
    told = router_report.report(
        [_answered(each) for each in hybrid["results"]],
        config.constants(),
        failures=[(each["question_id"], each["error_code"]) for each in hybrid["failures"]],
        baseline=_scored(baseline, both),
        stage2_estimate=config.estimate,
        dataset={name: hybrid["manifest"]["dataset"][name] for name in ("name", "sha256")},
        degradation_quantified=accept_loss,
    )
    return {
        **told,
        "run_group": compared["run_group"],
        "created_at_utc": compared["created_at_utc"],
        "run": {
            "toolkit": hybrid["manifest"]["toolkit"],
            **{name: hybrid["manifest"]["provider"]["config"].get(name) for name in ("embedder", "lancedb")},
            "recorded": bool(parameters.get("recorded", False)),
            **{name: parameters[name] for name in ("sample_size", "sample_seed", "limit", "preindex_once")},
            **{name: hybrid["manifest"]["dataset"][name] for name in ("left_out", "first_session")},
        },
        "arms": compared["arms"],
        "baseline_arm": compared["baseline"],
        "baseline_questions": len(both),
        "intervals": {name: row["intervals"] for name, row in compared["deltas"].items()},
    }


def as_markdown(told: Mapping[str, Any]) -> str:
    """Return a receipt for people: as `router_report` does, then the arms beside each other, and the run."""
    head = ["arm", "questions", *METRICS, "p50 ms", "p95 ms"]
    arms = [arm_row(name, row) for name, row in told["arms"].items()]
    gained = told["intervals"][HYBRID]
    sure = [[name, *(f"{gained[name][each]:+.4f}" for each in ("mean", "low", "high"))] for name in METRICS.values()]
    program = told["run"]["toolkit"]
    version = f"{program['name']} {program['version']} ({program['git_commit'] or 'installed'})"
    facts = {**told["run"], "toolkit": version}
    facts["left_out"] = ", ".join(f"{count} {why}" for why, count in told["run"]["left_out"].items()) or "none"
    run = [f"| {name} | {value} |" for name, value in facts.items()]
    parts = [
        router_report.as_markdown(told).rstrip(),
        table(head, arms),
        f"Hybrid less {told['baseline_arm']}, question by question, with intervals of 95 %:",
        table(["", "mean", "low", "high"], sure),
        "\n".join(["| run | value |", "|---|---|", *run]),
    ]
    return "\n\n".join(parts) + "\n"


def replayed(first: Mapping[str, Any], second: Mapping[str, Any], config: RouterConfig) -> Ran:
    """Return the hybrid made of the reports of its stages: no source is asked, and no clock is read.

    A question that failed in one report fails that stage again; one that failed in both has failed.

    Raises:
        InvalidArgument: the reports are of two datasets, or were scored at another k than the router's.

    """
    digests = [report["manifest"]["dataset"]["sha256"] for report in (first, second)]
    if digests[0] != digests[1]:
        raise InvalidArgument(f"reports: are of two datasets, sha256 {digests[0]} and {digests[1]}")
    if {first["top_k"], second["top_k"]} != {config.top_k}:
        raise InvalidArgument(f"top_k: is {config.top_k}; the reports were scored at another one")
    ran, latencies = Ran(router_arms(config)[2], compression=dict(first.get("compression", {}))), Latencies()
    stages = {"stage1": _Recording(first), "stage2": _Recording(second)}
    for id in dict.fromkeys(id for recording in stages.values() for id in recording.ids):
        if all(id in recording.failures for recording in stages.values()):
            ran.failures.append(dict(stages["stage1"].failures[id]))
        else:
            held = {name: recording.results.get(id) for name, recording in stages.items()}
            errors = {name: recording.code(id) for name, recording in stages.items() if held[name] is None}
            ran.retrieved.append(_routed(held, errors, config, latencies))
    return ran


class _Recording:
    """What a report holds, by question."""

    def __init__(self, report: Mapping[str, Any]) -> None:
        self.results = {each["question_id"]: each for each in report["results"]}
        self.failures = {each["question_id"]: each for each in report["failures"]}
        self.ids = (*self.results, *self.failures)

    def code(self, id: str) -> str:
        """Return why a question has no answer."""
        return str(self.failures[id]["error_code"]) if id in self.failures else "not asked"


def _routed(
    held: Mapping[str, Mapping[str, Any] | None],
    errors: Mapping[str, str],
    config: RouterConfig,
    latencies: Latencies,
) -> Retrieved:
    """Return what one question gets of two recorded stages."""
    known = held["stage1"] or held["stage2"]
    assert known is not None, "a question that failed twice is not routed"
    expected = latencies.p95(LANCEDB) if config.estimate == RUNNING else config.estimate
    assert not isinstance(expected, str)
    one, two = ([] if told is None else told["retrieved_session_ids"] for told in held.values())
    took = {stage: told["latency_ms"] for stage, told in held.items() if told is not None}
    routed = route(one, two, config.constants(), estimate_ms=expected, latency_ms=took, errors=errors)
    if routed.decision.reason == ESTIMATED:
        latencies.skipped(LANCEDB)
    elif routed.decision.reason != NOT_TRIGGERED and "stage2" in took:
        latencies.took(LANCEDB, took["stage2"])
    relevant, total = tuple(known["relevant_session_ids"]), routed.latency_ms["total"]
    asked = Asked(known["question_id"], known["question"], known["question_type"], known["ground_truth"], relevant, 0)
    scores = bench_metrics.score(routed.ids, relevant, config.top_k)
    sources = tuple((QMD, LANCEDB)[row.stage_priority] for row in routed.placed)
    ingested = {"ingest": "recorded"}
    return Retrieved(asked, tuple(routed.ids), sources, ingested, total, scores, routed.to_dict())


def _answered(result: Mapping[str, Any]) -> Answered:
    """Return a result as the router's report takes it."""
    return Answered(
        result["question_id"],
        result["retrieved_session_ids"],
        result["relevant_session_ids"],
        result["routing"],
    )


def _scored(report: Mapping[str, Any], ids: set[str]) -> dict[str, float]:
    """Return the means of a report over some questions; those that failed there count in none."""
    told = (each["metrics"] for each in report["results"] if each["question_id"] in ids)
    # The same sum as the router's own: a last bit more on one side would be a loss of recall.
    return bench_metrics.mean([Scores(*(each[field] for field in METRICS.values())) for each in told])._asdict()
