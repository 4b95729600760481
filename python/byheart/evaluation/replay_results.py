"""Results of a replay: what became of the turns that were told, and what each question got of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .results import percentiles


@dataclass(frozen=True, slots=True)
class Told:
    """What became of the turns of a collection.

    Attributes:
        turns, sessions: how many were told. The memory is opened anew for each session, and for the questions.
        refused: turns that the memory did not keep.
        durable: copies that it keeps for good.
        summaries, archived: what compaction made, and how many turns stand behind it.

    """

    turns: int = 0
    sessions: int = 0
    refused: int = 0
    durable: int = 0
    summaries: int = 0
    archived: int = 0

    def and_(self, other: Told) -> Told:
        """Return the sum of both."""
        return Told(
            *(mine + theirs for mine, theirs in zip(asdict(self).values(), asdict(other).values(), strict=True))
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question got: its gold turns, those of which the text stands in the block, and what the block costs."""

    query: str
    type: str | None
    gold: int
    found: int
    tokens: float
    entries: int


@dataclass(frozen=True, slots=True)
class Run:
    """All questions under one profile, budget and way of compacting. `microseconds` alone differs between runs."""

    profile: str
    budget: int
    compaction: bool
    told: Told
    asked: tuple[Asked, ...]
    microseconds: tuple[float, ...]

    @property
    def gold_share(self) -> float:
        """The share of the gold turns whose text is in the block, over all questions."""
        return math.fsum(one.found for one in self.asked) / sum(one.gold for one in self.asked)

    @property
    def by_type(self) -> dict[str, float]:
        """The same by type of question, in the order of names."""
        types: dict[str, list[Asked]] = {}
        for one in self.asked:
            types.setdefault(one.type or "all", []).append(one)
        return {name: sum(o.found for o in ones) / sum(o.gold for o in ones) for name, ones in sorted(types.items())}

    @property
    def tokens(self) -> float:
        """The mean tokens of a block."""
        return math.fsum(one.tokens for one in self.asked) / len(self.asked)

    def to_dict(self) -> dict[str, Any]:
        """Return the run as a JSON-able mapping, without times."""
        return {
            "profile": self.profile,
            "budget": self.budget,
            "compaction": self.compaction,
            "told": asdict(self.told),
            "gold_share": self.gold_share,
            "by_type": self.by_type,
            "tokens": self.tokens,
            "asked": [asdict(one) for one in self.asked],
        }


@dataclass(frozen=True, slots=True)
class Replay:
    """The runs over one collection, and the microseconds of each turn that was told, by way of compacting."""

    collection: Mapping[str, Any]
    runs: tuple[Run, ...]
    telling: Mapping[bool, Sequence[float]]

    def to_dict(self, *, timings: bool = True) -> dict[str, Any]:
        """Return everything as a JSON-able mapping; without timings the same bytes on every run."""
        found: dict[str, Any] = {
            "format": "byheart-replay/1",
            "collection": dict(self.collection),
            "runs": [run.to_dict() for run in self.runs],
        }
        if timings:
            found["timings"] = {
                "ingest_microseconds": {str(how).lower(): percentiles(times) for how, times in self.telling.items()},
                "context_microseconds": [percentiles(run.microseconds) for run in self.runs],
            }
        return found
