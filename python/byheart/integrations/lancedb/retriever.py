"""LanceDB behind the protocol of retrievers: records nearest to a question by their vectors, or by words without any.

    with LanceRetriever(memory) as lance:
        register(lance)
        memory.recall("when is the kettle descaled?", profile=RouterConfig(stage2="lancedb").profile())

The table follows the memory: it is made anew when that has changed, which costs time in proportion to its size.
"""
# docs/sources.md: A3.1.1.

from __future__ import annotations

from threading import RLock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ...errors import InvalidArgument
from ...recall.question import BoundaryLike
from ...retrieval.protocol import Found, LegQuery
from ...validation import check_name
from ..duckdb.reading import OfMemory
from . import table
from .table import Table

if TYPE_CHECKING:
    from ...memory import Memory

MODES = ("auto", "vectors", "words")
_DEEP = 1_000


class LanceRetriever:
    """LanceDB over the records of a memory; register it, and a leg may name it.

    Args:
        memory: an open one; the retriever serves its recalls alone, and no others of the same process.
        name: what legs call it.
        mode: "vectors", "words", or "auto": vectors where the question has one, words elsewhere.
        boundary: what the table holds; without it all that the memory may see of its tenant. A recall narrows it.

    Raises:
        MissingExtra: there is no LanceDB; the extra `lancedb` brings it.
        BoundaryViolation: a boundary beyond the memory's.

    """

    def __init__(
        self, memory: Memory, name: str = "lancedb", *, mode: str = "auto", boundary: BoundaryLike | None = None
    ) -> None:
        """Connect; the table is filled at the first question."""
        if mode not in MODES:
            raise InvalidArgument(f"mode: is {mode!r}; use one of {', '.join(MODES)}")
        check_name("name", name)
        self.name, self._mode = name, mode
        engine = memory._engine
        widest = engine.reach.of(engine.default.tenant) if boundary is None else boundary
        self._engine, self._source = engine, OfMemory(memory, widest)
        self._lock = RLock()
        self._connection: Any = table.connect()
        self._table: Table | None = None

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Let go of the table; a closed retriever finds nothing, and says so."""
        with self._lock:
            self._connection = self._table = None

    def search(self, asked: LegQuery) -> Found:
        """Return the records that LanceDB finds inside the cells, best first."""
        if self._engine.indexes[self._source.boundary.tenant].core is not asked.core:
            return Found((), answered=False, degraded=(f"{self.name}: holds the records of another memory or tenant",))
        held = self._filled()
        if held is None:
            return Found((), answered=False, degraded=(f"{self.name}: was closed",))
        limit = asked.pool if asked.selection.everything else max(asked.pool, _DEEP)
        vector = None if self._mode == "words" or held.dimensions is None else asked.embed()
        if vector is not None:
            return Found(table.nearest(held, vector, asked.cells, limit))
        if self._mode == "vectors":
            return Found((), answered=False, degraded=(f"{self.name}: the question, or no record, has a vector",))
        return Found(table.holding(held, asked.question.text, asked.cells, limit))

    def refresh(self) -> None:
        """Fill the table now, so that the next question does not wait for it."""
        self._filled()

    def _filled(self) -> Table | None:
        """Return the table as the memory is now; None of a closed one."""
        with self._lock:
            if self._connection is None:
                return None
            changed = self._source.changed()
            if changed is not None:
                try:
                    self._table = table.fill(self._connection, changed)
                except BaseException:
                    self._source.again()
                    raise
            return self._table
