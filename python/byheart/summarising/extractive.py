"""The extractive summary, out of the turns' own words: those nearest to the middle of what was said.

It invents nothing, and the same turns and vectors give the same bytes everywhere.
Not for: shortening a single turn, which it returns whole.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from ..embedding import Embedder, embed_checked
from ..errors import InvalidArgument
from .likeness import centroid, clamp, likeness, vectors_of_turns
from .protocol import Summary, Turn, check_turns

DENSITY: Final = 0.4
METHOD: Final = "extractive"


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


def extract(turns: Sequence[Turn], vectors: Sequence[Any | None], density: float = DENSITY) -> Summary:
    """Return the turns nearest to the centroid of all, in their own order, as one text.

    A turn scores the cosine of its vector to the plain mean of the vectors; higher ones are kept, of equal ones the
    earlier. The text is theirs, trimmed and joined by a space; the confidence is their mean score, clamped to [0, 1].

    Args:
        turns: in the order in which they were said.
        vectors: one for each turn, of any type of number. None, a vector of zeros and one of another length than the
            first have no place in the middle, or no direction: they score 0.
        density: the share to keep; see `extractive_count`.

    Raises:
        SummaryError: the chosen turns are blank.
        InvalidArgument, TypeError: the turns are refused, a vector holds NaN, or there are not as many vectors.

    >>> turns = [Turn("a", "tea "), Turn("b", "hot tea"), Turn("c", "a cat")]
    >>> summary = extract(turns, [[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]])
    >>> summary.text, summary.source_ids, round(summary.confidence, 4)
    ('tea hot tea', ('a', 'b'), 0.8848)

    """
    asked = check_turns(turns)
    if len(vectors) != len(asked):
        raise InvalidArgument(f"vectors: are {len(vectors)} for {len(asked)} turns; give one for each, or None")
    prepared = vectors_of_turns(vectors)
    middle = centroid(prepared)
    scores = [likeness(vector, middle) for vector in prepared]
    order = sorted(range(len(asked)), key=lambda at: (-scores[at], at))
    kept = sorted(order[: extractive_count(len(asked), density)])
    total = 0.0
    for at in kept:
        total += scores[at]
    text = " ".join(asked[at].text.strip() for at in kept).strip()
    return Summary(text, clamp(total / len(kept)), METHOD, tuple(asked[at].id for at in kept))


class ExtractiveSummariser:
    """Summaries by `extract`, over the vectors of an embedder; a `Summariser`.

    Args:
        embedder: what makes the turns' vectors, as documents.
        density: the share of turns to keep, above 0 and up to 1.

    Raises:
        InvalidArgument: the density is no such share.

    >>> from byheart.embedding import HashingEmbedder
    >>> turns = [Turn("a", "the kettle is hot"), Turn("b", "is the kettle hot?"), Turn("c", "my cat sleeps")]
    >>> ExtractiveSummariser(HashingEmbedder()).summarise(turns).source_ids
    ('a', 'b')

    """

    def __init__(self, embedder: Embedder, density: float = DENSITY) -> None:
        if isinstance(density, bool) or not isinstance(density, (int, float)):
            raise TypeError(f"density must be a number, not {type(density).__name__}")
        if not 0.0 < density <= 1.0:
            raise InvalidArgument(f"density: is {density}; give the share of turns to keep, above 0 and up to 1")
        self._embedder, self._density = embedder, density

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
        return extract(asked, list(rows), self._density)
