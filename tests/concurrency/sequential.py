"""The sequential model: what calls give one after the other; and whether some order of them explains a run.

A run is explained by an order that keeps to what was seen (a call that had ended before another began comes first), in
which each call gives what it gave in the run, and after which the same is stored. So nothing that was acknowledged is
lost, nothing that was forgotten comes back, and each answer is of one moment.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import byheart
from byheart.records import Record
from byheart.storage import InProcessStore, Store, Vectors, VectorStore, by_id, key_of

from .verbs import Call, outcome

Open = Callable[[Store], byheart.Memory]


@dataclass(frozen=True)
class Done:
    """A call of a run: which one, between which moments, and what it gave."""

    which: int
    begin: int
    end: int
    gave: object


@dataclass(frozen=True)
class State:
    """What is stored: records, and whether each has which vector."""

    records: tuple[str, ...]
    vectors: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, store: VectorStore, *, vectors: bool) -> State:
        model = store.model() if vectors else None
        rows = [] if model is None else sorted((str(key), row.hex()) for key, row in store.vectors(model))
        stored = sorted(filter(_counts, store.load()), key=lambda record: by_id(key_of(record)))
        return cls(tuple(map(_shown, stored)), tuple(rows))


def _counts(record: Record) -> bool:
    """Return whether a record is part of what came of calls: what a handle lacks, each handle says once for itself."""
    content = record.metadata.get("content")
    return not (isinstance(content, dict) and content.get("topic") == "schema")


def _shown(record: Record) -> str:
    """Return a record as text, without what the gate has reckoned: that is of the moment at which it looked."""
    values = record.to_dict()
    own = values.get("metadata", {})
    values["metadata"] = {name: value for name, value in own.items() if not name.startswith("gating_")}
    return json.dumps(values, sort_keys=True)


class Model:
    """What some calls give in any order, starting from what a store holds.

    Args:
        start: the store.
        calls: the calls, and what opens a memory for each.
        folder: what a call may read from.
        vectors: whether vectors are compared.

    """

    def __init__(self, start: VectorStore, calls: Sequence[tuple[Call, Open]], folder: Path, *, vectors: bool) -> None:
        self._start, self._calls, self._folder, self._vectors = start, calls, folder, vectors
        self._after = cache(self._applied)

    def explains(self, run: Sequence[Done], stored: State) -> bool:
        """Return whether some order of the calls gives what a run gave."""
        return any(True for _ in self._orders((), list(run), stored))

    def told(self, run: Sequence[Done]) -> list[str]:
        """Return what each call gave, and what some orders give, to be read by people."""
        lines = [f"call {done.which} {done.begin}-{done.end}: {done.gave}" for done in run]
        for order in (tuple(range(len(run))), tuple(reversed(range(len(run))))):
            for end in range(1, len(order) + 1):
                lines.append(f"in order {order[:end]}: {self._after(order[:end])[1]}")
            lines += [f"    {record}" for record in State.of(self._after(order)[0], vectors=self._vectors).records]
        return lines

    def _orders(self, order: tuple[int, ...], left: list[Done], stored: State) -> Any:
        if not left:
            if State.of(self._after(order)[0], vectors=self._vectors) == stored:
                yield order
            return
        first_end = min(done.end for done in left)
        for done in left:
            if done.begin < first_end and self._after((*order, done.which))[1] == done.gave:
                yield from self._orders((*order, done.which), [each for each in left if each is not done], stored)

    def _applied(self, order: tuple[int, ...]) -> tuple[VectorStore, object]:
        """Return the store after an order of calls, and what the last of them gave."""
        if not order:
            return self._start, None
        store = copied(self._after(order[:-1])[0])
        call, open_one = self._calls[order[-1]]
        return store, outcome(call, open_one(store), self._folder)


def copied(store: VectorStore) -> InProcessStore:
    """Return a store in this process that holds what another one does."""
    made, model = InProcessStore(), store.model()
    if model is not None:
        made.adopt(model)
    rows = {} if model is None else dict(store.vectors(model))
    made.write(list(store.load()), [], None if model is None else Vectors(model, rows))
    return made
