"""Where the microseconds of a call go: chosen functions are wrapped; each is charged what it took without those inside.

Cheaper than a profiler, which slows small Python functions more than the core: a wrap costs about 0.2 us, charged to
whoever called. A function that the package no longer has is left out; its time then shows in whoever called it.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

WHOLE = "call itself: arguments, Python between the steps, hits"

STEPS: Mapping[str, str] = {
    "byheart.memory:Memory.recall": WHOLE,
    "byheart.recall.question:check": "request: checks, boundary",
    "byheart.recall.recaller:Recaller._sources": "what the run reads from",
    "byheart.recall.recaller:receipt_of": "receipt, where it is read",
    "byheart.recall.run:first_rows": "search and stages of the first rows (core)",
    "byheart.recall.run:fused": "search and stages of auto (core)",
    "byheart.recall.legs:search_together": "searches (core)",
    "byheart.retrieval.hypervector:encode_query": "query to hypervectors (core)",
    "byheart.recall.recaller:run": "run: Python between the steps",
    "byheart.recall.tables:join": "join of the lists to a table",
    "byheart.index.indexes:Indexes.read": "records out of the store",
    "byheart.recall.legs:Legs.ask": "legs: Python around the searches",
    "byheart.ranking.agreement:Normalise.__call__": "stage: normalisation",
    "byheart.ranking.agreement:AgreementFusion.__call__": "stage: fusion",
    "byheart.ranking.agreement:drop_below_minimum": "stage: minimum",
    "byheart.ranking.agreement:drop_duplicates": "stage: duplicates",
    "byheart.index.partition:Partition.hashes": "content hashes: those that are kept",
    "byheart.records:Record.content_hash": "content hashes",
    "byheart.ranking.agreement:drop_behind_gap": "stage: gap",
    "byheart.recall.run:cut": "cut",
}


def _place(path: str) -> tuple[Any, str] | None:
    """Return the module or class that holds a function, and the function's name there; None if it is not there."""
    module, _, names = path.partition(":")
    try:
        holder: Any = importlib.import_module(module)
    except ImportError:
        return None
    *outer, name = names.split(".")
    for step in outer:
        holder = getattr(holder, step, None)
    return (holder, name) if hasattr(holder, name) else None


class Laps:
    """Microseconds by step, each without the steps inside it."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._inside: list[int] = [0]

    def wrap(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function with a clock around it."""
        clock, spent, inside = time.perf_counter_ns, self.spent, self._inside

        def timed(*arguments: Any, **named: Any) -> Any:
            inside.append(0)
            start = clock()
            try:
                return function(*arguments, **named)
            finally:
                took = clock() - start
                spent[name] = spent.get(name, 0.0) + (took - inside.pop()) / 1000
                inside[-1] += took

        return timed

    @contextmanager
    def around(self, steps: Mapping[str, str] = STEPS) -> Iterator[None]:
        """Wrap the steps that exist for as long as the block runs."""
        undo: list[tuple[Any, str, Any]] = []
        try:
            for path, name in steps.items():
                place = _place(path)
                if place is not None:
                    holder, attribute = place
                    undo.append((holder, attribute, holder.__dict__[attribute]))
                    setattr(holder, attribute, self.wrap(name, holder.__dict__[attribute]))
            yield
        finally:
            for holder, attribute, original in undo:
                setattr(holder, attribute, original)
