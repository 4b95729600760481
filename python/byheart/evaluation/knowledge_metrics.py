"""Metrics of assembled contexts: how well one covers what a question needs."""

from __future__ import annotations

from typing import NamedTuple


class ContextScore(NamedTuple):
    """Shares between 0 and 1; `f1` is the harmonic mean of the other two."""

    recall: float
    precision: float
    f1: float


def context_f1(*, required: int, missing: int, forbidden: int = 0, found_forbidden: int = 0) -> ContextScore:
    """Return recall, precision and F1 of a context, from counts of terms.

    Args:
        required: terms that the context should have.
        missing: how many of them it lacks; without required terms the recall is 1.
        forbidden: terms that it should not have.
        found_forbidden: how many of them it has; without forbidden terms the precision is 1.

    Raises:
        ValueError: a count below 0, or a part greater than its whole.

    >>> context_f1(required=2, missing=1)
    ContextScore(recall=0.5, precision=1.0, f1=0.6666666666666666)

    """
    for what, part, whole in (("missing", missing, required), ("found_forbidden", found_forbidden, forbidden)):
        if not 0 <= part <= whole:
            raise ValueError(f"{what}: {part} of {whole} cannot be")
    recall = (required - missing) / required if required else 1.0
    precision = 1.0 - found_forbidden / forbidden if forbidden else 1.0
    both = recall + precision
    return ContextScore(recall, precision, 2.0 * recall * precision / both if both else 0.0)
