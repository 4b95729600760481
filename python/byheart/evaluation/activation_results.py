"""Results of a benchmark of activation: aggregates alone, with every pass line, its figure and whether it is passed.

It holds no query and no id. Everything but what stands under "timings" is the same on every run.
"""
# docs/sources.md: B1.21.4, B1.21.5, B1.21.6.

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from .activation_arms import HYBRID
from .metrics import percentile_floor
from .results import Lap, ProfileResult

FORMAT: Final = "byheart-activation-benchmark/1"
LINES: Final = (("recall", 0.70), ("ndcg", 0.45), ("activate_p90_ms", 1500.0), ("fallback_share", 0.01))
"""The pass lines: the first two are reached from below, and the last two are not to be exceeded."""
SHOWN: Final = ("recall", "ndcg", "ndcg_exponential", "mrr")
_LIMITS: Final = dict(LINES)


class Step(NamedTuple):
    """One share of vectors that was tried on the validation part, and what came of it."""

    alpha: float
    ndcg: float
    recall: float


class Line(NamedTuple):
    """A pass line: its name, the share of vectors it is for, the limit, the figure, and whether it is passed."""

    name: str
    gold: str | None
    alpha: float | None
    limit: float
    figure: float
    passed: bool


@dataclass(frozen=True)
class Gold:
    """What the arms made of one gold's queries.

    Attributes:
        name: "claims" or "judgements".
        valid: how many queries alpha was chosen on.
        grid: each share of vectors that was tried on them; empty if there are none.
        alpha: the one that was chosen.
        arms: the results over the queries to report on; `Hybrid` has the alpha that was chosen.
        usual_alpha: the one of the parameters, which `activate` goes by.
        usual: the hybrid with that one.
        laps: how long each recall took, by arm.

    """

    name: str
    valid: int
    grid: tuple[Step, ...]
    alpha: float
    arms: tuple[ProfileResult, ...]
    usual_alpha: float
    usual: ProfileResult
    laps: Mapping[str, Sequence[Lap]]

    @property
    def hybrid(self) -> ProfileResult:
        """The arm that the pass lines are about."""
        return next(arm for arm in self.arms if arm.name == HYBRID)

    def means(self) -> dict[str, dict[str, float]]:
        """Return the means of each arm; a recall that failed counts 0."""
        return {arm.name: {name: arm.with_failures[name] for name in SHOWN} for arm in self.arms}

    def milliseconds(self) -> dict[str, dict[str, float | None]]:
        """Return p50 and p90 of a recall of each arm."""
        return {name: _percentiles([lap.total / 1e3 for lap in laps]) for name, laps in self.laps.items()}

    def lines(self) -> list[Line]:
        """Return the pass lines that are about what was found: under the alpha that was chosen, and the usual one."""
        asked = {self.alpha: self.hybrid} | ({} if self.alpha == self.usual_alpha else {self.usual_alpha: self.usual})
        return [
            Line(name, self.name, alpha, _LIMITS[name], figure, figure >= _LIMITS[name])
            for alpha, arm in asked.items()
            for name, figure in arm.with_failures.items()
            if name in ("recall", "ndcg")
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the gold as a JSON-able mapping, without times."""
        return {
            "gold": self.name,
            "valid": self.valid,
            "test": len(self.hybrid.answers),
            "alpha": self.alpha,
            "grid": [step._asdict() for step in self.grid],
            "arms": [_arm(arm) for arm in self.arms],
            "usual_alpha": self.usual_alpha,
            "usual": _arm(self.usual),
        }


@dataclass(frozen=True, slots=True)
class Activated:
    """What `activate` did with all queries to report on.

    Attributes:
        asked: how many.
        empty: how many contexts hold nothing.
        events: how many events of each topic the journal holds.
        times: milliseconds of each.

    """

    asked: int
    empty: int
    events: Mapping[str, int]
    times: tuple[float, ...]

    @property
    def fallback_share(self) -> float:
        """How many searches in one had to do without a side that was there to be asked."""
        searches = self.events["search"]
        return self.events["search_fallback"] / searches if searches else 0.0

    def milliseconds(self) -> dict[str, float | None]:
        """Return p50 and p90 of an activation."""
        return _percentiles(self.times)


@dataclass(frozen=True)
class Report:
    """A run of the benchmark.

    Attributes:
        collection: name, digest and counts of the claims: `short` and `common` are those of valid and test without a
            pseudo query, since they have too few words, or none of their own.
        config: how it was measured; `config_digest` is its digest, with the collection's.
        config_digest: see `config`.
        golds: the claims, and the judgements if there are any.
        activated: what `activate` did.
        build: seconds that it took to fill the memory.

    """

    collection: Mapping[str, Any]
    config: Mapping[str, Any]
    config_digest: str
    golds: tuple[Gold, ...]
    activated: Activated
    build: float

    def lines(self) -> list[Line]:
        """Return every pass line with its figure."""
        found = [line for gold in self.golds for line in gold.lines()]
        slow = self.activated.milliseconds()["p90"]
        for name, figure in (("activate_p90_ms", slow), ("fallback_share", self.activated.fallback_share)):
            value = math.inf if figure is None else figure
            found.append(Line(name, None, None, _LIMITS[name], value, value <= _LIMITS[name]))
        return found

    def to_dict(self, *, timings: bool = True) -> dict[str, Any]:
        """Return everything as a JSON-able mapping; without timings the same bytes on every run."""
        timed = [line._asdict() for line in self.lines() if line.name == "activate_p90_ms"]
        told: dict[str, Any] = {
            "format": FORMAT,
            "collection": dict(self.collection),
            "config": dict(self.config),
            "config_digest": self.config_digest,
            "golds": [gold.to_dict() for gold in self.golds],
            "activate": {
                "asked": self.activated.asked,
                "empty": self.activated.empty,
                "events": dict(self.activated.events),
            },
            "lines": [line._asdict() for line in self.lines() if line.name != "activate_p90_ms"],
        }
        if timings:
            told["timings"] = {
                "build_seconds": self.build,
                "recall_milliseconds": {gold.name: gold.milliseconds() for gold in self.golds},
                "activate_milliseconds": self.activated.milliseconds(),
                "lines": timed,
            }
        return told


def _arm(arm: ProfileResult) -> dict[str, Any]:
    """Return the aggregates of an arm: no answer of a single query."""
    return {
        "name": arm.name,
        "digest": arm.digest,
        "settings": arm.settings,
        "judged": len(arm.judged),
        "failed": len(arm.failed),
        "empty": empty(arm),
        "means": {name: interval._asdict() for name, interval in arm.intervals.items()},
        "means_with_failures": dict(arm.with_failures),
        "notes": dict(arm.notes),
    }


def empty(arm: ProfileResult) -> int:
    """Return how many answers of an arm hold nothing."""
    return sum(not answer.ids for answer in arm.answers if answer.failure is None)


def _percentiles(milliseconds: Sequence[float]) -> dict[str, float | None]:
    return {"p50": percentile_floor(milliseconds, 0.5), "p90": percentile_floor(milliseconds, 0.9)}
