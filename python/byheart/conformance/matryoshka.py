"""Adapters of Matryoshka tiers (`matryoshka.*`)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from byheart import DenseIndex
from byheart._core import cascade_trace
from byheart.errors import InvalidArgument

from .registry import feature

_RULES = {"exceeds": "strict", "strict": "strict", "at_least": "at_least"}
_SEED = (0.92, 0.80)


@feature("matryoshka.cascade", "l1", "l2", optional=("theta_l1", "theta_l2", "exit_rule", "budget_spent"))
def _cascade(given: Mapping[str, Any]) -> dict[str, Any]:
    """Answer for the best scores of the first two tiers, or all scores of one; an empty list is an empty tier."""
    scores = [value if isinstance(value, list) else [value] for value in (given["l1"], given["l2"])]
    trace = cascade_trace(
        [*(max(tier, default=None) for tier in scores), None],
        DenseIndex().tiers,
        thresholds=(given.get("theta_l1", _SEED[0]), given.get("theta_l2", _SEED[1])),
        exit_rule=_RULES[given.get("exit_rule", "exceeds")],
        budget_spent=given.get("budget_spent", False),
    )
    answer = trace[-1]
    return {
        "tier": answer["tier"],
        "dims": answer["dimensions"],
        "tiers_searched": [visit["tier"] for visit in trace],
    }


@feature("matryoshka.tiers", "nonzero", optional=("dims",))
def _tiers(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are not zero in each tier."""
    vector = array("f", bytes(4 * given.get("dims", 768)))
    for place, value in given["nonzero"].items():
        vector[int(place)] = value
    try:
        prefixes = DenseIndex().prefixes(vector)
    except InvalidArgument:
        return {"error": True}
    return {
        f"l{number}": {str(place): value for place, value in enumerate(prefix) if value}
        for number, prefix in enumerate(prefixes, 1)
    }
