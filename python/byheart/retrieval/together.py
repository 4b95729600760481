"""Retrievers whose indexes are part of the core's partition, and the one call that asks their legs together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from .._core import Proposal
from ..frozen import maker
from .protocol import Found, IndexedRetriever, LegQuery
from .selection import Selection


class CoreRetriever(IndexedRetriever):
    """A retriever whose index is part of the core's partition: one call searches it, through the selection.

    Attributes:
        open_ended: whether its scores have no upper end, so that they are divided by the best one.

    """

    open_ended: bool = False

    def form(self, asked: LegQuery) -> Mapping[str, Any] | None:
        """Return the question in the form that the core is asked in; None if it cannot be asked."""
        raise NotImplementedError

    def leg(self, asked: LegQuery) -> Mapping[str, Any]:
        """Return what is asked of the core beside the form."""
        return {}

    def found(self, asked: LegQuery, form: Mapping[str, Any], proposal: Proposal, leg: int) -> Found:
        """Return what a leg of the core's proposal says."""
        return found_by(proposal, leg)

    def nothing(self, form: Mapping[str, Any]) -> Found | None:
        """Return the answer to a question with nothing in it to search for; None if there is something."""
        return None

    def search(self, asked: LegQuery) -> Found:
        """Return the best of the records that may be found."""
        [found], _ = search_together([(self, asked)], asked.selection)
        return found


_found = maker(Found)


def found_by(
    proposal: Proposal, leg: int, mode: str | None = None, most: float | None = None, familiarity: float | None = None
) -> Found:
    """Return what a leg of the core's proposal says, how it was searched, how much it could be, and how familiar."""
    hits, whole = proposal.hits(leg), proposal.whole(leg)
    if whole is None:
        first, last = (hits[0][1], hits[-1][1]) if hits else (None, None)
        return _found(hits, first, len(hits), last, mode=mode, most=most, familiarity=familiarity)
    return _found(hits, whole[1], whole[0], whole[2], mode=mode, most=most, familiarity=familiarity)


class Asked(NamedTuple):
    """A leg that the core was asked: its place among all, who asked what, and its number in the proposal."""

    place: int
    retriever: CoreRetriever
    leg: LegQuery
    form: Mapping[str, Any]
    at: int
    best: int | None  # the leg that says what is proposed of all, where this one looks at a part of them


class Together(NamedTuple):
    """What legs find that were asked in one call into the core.

    Attributes:
        known: of each leg, what it finds if the core was not asked.
        asked: the others.
        proposal: the core's whole answer; None if it was not called.

    """

    known: list[Found | None]
    asked: list[Asked]
    proposal: Proposal | None

    @property
    def all_asked(self) -> bool:
        """Whether the core was asked each leg."""
        return len(self.asked) == len(self.known)

    def found(self) -> list[Found]:
        """Return what each leg finds."""
        found = list(self.known)
        for place, retriever, leg, form, at, best in self.asked:
            assert self.proposal is not None, "the core was asked"
            answer = retriever.found(leg, form, self.proposal, at)
            whole = None if best is None else self.proposal.whole(best)
            found[place] = answer if whole is None else replace(answer, top=whole[1])
        return [each for each in found if each is not None]


def search_together(
    asked: Sequence[tuple[CoreRetriever, LegQuery]],
    selection: Selection,
    columns: Sequence[str] = (),
    words: Sequence[str] = (),
) -> tuple[list[Found], Proposal | None]:
    """Return what each leg finds, in one call into the core, and the core's whole answer; see `ask_together`."""
    together = ask_together(asked, selection, columns, words, hashes=bool(columns))
    return together.found(), together.proposal


def ask_together(
    asked: Sequence[tuple[CoreRetriever, LegQuery]],
    selection: Selection,
    columns: Sequence[str] = (),
    words: Sequence[str] = (),
    *,
    hashes: bool = False,
    listed: str | None = None,
    tops: bool = True,
) -> Together:
    """Ask legs in one call into the core.

    Args:
        asked: retrievers and legs, of one recall.
        selection: which records may be found, but for `LegQuery.within`.
        columns: numbers of the directory, wanted for every record that is proposed.
        words: words and flags of it, likewise.
        hashes: whether what tells their contents is wanted, too.
        listed: a field of which a pass over the proposal reads all that they say.
        tops: whether the best of all matters, too, where scores are a scale as they are, and not divided by it.

    """
    known: list[Found | None] = []
    each_asked: list[Asked] = []
    forms: dict[str, Any] = {}
    legs: list[Mapping[str, Any]] = []
    of_all: dict[str, int] = {}
    for retriever, leg in asked:
        form = retriever.form(leg)
        if form is None:
            known.append(Found((), answered=False))
            continue
        known.append(retriever.nothing(form))
        if known[-1] is not None:
            continue
        forms.update(form)
        # What all would propose is asked for where a score, or whether a later leg is asked, rests on it.
        needed = retriever.open_ended or leg.counted
        told: dict[str, Any] = {"retriever": retriever.name, "k": leg.pool, "whole": needed, **retriever.leg(leg)}
        if not (tops or retriever.open_ended):
            told["whole"], told["count"] = False, needed
        best = None
        if needed and (leg.blank or leg.within is not None):  # of all, not of those alone that are the leg's
            if retriever.name not in of_all:
                of_all[retriever.name] = len(legs)
                legs.append({**told, "k": leg.pool if leg.counted else 1})
            best = of_all[retriever.name]
            told["whole"] = leg.counted
        if leg.blank:
            told["blank"] = True
        if leg.within is not None:
            told["within"] = leg.within
        each_asked.append(Asked(len(known) - 1, retriever, leg, form, len(legs), best))
        legs.append(told)
    if not legs:
        return Together(known, each_asked, None)
    core, cells = asked[0][1].core, asked[0][1].cells
    proposal = core.propose(
        legs,
        cells,
        filter=selection.filter,
        now=selection.now,
        gone=selection.gone,
        columns=columns,
        words=words,
        hashes=hashes,
        listed=listed,
        **forms,
    )
    return Together(known, each_asked, proposal)
