"""The stages of hybrid recall in one pass of the core, and one by one: the same answer, to the last bit.

With `explain=True` the stages run one by one, since the tables between them are wanted.
"""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.embedding import HashingEmbedder
from byheart.profiles.hybrid import HybridConfig
from byheart.recall.plan import plan_of

from ..counts import examples
from .strategies import unexplained

WORDS = ["tea", "kettle", "spring", "water", "cup", "leaf", "descaled", "harbour"]
NOW = 2_000_000_000.0

SHARES = st.sampled_from([0.0, 0.2, 0.3, 0.35, 0.6])
CONFIGS = st.builds(
    HybridConfig,
    min_score=SHARES,
    rerank=st.sampled_from(["lightweight", "none"]),
    recency_half_life_days=st.sampled_from([0.0, 1.0, 14.0]),
    recency_weight=st.sampled_from([0.0, 0.1, 0.5]),
    length_norm_anchor=st.sampled_from([0.0, 10.0, 500.0]),
    time_decay_half_life_days=st.sampled_from([0.0, 5.0, 60.0]),
    hard_min_score=SHARES,
    filter_noise=st.booleans(),
    candidate_pool_size=st.integers(10, 24),
    deferral_threshold=st.sampled_from([0.5, 0.85, 1.0]),
)
RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join),
            "created_at": st.floats(NOW - 2e7, NOW + 1e5),
            "importance": st.none() | st.sampled_from([0.0, 0.5, 1.0]),
        }
    ),
    min_size=1,
    max_size=40,
)


@given(RECORDS, CONFIGS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4), st.integers(1, 25))
@settings(max_examples=examples(300))
def test_the_answer_is_that_of_the_stages_one_by_one(
    records: list[dict[str, Any]], config: HybridConfig, words: list[str], k: int
) -> None:
    profile = config.profile()
    assert plan_of(profile).scoring is not None, "these settings are the usual ones"
    memory = byheart.Memory(embedder=HashingEmbedder(64), noise=None)
    memory.remember_many({**record, "id": f"r{at:02}"} for at, record in enumerate(records))
    query = " ".join(words)
    short = memory.recall(query, k, profile, now=NOW)
    whole = memory.recall(query, k, profile, now=NOW, explain=True)
    assert "scoring" in short.timings and "scoring" not in whole.timings
    mine, theirs = unexplained(short), unexplained(whole)
    assert mine == theirs
    assert list(mine["columns"]) == list(theirs["columns"])
    assert short.table.applied == whole.table.applied


def test_a_row_that_words_alone_found_is_accounted_for_alike() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64), noise=None)
    memory.remember_many({"id": f"r{at:02}", "text": f"tea {at}", "created_at": NOW} for at in range(30))
    memory.remember(" ".join(["kettle", *(f"filler{at}" for at in range(60))]), id="far", created_at=NOW)
    profile = HybridConfig(rerank="none", candidate_pool_size=10, min_score=0.0, hard_min_score=0.0).profile()
    short = memory.recall("tea kettle", 20, profile, now=NOW)
    whole = memory.recall("tea kettle", 20, profile, now=NOW, explain=True)
    assert "far" in [hit.id for hit in short] and "scoring" in short.timings
    assert [(each.column, each.of) for each in short.table.applied][:2] == [("vector", "dense"), ("words", "lexical")]
    assert short.table.applied == whole.table.applied


def test_other_settings_have_the_stages_run() -> None:
    others: list[dict[str, Any]] = [
        {"fusion": "rrf"}, {"normaliser": "ratio"}, {"decay_base": "half_life"}, {"length_unit": "utf16"},
        {"reinforcement_factor": 0.5}, {"tag_prefixes": ("proj",)}, {"vector_score": "inverse_distance"},
        {"rerank": "cross-encoder"}, {"mode": "vector"},
    ]  # fmt: skip
    for other in others:
        profile = HybridConfig(**{"rerank": "lightweight", **other}).profile()
        assert plan_of(profile).scoring is None, other


def test_a_record_without_a_vector_has_the_stages_run() -> None:
    memory = byheart.Memory(embedder=HashingEmbedder(64), noise=None)
    memory.remember("tea from the spring", id="a", created_at=NOW)
    profile = HybridConfig(rerank="lightweight").profile()
    assert "scoring" in memory.recall("tea", profile=profile, now=NOW).timings
    bare = byheart.Memory(noise=None)
    bare.remember("tea from the spring", id="a", created_at=NOW)
    assert "scoring" not in bare.recall("tea", profile=profile, now=NOW).timings
