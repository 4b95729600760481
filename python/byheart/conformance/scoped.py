"""Adapters of the score of `scoped` recall: `hybrid.*` and `recency.*`.

A ranking is that of the profile's own stages, over a table that a case describes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from byheart.profiles.scoped import ScopedConfig
from byheart.ranking.algebra import StageContext, run
from byheart.ranking.candidates import Candidates
from byheart.ranking.features import OWNERS, SUMMARY
from byheart.ranking.scoped import half_life_seconds, hybrid_score, scope_of

from .registry import feature

_WEIGHTS = ("alpha", "beta", "gamma", "delta")


@feature("hybrid.score", "cos", "scope", optional=("age_s", "type", "decay_rate", *_WEIGHTS))
def _score(given: Mapping[str, Any]) -> float:
    return hybrid_score(
        given["cos"],
        given.get("age_s"),
        given["scope"],
        summary=given.get("type") == SUMMARY,
        decay_rate=given.get("decay_rate"),
        **_weights(given),
    )


@feature("hybrid.rank", "items", optional=_WEIGHTS)
def _rank(given: Mapping[str, Any]) -> list[str]:
    table = _table(given["items"])
    return list(run(ScopedConfig(**_weights(given)).scoring(), table, StageContext(now=0.0, k=len(table.ids))).ids)


@feature("hybrid.scope", "session_id", "user_id", "metadata")
def _scope(given: Mapping[str, Any]) -> str:
    return scope_of(given["session_id"], given["user_id"], given["metadata"])


@feature("recency.half_life_s", "lambda")
def _half_life(given: Mapping[str, Any]) -> float:
    return half_life_seconds(given["lambda"])


def _weights(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in _WEIGHTS if name in given}


def _table(items: Sequence[Mapping[str, Any]]) -> Candidates:
    columns = {
        "dense": tuple(item["cos"] for item in items),
        "age_seconds": tuple(item.get("age_s") for item in items),
        "scope": tuple(float(OWNERS.index(item["scope"])) for item in items),
        "summary": tuple(float(item.get("type") == SUMMARY) for item in items),
        "decay_rate": tuple(item.get("decay_rate") for item in items),
    }
    return Candidates(tuple(item["id"] for item in items), columns)
