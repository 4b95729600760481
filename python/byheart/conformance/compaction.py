"""Adapters of seed 000's compaction (`compaction.*`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byheart.summarising import Turn, confidence_of, extract, extractive_count, preservation

from .registry import feature


@feature("compaction.onnx_confidence", "logprobs")
def _onnx_confidence(given: Mapping[str, Any]) -> float:
    return confidence_of(given["logprobs"])


@feature("compaction.extractive_count", "n", optional=("density",))
def _extractive_count(given: Mapping[str, Any]) -> int:
    return extractive_count(given["n"], **_density(given))


@feature("compaction.extractive", "turns", optional=("density",))
def _extractive(given: Mapping[str, Any]) -> dict[str, Any]:
    turns = [Turn(turn["id"], turn["text"]) for turn in given["turns"]]
    summary = extract(turns, [turn.get("vec") for turn in given["turns"]], **_density(given))
    return {
        "source_ids": list(summary.source_ids),
        "text": summary.text,
        "token_count": len(summary.text.split()),
        "confidence": summary.confidence,
    }


def _density(given: Mapping[str, Any]) -> dict[str, float]:
    return {key: given[key] for key in ("density",) if key in given}


@feature("compaction.preservation", "turns", "summary", optional=("conf_t5",))
def _preservation(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the final confidence as well, where the model's own is given."""
    found = preservation(given["summary"], given["turns"])
    answer = {
        "align": found.alignment,
        "cover": found.coverage,
        "conf_nomic": found.confidence,
        "accept": found.accepted(),
    }
    return answer | ({"confidence": found.final_confidence(given["conf_t5"])} if "conf_t5" in given else {})
