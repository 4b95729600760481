"""A memory recalls what its definition says, bit for bit, with the same rows dropped for the same reasons."""

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart import profiles
from byheart.reference import memory as oracle
from byheart.reference.profiles import PROFILES

from ..counts import examples
from .strategies import ACTS, CLASSES, ROLES, SCOPES, WORDS, records, unique

queries = st.lists(st.sampled_from([*WORDS, "absent"]), max_size=5).map(" ".join)
boundaries = st.tuples(
    st.none() | st.lists(st.sampled_from(SCOPES), max_size=2), st.lists(st.sampled_from(CLASSES), max_size=3)
)


@settings(max_examples=examples(4_000))
@given(
    st.lists(records(), max_size=9).map(unique),
    queries,
    st.sampled_from(["kb-fast", "kb-balanced", "kb-thinkingdb"]),
    st.none() | st.integers(1, 6),
    st.none() | st.sampled_from(ACTS),
    st.lists(st.sampled_from(ROLES), max_size=2, unique=True),
    boundaries,
    st.booleans(),
    st.sampled_from(["ngrams", "subwords", "tokens"]),
)
def test_recall_is_its_definition(batch, query, name, k, act, roles, bounds, literal, encode):
    memory = byheart.Memory(hypervectors=encode)
    memory.remember_many(batch)
    scopes, classes = bounds
    profile = profiles.get(name)
    found = memory.recall(
        query,
        k,
        profile.literally() if literal else profile,
        boundary={"scopes": scopes, "classes": classes},
        act=act,
        needed_roles=roles,
        explain=True,
    )
    cells = [("default", scope, kind) for scope in scopes or SCOPES for kind in classes] if scopes != [] else []
    expected = oracle.recall(
        batch,
        query,
        profile=PROFILES[name],
        k=k,
        act=act,
        needed_roles=roles,
        cells=cells,
        literal=literal,
        encode=encode,
    )
    assert [(hit.id, hit.score) for hit in found] == [(hit.id, hit.score) for hit in expected.hits]
    assert [(row.id, row.reason.split(" (")[0]) for row in found.dropped] == list(expected.dropped)
    assert found.receipt.escalated == expected.escalated
    for hit in found:
        assert hit.explanation.recomputed() == hit.score
        assert any(change.inner is not None for change in hit.explanation.changes)
        assert_inner_parts_recompute(hit.explanation)


def assert_inner_parts_recompute(explanation):
    """Check the bits of every explanation inside an explanation."""
    for part in (*explanation.parts, *explanation.changes):
        if part.inner is not None:
            assert part.inner.recomputed() == part.inner.score
            assert_inner_parts_recompute(part.inner)
