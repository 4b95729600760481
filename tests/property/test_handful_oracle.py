"""A handful of texts scored among themselves is its definition, bit for bit, whatever the texts, worths and queries."""

import struct

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart import Analyzer
from byheart._core import Handful
from byheart.reference import handful as oracle

from ..counts import examples

ANALYZERS = [Analyzer(), Analyzer(stem=False, stop_words=None)]
WORDS = st.sampled_from(["kettle", "kettles", "tea", "the", "茶が", "é", "sea!", "re-index", "x", "y2", "a b c", ""])
some = st.lists(WORDS, max_size=14).map(" ".join)
worths = st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.7, 1.0]) | st.floats(0, 10)
rows = st.lists(st.tuples(some | st.text(max_size=12), worths), max_size=16)


def bits(values):
    return [struct.pack("<d", value) for value in values]


@settings(max_examples=examples(500))
@given(rows, some, st.sampled_from(ANALYZERS))
@example([(f"kettle word{at % 5} pot", 0.5) for at in range(14)], "word1", ANALYZERS[0])
@example([(f"a{at} b{at} c{at % 3} d{at % 7} e f g", at / 16) for at in range(16)], "e e b1 nowhere", ANALYZERS[1])
def test_scores_are_their_definition(rows, asked, analyzer):
    said, worth = [text for text, _ in rows], [number for _, number in rows]
    query = analyzer.terms(asked)
    slow = oracle.Handful([analyzer.terms(text) for text in said], [len(text) for text in said])
    fast = Handful(analyzer, said)
    assert fast.lengths == slow.lengths
    assert bits(fast.shares(query)) == bits(slow.shares(query))
    assert bits(fast.kin(worth, query)) == bits(slow.kin(worth, query))
    assert bits(fast.rich()) == bits(slow.rich())


@settings(max_examples=examples(100))
@given(rows, some)
def test_shares_are_of_what_the_query_weighs(rows, asked):
    said, query = [text for text, _ in rows], ANALYZERS[0].terms(asked)
    found = Handful(ANALYZERS[0], said).shares(query)
    held = [bool(set(query) & set(ANALYZERS[0].terms(text))) for text in said]
    assert [share > 0.0 for share in found] == held, "those that hold a word of it, and no other"
    assert found == pytest.approx([min(share, 1.6) for share in found])
