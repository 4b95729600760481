"""Adapters of feedback and decay: `pce.feedback`, `pce.critic_decay`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from byheart.activation.feedback import Standing, after
from byheart.ranking.activation.formulas import decayed

from .registry import feature


@feature("pce.feedback", "utility", "confidence", "signals")
def _feedback(given: Mapping[str, Any]) -> dict[str, float]:
    end = reduce(after, given["signals"], Standing(given["utility"], given["confidence"]))
    return {"utility": end.utility, "confidence": end.confidence}


@feature("pce.critic_decay", "value", "days", "half_life_days")
def _critic_decay(given: Mapping[str, Any]) -> float:
    return decayed(given["value"], given["days"], given["half_life_days"])
