"""Embedders are their definition, bit for bit; a batch is its texts one by one; and a cache is not noticed."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from byheart import Analyzer
from byheart.embedding import CachedEmbedder, HashingEmbedder, StaticEmbedder, embed_checked, unit_rows
from byheart.embedding.token_table import TokenTable
from byheart.reference import embedding as oracle

from .strategies import texts

TERMS = Analyzer().terms  # the core's: its Unicode tables may be newer than Python's
widths = st.sampled_from([1, 2, 7, 64, 256])
any_text = texts | st.text(max_size=30)
# Small halves: their sums and squares are exact in any order, so that every bit can be asked for.
halves = st.integers(-40, 40).map(lambda number: number / 2)
UNIT = 2.0**-22  # of a length: 32-bit components, each rounded once


@st.composite
def tables(draw):
    """Return rows, weights or none, a mapping or none, and tokens."""
    rows, width = draw(st.integers(1, 6)), draw(st.integers(1, 9))
    table = [[draw(halves) for _ in range(width)] for _ in range(rows)]
    mapping = draw(st.none() | st.lists(st.integers(0, rows - 1), min_size=1, max_size=8))
    tokens = rows if mapping is None else len(mapping)
    weights = draw(st.none() | st.lists(halves, min_size=tokens, max_size=tokens))
    return table, weights, mapping, draw(st.lists(st.integers(0, tokens - 1), max_size=12))


def array(values, kind):
    return None if values is None else np.array(values, kind)


@given(any_text, widths, st.sampled_from([0, 1, 2**64 - 1]))
def test_hashed_vectors_are_their_definition(text, width, seed):
    row = HashingEmbedder(width, seed).embed_documents([text])[0]

    assert row.tolist() == oracle.unit_row(oracle.hashed_counts(TERMS(text), width, seed))


@given(tables(), st.sampled_from(["<f2", "<f4", "<f8"]))
def test_means_are_their_definition(case, kind):
    table, weights, mapping, tokens = case
    real = TokenTable(array(table, kind), array(weights, kind), array(mapping, "<i8"))

    assert real.mean(tokens).tolist() == oracle.mean_row(table, tokens, weights, mapping)


@given(tables())
def test_a_static_row_is_the_unit_mean(case):
    table, weights, mapping, tokens = case
    embedder = StaticEmbedder.from_arrays(
        np.array(table), lambda _: tokens, weights=array(weights, "<f8"), mapping=array(mapping, "<i8")
    )
    row = embedder.embed_queries(["x"])[0]
    expected = oracle.unit_row(oracle.mean_row(table, tokens, weights, mapping))

    # The mean has a rounded quotient, whose squares are summed in another order there.
    assert np.abs(row - expected).max() <= UNIT


@given(st.integers(4_000, 9_000), st.integers(0, 2**32))
def test_blocks_do_not_show(length, seed):
    tokens = np.random.default_rng(seed).integers(0, 5_000, length).tolist()
    rows = np.arange(5_000, dtype=np.float64)[:, None] - 2_000

    assert TokenTable(rows).mean(tokens)[0] == (sum(tokens) - 2_000 * len(tokens)) / len(tokens)


@given(st.lists(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3), max_size=5))
def test_rows_are_unit_or_zero_and_do_not_know_their_neighbours(rows):
    matrix = np.array(rows, np.float64).reshape(len(rows), 3)
    made = unit_rows(matrix)
    lengths = np.linalg.norm(made.astype(np.float64), axis=1)

    assert made.dtype == np.float32
    for at, row in enumerate(matrix):
        assert made[at].tobytes() == unit_rows(row[None])[0].tobytes()
        assert abs(lengths[at] - 1.0) <= UNIT if row.any() else lengths[at] == 0.0


@given(st.lists(any_text, max_size=6), st.sampled_from(["document", "query"]))
def test_a_batch_is_its_texts_one_by_one(batch, mode):
    embedder = HashingEmbedder(64)
    rows = embed_checked(embedder, batch, mode)

    assert rows.shape == (len(batch), 64)
    for text, row in zip(batch, rows, strict=True):
        assert (embed_checked(embedder, [text], mode)[0] == row).all()


@given(st.lists(st.tuples(st.lists(texts, max_size=5), st.booleans()), max_size=8), st.integers(1, 6))
def test_a_cache_is_not_noticed(calls, capacity):
    plain, asked = HashingEmbedder(16), 0
    cached = CachedEmbedder(plain, capacity)
    for batch, query in calls:
        embed = cached.embed_queries if query else cached.embed_documents
        assert embed(batch).tobytes() == plain.embed_documents(batch).tobytes()
        asked += len(batch)
        assert len(cached) <= capacity
        assert cached.hits + cached.misses == asked
