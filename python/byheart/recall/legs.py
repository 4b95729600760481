"""The legs of one run: each retriever asked inside the boundary, and what it proposed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..index import whose
from ..index.partition import Partition
from ..profiles.profile import IfFewer, Leg, Profile
from ..ranking.explanation import Explanation, Part
from ..records import Record
from ..retrieval import protocol
from ..retrieval.protocol import Found, IndexedRetriever, LegQuery
from ..retrieval.question import Question
from ..retrieval.selection import Hits, Selection

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..retrieval.filter import Filter

Reader = Callable[[Sequence[str]], Sequence[Record | None]]

BESIDE = 0.5
"""What the score of a stand-in counts beside scores of the retriever in whose place it stands."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What a run reads from, on one version of the store.

    Attributes:
        partition: the indexes of the tenant.
        read: gives records by id, None for those that are not there.
        clock: tells the time, if it is needed.
        embed: makes the question's vector; None without an embedder.
        embeddings: gives vectors by id, as they are stored.
        trained: whether the embedder's model was trained for vectors that can be cut (Matryoshka).
        invariants: the records that stand in every context, inside the boundary; they are not stored.

    """

    partition: Partition
    read: Reader
    clock: Callable[[], float]
    embed: Callable[[], NDArray[np.float32]] | None = None
    embeddings: Callable[[Sequence[str]], Mapping[str, bytes]] = lambda ids: {}
    select: Callable[[Filter, Sequence[str]], Set[str]] | None = None
    trained: bool = False
    invariants: Sequence[Record] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one leg was asked and what it found; `scale` is what raw scores of a stand-in were multiplied by."""

    retriever: IndexedRetriever
    asked: LegQuery
    found: Found
    scale: float | None = None
    of: str | None = None  # the retriever that it stands in for

    def explain(self, id: str, score: float | None) -> Explanation | None:
        """Return the raw score of a record taken apart."""
        inner = self.retriever.explain(self.asked, self.found, id, score)
        if inner is None or self.scale is None or score is None:
            return inner
        value = score * self.scale
        detail = f"raw {score:.6f} x {self.scale:.6f}: {self.retriever.name} stands in for {self.of}"
        return Explanation(id, value, (Part(self.retriever.name, value, detail, inner),), value)


@dataclass(slots=True)
class Legs:
    """What the legs of a profile propose, by retriever; legs of one retriever stand one behind the other.

    Attributes:
        lists: ids and scores by retriever, as they enter the table.
        raw: by retriever, the raw scores of those that stood in for it.
        proposals: every search that was made.
        count: how many records were proposed, filters aside.
        tops: the best raw score by retriever, filters aside.
        degraded: what could not be done as asked.
        modes: the ways in which vectors were searched.
        vector: the question's, once it has been made.

    """

    question: Question
    profile: Profile
    sources: Sources
    cells: Sequence[str]
    records: int
    selection: Selection
    lists: dict[str, Hits] = field(default_factory=dict)
    raw: dict[str, dict[str, float]] = field(default_factory=dict)
    proposals: list[Proposal] = field(default_factory=list)
    count: int = 0
    tops: dict[str, float] = field(default_factory=dict)
    degraded: list[str] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    vector: NDArray[np.float32] | None = None
    _failed: bool = False

    @property
    def mode(self) -> str | None:
        """How vectors were searched; None if they were not."""
        return ", ".join(self.modes) or None

    def ask(self, leg: Leg, pool: int) -> None:
        """Ask one leg, and whoever stands in for it."""
        retriever = protocol.get(leg.retriever)
        within = self._within(leg.within)
        found = self._search(retriever, leg, pool, within)
        hits = list(found.hits)
        self.count += found.count
        if found.answered:
            self._note_top(retriever.name, found.top)
            missing = self.sources.partition.without_vector(self.cells) if leg.retriever == "dense" else 0
            if missing:
                self._degrade(retriever.lacking(missing, self.records))
                if leg.stand_in is not None:
                    stand_ins = self._stand_in(leg, pool, within, BESIDE)
                    hits = sorted([*hits, *stand_ins], key=lambda hit: (-hit[1], hit[0]))[:pool]
        elif leg.stand_in is not None:
            hits = self._stand_in(leg, pool, within, 1.0)
        if leg.floor is not None:
            hits = [hit for hit in hits if hit[1] >= leg.floor]
        held = self.lists.get(leg.retriever)
        if not held:
            self.lists[leg.retriever] = hits
            return
        known = {id for id, _ in held}
        held += [hit for hit in hits if hit[0] not in known]

    def _stand_in(self, leg: Leg, pool: int, selection: Selection, share: float) -> Hits:
        """Return what words, say, find in the place of vectors: raw / max(best raw, 1), times a share."""
        assert leg.stand_in is not None, "asked only where there is one"
        retriever = protocol.get(leg.stand_in)
        found = self._search(retriever, leg, pool, selection, stand_in=True, blank=share != 1.0)
        self.count += found.count if share == 1.0 else len(found.hits)
        best = found.top if found.top is not None else 1.0
        scale = share / (best if best > 1.0 else 1.0)
        self.proposals[-1] = Proposal(retriever, self.proposals[-1].asked, found, scale, leg.retriever)
        self.raw.setdefault(leg.retriever, {}).update(found.hits)
        return [(id, score * scale) for id, score in found.hits]

    def _search(
        self,
        retriever: IndexedRetriever,
        leg: Leg,
        pool: int,
        selection: Selection,
        *,
        stand_in: bool = False,
        blank: bool = False,
    ) -> Found:
        partition, sources = self.sources.partition, self.sources
        mode = self.profile.mode
        if mode == "by_model":
            mode = "early_exit" if sources.trained else "exact"
        asked = LegQuery(
            question=self.question,
            pool=pool,
            cells=self.cells,
            selection=selection,
            blank=blank,
            counted=any(isinstance(each.when, IfFewer) for each in self.profile.legs),
            core=partition.core,
            index=partition.indexes.get(retriever.name),
            settings=partition.settings,
            options={} if stand_in else leg.settings,
            mode=mode,
            embed=lambda: self._embedded(retriever.name),
            rows=lambda id: [row for row in partition.rows_of(id) if partition.findable(row, self.cells)],
            record=lambda id: next(iter(sources.read([id])), None),
            embedding=lambda id: sources.embeddings([id]).get(id),
        )
        found = retriever.search(asked)
        self.proposals.append(Proposal(retriever, asked, found))
        for reason in found.degraded:
            self._degrade(reason)
        if found.mode is not None and found.mode not in self.modes:
            self.modes.append(found.mode)
        return found

    def _note_top(self, name: str, top: float | None) -> None:
        if top is not None and top > self.tops.get(name, 0.0):
            self.tops[name] = top

    def _degrade(self, reason: str) -> None:
        if reason not in self.degraded:
            self.degraded.append(reason)

    def _embedded(self, name: str) -> NDArray[np.float32] | None:
        """Return the question's vector; without one say why, and let the other retrievers answer."""
        if self.vector is None and not self._failed:
            if self.question.vector is not None:
                self.vector = self.question.vector
            elif self.sources.embed is None:
                self._failed = True
                self._degrade(f"{name}: the memory has no embedder; the answer rests on words")
            else:
                try:
                    self.vector = self.sources.embed()
                except (
                    Exception
                ) as error:  # whatever a caller's embedder raises: this leg fails, and the answer says so
                    self._failed = True
                    self._degrade(f"{name}: the embedder failed ({type(error).__name__}: {error})")
        return self.vector

    def _within(self, place: str | None) -> Selection:
        """Return which records a leg may find: those of a session, of a user elsewhere, of nobody, or all."""
        if place is None:
            return self.selection
        question = self.question
        session, user = question.session_id, question.user_id
        if place == "session":
            return self.selection if session is None else self.selection.both(whose.of_session(session))
        if place == "user":
            return self.selection if user is None else self.selection.both(whose.of_user_elsewhere(user, session))
        if session is None and user is None:
            return self.selection  # a recall that does not say for whom it is knows of no owners
        return self.selection.both(whose.of_nobody())


def plan(profile: Profile, question: Question) -> list[tuple[Leg, int]]:
    """Return the legs to ask, and how many records each may propose.

    A recall that names no session, or no user, has nothing to look for there: each place takes the share of the one
    before it instead.
    """
    absent = {"session": question.session_id is None, "user": question.user_id is None}
    shares = iter([leg.pool for leg in profile.legs if leg.within is not None])
    asked = []
    for leg in profile.legs:
        if leg.within is None:
            asked.append((leg, leg.pool))
        elif not absent.get(leg.within, False):
            asked.append((leg, next(shares)))
    return asked
