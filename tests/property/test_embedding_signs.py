"""Hypervectors of embeddings are their definition, bit for bit, and tell the angle between them."""

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
from byheart import HyperVector, _core
from byheart.reference import hypervector as oracle

from ..counts import examples

# Few numbers, so that sums of exactly 0 are the rule.
components = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5]) | st.floats(allow_nan=False, allow_infinity=False, width=32)


@settings(max_examples=examples(1_000))
@given(st.lists(components, min_size=1, max_size=9))
def test_signs_are_their_definition(embedding):
    expected = oracle.from_embedding(embedding)
    found = HyperVector.from_embedding(array("f", embedding))
    assert bytes(found) == expected.to_bytes()
    assert found.parts == expected.parts
    (again,) = HyperVector.from_embeddings(np.array([embedding], dtype=np.float32))
    assert again == found


def test_long_embeddings_are_their_definition():
    # 300: two blocks of axes; numbers of so different sizes that the order of additions shows.
    random = np.random.default_rng(5)
    for dimensions in (64, 300):
        embedding = (random.standard_normal(dimensions) * 10.0 ** random.integers(-8, 9, dimensions)).astype(np.float32)
        assert bytes(HyperVector.from_embedding(embedding)) == oracle.from_embedding(embedding.tolist()).to_bytes()


@settings(max_examples=examples(200))
@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=1, max_size=12))
def test_equal_weights_are_a_bundle_of_axes(embedding):
    everything = HyperVector.from_bytes(b"\xff" * 512)
    axes = [
        HyperVector.random(f"__axis_{at}") ^ (HyperVector.from_bytes(bytes(512)) if sign > 0 else everything)
        for at, sign in enumerate(embedding)
        if sign
    ]
    assert HyperVector.from_embedding(array("f", embedding)) == HyperVector.bundle(axes)


@pytest.mark.parametrize("dimensions", [64, 256, 384, 768])
def test_similarity_is_one_less_the_share_of_the_angle(dimensions):
    random = np.random.default_rng(dimensions)
    worst, pairs = 0.0, 200
    for number in range(pairs):
        a, b = random.standard_normal((2, dimensions))
        b = a * (number / pairs) + b * (1.0 - number / pairs)  # from unrelated to nearly the same
        angle = math.acos(min(1.0, float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))))
        mine, other = HyperVector.from_embeddings(np.array([a, b], dtype=np.float32))
        worst = max(worst, abs(mine.similarity(other) - (1.0 - angle / math.pi)))
    assert 0.0 < worst <= 0.04


def test_signs_of_an_embedding_can_be_bound_and_turned_round():
    random = np.random.default_rng(3)
    row = random.standard_normal(384).astype(np.float32)
    signs, role = HyperVector.from_embedding(row), HyperVector.random("__role_claim")
    assert (signs ^ role) ^ role == signs
    assert abs((signs ^ role).similarity(signs) - 0.5) < 0.04
    assert HyperVector.from_embedding(-row).similarity(signs) == 0.0
    assert HyperVector.from_embedding(row * np.float32(0.25)) == signs


PROGRAM = """
import hashlib, numpy as np, byheart
from byheart import _core
rows = np.random.default_rng(7).standard_normal((20, 700)).astype(np.float32)
print(_core.active_isa(), hashlib.sha256(b"".join(map(bytes, byheart.HyperVector.from_embeddings(rows)))).hexdigest())
"""


def test_every_instruction_set_gives_the_same_signs():
    answers = {}
    for isa in _core.available_isas():
        environment = {**os.environ, "BYHEART_ISA": isa}
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
        name, answer = done.stdout.split()
        answers[name] = answer
    assert set(answers) == set(_core.available_isas())
    assert len(set(answers.values())) == 1


def test_an_index_takes_zeros_for_a_missing_vector():
    index = byheart.HypervectorIndex()
    index.add(["a", "zero"], HyperVector.from_embeddings(np.array([[1, 2], [0, 0]], dtype=np.float32)))
    found = index.search(HyperVector.from_embedding(array("f", [1, 2])))
    assert list(found) == [("a", 1.0)]
