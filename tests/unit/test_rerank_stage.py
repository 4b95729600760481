"""The stage of reranking: what it asks, what it says when it could not, and what it leaves alone."""

import math
import time
from collections.abc import Sequence
from typing import Any

import pytest

from byheart.errors import InvalidArgument, LimitExceeded, RerankFailed
from byheart.ranking.algebra import StageContext, explain
from byheart.ranking.candidates import Candidates, join
from byheart.ranking.rerank import CallableReranker, Scored
from byheart.ranking.rerank.stage import Rerank
from byheart.ranking.router.blended import BlendByPlace
from byheart.records import Record

RECORDS = {"a": Record(text="a cat"), "b": Record(text="hot tea"), "c": Record(text="the mat")}
VECTORS = {"a": [1.0, 0.0], "b": [0.0, 1.0], "c": [0.0, 0.0]}


class Fixed:
    """A reranker that says what it was told to, and keeps what it was asked."""

    name = "fixed"

    def __init__(self, said: Any) -> None:
        self.said, self.asked = said, []

    def scores(self, query: str, documents: Sequence[str], *, deadline: float | None = None) -> Any:
        self.asked.append((query, list(documents), deadline))
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


@pytest.fixture
def table() -> Candidates:
    return join({"lexical": [("a", 3.0), ("b", 2.0), ("c", 1.0)]}).scored("words", "add", [0.9, 0.7, 0.5])


def about(**known: Any) -> StageContext:
    given = {"now": 0.0, "k": 3, "query": "tea?", "records": RECORDS, "vector_of": VECTORS.get}
    return StageContext(**(given | {"query_vector": [0.0, 2.0]} | known))


def scored(table: Candidates) -> list[tuple[str, float]]:
    return list(zip(table.ids, table.scores(), strict=True))


def test_a_published_case_as_a_stage(table: Candidates) -> None:
    reranker = Fixed([Scored(1, 0.95)])
    after = Rerank(reranker)(table, about(deadline=12345.0))
    assert reranker.asked == [("tea?", ["a cat", "hot tea", "the mat"], 12345.0)]
    assert scored(after) == [("b", 0.8499999999999999), ("a", 0.7200000000000001), ("c", 0.4)]
    assert after.columns["reranked"] == (0.95, None, None)
    assert (after.degraded, after.dropped) == ((), ())
    assert str(explain(after, "b")).count("rerank") == 2


def test_the_opinion_is_kept_as_it_was_given(table: Candidates) -> None:
    after = Rerank(Fixed([(0, 1.7), (1, math.nan), (0, 0.1), (9, 0.5)]))(table, about())
    assert dict(zip(after.ids, after.columns["reranked"], strict=True)) == {"a": 1.7, "b": None, "c": None}
    assert dict(scored(after)) == {"a": 1.0, "b": 0.35, "c": 0.4}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "it judged none of 3 rows"),
        ([(9, 1.0), (-1, 1.0)], "it judged none of 3 rows"),
        ([(0, math.nan), (1, 0.5), (2, math.inf)], "2 of 3 scores are not finite"),
    ],
)
def test_an_opinion_of_no_use_is_said(table: Candidates, given: list[Any], said: str) -> None:
    assert Rerank(Fixed(given))(table, about()).degraded == (f"rerank by fixed: {said}",)


def test_cosines_alone(table: Candidates) -> None:
    after = Rerank()(table, about())
    assert scored(after) == [("b", 0.7 * 0.7 + 0.3), ("a", 0.63), ("c", 0.35)]
    assert (after.degraded, "reranked" in after.columns) == ((), False)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (RerankFailed("HTTP 503"), "HTTP 503"),
        (ConnectionError("of a reranker that is somebody's own"), "raised ConnectionError"),
        (None, "raised TypeError"),
        ([0.5], "invalid shape: 1 scores for 3 documents"),
        (["a", "b", "c"], "invalid shape: neither one score a document nor pairs (index, score)"),
    ],
)
def test_a_failure_is_said_and_cosines_stand_in(table: Candidates, said: Any, reason: str) -> None:
    after = Rerank(Fixed(said))(table, about())
    assert after.degraded == (f"rerank by fixed failed ({reason}): cosine instead",)
    assert scored(after) == scored(Rerank()(table, about()))


@pytest.mark.parametrize(
    ("known", "reason"),
    [
        ({"query_vector": None}, "the query has no vector"),
        ({"query_vector": [1.0]}, "vectors of different dimensions"),
        ({"vector_of": {"a": [1.0, 0.0]}.get}, "a record has no vector"),
    ],
)
def test_without_vectors_scores_and_order_stay(table: Candidates, known: dict[str, Any], reason: str) -> None:
    turned = table.reordered([2, 0, 1])
    alone, instead = (Rerank(reranker)(turned, about(**known)) for reranker in (None, Fixed(RerankFailed("timeout"))))
    assert scored(alone) == scored(instead) == scored(turned)
    assert alone.degraded == (f"rerank by cosine failed ({reason}): scores and order as before",)
    assert instead.degraded == (f"rerank by fixed failed (timeout), cosine too ({reason}): scores and order as before",)


def test_refused_arguments_are_nobodys_failure(table: Candidates) -> None:
    with pytest.raises(LimitExceeded):
        Rerank(Fixed(LimitExceeded("documents: too many")))(table, about())


def test_rows_beyond_the_window_are_neither_asked_about_nor_kept(table: Candidates) -> None:
    for stage, known in ((Rerank(Fixed([(0, 1.0)])), {"k": 1}), (Rerank(Fixed([(0, 1.0)]), window=2), {"k": 9})):
        after = stage(table, about(**known))
        assert [len(documents) for _, documents, _ in stage.reranker.asked] == [2]
        assert after.dropped == (("c", "beyond the rerank window (2)"),)
        assert set(after.ids) == {"a", "b"}


def test_nobody_is_asked_about_nothing() -> None:
    stage = Rerank(Fixed(RerankFailed("asked")))
    assert stage(join({}), about()).degraded == ()
    assert stage.reranker.asked == []


def test_floors_keep_exact_words(table: Candidates) -> None:
    table = table.with_column("lexical_normalised", [0.8, 0.65, None])
    assert dict(scored(Rerank(Fixed([(0, 0.0), (2, 0.0)]), floors=True)(table, about()))) == {
        "a": 0.9 * 0.95,
        "b": 0.7 * 0.95,
        "c": 0.25,
    }


def test_a_reranker_that_hangs_leaves_time_for_cosines(table: Candidates) -> None:
    import threading

    release = threading.Event()
    hangs = CallableReranker(lambda query, documents: [release.wait(), 0.0, 0.0], name="hangs")
    before = time.monotonic()
    after = Rerank(hangs)(table, about(deadline=before + 0.4))
    assert time.monotonic() - before < 4.0
    release.set()
    assert after.degraded == ("rerank by hangs failed (timeout): cosine instead",)
    assert scored(after) == scored(Rerank()(table, about()))


def test_settings_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="window: is 0"):
        Rerank(window=0)
    with pytest.raises(TypeError, match="see CallableReranker"):
        Rerank(lambda query, documents: [])  # type: ignore[arg-type]


def test_what_is_no_reranker_is_named_by_its_type() -> None:
    for kind in (Rerank, BlendByPlace):
        with pytest.raises(TypeError, match=r"^reranker must be a Reranker, not int; see CallableReranker$"):
            kind(reranker=3)
