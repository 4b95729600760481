"""Adapters of the router: its gate and fusion, QMD's scores, the bench's rules and metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byheart.evaluation import bench, bench_metrics
from byheart.ranking.qmd import chunks, scores
from byheart.ranking.qmd import fusion as qmd_fusion
from byheart.ranking.router import acceptance, fusion
from byheart.ranking.router.routing import NAMES, Constants, route

from .registry import feature

_CONSTANTS = {**{told: name for name, told in NAMES.items()}, **{name: name for name in NAMES}, "k": "k_rrf"}
_CONSTANTS["always_stage2"] = "always_stage2"
_LATENCIES = {"stage1_latency_ms": "stage1", "stage2_latency_ms": "stage2"}
_ESTIMATES = ("stage2_estimate_ms", "stage2_estimated_ms")
_ERRORS = {"stage1_error": "stage1", "stage2_error": "stage2"}
_TOLD = ("ids", "stage2_should_trigger", "stage2_used", "stage2_skipped_budget")


@feature("router.run", "stage1", "stage2", optional=(*_CONSTANTS, *_LATENCIES, *_ESTIMATES, *_ERRORS))
def _run(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return ids and flags; a constant has the name that receipts give it, or its own."""
    routed = route(
        given["stage1"],
        given["stage2"],
        Constants(**{name: given[told] for told, name in _CONSTANTS.items() if told in given}),
        estimate_ms=next((given[name] for name in _ESTIMATES if name in given), None),
        latency_ms={step: given[name] for name, step in _LATENCIES.items() if name in given},
        errors={stage: str(given[name]) for name, stage in _ERRORS.items() if given.get(name)},
    ).to_dict()
    return {name: routed[name] for name in _TOLD}


@feature("router.rrf", "lists", optional=("k",))
def _router_rrf(given: Mapping[str, Any]) -> list[tuple[str, float]]:
    return [(row.id, row.score) for row in fusion.rrf(given["lists"], given.get("k", fusion.K_RRF))]


@feature("router.tiebreak", "rows")
def _tiebreak(given: Mapping[str, Any]) -> list[str]:
    rows = [
        fusion.Placed(row["session_id"], row["score"], row["stage_priority"], row["source_rank"])
        for row in given["rows"]
    ]
    return [row.id for row in fusion.in_order(rows)]


@feature("router.acceptance", "p95_ms", "recall", "baseline_recall", optional=("degradation_quantified",))
def _acceptance(given: Mapping[str, Any]) -> dict[str, bool]:
    return acceptance.acceptance(**given)._asdict()


@feature("qmd.blend", "rrf_rank", "rerank")
def _blend(given: Mapping[str, Any]) -> float:
    return scores.blend(given["rrf_rank"], given["rerank"])


@feature("qmd.cutoff", "target", "breaks", optional=("window", "decay", "fences", "code_fences"))
def _cutoff(given: Mapping[str, Any]) -> dict[str, Any]:
    rules = {name: given[name] for name in ("window", "decay") if name in given}
    spans = given.get("fences", given.get("code_fences", ()))
    fences = [(span["start"], span["end"]) if isinstance(span, Mapping) else tuple(span) for span in spans]
    breaks = [chunks.Break(each["pos"], each["score"]) for each in given["breaks"]]
    return chunks.cutoff(breaks, given["target"], fences=fences, **rules)._asdict()


@feature("qmd.fts_score", "bm25")
def _fts_score(given: Mapping[str, Any]) -> float:
    return scores.fts_score(given["bm25"])


@feature("qmd.rrf", "lists", optional=("weights", "k"))
def _qmd_rrf(given: Mapping[str, Any]) -> list[tuple[str, float]]:
    return qmd_fusion.rrf(given["lists"], given.get("weights", ()), given.get("k", qmd_fusion.K_RRF))


@feature("qmd.strong_signal", "scores", optional=("intent",))
def _strong_signal(given: Mapping[str, Any]) -> bool:
    return scores.strong_signal(given["scores"], given.get("intent"))


@feature("metrics.score", "retrieved", "relevant", "k")
def _score(given: Mapping[str, Any]) -> dict[str, float]:
    return bench_metrics.score(given["retrieved"], given["relevant"], given["k"])._asdict()


@feature("metrics.percentile", "values", "p")
def _percentile(given: Mapping[str, Any]) -> float:
    return bench_metrics.percentile(given["values"], given["p"])


@feature("bench.importance_label", optional=("metadata", "messages"))
def _importance_label(given: Mapping[str, Any]) -> str:
    messages = given.get("messages", ())
    texts = [each["content"] if isinstance(each, Mapping) else each for each in messages]
    return bench.importance_label(given.get("metadata"), texts)


@feature("bench.sample", "n", optional=("size", "seed", "limit"))
def _sample(given: Mapping[str, Any]) -> list[int]:
    return bench.sample(given["n"], given.get("size"), given.get("seed"), limit=given.get("limit"))


@feature("bench.win_rule", "baseline", "experimental")
def _win_rule(given: Mapping[str, Any]) -> bool:
    return bench.wins(bench.Arm(**given["baseline"]), bench.Arm(**given["experimental"]))
