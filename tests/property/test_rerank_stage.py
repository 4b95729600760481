"""The stage of reranking keeps its promises on every table, and its scores are those of the definition."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from byheart.errors import RerankFailed
from byheart.ranking.algebra import StageContext, explain, violations
from byheart.ranking.candidates import join
from byheart.ranking.rerank import CallableReranker
from byheart.ranking.rerank.stage import Rerank
from byheart.records import Record
from byheart.reference import rerank as oracle

from ..counts import examples

IDS = "abcdefgh"
scores = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]) | st.floats(0.0, 1.0)
# What the reranker says of a text: nothing, a score, or nonsense.
opinions = st.none() | st.sampled_from([0.0, 0.5, 1.0, -1.0, 2.0, math.nan, math.inf]) | st.floats(-0.5, 1.5)
vectors = st.sampled_from([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.5), (0.0, 0.0)])
rows = st.lists(st.tuples(scores, opinions, vectors, st.none() | st.floats(0.0, 1.0)), max_size=len(IDS))


def table_of(given):
    """Return a table of these rows, whose record's text is its id."""
    ids = IDS[: len(given)]
    table = join({"dense": [(id, 0.0) for id in ids]}).scored("fused", "add", [row[0] for row in given])
    return table.with_column("lexical_normalised", [row[3] for row in given])


def about(given, k=100, **known):
    by_id = dict(zip(IDS, given, strict=False))
    records = {id: Record(text=id) for id in by_id}
    return StageContext(now=0.0, k=k, query="q", records=records, vector_of=lambda id: by_id[id][2], **known)


def judge_of(given):
    """Return a reranker that says of each text what the row says."""
    said = {id: row[1] for id, row in zip(IDS, given, strict=False)}
    return CallableReranker(
        lambda query, documents: [(row, said[text]) for row, text in enumerate(documents) if said[text] is not None]
    )


def broken(query, documents):
    raise RerankFailed("out of order")


def pairs(table):
    return list(zip(table.ids, table.scores(), strict=True))


@settings(max_examples=examples(500))
@given(rows, st.booleans())
def test_scores_are_those_of_the_definition(given, floors):
    after = Rerank(judge_of(given), floors=floors)(table_of(given), about(given))
    own, words = [row[0] for row in given], [row[3] for row in given] if floors else None
    judged = [(at, row[1]) for at, row in enumerate(given) if row[1] is not None]
    assert pairs(after) == [(IDS[row], score) for row, score in oracle.blend(own, judged, words)]
    useful = bool(judged) and all(math.isfinite(score) for _, score in judged)
    assert bool(after.degraded) == (bool(given) and not useful), "an opinion of no use is said"


@settings(max_examples=examples(500))
@given(rows, st.sampled_from([None, CallableReranker(broken, name="judge")]))
def test_the_fallback_is_that_of_the_definition(given, reranker):
    query = (1.0, 1.0)
    after = Rerank(reranker)(table_of(given), about(given, query_vector=query))
    cosines = [cosine(query, row[2]) for row in given]
    expected = oracle.cosine_fallback([row[0] for row in given], cosines)
    found = {IDS[row]: score for row, score in expected}
    assert all(math.isclose(score, found[id], abs_tol=2**-50) for id, score in pairs(after))
    assert bool(after.degraded) == (reranker is not None and bool(given))


def cosine(a, b):
    """Return the cosine, slowly; 0 where a vector is all zero."""
    lengths = math.hypot(*a) * math.hypot(*b)
    return (a[0] * b[0] + a[1] * b[1]) / lengths if lengths else 0.0


@given(rows, st.booleans(), st.sampled_from(["judge", "cosine", "broken", "nothing"]))
def test_the_stage_keeps_its_promises(given, floors, way):
    reranker = {"judge": judge_of(given), "cosine": None}.get(way, CallableReranker(broken))
    known = about(given, query_vector=None if way == "nothing" else (1.0, 1.0))
    stage, table = Rerank(reranker, floors=floors), table_of(given)
    assert violations(stage, table, known) == []
    after = stage(table, known)
    for id, score in pairs(after):
        explanation = explain(after, id)
        assert explanation.score == explanation.recomputed() == score
    assert all(math.isfinite(value) for column in after.columns.values() for value in column if value is not None)


@given(rows, st.integers(1, 5))
def test_the_window_is_the_first_rows_and_the_rest_is_dropped_with_a_reason(given, k):
    after = Rerank(judge_of(given))(table_of(given), about(given, k=k))
    assert sorted(after.ids) == list(IDS[: len(given)][: 2 * k])
    assert [row.id for row in after.dropped] == list(IDS[: len(given)][2 * k :])
    assert all(row.reason == f"beyond the rerank window ({2 * k})" for row in after.dropped)
