"""A summariser made of a plain function, such as one that asks a language model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import TypeAlias

from ..errors import InvalidArgument, SummaryError
from .confidence import confidence_of
from .protocol import Summary, Turn, check_summariser_name, check_turns, is_share

Answer: TypeAlias = tuple[str, float | Iterable[float]]


class FunctionSummariser:
    """A function as a `Summariser`.

    Args:
        function: gets the turns, a tuple in their order, and returns a text and how sure it is of it: a confidence
            from 0 to 1, or the log-probability of each generated token, of which `confidence_of` makes one. What it
            raises goes through to the caller.
        name: what summaries have as `method`.

    >>> def shortest(turns):
    ...     return min((turn.text for turn in turns), key=len), [-0.5, -0.5]
    >>> summariser = FunctionSummariser(shortest, "shortest")
    >>> summary = summariser.summarise([Turn("t1", "tea, please"), Turn("t2", "at once")])
    >>> summary.text, round(summary.confidence, 4), summary.source_ids
    ('at once', 0.6065, ('t1', 't2'))

    """

    def __init__(self, function: Callable[[Sequence[Turn]], Answer], name: str) -> None:
        if not callable(function):
            raise TypeError(f"function must be callable, not {type(function).__name__}")
        self._function, self._name = function, check_summariser_name(name)

    @property
    def name(self) -> str:
        """Return what its summaries have as `method`."""
        return self._name

    def summarise(self, turns: Sequence[Turn]) -> Summary:
        """Return what the function makes of the turns; all of them are its sources.

        Raises:
            SummaryError: it returned something else than a text and a confidence, a blank text, or a number outside
                its range; names the summariser.
            InvalidArgument, TypeError, LimitExceeded: the turns are refused.

        """
        asked = check_turns(turns)
        answer = self._function(asked)
        if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[0], str):
            raise SummaryError(
                f"{self._name}: returned {type(answer).__name__}; it must return a text and a confidence, or a text and"
                " the log-probabilities of its tokens"
            )
        text, sureness = answer
        return Summary(text.strip(), self._confidence(sureness), self._name, tuple(turn.id for turn in asked))

    def _confidence(self, sureness: float | Iterable[float]) -> float:
        if isinstance(sureness, Real):
            if not is_share(sureness):
                raise SummaryError(f"{self._name}: gave the confidence {sureness!r}; it must lie between 0 and 1")
            return float(sureness)
        if isinstance(sureness, (str, bytes)) or not isinstance(sureness, Iterable):
            given = type(sureness).__name__
            raise SummaryError(f"{self._name}: gave {given} for a confidence; it must be a number, or a list of them")
        try:
            return confidence_of(sureness)
        except InvalidArgument as error:
            raise SummaryError(f"{self._name}: gave a {error}") from None
