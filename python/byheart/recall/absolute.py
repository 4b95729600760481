"""A recall by the profile `auto` in two calls of the core: one that searches, one that does what the stages would do.

The hits, their scores and their columns are those of a run of the stages, to the last bit; the table is drawn when
somebody asks for it. Where anything is out of the ordinary (a question that names a time, words that find next to
nothing, a near-duplicate that no search found, an embedder that fails, an answer that is too weak) there is no such
answer, and the legs are asked and the stages run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._core import Absolute
from ..profiles.profile import Always, IfFewer, Leg, Profile
from ..ranking.absolute import COSINE_FLOOR
from ..ranking.absolute_pass import AbsolutePass, absolute_pass
from ..ranking.candidates import Candidates, RowKey
from ..ranking.curves import curve_of, words_in
from ..ranking.near_duplicates import NEAR
from ..records import Record
from ..retrieval.together import ask_together

if TYPE_CHECKING:
    from .queries import Queries


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

    Attributes: as those of `byheart.recall.run.Run`; `proposed` is how many rows the search of words gave, and `full`
    whether a search gave as many as it may, of a question for more hits than there are.
    """

    found: Absolute
    how: Fusing
    features: Sequence[str]
    whose: tuple[str | None, str | None]
    records: Sequence[Record]
    inside: int
    k: int
    notes: tuple[str, ...]
    now: float | None
    timings: dict[str, float]
    mode: str | None
    figures: Mapping[str, Any]
    proposed: int
    full: bool
    degraded: tuple[str, ...]
    escalated: bool

    @property
    def rows(self) -> int:
        """How many rows are left."""
        return len(self.found)

    def hits(self) -> Iterator[tuple[RowKey, str, float, Record]]:
        """Give key, id, score and record of each hit."""
        keys = self.found.keys
        return zip(keys, keys, self.found.scores, self.records, strict=True)

    def strengths(self) -> tuple[float, ...]:
        """Return how strong each hit is."""
        curve = curve_of(self.figures["model"]).asked(self.figures["length"])
        coefficients = (curve.bias, curve.words, curve.meaning, curve.familiar)
        return self.found.strengths(coefficients, COSINE_FLOOR, (self.figures["familiarity"], self.figures["share"]))

    def drawn(self) -> Candidates:
        """Return the table of the answer."""
        figures = {"strength": self.figures}
        return self.how.rules.table(self.found, self.features, self.whose, self.k, self.notes, figures)


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
    how: Fusing, queries: Queries, first: int | None, features: Sequence[str], now: float | None, notes: tuple[str, ...]
) -> Fused | None:
    """Return the answer of a pass; None where the legs have to be asked and the stages run.

    Args:
        how: the profile is answered so.
        queries: what the legs ask.
        first: how many rows of words are enough, if that is known.
        features: the columns that the stages read of records.
        now: the time.
        notes: remarks about how the answer came to be.

    """
    question, profile, sources = queries.question, queries.profile, queries.sources
    has_vectors = sources.partition.settings.dimensions is not None
    if queries.inside.blank and has_vectors:
        return None
    asked = [
        queries.query_of(leg, leg.pool if first is None else min(leg.pool, first))
        for leg in how.legs
        if has_vectors or not leg.optional
    ]
    near = NEAR if sources.partition.figures.says(NEAR, queries.cells) else None
    # Of vectors no stage of these reads the best of all, only how many there are: a filter saves the search for it.
    given = queries.selection, queries.columns, queries.words
    together = ask_together(asked, *given, hashes=True, listed=near, tops=False)
    queries.asked_before = asked, together  # should the stages have to run
    proposal = together.proposal
    if proposal is None or not together.all_asked:
        return None
    words, names = proposal.legs[0], ("words", "dense")[: len(asked)]
    wholes = [proposal.whole(at) or (0, None, None) for at in range(len(asked))]
    if sum(whole[0] for whole in wholes) < how.waits:
        return None
    if queries.selection.everything:
        tops = [whole[1] for whole in wholes]
    else:
        tops = [hits[0][1] if (hits := proposal.hits(at)) else None for at in range(len(asked))]
    bests = {name: top for name, top in zip(names, tops, strict=True) if top is not None and top > 0}
    model = sources.vector.family if has_vectors else None
    length = words_in(question.terms)
    asks = (length, words.familiarity or 0.0)
    figures = how.rules.strength.figures(bests, words.most, asks, model, question.min_strength)
    k = min(question.k, profile.pool)
    found = how.rules.of(proposal, range(len(asked)), question.text, question.session_id, k, model)
    if found is None or figures["best"] < figures["floor"]:
        return None
    records = sources.read(found.keys)
    held = [record for record in records if record is not None]
    if len(held) < len(records):
        return None
    mode = asked[1][1].mode if has_vectors and len(asked) > 1 else None
    full = k < question.k and any(len(proposal.legs[at].rows) >= how.legs[at].pool for at in range(len(asked)))
    return Fused(
        found, how, features, (question.session_id, question.user_id), held, queries.inside.records, k, notes, now, {},
        mode, figures, len(words), full,
        tuple(queries.degraded), len(asked) > 1,
    )  # fmt: skip
