"""Blends and fallbacks are their definitions, bit for bit; what an explanation keeps of them gives the score again."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.ranking.rerank.apply import best_first, blend, blend_operands, cosine_fallback, cosine_operands
from byheart.ranking.rerank.protocol import Scored
from byheart.reference import rerank as oracle

from ..counts import examples

# Few numbers, so that ties are the rule; the borders of the lexical floors; and now and then any number at all.
scores = st.sampled_from([0.0, 0.25, 0.5, 1.0]) | st.floats(0.0, 1.0)
anything = st.sampled_from([0.0, 0.5, 1.0, -1.0, 1.7, math.nan, math.inf, -math.inf]) | st.floats()
lexical = (
    st.none() | st.sampled_from([0.75, 0.6, math.nextafter(0.75, 0), math.nextafter(0.6, 0)]) | st.floats(0.0, 1.0)
)
cosines = st.sampled_from([-1.0, 0.0, 1.0, math.nan, math.inf]) | st.floats(-1.0, 1.0)
judged = st.lists(st.builds(Scored, st.integers(-2, 9), anything), max_size=12)


def pairs(ranked):
    return [(each.index, each.score) for each in ranked]


@st.composite
def tables(draw):
    """Return scores, and as many lexical scores or None."""
    rows = draw(st.lists(st.tuples(scores, lexical), max_size=8))
    return [score for score, _ in rows], draw(st.sampled_from([None, [words for _, words in rows]]))


@settings(max_examples=examples(3_000))
@given(tables(), judged)
def test_blend_is_its_definition(table, given):
    own, words = table
    expected = oracle.blend(own, pairs(given), words)
    assert pairs(blend(own, given, lexical=words)) == expected
    operands = blend_operands(own, given, lexical=words)
    assert pairs(best_first(own, operands)) == expected
    assert all(math.isfinite(number) for each in operands for number in each)


@settings(max_examples=examples(1_500))
@given(st.lists(st.tuples(scores, st.none() | cosines), max_size=8))
def test_the_fallback_is_its_definition(rows):
    own, given = [score for score, _ in rows], [cosine for _, cosine in rows]
    expected = oracle.cosine_fallback(own, given)
    assert pairs(cosine_fallback(own, given)) == expected
    if None not in given:
        operands = cosine_operands(own, given)
        assert pairs(best_first(own, operands)) == expected
        assert all(math.isfinite(number) for each in operands for number in each)


@given(tables(), judged)
def test_every_row_comes_back_once_in_range_and_in_order(table, given):
    own, words = table
    ranked = blend(own, given, lexical=words)
    assert sorted(each.index for each in ranked) == list(range(len(own)))
    assert all(0.0 <= each.score <= 1.0 for each in ranked)
    order = [(-each.score, each.index) for each in ranked]
    assert order == sorted(order)


@given(scores, st.floats(0.0, 1.0), st.floats(0.0, 1.0), lexical, st.booleans())
def test_a_better_opinion_never_makes_a_score_worse(own, one, other, words, floors):
    lower, higher = (
        blend([own], [Scored(0, value)], lexical=[words] if floors else None)[0].score for value in sorted([one, other])
    )
    assert lower <= higher


@given(tables(), st.data())
def test_the_order_of_the_answer_does_not_matter(table, data):
    own, words = table
    given = data.draw(
        st.lists(st.builds(Scored, st.integers(-2, 9), anything), max_size=8, unique_by=lambda s: s.index)
    )
    shuffled = data.draw(st.permutations(given))
    assert blend(own, given, lexical=words) == blend(own, shuffled, lexical=words)


@given(tables(), judged)
def test_only_the_first_word_on_a_row_counts(table, given):
    own, words = table
    first = [each for at, each in enumerate(given) if each.index not in [before.index for before in given[:at]]]
    assert blend(own, given, lexical=words) == blend(own, first, lexical=words)


@given(tables(), judged)
def test_floors_only_lift(table, given):
    own, words = table
    without = {each.index: each.score for each in blend(own, given)}
    for each in blend(own, given, lexical=words or [None] * len(own)):
        assert each.score >= without[each.index]
