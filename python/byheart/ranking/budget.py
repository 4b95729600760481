"""The part of a ranking that fits a budget: its longest prefix, and why each item is in or out.

Pure: costs in rank order in, places out. What an item costs is the caller's business; `ranking.tokens` estimates it.

Sums are compared as real numbers: integers are added as they are, and floats without rounding, so that what is accepted
never costs more than the budget, not by a last bit either.
"""
# docs/sources.md: A1.3.7 to A1.3.10.

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import InvalidArgument
from ..light.classes import dataclass
from ..validation import check_one_of

if TYPE_CHECKING:
    from fractions import Fraction

MAX_AMOUNT = 2**53
"""The largest cost and budget: no sum of some is too large for a float."""

POLICIES = ("prefix", "first_fit")
ACCEPTED, OVER_BUDGET, AFTER_STOP = "accepted", "over_budget", "after_stop"


@dataclass(frozen=True, slots=True)
class Fitted:
    """What became of one item.

    Attributes:
        cost: what it costs.
        spent: what is spent once it has been looked at; unchanged where it was not accepted.
        reason: "accepted"; "over_budget": it does not fit what was left; "after_stop": an item before it did not.

    """

    cost: float
    spent: float
    reason: str


@dataclass(frozen=True, slots=True)
class Fit:
    """What fits.

    Attributes:
        accepted: places of the items that fit, ascending.
        rows: what became of each item, in order.
        spent: what the accepted ones cost together.
        budget, policy: as they were given.

    """

    accepted: tuple[int, ...]
    rows: tuple[Fitted, ...]
    spent: float
    budget: float
    policy: str


def fit(costs: Iterable[float], budget: float, policy: str = "prefix") -> Fit:
    """Return which of the items, in rank order, fit a budget.

    Args:
        costs: of the items, in final rank order; at least 0.
        budget: what they may cost together; at least 0, and not necessarily whole. What costs exactly as much
            fits. Of a budget of 0 items in front that cost nothing are accepted.
        policy: "prefix": the first item that does not fit ends it, even if a later one would; so that a
            worse item never takes the place of a better one. "first_fit" passes over what does not fit and goes on.

    Raises:
        InvalidArgument: a cost or the budget is negative, NaN or above 2**53, or the policy does not exist.

    >>> fit([2, 10, 1], budget=5).accepted, fit([2, 10, 1], budget=5, policy="first_fit").accepted
    ((0,), (0, 2))
    >>> [row.reason for row in fit([2, 10, 1], budget=5).rows]
    ['accepted', 'over_budget', 'after_stop']

    """
    check_one_of("policy", policy, POLICIES)
    limit = exactly("budget", budget)
    accepted: list[int] = []
    rows: list[Fitted] = []
    spent: int | Fraction = 0
    stopped = False
    for place, given in enumerate(costs):
        cost = exactly(f"cost of item {place}", given)
        if stopped:
            reason = AFTER_STOP
        elif spent + cost <= limit:
            reason = ACCEPTED
            accepted.append(place)
            spent += cost
        else:
            reason = OVER_BUDGET
            stopped = policy == "prefix"
        rows.append(Fitted(given, _number(spent), reason))
    return Fit(tuple(accepted), tuple(rows), _number(spent), budget, policy)


def total(costs: Iterable[float]) -> float:
    """Return what some items cost together; the nearest float where that is not whole.

    >>> total([0.1] * 10), total([2, 3])
    (1.0, 5)
    """
    spent: int | Fraction = 0
    for place, cost in enumerate(costs):
        spent += cost if type(cost) is int and 0 <= cost <= MAX_AMOUNT else exactly(f"cost of item {place}", cost)
    return _number(spent)


def exactly(what: str, value: Any) -> int | Fraction:
    """Return a cost or a budget without loss.

    Raises:
        InvalidArgument: it is negative, NaN or above 2**53; `what` says which number it is.
        TypeError: it is no number.

    """
    if type(value) is int and 0 <= value <= MAX_AMOUNT:
        return value
    if isinstance(value, bool) or not (isinstance(value, float) or hasattr(value, "__index__")):
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    number = value if isinstance(value, float) else int(value.__index__())
    if not 0 <= number <= MAX_AMOUNT:  # NaN fails here too
        shown = number if isinstance(number, float) or abs(number) < 1e18 else f"{number.bit_length()} bits long"
        raise InvalidArgument(f"{what}: is {shown}; give a number from 0 to 2**53")
    if isinstance(number, int) or number.is_integer():
        return int(number)
    from fractions import Fraction  # only for those whose costs or budgets are not whole

    return Fraction(number)


def _number(exact: int | Fraction) -> float:
    return exact if isinstance(exact, int) else float(exact)
