"""The dense leg of a memory is the oracle's search over the vectors of the records inside the boundary, bit for bit."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.embedding import HashingEmbedder
from byheart.reference import cascade
from byheart.reference.text import terms

from ..counts import examples

WORDS = ("sea", "ship", "sail", "bread", "oven", "flour")
CLASSES = ("public", "internal", "pii")
texts = st.lists(st.sampled_from([*WORDS, "?"]), min_size=1, max_size=4).map(" ".join)
changes = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.none() | st.tuples(texts, st.sampled_from(CLASSES))), max_size=14
)
EMBEDDER = HashingEmbedder(48)


@settings(max_examples=examples(1_500))
@given(changes, texts, st.integers(1, 5), st.lists(st.sampled_from(CLASSES), unique=True))
def test_recall_by_vectors_is_its_definition(steps, query, k, classes):
    memory = byheart.Memory(embedder=EMBEDDER, noise=None)
    alive: dict[str, tuple[str, str]] = {}
    for id, change in steps:
        if change is None:
            memory.forget(id, boundary={"classes": CLASSES})
            alive.pop(id, None)
        else:
            memory.remember(change[0], id=id, boundary_class=change[1])
            alive[id] = change
    found = memory.recall(query, k, "dense", boundary={"classes": classes})
    inside = {id: text for id, (text, kind) in alive.items() if kind in classes}
    vectors = {id: row for id, text in inside.items() if any(row := _vector(text))}
    entries = {id: cascade.Entry(row) for id, row in vectors.items()}
    nearest = [(id, min(1.0, value)) for id, value in cascade.search(entries, _vector(query), 100) if value > 0.0]
    first_to_say: dict[str, str] = {}  # of records that say the same, the best one is left
    for id, _ in nearest:
        first_to_say.setdefault(inside[id], id)
    expected = [(id, value) for id, value in nearest if first_to_say[inside[id]] == id]
    by_vector = [(hit.id, hit.score) for hit in found if hit.id in vectors]
    assert by_vector == expected[: len(by_vector)]
    assert len(found) <= k
    dropped = {row.id for row in found.dropped}
    assert {id for id, _ in expected[:k]} <= {hit.id for hit in found} | dropped
    for hit in found:
        if hit.id not in vectors:
            assert set(terms(query)) & set(terms(inside[hit.id]))
            assert hit.score <= 0.5


def _vector(text: str) -> tuple[float, ...]:
    return tuple(float(value) for value in np.asarray(EMBEDDER.embed_queries([text]))[0])
