"""Matryoshka tiers in a store of collections: the widest one is the truth, the others are caches of it.

A record's vector lies in the collection `<base>` at full width, and under the same id in `<base>:256d` and `<base>:64d`
as re-normalised prefixes, without metadata: that comes from the truth. Written is the truth first, then the caches
from wide to narrow. A cache that cannot be written does not fail the call; it is marked as dirty in `_tier_dirty`, the
answer says so, and `backfill` mends it at the next start.

Searching is not done here: an index reads `rows`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

from ..errors import DimensionMismatch, InvalidArgument

MARKERS = "_tier_dirty"
"""The collection of markers; never shown to users."""

LADDER = (64, 256, 768)
_NEARLY_ZERO = 1e-9

Row = tuple[Sequence[float], Mapping[str, Any] | None]


class Collections(Protocol):
    """What is asked of a store: rows by collection and id. Each method raises whatever it likes on failure."""

    def insert(self, collection: str, id: str, vector: Sequence[float], metadata: Mapping[str, Any]) -> None:
        """Put a row; one with the same id is replaced."""

    def get(self, collection: str, id: str) -> Row | None:
        """Return the vector and the metadata of a row, None if it is not there."""

    def delete(self, collection: str, id: str) -> None:
        """Remove a row, if it is there."""

    def list(self, collection: str) -> Iterable[str]:
        """Return the ids of a collection; one that was never written to is empty."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a write did beside the truth, which is always written when there is an answer.

    `dirty` has the widths of the tiers that were not brought up to date, `unmarked` those of them whose marker could
    not be written either: these are known to this process only. `faults` says why, one line for each failure.
    """

    dirty: tuple[int, ...] = ()
    unmarked: tuple[int, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def degraded(self) -> bool:
        """Whether a tier was left behind."""
        return bool(self.dirty)


@dataclass(slots=True)
class Backfill:
    """How many markers came to which end. All but `failed` are gone; `failed` ones are tried again next time."""

    repaired: int = 0
    failed: int = 0
    malformed: int = 0
    unknown_dims: int = 0
    missing: int = 0
    short: int = 0
    without_metadata: int = 0


def prefix(vector: Sequence[float], dims: int) -> list[float]:
    """Return the first numbers, divided by their length; below a length of 1e-9 they are left as they are.

    >>> prefix([3.0, 4.0, 12.0], 2), prefix([0.0, 0.0, 1.0], 2)
    ([0.6, 0.8], [0.0, 0.0])
    """
    # docs/sources.md: A1.4.2.
    numbers = [float(number) for number in vector[:dims]]
    squared = 0.0
    for number in numbers:
        squared += number * number
    length = math.sqrt(squared)
    return numbers if length < _NEARLY_ZERO else [number / length for number in numbers]


class TieredVectors:
    """One collection with its tiers. A single writer; times are arguments, in seconds since 1970.

    Args:
        store: where rows live.
        base: name of the collection that holds the truth; without `/` and `:`.
        ladder: widths from narrow to wide; the last is that of every vector.

    Raises:
        InvalidArgument: the name or the ladder cannot be used.

    """

    def __init__(self, store: Collections, base: str, ladder: Sequence[int] = LADDER) -> None:
        """Look up which tiers are dirty; nothing is mended before `backfill`."""
        if not base or base == MARKERS or "/" in base or ":" in base:
            raise InvalidArgument(f"base is {base!r}; give a name without '/' and ':', and not {MARKERS!r}")
        if not ladder or ladder[0] < 1 or any(low >= high for low, high in pairwise(ladder)):
            raise InvalidArgument(f"ladder is {tuple(ladder)}; give widths of at least 1, from narrow to wide")
        self._store, self.base = store, base
        self.dims, self.derived = ladder[-1], tuple(reversed(ladder[:-1]))
        self._dirty = {marker for marker in store.list(MARKERS) if marker.startswith(f"{base}/")}

    def collection(self, dims: int) -> str:
        """Return the collection that holds the tier of this width."""
        return self.base if dims == self.dims else f"{self.base}:{dims}d"

    def hides(self, collection: str) -> bool:
        """Return whether a collection is none of the users': a tier of this one, or the markers."""
        return collection == MARKERS or collection in map(self.collection, self.derived)

    def put(self, id: str, vector: Sequence[float], metadata: Mapping[str, Any], *, now: float) -> Outcome:
        """Write a record to every tier, over the one with the same id; say which tiers were left behind.

        Raises:
            DimensionMismatch: the vector is not as long as the ladder says; nothing was written.
            InvalidArgument: a number is NaN or infinite; nothing was written.
            Exception: whatever the store raises for the truth; no tier was touched.

        """
        if len(vector) != self.dims:
            raise DimensionMismatch(
                f"the vector of {id!r} has {len(vector)} dimensions; this collection has {self.dims}"
            )
        if not all(map(math.isfinite, vector)):
            raise InvalidArgument(f"the vector of {id!r} holds NaN or an infinity")
        truth = prefix(vector, self.dims)
        self._store.insert(self.base, id, truth, metadata)
        # From the row as it is kept, so that a tier mended later is the same.
        return self._each_tier(
            id, now, lambda dims: self._store.insert(self.collection(dims), id, prefix(truth, dims), {})
        )

    def delete(self, id: str, *, now: float) -> Outcome:
        """Remove a record from every tier; say in which tiers it was left behind.

        Raises:
            Exception: whatever the store raises for the truth; no tier was touched.

        """
        self._store.delete(self.base, id)
        return self._each_tier(id, now, lambda dims: self._store.delete(self.collection(dims), id))

    def get(self, id: str) -> Row | None:
        """Return the vector at full width and the metadata, whichever tier the id was found in."""
        return self._store.get(self.base, id)

    def ids(self) -> list[str]:
        """Return the ids of the records, as the truth has them."""
        return list(self._store.list(self.base))

    def rows(self, dims: int) -> Iterator[tuple[str, Sequence[float]]]:
        """Give the ids and vectors of a tier, without those that are dirty or that the truth has lost."""
        living = set(self.ids())
        for id in self._store.list(self.collection(dims)):
            row = self._store.get(self.collection(dims), id) if id in living else None
            if row is not None and self._marker(id, dims) not in self._dirty:
                yield id, row[0]

    def backfill(self) -> Backfill:
        """Mend the dirty tiers of this collection from the truth; calling it again does no harm.

        A marker that makes no sense, or whose record has gone, is too short or has no metadata, is dropped, with the
        row in the tier that nothing stands for any more. Where the store fails, the marker stays.
        """
        report = Backfill()
        for marker in list(self._store.list(MARKERS)):
            try:
                outcome = self._mend(marker)
                if outcome is None:
                    continue
                self._store.delete(MARKERS, marker)
                if outcome != "malformed":  # it says nothing, so what is known to be dirty stays so
                    self._dirty.discard(marker)
            except Exception:  # the store may raise anything, and the other markers still count
                outcome = "failed"
            setattr(report, outcome, getattr(report, outcome) + 1)
        return report

    def _mend(self, marker: str) -> str | None:
        """Return what became of a marker; None for one of another collection."""
        fields = _fields(marker, self._store.get(MARKERS, marker))
        if fields is None:
            return "malformed"
        base, id, dims = fields
        if base != self.base:
            return None
        if dims not in self.derived:
            return "unknown_dims"
        row = self._store.get(self.base, id)
        if row is None:
            ending = "missing"
        elif len(row[0]) < self.dims:
            ending = "short"
        elif row[1] is None:
            ending = "without_metadata"
        else:
            self._store.insert(self.collection(dims), id, prefix(row[0], dims), {})
            return "repaired"
        self._store.delete(self.collection(dims), id)
        return ending

    def _each_tier(self, id: str, now: float, write: Callable[[int], None]) -> Outcome:
        """Write each cache, whether or not those before it could be written; mark the ones that could not."""
        dirty, unmarked, faults = [], [], []
        for dims in self.derived:
            marker = self._marker(id, dims)
            try:
                write(dims)
                if marker in self._dirty:
                    self._store.delete(MARKERS, marker)
                    self._dirty.discard(marker)
            except Exception as error:  # a cache: whatever it is, the truth is written
                dirty.append(dims)
                self._dirty.add(marker)
                faults.append(f"{self.collection(dims)}: {error!r}")
                try:
                    fields = {"base_collection": self.base, "record_id": id, "dims": dims, "created_at": now}
                    self._store.insert(MARKERS, marker, (), fields)
                except Exception as error:
                    unmarked.append(dims)
                    faults.append(f"{MARKERS}: {error!r}")
        return Outcome(tuple(dirty), tuple(unmarked), tuple(faults))

    def _marker(self, id: str, dims: int) -> str:
        return f"{self.base}/{id}:{dims}"


def _fields(marker: str, row: Row | None) -> tuple[str, str, int] | None:
    """Return collection, id and width that a marker speaks of, None if it is not what was once written."""
    given = row[1] if row is not None else None
    if not isinstance(given, Mapping):
        return None
    base, id, dims, created = (given.get(name) for name in ("base_collection", "record_id", "dims", "created_at"))
    if not (isinstance(base, str) and isinstance(id, str)):
        return None
    if type(dims) is not int or type(created) not in (int, float) or marker != f"{base}/{id}:{dims}":
        return None
    return base, id, dims
