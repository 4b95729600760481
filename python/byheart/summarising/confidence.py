"""The confidence of a model in the words that it chose."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real

from .._core import exp
from ..errors import InvalidArgument


def confidence_of(logprobs: Iterable[float]) -> float:
    """Return exp of the mean log-probability of the generated tokens, 0 to 1; without tokens 0.

    That is the geometric mean of the probabilities. Added in order and with the pinned exponential, so equal numbers
    give equal bits on every machine. It says how sure the model was of its words, not whether they are true of the
    turns: for that, see `preservation`.

    Args:
        logprobs: natural logarithms, each at most 0; -inf is the logarithm of 0.

    Raises:
        InvalidArgument: one is NaN, above 0, or no number; says which.

    >>> confidence_of([0.0]), confidence_of([-0.6931471805599453, -1.3862943611198906]), confidence_of([])
    (1.0, 0.3535533905932738, 0.0)

    """
    total, count = 0.0, 0
    for value in logprobs:
        if not isinstance(value, Real) or isinstance(value, bool) or not value <= 0.0:
            raise InvalidArgument(
                f"log-probability {count}: is {value!r}; the logarithm of a probability is a number of at most 0"
            )
        total += float(value)
        count += 1
    return exp(total / count) if count else 0.0
