"""An ONNX embedder is its definition; its batches, their sizes and their order are not noticed."""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from byheart.embedding import OnnxEmbedder, embed_checked
from byheart.embedding.windows import spans
from byheart.reference import embedding as oracle

from ..models import tiny

# The wheel is also tested without its extras; `make test` installs them.
pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")

# Of a length: 32-bit components, each rounded once; BERT itself computes in 32 bits, and its sums may change order.
ONCE = 2.0**-22
ROUNDING = 2.0**-16

words = st.lists(st.sampled_from([*tiny.WORDS, "zebra", "cats", "xx"]), max_size=40).map(" ".join)
texts = words | st.text(max_size=12).filter(lambda text: text.isprintable())
# Halves are exact in every type, so the table holds what the oracle reads.
TABLE = np.round(8 * tiny.numbers("table", (len(tiny.VOCABULARY), 5))) / 2


@pytest.fixture(scope="module")
def make() -> Iterator[Callable[..., OnnxEmbedder]]:
    """Open embedders over the bag of words and BERT, each setting once."""
    with TemporaryDirectory() as name:
        folders = {
            "bag": tiny.write(Path(name, "bag"), tiny.bag(TABLE)),
            "bert": tiny.write(Path(name, "bert"), tiny.encoder()),
        }
        yield lru_cache(None)(lambda model, **settings: OnnxEmbedder(folders[model], **settings))


def by_definition(text: str, embedder: OnnxEmbedder, prefix: str) -> list[float]:
    """Return the vector of a text by the bag of words: windows, their means, the mean of those, cut, of unit length."""
    special, profile = [tiny.IDS["[CLS]"], tiny.IDS["[SEP]"]], embedder.profile
    tokenizer = tiny.opened_tokenizer()
    ids, before = (tokenizer.encode(each, add_special_tokens=False).ids for each in (text, prefix))
    if not ids:
        return [0.0] * embedder.dimensions
    size = profile.max_tokens - len(special) - len(before)
    windows = [ids[begin:end] for begin, end in oracle.window_spans(len(ids), size, profile.stride)]
    rows = [oracle.mean_row(TABLE.tolist(), [*special, *before, *window]) for window in windows]
    row = oracle.mean_of_windows(rows, [len(window) for window in windows])
    row = oracle.layer_norm(row) if profile.layer_norm else row
    cut = row[: embedder.dimensions]
    # What is brought to unit length from next to nothing is made of the rounding of float32 alone.
    assume(math.hypot(*cut) > 1e-3 or not any(cut))
    return oracle.unit_row(cut)


@given(
    st.lists(texts, max_size=6),
    st.sampled_from([5, 8, 64]),
    st.sampled_from([1, 3, 4]),
    st.booleans(),
    st.sampled_from([2, 5]),
)
def test_vectors_are_their_definition(make, batch, max_tokens, stride, layer_norm, dimensions):
    embedder = make(
        "bag",
        max_tokens=max_tokens,
        stride=stride,
        layer_norm=layer_norm,
        dimensions=dimensions,
        query_prefix="query: ",
    )
    for mode, prefix in (("document", ""), ("query", "query: ")):
        rows = embed_checked(embedder, batch, mode)
        expected = np.array([by_definition(text, embedder, prefix) for text in batch]).reshape(-1, dimensions)
        assert np.abs(rows - expected).max(initial=0.0) <= ONCE


@settings(max_examples=50)
@given(st.lists(texts, max_size=12), st.randoms(use_true_random=False), st.sampled_from([1, 2, 7, 100]))
def test_neighbours_are_not_noticed(make, batch, random, size):
    order = list(range(len(batch)))
    random.shuffle(order)
    alone = make("bert", batch_size=1, max_tokens=16, stride=8)
    together = make("bert", batch_size=size, max_tokens=16, stride=8)

    expected = np.concatenate([np.zeros((0, tiny.HIDDEN)), *(alone.embed_documents([text]) for text in batch)])
    rows = together.embed_documents([batch[at] for at in order])
    assert np.abs(rows - expected[order]).max(initial=0.0) <= ROUNDING
    assert rows.tobytes() == together.embed_documents([batch[at] for at in order]).tobytes()


@given(st.integers(1, 200), st.integers(1, 20), st.integers(1, 25))
def test_windows_leave_nothing_out(tokens, size, stride):
    found = spans(range(tokens), size, stride)

    assert [(part[0], part[-1] + 1) for part in found] == oracle.window_spans(tokens, size, stride)
    assert {token for part in found for token in part} == set(range(tokens))
