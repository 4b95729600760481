"""Nothing outside the boundary changes any byte of a reply: two memories, one with the outside and one without."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.embedding import HashingEmbedder

from ..counts import examples
from .strategies import ACTS, CLASSES, SCOPES, WORDS, honoured, records, unique

TENANTS = ("default", "other", "third")
queries = st.lists(st.sampled_from([*WORDS, "absent", '"red fox"', "-owl", "+fox"]), max_size=4).map(" ".join)
questions = st.tuples(
    queries,
    st.sampled_from(["kb-fast", "kb-balanced", "kb-thinkingdb", "dense"]),
    st.none() | st.sampled_from(ACTS),
    st.sampled_from(["exact", "early_exit", "approx"]),
)
EMBEDDER = HashingEmbedder(16)  # so narrow that unlike texts look alike
boundaries = st.builds(
    byheart.Boundary,
    tenant=st.sampled_from(TENANTS),
    scopes=st.none() | st.lists(st.sampled_from(SCOPES), max_size=2),
    classes=st.lists(st.sampled_from(CLASSES), max_size=3),
)
removals = st.lists(st.tuples(st.sampled_from(TENANTS), st.sampled_from([f"r{n}" for n in range(9)])), max_size=4)

PAIRS_PER_EXAMPLE = 5


def inside(boundary, record):
    return record["tenant"] == boundary.tenant and boundary.holds(record["scope"], record["boundary_class"])


def everything(memory, boundary, asked):
    """Return all that a caller can see of an answer but the timings, as bytes."""
    query, profile, act, mode = asked
    answer = memory.recall(query, profile=profile, boundary=boundary, act=act, mode=mode, explain=True)
    explanations = [str(hit.explanation) for hit in answer]
    seen = [answer.to_dict(), explanations, repr(answer.trace), memory.stats(boundary=boundary)]
    for name in [f"r{n}" for n in range(9)]:
        try:
            seen.append(str(memory.explain(query, name, profile=profile, boundary=boundary, act=act, mode=mode)))
        except byheart.errors.RecordNotFound as error:
            seen.append(str(error))
    return json.dumps(seen)


@settings(max_examples=examples(2_000))
@given(
    st.lists(st.lists(records(TENANTS), max_size=6).map(unique), min_size=1, max_size=3),
    removals,
    boundaries,
    st.lists(questions, min_size=PAIRS_PER_EXAMPLE, max_size=PAIRS_PER_EXAMPLE),
)
def test_replies_are_those_of_a_memory_that_holds_only_the_boundary(batches, forgotten, boundary, asked):
    whole, alone = byheart.Memory(embedder=EMBEDDER), byheart.Memory(embedder=EMBEDDER)
    for batch in batches:
        # A record that leaves the boundary by being replaced is forgotten where only the boundary is held.
        outside = [
            record["id"] for record in batch if record["tenant"] == boundary.tenant and not inside(boundary, record)
        ]
        alone.forget(outside, boundary=boundary)
        whole.remember_many(batch)
        alone.remember_many([record for record in batch if inside(boundary, record)])
    for tenant, name in forgotten:
        everywhere = byheart.Boundary(tenant, classes=CLASSES)
        whole.forget([name], boundary=everywhere)
        if tenant == boundary.tenant:
            alone.forget([name], boundary=everywhere)
    for question in asked:
        assert everything(whole, boundary, question) == everything(alone, boundary, question)


# Turns, summaries and plain records of sessions and users, some of them archived: what seeds 000 and 001 tell apart.
talk = st.fixed_dictionaries(
    {
        "access_count": st.sampled_from([0, 1, 3]),
        "archived": st.sampled_from([False, False, False, False, False, True]),
    },
    optional={
        "session_id": st.sampled_from(["s1", "s2"]),
        "user_id": st.sampled_from(["ann", "bob"]),
        "kind": st.sampled_from(["turn", "summary"]),
        "category": st.sampled_from(["tea", "rice"]),
        "decay_rate": st.sampled_from([0.0, 0.5]),
        "authority": st.sampled_from([0.0, 1.0]),
        "links": st.lists(st.sampled_from([f"r{n}" for n in range(9)]), max_size=3),
        "created_at": st.sampled_from([0, 1_000, 2_000_000]),
    },
)


def archived(pair: tuple[dict[str, Any], dict[str, Any]]) -> dict[str, Any]:
    """Return a record that is archived by itself, if it is to be: any other name has to be there."""
    record = {**pair[0], **pair[1]}
    gone = record.pop("archived")
    return {**record, "archived_by": record["id"] if gone else None}


talks = st.tuples(records(("default", "default", "other")), talk).map(archived)
crowds = st.lists(talks, min_size=4, max_size=9).map(unique)
narrow_boundaries = st.builds(
    byheart.Boundary,
    tenant=st.just("default"),
    scopes=st.none() | st.lists(st.sampled_from(SCOPES), min_size=1, max_size=2),
    classes=st.lists(st.sampled_from(CLASSES), min_size=1, max_size=2),
)
staged_questions = st.fixed_dictionaries(
    {
        "query": st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
        "profile": st.sampled_from(["hybrid", "scoped", "discovery"]),
    },
    optional={
        "session_id": st.sampled_from(["s1", "s2", "s3"]),
        "user_id": st.sampled_from(["ann", "cid"]),
        "category": st.sampled_from(["tea", "salt"]),
        "exclude": st.lists(st.sampled_from([f"r{n}" for n in range(9)]), max_size=2),
        "k": st.integers(1, 4),
        "mode": st.sampled_from(["exact", "early_exit", "approx"]),
    },
).map(honoured)


def all_of_stages(memory, boundary, asked):
    answer = memory.recall(**asked, boundary=boundary, now=3_000_000, explain=True)
    seen = [answer.to_dict(), [str(hit.explanation) for hit in answer], repr(answer.trace)]
    for name in [f"r{n}" for n in range(9)]:
        try:
            seen.append(str(memory.explain(id=name, **asked, boundary=boundary, now=3_000_000)))
        except byheart.errors.RecordNotFound as error:
            seen.append(str(error))
    context = memory.context(asked["query"], 40, profile=asked["profile"], boundary=boundary, now=3_000_000)
    return json.dumps([seen, context.text, repr(context.receipt)])


@settings(max_examples=examples(300))
@given(
    st.lists(crowds, min_size=1, max_size=2),
    narrow_boundaries,
    st.lists(staged_questions, min_size=PAIRS_PER_EXAMPLE, max_size=PAIRS_PER_EXAMPLE),
)
def test_replies_of_staged_profiles_are_too(batches, boundary, asked):
    whole, alone = byheart.Memory(embedder=EMBEDDER), byheart.Memory(embedder=EMBEDDER)
    for batch in batches:
        outside = [
            record["id"] for record in batch if record["tenant"] == boundary.tenant and not inside(boundary, record)
        ]
        alone.forget(outside, boundary=boundary)
        whole.remember_many(batch)
        alone.remember_many([record for record in batch if inside(boundary, record)])
    for question in asked:
        assert all_of_stages(whole, boundary, question) == all_of_stages(alone, boundary, question)
