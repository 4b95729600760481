"""Results of an evaluation: the hits of each query, the means over all, and, apart from both, the times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..ranking.statistics import percentile
from .abstention_metrics import Abstention, abstention
from .measures import MEASURES
from .resampling import Interval, intervals

ALL = "all"


@dataclass(frozen=True, slots=True)
class Answer:
    """What one query got.

    Attributes:
        query, type: of the query: its id, and its row in a table by type.
        answerable: whether its author says that something answers it.
        ids, scores: the hits, best first, as many as were asked for.
        grades: of each hit, as it was judged; 0 for what was not.
        measures: by name; empty if nothing relevant is known, so that the query counts in no mean.
        degraded: what could not be done as asked.
        failure: the error that the recall raised; None if it answered.

    """

    query: str
    type: str | None
    answerable: bool
    ids: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    grades: tuple[int, ...] = ()
    measures: Mapping[str, float] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    failure: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as a JSON-able mapping."""
        named: dict[str, Any] = {"query": self.query, "type": self.type, "hits": list(map(list, self._hits()))}
        named |= {"measures": dict(self.measures)} if self.measures else {}
        named |= {} if self.answerable else {"answerable": False}
        named |= {"degraded": list(self.degraded)} if self.degraded else {}
        return named if self.failure is None else named | {"failure": self.failure}

    def _hits(self) -> Iterable[tuple[str, float, int]]:
        return zip(self.ids, self.scores, self.grades, strict=True)


@dataclass(frozen=True)
class ProfileResult:
    """What one profile made of the queries of a collection.

    Attributes:
        name, digest, settings: of the profile: two of one name are told apart by the digest of the settings.
        answers: one for each query that counts, in the collection's order.

    """

    name: str
    digest: str
    settings: Mapping[str, Any]
    answers: tuple[Answer, ...]

    @cached_property
    def judged(self) -> tuple[Answer, ...]:
        """The answers that count in a mean: of queries with something relevant, where the recall did not fail."""
        return tuple(answer for answer in self.answers if answer.measures and answer.failure is None)

    @cached_property
    def failed(self) -> tuple[Answer, ...]:
        """The answers that are none, since the recall raised an error."""
        return tuple(answer for answer in self.answers if answer.failure is not None)

    def values(self, measure: str) -> list[float]:
        """Return a measure of each answer that counts."""
        return [answer.measures[measure] for answer in self.judged]

    @cached_property
    def intervals(self) -> Mapping[str, Interval]:
        """The mean of each measure, with its interval; empty if no answer counts."""
        return intervals({name: self.values(name) for name in MEASURES}) if self.judged else {}

    @cached_property
    def with_failures(self) -> Mapping[str, float]:
        """The mean of each measure if a recall that failed counts 0."""
        # docs/sources.md: A3.6.3.
        count = len(self.judged) + sum(bool(answer.measures) for answer in self.failed)
        return {name: math.fsum(self.values(name)) / count for name in MEASURES} if count else {}

    @cached_property
    def by_type(self) -> Mapping[str, Mapping[str, float]]:
        """The means by type of query, the most frequent first, then by name; with `queries`, how many they are."""
        types: dict[str, list[Answer]] = {}
        for answer in self.judged:
            types.setdefault(answer.type or ALL, []).append(answer)
        return {
            name: {"queries": len(answers)}
            | {each: math.fsum(one.measures[each] for one in answers) / len(answers) for each in MEASURES}
            for name, answers in sorted(types.items(), key=lambda item: (-len(item[1]), item[0]))
        }

    @cached_property
    def abstention(self) -> Abstention:
        """How well the profile says nothing where nothing answers."""
        return abstention((answer.answerable, bool(answer.ids)) for answer in self.answers if answer.failure is None)

    @cached_property
    def notes(self) -> Mapping[str, int]:
        """What could not be done as asked, and in how many answers."""
        counts: dict[str, int] = {}
        for answer in self.answers:
            for note in dict.fromkeys(answer.degraded):
                counts[note] = counts.get(note, 0) + 1
        return dict(sorted(counts.items()))

    def beside(self, other: ProfileResult) -> Mapping[str, Interval]:
        """Return how far this profile is ahead of another one, query by query, for each measure."""
        theirs = {answer.query: answer for answer in other.judged}
        pairs = [(theirs[answer.query].measures, answer.measures) for answer in self.judged if answer.query in theirs]
        if not pairs:
            return {}
        return intervals({name: [b[name] - a[name] for a, b in pairs] for name in MEASURES})

    def to_dict(self, baseline: ProfileResult | None = None) -> dict[str, Any]:
        """Return the result as a JSON-able mapping, with its differences from a baseline."""
        return {
            "name": self.name,
            "digest": self.digest,
            "settings": self.settings,
            "queries": len(self.answers),
            "judged": len(self.judged),
            "failed": len(self.failed),
            "means": {name: interval._asdict() for name, interval in self.intervals.items()},
            "means_with_failures": dict(self.with_failures) if self.failed else {},
            "by_type": {name: dict(row) for name, row in self.by_type.items()},
            "abstention": self.abstention._asdict(),
            "notes": dict(self.notes),
            "beside": None
            if baseline is None
            else {"profile": baseline.name, **{name: i._asdict() for name, i in self.beside(baseline).items()}},
            "answers": [answer.to_dict() for answer in self.answers],
        }


@dataclass(frozen=True, slots=True)
class Lap:
    """How long one recall took, in microseconds: all of it, and by step as the recall itself tells it."""

    query: str
    total: float
    steps: Mapping[str, float]


@dataclass(frozen=True)
class Evaluation:
    """Profiles beside each other on one collection. Everything but `laps` and `build` is the same on every run.

    Attributes:
        collection: name, digest and counts of what was asked.
        config: how it was asked; `config_digest` is its digest.
        config_digest: see `config`.
        profiles: the first one is the baseline of the others.
        texts: of the queries, by id.
        laps: how long each recall took, by profile.
        build: seconds that it took to fill the memory.

    """

    collection: Mapping[str, Any]
    config: Mapping[str, Any]
    config_digest: str
    profiles: tuple[ProfileResult, ...]
    texts: Mapping[str, str]
    laps: Mapping[str, Sequence[Lap]]
    build: float

    def latency(self, profile: str) -> Mapping[str, float]:
        """Return microseconds of a recall of a profile: 50th, 95th and 99th percentile, mean; and how many a second."""
        return percentiles([lap.total for lap in self.laps[profile]])

    def to_dict(self, *, timings: bool = True) -> dict[str, Any]:
        """Return everything as a JSON-able mapping; without timings the same bytes on every run."""
        baseline = self.profiles[0]
        told: dict[str, Any] = {
            "format": "byheart-evaluation/1",
            "collection": dict(self.collection),
            "config": dict(self.config),
            "config_digest": self.config_digest,
            "profiles": [each.to_dict(None if each is baseline else baseline) for each in self.profiles],
            "texts": dict(self.texts),
        }
        if timings:
            told["timings"] = {
                "build_seconds": self.build,
                "recall_microseconds": {name: dict(self.latency(name)) for name in self.laps},
                "laps": {
                    name: [{"query": lap.query, "total": lap.total, "steps": dict(lap.steps)} for lap in laps]
                    for name, laps in self.laps.items()
                },
            }
        return told


def percentiles(microseconds: Sequence[float]) -> dict[str, float]:
    """Return the 50th, 95th and 99th percentile of times, their mean, and how many fit into a second.

    >>> percentiles([100.0, 300.0])["p50"], percentiles([100.0, 300.0])["per_second"], percentiles([])
    (200.0, 5000.0, {})
    """
    if not microseconds:
        return {}
    mean = math.fsum(microseconds) / len(microseconds)
    found = {f"p{share}": float(percentile(microseconds, share / 100) or 0.0) for share in (50, 95, 99)}
    return found | {"mean": mean, "per_second": 1e6 / mean if mean else 0.0}
