"""The retrievers of one run: what each proposed, and what could not be done as asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Set
from typing import TYPE_CHECKING

from .._core import Closure, Ranking
from ..index.partition import Partition
from ..profiles import Profile
from ..retrieval import dense, hypervector, lexical, narrow, symbolic
from ..retrieval.narrow import Found, Narrow
from .request import Request

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..profiles.staged import StagedProfile

    AnyRequest = Request[Profile] | Request[StagedProfile]


def over(
    partition: Partition, request: AnyRequest, now: float | None, clock: Callable[[], float]
) -> tuple[list[str], float | None]:
    """Return the records inside the boundary whose time is over, and the time, read if one of them has an end."""
    ends = partition.ends_in(request.cells)
    if not ends:
        return [], now
    now = clock() if now is None else now
    return [id for id, end in ends.items() if end <= now], now


class Asking:
    """Asks indexes inside a boundary, among the records that may be found.

    Attributes:
        degraded: what could not be done as asked.
        vector: the query's, once it has been made.
        narrow: which records may be found.

    """

    def __init__(self, request: AnyRequest, partition: Partition) -> None:
        self.request, self.partition = request, partition
        self.degraded: list[str] = []
        self.vector: NDArray[np.float32] | None = None
        among = None if request.category is None else partition.members.of_category(request.category)
        self.narrow = Narrow(among, request.exclude)

    def words(self, k: int, within: Narrow) -> Ranking | Found:
        """Return the best by words."""
        request, index = self.request, self.partition.lexical

        def ask(k: int, among: Set[str] | None) -> Ranking:
            return lexical.search(index, request.terms, k, request.cells, request.act, among=among)

        return ask(k, None) if within.wide else Found(narrow.search(ask, k, within))

    def nearest(self, vector: NDArray[np.float32], k: int, within: Narrow) -> Ranking | Found:
        """Return the nearest by their embeddings; exactly those where many records, and not all, may be found."""
        request, index = self.request, self.partition.dense
        assert index is not None, "a memory with an embedder has an index of embeddings"
        many = within.among is not None and self._inside(within.among) > narrow.FEW
        mode = "exact" if many else request.profile.mode

        def ask(k: int, among: Set[str] | None) -> Ranking:
            return dense.search(index, vector, k, request.cells, mode, among=among)

        return ask(k, None) if within.wide else Found(narrow.search(ask, k, within))

    def _inside(self, ids: Set[str]) -> int:
        """Return how many of these records lie inside the boundary; looked at one by one only if that may matter."""
        cells = set(self.request.cells)
        if len(ids) <= narrow.FEW or len(cells) == len(self.partition.cell_sizes):
            return len(ids)
        return sum(self.partition.key_of(id) in cells for id in ids)

    def embedded(self, leg: str) -> NDArray[np.float32] | None:
        """Return the query's vector; without one say why, and let the other retrievers answer."""
        if self.vector is not None:
            return self.vector
        if self.request.embed is None:
            self.degraded.append(f"{leg}: the memory has no embedder; the answer rests on words")
            return None
        try:
            self.vector = self.request.embed()
        except Exception as error:  # whatever a caller's embedder raises: this leg fails, and the answer says so
            self.degraded.append(f"{leg}: the embedder failed ({type(error).__name__}: {error})")
        return self.vector

    def note_blind(self, blind: Set[str]) -> None:
        """Say that some records have no vector."""
        if blind:
            self.degraded.append(
                f"dense: {len(blind)} of {self.request.records} records have no vector (Memory.embed makes them)"
            )


class Search(Asking):
    """The retrievers of an escalating profile."""

    request: Request[Profile]

    def __init__(self, request: Request[Profile], partition: Partition, clock: Callable[[], float]) -> None:
        super().__init__(request, partition)
        self.clock, self.now = clock, request.now
        self.found: dict[str, Ranking | Found] = {}
        self.lists: dict[str, Iterable[tuple[str, float]]] = {}
        self.vectors: hypervector.Vectors = {}
        self.closure: Closure | None = None

    def ask(self, name: str) -> None:
        """Ask one retriever."""
        {
            "lexical": self.lexical,
            "dense": self.dense,
            "hypervector": self.hypervector,
            "symbolic": self.symbolic,
        }[name]()

    def lexical(self) -> None:
        """Ask the words."""
        self.lists["lexical"] = self.found["lexical"] = self.words(self.request.k, self.narrow)

    def dense(self) -> None:
        """Ask the vectors; as the first retriever, have words find the records that have none."""
        request, vector = self.request, self.embedded("dense")
        blind: set[str] | None = None  # None: all of them
        if vector is not None:
            self.lists["dense"] = self.found["dense"] = self.nearest(vector, request.k, self.narrow)
            blind = self.partition.without_vector(request.cells)
            self.note_blind(blind)
        if request.profile.primary == "dense" and blind != set():
            self.lexical()
            words = self.found["lexical"]
            self.lists["lexical"] = words if blind is None else [hit for hit in words if hit[0] in blind]

    def hypervector(self) -> None:
        """Ask the hypervectors."""
        request, encoder, index = self.request, self.partition.encoder, self.partition.hypervectors
        embedding = self.embedded("hypervector") if encoder == hypervector.EMBEDDING else None
        vectors = hypervector.encode_query(request.terms, request.act, request.needed_roles, encoder, embedding)
        self.vectors = vectors
        if not vectors:
            return

        def ask(k: int, among: Set[str] | None) -> Iterable[tuple[str, float]]:
            return index.search(vectors, k, cells=request.cells)

        if self.narrow.wide:
            found: Ranking | Found = index.search(vectors, request.k, cells=request.cells)
        else:
            found = Found(narrow.widened(ask, request.k, self.narrow))
        self.lists["hypervector"] = self.found["hypervector"] = found

    def symbolic(self) -> None:
        """Ask the facts."""
        request = self.request
        assert request.question is not None, "a symbolic recall carries its question"
        ended, self.now = over(self.partition, request, self.now, self.clock)
        held_back = self.partition.ids() if request.category is not None else request.exclude
        left_out = [*ended, *(id for id in held_back if not self.narrow.holds(id))]
        self.closure = symbolic.search(
            self.partition.facts(), request.question, request.k, request.cells, left_out, request.deadline
        )
        self.lists["symbolic"] = zip(self.closure.ids, self.closure.scores, strict=True)
        if self.closure.exhausted:
            attempts = self.closure.counters["attempts"]
            self.degraded.append(f"symbolic: stopped after {attempts} attempts; what was found by then counts")
