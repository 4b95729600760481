"""What a person hands to a worker process: it is pickled, and copied deeply, and does there what it does here."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from byheart import Analyzer, Boundary, Filter, Memory, Settings, profiles
from byheart.embedding import HashingEmbedder

Again = Callable[[Any], Any]
ways = pytest.mark.parametrize("again", [lambda each: pickle.loads(pickle.dumps(each)), copy.deepcopy, copy.copy])


@ways
@pytest.mark.parametrize(
    ("stem", "words", "mode"), list(product((True, False), ("english", None), ("unicode", "ascii")))
)
def test_an_analyser(again: Again, stem: bool, words: str | None, mode: str) -> None:
    analyzer = Analyzer(stem, words, mode)
    other = again(analyzer)
    assert other == analyzer and other.name == analyzer.name
    assert other.terms("The kettles of Zoë are leaking") == analyzer.terms("The kettles of Zoë are leaking")


@ways
def test_an_embedder(again: Again) -> None:
    embedder = HashingEmbedder(64, seed=2**64 - 1)
    embedder.embed_queries(["a kettle"])
    other = again(embedder)
    assert other.fingerprint == embedder.fingerprint
    assert np.array_equal(other.embed_documents(["a kettle leaks"]), embedder.embed_documents(["a kettle leaks"]))
    assert Memory(embedder=other).remember("Tea.", id="tea") == "tea"


@ways
@pytest.mark.parametrize(
    "given",
    [Boundary("t"), Filter.parse({"topic": "x"}), Settings(), *map(profiles.get, profiles.NAMES)],
    ids=lambda given: getattr(given, "name", type(given).__name__),
)
def test_what_says_how_to_recall(again: Again, given: Any) -> None:
    assert again(given) == given
