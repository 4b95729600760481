"""Arrays from Python: what is taken, and what is refused with one clear error."""

from array import array

import numpy as np
import pytest

import byheart
from byheart import HyperVector, _core, errors
from byheart.ranking.diversity import defer_similar
from byheart.ranking.normalisation import cosine_similarity, similarity_score

ROWS = np.array([[1, 0], [1, 0], [0, 1]], dtype=np.float32)
SCORES = [0.9, 0.8, 0.7]
BAD_NUMBER = ROWS.copy()
BAD_NUMBER[1, 1] = np.nan


def mmr(scores=SCORES, vectors=ROWS, k=2, trade_off=0.85):
    return byheart.maximal_marginal_relevance(scores, vectors, k, trade_off)


TAKEN = {
    "a matrix": lambda: mmr(),
    "a read-only matrix": lambda: mmr(vectors=np.frombuffer(ROWS.tobytes(), dtype=np.float32).reshape(3, 2)),
    "rows": lambda: mmr(vectors=list(ROWS)),
    "rows of another type": lambda: mmr(vectors=[array("f", row) for row in ROWS]),
    "a memoryview": lambda: mmr(vectors=memoryview(ROWS)),
    "scores as float64": lambda: mmr(scores=np.array(SCORES)),
    "scores as float32": lambda: mmr(scores=np.array(SCORES, dtype=np.float32)),
    "scores as a tuple": lambda: mmr(scores=tuple(SCORES)),
    "scores with gaps": lambda: mmr(scores=np.repeat(SCORES, 2)[::2]),
    "k as NumPy has it": lambda: mmr(k=np.int64(2)),
}


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_taken(name):
    assert TAKEN[name]() == [0, 2]


def test_small_cases():
    assert mmr([], [], 1) == []
    assert mmr([], np.empty((0, 8), dtype=np.float32), 1) == []
    assert mmr([1.0, 2.0], [None, None], 5) == [1, 0]
    assert mmr([1.0, 2.0], np.empty((2, 0), dtype=np.float32), 5) == [1, 0]
    assert mmr([1.0, 2.0], [array("f"), None], 5) == [1, 0]
    assert HyperVector.from_embeddings(np.empty((0, 8), dtype=np.float32)) == []


REFUSED = {
    "float64 rows": (lambda: mmr(vectors=ROWS.astype(np.float64)), TypeError, "float32"),
    "float64 in a list": (lambda: mmr(vectors=[None, None, np.zeros(2)]), TypeError, "vectors[2]"),
    "other byte order": (lambda: mmr(vectors=ROWS.astype(">f4")), TypeError, "float32"),
    "objects": (lambda: mmr(vectors=ROWS.astype(object)), TypeError, "float32"),
    "bytes": (lambda: mmr(vectors=ROWS.tobytes()), TypeError, "float32"),
    "lists of numbers": (lambda: mmr(vectors=ROWS.tolist()), TypeError, "vectors[0] must be a float32 array, not list"),
    "str": (lambda: mmr(vectors="abc"), TypeError, "vectors"),
    "number": (lambda: mmr(vectors=3), TypeError, "int"),
    "columns first": (lambda: mmr(vectors=np.asfortranarray(ROWS)), errors.InvalidArgument, "C-contiguous"),
    "gaps": (lambda: mmr(vectors=np.repeat(ROWS, 2, axis=0)[::2]), errors.InvalidArgument, "C-contiguous"),
    "one dimension": (lambda: mmr(vectors=ROWS[0]), errors.InvalidArgument, "shape [2]"),
    "no dimension": (lambda: mmr(vectors=np.array(3, dtype=np.float32)), TypeError, "0-d"),
    "a row too few": (lambda: mmr(vectors=ROWS[:2]), errors.InvalidArgument, "2 rows for 3 scores"),
    "rows of two lengths": (
        lambda: mmr(vectors=[ROWS[0], None, np.zeros(3, dtype=np.float32)]),
        errors.InvalidArgument,
        "vectors[2]: has 3 dimensions",
    ),
    "a matrix in a list": (lambda: mmr(vectors=[ROWS, None, None]), errors.InvalidArgument, "one dimension"),
    "NaN": (lambda: mmr(vectors=BAD_NUMBER), errors.InvalidArgument, "row 1"),
    "infinity": (lambda: mmr(vectors=np.full((3, 2), -np.inf, dtype=np.float32)), errors.InvalidArgument, "row 0"),
    "NaN score": (lambda: mmr(scores=[0.9, float("nan"), 0.7]), errors.InvalidArgument, "index 1"),
    "infinite score": (lambda: mmr(scores=[float("inf")] * 3), errors.InvalidArgument, "index 0"),
    "scores of another type": (lambda: mmr(scores=["a", "b", "c"]), TypeError, "str"),
    "scores as str": (lambda: mmr(scores="abc"), TypeError, "scores"),
    "k of 0": (lambda: mmr(k=0), errors.InvalidArgument, "k"),
    "k below 0": (lambda: mmr(k=-1), errors.InvalidArgument, "k"),
    "k as float": (lambda: mmr(k=2.0), TypeError, "k must be int"),
    "k as bool": (lambda: mmr(k=True), TypeError, "k must be int"),
    "k too large": (lambda: mmr(k=100_001), errors.LimitExceeded, "100000"),
    "trade_off above 1": (lambda: mmr(trade_off=1.5), errors.InvalidArgument, "trade_off"),
    "trade_off below 0": (lambda: mmr(trade_off=-0.1), errors.InvalidArgument, "trade_off"),
    "trade_off NaN": (lambda: mmr(trade_off=float("nan")), errors.InvalidArgument, "trade_off"),
    "too many candidates": (lambda: mmr([0.0] * 100_001, [None] * 100_001), errors.LimitExceeded, "100000"),
    "float64 embedding": (lambda: HyperVector.from_embedding(np.ones(3)), TypeError, "float32"),
    "list as embedding": (lambda: HyperVector.from_embedding([1.0]), TypeError, "float32"),
    "matrix as embedding": (lambda: HyperVector.from_embedding(ROWS), errors.InvalidArgument, "one dimension"),
    "no components": (lambda: HyperVector.from_embedding(array("f")), errors.InvalidArgument, "at least 1"),
    "too many components": (
        lambda: HyperVector.from_embedding(np.ones(4097, dtype=np.float32)),
        errors.LimitExceeded,
        "4096",
    ),
    "infinite component": (lambda: HyperVector.from_embedding(array("f", [1e39])), errors.InvalidArgument, "inf"),
    "NaN in a later block of rows": (
        lambda: HyperVector.from_embeddings(np.vstack([np.ones((600, 2), dtype=np.float32), BAD_NUMBER])),
        errors.InvalidArgument,
        "embedding 601",
    ),
    "rows without components": (
        lambda: HyperVector.from_embeddings(np.empty((3, 0), dtype=np.float32)),
        errors.InvalidArgument,
        "at least 1",
    ),
    "vector as rows": (lambda: HyperVector.from_embeddings(ROWS[0]), errors.InvalidArgument, "two dimensions"),
    "cosine of two lengths": (lambda: cosine_similarity([1, 2, 3], [1, 2]), errors.DimensionMismatch, "3 and 2"),
    "cosine of NaN": (lambda: cosine_similarity([float("nan")], [1]), errors.InvalidArgument, "NaN"),
    "deferral of two lengths": (lambda: defer_similar([[1.0], [1.0, 0.0]]), errors.InvalidArgument, "dimensions"),
    "core's cosine of float32": (lambda: _core.cosine(ROWS[0], ROWS[0]), TypeError, "float64"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name):
    call, kind, words = REFUSED[name]
    with pytest.raises(kind) as caught:
        call()
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int8, list, tuple])
def test_deferral_and_cosine_take_any_numbers(kind):
    vectors = [[1, 0], [3, 0], [0, 2]]
    vectors = [kind(v) if kind in (list, tuple) else np.array(v, dtype=kind) for v in vectors]
    assert defer_similar(vectors) == [0, 2, 1]
    assert cosine_similarity(vectors[0], vectors[2]) == 0.0
    assert cosine_similarity(vectors[0], [0, 0]) is None


def test_deferral_near_the_threshold_is_strict():
    assert defer_similar([[1, 0], [0.85, 0.526782687642637]]) == [0, 1]
    assert defer_similar([[1, 0], [0.8500001, 0.5267825262]]) == [0, 1]
    assert defer_similar([[1, 0], [2, 0], [1, 0]]) == [0, 1, 2]
    assert defer_similar([[1, 0], [2, 0]], threshold=1.0) == [0, 1]


def test_scores_outside_the_scale_count_as_its_ends():
    assert [similarity_score(value) for value in (-1.5, -1, -0.5, 0, 1, 1.5)] == [0.0, 0.0, 0.25, 0.5, 1.0, 1.0]


def test_arrays_are_copied_on_entry():
    rows = ROWS.copy()
    first = HyperVector.from_embedding(rows[0])
    rows[0] = 7.0
    assert first == HyperVector.from_embedding(ROWS[0])
