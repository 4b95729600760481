"""Runs of the router over the made-up dataset, and the measures they are told in: what the tests of arms share."""

from __future__ import annotations

from typing import Any

from byheart.evaluation.arms import receipts
from byheart.evaluation.arms.histories import Dataset
from byheart.profiles.router import RouterConfig

METRICS = ("hit_at_k", "precision_at_k", "recall_at_k", "mrr", "ndcg_at_k")


def routed(asked: Dataset, **settings: Any) -> receipts.Told:
    """Run the router over a dataset, all its arms; no time is too long unless `cap_ms` says so."""
    config = RouterConfig(cap_ms=settings.pop("cap_ms", 60_000.0), top_k=3)
    return receipts.router_run_of(asked, config, run_group="run", created="then", **settings)
