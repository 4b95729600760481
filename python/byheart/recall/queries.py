"""The queries of a run: what its legs ask their retrievers, inside the boundary and among what may be found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ..frozen import maker
from ..index.cells import Inside
from ..light.classes import dataclass
from ..profiles.profile import Leg, Profile
from ..retrieval import dense, protocol
from ..retrieval.protocol import Foreign, Found, IndexedRetriever, LegQuery
from ..retrieval.question import Question
from ..retrieval.selection import Selection
from ..retrieval.together import CoreRetriever, Together
from ..retrieval.words import AROUND
from .places import records_within
from .sources import Sources

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..retrieval.filter.canonical import Canonical

_leg_query = maker(LegQuery)

BESIDE = 0.5
"""What the score of a stand-in counts beside scores of the retriever in whose place it stands."""


@dataclass(slots=True)
class Waiting:
    """A leg that is about to be asked, whoever stands in for it, and what both found."""

    leg: Leg
    asked: list[tuple[IndexedRetriever, LegQuery]]
    share: float | None  # what a stand-in's scores count; None where none is asked
    found: list[Found | None]


@dataclass(slots=True)
class Queries:
    """What the legs of a profile ask for a question.

    Attributes:
        question, profile: asked for the one, by the legs of the other.
        sources: what is read from.
        inside: what lies inside the boundary.
        selection: which records may be found.
        columns: numbers of the directory that are wanted with the answers.
        words: words and flags of it, likewise.
        counted: whether it matters how many records would be proposed if all could be found.
        told: whether stages read what was told around records.
        degraded: what could not be done as asked.
        asked_before: a search that was made, and what it asked: it is not made a second time.
        worked_out: what retrievers have worked out of the question, as `LegQuery` has it.
        read_at: what the clock said when a text made it matter; None if none did.

    """

    question: Question
    profile: Profile
    sources: Sources
    inside: Inside
    selection: Selection
    columns: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    counted: bool = True
    told: bool = False
    degraded: list[str] = field(default_factory=list)
    asked_before: tuple[Sequence[tuple[CoreRetriever, LegQuery]], Together] | None = None
    worked_out: dict[str, tuple[Question, Any]] = field(default_factory=dict)
    read_at: float | None = None

    def moment(self) -> float:
        """Return the time of the question: that of which it asks what was known, its own, or the clock's, read once."""
        given = self.question.as_of if self.question.as_of is not None else self.question.now
        if given is not None:
            return given
        if self.read_at is None:
            self.read_at = self.sources.clock()
        return self.read_at

    @property
    def cells(self) -> Sequence[str]:
        """The keys of the cells that may be looked at."""
        return self.inside.cells

    @property
    def converses(self) -> bool:
        """Whether a record in the cells is part of a conversation."""
        return self.sources.partition.figures.says(AROUND["by"][0], self.cells)

    def query_of(self, leg: Leg, pool: int) -> tuple[CoreRetriever, LegQuery]:
        """Return what is asked for a leg of the core for which nobody stands in."""
        retriever = protocol.get(leg.retriever)
        assert isinstance(retriever, CoreRetriever) and leg.stand_in is None, "it was looked at before"
        return retriever, self.query(retriever, leg, pool, records_within(self.question, leg.within))

    def rows_named(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the rows of ids that may be found, by id."""
        core, ids = self.sources.partition.core, list(ids)
        rows = zip(ids, core.findable(ids, self.cells), strict=True)
        found = {id: row for id, row in rows if row is not None}
        if found and not self.selection.everything:
            passing = self.selection.rows(core, self.cells, among=found.values())
            found = {id: row for id, row in found.items() if row in passing}
        return found

    def lacking(self) -> int:
        """Return how many of the records that may be found lack a vector that they can be given."""
        return self.inside.blank and self.sources.partition.lacking(self.inside.cells)

    def unrelated(self) -> float:
        """Return what a stage's context gives by this name, 0 without a question's vector; that it fails is said."""
        compares = self.sources.partition.settings.dimensions is not None and any(
            leg.retriever == "dense" for leg in self.profile.legs
        )
        if not compares or self.sources.vector.get() is None:
            return 0.0
        found = self.sources.vector.unrelated()
        if (why := self.sources.vector.unmeasured) is not None:
            self.degrade(f"dense: {why}")
        return found

    def waiting(self, leg: Leg, pool: int) -> Waiting:
        """Return what is asked for a leg: its retriever, and whoever stands in for what that cannot look at."""
        within = records_within(self.question, leg.within)
        retriever = protocol.get(leg.retriever)
        if leg.retriever == "dense":
            answers = self.sources.vector.get() is not None and self.sources.partition.settings.dimensions is not None
            missing = self.inside.blank > 0
        else:
            answers, missing = True, False
        asked: list[tuple[IndexedRetriever, LegQuery]] = [(retriever, self.query(retriever, leg, pool, within))]
        share = None if leg.stand_in is None else 1.0 if not answers else BESIDE if missing else None
        if leg.stand_in is not None and share is not None:
            other = protocol.get(leg.stand_in)
            asked.append((other, self.query(other, leg, pool, within, stand_in=True, blank=answers)))
        return Waiting(leg, asked, share, [None] * len(asked))

    def query(
        self,
        retriever: IndexedRetriever,
        leg: Leg,
        pool: int,
        within: Canonical | None,
        *,
        stand_in: bool = False,
        blank: bool = False,
    ) -> LegQuery:
        """Return what a retriever is asked for a leg: for those of its own records, or in the place of another one."""
        partition, sources, cells = self.sources.partition, self.sources, self.cells
        return _leg_query(
            question=self.question,
            pool=pool,
            cells=cells,
            selection=self._selected(retriever, within),
            within=within,
            blank=blank,
            counted=self.counted,
            core=partition.core,
            index=partition.indexes.get(retriever.borrows or retriever.name),
            settings=partition.settings,
            options={} if stand_in else leg.settings,
            mode=dense.chosen(self.profile.mode, pool, self.inside.records, trained=sources.trained),
            told=self.told,
            converses=self.converses,
            unrelated=self.unrelated,
            embed=lambda: self._embedded(retriever.name),
            embed_text=lambda text: self._embedded(retriever.name, text),
            rows=lambda id: partition.rows_named(id, lambda row: partition.findable(row, cells)),
            record=lambda id: next(iter(sources.read([id])), None),
            records=sources.read,
            embedding=lambda id: sources.embeddings([id]).get(id),
            worked_out=self.worked_out,
        )

    def degrade(self, reason: str) -> None:
        """Note, once, what could not be done as asked."""
        if reason not in self.degraded:
            self.degraded.append(reason)

    def _selected(self, retriever: IndexedRetriever, within: Canonical | None) -> Selection:
        """Return which records a retriever may find; the core is told by itself what is the leg's own."""
        if isinstance(retriever, CoreRetriever):
            return self.selection
        kept = isinstance(retriever, Foreign) and any(stage.keeps_marks for stage in self.profile.stages)
        return (self.selection.without_said() if kept else self.selection).both(within)

    def _embedded(self, name: str, text: str | None = None) -> NDArray[np.float32] | None:
        """Return the vector of the question, or of a text; without one say why, and let other retrievers answer."""
        made = self.sources.vector.get() if text is None else self.sources.vector.of(text)
        if made is None:
            self.degrade(f"{name}: {self.sources.vector.failed}")
        return made
