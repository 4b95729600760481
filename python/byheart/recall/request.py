"""What a recall runs on and what it leaves behind, for every kind of profile."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter_ns
from typing import TYPE_CHECKING, Generic, TypeVar

from .._core import Closure, Ranking
from ..profiles import Profile
from ..ranking.candidates import Candidates
from ..records import Record
from ..retrieval import hypervector, symbolic
from ..retrieval.narrow import Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..profiles.staged import StagedProfile

Reader = Callable[[Sequence[str]], Sequence[Record | None]]
P_co = TypeVar("P_co", bound="Profile | StagedProfile", covariant=True)


@dataclass(frozen=True, slots=True)
class Request(Generic[P_co]):
    """A recall with every argument checked and the boundary resolved to cells."""

    terms: Sequence[str]
    k: int
    profile: P_co
    cells: Sequence[str]
    records: int
    act: str | None
    needed_roles: tuple[str, ...]
    now: float | None
    text: str = ""
    question: symbolic.Question | None = None  # for a profile whose second retriever is symbolic
    deadline: float | None = None
    embed: Callable[[], NDArray[np.float32]] | None = None  # the query's vector, made when a retriever asks for it
    embeddings_of: Callable[[Sequence[str]], Mapping[str, bytes]] = lambda ids: {}  # vectors as they are stored
    session_id: str | None = None
    user_id: str | None = None
    category: str | None = None
    exclude: frozenset[str] = frozenset()


@dataclass(slots=True)
class Run:
    """What a run leaves behind."""

    table: Candidates
    records: dict[str, Record]
    found: Mapping[str, Ranking | Found]
    vectors: hypervector.Vectors
    escalated: bool
    now: float | None
    timings: Mapping[str, float]
    closure: Closure | None = None
    degraded: tuple[str, ...] = ()
    proposed: Mapping[str, Sequence[tuple[str, float]]] | None = None  # by leg, of a staged profile


class Clock:
    """Microseconds of each step, by name; steps of one name add up."""

    def __init__(self) -> None:
        self.timings: dict[str, float] = {}
        self._last = perf_counter_ns()

    def lap(self, name: str) -> None:
        """Note what has passed since the last one."""
        now = perf_counter_ns()
        self.timings[name] = self.timings.get(name, 0.0) + (now - self._last) / 1000.0
        self._last = now


def read_all(read: Reader, ids: Sequence[str]) -> dict[str, Record]:
    """Return the records that are there, by id."""
    return {id: record for id, record in zip(ids, read(ids), strict=True) if record is not None}
