"""The copy that tables are made of: records inside one boundary with their vectors, as of one moment.

Archived records are found by nothing, and stay out. Records that have ended come along: until they are purged they
count in ranks and populations, as they do in a recall, and are found by nothing either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ... import boundary as boundaries
from ...boundary import SEPARATOR, Boundary, cell_key
from ...embedding.fingerprint import MAX_DIMENSIONS
from ...errors import DimensionMismatch, DuplicateId, InvalidArgument
from ...index import selection, whose
from ...index import vectors as embeddings
from ...index.partition import Partition
from ...recall.question import BoundaryLike
from ...records import Record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ...memory import Memory


@dataclass(frozen=True, slots=True)
class Held:
    """Records in order of their ids and cells, which is the order of ties, with what goes with each.

    Attributes:
        keys: what each is known by: its id, or id and cell where several cells have the id.
        records: complete ones.
        vectors: of each, None for those without.
        model: whose vectors these are.
        dimensions: their width; None where there can be none.

    """

    keys: tuple[str, ...]
    records: tuple[Record, ...]
    vectors: tuple[Any | None, ...]
    model: str = ""
    dimensions: int | None = None


class Source(Protocol):
    """Where records come from."""

    boundary: Boundary

    def changed(self) -> Held | None:
        """Return all there is, if it is not what was returned before."""

    def again(self) -> None:
        """Forget what was returned: it was not taken."""

    def vector_of(self, query: str, vector: Any) -> NDArray[np.float64] | None:
        """Return the question's vector: the given one, checked, or one that is made; None where there is none."""


class OfMemory:
    """The records of an open memory, inside a boundary that is at most its own; they are read again when they change.

    Args:
        memory: an open one.
        boundary: what to look at; as in `Memory.recall`.

    """

    def __init__(self, memory: Memory, boundary: BoundaryLike | None) -> None:
        """Resolve the boundary."""
        self._engine = memory._engine
        self.boundary = self._engine.inside(boundary)
        self._partition: Partition | None = None  # what was read last, and at which version
        self._version = 0

    def changed(self) -> Held | None:
        """Return all there is inside the boundary, if it is not what was returned before."""
        return selection.at_once(self._engine.indexes, self._read)

    def again(self) -> None:
        """Forget what was returned: it was not taken."""
        self._partition = None

    def _read(self) -> Held | None:
        engine, tenant = self._engine, self.boundary.tenant
        partition = engine.indexes[tenant]
        if self._partition is partition and self._version == partition.version:
            return None
        rows = partition.rows(whose.ACTIVE, partition.all_cells_in(self.boundary))
        stored = zip(engine.indexes.stored(tenant, rows), partition.vectors(rows), strict=True)
        there = [(record, vector) for record, vector in stored if record is not None]
        model = "" if engine.embedder is None else str(engine.embedder.fingerprint)
        width = partition.settings.dimensions
        held = _held([record for record, _ in there], [vector for _, vector in there], model, width)
        self._partition, self._version = partition, partition.version
        return held

    def vector_of(self, query: str, vector: Any) -> NDArray[np.float64] | None:
        """Return the given vector, checked, or the one that the memory's embedder makes of the question."""
        import numpy as np

        embedder = self._engine.embedder
        if vector is not None:
            return embeddings.given(embedder, vector).astype(np.float64)
        if embedder is None or not embeddings.makes_vectors(embedder):
            return None
        return embeddings.of_query(embedder, query).astype(np.float64)


class OfRecords:
    """Records that somebody has, as far as they lie inside a boundary.

    Args:
        records: with ids. Tenant, scope and class are what a memory would fill in, where they are missing.
        vectors: by id, of one width; None for none.
        boundary: what to look at; without it the public and internal records of tenant "default".

    Raises:
        InvalidArgument: a record has no id, or a vector is none, or is no record's.
        DimensionMismatch: vectors are of two widths.
        DuplicateId: two records of one cell bear one id.

    """

    def __init__(
        self, records: Iterable[Record], vectors: Mapping[str, Any] | None, boundary: BoundaryLike | None
    ) -> None:
        """Check the records and their vectors."""
        self.boundary = boundaries.resolve(boundary, Boundary(), None)
        complete = [self._complete(record) for record in records]
        keys = Counter((record.tenant, record.scope, record.boundary_class, record.id) for record in complete)
        twice = next((key for key, count in keys.items() if count > 1), None)
        if twice is not None:
            raise DuplicateId(f"id {twice[3]!r} occurs twice in one cell; give each record once")
        known, given = {record.id for record in complete}, dict(vectors or {})
        if stranger := next((id for id in given if id not in known), None):
            raise InvalidArgument(f"vectors: {stranger!r} is no record's id")
        rows = {id: _row(f"vector of {id!r}", vector) for id, vector in given.items()}
        widths = {len(row) for row in rows.values()}
        if len(widths) > 1:
            raise DimensionMismatch(
                f"vectors: are of {len(widths)} widths, such as {sorted(widths)[:2]}; one is wanted"
            )
        inside = [
            record
            for record in complete
            if record.archived_by is None
            and record.tenant == self.boundary.tenant
            and self.boundary.holds(record.scope or "", record.boundary_class or "")
        ]
        width = next(iter(widths), None)
        self._dimensions = width
        self._taken = False
        self._held = _held(inside, [rows.get(record.id or "") for record in inside], "given", width)

    def _complete(self, record: Record) -> Record:
        if record.id is None:
            raise InvalidArgument(f"record: {record.gist()[:40]!r} has no id; give each record one")
        return record.completed(
            tenant=record.tenant or self.boundary.tenant,
            scope=record.scope or boundaries.DEFAULT_SCOPE,
            boundary_class=record.boundary_class or "internal",
        )

    def changed(self) -> Held | None:
        """Return the records, once: they do not change."""
        if self._taken:
            return None
        self._taken = True
        return self._held

    def again(self) -> None:
        """Forget that they were returned: they were not taken."""
        self._taken = False

    def vector_of(self, query: str, vector: Any) -> NDArray[np.float64] | None:
        """Return the given vector, checked; there is nobody to make one."""
        if vector is None:
            return None
        row = _row("vector", vector)
        if self._dimensions is None:
            raise InvalidArgument("vector: the records have none to compare it with; give `vectors`")
        if len(row) != self._dimensions:
            raise DimensionMismatch(f"vector: has {len(row)} numbers; those of the records have {self._dimensions}")
        return row


def _row(what: str, given: Any) -> NDArray[np.float64]:
    import numpy as np

    try:
        row = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgument(f"{what}: is no list of numbers ({error})") from None
    if row.ndim != 1 or not 1 <= len(row) <= MAX_DIMENSIONS or not np.isfinite(row).all():
        raise InvalidArgument(f"{what}: give a list of 1 to {MAX_DIMENSIONS} finite numbers")
    return row


def _held(records: list[Record], vectors: list[Any | None], model: str, dimensions: int | None) -> Held:
    """Return records in the order of ties, with their vectors and what they are known by."""
    places = [(record.id or "", cell_key(record.scope or "", record.boundary_class or "")) for record in records]
    cells = Counter(id for id, _ in places)
    order = sorted(range(len(records)), key=places.__getitem__)
    keys = tuple(id if cells[id] == 1 else f"{id}{SEPARATOR}{cell}" for id, cell in map(places.__getitem__, order))
    return Held(keys, tuple(records[at] for at in order), tuple(vectors[at] for at in order), model, dimensions)
