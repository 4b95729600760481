"""The routing of one question over two ranked lists: gate, budget, fusion, and what is told of it.

The profile `router` does the same over the legs of a recall, by the same functions. A stage may be given as a list that
was recorded, with the time that it took then: nothing here reads a clock.
"""
# docs/sources.md: A3.1 to A3.4.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...light.classes import dataclass
from ...validation import MAX_K, check_nonnegative, check_one_of, check_whole, keep_plain
from . import fusion, gate
from .gate import Decision

NAMES: Mapping[str, str] = {
    "mode": "fusion",
    "top_k": "top_k",
    "n1": "n1",
    "n2": "n2",
    "max_append": "max_stage2_append",
    "min_must": "min_must_count",
    "k_rrf": "k_rrf",
    "cap_ms": "stage2_cap_ms",
    "p95_target_ms": "p95_target_ms",
}
"""What receipts call the constants."""


@dataclass(frozen=True, slots=True)
class Constants:
    """The thresholds of a router: explicit, written into every receipt, and never tuned.

    Attributes:
        mode: "append_fill" or "rrf_fusion".
        top_k: hits; where filling ends.
        n1, n2: what is looked at of each stage, as it delivers it.
        max_append: the most hits that the second stage may add in the first mode.
        min_must: with so many different ids of the first stage the second is not asked.
        k_rrf: how slowly ranks lose weight in the second mode.
        cap_ms: what the second stage may take, by estimate and by measurement.
        p95_target_ms: what 95 of 100 questions may take in all, over a run.
        always_stage2: ask the second stage whatever the first one found.

    """

    # docs/sources.md: A3.1.2, A3.1.6.
    mode: str = "append_fill"
    top_k: int = 10
    n1: int = 20
    n2: int = 20
    max_append: int = 10
    min_must: int = gate.MIN_MUST
    k_rrf: int = fusion.K_RRF
    cap_ms: float = gate.CAP_MS
    p95_target_ms: float = gate.P95_TARGET_MS
    always_stage2: bool = False

    def __post_init__(self) -> None:
        """Check the mode and the ranges."""
        keep_plain(self)
        check_one_of("mode", self.mode, fusion.MODES)
        for name in ("top_k", "n1", "n2"):
            check_whole(name, getattr(self, name), 1, MAX_K)
        for name in ("max_append", "min_must", "k_rrf", "cap_ms", "p95_target_ms"):
            check_nonnegative(name, getattr(self, name))

    def to_dict(self) -> dict[str, Any]:
        """Return the constants as receipts name them.

        >>> Constants().to_dict()["min_must_count"]
        3
        """
        # docs/sources.md: A3.5.2.
        values = asdict(self)
        return {told: values[name] for name, told in NAMES.items()} | {"always_stage2": self.always_stage2}


@dataclass(frozen=True, slots=True)
class Routed:
    """The answer to one question: ids best first with their scores, the decision, and milliseconds by step."""

    placed: tuple[fusion.Placed, ...]
    decision: Decision
    latency_ms: Mapping[str, float]

    @property
    def ids(self) -> list[str]:
        """The ids, best first."""
        return [row.id for row in self.placed]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a JSON-able mapping."""
        return {"ids": self.ids, **self.decision.to_dict(), "latency_ms": dict(self.latency_ms)}


def route(
    stage1: Sequence[str],
    stage2: Sequence[str],
    constants: Constants | None = None,
    *,
    estimate_ms: float | None = None,
    latency_ms: Mapping[str, float] | None = None,
    errors: Mapping[str, str] | None = None,
) -> Routed:
    """Return the answer to a question from what two stages found.

    Args:
        stage1: ids, best first, as the stage delivers them.
        stage2: those of the second stage, likewise.
        constants: of the router; None for the usual ones.
        estimate_ms: what the second stage is expected to take; None for no estimate.
        latency_ms: what was measured, or recorded, by step: "stage1", "stage2", "fusion".
        errors: by stage ("stage1", "stage2"), why it failed: it found nothing then.

    >>> route(["a", "b"], ["b", "c"]).ids, route(["a", "b", "c"], ["d"]).decision.reason
    (['a', 'b', 'c'], 'not_triggered')

    """
    rules, took, failed = constants or Constants(), latency_ms or {}, errors or {}
    first = [] if "stage1" in failed else fusion.delivered(stage1, rules.n1)
    decision = gate.before(
        len(first), min_must=rules.min_must, cap_ms=rules.cap_ms, estimate_ms=estimate_ms, always=rules.always_stage2
    )
    asked = decision.stage2_used
    decision = gate.after(decision, took.get("stage2"), cap_ms=rules.cap_ms)
    if "stage1" in failed:
        decision = decision.failed("stage1", failed["stage1"])
    if asked and "stage2" in failed:
        decision = decision.failed("stage2", failed["stage2"])
    second = fusion.delivered(stage2, rules.n2) if decision.stage2_used else []
    placed = tuple(merged(first, second, rules)[: rules.top_k])
    return Routed(placed, decision, split(took, asked=asked))


def merged(first: Sequence[str], second: Sequence[str], rules: Constants) -> list[fusion.Placed]:
    """Return what two lists come to, best first; each holds an id once.

    In the mode "append_fill" a score is 1 / (k + place), so that the order is that of the places.
    """
    if rules.mode == "rrf_fusion":
        return fusion.rrf([first, second], rules.k_rrf)
    ranks = {id: rank for rank, id in enumerate(second, 1)}
    filled = fusion.append_fill(first, second, top_k=rules.top_k, max_append=rules.max_append)
    return [
        fusion.Placed(
            id,
            fusion.reciprocal(place, rules.k_rrf),
            0 if place <= len(first) else 1,
            place if place <= len(first) else ranks[id],
        )
        for place, id in enumerate(filled, 1)
    ]


def split(took: Mapping[str, float], *, asked: bool) -> dict[str, float]:
    """Return milliseconds by step, and in all: a second stage that was not asked took none.

    >>> split({"stage1": 2.0, "stage2": 3.0}, asked=False)
    {'stage1': 2.0, 'stage2': 0.0, 'fusion': 0.0, 'total': 2.0}
    """
    # docs/sources.md: A3.4.3.
    steps = {name: float(took.get(name, 0.0)) for name in ("stage1", "stage2", "fusion")}
    if not asked:
        steps["stage2"] = 0.0
    return {**steps, "total": steps["stage1"] + steps["stage2"] + steps["fusion"]}
