"""Several recalls at once give what each gives alone, byte for byte."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.embedding import HashingEmbedder
from byheart.errors import InvalidArgument, LimitExceeded, UnknownProfile
from byheart.validation import MAX_QUERIES

from ..counts import examples
from .strategies import honoured

WORDS = ["tea", "rice", "soup", "kettle", "boat"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
QUERIES = st.lists(TEXTS | st.sampled_from(['"tea" -rice', "+boat", "thanks!"]) | st.lists(st.sampled_from(WORDS)))
PROFILES = [
    "auto", "kb-fast", "kb-balanced", "kb-thinkingdb", "hybrid", "dense", "scoped", "discovery", "activation",
]  # fmt: skip
ASKED = st.fixed_dictionaries(
    {"profile": st.sampled_from(PROFILES), "now": st.just(9.0)},
    optional={
        "k": st.integers(1, 3),
        "session_id": st.sampled_from(["x", "y"]),
        "user_id": st.just("ann"),
        "where": st.just({"metadata.n": {">": 2}}),
        "since": st.just("1970-01-01T00:00:02"),
        "exclude": st.just(["r1"]),
        "explain": st.booleans(),
        "adaptive": st.just(True),
        "mode": st.sampled_from(["exact", "early_exit"]),
    },
).map(honoured)


class Failing(HashingEmbedder):
    """An embedder that has no vector for soup."""

    def embed_queries(self, texts: Sequence[str]) -> Any:
        if any("soup" in text for text in texts):
            raise RuntimeError("no soup today")
        return super().embed_queries(texts)


class Counting(HashingEmbedder):
    """An embedder that counts how often it is asked."""

    def __init__(self) -> None:
        super().__init__(16)
        self.calls: list[int] = []

    def embed_queries(self, texts: Sequence[str]) -> Any:
        self.calls.append(len(texts))
        return super().embed_queries(texts)


EMBEDDERS = {"none": lambda: None, "hashing": lambda: HashingEmbedder(16), "failing": lambda: Failing(16)}


def furnished(embedder: Any) -> byheart.Memory:
    memory = byheart.Memory(embedder=embedder)
    for number in range(12):
        words = " ".join(WORDS[(number + step) % len(WORDS)] for step in range(1 + number % 3))
        memory.remember(
            words, id=f"r{number}", created_at=float(number), metadata={"n": number}, session_id="xyz"[number % 3],
            user_id=["ann", "bob", None][number % 3], relation="uses", subject=WORDS[number % 5], object="water",
        )  # fmt: skip
    return memory


def whole(answer: byheart.Recall) -> str:
    """Return all of an answer but its timings, as text."""
    shown = [repr(hit) for hit in answer], repr(answer.trace), [str(hit.explanation) for hit in answer]
    return json.dumps([answer.to_dict(), shown])


@pytest.mark.parametrize("embedder", EMBEDDERS)
@settings(max_examples=examples(300))
@given(QUERIES, ASKED, st.sampled_from([1, 1, 3]))
def test_many_give_what_each_gives_alone(
    embedder: str, queries: list[Any], asked: dict[str, Any], threads: int
) -> None:
    with furnished(EMBEDDERS[embedder]()) as memory:
        many = memory.recall_many(queries, threads=threads, **asked)
        alone = [memory.recall(query, **asked) for query in queries]
        assert many == alone and list(map(whole, many)) == list(map(whole, alone))


@settings(max_examples=20)
@given(st.lists(st.sampled_from(WORDS), max_size=5), st.data())
def test_each_may_bring_its_vector(queries: list[str], data: st.DataObject) -> None:
    numbers = st.lists(st.floats(-1, 1, width=32), min_size=16, max_size=16)
    vectors = [data.draw(st.none() | numbers) for _ in queries]
    with furnished(HashingEmbedder(16)) as memory:
        many = memory.recall_many(queries, profile="dense", vectors=vectors, now=9.0)
        alone = [
            memory.recall(query, profile="dense", now=9.0, **({} if vector is None else {"vector": vector}))
            for query, vector in zip(queries, vectors, strict=True)
        ]
        assert list(map(whole, many)) == list(map(whole, alone))


def test_the_embedder_is_asked_for_64_at_a_time_and_for_each_text_once() -> None:
    embedder = Counting()
    with furnished(embedder) as memory:
        memory.recall_many([f"tea {number}" for number in range(100)] * 2, profile="dense")
        assert embedder.calls == [64, 36]
        embedder.calls.clear()
        memory.recall_many(["tea", "rice"], profile="dense", vectors=[None, [1.0] * 16])
        assert embedder.calls == [1]
        embedder.calls.clear()
        memory.recall_many(["tea", "rice"], profile="kb-fast")  # words alone
        memory.recall_many(["thanks!"], profile="dense", adaptive=True)  # nothing is searched for
        assert embedder.calls == []


def test_the_exclusions_may_be_read_once_alone() -> None:
    with furnished(None) as memory:
        found = memory.recall_many(["tea", "tea"], exclude=iter(["r0", "r5"]))
        assert len(found) == 2 and found[0] == found[1]
        assert not {"r0", "r5"} & {hit.id for hit in found[1]}


def test_no_thread_is_left_behind() -> None:
    with furnished(None) as memory:
        memory.recall("tea")
        before = set(threading.enumerate())
        assert len(memory.recall_many(["tea", "rice"] * 20, threads=4)) == 40
        assert set(threading.enumerate()) <= before


def endless() -> Any:
    while True:
        yield "tea"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"queries": "tea"}, TypeError, "queries must be a list of queries, not str; `recall` takes one"),
        ({"queries": None}, TypeError, "queries must be a list of queries, not NoneType"),
        ({"queries": endless()}, LimitExceeded, f"queries: is over the limit of {MAX_QUERIES}"),
        ({"queries": ["tea", 5]}, TypeError, "query must be str or a list of terms, not int"),
        ({"queries": ["tea"], "k": 0}, InvalidArgument, "k: is 0"),
        ({"queries": ["tea"], "threads": 0}, InvalidArgument, "threads: is 0; it must be at least 1"),
        ({"queries": ["tea"], "threads": 1.5}, TypeError, "threads must be int, not float"),
        ({"queries": ["tea"], "profile": "auot"}, UnknownProfile, "auto"),
        ({"queries": ["tea"], "vector": [1.0]}, InvalidArgument, "give vectors, one for each"),
        ({"queries": ["tea"], "vectors": []}, InvalidArgument, "vectors: are 0 for 1 queries"),
        ({"queries": [], "sesion_id": "x"}, TypeError, "recall_many: there is no option 'sesion_id'; did you mean"),
        ({"queries": ["tea"], "explain": True, "where": {"topc": 1}}, InvalidArgument, "did you mean 'topic'"),
    ],
)
def test_bad_input_is_one_typed_error_before_anything_is_searched(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    embedder = Counting()
    with furnished(embedder) as memory:
        with pytest.raises(error, match=message):
            memory.recall_many(**arguments)
        assert embedder.calls == []


def test_the_error_notes_which_query_it_is_about() -> None:
    with furnished(None) as memory, pytest.raises(TypeError) as caught:
        memory.recall_many(["tea", 5])  # type: ignore[list-item]
    assert "number 1, counted from 0" in caught.value.__notes__[0]
