"""The protocol of rerankers, and the door for plain functions.

A reranker reads the query beside each document, which a retriever does not, and gives scores of its own scale, best in
[0, 1]. It may fail, in one way: `RerankFailed`, whose reason goes into the reply. Time is a point on
`time.monotonic()`: a reranker stops before its caller's deadline, so that the caller has time left to do without.
"""

from __future__ import annotations

import contextvars
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral, Real
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from ...errors import InvalidArgument, RerankFailed
from ...light.classes import dataclass

RESERVE: Final = 0.1
"""Seconds that a reranker leaves its caller before the deadline: a cosine over forty rows takes a thousandth of it."""


@dataclass(frozen=True, slots=True)
class Scored:
    """What a reranker says of one document: its place among those that were sent, and a score."""

    index: int
    score: float


@runtime_checkable
class Reranker(Protocol):
    """Scores documents for a query, more slowly and better than what found them."""

    @property
    def name(self) -> str:
        """Return what replies call it; never a key."""

    def scores(self, query: str, documents: Sequence[str], *, deadline: float | None = None) -> Sequence[Scored]:
        """Return scores of the documents, in any order; documents may be left out.

        Args:
            query: what was asked.
            documents: texts, at most a few dozen.
            deadline: when the caller must have gone on, on `time.monotonic()`; None for no such time.

        Raises:
            RerankFailed: there are no scores.

        """


Judge: TypeAlias = Callable[[str, Sequence[str]], Iterable[Any]]


class CallableReranker:
    """A function as a reranker: `f(query, documents)` gives one score a document, or pairs (index, score).

    With a deadline the function runs in a thread of its own, which is left to itself where it takes too long: it must
    not mind. Without one it runs in the caller's thread. Whatever it raises is a failure to rerank.

    Args:
        judge: the function; called from several threads if the memory is.
        name: what replies call it.

    >>> words = lambda query, documents: [float(query in document) for document in documents]
    >>> CallableReranker(words, name="words").scores("tea", ["hot tea", "a cat"])
    [Scored(index=0, score=1.0), Scored(index=1, score=0.0)]
    >>> CallableReranker(lambda query, documents: [(1, 0.5)], name="second").scores("tea", ["hot tea", "a cat"])
    [Scored(index=1, score=0.5)]

    """

    def __init__(self, judge: Judge, *, name: str = "callable") -> None:
        if not callable(judge):
            raise TypeError(f"judge must be a function of query and documents, not {type(judge).__name__}")
        if not isinstance(name, str) or not name:
            raise InvalidArgument("name: must be a str that is not empty; replies show it")
        self._judge, self._name = judge, name

    @property
    def name(self) -> str:
        """Return what replies call it."""
        return self._name

    def __repr__(self) -> str:
        return f"CallableReranker({self._name!r})"

    def scores(self, query: str, documents: Sequence[str], *, deadline: float | None = None) -> list[Scored]:
        """Return what the function says, checked.

        Raises:
            RerankFailed: the function raised, took too long, or gave something else than scores.

        """
        texts = list(documents)
        given = self._called(query, texts) if deadline is None else self._called_until(query, texts, deadline)
        return checked(given, len(texts))

    def _called(self, query: str, documents: list[str]) -> list[Any]:
        try:
            return list(self._judge(query, documents))
        except RerankFailed:
            raise
        except Exception as error:
            raise RerankFailed(f"{self._name} raised {type(error).__name__}") from error

    def _called_until(self, query: str, documents: list[str], deadline: float) -> list[Any]:
        """Call in another thread and wait as long as there is time."""
        left = time_left(deadline)
        outcome: list[list[Any] | RerankFailed] = []

        def run() -> None:
            try:
                outcome.append(self._called(query, documents))
            except RerankFailed as failure:
                outcome.append(failure)

        thread = threading.Thread(
            target=contextvars.copy_context().run, args=(run,), name="byheart-rerank-callable", daemon=True
        )
        thread.start()
        thread.join(left)
        if not outcome:
            raise RerankFailed("timeout")
        if isinstance(outcome[0], RerankFailed):
            raise outcome[0]
        return outcome[0]


def time_left(deadline: float, *, reserve: float = RESERVE) -> float:
    """Return the seconds until the reserve before a deadline begins.

    Raises:
        RerankFailed: there are none.

    >>> 0.8 < time_left(time.monotonic() + 1.0) <= 0.9
    True

    """
    left = deadline - reserve - time.monotonic()
    if left <= 0.0:
        raise RerankFailed("timeout: no time was left to rerank in")
    return left


def checked(given: Sequence[Any], documents: int) -> list[Scored]:
    """Return scores, one a document, or pairs (index, score), as `Scored`; they need not be finite.

    Raises:
        RerankFailed: there are neither, or not as many scores as documents.

    >>> checked([(2, 0.5)], 3), checked([0.25], 1)
    ([Scored(index=2, score=0.5)], [Scored(index=0, score=0.25)])

    """
    if given and all(_is_real(each) for each in given):
        if len(given) != documents:
            raise RerankFailed(f"invalid shape: {len(given)} scores for {documents} documents")
        return [Scored(index, float(score)) for index, score in enumerate(given)]
    given = [(each.index, each.score) if isinstance(each, Scored) else each for each in given]
    pairs = [each for each in given if isinstance(each, (tuple, list)) and len(each) == 2]
    if len(pairs) != len(given) or not all(_is_whole(index) and _is_real(score) for index, score in pairs):
        raise RerankFailed("invalid shape: neither one score a document nor pairs (index, score)")
    return [Scored(int(index), float(score)) for index, score in pairs]


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
