"""Adapters of compaction (`compaction.*`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from byheart.conversation.compaction import (
    Entry,
    chronological,
    cluster_sizes,
    decay_rate,
    merge_method,
    quality,
    route,
    should_compact,
    summary_id,
)
from byheart.memory.memory import Memory
from byheart.summarising import Summary, Turn, confidence_of, extract, extractive_count, preservation
from byheart.summarising.extractive import DENSITY

from .registry import feature


@feature("compaction.cluster_sizes", "n", "k")
def _cluster_sizes(given: Mapping[str, Any]) -> list[int]:
    return cluster_sizes(given["n"], given["k"])


@feature("compaction.order", "turns")
def _order(given: Mapping[str, Any]) -> list[str]:
    return [entry.id for entry in chronological(map(_entry, given["turns"]))]


@feature("compaction.should_compact", "eligible", "target", "force")
def _should_compact(given: Mapping[str, Any]) -> bool:
    return should_compact(given["eligible"], given["target"], given["force"])


@feature("compaction.route", "gating_scores", "abstractive_ready")
def _route(given: Mapping[str, Any]) -> str:
    return route(given["gating_scores"], given["abstractive_ready"])


@feature("compaction.summary_id", "session_id", "source_ids")
def _summary_id(given: Mapping[str, Any]) -> str:
    return summary_id(given["session_id"], given["source_ids"])


@feature("compaction.merge_method", "methods")
def _merge_method(given: Mapping[str, Any]) -> str:
    return merge_method(given["methods"])


@feature("compaction.quality", "confidence", optional=("delta",))
def _quality(given: Mapping[str, Any]) -> dict[str, float]:
    return {"decay_rate": decay_rate(given["confidence"]), "Q": quality(**given)}


@feature("compaction.run", "session_id", "turns", "target", "force", "summaries")
def _run(given: Mapping[str, Any]) -> dict[str, Any]:
    """Compact a session of a memory, with a summariser that gives what the case says, cluster by cluster."""
    memory = Memory()
    memory.remember_many(_record(turn, given["session_id"]) for turn in given["turns"])
    told = _Told(given["summaries"])
    done = memory.compact(given["session_id"], target=given["target"], force=given["force"], summariser=told)
    records = {record.id: record for record in memory.records()}
    return {
        "did_compact": done.did_compact,
        "clusters": done.clusters_formed,
        "removed": done.turns_removed,
        "method": done.summary_method,
        "mean_confidence": done.mean_confidence,
        "summaries": [
            {
                "id": id,
                "source_ids": list(records[id].source_ids),
                "confidence": records[id].confidence,
                "decay_rate": records[id].decay_rate,
            }
            for id in done.summaries
        ],
    }


class _Told:
    """A summariser that gives methods and confidences in a given order."""

    name = "told"

    def __init__(self, summaries: Sequence[Mapping[str, Any]]) -> None:
        self._summaries: Iterator[Mapping[str, Any]] = iter(summaries)

    def summarise(self, turns: Sequence[Turn]) -> Summary:
        summary = next(self._summaries)
        return Summary("a summary", summary["confidence"], summary["method"], tuple(turn.id for turn in turns))


def _entry(turn: Mapping[str, Any]) -> Entry:
    return Entry.of_metadata(turn["id"], turn["metadata"])


def _record(turn: Mapping[str, Any], session_id: str) -> dict[str, Any]:
    """Return the record of a turn of a case, which has no text unless it says so, and its time in milliseconds."""
    metadata = turn["metadata"]
    return {
        "id": turn["id"],
        "text": turn.get("text") or turn["id"],
        "session_id": session_id,
        "user_id": metadata.get("userId"),
        "kind": metadata.get("type"),
        "created_at": _entry(turn).at / 1_000,
        "metadata": metadata,
    }


@feature("compaction.onnx_confidence", "logprobs")
def _onnx_confidence(given: Mapping[str, Any]) -> float:
    return confidence_of(given["logprobs"])


@feature("compaction.extractive_count", "n", optional=("density",))
def _extractive_count(given: Mapping[str, Any]) -> int:
    return extractive_count(given["n"], **_density(given))


@feature("compaction.extractive", "turns", optional=("density",))
def _extractive(given: Mapping[str, Any]) -> dict[str, Any]:
    turns = [Turn(turn["id"], turn["text"]) for turn in given["turns"]]
    summary = extract(turns, [turn.get("vec") for turn in given["turns"]], given.get("density", DENSITY))
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
