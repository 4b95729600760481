"""Words of a statement with those of the same kind or root: who says "cello" speaks of an instrument, too."""

from __future__ import annotations

from functools import lru_cache

from .._core import porter_stem
from .kinds import beside_words
from .saying import said
from .state_words import state_words


@lru_cache(maxsize=2048)  # the same texts are found again and again
def speaks_of(text: str) -> frozenset[str]:
    """Return the stems of what a statement speaks of, and of what its words say beside themselves.

    >>> sorted(speaks_of("Tom took the cello."))
    ['cello', 'instrument', 'take', 'tom', 'took']
    """
    return frozenset(said(text).about).union(map(porter_stem, [*beside_words(text), *state_words(text)]))
