"""A search among given records is the whole search, filtered: same scores, same order, bit for bit."""

import random
from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.reference import cascade, lexical, nearest, text

from ..counts import examples
from .strategies import ids
from .test_dense_oracle import CELLS, described, filled, vector
from .test_dense_oracle import inside as dense_cells
from .test_dense_oracle import names as dense_names
from .test_hypervector_oracle import WEIGHTS, defined, fielded, pair, real, recipes
from .test_hypervector_oracle import ids as vector_ids
from .test_lexical_oracle import FIELDS, cells, histories, queries, replay

K = st.integers(1, 12)
FORMS = st.sampled_from([list, tuple, set, frozenset])
WORDS = [f"w{rank}" for rank in range(60)]


def given_among(names, most):
    """Return a strategy for `among`: ids held and not, some twice, in each form it may have."""
    return st.builds(lambda form, some: form(some), FORMS, st.lists(names, max_size=most))


@settings(max_examples=examples(3_000))
@given(filled(), dense_cells, K, given_among(dense_names | st.just("unknown"), 100))
def test_dense_among_is_its_definition(made, cells, k, among):
    _, index, model, query = made
    expected = cascade.search(model, query, k, cells, among=among)
    found = index.search(array("f", query), k, cells=cells, among=among)
    assert list(found) == expected
    whole = index.search(array("f", query), 200, cells=cells)
    assert [hit for hit in whole if hit[0] in among][:k] == expected
    if any(query):
        assert found.counters["records"] == found.trace[0]["rows"] == len(
            [name for name, entry in model.items() if name in among and (cells is None or entry.cell in cells)]
        )  # fmt: skip


def rows(draw, records=2_000):
    """Return an index with more rows than a search scores without looking at bounds, in three cells."""
    index = byheart.DenseIndex(35, (4, 16, 35))
    kinds = ["any", "near", "near", "near", "ulp", "opposite", "flat", "zero"]
    for round in range(2):
        chosen = [f"r{n}" for n in range(records) if round == 0 or n % 7 == 0]
        vectors = [array("f", vector(draw.choice(kinds), draw.randrange(400), 35)) for _ in chosen]
        index.add(chosen, vectors, cells=[f"c{draw.randrange(3)}" for _ in chosen])
    index.remove([f"r{n}" for n in range(0, records, 11)])
    return index


ROWS = rows(random.Random(20261122))


@settings(max_examples=examples(100))
@given(
    described,
    st.lists(st.sampled_from(["c0", "c1", "c2"]), max_size=2) | st.none(),
    st.sampled_from([1, 10, 300]),
    st.sampled_from([1, 5, 40, 100, 200, 400, 1_500, 4_000]),
    st.integers(0, 2**32),
)
def test_dense_among_in_many_rows_is_the_whole_search_filtered(query, inside, k, size, seed):
    among = set(random.Random(seed).choices([f"r{n}" for n in range(2_100)], k=size))
    query = array("f", vector(*query, 35))
    whole = ROWS.search(query, 100_000, cells=inside)
    expected = [hit for hit in whole if hit[0] in among][:k]
    assert list(ROWS.search(query, k, cells=inside, among=among)) == expected


@settings(max_examples=examples(100))
@given(
    described,
    st.lists(st.sampled_from(["c0", "c1", "c2"]), max_size=2) | st.none(),
    st.sampled_from([1, 10, 300]),
    st.sampled_from([1, 5, 40, 100, 200, 400, 1_500, 4_000]),
    st.lists(st.sampled_from([-2.0, 0.5, 0.9, 0.99, 2.0]), min_size=2, max_size=2),
    st.sampled_from([None, 1, 30, 500]),
    st.integers(0, 2**32),
)
def test_what_an_inexact_search_finds_leads_the_same_search_among_some(
    query, inside, k, size, thresholds, shortlist, seed
):
    among = set(random.Random(seed).choices([f"r{n}" for n in range(2_100)], k=size))
    query = array("f", vector(*query, 35))
    exact = dict(ROWS.search(query, 100_000, cells=inside))
    ways = [
        {"mode": "early_exit", "thresholds": thresholds, "time_budget_ms": None, "rescore": "full"},
        {"mode": "early_exit", "thresholds": thresholds, "time_budget_ms": None, "rescore": "tier"},
        {"mode": "approx", "shortlist": shortlist},
    ]
    for way in ways:
        found = ROWS.search(query, k, cells=inside, among=among, **way)
        whole = ROWS.search(query, k, cells=inside, **way)
        leading = [hit for hit in whole if hit[0] in among]
        assert list(found)[: len(leading)] == leading
        assert len(set(found.ids)) == len(found) == min(k, len(exact.keys() & among))
        assert set(found.ids) <= exact.keys() & among
        if way.get("rescore") == "tier":
            everything = ROWS.search(query, 100_000, cells=inside, **way)
            assert list(found) == [hit for hit in everything if hit[0] in among][:k]
            continue
        assert all(exact[id] == score for id, score in found)
        rest = list(found)[len(leading) :]
        if way["mode"] == "early_exit":
            assert rest == sorted(rest, key=lambda hit: (-hit[1], hit[0]))
            assert (found.tier, found.trace[:-1]) == (whole.tier, whole.trace[:-1])


@settings(max_examples=examples(100))
@given(
    filled(),
    st.lists(st.sampled_from(CELLS), max_size=2),
    K,
    given_among(dense_names, 60),
    st.integers(1, 60),
    st.lists(st.sampled_from([-2.0, 0.5, 0.92, 2.0]), min_size=7, max_size=7),
)
def test_records_of_other_cells_change_nothing_whatever_the_mode(made, cells, k, among, shortlist, thresholds):
    ladder, index, model, query = made
    alone = byheart.DenseIndex(ladder[-1], ladder)
    for name, entry in model.items():
        if entry.cell in cells:
            alone.add([name], array("f", entry.vector), cells=entry.cell)
    early = {"mode": "early_exit", "thresholds": thresholds[: len(ladder) - 1], "time_budget_ms": None}
    for way in ({}, early, {"mode": "approx", "shortlist": shortlist}):
        for some in (None, among):
            found = index.search(array("f", query), k, cells=cells, among=some, **way)
            expected = alone.search(array("f", query), k, among=some, **way)
            assert (list(found), found.trace, found.counters) == (list(expected), expected.trace, expected.counters)


@settings(max_examples=examples(2_000))
@given(
    filled(),
    dense_cells,
    K,
    given_among(dense_names, 60),
    st.lists(st.sampled_from([-2.0, 0.0, 0.5, 0.92, 1.0, 2.0]), min_size=7, max_size=7),
    st.sampled_from(["full", "tier"]),
)
def test_an_early_exit_among_is_its_definition(made, cells, k, among, thresholds, rescore):
    ladder, index, model, query = made
    thresholds = thresholds[: len(ladder) - 1]
    expected, visits = cascade.search_early_exit(
        model, query, k, ladder, thresholds, cells, rescore=rescore, among=among
    )
    found = index.search(
        array("f", query), k, cells=cells, mode="early_exit", thresholds=thresholds, rescore=rescore,
        time_budget_ms=None, among=among,
    )  # fmt: skip
    assert list(found) == expected
    assert [(row["tier"], row["best"], row["exited"], row["rows"]) for row in found.trace] == [
        (visit.tier, visit.best, visit.exited, visit.rows) for visit in visits
    ]


@settings(max_examples=examples(3_000))
@given(
    histories,
    queries,
    st.lists(cells, max_size=3) | st.none(),
    K,
    st.none() | st.dictionaries(st.sampled_from(["x", "y", "z"]), st.floats(0.5, 2.0), max_size=2),
    given_among(ids | st.just("unknown"), 12),
)
def test_lexical_among_is_its_definition(history, words, inside, k, boosts, among):
    index, model = byheart.LexicalIndex(FIELDS), {}
    replay(history, index, model)
    query = text.terms(" ".join(words))
    expected = lexical.search(model, query, FIELDS, cells=inside, k=k, boosts=boosts, among=among)
    found = index.search(query, k, cells=inside, boosts=boosts, among=among)
    assert list(found) == expected
    whole = index.search(query, 20, cells=inside, boosts=boosts)
    assert [hit for hit in whole if hit[0] in among][:k] == expected
    assert (found.counters, found.idf_sum) == (whole.counters, whole.idf_sum)


def crowd(draw, records=3_000):
    """Return an index whose lists are long enough to be asked instead of added, in three cells, partly replaced."""
    index = byheart.LexicalIndex({"title": 1.5, "body": 1.0})

    def words(count):
        return " ".join(WORDS[min(int(draw.expovariate(0.15)), 59)] for _ in range(count))

    for round in range(2):
        chosen = [f"r{n}" for n in range(records) if round == 0 or n % 7 == 0]
        bodies = [{"title": words(3), "body": words(draw.choice([2, 9, 40]))} for _ in chosen]
        labels = [draw.choice([None, "x", "y"]) for _ in chosen]
        index.add(chosen, bodies, cells=[f"c{draw.randrange(3)}" for _ in chosen], labels=labels)
    index.remove([f"r{n}" for n in range(0, records, 11)])
    return index


CROWD = crowd(random.Random(20261122))


@settings(max_examples=examples(1_000))
@given(
    st.lists(st.sampled_from([*WORDS[:12], WORDS[40], "absent"]), min_size=1, max_size=6),
    st.lists(st.sampled_from(["c0", "c1", "c2"]), max_size=2) | st.none(),
    st.sampled_from([1, 10, 300]),
    st.sampled_from([None, {"x": 1.3}]),
    st.sampled_from([1, 5, 40, 200, 1_500, 4_000]),
    st.integers(0, 2**32),
)
def test_lexical_among_in_long_lists_is_the_whole_search_filtered(words, inside, k, boosts, size, seed):
    among = set(random.Random(seed).choices([f"r{n}" for n in range(3_100)], k=size))
    whole = CROWD.search(words, 100_000, cells=inside, boosts=boosts)
    expected = [hit for hit in whole if hit[0] in among][:k]
    assert list(CROWD.search(words, k, cells=inside, boosts=boosts, among=among)) == expected
    assert list(CROWD.search(words, k, cells=inside, boosts=boosts)) == list(whole)[:k]  # it left nothing behind


@settings(max_examples=examples(2_000))
@given(
    st.lists(st.tuples(vector_ids, fielded, cells), max_size=8, unique_by=lambda record: record[0]),
    fielded,
    st.none() | st.lists(cells, max_size=2),
    K,
    st.sampled_from(["sum", "adaptive"]),
    given_among(vector_ids | st.just("unknown"), 9),
)
def test_hypervector_among_is_its_definition(records, query, inside, k, combine, among):
    index, model = byheart.HypervectorIndex(WEIGHTS, combine=combine, floor=0.05), {}
    for name, vectors, cell in records:
        index.add([name], [real(vectors)], cells=[cell])
        model[name] = nearest.Entry(defined(vectors), cell=cell)
    expected = nearest.search(
        model, defined(query), WEIGHTS, combine=combine, floor=0.05, cells=inside, k=k, among=among
    )
    found = index.search(real(query), k, cells=inside, among=among)
    assert list(found) == expected
    whole = index.search(real(query), 20, cells=inside)
    assert [hit for hit in whole if hit[0] in among][:k] == expected
    assert found.counters == whole.counters


def vectors(draw, records=3_000):
    """Return two indexes with more rows than a block: one vector a record, and one for each of some fields."""
    words = [byheart.HyperVector.random(f"v{n}") for n in range(90)]
    whole, fielded = byheart.HypervectorIndex(), byheart.HypervectorIndex({"topic": 0.6, "claim": 0.4}, "adaptive")
    for round in range(2):
        chosen = [f"r{n}" for n in range(records) if round == 0 or n % 7 == 0]
        cells = [f"c{draw.randrange(3)}" for _ in chosen]
        bundles = [byheart.HyperVector.bundle(draw.sample(words, draw.randint(1, 4))) for _ in chosen]
        whole.add(chosen, bundles, cells=cells)
        parts = [draw.choice([("topic",), ("claim",), ("topic", "claim")]) for _ in chosen]
        fielded.add(chosen, [dict.fromkeys(names, one) for names, one in zip(parts, bundles, strict=True)], cells=cells)
    for index in (whole, fielded):
        index.remove([f"r{n}" for n in range(0, records, 11)])
    return whole, fielded


VECTORS, FIELDED = vectors(random.Random(20261122))


@settings(max_examples=examples(80))
@given(
    recipes | st.integers(0, 89),
    st.lists(st.sampled_from(["c0", "c1", "c2"]), max_size=2) | st.none(),
    st.sampled_from([1, 10, 300]),
    st.sampled_from([1, 5, 40, 200, 1_500, 4_000]),
    st.integers(0, 2**32),
)
def test_hypervector_among_in_many_rows_is_the_whole_search_filtered(query, inside, k, size, seed):
    among = set(random.Random(seed).choices([f"r{n}" for n in range(3_100)], k=size))
    vector = byheart.HyperVector.random(f"v{query}") if isinstance(query, int) else pair(query)[0]
    for index, asked in ((VECTORS, vector), (FIELDED, {"topic": vector, "claim": vector})):
        whole = index.search(asked, 100_000, cells=inside)
        expected = [hit for hit in whole if hit[0] in among][:k]
        assert list(index.search(asked, k, cells=inside, among=among)) == expected
