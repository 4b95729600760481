"""The cache of vectors: what is kept, for how long, and what the embedder inside is asked."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from byheart.embedding import CachedEmbedder, Embedder, Fingerprint, HashingEmbedder
from byheart.errors import InvalidArgument, ModelError


class Counting:
    """A hashing embedder whose queries differ from its documents, and which notes what it is asked."""

    dimensions = 16

    def __init__(self, normalised=True):
        self.calls, self.fails, self.scale = [], False, 1.0 if normalised else 3.0
        self.fingerprint = Fingerprint("counting", 16, normalised, "", "query: ", "1")

    def embed_documents(self, texts):
        self.calls.append(list(texts))
        if self.fails:
            raise ModelError("no answer today")
        return HashingEmbedder(16).embed_documents(texts) * np.float32(self.scale)

    def embed_queries(self, texts):
        return self.embed_documents([f"query: {text}" for text in texts])


class Clock:
    """Seconds that the test says."""

    now = 100.0

    def __call__(self):
        return self.now


def test_one_call_for_all_that_is_missing_each_once():
    inner = Counting()
    cached = CachedEmbedder(inner)
    cached.embed_documents(["a fox", "kettle"])
    rows = cached.embed_documents(["lime", "kettle", "lime", "spring", "a fox"])

    assert inner.calls == [["a fox", "kettle"], ["lime", "spring"]]
    assert (cached.hits, cached.misses, len(cached)) == (3, 4, 4)
    assert (rows == Counting().embed_documents(["lime", "kettle", "lime", "spring", "a fox"])).all()
    assert isinstance(cached, Embedder) and cached.fingerprint == inner.fingerprint and cached.dimensions == 16


def test_documents_and_queries_are_kept_apart():
    cached = CachedEmbedder(Counting())

    assert (cached.embed_documents(["fox"]) != cached.embed_queries(["fox"])).any()
    assert (cached.embed_queries(["fox"]) == Counting().embed_queries(["fox"])).all()
    assert (cached.hits, cached.misses) == (1, 2)


def test_another_fingerprint_is_another_vector():
    inner = Counting()
    cached = CachedEmbedder(inner)
    cached.embed_queries(["fox"])
    inner.fingerprint = Fingerprint("counting", 16, True, "", "query: ", "2")
    cached.embed_queries(["fox"])

    assert cached.misses == 2


def test_lengths_are_those_of_the_embedder_inside():
    rows = CachedEmbedder(Counting(normalised=False)).embed_queries(["fox", "fox"])

    assert (rows == Counting(normalised=False).embed_queries(["fox", "fox"])).all()


def test_the_one_unused_longest_goes_first():
    inner = Counting()
    cached = CachedEmbedder(inner, capacity=2)
    for text in ["a1", "b1", "a1", "c1"]:
        cached.embed_documents([text])
    inner.calls.clear()
    for text in ["a1", "c1", "b1"]:
        cached.embed_documents([text])

    assert inner.calls == [["b1"]]
    assert len(cached) == 2


def test_a_batch_may_be_larger_than_the_cache():
    cached = CachedEmbedder(Counting(), capacity=2)
    texts = [f"word{n}" for n in range(9)]

    assert (cached.embed_documents(texts) == Counting().embed_documents(texts)).all()
    assert len(cached) == 2


def test_vectors_grow_old():
    inner, clock = Counting(), Clock()
    cached = CachedEmbedder(inner, ttl=10, clock=clock)
    cached.embed_documents(["fox"])
    clock.now = 109.9
    cached.embed_documents(["fox"])
    assert len(inner.calls) == 1

    clock.now = 110.0
    cached.embed_documents(["fox"])
    assert len(inner.calls) == 2

    clock.now = 119.9  # counted from when it was made anew
    cached.embed_documents(["fox"])
    assert len(inner.calls) == 2


def test_answers_are_the_callers_own():
    cached = CachedEmbedder(Counting())
    first = cached.embed_documents(["fox"])
    kept = first.copy()
    first[:] = 7
    second = cached.embed_documents(["fox"])
    second[:] = 8

    assert (cached.embed_documents(["fox"]) == kept).all()


def test_nothing_is_kept_of_a_call_that_failed():
    inner = Counting()
    cached = CachedEmbedder(inner)
    cached.embed_documents(["fox"])
    inner.fails = True
    with pytest.raises(ModelError, match="no answer"):
        cached.embed_documents(["fox", "kettle"])

    assert (len(cached), cached.hits, cached.misses) == (1, 0, 1)
    inner.fails = False
    assert cached.embed_documents(["kettle"]).any()


def test_a_wrong_vector_is_not_kept():
    inner = Counting()
    inner.scale = np.nan
    cached = CachedEmbedder(inner)
    with pytest.raises(ModelError, match="text 0: holds NaN"):
        cached.embed_documents(["fox"])

    assert not len(cached)


def test_clear_forgets_the_vectors():
    inner = Counting()
    cached = CachedEmbedder(inner)
    cached.embed_documents(["fox"])
    cached.clear()
    cached.embed_documents(["fox"])

    assert len(inner.calls) == 2


def test_no_texts_ask_nobody():
    inner = Counting()

    assert CachedEmbedder(inner).embed_queries([]).shape == (0, 16)
    assert not inner.calls


def test_threads_share_a_cache():
    texts = [f"word{n}" for n in range(40)]
    cached, expected, wrong = CachedEmbedder(HashingEmbedder(32), capacity=20), HashingEmbedder(32), []
    rows = expected.embed_documents(texts)

    def work(start):
        for turn in range(60):
            first = (start * 7 + turn) % 30
            if (cached.embed_documents(texts[first : first + 10]) != rows[first : first + 10]).any():
                wrong.append(first)

    threads = [threading.Thread(target=work, args=(start,)) for start in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert cached.hits + cached.misses == 6 * 60 * 10
    assert len(cached) == 20


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"capacity": 0}, InvalidArgument),
        ({"capacity": 1.0}, TypeError),
        ({"ttl": 0}, InvalidArgument),
        ({"ttl": -1.0}, InvalidArgument),
        ({"ttl": float("nan")}, InvalidArgument),
        ({"ttl": "10"}, TypeError),
    ],
)
def test_arguments_that_are_refused(arguments, error):
    with pytest.raises(error):
        CachedEmbedder(HashingEmbedder(), **arguments)
