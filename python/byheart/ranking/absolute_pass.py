"""The stages of the profile `auto` in one pass of the core: the table that they make one after the other.

Each stage adds a column, changes a hundred scores and sorts. Ten tables for that cost more than the search. Where
anything is out of the ordinary, there is no pass, and the stages run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from .._core import Absolute, Proposal
from ..light.classes import dataclass
from .absolute import NOTHING, AbsoluteFusion, ByScore
from .agreement import DropDuplicates
from .algebra import Stage
from .asked_first import AskedFirst
from .candidates import Applied, Candidates, Dropped
from .features import scope_among
from .named_time import NamedTime
from .near_duplicates import LATE, NearDuplicatesBeside
from .near_rows import BESIDE
from .session_stages import MarkedNoise, ThisSession
from .strength import Strength
from .told import NAMED, Asking, Neighbours, SpeakerNamed, WholeSession, names


class Texts(Protocol):
    """What the texts of near-duplicates say of each other, and what rows name that no search found."""

    def brought_in(self, ids: list[str], naming: list[str]) -> list[tuple[int, float]] | None:
        """Return the places of those ids that may be found and name a row back, and when they were said last."""

    def has_changed(self, newer: str, older: str, fairly: bool) -> bool:
        """Return whether the newer row takes the place of the older one."""

    def states_anew(self, newer: str, older: str) -> bool:
        """Return whether the newer row, which has changed something, says that a state is another one now."""

    def answers_too(self, newer: str, older: str) -> bool:
        """Return whether the newer row answers the question as the older one does."""


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
        self,
        proposal: Proposal,
        legs: Sequence[int],
        query: str,
        session_id: str | None,
        k: int,
        model: str | None,
        unrelated: float,
        texts: Texts | None,
        *,
        is_weak: bool,
    ) -> Absolute | None:
        """Return what the stages make of a proposal, cut at `k`; None where they have to run.

        Args:
            proposal: with hashes, and what the stages read.
            legs: the leg of words, and the one of vectors if there is one.
            query: the text.
            session_id: for which session the recall is.
            k: the most rows.
            model: the family of the model that made the question's vector.
            unrelated: the cosine that texts with nothing in common reach by it, where nobody has measured it.
            texts: what the texts of near-duplicates say of each other; None: where they decide, the stages run.
            is_weak: whether the answer is too weak: then no row is left.

        """
        fusion = self.fusion
        return Absolute.of(
            proposal, legs, named=names(query), session_id=session_id,
            dense=(fusion.weight(model), fusion.in_conversation),
            floor=fusion.above(unrelated), beside=(self.neighbours.before, self.neighbours.after),
            whole=self.whole.share, speaker=self.speaker.share, asking=self.asking.less, session=self.session.bonus,
            noise=self.noise.factor, k=k, texts=texts, is_weak=is_weak,
        )  # fmt: skip

    def table(
        self,
        found: Absolute,
        features: Sequence[str],
        whose: tuple[str | None, str | None],
        k: int,
        notes: tuple[str, ...],
        figures: Mapping[str, Any],
        unrelated: float,
        why: str,
    ) -> Candidates:
        """Return the table that the stages and the cut at `k` make, of what the core says.

        Args:
            found: that.
            features: the columns that the stages read of records.
            whose: session and user that the recall is for.
            k: the most rows.
            notes: remarks about how the table came to be.
            figures: what the stages say of all rows.
            unrelated: as in `of`.
            why: an answer is too weak, if it is.

        """
        columns: dict[str, tuple[float | None, ...]] = {}
        changes = found.changes
        beside = next((operands for name, _, operands in changes if name == BESIDE.column), None)
        for name in ("words", "dense", *features):
            came = found.column(name)
            if came is not None:
                columns[name] = came if beside is None else tuple(map(_unless, beside, came))
            elif name == "scope":
                said = zip(found.said("session_id"), found.said("user_id"), strict=True)
                scopes = [scope_among(each, *whose) for each in said]
                columns[name] = tuple(scopes if beside is None else map(_unless, beside, scopes))
        applied, known = [], self._changes(figures["strength"]["model"], unrelated)
        for name, _, operands in changes:
            columns[name] = operands
            columns.setdefault("score", found.scores)
            applied.append(known[name])
        return Candidates(found.keys, columns, self._dropped(found, k, why), notes, tuple(applied), (), figures)

    def _changes(self, model: str | None, unrelated: float) -> Mapping[str, Applied]:
        changes = {NAMED.column: NAMED, BESIDE.column: BESIDE, **self.fusion.changes(model, unrelated)}
        for stage in (self.neighbours, self.whole, self.asking, self.session, self.noise):
            changes.update(stage.changes)
        return changes

    def _dropped(self, found: Absolute, k: int, weak: str) -> tuple[Dropped, ...]:
        """Return the rows that were dropped, with the reasons that the stages give."""
        reasons = {"nothing": NOTHING, "late": LATE, "weak": weak, "k": f"beyond k ({k})"}
        return tuple([Dropped(id, reasons.get(why, f"duplicate of {of}")) for id, why, of in found.dropped])


def _unless(brought_in: float | None, said: float | None) -> float | None:
    """Return what a column says of a row that was found; None of one that was brought in, of which none speaks."""
    return said if brought_in is None else None


_STAGES = (
    AbsoluteFusion, Neighbours, WholeSession, SpeakerNamed, Asking, NamedTime, ThisSession, MarkedNoise, ByScore,
    Strength, DropDuplicates, NearDuplicatesBeside, AskedFirst,
)  # fmt: skip


def absolute_pass(stages: Sequence[Stage]) -> AbsolutePass | None:
    """Return what stages come to; None where these are others than those of `auto`, whatever their settings.

    Of what says the same it keeps what was said last.
    """
    if tuple(map(type, stages)) != _STAGES or DropDuplicates(latest=True) not in stages:
        return None
    left = (NamedTime, ByScore, DropDuplicates, NearDuplicatesBeside, AskedFirst)
    kept: list[Any] = [stage for stage in stages if not isinstance(stage, left)]
    return AbsolutePass(*kept)
