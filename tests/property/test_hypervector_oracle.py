"""The hypervector index and its algebra are their definition, bit for bit, after any history."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.reference import hypervector as oracle
from byheart.reference import nearest

from ..counts import examples
from .strategies import WORDS

WEIGHTS = {"topic": 0.35, "claim": 0.35, "role": 0.20, "acts": 0.10}
REAL = {
    "ngrams": byheart.HyperVector.encode_ngrams,
    "tokens": byheart.HyperVector.encode_tokens,
    "subwords": byheart.HyperVector.encode_subwords,
}

recipes = st.tuples(st.sampled_from(sorted(REAL)), st.lists(st.sampled_from(WORDS), max_size=4).map(tuple))
ids = st.sampled_from([f"r{n}" for n in range(7)])
cells = st.sampled_from(["a", "b", "c"])
fielded = st.dictionaries(st.sampled_from(sorted(WEIGHTS)), recipes, min_size=1)


@cache
def pair(recipe):
    """Return the same vector twice: the core's and the definition's."""
    encoder, words = recipe
    return REAL[encoder](words), oracle.ENCODERS[encoder](words)


def real(vectors):
    return {name: pair(recipe)[0] for name, recipe in vectors.items()}


def defined(vectors):
    return {name: pair(recipe)[1] for name, recipe in vectors.items()}


@settings(max_examples=examples(10_000))
@given(
    st.lists(st.tuples(ids, fielded, cells) | ids, max_size=8),
    fielded,
    st.none() | st.lists(cells, max_size=2),
    st.integers(1, 8),
    st.sampled_from(["sum", "adaptive"]),
    st.sampled_from([0.0, 0.05]),
)
def test_search_over_fields_is_its_definition(history, query, inside, k, combine, floor):
    index, model = byheart.HypervectorIndex(WEIGHTS, combine=combine, floor=floor), {}
    for step in history:
        if isinstance(step, str):
            assert index.remove([step]) == (model.pop(step, None) is not None)
        else:
            name, vectors, cell = step
            index.add([name], [real(vectors)], cells=[cell])
            model[name] = nearest.Entry(defined(vectors), cell=cell)
    expected = nearest.search(model, defined(query), WEIGHTS, combine=combine, floor=floor, cells=inside, k=k)
    assert list(index.search(real(query), k, cells=inside)) == expected
    again = byheart.HypervectorIndex.from_bytes(index.to_bytes())
    assert list(again.search(real(query), k, cells=inside)) == expected


@settings(max_examples=examples(1_000))
@given(st.lists(st.tuples(ids, recipes), max_size=8), recipes, st.integers(1, 8))
def test_search_over_whole_vectors_is_its_definition(records, query, k):
    index, model = byheart.HypervectorIndex(), {}
    for name, recipe in records:
        index.add([name], [pair(recipe)[0]])
        model[name] = nearest.Entry(pair(recipe)[1])
    expected = nearest.search(model, pair(query)[1], k=k)
    for threads in (1, 2, 7):
        assert [list(found) for found in index.search_many([pair(query)[0]] * 3, k, threads=threads)] == [expected] * 3


@settings(max_examples=examples(1_000))
@given(st.lists(st.tuples(recipes, st.integers(1, 5)), max_size=6), st.integers(-600, 600))
def test_algebra_is_its_definition(parts, turn):
    mine = [pair(recipe)[0] for recipe, _ in parts]
    theirs = [pair(recipe)[1] for recipe, _ in parts]
    weights = [weight for _, weight in parts]
    bundled = byheart.HyperVector.bundle(mine, weights)
    assert bytes(bundled) == oracle.bundle(theirs, weights).to_bytes()
    assert bundled == byheart.HyperVector.bundle(mine[::-1], weights[::-1])
    assert bytes(bundled.permute(turn)) == oracle.permute(oracle.bundle(theirs, weights), turn).to_bytes()
    for vector in mine:
        assert (vector ^ bundled) ^ bundled == vector
        assert vector.permute(turn).permute(-turn) == vector
        assert (vector ^ bundled).permute(turn) == vector.permute(turn) ^ bundled.permute(turn)
        assert vector.similarity(bundled) == vector.permute(turn).similarity(bundled.permute(turn))
