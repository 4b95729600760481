"""What a caller sees, call by call, with pytest-benchmark. Corpora: Zipf and English turns, seed 7. No rivals and no
limits: a table to look at, not a test. `make bench` runs it; `make test` does not.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import corpora
import pytest
from baseline.build import load
from harness import pin
from recall import memory_of

import byheart

pin()
Timed = Callable[..., Any]


def in_order(call: Callable[[Any], object], arguments: Sequence[Any]) -> Callable[[], object]:
    """Return a call that takes the next argument each time, round and round."""
    following = itertools.cycle(arguments).__next__
    return lambda: call(following())


def lexical_index(records: int) -> tuple[byheart.LexicalIndex, list[str]]:
    """Return an index over the Zipf corpus, and queries without head terms."""
    documents = corpora.load("zipf", records)
    index = byheart.LexicalIndex(analyzer=byheart.Analyzer(stem=False, stop_words=None))
    index.add([f"{number:x}" for number in range(records)], documents)
    return index, corpora.queries(documents, "topic", 200)


@pytest.fixture(scope="module")
def turns() -> list[str]:
    return corpora.load("english", 10_000)


@pytest.fixture(scope="module", params=[10, 1_000, 10_000])
def memory(request: pytest.FixtureRequest, turns: list[str]) -> byheart.Memory:
    return memory_of(turns[: request.param])


@pytest.fixture(scope="module")
def vectors() -> list[byheart.HyperVector]:
    return [byheart.HyperVector.random(str(key)) for key in range(512)]


def test_empty_call_of_the_baseline(benchmark: Timed) -> None:
    benchmark(load().nothing, "")


@pytest.mark.parametrize("records", [10, 1_000])
def test_lexical_search(benchmark: Timed, records: int) -> None:
    index, queries = lexical_index(records)
    assert benchmark(in_order(index.search, queries)).ids


@pytest.mark.parametrize("records", [10, 1_000])
def test_lexical_search_and_list_of_pairs(benchmark: Timed, records: int) -> None:
    index, queries = lexical_index(records)
    assert benchmark(in_order(lambda query: list(index.search(query)), queries))


@pytest.mark.parametrize("profile", ["kb-fast", "kb-balanced"])
def test_recall(benchmark: Timed, memory: byheart.Memory, turns: list[str], profile: str) -> None:
    queries = corpora.queries(turns[:10], "sentence", 50)
    benchmark(in_order(lambda query: memory.recall(query, profile=profile), queries))


def test_recall_explained(benchmark: Timed, memory: byheart.Memory, turns: list[str]) -> None:
    queries = corpora.queries(turns[:10], "sentence", 50)
    benchmark(in_order(lambda query: memory.recall(query, profile="kb-fast", explain=True), queries))


def test_remember_one(benchmark: Timed, turns: list[str]) -> None:
    memory = memory_of(turns[:1_000])
    benchmark(in_order(lambda turn: memory.remember(turn, id="one"), turns))


def test_remember_many_a_thousand(benchmark: Timed, turns: list[str]) -> None:
    benchmark(memory_of, turns[:1_000])


def test_porter_stem(benchmark: Timed) -> None:
    assert benchmark(byheart.porter_stem, "relational") == "relat"


def test_analyzer_terms_of_a_turn(benchmark: Timed, turns: list[str]) -> None:
    assert benchmark(in_order(byheart.Analyzer().terms, turns))


def test_hypervector_random(benchmark: Timed) -> None:
    benchmark(byheart.HyperVector.random, "memory")


@pytest.mark.parametrize("count", [3, 64, 512])
def test_hypervector_bundle(benchmark: Timed, vectors: list[byheart.HyperVector], count: int) -> None:
    benchmark(byheart.HyperVector.bundle, vectors[:count])


def test_hypervector_encode_ngrams_of_a_turn(benchmark: Timed, turns: list[str]) -> None:
    terms = byheart.Analyzer().terms(turns[3])
    benchmark(byheart.HyperVector.encode_ngrams, terms)


def test_hypervector_similarity(benchmark: Timed, vectors: list[byheart.HyperVector]) -> None:
    benchmark(vectors[0].similarity, vectors[1])


def test_hypervector_search_of_1000(benchmark: Timed, vectors: list[byheart.HyperVector]) -> None:
    index = byheart.HypervectorIndex()
    index.add([str(key) for key in range(1_000)], [byheart.HyperVector.random(str(key)) for key in range(1_000)])
    assert len(benchmark(index.search, vectors[3])) == 10
