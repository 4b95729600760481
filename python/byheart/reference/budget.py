"""The part that fits a budget, by its definition: every sum is made anew, without rounding."""
# docs/sources.md: A1.3.7, A1.3.8.

from __future__ import annotations

from fractions import Fraction


def longest_prefix(costs: list[float], budget: float) -> list[int]:
    """Return the places of the longest prefix that costs no more than the budget.

    >>> longest_prefix([2, 10, 1], 5), longest_prefix([0, 0, 5], 0)
    ([0], [0, 1])
    """
    fitting = [size for size in range(len(costs) + 1) if _cost(costs[:size]) <= Fraction(budget)]
    return list(range(max(fitting)))


def first_fit(costs: list[float], budget: float) -> list[int]:
    """Return the places of the items that fit beside those accepted before them.

    >>> first_fit([2, 10, 1], 5)
    [0, 2]
    """
    taken: list[int] = []
    for place, cost in enumerate(costs):
        if _cost([costs[at] for at in taken] + [cost]) <= Fraction(budget):
            taken.append(place)
    return taken


def _cost(costs: list[float]) -> Fraction:
    return sum((Fraction(cost) for cost in costs), Fraction(0))
