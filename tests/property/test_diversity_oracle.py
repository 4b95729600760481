"""Diversity is its definition, bit for bit: lazy selection picks what the obvious loop picks."""

import math
import os
import subprocess
import sys
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart import _core
from byheart.errors import InvalidArgument
from byheart.ranking.diversity import defer_similar
from byheart.reference import diversity as oracle

from ..counts import examples

# Few numbers, so that duplicates, opposites, ties and zero rows are the rule; and now and then any number at all.
few = st.sampled_from([0.0, 1.0, -1.0, 0.5, 0.25, -0.0])
components = few | st.floats(-2.0, 2.0, width=32)
wild = st.floats(allow_nan=False, allow_infinity=False, width=32)
scores = st.sampled_from([0.0, -0.0, 0.5, 1.0, 0.75]) | st.floats(-2.0, 2.0) | st.floats(-1e300, 1e300)
trade_offs = st.sampled_from([0.0, 1.0, 0.85, 0.5]) | st.floats(0.0, 1.0)
LARGEST = float(np.finfo(np.float32).max)


@st.composite
def pools(draw):
    """Return scores and as many vectors, made from few: repeated, turned round, scaled, shifted, missing."""
    dimensions = draw(st.sampled_from([1, 2, 3, 4, 33]))
    pattern = st.lists(components, min_size=1, max_size=4) | st.lists(wild, min_size=1, max_size=2)
    patterns = st.sampled_from(draw(st.lists(pattern, min_size=1, max_size=3)))
    factors = st.sampled_from([1.0, -1.0, 2.0, 0.5, 0.0])
    made = st.builds(
        lambda pattern, factor, turn: [factor * pattern[(at + turn) % len(pattern)] for at in range(dimensions)],
        patterns, factors, st.integers(0, 3),
    )  # fmt: skip
    pool = draw(st.lists(st.tuples(scores, made | st.none()), max_size=7))
    return [score for score, _ in pool], [as_float32(vector) for _, vector in pool]


def as_float32(vector):
    """Return the vector with numbers that float32 holds; what is beyond its range becomes its largest."""
    return vector and array("f", [min(max(x, -LARGEST), LARGEST) for x in vector]).tolist()


@settings(max_examples=examples(10_000))
@given(pools(), st.integers(1, 8), trade_offs)
def test_selection_is_its_definition(pool, k, trade_off):
    values, vectors = pool
    expected = oracle.maximal_marginal_relevance(values, vectors, k, trade_off)
    arrays = [None if vector is None else array("f", vector) for vector in vectors]
    assert byheart.maximal_marginal_relevance(values, arrays, k, trade_off) == expected
    known = next((len(vector) for vector in vectors if vector is not None), 0)
    matrix = np.array([vector or [0.0] * known for vector in vectors], dtype=np.float32).reshape(len(vectors), known)
    assert byheart.maximal_marginal_relevance(np.array(values), matrix, k, trade_off) == expected


@settings(max_examples=10)
@given(st.integers(0, 2**32), st.sampled_from([0.0, 0.3, 0.85, 1.0]))
def test_selection_from_a_larger_pool_is_its_definition(seed, trade_off):
    random = np.random.default_rng(seed)
    centres = random.standard_normal((4, 65))
    rows = (centres[random.integers(0, 4, 60)] + 0.3 * random.standard_normal((60, 65))).astype(np.float32)
    values = random.random(60)
    expected = oracle.maximal_marginal_relevance(values.tolist(), rows.tolist(), 15, trade_off)
    assert byheart.maximal_marginal_relevance(values, rows, 15, trade_off) == expected


@settings(max_examples=examples(1_000))
@given(st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)), max_size=80))
def test_a_cosine_has_the_bits_of_its_definition(pairs):
    a, b = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    assert _core.cosine(array("d", a), array("d", b)) == oracle.cosine(a, b)


@settings(max_examples=examples(1_000))
@given(pools(), st.sampled_from([0.85, 0.0, 1.0, -1.0]) | st.floats(-1.0, 1.0))
def test_deferral_is_its_definition(pool, threshold):
    _, vectors = pool
    assert defer_similar(vectors, threshold) == oracle.defer_similar(vectors, threshold)


@settings(max_examples=examples(1_000))
@given(pools(), st.sampled_from([0.85, 0.0, -1.0]) | st.floats(-1.0, 1.0), st.sampled_from("fd"))
def test_many_cosines_in_one_call_are_each_alone(pool, threshold, width):
    rows = [vector for vector in pool[1] if vector]
    arrays = [array(width, row) for row in rows]
    for row in rows[:3]:
        assert _core.cosines(array("d", row), arrays) == [oracle.cosine(row, other) for other in rows]
    expected = oracle.defer_similar(rows, threshold)
    near = _core.near_duplicates(arrays, threshold)
    assert [at for at in range(len(rows)) if at not in set(near)] + near == expected


def test_many_at_once_refuse_what_one_refuses():
    for bad in (array("d", [1.0]), array("f", [math.nan, 0.0]), array("d", [1e200, 0.0])):
        with pytest.raises(InvalidArgument):
            _core.cosines(array("d", [1.0, 0.0]), [bad])
        with pytest.raises(InvalidArgument):
            _core.near_duplicates([array("d", [1.0, 0.0]), bad], 0.5)
    for wrong in ([1.0, 0.0], "text", array("i", [1, 2])):
        with pytest.raises(TypeError):
            _core.cosines(array("d", [1.0, 0.0]), [wrong])
        with pytest.raises(TypeError):
            _core.near_duplicates(wrong, 0.5)


PROGRAM = """
import sys, numpy as np, byheart
from byheart import _core
random = np.random.default_rng(7)
rows, scores = random.standard_normal((300, 200)).astype(np.float32), random.random(300)
picks = byheart.maximal_marginal_relevance(scores, rows, 60, 0.4)
cosines = [_core.cosine(a.astype(np.float64), b.astype(np.float64)) for a, b in zip(rows, rows[1:])]
print(_core.active_isa(), picks, [value.hex() for value in cosines])
"""


def test_every_instruction_set_picks_the_same():
    answers = {}
    for isa in _core.available_isas():
        environment = {**os.environ, "BYHEART_ISA": isa}
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        name, answer = done.stdout.split(" ", 1)
        answers[name] = answer
    assert set(answers) == set(_core.available_isas())
    assert len(set(answers.values())) == 1
