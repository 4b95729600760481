"""Distillation of a cluster of turns: who writes its summary, whether it is accepted, and what happens if not.

No store and no lock: this is the slow part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from ..embedding import Embedder, HashingEmbedder, embed_checked
from ..errors import ByheartError, InvalidArgument, LimitExceeded, SummaryError
from ..light.classes import dataclass
from ..ranking.tokens import HostTokens
from ..records import Record
from ..summarising import ExtractiveSummariser, Preservation, Summariser, Summary, Turn, preservation
from ..validation import MAX_ITEMS, check_flag, check_one_of, check_share, shortly
from ..words import SummaryTime, Trivial, TurnsFate, words_of
from .compaction import ABSTRACTIVE_FROM, TARGET, Entry, route
from .context import Recent
from .outdated import with_updates
from .recent_tail import RecentTail

TIGHTER: Final = 0.25
"""The share of turns that an extract keeps where a summary was no shorter than its turns."""

_CHOICES: Final = {
    "sources": words_of(TurnsFate),
    "summary_time": words_of(SummaryTime),
    "trivial": words_of(Trivial),
}
_SWITCHES: Final = ("force", "preservation", "strict_progress", "fallback")


@dataclass(frozen=True, slots=True)
class Compaction:
    """How a session is compacted; `Memory.compact` says what each field means.

    >>> Compaction(target=0).target
    20

    """

    target: int = TARGET
    force: bool = False
    summariser: Summariser | None = None
    abstractive: Summariser | None = None
    abstractive_from: float = ABSTRACTIVE_FROM
    sources: TurnsFate = "archive"
    summary_time: SummaryTime = "newest"
    keep_recent: Recent | RecentTail | int | None = None
    preservation: bool = False
    strict_progress: bool = False
    trivial: Trivial = "summarise"
    fallback: bool = False

    def __post_init__(self) -> None:
        """Check every field."""
        if isinstance(self.target, bool) or not isinstance(self.target, int):
            raise TypeError(f"target must be int, not {type(self.target).__name__}")
        if self.target <= 0:
            object.__setattr__(self, "target", TARGET)
        if self.target > MAX_ITEMS:
            raise LimitExceeded(
                f"target: {shortly(self.target)} is over the limit of {MAX_ITEMS} turns behind one summary"
            )
        for name in _SWITCHES:
            check_flag(name, getattr(self, name))
        for name, choices in _CHOICES.items():
            object.__setattr__(self, name, check_one_of(name, getattr(self, name), choices))
        for name in ("summariser", "abstractive"):
            given = getattr(self, name)
            if given is not None and not isinstance(given, Summariser):
                raise TypeError(
                    f"{name} must be a Summariser of `byheart.summarising`, not {type(given).__name__};"
                    " FunctionSummariser makes one of a function"
                )
        check_share("abstractive_from", self.abstractive_from)
        recent = self.keep_recent
        if isinstance(recent, bool) or not isinstance(recent, (Recent, RecentTail, int, type(None))):
            raise TypeError(f"keep_recent must be int, Recent or RecentTail, not {type(recent).__name__}")
        if isinstance(recent, int):
            if recent < 0:
                raise InvalidArgument(
                    f"keep_recent: is {shortly(recent)}; give how many of the last turns stay, 0 or more"
                )
            object.__setattr__(self, "keep_recent", Recent(recent))


@dataclass(frozen=True, slots=True)
class Distilled:
    """What came of a cluster: a summary, or the reason why there is none; and what is to be said of it.

    Attributes:
        summary: what stands for the turns.
        refused: why nothing does.
        facts: what its record notes beside the method: what it preserves, and whether it was cut.
        degraded: what was not done as well as it could have been.

    """

    summary: Summary | None
    refused: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


class Distiller:
    """Makes the summaries of one compaction.

    Args:
        how: what was asked for.
        embedder: the memory's; without one, words are hashed, and every extract says so.

    """

    def __init__(self, how: Compaction, embedder: Embedder | None) -> None:
        self._how, self.embedder = how, embedder
        made_here = embedder is not None and getattr(embedder, "makes_vectors", True)
        self._space: Embedder = embedder if embedder is not None and made_here else HashingEmbedder()
        self._extractive: Summariser = ExtractiveSummariser(self._space, choice="words")
        self._known: dict[tuple[tuple[str, str], ...], Distilled] = {}

    def distil(self, records: Sequence[Record]) -> Distilled:
        """Return what stands for some turns, in the order in which they were said; made once for each cluster.

        Raises:
            SummaryError: a summariser failed, or gave nothing of use; names it.
            ModelError, MissingExtra: an embedder or a model failed.

        """
        key = tuple((record.id or "", record.text) for record in records)
        if key not in self._known:
            self._known[key] = self._distilled(records)
        return self._known[key]

    def _distilled(self, records: Sequence[Record]) -> Distilled:
        how = self._how
        if len(records) == 1 and how.trivial == "decline":
            return Distilled(None, "a single turn")
        turns = [Turn(record.id or "", record.text) for record in records]
        scores = [Entry.of_record(record).gating_score for record in records]
        routed = route(scores, abstractive_ready=how.abstractive is not None, least=how.abstractive_from)
        first = how.abstractive if routed == "abstractive" else how.summariser
        attempts = [first or self._extractive]
        if how.strict_progress:
            attempts.append(ExtractiveSummariser(self._space, TIGHTER, choice="words"))
        spoken = sum(HostTokens().count(turn.text) for turn in turns)
        length = 0
        for summariser in attempts:
            found = self._attempt(summariser, turns)
            assert found.summary is not None, "an attempt gives a summary, or raises"
            length = HostTokens().count(found.summary.text)
            if not how.strict_progress or length < spoken:
                return found
        return Distilled(None, f"its summary has {length} tokens, no fewer than its turns with {spoken}")

    def _attempt(self, summariser: Summariser, turns: Sequence[Turn]) -> Distilled:
        """Ask one summariser, and the extract in its place where it fails or drifts and that was asked for."""
        degraded: list[str] = []
        try:
            summary = self._asked(summariser, turns)
        except ByheartError as error:
            if not self._how.fallback or isinstance(summariser, ExtractiveSummariser):
                raise
            degraded.append(f"{turns[0].id}...: {error}; the turns were extracted instead")
            summariser, summary = self._extractive, self._asked(self._extractive, turns)
        summary = with_updates(summary, turns)
        facts: dict[str, Any] = {}
        if self._how.preservation:
            kept = self._preserved(summary, turns)
            if not isinstance(summariser, ExtractiveSummariser) and not kept.accepted():
                degraded.append(f"{turns[0].id}...: {summary.method} drifted (alignment {kept.alignment:.3f})")
                summariser, summary = self._extractive, with_updates(self._asked(self._extractive, turns), turns)
                kept = self._preserved(summary, turns)
            own = None if isinstance(summariser, ExtractiveSummariser) else summary.confidence
            facts = {"alignment": kept.alignment, "coverage": kept.coverage}
            facts["preserved_confidence"] = kept.final_confidence(own)
        if summary.truncated:
            facts["truncated"] = True
            degraded.append(f"{turns[0].id}...: {summary.method} could not read all of the turns")
        if self._space is not self.embedder and isinstance(summariser, ExtractiveSummariser):
            degraded.append("no embedder: turns were chosen by their words, hashed")
        return Distilled(summary, "", facts, tuple(degraded))

    def _preserved(self, summary: Summary, turns: Sequence[Turn]) -> Preservation:
        rows = embed_checked(self._space, [summary.text, *(turn.text for turn in turns)], "document")
        return preservation(rows[0], list(rows[1:]))

    @staticmethod
    def _asked(summariser: Summariser, turns: Sequence[Turn]) -> Summary:
        """Return what a summariser makes of turns; whatever goes wrong in a function of the caller's has our name."""
        try:
            summary = summariser.summarise(tuple(turns))
        except ByheartError:
            raise
        except Exception as error:
            raise SummaryError(
                f"{summariser.name}: failed with {type(error).__name__}: {error}; the turns stay as they are"
            ) from error
        if not isinstance(summary, Summary):
            raise SummaryError(f"{summariser.name}: gave {type(summary).__name__}; it must give a Summary")
        return summary
