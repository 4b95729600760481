"""The step from an aggregate to the records that it is made of."""
# docs/sources.md: B1.43.

from __future__ import annotations

CHILD_SHARE = 0.95


def child_scores(parent: float, children: int) -> list[float]:
    """Return the scores of an aggregate's children: each 0.95 of its own.

    >>> child_scores(1.0, 2)
    [0.95, 0.95]
    """
    return [parent * CHILD_SHARE] * children
