"""Vectors of a model that nobody has measured: nothing is emptied for them, and none says that something is known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import byheart
from byheart.embedding import Fingerprint
from byheart.embedding.protocol import Vectors

NOTES = ["The kettle is descaled every spring.", "Ann lives in Oslo.", "The bath leaks.", "Choir starts at six."]


class Alike:
    """Rows that lie near each other, whatever the texts say."""

    dimensions = 4
    unrelated = 0.2  # which is not so, and what it says is taken
    fingerprint = Fingerprint("alike", 4, True, "", "", "1")

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        rows = [[10.0, len(text) % 3, len(text) % 5, 1.0] for text in texts]
        made = np.array(rows, np.float64).reshape(-1, 4)
        return (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)

    embed_queries = embed_documents


@pytest.fixture
def memory() -> byheart.Memory:
    memory = byheart.Memory(embedder=Alike())
    memory.remember_many(NOTES)
    return memory


def test_what_only_vectors_find_is_shown_and_not_called_known(memory: byheart.Memory) -> None:
    unknown = memory.recall("how do I renew a passport?")
    assert unknown.hits
    assert not unknown.sufficient
    assert not byheart.Recall.from_dict(unknown.to_dict()).sufficient
    assert not memory.recall("how do I renew a passport?", explain=True).sufficient


def test_words_say_that_something_is_known(memory: byheart.Memory) -> None:
    assert memory.recall("when is the kettle descaled?").sufficient


def test_whoever_asks_for_any_strength_is_given_that(memory: byheart.Memory) -> None:
    assert memory.recall("how do I renew a passport?", min_strength=0).sufficient
