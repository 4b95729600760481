"""Adapters for budgets: `budget.fit`. An item says what it costs, or is a text that the host estimates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byheart.ranking.budget import fit
from byheart.ranking.tokens import HostTokens

from .registry import feature


@feature("budget.fit", "items", "budget", optional=("policy",))
def _fit(given: Mapping[str, Any]) -> list[str]:
    items = given["items"]
    costs = [item["cost"] if "cost" in item else HostTokens().count(item["text"]) for item in items]
    return [items[at]["id"] for at in fit(costs, given["budget"], given.get("policy", "prefix")).accepted]
