"""Adapters of reranking: what is sent, what is read in an answer, what it does to scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from byheart.ranking.rerank.apply import blend, cosine_fallback
from byheart.ranking.rerank.protocol import Scored
from byheart.ranking.rerank.providers import build, parse

from .registry import feature


@feature("rerank.request", "provider", "api_key", "model", "query", "documents", "top_n")
def _request(given: Mapping[str, Any]) -> dict[str, Any]:
    asked = {key: value for key, value in given.items() if key != "provider"}
    headers, body = build(given["provider"], **asked)
    return {"headers": headers, "body": body}


@feature("rerank.parse", "provider", "data")
def _parse(given: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    found = parse(given["provider"], given["data"])
    return None if found is None else [asdict(entry) for entry in found]


@feature("rerank.apply", "items", optional=("response", "mode", "floors"))
def _apply(given: Mapping[str, Any]) -> list[list[Any]]:
    """Return ids and scores; an entry of a response whose score is null, or the name of no number, is not finite."""
    items, mode = given["items"], given.get("mode", "blend")
    scores = [item["score"] for item in items]
    if mode == "cosine":
        ranked = cosine_fallback(scores, [_score(item["cos"]) if "cos" in item else None for item in items])
    elif mode == "blend":
        judged = [Scored(entry["index"], _score(entry.get("score"))) for entry in given["response"]]
        lexical = [item.get("bm25") for item in items] if given.get("floors") else None
        ranked = blend(scores, judged, lexical=lexical)
    else:
        raise KeyError(f"rerank.apply knows no mode {mode}")
    return [[items[each.index]["id"], each.score] for each in ranked]


def _score(value: Any) -> float:
    return float("nan") if value is None else float(value)
