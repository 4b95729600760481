"""Adapters for what texts look like: noise, adaptive retrieval, the gate, token estimates.

Pattern profiles are named by version, which the cases write with a "v". The gate's cases are of profile "1.3.5".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from byheart import is_noise, should_skip_retrieval
from byheart.conversation.gate import SOURCE, gate, mix
from byheart.conversation.recent_tail import Turn, recent_tail
from byheart.ranking.tokens import GateTokens, HostTokens

from .registry import feature


def _others(given: Mapping[str, Any], *taken: str) -> dict[str, Any]:
    return {key: value for key, value in given.items() if key not in taken}


@feature(
    "noise.is_noise", "text", "profile", optional=("filter_denials", "filter_meta", "filter_boilerplate", "length_unit")
)
def _is_noise(given: Mapping[str, Any]) -> bool:
    profile = given["profile"].removeprefix("v")
    return is_noise(given["text"], profile, **_others(given, "text", "profile")) is not None


@feature("adaptive.skip", "query", "profile", optional=("min_length", "length_unit"))
def _skip(given: Mapping[str, Any]) -> bool:
    profile = given["profile"].removeprefix("v")
    return should_skip_retrieval(given["query"], profile, **_others(given, "query", "profile")).skip


@feature("gate.mix", "T", "g_conv", "g_tech")
def _mix(given: Mapping[str, Any]) -> float:
    return mix(given["T"], given["g_conv"], given["g_tech"])


@feature("gate.signals", "text", optional=("turn_hits", "mem_hits", "clamp_negative"))
def _signals(given: Mapping[str, Any]) -> dict[str, float]:
    settings = replace(SOURCE, profile="1.3.5", clamp_negative=given.get("clamp_negative", True))
    found = gate(given["text"], given.get("turn_hits", ()), given.get("mem_hits", ()), settings=settings)
    return {
        "g": found.score,
        "t": found.signals.technicality,
        "h": found.novelty,
        "r": found.repetition,
        "d": found.signals.natural_density,
        "p": found.signals.specificity,
        "a": found.signals.actionability,
        "dtech": found.signals.technical_density,
        "gconv": found.conversational,
        "gtech": found.technical,
        "inputFreq": found.frequency,
        "memSaturation": found.saturation,
    }


@feature("tokens.host", "text", optional=("unit",))
def _host_tokens(given: Mapping[str, Any]) -> int:
    return HostTokens(**_others(given, "text")).count(given["text"])


@feature("tokens.gate", "text", optional=("unit",))
def _gate_tokens(given: Mapping[str, Any]) -> int:
    return GateTokens(**_others(given, "text")).count(given["text"])


@feature("continuity.recent_tail", "items", "min_turns", "budget")
def _recent_tail(given: Mapping[str, Any]) -> dict[str, list[str]]:
    tail = recent_tail([Turn(**item) for item in given["items"]], given["min_turns"], given["budget"])
    return {"older": list(tail.older), "base": list(tail.base), "recent": list(tail.recent)}
