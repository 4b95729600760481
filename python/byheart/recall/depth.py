"""The depth of a recall: how many rows of a search have to be looked at before the hits are certain.

A profile may propose a hundred rows, of which an answer needs ten. Where one search is asked, its rows come best first,
and every stage keeps what it does to the first rows whatever comes behind them (`Stage.prefix`), the first rows decide
as soon as no row behind them can come among the hits. Only then are the others left unasked: the hits, their scores and
their columns are those of a run over all rows, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ..profiles.profile import Always, IfFewer, Profile
from ..ranking.algebra import Stage
from ..ranking.candidates import Candidates
from ..retrieval.question import Question
from .legs import Sources

MARGIN = 8
"""Rows beyond the hits: room for duplicates, and for a last row that is scored below the hits."""

_WORDS, _VECTORS = "lexical", "dense"  # retrievers whose best n are the first n of their best m, for n < m


def shallow(question: Question, profile: Profile, sources: Sources, cells: Sequence[str]) -> int | None:
    """Return how many rows to ask for first; None where all are needed.

    Further legs have to wait for the first to find few, and few must be less than the depth: what they wait for is
    then decided too.
    """
    first, later = profile.legs[0], profile.legs[1:]
    waits = [leg.when.than for leg in later if isinstance(leg.when, IfFewer)]
    if len(waits) < len(later) or not isinstance(first.when, Always) or first.within is not None:
        return None
    if first.floor is not None or not all(stage.prefix for stage in profile.stages):
        return None
    if first.retriever == _VECTORS:
        embeds = question.vector is not None or sources.embed is not None
        if profile.mode != "exact" or not embeds or sources.partition.without_vector(cells):
            return None
    elif first.retriever != _WORDS:
        return None
    depth = max([question.k + MARGIN, *waits])
    return depth if depth < first.pool else None


def decided(stages: Sequence[Stage], tables: Sequence[Candidates], k: int) -> bool:
    """Return whether the first rows of a search decide which `k` hits there are, if it has more rows.

    `tables` are those before, between and after the stages. They decide if a stage that drops what is scored too low
    (`Stage.cuts`) has dropped a row, since what comes behind is scored no better; or if the k-th row left is scored
    better than the last one left. No better is not enough: rows of one score stand in the order of their ids.
    """
    for stage, (given, left) in zip(stages, pairwise(tables), strict=True):
        if stage.cuts and len(left.keys) < len(given.keys):
            return True
    scores = tables[-1].scores()
    return len(scores) >= k and scores[k - 1] > scores[-1]
