"""Profiles that are lists: who proposes candidates, and the stages that make an answer of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import InvalidArgument
from ..ranking.algebra import Stage, worst_case
from ..validation import MAX_K
from .escalating import MODES

RETRIEVERS = ("dense", "lexical")
PLACES = ("session", "user", "global")


@dataclass(frozen=True, slots=True)
class Leg:
    """One search of a profile.

    Attributes:
        retriever: "dense" or "lexical"; its raw scores become the column of this name.
        at_least, times: how many rows it proposes: `times` the hits asked for, rounded up, and never fewer than the
            former.
        floor: the lowest raw score that it proposes; None for none.
        within: look only at the records of the recall's "session", of its "user" elsewhere, or at those of nobody
            ("global"; of a recall that names neither session nor user: at all); None for all.

    """

    retriever: str
    at_least: int = 1
    times: float = 1.0
    floor: float | None = None
    within: str | None = None

    def __post_init__(self) -> None:
        """Check the names and ranges."""
        if self.retriever not in RETRIEVERS:
            raise InvalidArgument(f"retriever: is {self.retriever!r}; use one of {', '.join(RETRIEVERS)}")
        if self.within is not None and self.within not in PLACES:
            raise InvalidArgument(f"within: is {self.within!r}; use one of {', '.join(PLACES)}, or None")
        if self.at_least < 1 or not 0.0 <= self.times <= 1_000.0:
            raise InvalidArgument("at_least must be at least 1, and times between 0 and 1,000")

    def size(self, k: int) -> int:
        """Return how many rows it proposes where k hits are asked for; never more than a search may give.

        >>> Leg("dense", at_least=20, times=2.0).size(5), Leg("dense", at_least=20, times=2.0).size(20)
        (20, 40)
        """
        return min(max(self.at_least, math.ceil(self.times * k)), MAX_K)


@dataclass(frozen=True, slots=True)
class StagedProfile:
    """Legs that propose, and stages that score, drop and order, one after the other; then the first k rows.

    Attributes:
        name: what explanations and receipts call it.
        legs: the searches, in order: rows stand in the order in which they are found first.
        stages: in order.
        max_results: hits, where a recall does not say how many.
        largest: the most hits that it gives; None for no limit. A recall that asks for more says so in its notes.
        mode: how vectors are searched: "exact", "early_exit" (seed 000's cascade) or "approx".
        words_stand_in: whether the words' scores, divided by the best or by 1, take the place of cosines where there is
            no embedder, or it fails. The answer says `degraded`.
        notes: what every answer says.

    """

    name: str
    legs: tuple[Leg, ...]
    stages: tuple[Stage, ...]
    max_results: int = 10
    largest: int | None = None
    mode: str = "exact"
    words_stand_in: bool = False
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the ranges."""
        for name, kind in (("legs", Leg), ("stages", Stage)):
            for one in getattr(self, name):
                if not isinstance(one, kind):
                    raise TypeError(f"{name} must be {kind.__name__} objects, not {type(one).__name__}")
        if not self.legs:
            raise InvalidArgument("legs: are none; a profile needs a search at least")
        if self.mode not in MODES:
            raise InvalidArgument(f"mode: is {self.mode!r}; use one of {', '.join(MODES)}")
        if self.max_results < 1 or (self.largest is not None and self.largest < 1):
            raise InvalidArgument("max_results and largest must be at least 1")

    @property
    def asks_facts(self) -> bool:
        """Whether the profile ever asks the index of facts: it does not."""
        return False

    @property
    def asks_vectors(self) -> bool:
        """Whether the profile ever asks the index of embeddings."""
        return any(leg.retriever == "dense" for leg in self.legs)

    def in_mode(self, mode: str) -> StagedProfile:
        """Return the profile with another way of searching vectors."""
        return replace(self, mode=mode)

    def worst_case(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """Return how far time, importance and the like can turn a ranking; see `byheart.ranking.algebra.worst_case`."""
        return worst_case(self.stages)
