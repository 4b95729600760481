"""Greedy decoding: the likeliest token each time, and how likely it was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

Logits = NDArray[np.float64]


def greedy(
    logits_after: Callable[[Sequence[int]], Logits], start: Sequence[int], ends: Collection[int], most: int
) -> tuple[list[int], list[float]]:
    """Return the tokens that were made, and the log-probability of each.

    Args:
        logits_after: gives the logits of the token that follows these, shape (vocabulary,); the tokens that it gets
            are those of the call before and one more.
        start: what stands before the first token.
        ends: tokens that end the text; they are no part of it, and are not counted.
        most: how many tokens at most.

    Of equal logits the lower token is taken.

    >>> greedy(lambda tokens: np.array([float(len(tokens) == 3), 0.0, 0.5]), start=[1], ends=[0], most=9)[0]
    [2, 2]

    """
    made: list[int] = []
    logprobs: list[float] = []
    while len(made) < most:
        logits = logits_after([*start, *made])
        token = int(logits.argmax())
        if token in ends:
            break
        made.append(token)
        logprobs.append(top_log_probability(logits))
    return made, logprobs


def top_log_probability(logits: Logits) -> float:
    """Return the log-probability of the likeliest token, by a log-softmax in float64: at most 0.

    The largest logit is taken off first, so nothing overflows; of the likeliest token nothing is left but the sum.

    >>> round(top_log_probability(np.array([0.0, 0.0, -np.inf])), 6)
    -0.693147

    """
    return 0.0 - float(np.log(np.exp(logits - logits.max()).sum()))
