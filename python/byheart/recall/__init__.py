"""Runs a profile: the only control flow of a recall.

request      what a recall runs on and what it leaves behind
searching    the retrievers, inside a boundary and among the records that may be found
escalating   profiles of seed 003: retrieve, escalate, join, stages, select
staged       profiles that are lists of legs and stages
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..index.partition import Partition
from ..profiles import Profile
from ..ranking.explanation import Explanation
from . import escalating
from .request import Reader, Request, Run

__all__ = ["Reader", "Request", "Run", "explain", "run", "trace"]


def run(request: Request[Any], partition: Partition, read: Reader, clock: Callable[[], float]) -> Run:
    """Run a profile inside the request's cells; `read` gives records by id, `clock` the time if it is needed."""
    return _of(request).run(request, partition, read, clock)  # type: ignore[no-any-return]


def explain(request: Request[Any], partition: Partition, done: Run, id: str) -> Explanation:
    """Return how a record got its score in a run, or why it is no hit."""
    return _of(request).explain(request, partition, done, id)  # type: ignore[no-any-return]


def trace(request: Request[Any], done: Run) -> Any:
    """Return what was run and what each retriever proposed (spec B1.42.2)."""
    return _of(request).trace(request, done)


def _of(request: Request[Any]) -> Any:
    if isinstance(request.profile, Profile):
        return escalating
    from . import staged  # on use: most memories never ask for it

    return staged
