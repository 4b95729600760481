"""A recall by the profile `auto` in two calls of the core: one that searches, one that does what the stages would do.

The hits, their scores and their columns are those of a run of the stages, to the last bit; the table is drawn when
somebody asks for it. Where anything is out of the ordinary (a question that names a time, words that find next to
nothing, the first or the last of several, an embedder that fails, an answer that is too weak, best rows that hold no
answer of the kind that is sought) there is no such answer, and the legs are asked and the stages run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from itertools import chain
from typing import TYPE_CHECKING, Any

from .._core import Absolute, Proposal
from ..light.classes import dataclass
from ..profiles.profile import Always, IfFewer, Leg, Profile
from ..ranking.absolute import COSINE_FLOOR
from ..ranking.absolute_pass import AbsolutePass, absolute_pass
from ..ranking.asked_first import LOOKED_AT
from ..ranking.candidates import Candidates, RowKey
from ..ranking.curves import curve_of, words_in
from ..ranking.features import FORM
from ..ranking.near_duplicates import NEAR, SUPERSEDED_BY
from ..ranking.strength import UNSAID, is_unsure, too_weak, weakened
from ..ranking.told_later import COPY
from ..records import SUMMARY, Record
from ..retrieval.together import ask_together
from ..retrieval.words import AROUND, fields_of, lift_of, terms_once
from .by_texts import Texts, asked_first, goes_before, may_lack_a_kind, may_lack_a_property, property_unsaid
from .depth import MARGIN
from .newest import fills, forms_that_fill

if TYPE_CHECKING:
    from .queries import Queries


FIRST = 16
"""So many rows of a search of words are looked at first, or a few more than hits are wanted."""

_ALONE = ("asking", "metadata.noise", "user_id")
"""What the stages read of records that are part of no conversation, beside numbers."""


@dataclass(frozen=True, slots=True)
class Fusing:
    """How a profile is answered from one search of words, and perhaps one of vectors.

    Attributes:
        legs: these legs, words first.
        rules: what the stages come to.
        waits: no further leg is asked if these find at least so many.

    """

    legs: tuple[Leg, ...]
    rules: AbsolutePass
    waits: int


@dataclass(slots=True)
class Fused:
    """What a pass decides: the answer, without a run of the stages.

    Attributes: as those of `byheart.recall.run.Run`; `full` is whether a search gave as many rows as it may, of a
    question for more hits than there are, and `unrelated` what a stage's context has by this name.
    """

    found: Absolute
    keys: Sequence[RowKey]
    how: Fusing
    features: Sequence[str]
    whose: tuple[str | None, str | None]
    records: Sequence[Record]
    inside: int
    k: int
    notes: tuple[str, ...]
    now: float | None
    figures: Mapping[str, Any]
    degraded: tuple[str, ...]
    timings: dict[str, float] = field(default_factory=dict)
    mode: str | None = None
    full: bool = False
    escalated: bool = False
    unrelated: float = 0.0

    @property
    def rows(self) -> int:
        """How many rows are left."""
        return len(self.keys)

    def strengths(self) -> tuple[float, ...]:
        """Return how strong each hit is."""
        curve = curve_of(self.figures["model"]).asked(self.figures["length"])
        coefficients = (curve.bias, curve.words, curve.meaning, curve.familiar)
        familiar = self.figures["familiarity"], self.figures["share"]
        found = self.found.strengths(coefficients, COSINE_FLOOR, familiar)
        return tuple([UNSAID * each for each in found]) if "unsaid" in self.figures else found

    def drawn(self) -> Candidates:
        """Return the table of the answer."""
        figures = {"strength": self.figures}
        weak = too_weak(self.figures)
        return self.how.rules.table(
            self.found, self.features, self.whose, self.k, self.notes, figures, self.unrelated, weak
        )


def fusing(profile: Profile) -> Fusing | None:
    """Return how a profile is answered from one search of words; None for one that is not."""
    first, *others = profile.legs
    rules = absolute_pass(profile.stages)
    later = [leg for leg in others if isinstance(leg.when, IfFewer)]
    now = [first, *(leg for leg in others if leg not in later)]
    plain = all(leg.floor is None and leg.within is None and leg.stand_in is None and not leg.settings for leg in now)
    names = tuple(leg.retriever for leg in now)
    if rules is None or names not in (("words",), ("words", "dense")) or not plain:
        return None
    if not all(isinstance(leg.when, Always) for leg in now):
        return None
    return Fusing(tuple(now), rules, max((leg.when.than for leg in later if isinstance(leg.when, IfFewer)), default=0))


def fused(
    how: Fusing, queries: Queries, features: Sequence[str], now: float | None, notes: tuple[str, ...]
) -> Fused | None:
    """Return the answer of a pass; None where the legs have to be asked and the stages run.

    The first rows of words are looked at first, and all of them where these do not decide.

    Args:
        how: the profile is answered so.
        queries: what the legs ask.
        features: the columns that the stages read of records.
        now: the time.
        notes: remarks about how the answer came to be.

    """
    if queries.question.is_of_nothing:
        return None
    partition, pool = queries.sources.partition, how.legs[0].pool
    has_vectors = partition.settings.dimensions is not None
    if has_vectors and queries.lacking():
        return None
    if queries.question.include_superseded and partition.figures.says(SUPERSEDED_BY, queries.cells):
        return None
    if queries.question.as_of is not None and partition.figures.says("seen_at", queries.cells):
        return None  # what was said again later was not known then
    linked = partition.figures.linked(NEAR, queries.cells)
    first = max(FIRST, min(queries.question.k, queries.profile.pool) + MARGIN)
    if not has_vectors and linked is not None and how.waits <= first < pool and not _tells(queries):
        few = _first_rows(queries, first, listed=bool(linked))
        figures = _figures(how, queries, few, 1)
        if figures is None:
            return None
        whole = len(few.legs[0]) < first
        if whole or (figures["best"] >= figures["floor"] and linked.isdisjoint(few.hashes)):
            done = _answered(how, queries, few, 1, figures, features, now, notes, whole=whole)
            if done is not None or whole:
                return done
    asked = [queries.query_of(leg, leg.pool) for leg in how.legs if has_vectors or not leg.optional]
    # Of vectors no stage of these reads the best of all, only how many there are: a filter saves the search for it.
    given = queries.selection, queries.columns, queries.words
    together = ask_together(asked, *given, hashes=True, listed=None if linked == frozenset() else NEAR, tops=False)
    proposal = together.proposal if together.all_asked else None
    done = None
    if proposal is not None and not _filled(proposal, pool):
        figures = _figures(how, queries, proposal, len(asked))
        if figures is not None:
            done = _answered(how, queries, proposal, len(asked), figures, features, now, notes, whole=True)
    if proposal is None or done is None:
        queries.asked_before = asked, together  # the stages have to run
        return None
    if len(asked) > 1:
        done.mode, done.escalated = asked[1][1].mode, True
    if done.k < queries.question.k:
        done.full = any(len(rows) >= leg.pool for rows, leg in zip(proposal.legs, how.legs, strict=False))
    return done


def _filled(proposal: Proposal, pool: int) -> bool:
    """Return whether statements of one form fill a search of words, so that the newest of them are asked for, too."""
    hits = proposal.hits(0)
    if not fills(hits, pool):
        return False
    forms = dict(zip(proposal.rows, proposal.columns[FORM], strict=True))
    return bool(forms_that_fill(hits, [forms[row] for row, _ in hits], pool))


def _tells(queries: Queries) -> bool:
    """Return whether a record inside is part of a conversation, or was made of one: a durable copy, or a summary.

    What was told around the first raises it; the second may go before what was told earlier; before the third goes what
    says as much, however far behind it was found.
    """
    return queries.sources.partition.figures.tells(AROUND["by"][0], (COPY, SUMMARY), queries.cells)


def _first_rows(queries: Queries, first: int, *, listed: bool) -> Proposal:
    """Return the first rows of words, where no record is part of a conversation.

    Args:
        queries: what the legs ask.
        first: so many.
        listed: whether any record says nearly the same as another one.

    """
    selection, settings, core = queries.selection, queries.sources.partition.settings, queries.sources.partition.core
    terms = terms_once(queries.worked_out, queries.question, settings, core, queries.cells).terms
    leg = {"retriever": "words", "k": first, "whole": True, **fields_of(settings, converses=False)}
    return core.propose(
        [leg], queries.cells, terms=terms, filter=selection.filter, now=selection.now, gone=selection.gone,
        columns=queries.columns, words=_ALONE, hashes=True, listed=NEAR if listed else None,
    )  # fmt: skip


def _figures(how: Fusing, queries: Queries, proposal: Proposal, legs: int) -> Mapping[str, Any] | None:
    """Return how strong an answer is, as `Strength` has it; None where too little is found, so that more is asked."""
    question, words, proposed = queries.question, proposal.legs[0], 0
    bests: dict[str, float] = {}
    for leg, name in zip(range(legs), ("words", "dense"), strict=False):
        count, top, _ = proposal.whole(leg) or (0, None, None)
        proposed += count
        if not queries.selection.everything:
            top = hits[0][1] if (hits := proposal.hits(leg)) else None
        if top is not None and top > 0:
            bests[name] = top
    if proposed < how.waits:
        return None
    asks = (words_in(question.terms), words.familiarity or 0.0)
    given = bests, words.most, asks, _model(queries), question.min_strength
    figures = how.rules.strength.figures(*given)
    if is_unsure(figures) and "words" in bests and (hits := proposal.hits(0)):
        lift = lift_of(queries.query_of(how.legs[0], how.legs[0].pool)[1], hits[0][0])
        if lift > 1.0:
            return how.rules.strength.figures(*given, lift=lift)
    return figures


def _model(queries: Queries) -> str | None:
    """Return the family of the model that made the question's vector; None where there are none."""
    return None if queries.sources.partition.settings.dimensions is None else queries.sources.vector.family


def _answered(
    how: Fusing,
    queries: Queries,
    proposal: Proposal,
    legs: int,
    figures: Mapping[str, Any],
    features: Sequence[str],
    now: float | None,
    notes: tuple[str, ...],
    *,
    whole: bool,
) -> Fused | None:
    """Return the answer with its records; None where there is none, a record is gone, or the stages have to decide.

    `whole`: of all rows, of which the texts can tell. Without, rows behind those that were found may decide, too.
    """
    question, profile = queries.question, queries.profile
    k, texts, is_weak = min(question.k, profile.pool), Texts(queries), figures["best"] < figures["floor"]
    unrelated = queries.unrelated() if legs > 1 else 0.0
    given = proposal, range(legs), question.text, question.session_id, max(k, LOOKED_AT), _model(queries), unrelated
    found = how.rules.of(*given, texts if whole else None, is_weak=is_weak)
    if found is None or not (whole or found.is_certain):
        return None
    held = [] if is_weak else _held(queries, found)
    if held is None:
        return None
    if question.operators is None:
        lacks = is_weak or may_lack_a_property(found, held, question.text)
        if lacks and not whole:
            return None
        if lacks and (lacking := property_unsaid(found, texts, question.text)) is not None:
            figures = weakened(figures, lacking)
            if not is_weak and figures["best"] < figures["floor"]:
                found, held, is_weak = how.rules.of(*given, texts, is_weak=True), [], True
        elif may_lack_a_kind(found, held, texts, question.text):
            return None  # the scores of all rows decide
    if found is None or (is_weak and not found.by_score(1)):
        return None  # nothing of the question is in any record: what is nearest is told
    order = range(0) if is_weak else asked_first(found, held, question.text, queries.moment)
    if order is None:
        return None
    moves = list(order) != list(range(len(held)))
    if moves and not whole:
        return None  # all rows are looked at, as the stages do: what is dropped is told
    if len(held) > k or moves:
        found = found.arranged(order, k)
        held = [held[place] for place in order[:k]]
    return Fused(
        found, found.keys, how, features, (question.session_id, question.user_id), held, queries.inside.records,
        k, notes, queries.read_at, figures, tuple(queries.degraded),
        unrelated=unrelated,
    )  # fmt: skip


def _held(queries: Queries, found: Absolute) -> list[Record] | None:
    """Return the records of an answer; None where one is gone, or was told later than another and goes before it."""
    keys, later = found.keys, found.later
    read = list(dict.fromkeys((*keys, *chain.from_iterable(later)))) if later else keys
    records = queries.sources.read(read)
    held = [record for record in records if record is not None]
    if len(held) < len(records):
        return None
    if later and goes_before(dict(zip(read, held, strict=True)), later, queries.question.text):
        return None
    return held[: len(keys)]
