"""A filter says what may be found and changes no score: filtered hits begin with the unfiltered ones that pass it.

That is so as far as the pools of the legs reach. A leg whose pool is full proposes, under a filter, records that it had
no room for without; so the pools are wide here, and the last test looks at narrow ones.
"""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Filter, Memory, Record, profiles
from byheart.embedding import HashingEmbedder
from byheart.profiles.scoped import ScopedConfig
from byheart.ranking.near_duplicates import NearDuplicatesBeside
from byheart.reference.filters import matches
from byheart.retrieval.filter import fields_of

from ..counts import examples

# Pools as wide as the memory: where a pool is full, a filter lets further records into it, and those may score higher.
PROFILES = ["auto", "kb-fast", "kb-balanced", "kb-thinkingdb", "dense", ScopedConfig(top_k=60).profile()]
WORDS = ["fox", "foxes", "red", "owl", "東京", "café", "den"]
ROOMS = ["hall", "kitchen"]
FACTS = ["Fox uses owl.", "owl provides café.", "café is relevant for den.", "den depends on fox."]

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join) | st.sampled_from(FACTS)


@st.composite
def batches(draw: Any) -> list[Record]:
    """Return records of different contents, since a duplicate may take the place of one that is filtered out."""
    found = []
    for number in range(draw(st.integers(1, 14))):
        found.append(
            Record(
                text=f"{draw(sentences)} unlike{number}",
                id=f"r{number:02}",
                user_id=draw(st.sampled_from([None, "ann", "bob"])),
                session_id=draw(st.sampled_from([None, "s1"])),
                importance=draw(st.sampled_from([None, 0.0, 0.5, 1.0])),
                created_at=float(draw(st.integers(0, 3))),
                scope=draw(st.sampled_from(["project", "session"])),
                metadata=draw(
                    st.fixed_dictionaries({}, optional={"room": st.sampled_from(ROOMS), "n": st.integers(0, 2)})
                ),
            )
        )
    return found


leaves = st.one_of(
    st.fixed_dictionaries({"user_id": st.sampled_from(["ann", "bob", None])}),
    st.fixed_dictionaries({"metadata.room": st.sampled_from(ROOMS)}),
    st.fixed_dictionaries({"metadata.n": st.fixed_dictionaries({">=": st.integers(0, 2)})}),
    st.fixed_dictionaries({"importance": st.fixed_dictionaries({"<": st.sampled_from([0.5, 1.0])})}),
    st.fixed_dictionaries({"created_at": st.fixed_dictionaries({">=": st.integers(0, 3), "<": st.integers(0, 4)})}),
    st.fixed_dictionaries({"id": st.lists(st.sampled_from(["r00", "r01", "r02", "r99"]), max_size=3)}),
    st.fixed_dictionaries({"scope": st.just("project")}),
)
wheres = st.recursive(
    leaves,
    lambda inner: (
        st.fixed_dictionaries({"not": inner})
        | st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=1, max_size=2)).map(
            lambda pair: dict([pair])
        )
    ),
    max_leaves=3,
)


def wide(name: str) -> profiles.Profile:
    """Return a profile whose legs have room for every record of a test.

    What stands in an answer only beside its near-duplicate goes where that may not be found: a test below looks at it.
    """
    profile = profiles.get(name)
    stages = tuple(stage for stage in profile.stages if not isinstance(stage, NearDuplicatesBeside))
    return replace(profile, pool=50, legs=tuple(replace(leg, pool=50) for leg in profile.legs), stages=stages)


def bits(recall: Any) -> list[tuple[str, str]]:
    return [(hit.id, hit.score.hex()) for hit in recall]


@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=examples(60))
@given(batch=batches(), query=sentences, where=wheres, embedder=st.booleans())
def test_filtered_hits_begin_with_the_hits_that_pass(
    profile: Any, batch: list[Record], query: str, where: dict[str, Any], embedder: bool
) -> None:
    memory = Memory(embedder=HashingEmbedder(64) if embedder else None)
    memory.remember_many(batch)
    asked = {"k": 50, "profile": wide(profile), "now": 10.0, "user_id": "ann", "explain": True}
    asked |= {"session_id": "s1"} if wide(profile).tells_sessions else {}
    asked |= {"min_strength": 0.0} if profile == "auto" else {}  # else what is left of an answer may be too weak
    every = memory.recall(query, **asked)
    some = memory.recall(query, where=where, **asked)

    canonical = Filter.parse(where).canonical
    passing = {hit.id for hit in every if matches(canonical, fields_of(hit.record))}
    assert bits(some)[: len(passing)] == [pair for pair in bits(every) if pair[0] in passing]
    assert all(matches(canonical, fields_of(hit.record)) for hit in some)
    assert all(hit.explanation.recomputed() == hit.score for hit in some)
    assert bits(memory.recall(query, where=Filter.parse(where), **asked | {"k": 3})) == bits(some)[:3]


@settings(max_examples=examples(60))
@given(batch=batches(), query=sentences, where=wheres)
def test_with_narrow_pools_no_hit_that_passes_is_lost_or_scored_anew(
    batch: list[Record], query: str, where: dict[str, Any]
) -> None:
    memory = Memory()
    memory.remember_many(batch)
    asked = {"k": 50, "profile": "scoped", "now": 10.0, "session_id": "s1", "user_id": "ann"}
    every = memory.recall(query, **asked)
    some = bits(memory.recall(query, where=where, **asked))

    canonical = Filter.parse(where).canonical
    passing = [(hit.id, hit.score.hex()) for hit in every if matches(canonical, fields_of(hit.record))]
    assert [pair for pair in some if pair in passing] == passing


def test_what_stands_beside_a_near_duplicate_goes_with_it() -> None:
    memory = Memory()
    turn = {"session_id": "s1", "created_at": 0.0}
    memory.remember_many([
        {"id": "asks", "text": "and the fox", **turn},
        {"id": "told", "text": "the café is open until seven", **turn, "metadata": {"n": 1}},
        {"id": "beside", "text": "the café is open until nine", "created_at": 0.0},
    ])  # fmt: skip
    found = [hit.id for hit in memory.recall("the fox at seven", min_strength=0.0)]
    assert sorted(found) == ["asks", "beside", "told"] and found.index("beside") == found.index("told") + 1
    rest = memory.recall("the fox at seven", where={"not": {"metadata.n": 1}}, min_strength=0.0)
    assert [hit.id for hit in rest] == ["asks"]


def test_a_filter_comes_back_in_the_receipt_and_works_in_every_verb() -> None:
    memory = Memory()
    memory.remember("the red fox sleeps", id="a", created_at=1, metadata={"room": "hall"})
    memory.remember("the red fox eats", id="b", created_at=2, metadata={"room": "kitchen"})
    kitchen = {"metadata.room": "kitchen"}
    found = memory.recall("red fox", where=kitchen)

    assert [hit.id for hit in found] == ["b"]
    assert found.to_dict()["receipt"]["filter"] == kitchen
    assert [hit.id for hit in memory.recall("red fox", since=1, until=2)] == ["a"]
    assert [hit.id for hit in memory.recall("red fox", where=kitchen, until=2)] == []
    assert "sleeps" not in memory.context("red fox", budget=100, where=kitchen).text
    assert memory.explain("red fox", "b", where=kitchen).score == found.hits[0].score
    assert "sleeps" not in str(memory.explain("red fox", "a", where=kitchen))
    assert memory.recall("red fox").to_dict()["receipt"]["filter"] is None
