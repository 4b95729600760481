"""What the dense index takes, what it refuses, and what its answers say about themselves."""

import pickle
import zlib
from array import array

import numpy as np
import pytest

import byheart
from byheart._core import cascade_trace
from byheart.errors import CorruptIndex, InvalidArgument, LimitExceeded, UnsupportedFormat

DIMENSIONS = 8
ROWS = np.random.default_rng(5).normal(size=(60, DIMENSIONS)).astype(np.float32)
IDS = [f"r{n:02}" for n in range(len(ROWS))]


@pytest.fixture
def index():
    index = byheart.DenseIndex(DIMENSIONS, (2, 4, DIMENSIONS))
    index.add(IDS, ROWS, cells=["even" if n % 2 == 0 else "odd" for n in range(len(ROWS))])
    return index


def test_every_way_to_give_vectors_is_the_same(index):
    read_only = ROWS.copy()
    read_only.flags.writeable = False
    wide = np.zeros((len(ROWS), 2 * DIMENSIONS), dtype=np.float32)
    wide[:, ::2] = ROWS
    ways = [
        read_only,
        np.asfortranarray(ROWS),
        wide[:, ::2],
        ROWS.reshape(-1),
        list(ROWS),
        [array("f", row) for row in ROWS],
        array("f", ROWS.tobytes()),
        memoryview(ROWS),
    ]
    query = ROWS[7]
    expected = index.search(query, 5)
    for vectors in ways:
        other = byheart.DenseIndex(DIMENSIONS, (2, 4, DIMENSIONS))
        other.add(IDS, vectors)
        assert other.search(query, 5) == expected
    for form in (array("f", query), wide[7, ::2], memoryview(query), read_only[7]):
        assert index.search(form, 5) == expected
    assert index.search_many(ROWS[:3], 5) == [index.search(row, 5) for row in ROWS[:3]]


def test_a_buffer_is_copied_before_it_is_used(index):
    rows = ROWS.copy()
    other = byheart.DenseIndex(DIMENSIONS, (2, 4, DIMENSIONS))
    other.add(IDS, rows)
    rows[:] = 0
    assert other.search(ROWS[0], 3) == index.search(ROWS[0], 3)


BAD = {
    "float64": (lambda i: i.search(ROWS[0].astype(np.float64)), TypeError, "float64"),
    "integers": (lambda i: i.search(ROWS[0].astype(np.int32)), TypeError, "float32"),
    "swapped bytes": (lambda i: i.search(ROWS[0].astype(">f4")), TypeError, "float32"),
    "not aligned": (
        lambda i: i.search(np.frombuffer(bytes(33), np.uint8)[1:].view(np.float32)),
        InvalidArgument,
        "aligned",
    ),
    "objects": (lambda i: i.search(ROWS[0].astype(object)), TypeError, "float32"),
    "a list of floats": (lambda i: i.search([1.0] * DIMENSIONS), TypeError, "numpy.asarray"),
    "one number": (lambda i: i.search(np.float32(1.0)), InvalidArgument, "shape ()"),
    "no buffer": (lambda i: i.search(7), TypeError, "int"),
    "text": (lambda i: i.add(["x"], "text"), TypeError, "vectors"),
    "bytes": (lambda i: i.search(bytes(4 * DIMENSIONS)), TypeError, "float32"),
    "no dimension": (lambda i: i.search(np.zeros((), np.float32)), InvalidArgument, "shape ()"),
    "too short": (lambda i: i.search(ROWS[0][:3]), InvalidArgument, "shape (3)"),
    "too long": (lambda i: i.search(np.zeros(9, np.float32)), InvalidArgument, "shape (9)"),
    "a matrix for a vector": (lambda i: i.search(ROWS[:1]), InvalidArgument, "one vector of 8"),
    "too wide": (lambda i: i.add(["x"], np.zeros((1, 9), np.float32)), InvalidArgument, "(n, 8)"),
    "three dimensions": (lambda i: i.add(["x"], np.zeros((1, 1, 8), np.float32)), InvalidArgument, "(n, 8)"),
    "half a vector more": (lambda i: i.add(["x"], np.zeros(12, np.float32)), InvalidArgument, "shape (12)"),
    "a list with one too short": (lambda i: i.add(["x", "y"], [ROWS[0], ROWS[0][:3]]), InvalidArgument, "shape (3)"),
    "fewer vectors than ids": (lambda i: i.add(["x", "y"], ROWS[:1]), InvalidArgument, "2 vectors"),
    "fewer cells than ids": (lambda i: i.add(["x", "y"], ROWS[:2], cells=["a"]), InvalidArgument, "cells"),
    "an id twice": (lambda i: i.add(["x", "x"], ROWS[:2]), InvalidArgument, "twice"),
    "a long cell key": (lambda i: i.add(["x"], ROWS[:1], cells="c" * 513), LimitExceeded, "512"),
    "NaN": (lambda i: i.search(np.full(8, np.nan, np.float32)), InvalidArgument, "NaN at 0"),
    "infinity": (lambda i: i.add(["x"], np.full((1, 8), np.inf, np.float32)), InvalidArgument, "inf at 0"),
    "k of 0": (lambda i: i.search(ROWS[0], 0), InvalidArgument, "at least 1"),
    "k of 2^63": (lambda i: i.search(ROWS[0], 2**63), LimitExceeded, "100000"),
    "no thread": (lambda i: i.search_many(ROWS[:2], threads=0), InvalidArgument, "threads"),
    "unknown mode": (lambda i: i.search(ROWS[0], mode="fast"), InvalidArgument, "approx"),
    "unknown exit rule": (lambda i: i.search(ROWS[0], exit_rule="maybe"), InvalidArgument, "at_least"),
    "unknown rescoring": (lambda i: i.search(ROWS[0], rescore="half"), InvalidArgument, "tier"),
    "one threshold for two": (
        lambda i: i.search(ROWS[0], mode="early_exit", thresholds=[0.5]),
        InvalidArgument,
        "needs 2",
    ),
    "a threshold that is no number": (
        lambda i: i.search(ROWS[0], thresholds=[0.5, float("nan")]),
        InvalidArgument,
        "thresholds",
    ),
    "a negative budget": (lambda i: i.search(ROWS[0], time_budget_ms=-1.0), InvalidArgument, "time_budget_ms"),
    "a budget of NaN": (lambda i: i.search(ROWS[0], time_budget_ms=float("nan")), InvalidArgument, "time_budget_ms"),
    "no shortlist": (lambda i: i.search(ROWS[0], shortlist=0), InvalidArgument, "shortlist"),
    "unknown id": (lambda i: i.vector("nobody"), InvalidArgument, "nobody"),
    "explain an unknown id": (lambda i: i.explain(ROWS[0], "nobody"), InvalidArgument, "nobody"),
    "other bytes": (lambda i: byheart.DenseIndex.from_bytes(byheart.LexicalIndex().to_bytes()), CorruptIndex, "LEXI"),
    "pickle": (pickle.dumps, TypeError, "to_bytes"),
    "no dimensions": (lambda i: byheart.DenseIndex(0), InvalidArgument, "dimensions"),
    "too many dimensions": (lambda i: byheart.DenseIndex(4097), LimitExceeded, "4096"),
    "tiers that shrink": (lambda i: byheart.DenseIndex(8, (4, 2, 8)), InvalidArgument, "grow"),
    "tiers that end early": (lambda i: byheart.DenseIndex(8, (2, 4)), InvalidArgument, "the last is 8"),
    "no tier": (lambda i: byheart.DenseIndex(8, ()), InvalidArgument, "tiers"),
    "nine tiers": (lambda i: byheart.DenseIndex(9, tuple(range(1, 10))), LimitExceeded, "number of tiers"),
    "scores for other tiers": (lambda i: cascade_trace([0.5], [1, 2], thresholds=[0.5]), InvalidArgument, "best"),
}


@pytest.mark.parametrize("name", BAD)
def test_one_clear_error_and_nothing_changed(index, name):
    call, kind, words = BAD[name]
    before = index.to_bytes()
    with pytest.raises(kind) as caught:
        call(index)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400
    assert index.to_bytes() == before


def test_a_zero_query_finds_nothing_and_a_zero_row_scores_nothing(index):
    zero = np.zeros(DIMENSIONS, np.float32)
    for mode in ("exact", "early_exit", "approx"):
        found = index.search(zero, mode=mode)
        assert (list(found), found.tier) == ([], 3)
    index.add(["zero"], zero.reshape(1, -1))
    assert index.score(ROWS[0], "zero") == 0.0
    assert "zero" in index.search(ROWS[0], 61).ids


def test_an_empty_index_and_unknown_cells(index):
    empty = byheart.DenseIndex(DIMENSIONS)
    assert (len(empty), list(empty.search(ROWS[0])), empty.search_many([])) == (0, [], [])
    assert byheart.DenseIndex.from_bytes(empty.to_bytes()).tiers == [DIMENSIONS]
    assert list(index.search(ROWS[0], cells=[])) == list(index.search(ROWS[0], cells="nowhere")) == []
    empty.add([], np.zeros((0, DIMENSIONS), np.float32))
    assert len(empty) == 0


def test_an_answer_says_which_tier_gave_it(index):
    exact = index.search(ROWS[3], 4)
    assert (exact.tier, exact.dimensions, exact[0][0]) == (3, 8, "r03")
    best = index.score(ROWS[3], "r03")
    assert exact.trace == [{"tier": 3, "dimensions": 8, "best": best, "exited": False, "rows": 60}]
    early = index.search(ROWS[3], 4, mode="early_exit", cells="odd")
    assert (early.tier, early.dimensions) == (1, 2)
    best = max(index.explain(ROWS[3], id).tiers[0][1] for id in IDS[1::2])
    assert early.trace == [{"tier": 1, "dimensions": 2, "best": best, "exited": True, "rows": 30}]
    assert early.counters["records"] == 30 and len(early.timings) == 1
    later = index.search(ROWS[3], 4, mode="early_exit", thresholds=[1.0, 0.9])  # no score exceeds 1
    assert [row["tier"] for row in later.trace] == [1, 2]
    spent = index.search(ROWS[3], 4, mode="early_exit", time_budget_ms=0.0)
    assert (spent.tier, list(spent)) == (3, list(exact))
    assert byheart.LexicalIndex().search("fox").tier is None


def test_rescoring_puts_early_hits_on_the_scale_of_the_last_tier(index):
    full = index.search(ROWS[3], 9, mode="early_exit", thresholds=[-2.0, -2.0])
    tier = index.search(ROWS[3], 9, mode="early_exit", thresholds=[-2.0, -2.0], rescore="tier")
    assert sorted(full.ids) == sorted(tier.ids)
    assert full.scores == [index.score(ROWS[3], id) for id in full.ids] == sorted(full.scores, reverse=True)
    assert tier.scores == [index.explain(ROWS[3], id).tiers[0][1] for id in tier.ids]


def test_rows_come_back_and_replaced_ones_are_gone_from_every_tier(index):
    row = index.vector("r05")
    assert (row.dtype, row.shape, row.flags.writeable) == (np.float32, (DIMENSIONS,), False)
    np.testing.assert_allclose(row, ROWS[5] / np.linalg.norm(ROWS[5]), rtol=2**-22)
    index.add(["r05"], -ROWS[5].reshape(1, -1), cells="odd")
    assert len(index) == 60 and index.score(ROWS[5], "r05") < -0.999_999
    for mode in ("exact", "early_exit", "approx"):
        assert "r05" not in index.search(ROWS[5], 20, mode=mode).ids
    assert index.remove(["r05", "nobody"]) == 1
    assert "r05" not in index


def test_the_old_name_is_the_same_class_and_warns():
    with pytest.warns(DeprecationWarning, match="CascadeIndex is now called DenseIndex") as caught:
        old = byheart.CascadeIndex
    assert old is byheart.DenseIndex
    assert caught[0].filename == __file__


def test_bytes_of_the_format_before_are_refused_with_a_remedy(index):
    data = bytearray(index.to_bytes())
    data[12:16] = (1).to_bytes(4, "little")
    data[20:24] = zlib.crc32(data[:20]).to_bytes(4, "little")
    with pytest.raises(UnsupportedFormat, match="rebuild the index"):
        byheart.DenseIndex.from_bytes(bytes(data))
