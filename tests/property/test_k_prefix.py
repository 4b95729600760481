"""How many hits are asked for only cuts: fewer hits are the first of more, with the same bits, in every profile."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart import profiles
from byheart.embedding import HashingEmbedder
from byheart.profiles.discovery import DiscoveryConfig
from byheart.profiles.hybrid import HybridConfig
from byheart.profiles.scoped import ScopedConfig

from ..counts import examples
from .strategies import ACTS, WORDS, records, unique

EMBEDDER = HashingEmbedder(64)
NOW = 2_000_000.0
NAMES = [
    *profiles.NAMES,
    "scoped, wide",
    "hybrid, rrf",
    "hybrid, vector",
    "discovery, wide",
    "words and vectors",
    "few",
]

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    OTHERS: dict[str, Any] = {
        "scoped, wide": ScopedConfig(top_k=40).profile(),
        "hybrid, rrf": HybridConfig(rerank="none", fusion="rrf", hard_min_score=0.0, min_score=0.0).profile(),
        "hybrid, vector": HybridConfig(mode="vector", hard_min_score=0.0, min_score=0.0).profile(),
        "discovery, wide": DiscoveryConfig(top_k=20, theta1=-1.0).profile(),
        "words and vectors": profiles.escalating(
            "both", secondary="dense", escalation="always", weights={"lexical": 0.5, "dense": 0.5}, min_score=0.0
        ),
        "few": replace(profiles.get("kb-balanced"), pool=5),
    }


@st.composite
def crowds(draw: Any) -> list[dict[str, Any]]:
    """Return some or many records, a good part of them alike, some of a session or a user, with links."""
    made = []
    for number, record in enumerate(draw(st.lists(records(), min_size=1, max_size=9).map(unique))):
        copies = draw(st.sampled_from([1, 1, 3, 12]))
        for copy in range(copies):
            made.append(
                {
                    **record,
                    "id": f"{number}-{copy}",
                    "text": f"{record['text']} {WORDS[copy % 5] if copy % 3 else ''}".strip(),
                    "session_id": draw(st.sampled_from([None, "s1", "s2"])),
                    "user_id": draw(st.sampled_from([None, "ann"])),
                    "created_at": float(1_000_000 + 100_000 * (copy % 4)),
                    "links": draw(st.sampled_from([(), ("0-0",), ("1-0", "2-0")])),
                }
            )
    return made


@settings(max_examples=examples(500), deadline=None)
@given(
    crowds(),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    st.sampled_from(NAMES),
    st.none() | st.sampled_from(ACTS),
    st.booleans(),
    st.sampled_from([{}, {"session_id": "s1", "user_id": "ann"}, {"user_id": "ann"}]),
    st.data(),
)
def test_fewer_hits_are_the_first_of_more(
    batch: list[dict[str, Any]], query: str, name: str, act: str | None, embedded: bool, whose: Any, data: Any
) -> None:
    memory = byheart.Memory(embedder=EMBEDDER if embedded else None, noise=None)
    memory.remember_many(batch)
    profile = OTHERS.get(name, name)
    if not profiles.get(profile).tells_sessions:
        whose = {key: value for key, value in whose.items() if key != "session_id"}
    options = {"profile": profile, "act": act, "now": NOW, "boundary": {"classes": ["public", "internal", "pii"]}}

    def asked(k: int | None) -> list[tuple[str, str]]:
        return [(hit.id, hit.score.hex()) for hit in memory.recall(query, k, **options, **whose)]

    pool = profiles.get(profile).pool
    whole = asked(pool)
    for k in {1, 2, 3, data.draw(st.integers(1, pool)), len(whole) or 1}:
        assert asked(k) == whole[:k]
    assert asked(None) == whole[: profiles.get(profile).max_results]
    assert asked(pool + 1) == whole
