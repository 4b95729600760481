"""Adapters of what is measured: rankings against judgements, and percentiles (`metric.*`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byheart.evaluation import metrics
from byheart.ranking.statistics import percentile

from .registry import feature

_GAINS = {"exp": "exponential", "linear": "linear"}


@feature("metric.recall", "ranking", "relevant", "k")
def _recall(given: Mapping[str, Any]) -> float:
    return metrics.recall(given["ranking"], dict.fromkeys(given["relevant"], 1), given["k"])


@feature("metric.mrr", "ranking", "relevant")
def _mrr(given: Mapping[str, Any]) -> float:
    return metrics.reciprocal_rank(given["ranking"], dict.fromkeys(given["relevant"], 1))


@feature("metric.ndcg", "ranking", "grades", "k", "gain")
def _ndcg(given: Mapping[str, Any]) -> float:
    return metrics.ndcg(given["ranking"], given["grades"], given["k"], gain=_GAINS[given["gain"]])


@feature("metric.percentile_linear", "values", "p")
def _percentile_linear(given: Mapping[str, Any]) -> float | None:
    return percentile(given["values"], given["p"])


@feature("metric.percentile_floor", "values", "p")
def _percentile_floor(given: Mapping[str, Any]) -> float | None:
    return metrics.percentile_floor(given["values"], given["p"])
