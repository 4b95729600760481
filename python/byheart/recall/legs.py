"""The legs of one run: each retriever asked inside the boundary, and what it proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter_ns
from typing import Any

from .._core import Proposal as CoreProposal
from ..errors import ByheartError
from ..index.indexes import Moved
from ..light.classes import dataclass
from ..profiles.gated import IfGate
from ..profiles.profile import Always, IfUnsure, Leg
from ..ranking.explanation import Explanation, Part
from ..ranking.router import gate
from ..retrieval import protocol
from ..retrieval.filter.canonical import Canonical
from ..retrieval.protocol import Foreign, Found, IndexedRetriever, LegQuery
from ..retrieval.selection import Hits
from ..retrieval.together import CoreRetriever, search_together
from ..retrieval.words import Words, lift_of
from .places import records_within
from .queries import Queries, Waiting
from .routing import Routing


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


class Legs:
    """What the legs of a profile propose, by retriever; legs of one retriever stand one behind the other.

    Args:
        queries: what they ask.

    Attributes:
        queries: the same.
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
        modes: the ways in which vectors were searched.
        of_core: the answers of the core, one a call.
        routing: of a profile with a gate, what that decided and what was taken.

    """

    def __init__(self, queries: Queries) -> None:
        self.queries = queries
        self.lists: dict[str, Hits] = {}
        self.raw: dict[str, dict[str, float]] = {}
        self.proposals: list[Proposal] = []
        self.count = 0
        self.tops: dict[str, float] = {}
        self.bests: dict[str, float] = {}
        self.leasts: dict[str, float] = {}
        self.mosts: dict[str, float] = {}
        self.familiarity = 0.0
        self.unasked: set[str] = set()
        self.modes: list[str] = []
        self.of_core: list[CoreProposal] = []
        self.routing: Routing | None = None
        self._held: tuple[dict[str, int], dict[str, list[Any]]] | None = None
        self._best_by_words: tuple[LegQuery, str] | None = None

    def lift(self) -> float:
        """Return how many times as much the best record by words says if it is much longer than others."""
        return 1.0 if self._best_by_words is None else lift_of(*self._best_by_words)

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
        fields: dict[str, list[Any]] = {name: [] for name in (*self.queries.columns, *self.queries.words)}
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
        first, escalated, waiting = None, False, list[Waiting]()
        legs = list(legs)
        if any(isinstance(leg.when, IfGate) for leg, _ in legs):
            self.routing = Routing()
        for leg, pool in legs:
            if leg.optional and self.queries.sources.partition.settings.dimensions is None:
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
            waiting.append(self.queries.waiting(leg, pool))
        self._answer(waiting)
        return escalated

    def ask_within(self, leg: Leg, within: Canonical) -> None:
        """Ask a leg of the core once more, for the records that pass a filter alone."""
        queries, asked = self.queries, self.queries.query_of(leg, leg.pool)
        selection = queries.selection.both(within)
        [found], proposal = search_together([asked], selection, queries.columns, queries.words)
        self._note(Proposal(*asked, found))
        known = {row for row, _ in self.lists[leg.retriever]}
        self.lists[leg.retriever] = [*self.lists[leg.retriever], *(hit for hit in found.hits if hit[0] not in known)]
        if proposal is not None:
            self.of_core.append(proposal)
            self._held = None

    def _unsure(self, when: IfUnsure, first: Leg) -> bool:
        """Return whether a further leg is asked, by the two best records of the first, filters aside."""
        best = [score for _, score in self.lists.get(first.retriever, ())[:2]]
        retriever = protocol.get(first.retriever)
        if self.queries.selection.filter != self.queries.selection.said and retriever.name not in self.unasked:
            asked = self.queries.query(retriever, first, 2, records_within(self.queries.question, first.within))
            whole = replace(asked.selection, filter=self.queries.selection.said)
            best = [score for _, score in retriever.search(replace(asked, selection=whole, counted=False)).hits[:2]]
        return when.holds(self.count, best, lacking=self.queries.question.operators is not None and not best)

    def _gated(self, leg: Leg, when: IfGate, pool: int) -> bool:
        """Ask a leg with a gate, and take in what it found if that counts; return whether it was asked."""
        routing, latencies = self.routing, self.queries.sources.latencies
        assert routing is not None, "a leg has a gate"
        decision = when.before(self.count, latencies.p95(leg.retriever))
        for failure in routing.failures:
            decision = decision.failed("stage1", failure)
        if decision.stage2_used:
            routing.asked, began = True, perf_counter_ns()
            waiting: list[Waiting] = []
            try:
                waiting.append(self.queries.waiting(leg, pool))
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
                    self.queries.degrade(reason)
                self.queries.degrade(f"{leg.retriever}: the second stage found nothing ({failed})")
            elif decision.stage2_used:
                for each in waiting:
                    self._take(each)
        elif decision.stage2_skipped_budget:
            latencies.skipped(leg.retriever)
        if decision.stage2_skipped_budget:
            what = "is estimated at" if not routing.asked else "took"
            self.queries.degrade(f"{leg.retriever}: {what} more than {when.cap_ms:g} ms; the first stage answers alone")
        routing.decision = decision
        return routing.asked

    def _failed(self, retriever: IndexedRetriever, error: Exception) -> str:
        """Return why a stage failed; raise what is no failure of it: a version that moved, and our own refusals."""
        if isinstance(error, Moved) or (isinstance(error, ByheartError) and not isinstance(retriever, Foreign)):
            raise error
        return type(error).__name__

    def _answer(self, waiting: Sequence[Waiting]) -> None:
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
                self.queries.degrade(f"{waiting[0].leg.retriever}: the first stage found nothing ({failed})")
                waiting = []
            self.routing.note("stage1", (perf_counter_ns() - began) / 1e6, _found(waiting))
        for each in waiting:
            self._take(each)

    def _search(self, waiting: Sequence[Waiting]) -> None:
        """Ask what waits: retrievers of callers one by one, those of the core together."""
        core: list[tuple[CoreRetriever, LegQuery]] = []
        places: list[tuple[Waiting, int]] = []
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
        if self.queries.asked_before is not None:
            before, together = self.queries.asked_before
            if [_what(*each) for each in before] == [_what(*each) for each in core]:
                return together.found(), together.proposal
        return search_together(core, self.queries.selection, self.queries.columns, self.queries.words)

    def _take(self, waiting: Waiting) -> None:
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
                if retriever.name == Words.name:
                    self._best_by_words = asked, hits[0][0]
            if found.most is not None:
                self.mosts[retriever.name] = found.most
            self.familiarity = max(self.familiarity, found.familiarity or 0.0)
            if found.least is not None:
                self.leasts[retriever.name] = min(found.least, self.leasts.get(retriever.name, found.least))
            if leg.retriever == "dense" and (missing := self.queries.lacking()):
                said = retriever.lacking(missing, self.queries.inside.records)
                self.queries.degrade(f"{said} ({self.queries.sources.vector.missing_ones()})")
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

    def _stand_in(self, waiting: Waiting) -> Hits:
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
            self.queries.degrade(reason)
        mode = proposal.found.mode
        if mode is not None and mode not in self.modes:
            self.modes.append(mode)


def _what(retriever: CoreRetriever, asked: LegQuery) -> tuple[object, ...]:
    """Return what one leg of a run asks that others of the run may ask otherwise."""
    return retriever.name, asked.pool, asked.within, asked.blank, asked.options


def _found(waiting: Iterable[Waiting]) -> list[Found]:
    """Return what the searches that wait have found so far."""
    return [found for each in waiting for found in each.found if found is not None]
