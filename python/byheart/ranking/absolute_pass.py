"""The stages of the profile `auto` in one pass of the core: the table that they make one after the other.

Each stage adds a column, changes a hundred scores and sorts. Ten tables for that cost more than the search. Where
anything is out of the ordinary, there is no pass, and the stages run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._core import Absolute, Proposal
from ..light.classes import dataclass
from .absolute import NOTHING, AbsoluteFusion, ByScore
from .agreement import DropDuplicates
from .algebra import Stage
from .asked_first import AskedFirst
from .candidates import Applied, Candidates, Dropped
from .features import scope_among
from .named_time import NamedTime
from .near_duplicates import NearDuplicatesBeside
from .session_stages import MarkedNoise, ThisSession
from .strength import Strength
from .told import NAMED, Asking, Neighbours, SpeakerNamed, WholeSession, names


@dataclass(frozen=True, slots=True)
class AbsolutePass:
    """What the stages of a profile come to, in their order.

    Attributes: the stages, but for one that looks at times; for a question that names one, there is no pass.
    """

    fusion: AbsoluteFusion
    neighbours: Neighbours
    whole: WholeSession
    speaker: SpeakerNamed
    asking: Asking
    session: ThisSession
    noise: MarkedNoise
    strength: Strength

    def of(
        self, proposal: Proposal, legs: Sequence[int], query: str, session_id: str | None, k: int, model: str | None
    ) -> Absolute | None:
        """Return what the stages make of a proposal, cut at `k`; None where they have to run.

        Args:
            proposal: with hashes, and what the stages read.
            legs: the leg of words, and the one of vectors if there is one.
            query: the text.
            session_id: for which session the recall is.
            k: the most rows.
            model: the family of the model that made the question's vector.

        """
        fusion = self.fusion
        return Absolute.of(
            proposal, legs, named=names(query), session_id=session_id,
            dense=(fusion.weight(model), fusion.in_conversation),
            floor=fusion.floor, beside=(self.neighbours.before, self.neighbours.after), whole=self.whole.share,
            speaker=self.speaker.share, asking=self.asking.less, session=self.session.bonus,
            noise=self.noise.factor, k=k,
        )  # fmt: skip

    def table(
        self,
        found: Absolute,
        features: Sequence[str],
        whose: tuple[str | None, str | None],
        k: int,
        notes: tuple[str, ...],
        figures: Mapping[str, Any],
    ) -> Candidates:
        """Return the table that the stages and the cut at `k` make, of what the core says.

        Args:
            found: that.
            features: the columns that the stages read of records.
            whose: session and user that the recall is for.
            k: the most rows.
            notes: remarks about how the table came to be.
            figures: what the stages say of all rows.

        """
        columns: dict[str, tuple[float | None, ...]] = {}
        for name in ("words", "dense", *features):
            came = found.column(name)
            if came is not None:
                columns[name] = came
            elif name == "scope":
                said = zip(found.said("session_id"), found.said("user_id"), strict=True)
                columns[name] = tuple([scope_among(each, *whose) for each in said])
        applied, known = [], self._changes(figures["strength"]["model"])
        for name, _, operands in found.changes:
            columns[name] = operands
            columns.setdefault("score", found.scores)
            applied.append(known[name])
        return Candidates(found.keys, columns, self._dropped(found, k), notes, tuple(applied), (), figures)

    def _changes(self, model: str | None) -> Mapping[str, Applied]:
        changes = {NAMED.column: NAMED, **self.fusion.changes(model)}
        for stage in (self.neighbours, self.whole, self.asking, self.session, self.noise):
            changes.update(stage.changes)
        return changes

    def _dropped(self, found: Absolute, k: int) -> tuple[Dropped, ...]:
        """Return the rows that were dropped, with the reasons that the stages give."""
        reasons = {"nothing": NOTHING, "k": f"beyond k ({k})"}
        return tuple([Dropped(id, reasons.get(why, f"duplicate of {of}")) for id, why, of in found.dropped])


_STAGES = (
    AbsoluteFusion, Neighbours, WholeSession, SpeakerNamed, Asking, NamedTime, ThisSession, MarkedNoise, ByScore,
    Strength, DropDuplicates, NearDuplicatesBeside, AskedFirst,
)  # fmt: skip


def absolute_pass(stages: Sequence[Stage]) -> AbsolutePass | None:
    """Return what stages come to; None where these are others than those of `auto`, whatever their settings."""
    if tuple(map(type, stages)) != _STAGES:
        return None
    left = (NamedTime, ByScore, DropDuplicates, NearDuplicatesBeside, AskedFirst)
    kept: list[Any] = [stage for stage in stages if not isinstance(stage, left)]
    return AbsolutePass(*kept)
