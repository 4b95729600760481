"""What `among` takes, what it refuses, and what an answer among few records says about itself."""

import numpy as np
import pytest

import byheart
from byheart.errors import InvalidArgument

DIMENSIONS = 8
ROWS = np.random.default_rng(7).normal(size=(60, DIMENSIONS)).astype(np.float32)
IDS = [f"r{n:02}" for n in range(len(ROWS))]
CELLS = ["even" if n % 2 == 0 else "odd" for n in range(len(ROWS))]
MILLION = [f"x{n}" for n in range(1_000_000)]


@pytest.fixture
def dense():
    index = byheart.DenseIndex(DIMENSIONS, (2, 4, DIMENSIONS))
    index.add(IDS, ROWS, cells=CELLS)
    return index


@pytest.fixture
def lexical():
    index = byheart.LexicalIndex()
    index.add(IDS, ["fox " * (n % 7) + "den" for n in range(len(IDS))], cells=CELLS)
    return index


def hypervector(dense, lexical, among):
    index = byheart.HypervectorIndex()
    index.add(IDS, [byheart.HyperVector.random(name) for name in IDS], cells=CELLS)
    return index.search(byheart.HyperVector.random("r17"), among=among)


SEARCHES = {
    "hypervector": hypervector,
    "dense": lambda dense, lexical, among: dense.search(ROWS[0], among=among),
    "early exit": lambda dense, lexical, among: dense.search(ROWS[0], mode="early_exit", among=among),
    "approximate": lambda dense, lexical, among: dense.search(ROWS[0], mode="approx", among=among),
    "lexical": lambda dense, lexical, among: lexical.search("fox den", among=among),
}
BAD = {
    "one str": ("r01", TypeError, "among must be a list, not one str"),
    "a number": (7, TypeError, "among must be a list of str, not int"),
    "bytes": (b"r01", TypeError, "among must be str, not int"),
    "numbers": ([1, 2], TypeError, "among must be str, not int"),
    "None inside": (["r01", None], TypeError, "among must be str, not NoneType"),
    "a lone surrogate": (["r01", "\ud800"], InvalidArgument, "among"),
}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("name", BAD)
def test_one_clear_error(dense, lexical, search, name):
    among, kind, words = BAD[name]
    with pytest.raises(kind) as caught:
        SEARCHES[search](dense, lexical, among)
    assert words in str(caught.value)


@pytest.mark.parametrize("search", SEARCHES)
def test_what_is_unknown_or_given_twice_changes_nothing(dense, lexical, search):
    def found(among):
        return list(SEARCHES[search](dense, lexical, among))

    expected = found(["r05", "r17", "r40"])
    assert sorted(id for id, _ in expected) == ["r05", "r17", "r40"]
    assert found({"r40", "r17", "r05"}) == found(("r17", "r05", "r17", "r40")) == expected
    assert found(["r05", "", "x" * 600, "unknown", "r17", "r40"]) == expected
    assert found([*MILLION, "r40", "r17", "r05"]) == expected
    assert found([]) == found(set()) == found(["unknown"]) == []


def test_an_error_of_the_collection_itself_is_not_hidden(lexical):
    class Broken:
        def __iter__(self):
            raise OSError("the list is gone")

    with pytest.raises(OSError, match="gone"):
        lexical.search("fox", among=Broken())


def test_k_and_cells_hold_as_ever(dense, lexical):
    among = IDS[10:30]
    whole = [hit for hit in dense.search(ROWS[0], 60, cells="odd") if hit[0] in among]
    assert list(dense.search(ROWS[0], 3, cells="odd", among=among)) == whole[:3]
    whole = [hit for hit in lexical.search("fox", 60, cells="odd") if hit[0] in among]
    assert list(lexical.search("fox", 3, cells="odd", among=among)) == whole[:3]
    assert list(dense.search(ROWS[0], cells="nowhere", among=among)) == []
    assert list(lexical.search("fox", cells=[], among=among)) == []


def test_a_dense_answer_counts_the_given_records_of_the_cells(dense):
    found = dense.search(ROWS[3], 2, cells="odd", among=IDS[:10])
    assert (found.counters["records"], found.trace[0]["rows"]) == (5, 5)
    assert found.tier == 3
    early = dense.search(ROWS[3], 2, mode="early_exit", among=["r03", "r04"])
    assert (early.tier, early.trace[0]["rows"], early.ids[0]) == (1, 60, "r03")  # all of the cells decide where it ends
    assert early.counters["records"] == 2
    nothing = dense.search(np.zeros(DIMENSIONS, np.float32), among=["r03"])
    assert (list(nothing), nothing.counters["records"]) == ([], 0)


def test_the_work_follows_the_number_of_ids():
    rows = np.random.default_rng(11).normal(size=(5_000, 32)).astype(np.float32)
    index = byheart.DenseIndex(32)
    index.add([str(n) for n in range(len(rows))], rows)
    few = index.search(rows[0], 10, among=[str(n) for n in range(0, 5_000, 50)])
    assert few.counters["rescored"] == 100 and few.counters["estimated"] == 0, "a hundred are scored at once"
    assert few.ids[0] == "0"


@pytest.mark.parametrize("step", [8, 50])
def test_rows_that_lie_apart_are_found_with_and_without_a_look_at_their_bounds(step):
    """One in 50 is few enough to be scored at once, one in 8 is not: what is found is what the whole search finds."""
    rows = np.random.default_rng(11).normal(size=(5_000, 32)).astype(np.float32)
    index = byheart.DenseIndex(32)
    index.add([str(n) for n in range(len(rows))], rows)
    among = {str(n) for n in range(0, 5_000, step)}
    for query in rows[::500]:
        whole = [hit for hit in index.search(query, 5_000) if hit[0] in among]
        found = index.search(query, 10, among=sorted(among))
        assert list(found) == whole[:10]
        assert (found.counters["estimated"] > 0) == (step == 8) and found.counters["rescored"] <= 320
