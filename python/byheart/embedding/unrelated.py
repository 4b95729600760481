"""The cosine that texts of one model reach though they have nothing in common: .2 of one, .8 of another.

Notes and questions about different things are embedded, each question beside each note; the greatest cosine is the
model's. What texts of yours reach has no part in it, so that it is the same in every memory.
"""

from __future__ import annotations

import os
from math import ceil
from numbers import Real
from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from .._core import cosine
from ..errors import InvalidArgument

if TYPE_CHECKING:
    from .protocol import Embedder

NOTES: Final = (
    "The bakery on Mill Lane opens at six in the morning.",
    "Our server was moved to the new data centre in Frankfurt.",
    "She plays the cello in the town orchestra.",
    "The invoice from the electrician is still unpaid.",
    "Snow closed the mountain pass for two days.",
    "Vitamin D supports the growth of bones.",
    "The contract can be cancelled three months before it ends.",
    "He repaired the bicycle with a new chain.",
)
QUESTIONS: Final = (
    "When does the ferry to the island leave?",
    "Which colour did we choose for the kitchen?",
    "How many people came to the meeting?",
    "Why was the football match postponed?",
    "Who wrote the report about bees?",
    "What does the new camera cost?",
    "Where are the spare keys kept?",
    "How do I reset the password of the router?",
)
"""The greatest of their 64 cosines is .196 with WordLlama, whose measured floor is .2 (`byheart.ranking.absolute`)."""

TRIES: Final = 3
"""So often is an embedder asked in a row that fails; then seldom, since each question would wait for it."""
MOST: Final = 0.999
"""Above this a model tells nothing apart; the rest is kept for texts that are the same."""


def unrelated_cosine(embedder: Embedder) -> float:
    """Return the greatest cosine of texts that have nothing in common, 0 to `MOST`; the next thousandth above it.

    An embedder says it itself by an attribute `unrelated`, a number; else sixteen short texts are embedded, in two
    calls.

    >>> from byheart.embedding import HashingEmbedder
    >>> unrelated_cosine(HashingEmbedder())
    0.3

    Raises:
        InvalidArgument: what it says is no number from 0 to 1.
        Exception: whatever the embedder raises.

    """
    from .checked import embed_checked

    said: Any = getattr(embedder, "unrelated", None)
    if said is not None and not callable(said):  # what stands in for an embedder may answer to any name
        if isinstance(said, bool) or not isinstance(said, Real) or not 0.0 <= float(said) <= 1.0:
            raise InvalidArgument(f"unrelated of the embedder: is {str(said)[:40]!r}; give a cosine from 0 to 1")
        return min(float(said), MOST)
    questions = embed_checked(embedder, list(QUESTIONS), "query").astype("float64")
    notes = embed_checked(embedder, list(NOTES), "document").astype("float64")
    found = (cosine(question, note) for question in questions for note in notes)
    return min(ceil(1_000 * max(0.0, *(each or 0.0 for each in found))) / 1_000, MOST)


class Measured:
    """What is known of an embedder: asked when that is first wanted; where it fails, again, and ever more seldom.

    Of many threads that want it at first one asks, and the others wait. One thread may come again amid its own call, as
    a signal's handler does; and a process that was forked meanwhile waits for no thread that it does not have.

    >>> from byheart.embedding import HashingEmbedder
    >>> Measured(HashingEmbedder()).cosine()
    0.3
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._found: float | None = None
        self._failed: Exception | None = None
        self._wanted = 0
        self._turn, self._process = RLock(), os.getpid()

    def cosine(self) -> float:
        """Return the greatest cosine of texts that have nothing in common.

        Raises:
            Exception: whatever the embedder raises, or raised last where it is not asked this time.

        """
        if self._found is not None:
            return self._found
        if self._process != os.getpid():
            self._turn, self._process = RLock(), os.getpid()
        with self._turn:
            return self._asked() if self._found is None else self._found

    def _asked(self) -> float:
        self._wanted += 1
        is_asked = self._wanted <= TRIES or self._wanted & (self._wanted - 1) == 0  # the 4th, the 8th, the 16th
        if self._failed is not None and not is_asked:
            raise self._failed
        try:
            self._found = unrelated_cosine(self.embedder)
        except Exception as error:
            self._failed = error
            raise
        return self._found
