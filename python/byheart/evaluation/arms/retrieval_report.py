"""The retrieval report of an arm: what each question got, what failed, and what it adds up to.

`byheart.retrieval.recorded.Recorded` reads it back as a source of the router. Unlike the receipts of the router it
holds the texts of the questions, which a replay is asked by, and their ground truths; texts of sessions it never holds.
"""
# docs/sources.md: A3.6.3, A3.6.5.

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ...errors import InvalidArgument
from .. import bench_metrics
from ..bench_metrics import Scores, percentile
from ..tables import table
from .failures import breakdown
from .running import Ran, Retrieved

SCHEMA: Final = "byheart/retrieval-report/v0.2"
METRICS: Final[Mapping[str, str]] = {
    "hit": "hit_at_k", "precision": "precision_at_k", "recall": "recall_at_k", "mrr": "mrr", "ndcg": "ndcg_at_k",
}  # fmt: skip
"""What a report calls the scores."""

TIMED: Final = frozenset(
    {"run_id", "run_group", "created_at_utc", "latency", "latency_ms", "search_ms_p50", "search_ms_p95"}
    | {"search_ms_mean", "search_ms", "estimate_ms", "stage2_estimate_ms", "acceptance"}
    | {"p95_gain_ratio", "win", "report"}
)
"""Fields that two runs over the same input differ in: times, names made of them, and verdicts that rest on them."""

_FIELDS: Final[Mapping[str, type | tuple[type, ...]]] = {
    "run_id": str, "provider": str, "dataset": str, "top_k": int, "created_at_utc": str, "config": dict,
    "manifest": dict, "summary": dict, "latency": dict, "results": list, "failures": list,
}  # fmt: skip
_OF_RESULT: Final[Mapping[str, type | tuple[type, ...]]] = {
    "question_id": str, "question": str, "relevant_session_ids": list, "retrieved_session_ids": list,
    "latency_ms": (int, float), "metrics": dict,
}  # fmt: skip
_OF_FAILURE: Final = ("question_id", "phase", "error_code", "error_category", "retryable", "exception_type", "error")


def retrieval_report(ran: Ran, manifest: Mapping[str, Any], *, dataset: str, created: str) -> dict[str, Any]:
    """Return the report of an arm as a JSON-able mapping; `created` is the time in UTC."""
    parameters, got = manifest["parameters"], ran.retrieved
    return {
        "schema": SCHEMA,
        "run_id": manifest["run_id"],
        "provider": manifest["provider"]["name"],
        "dataset": dataset,
        "top_k": ran.arm.top_k,
        "created_at_utc": created,
        "config": {
            "mode": ran.arm.mode,
            "policy": ran.arm.policy,
            "skip_ingest": False,
            "preindex_once": parameters["preindex_once"],
            "sample_size": parameters["sample_size"],
            "sample_seed": parameters["sample_seed"],
        },
        "manifest": dict(manifest),
        "summary": {
            "questions_total": len(got) + len(ran.failures),
            "questions_succeeded": len(got),
            "questions_failed": len(ran.failures),
            **_means(got),
            "failures_as_zero": _named(mean_with(got, len(ran.failures))),
            "by_question_type": _by_type(got),
            "failure_breakdown": breakdown(ran.failures),
        },
        "latency": _times(got),
        "compression": ran.compression,
        "degraded": _degraded(got),
        "results": [_result(each) for each in got],
        "failures": list(ran.failures),
    }


def problems(told: Any) -> Iterator[str]:
    """Give what is wrong with a report, each with its place.

    >>> list(problems({"schema": "other"}))[0]
    "schema: is 'other', not 'byheart/retrieval-report/v0.2'"
    """
    if not isinstance(told, Mapping) or told.get("schema") != SCHEMA:
        yield f"schema: is {told.get('schema') if isinstance(told, Mapping) else None!r}, not {SCHEMA!r}"
        return
    wrong = [name for name, kind in _FIELDS.items() if not isinstance(told.get(name), kind)]
    yield from (f"{name}: is missing, or of another kind" for name in wrong)
    if wrong:
        return
    known: set[str] = set()
    for at, result in enumerate(told["results"]):
        for name, kind in _OF_RESULT.items():
            if not isinstance(result, Mapping) or not isinstance(result.get(name), kind):
                yield f"results[{at}].{name}: is missing, or of another kind"
    for at, failed in enumerate(told["failures"]):
        for name in _OF_FAILURE:
            if not isinstance(failed, Mapping) or name not in failed:
                yield f"failures[{at}].{name}: is missing"
    for part in ("results", "failures"):
        for at, each in enumerate(told[part]):
            id = each.get("question_id") if isinstance(each, Mapping) else None
            if id in known:
                yield f"{part}[{at}].question_id: {id!r} is there twice"
            known.add(str(id))


def read(path: str | Path) -> dict[str, Any]:
    """Return the report in a file.

    Raises:
        InvalidArgument: it cannot be read, or is none; the message names what is wrong with it.

    """
    try:
        told = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"{path}: cannot be read ({error})") from error
    wrong = list(problems(told))
    if wrong:
        raise InvalidArgument(f"{path}: is no retrieval report; {'; '.join(wrong[:5])}")
    return dict(told)


def as_json(told: Mapping[str, Any]) -> str:
    """Return a report as JSON, in the order of its fields: the same bytes for the same report."""
    return json.dumps(told, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def without_timings(told: Any) -> Any:
    """Return a report without what was measured in time, and what follows of it.

    >>> without_timings({"summary": {"hit_at_k": 1.0, "search_ms_p50": 3.0}, "run_id": "20261123T010203Z-tea"})
    {'summary': {'hit_at_k': 1.0}}
    """
    if isinstance(told, Mapping):
        return {name: without_timings(value) for name, value in told.items() if name not in TIMED}
    return [without_timings(each) for each in told] if isinstance(told, list) else told


def as_markdown(told: Mapping[str, Any]) -> str:
    """Return a report for people: metrics in all and by type of question, times, failures."""
    summary, latency = told["summary"], told["latency"]
    head = ["questions", *METRICS, "p50 ms", "p95 ms"]
    rows = [["all", str(summary["questions_succeeded"]), *_cells(summary), *_times_of(latency)]]
    rows += [["failures as 0", str(summary["questions_total"]), *_cells(summary["failures_as_zero"]), "", ""]]
    types = summary["by_question_type"].items()
    rows += [[name, str(row["questions"]), *_cells(row), *_times_of(row)] for name, row in types]
    codes = summary["failure_breakdown"]["by_code"]
    failed = [f"Failed: {', '.join(f'{count} {code}' for code, count in codes.items())}."] if codes else []
    notes = [f"- {note} ({count})" for note, count in told["degraded"].items()]
    parts = [f"# Retrieval report: {told['provider']}", f"Dataset {told['dataset']}, first {told['top_k']}."]
    return "\n\n".join([*parts, table(["", *head], rows), *failed, *(["\n".join(notes)] if notes else [])]) + "\n"


def mean_with(got: Sequence[Retrieved], failed: int) -> Scores:
    """Return the means if so many questions that failed count as 0."""
    return bench_metrics.mean([*(each.scores for each in got), *[Scores(0.0, 0.0, 0.0, 0.0, 0.0)] * failed])


def _result(got: Retrieved) -> dict[str, Any]:
    asked = got.asked
    told = {
        "question_id": asked.id,
        "question": asked.text,
        "question_type": asked.type,
        "ground_truth": asked.ground_truth,
        "relevant_session_ids": list(asked.relevant),
        "retrieved_session_ids": list(got.ids),
        "retrieved_observation_ids": list(got.ids),
        "retrieved_sources": list(got.sources),
        "ingest_result": dict(got.ingested),
        "latency_ms": got.latency_ms,
        "metrics": _named(got.scores),
    }
    return told if got.routing is None else told | {"routing": dict(got.routing)}


def _named(scores: Scores) -> dict[str, float]:
    return {METRICS[name]: value for name, value in scores._asdict().items()}


def _means(got: Sequence[Retrieved]) -> dict[str, float]:
    return _named(bench_metrics.mean([each.scores for each in got]))


def _times(got: Iterable[Retrieved]) -> dict[str, float]:
    took = [each.latency_ms for each in got]
    mean = sum(took) / len(took) if took else 0.0
    return {
        "search_ms_p50": percentile(took, 50),
        "search_ms_p95": percentile(took, 95),
        "search_ms_mean": mean,
    }


def _by_type(got: Iterable[Retrieved]) -> dict[str, dict[str, Any]]:
    """Return the means by type of question, the most frequent type first, then by name."""
    types: dict[str, list[Retrieved]] = {}
    for each in got:
        types.setdefault(each.asked.type or "unknown", []).append(each)
    return {
        name: {"questions": len(held), **_means(held), **_times(held)}
        for name, held in sorted(types.items(), key=lambda item: (-len(item[1]), item[0]))
    }


def _degraded(got: Iterable[Retrieved]) -> dict[str, int]:
    """Return what could not be done as asked, and in how many answers."""
    counts: dict[str, int] = {}
    for each in got:
        for note in dict.fromkeys(each.degraded):
            counts[note] = counts.get(note, 0) + 1
    return dict(sorted(counts.items()))


def _cells(means: Mapping[str, float]) -> list[str]:
    return [f"{means[name]:.4f}" for name in METRICS.values()]


def _times_of(row: Mapping[str, float]) -> list[str]:
    return [f"{row['search_ms_p50']:.2f}", f"{row['search_ms_p95']:.2f}"]
