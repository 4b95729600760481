"""The routing of one recall: what its gate decided, and what its stages took; and the latencies kept for it."""
# docs/sources.md: A3.4.

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import field
from threading import Lock
from typing import Any

from ..light.classes import dataclass
from ..ranking.router.gate import Decision
from ..ranking.statistics import percentile
from ..retrieval.protocol import Found

KEPT = 100
"""Searches by which the next one's time is estimated."""


class Latencies:
    """What the last searches of each gated leg took, in this process.

    A search that is skipped for its estimate takes the oldest one out, so that a source that was slow once is asked
    again some day.

    >>> latencies = Latencies()
    >>> latencies.took("far", 700.0)
    >>> latencies.p95("far"), latencies.p95("near")
    (700.0, None)
    >>> latencies.skipped("far")
    >>> latencies.p95("far") is None
    True
    """

    def __init__(self, kept: int = KEPT) -> None:
        """Know of no search."""
        self._kept, self._held = kept, dict[str, deque[float]]()
        self._lock = Lock()

    def p95(self, name: str) -> float | None:
        """Return what 95 of 100 of a retriever's last searches stayed below, in milliseconds; None of none."""
        with self._lock:
            return percentile(list(self._held.get(name, ())), 0.95)

    def took(self, name: str, milliseconds: float) -> None:
        """Note a search."""
        with self._lock:
            self._held.setdefault(name, deque(maxlen=self._kept)).append(milliseconds)

    def skipped(self, name: str) -> None:
        """Note that a search was not made because of those that were."""
        with self._lock:
            if self._held.get(name):
                self._held[name].popleft()


@dataclass(slots=True)
class Routing:
    """What became of the stages of one recall.

    Attributes:
        decision: of the gate; None before it was asked.
        latency_ms: by step: measured, or as it was recorded.
        asked: whether the second stage was asked, whatever became of its answer.
        failures: of the first stage, before there is a decision.

    """

    decision: Decision | None = None
    latency_ms: dict[str, float] = field(default_factory=dict)
    asked: bool = False
    failures: list[str] = field(default_factory=list)

    def note(self, step: str, measured: float, found: Iterable[Found] = ()) -> float:
        """Add the time of a step in milliseconds, and return it: as its searches recorded it, or as measured."""
        recorded = [each.latency_ms for each in found if each.latency_ms is not None]
        took = sum(recorded) if recorded else measured
        self.latency_ms[step] = self.latency_ms.get(step, 0.0) + took
        return took

    def figures(self) -> dict[str, Any]:
        """Return what was decided: nothing that was measured in this call, but for a running estimate."""
        return {} if self.decision is None else self.decision.to_dict()

    def told(self, timings: Mapping[str, float]) -> dict[str, Any]:
        """Return decision and latencies; `timings` are those of the run, in microseconds."""
        from ..ranking.router.routing import split  # on use: most recalls have no gate

        took = {**self.latency_ms, "fusion": timings.get("route", 0.0) / 1000.0}
        return {**self.figures(), "latency_ms": split(took, asked=self.asked)}
