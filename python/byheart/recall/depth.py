"""The first rows of a search: how many have to be looked at before the hits are certain.

A profile may propose a hundred rows, of which an answer needs ten. Where one search is asked, its rows come best first,
and the stages of agreement keep what they do to the first rows whatever comes behind them. So the first rows decide as
soon as no row behind them can come among the hits, and only then are the others left unasked: the hits, their scores
and their columns are those of a run over all rows, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._core import Agreement
from ..light.classes import dataclass
from ..profiles.profile import Always, IfFewer, Leg, Profile
from ..ranking.candidates import Candidates
from ..ranking.single import Pass, one_pass
from ..records import Record
from ..retrieval.lexical import boosts
from ..retrieval.question import Question
from ..retrieval.selection import Selection

if TYPE_CHECKING:
    from ..index.cells import Inside
    from .sources import Sources

MARGIN = 8
"""Rows beyond the hits: room for duplicates, and for a last row that is scored below the hits."""


@dataclass(frozen=True, slots=True)
class Shallow:
    """How a profile is answered from one search: the first leg, what its stages come to, and what other legs wait for.

    Attributes:
        leg: the first leg.
        rules: what the stages come to.
        waits: no further leg is asked if the first finds at least so many.

    """

    leg: Leg
    rules: Pass
    waits: int


@dataclass(slots=True)
class FirstRows:
    """What the first rows of a search decide: the answer, without a run of the stages.

    Attributes: as those of `byheart.recall.run.Run`; `full` is whether the search gave as many rows as it may.
    """

    agreed: Agreement
    rules: Pass
    records: Sequence[Record]
    inside: int
    k: int
    notes: tuple[str, ...]
    now: float | None
    timings: dict[str, float]
    mode: str | None
    full: bool
    degraded: tuple[str, ...] = ()
    escalated: bool = False

    @property
    def rows(self) -> int:
        """How many rows are left."""
        return len(self.records)

    def drawn(self) -> Candidates:
        """Return the table of the answer."""
        return self.rules.table(self.agreed, self.inside, self.k, self.notes)


def shallow(profile: Profile) -> Shallow | None:
    """Return how a profile is answered from the first rows of one search; None for one that is not."""
    first, later = profile.legs[0], profile.legs[1:]
    waits = [leg.when.than for leg in later if isinstance(leg.when, IfFewer)]
    if len(waits) < len(later) or not isinstance(first.when, Always):
        return None
    if first.floor is not None or first.within is not None or first.settings:
        return None
    rules = one_pass(profile.stages, first.retriever)
    if rules is None or (rules.clamps and profile.mode not in ("exact", "by_model")):
        return None
    return Shallow(first, rules, max(waits, default=0))


def first_rows(
    question: Question,
    profile: Profile,
    how: Shallow,
    sources: Sources,
    inside: Inside,
    selection: Selection,
) -> Agreement | None:
    """Return what the first rows of the first leg come to; None where the legs have to be asked and the stages run."""
    form: dict[str, Any] = {}
    # A cosine is a score as it is: the best of all counts only where others are divided by it, or how many there are.
    leg: dict[str, Any] = {"retriever": how.leg.retriever, "whole": not how.rules.clamps or how.waits > 0}
    if how.rules.clamps:
        if inside.blank or sources.trained:
            return None
        form["vector"] = made = sources.vector.get()
        if made is None or len(made) != sources.partition.settings.dimensions:
            return None
    else:
        form["terms"], form["boosts"] = question.terms, boosts(question.act)
    k = min(question.k, profile.pool)
    for depth in (max(question.k + MARGIN, how.waits), how.leg.pool):
        leg["k"] = min(depth, how.leg.pool)
        proposal = sources.partition.core.propose(
            [leg], inside.cells, filter=selection.filter, now=selection.now, gone=selection.gone, hashes=True, **form
        )
        agreed = proposal.agreement(
            0, weight=how.rules.weight, cosines=how.rules.clamps, floor=how.rules.floor_for(inside.records),
            gap=how.rules.gap, k=k,
        )  # fmt: skip
        if agreed is None or agreed.count < how.waits:
            return None
        if agreed.is_certain or agreed.given < leg["k"] or leg["k"] == how.leg.pool:
            return agreed
    raise AssertionError("the whole pool decides")
