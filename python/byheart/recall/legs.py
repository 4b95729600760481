"""The legs of one run: each retriever asked inside the boundary, and what it proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from .._core import Proposal as CoreProposal
from ..errors import ByheartError
from ..frozen import maker
from ..index.indexes import Moved
from ..index.partition import Inside
from ..profiles.gated import IfGate
from ..profiles.profile import Always, IfUnsure, Leg, Profile
from ..ranking.explanation import Explanation, Part
from ..ranking.router import gate
from ..retrieval import dense, protocol
from ..retrieval.protocol import Foreign, Found, IndexedRetriever, LegQuery
from ..retrieval.question import Question
from ..retrieval.selection import Hits, Selection
from ..retrieval.together import CoreRetriever, Together, search_together
from .places import records_within
from .routing import Routing
from .sources import Sources

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..retrieval.filter.canonical import Canonical

_leg_query = maker(LegQuery)

BESIDE = 0.5
"""What the score of a stand-in counts beside scores of the retriever in whose place it stands."""


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
class _Waiting:
    """A leg that is about to be asked, whoever stands in for it, and what both found."""

    leg: Leg
    asked: list[tuple[IndexedRetriever, LegQuery]]
    share: float | None  # what a stand-in's scores count; None where none is asked
    found: list[Found | None]


@dataclass(slots=True)
class Legs:
    """What the legs of a profile propose, by retriever; legs of one retriever stand one behind the other.

    Attributes:
        columns: numbers of the directory that are wanted with the answers.
        words: words and flags of it, likewise.
        counted: whether it matters how many records would be proposed if all could be found.
        told: whether stages read what was told around records.
        lists: ids and scores by retriever, as they enter the table.
        raw: by retriever, the raw scores of those that stood in for it.
        proposals: every search that was made.
        count: how many records were proposed, filters aside.
        tops: the best raw score by retriever, filters aside.
        bests: the same of what may be found.
        leasts: the worst raw score by retriever of what it proposes, filters aside.
        mosts: the raw score by retriever of a record that says all that the question says.
        familiarity: how much of the question the records speak about that may be found.
        unasked: the retrievers that could not look at all.
        degraded: what could not be done as asked.
        modes: the ways in which vectors were searched.
        of_core: the answers of the core, one a call.
        routing: of a profile with a gate, what that decided and what was taken.
        asked_before: a search that was made, and what it asked: it is not made a second time.

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
    lists: dict[str, Hits] = field(default_factory=dict)
    raw: dict[str, dict[str, float]] = field(default_factory=dict)
    proposals: list[Proposal] = field(default_factory=list)
    count: int = 0
    tops: dict[str, float] = field(default_factory=dict)
    bests: dict[str, float] = field(default_factory=dict)
    leasts: dict[str, float] = field(default_factory=dict)
    mosts: dict[str, float] = field(default_factory=dict)
    familiarity: float = 0.0
    unasked: set[str] = field(default_factory=set)
    degraded: list[str] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    of_core: list[CoreProposal] = field(default_factory=list)
    routing: Routing | None = None
    asked_before: tuple[Sequence[tuple[CoreRetriever, LegQuery]], Together] | None = None
    _held: tuple[dict[str, int], dict[str, list[Any]]] | None = None

    @property
    def cells(self) -> Sequence[str]:
        """The keys of the cells that may be looked at."""
        return self.inside.cells

    @property
    def mode(self) -> str | None:
        """How vectors were searched; None if they were not."""
        return ", ".join(self.modes) or None

    def held(self, keys: Sequence[str], names: Sequence[str] | None = None) -> Mapping[str, Sequence[Any]] | None:
        """Return what the directory says of rows, by field (None: all that was asked for), as it came with the answers.

        None if the core was not asked about each of these rows.
        """
        if self._held is None:
            self._held = self._said()
        places, fields = self._held
        wanted = fields if names is None else {name: fields[name] for name in names}
        if tuple(places) == tuple(keys):
            return wanted
        if not all(key in places for key in keys):
            return None
        at = [places[key] for key in keys]
        return {name: [values[row] for row in at] for name, values in wanted.items()}

    def _said(self) -> tuple[dict[str, int], dict[str, list[Any]]]:
        """Return the rows that the core was asked about, each with its place in the lists of the fields."""
        if len(self.of_core) == 1:  # as nearly always
            [only] = self.of_core
            return {key: row for row, key in enumerate(only.rows)}, {**only.columns, **only.words}
        places: dict[str, int] = {}
        told: list[dict[str, list[Any]]] = [{**proposal.columns, **proposal.words} for proposal in self.of_core]
        fields: dict[str, list[Any]] = {name: [] for name in (*self.columns, *self.words)}
        fields.update({name: [] for said in told for name in said})
        for proposal, said in zip(self.of_core, told, strict=True):
            rows = proposal.rows
            new = [row for row, key in enumerate(rows) if key not in places]
            places.update(zip([rows[row] for row in new], range(len(places), len(places) + len(new)), strict=True))
            for name in fields:  # of conversations only a search of words tells
                values = said.get(name, [None] * len(rows))
                fields[name] += values if len(new) == len(rows) else [values[row] for row in new]
        return places, fields

    def ask(self, legs: Iterable[tuple[Leg, int]]) -> bool:
        """Ask the legs, those of the core that wait for no others in one call; return whether the profile escalated.

        It did if a retriever beyond that of the first leg was asked.
        """
        first, escalated, waiting = None, False, list[_Waiting]()
        legs = list(legs)
        if any(isinstance(leg.when, IfGate) for leg, _ in legs):
            self.routing = Routing()
        for leg, pool in legs:
            if leg.optional and self.sources.partition.settings.dimensions is None:
                continue
            first = first or leg.retriever
            if not isinstance(leg.when, Always):
                self._answer(waiting)
                waiting = []
                if isinstance(leg.when, IfGate):
                    escalated = self._gated(leg, leg.when, pool) or escalated
                    continue
                if isinstance(leg.when, IfUnsure):
                    if not self._unsure(leg.when, legs[0][0]):
                        continue
                elif not leg.when.holds(self.count):
                    continue
            escalated = escalated or leg.retriever != first
            waiting.append(self._waiting(leg, pool))
        self._answer(waiting)
        return escalated

    def _unsure(self, when: IfUnsure, first: Leg) -> bool:
        """Return whether a further leg is asked, by the two best records of the first, filters aside."""
        best = [score for _, score in self.lists.get(first.retriever, ())[:2]]
        retriever = protocol.get(first.retriever)
        if self.selection.filter != self.selection.said and retriever.name not in self.unasked:
            asked = self._query(retriever, first, 2, records_within(self.question, first.within))
            whole = replace(asked.selection, filter=self.selection.said)
            best = [score for _, score in retriever.search(replace(asked, selection=whole, counted=False)).hits[:2]]
        return when.holds(self.count, best, lacking=self.question.operators is not None and not best)

    def query_of(self, leg: Leg, pool: int) -> tuple[CoreRetriever, LegQuery]:
        """Return what is asked for a leg of the core for which nobody stands in."""
        retriever = protocol.get(leg.retriever)
        assert isinstance(retriever, CoreRetriever) and leg.stand_in is None, "it was looked at before"
        return retriever, self._query(retriever, leg, pool, records_within(self.question, leg.within))

    def _waiting(self, leg: Leg, pool: int) -> _Waiting:
        """Return what is asked for a leg: its retriever, and whoever stands in for what that cannot look at."""
        within = records_within(self.question, leg.within)
        retriever = protocol.get(leg.retriever)
        if leg.retriever == "dense":
            answers = self.sources.vector.get() is not None and self.sources.partition.settings.dimensions is not None
            missing = self.inside.blank > 0
        else:
            answers, missing = True, False
        asked: list[tuple[IndexedRetriever, LegQuery]] = [(retriever, self._query(retriever, leg, pool, within))]
        share = None if leg.stand_in is None else 1.0 if not answers else BESIDE if missing else None
        if leg.stand_in is not None and share is not None:
            other = protocol.get(leg.stand_in)
            asked.append((other, self._query(other, leg, pool, within, stand_in=True, blank=answers)))
        return _Waiting(leg, asked, share, [None] * len(asked))

    def _gated(self, leg: Leg, when: IfGate, pool: int) -> bool:
        """Ask a leg with a gate, and take in what it found if that counts; return whether it was asked."""
        routing, latencies = self.routing, self.sources.latencies
        assert routing is not None, "a leg has a gate"
        decision = when.before(self.count, latencies.p95(leg.retriever))
        for failure in routing.failures:
            decision = decision.failed("stage1", failure)
        if decision.stage2_used:
            routing.asked, began = True, perf_counter_ns()
            waiting: list[_Waiting] = []
            try:
                waiting.append(self._waiting(leg, pool))
                self._search(waiting)
                failed = None if any(found.answered for found in _found(waiting)) else "could not look"
            except Exception as error:
                failed = self._failed(protocol.get(leg.retriever), error)
            took = routing.note("stage2", (perf_counter_ns() - began) / 1e6, _found(waiting))
            latencies.took(leg.retriever, took)
            decision = gate.after(decision, took, cap_ms=when.cap_ms)
            if failed is not None:
                decision = decision.failed("stage2", failed)
                for reason in (reason for found in _found(waiting) for reason in found.degraded):
                    self._degrade(reason)
                self._degrade(f"{leg.retriever}: the second stage found nothing ({failed})")
            elif decision.stage2_used:
                for each in waiting:
                    self._take(each)
        elif decision.stage2_skipped_budget:
            latencies.skipped(leg.retriever)
        if decision.stage2_skipped_budget:
            what = "is estimated at" if not routing.asked else "took"
            self._degrade(f"{leg.retriever}: {what} more than {when.cap_ms:g} ms; the first stage answers alone")
        routing.decision = decision
        return routing.asked

    def _failed(self, retriever: IndexedRetriever, error: Exception) -> str:
        """Return why a stage failed; raise what is no failure of it: a version that moved, and our own refusals."""
        if isinstance(error, Moved) or (isinstance(error, ByheartError) and not isinstance(retriever, Foreign)):
            raise error
        return type(error).__name__

    def _answer(self, waiting: Sequence[_Waiting]) -> None:
        """Ask what waits, and take in what was found."""
        if self.routing is None:
            self._search(waiting)
        elif waiting:
            began = perf_counter_ns()
            try:
                self._search(waiting)
            except Exception as error:
                failed = self._failed(waiting[0].asked[0][0], error)
                self.routing.failures.append(failed)
                self._degrade(f"{waiting[0].leg.retriever}: the first stage found nothing ({failed})")
                waiting = []
            self.routing.note("stage1", (perf_counter_ns() - began) / 1e6, _found(waiting))
        for each in waiting:
            self._take(each)

    def _search(self, waiting: Sequence[_Waiting]) -> None:
        """Ask what waits: retrievers of callers one by one, those of the core together."""
        core: list[tuple[CoreRetriever, LegQuery]] = []
        places: list[tuple[_Waiting, int]] = []
        for each in waiting:
            for at, (retriever, asked) in enumerate(each.asked):
                if isinstance(retriever, CoreRetriever):
                    core.append((retriever, asked))
                    places.append((each, at))
                else:
                    each.found[at] = retriever.search(asked)
        if core:
            answers, proposal = self._answers(core)
            if proposal is not None:
                self.of_core.append(proposal)
                self._held = None
            for (each, at), found in zip(places, answers, strict=True):
                each.found[at] = found

    def _answers(self, core: Sequence[tuple[CoreRetriever, LegQuery]]) -> tuple[Sequence[Found], CoreProposal | None]:
        """Return what legs of the core find, as they were asked before if that was the same."""
        if self.asked_before is not None:
            before, together = self.asked_before
            if [_what(*each) for each in before] == [_what(*each) for each in core]:
                return together.found(), together.proposal
        return search_together(core, self.selection, self.columns, self.words)

    def _take(self, waiting: _Waiting) -> None:
        """Take in what was found for a leg."""
        leg, (retriever, asked), found = waiting.leg, waiting.asked[0], waiting.found[0]
        assert found is not None, "every leg was asked"
        self._note(Proposal(retriever, asked, found))
        hits = list(found.hits)
        self.count += found.count
        if not found.answered:
            self.unasked.add(retriever.name)
        else:
            if found.top is not None and found.top > self.tops.get(retriever.name, 0.0):
                self.tops[retriever.name] = found.top
            if hits and hits[0][1] > self.bests.get(retriever.name, 0.0):
                self.bests[retriever.name] = hits[0][1]
            if found.most is not None:
                self.mosts[retriever.name] = found.most
            self.familiarity = max(self.familiarity, found.familiarity or 0.0)
            if found.least is not None:
                self.leasts[retriever.name] = min(found.least, self.leasts.get(retriever.name, found.least))
            if leg.retriever == "dense" and self.inside.blank:
                self._degrade(retriever.lacking(self.inside.blank, self.inside.records))
        if waiting.share is not None:
            others = self._stand_in(waiting)
            hits = sorted([*hits, *others], key=lambda hit: (-hit[1], hit[0]))[: asked.pool] if hits else others
        if leg.floor is not None:
            hits = [hit for hit in hits if hit[1] >= leg.floor]
        held = self.lists.get(leg.retriever)
        if not held:
            self.lists[leg.retriever] = hits
            return
        known = {id for id, _ in held}
        held += [hit for hit in hits if hit[0] not in known]

    def _stand_in(self, waiting: _Waiting) -> Hits:
        """Return what words, say, find in the place of vectors: raw / max(best raw, 1), times a share."""
        (retriever, asked), found, share = waiting.asked[1], waiting.found[1], waiting.share
        assert found is not None and share is not None, "the stand-in was asked"
        self.count += found.count
        best = found.top if found.top is not None else 1.0
        scale = share / (best if best > 1.0 else 1.0)
        self._note(Proposal(retriever, asked, found, scale, waiting.leg.retriever))
        self.raw.setdefault(waiting.leg.retriever, {}).update(found.hits)
        return [(id, score * scale) for id, score in found.hits]

    def _note(self, proposal: Proposal) -> None:
        self.proposals.append(proposal)
        for reason in proposal.found.degraded:
            self._degrade(reason)
        mode = proposal.found.mode
        if mode is not None and mode not in self.modes:
            self.modes.append(mode)

    def _query(
        self,
        retriever: IndexedRetriever,
        leg: Leg,
        pool: int,
        within: Canonical | None,
        *,
        stand_in: bool = False,
        blank: bool = False,
    ) -> LegQuery:
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
            embed=lambda: self._embedded(retriever.name),
            embed_text=lambda text: self._embedded(retriever.name, text),
            rows=lambda id: [row for row in partition.rows_of(id) if partition.findable(row, cells)],
            record=lambda id: next(iter(sources.read([id])), None),
            records=sources.read,
            embedding=lambda id: sources.embeddings([id]).get(id),
        )

    def _selected(self, retriever: IndexedRetriever, within: Canonical | None) -> Selection:
        """Return which records a retriever may find; the core is told by itself what is the leg's own."""
        if isinstance(retriever, CoreRetriever):
            return self.selection
        kept = isinstance(retriever, Foreign) and any(stage.keeps_marks for stage in self.profile.stages)
        return (self.selection.without_said() if kept else self.selection).both(within)

    def _degrade(self, reason: str) -> None:
        if reason not in self.degraded:
            self.degraded.append(reason)

    def _embedded(self, name: str, text: str | None = None) -> NDArray[np.float32] | None:
        """Return the vector of the question, or of a text; without one say why, and let other retrievers answer."""
        made = self.sources.vector.get() if text is None else self.sources.vector.of(text)
        if made is None:
            self._degrade(f"{name}: {self.sources.vector.failed}")
        return made


def _what(retriever: CoreRetriever, asked: LegQuery) -> tuple[object, ...]:
    """Return what one leg of a run asks that others of the run may ask otherwise."""
    return retriever.name, asked.pool, asked.within, asked.blank, asked.options


def _found(waiting: Iterable[_Waiting]) -> list[Found]:
    """Return what the searches that wait have found so far."""
    return [found for each in waiting for found in each.found if found is not None]
