"""The extractive summary, out of the turns' own words.

It keeps the turns nearest to the middle of what was said, or those that together say the most different words. It
invents nothing, and the same turns and vectors give the same bytes everywhere.
Not for: shortening a single turn, which it returns whole.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heapreplace
from typing import Any, Final, Literal

from .._core import Analyzer
from ..embedding import Embedder, embed_checked
from ..errors import InvalidArgument
from ..validation import check_number, shortly
from .likeness import centroid, clamp, likeness, vectors_of_turns
from .protocol import Summary, Turn, check_turns

DENSITY: Final = 0.4
METHOD: Final = "extractive"

Choice = Literal["middle", "words"]
"""The turns nearest to the middle of all; or each that has the most words that none chosen before it has."""
CHOICES: Final = ("middle", "words")


def extractive_count(turns: int, density: float = DENSITY) -> int:
    """Return how many turns are kept: their number times the density, rounded up, at least one and at most all.

    The product is a double; up to 2,000 turns it rounds up as exact arithmetic does, at every density of one decimal.

    Args:
        turns: how many there are, at least 1.
        density: the share to keep. What is no share (0 or below, above 1, NaN) counts as 0.4.

    Raises:
        InvalidArgument: there are no turns.

    >>> [extractive_count(turns) for turns in (1, 2, 3, 5, 6, 15)], extractive_count(5, 1.0)
    ([1, 1, 2, 2, 3, 6], 5)

    """
    if turns < 1:
        raise InvalidArgument(f"turns: is {turns}; a summary needs at least one")
    share = density if 0.0 < density <= 1.0 else DENSITY
    return min(max(math.ceil(turns * share), 1), turns)


def covering(words: Sequence[Collection[str]], count: int) -> list[int]:
    """Return `count` of some sets of words: one after the other that with the most words that no earlier one has.

    Of equal ones the first is taken. The greedy rule for a cover: Nemhauser, Wolsey and Fisher, 1978.

    >>> covering([{"tea"}, {"green", "tea"}, {"cup"}], 2)
    [1, 2]

    """
    left = [set(each) for each in words]
    seen: set[str] = set()
    best = [(-len(each), at) for at, each in enumerate(left)]
    heapify(best)
    chosen: list[int] = []
    while best and len(chosen) < count:
        _, at = best[0]
        left[at] -= seen
        now = (-len(left[at]), at)
        if now != best[0]:
            heapreplace(best, now)  # what a set adds only falls, so that the first that has not fallen is the best
            continue
        heappop(best)
        chosen.append(at)
        seen |= left[at]
    return chosen


def extract(
    turns: Sequence[Turn], vectors: Sequence[Any | None], density: float = DENSITY, *, choice: Choice = "middle"
) -> Summary:
    """Return some of the turns, in their own order, as one text.

    A turn scores the cosine of its vector to the plain mean of the vectors; higher ones are kept, of equal ones the
    earlier. By `choice="words"` it is `covering` that chooses, over the stems of the turns' words. The text is theirs,
    trimmed and joined by a space; the confidence is their mean score, clamped to [0, 1].

    Args:
        turns: in the order in which they were said.
        vectors: one for each turn, of any type of number. None, a vector of zeros and one of another length than the
            first have no place in the middle, or no direction: they score 0.
        density: the share to keep; see `extractive_count`.
        choice: "middle" or "words".

    Raises:
        SummaryError: the chosen turns are blank.
        InvalidArgument, TypeError: the turns are refused, the choice is none, a vector holds NaN, or there
            are not as many vectors.

    >>> turns = [Turn("a", "tea "), Turn("b", "hot tea"), Turn("c", "a cat")]
    >>> summary = extract(turns, [[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]])
    >>> summary.text, summary.source_ids, round(summary.confidence, 4)
    ('tea hot tea', ('a', 'b'), 0.8848)

    """
    asked = check_turns(turns)
    check_choice(choice)
    if len(vectors) != len(asked):
        raise InvalidArgument(f"vectors: are {len(vectors)} for {len(asked)} turns; give one for each, or None")
    prepared = vectors_of_turns(vectors)
    middle = centroid(prepared)
    scores = [likeness(vector, middle) for vector in prepared]
    count = extractive_count(len(asked), density)
    if choice == "words":
        analyzer = Analyzer()
        order = covering([set(analyzer.terms(turn.text)) for turn in asked], count)
    else:
        order = sorted(range(len(asked)), key=lambda at: (-scores[at], at))
    kept = sorted(order[:count])
    total = 0.0
    for at in kept:
        total += scores[at]
    text = " ".join(asked[at].text.strip() for at in kept).strip()
    return Summary(text, clamp(total / len(kept)), METHOD, tuple(asked[at].id for at in kept))


def check_choice(choice: str) -> None:
    """Refuse what is no way of choosing turns."""
    if choice not in CHOICES:
        raise InvalidArgument(f"choice: is {choice!r}; use {' or '.join(map(repr, CHOICES))}")


class ExtractiveSummariser:
    """Summaries by `extract`, over the vectors of an embedder; a `Summariser`.

    Args:
        embedder: what makes the turns' vectors, as documents.
        density: the share of turns to keep, above 0 and up to 1.
        choice: which turns are kept: "middle" or "words"; see `extract`.

    Raises:
        InvalidArgument: the density is no such share, or the choice is none.

    >>> from byheart.embedding import HashingEmbedder
    >>> turns = [Turn("a", "the kettle is hot"), Turn("b", "is the kettle hot?"), Turn("c", "my cat sleeps")]
    >>> ExtractiveSummariser(HashingEmbedder()).summarise(turns).source_ids
    ('a', 'b')

    """

    def __init__(self, embedder: Embedder, density: float = DENSITY, *, choice: Choice = "middle") -> None:
        if not 0.0 < check_number("density", density) <= 1.0:
            raise InvalidArgument(
                f"density: is {shortly(density)}; give the share of turns to keep, above 0 and up to 1"
            )
        check_choice(choice)
        self._embedder, self._density, self._choice = embedder, density, choice

    @property
    def name(self) -> str:
        """Return "extractive"."""
        return METHOD

    def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return the summary of the turns.

        Raises:
            SummaryError: the chosen turns are blank.
            InvalidArgument, TypeError, LimitExceeded: the turns are refused.
            ModelError: the embedder failed.

        """
        asked = check_turns(turns)
        rows = embed_checked(self._embedder, [turn.text for turn in asked], "document")
        return extract(asked, list(rows), self._density, choice=self._choice)
