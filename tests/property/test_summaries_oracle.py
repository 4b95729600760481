"""Summaries are their definition, bit for bit; greedy decoding by NumPy but for rounding."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import Analyzer
from byheart.reference import summaries as oracle
from byheart.summarising import Turn, confidence_of, extract, extractive_count, preservation
from byheart.summarising.extractive import covering
from byheart.summarising.greedy import greedy

from ..counts import examples

# Few numbers, so that equal scores, opposites and zero vectors are the rule; and now and then any number at all.
components = (
    st.sampled_from([0.0, 1.0, -1.0, 0.5, -0.0, 0.25])
    | st.floats(-2.0, 2.0)
    | st.floats(width=32, allow_nan=False, allow_infinity=False)
)
densities = st.sampled_from([0.4, 0.25, 1.0, 0.0, -1.0, 2.0]) | st.floats(0.0, 1.0)
logprobs = st.lists(st.floats(max_value=0.0), max_size=12)
# NumPy's exp and its sums against the reference's: some units in the last place of a number up to ln 9.
ROUNDING = 2.0**-48


@st.composite
def clusters(draw, missing=True):
    """Return the vectors of a cluster: some repeated, and, where asked for, some missing or of another length."""
    width = draw(st.sampled_from([1, 2, 3, 17]))
    row = st.lists(components, min_size=width, max_size=width)
    few = st.sampled_from(draw(st.lists(row, min_size=1, max_size=3)))
    other = st.none() | st.lists(components, max_size=4) if missing else st.nothing()
    return draw(st.lists(few | row | other, min_size=1, max_size=24))


def turns_of(vectors):
    return [Turn(f"t{at}", f" turn {at}\n") for at in range(len(vectors))]


@settings(max_examples=examples(500))
@given(clusters(), densities)
def test_an_extract_is_its_definition(vectors, density):
    kept, sure = oracle.extract(vectors, density)
    summary = extract(turns_of(vectors), vectors, density)

    assert summary.source_ids == tuple(f"t{at}" for at in kept)
    assert summary.text == " ".join(f"turn {at}" for at in kept)
    assert summary.confidence == sure
    assert 0.0 <= summary.confidence <= 1.0
    assert len(kept) == extractive_count(len(vectors), density)
    assert extract(turns_of(vectors), vectors, density) == summary


@settings(max_examples=examples(500))
@given(st.lists(st.sets(st.sampled_from("abcdefgh")), max_size=20), st.integers(0, 25))
def test_what_covers_is_its_definition(words, count):
    assert covering(words, count) == oracle.covering(words, count)
    assert [sorted(each) for each in words] == [sorted(set(each)) for each in words], "nothing given is changed"


@settings(max_examples=examples(200))
@given(
    st.lists(st.lists(st.sampled_from(["tea", "teas", "cup", "the", "東京"]), min_size=1), min_size=1, max_size=9),
    densities,
)
def test_an_extract_by_words_covers_their_stems(said, density):
    turns = [Turn(f"t{at}", " ".join(words)) for at, words in enumerate(said)]
    count = extractive_count(len(turns), density)
    kept = sorted(oracle.covering([Analyzer().terms(turn.text) for turn in turns], count))
    vectors = [[float(len(words)), 1.0] for words in said]
    summary = extract(turns, vectors, density, choice="words")
    assert summary.source_ids == tuple(f"t{at}" for at in kept)
    middle = oracle.centroid(vectors)
    total = 0.0
    for at in kept:
        total += oracle.likeness(vectors[at], middle)
    assert summary.confidence == min(max(total / count, 0.0), 1.0)


@given(st.lists(components, min_size=1, max_size=5), st.integers(1, 30), densities)
def test_equal_turns_are_kept_from_the_front(vector, count, density):
    summary = extract(turns_of([vector] * count), [vector] * count, density)

    assert summary.source_ids == tuple(f"t{at}" for at in range(extractive_count(count, density)))


@given(clusters(), st.floats(0.0, 1.0, exclude_min=True), st.floats(0.0, 1.0, exclude_min=True))
def test_a_higher_density_only_adds_turns(vectors, one, other):
    fewer, more = (extract(turns_of(vectors), vectors, each).source_ids for each in sorted((one, other)))

    assert set(fewer) <= set(more)


@given(st.integers(1, 1999), densities)
def test_the_count_is_its_definition(turns, density):
    share = density if 0.0 < density <= 1.0 else 0.4
    assert extractive_count(turns, density) == oracle.extractive_count(turns, density)
    assert extractive_count(turns, density) == min(max(math.ceil(turns * share), 1), turns)
    assert 1 <= extractive_count(turns, density) <= turns


@given(logprobs)
def test_a_confidence_is_its_definition(values):
    found = confidence_of(values)

    assert found == oracle.confidence(values)
    assert 0.0 <= found <= 1.0


@given(logprobs.filter(bool), st.integers(0, 11), st.floats(0.0, 1.0))
def test_a_likelier_token_is_no_loss_of_confidence(values, at, share):
    raised = list(values)
    raised[at % len(values)] *= share if math.isfinite(raised[at % len(values)]) else 1.0
    # A sum of rounded numbers may fall by a unit in its last place where one of them rose.
    assert confidence_of(raised) >= confidence_of(values) * (1.0 - 2.0**-40)


@settings(max_examples=examples(300))
@given(clusters(missing=False), st.data())
def test_preservation_is_its_definition(vectors, data):
    summary = data.draw(
        st.sampled_from(vectors) | st.lists(components, min_size=len(vectors[0]), max_size=len(vectors[0]))
    )
    found = preservation(summary, vectors)

    assert (found.alignment, found.coverage, found.confidence) == oracle.preservation(summary, vectors)
    assert -1.0 <= found.alignment <= 1.0 and 0.0 <= found.coverage <= 1.0
    assert found.final_confidence() == found.confidence
    assert 0.0 <= found.final_confidence(data.draw(st.floats(0.0, 1.0))) <= 1.0
    assert found.accepted() == (found.alignment >= 0.65)


@given(
    st.integers(2, 9).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from([0.0, 1.0, -3.5]) | st.floats(-50.0, 50.0), min_size=width, max_size=width),
            min_size=width,
            max_size=width,
        )
    ),
    st.sets(st.integers(0, 8), max_size=3),
    st.integers(1, 12),
)
def test_greedy_decoding_is_its_definition(table, ends, most):
    rows = np.array(table)
    made, sure = greedy(lambda tokens: rows[tokens[-1]], [0], ends, most)
    expected, logarithms = oracle.greedy(lambda tokens: table[tokens[-1]], [0], ends, most)

    assert made == expected
    assert all(abs(one - other) <= ROUNDING for one, other in zip(sure, logarithms, strict=True))
    assert all(value <= 0.0 for value in sure)
    assert len(made) <= most and not ends & set(made)
