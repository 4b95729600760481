"""The dense index is its definition, bit for bit, after any history: what the bounds leave out is never missed."""

import random
from array import array
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

import byheart
from byheart.reference import cascade as oracle

from ..counts import examples

LADDERS = [(5,), (2, 5, 9), (4, 16, 35), (16, 17), (1, 2, 3, 4, 5, 6, 7, 8)]
KINDS = ["any", "near", "ulp", "same", "opposite", "spike", "alternating", "denormal", "tiny", "zero", "half", "flat"]
CELLS = ["a", "b", "c"]
UNLIKELY_MANY = 90  # more than a search scores without looking at bounds: k + 30


@cache
def vector(kind: str, number: int, dimensions: int) -> tuple[float, ...]:
    """Return a vector of float32 values. Those of one width lie around one centre, where scores are close."""
    draw = random.Random(f"{kind}-{number}")
    centre = random.Random(dimensions)
    base = [centre.gauss(0, 1) / (place + 1) for place in range(dimensions)]
    values = {
        "any": lambda: [draw.gauss(0, 1) for _ in base],
        "near": lambda: [value + draw.gauss(0, 0.05) for value in base],
        "ulp": lambda: [value * (1 + draw.choice([-1, 0, 1]) * 2**-23) for value in base],
        "same": lambda: base,
        "opposite": lambda: [-value * draw.choice([1, 2]) for value in base],
        "spike": lambda: [draw.choice([1e30, 1e-3]) if n == number % dimensions else 1.0 for n in range(dimensions)],
        "alternating": lambda: [(-1) ** place * (1 + draw.random() * 1e-6) for place in range(dimensions)],
        "denormal": lambda: [draw.randint(-3, 3) * 1e-45 if draw.random() < 0.5 else value * 1e-38 for value in base],
        "tiny": lambda: [value * draw.choice([1e-9, 1e-10, 3e-39]) for value in base],
        "zero": lambda: [0.0 for _ in base],
        "half": lambda: [value if n > dimensions // 3 else draw.choice([0.0, 1e-42]) for n, value in enumerate(base)],
        "flat": lambda: [draw.choice([-1.0, 1.0]) for _ in base],
    }[kind]()  # fmt: skip
    return tuple(array("f", values))


names = st.integers(0, 120).map("r{}".format)
described = st.tuples(st.sampled_from(KINDS), st.integers(0, 40))
steps = st.lists(st.tuples(names, described, st.sampled_from(CELLS)) | names, max_size=6)


@st.composite
def filled(draw):
    """Return a ladder, an index and its model after some history, and a query."""
    ladder = draw(st.sampled_from(LADDERS))
    index, model = byheart.DenseIndex(ladder[-1], ladder), {}
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3))
    count = draw(st.integers(0, UNLIKELY_MANY))
    model = {
        f"r{number * 37 % 101}": oracle.Entry(vector(kinds[number % len(kinds)], number, ladder[-1]), CELLS[number % 3])
        for number in range(count)
    }
    index.add(
        list(model),
        [array("f", entry.vector) for entry in model.values()],
        cells=[entry.cell for entry in model.values()],
    )
    for step in draw(steps):
        if isinstance(step, str):
            assert index.remove([step]) == (model.pop(step, None) is not None)
        else:
            name, (kind, number), cell = step
            model[name] = oracle.Entry(vector(kind, number, ladder[-1]), cell)
            index.add([name], array("f", model[name].vector), cells=cell)
    kind, number = draw(described)
    return ladder, index, model, vector(kind, number, ladder[-1])


inside = st.none() | st.lists(st.sampled_from(CELLS), max_size=2)


@settings(max_examples=examples(10_000))
@given(filled(), inside, st.integers(1, 8))
def test_an_exact_search_is_its_definition(made, cells, k):
    _, index, model, query = made
    expected = oracle.search(model, query, k, cells)
    found = index.search(array("f", query), k, cells=cells)
    assert list(found) == expected
    assert [(id, index.score(array("f", query), id)) for id, _ in expected] == expected
    if cells is None:
        again = byheart.DenseIndex.from_bytes(index.to_bytes())
        assert list(again.search(array("f", query), k)) == expected
        assert again.search(array("f", query), k).counters == found.counters


@settings(max_examples=examples(2_000))
@given(
    filled(),
    inside,
    st.integers(1, 8),
    st.lists(st.sampled_from([-2.0, 0.0, 0.5, 0.92, 1.0, 2.0]), min_size=7, max_size=7),
    st.sampled_from(["strict", "at_least"]),
    st.sampled_from(["full", "tier"]),
    st.booleans(),
)
def test_an_early_exit_is_its_definition(made, cells, k, thresholds, exit_rule, rescore, spent):
    ladder, index, model, query = made
    thresholds = thresholds[: len(ladder) - 1]
    expected, visits = oracle.search_early_exit(
        model, query, k, ladder, thresholds, cells, exit_rule, rescore, lambda: spent
    )
    found = index.search(
        array("f", query), k, cells=cells, mode="early_exit", thresholds=thresholds, exit_rule=exit_rule,
        rescore=rescore, time_budget_ms=0.0 if spent else None,
    )  # fmt: skip
    assert list(found) == expected
    assert [(row["tier"], row["dimensions"], row["best"], row["exited"], row["rows"]) for row in found.trace] == [
        (visit.tier, visit.dimensions, visit.best, visit.exited, visit.rows) for visit in visits
    ]
    assert (found.tier, found.dimensions) == (visits[-1].tier, visits[-1].dimensions)
    assert len(found.timings) == len(visits)


@settings(max_examples=examples(1_000))
@given(filled(), st.lists(described, max_size=5), st.integers(1, 8))
def test_many_searches_are_single_ones(made, asked, k):
    ladder, index, _, _ = made
    queries = [array("f", vector(kind, number, ladder[-1])) for kind, number in asked]
    singles = [index.search(query, k) for query in queries]
    for threads in (1, 2, 7):
        many = index.search_many(queries, k, threads=threads)
        assert many == singles
        assert [found.counters for found in many] == [found.counters for found in singles]


@settings(max_examples=examples(1_000))
@given(filled(), inside, st.integers(1, 8), st.integers(1, 60))
def test_an_approximate_search_gives_true_scores_in_order(made, cells, k, shortlist):
    _, index, model, query = made
    expected = oracle.search(model, query, len(model), cells)
    found = list(index.search(array("f", query), k, cells=cells, mode="approx", shortlist=shortlist))
    assert set(found) <= set(expected)
    assert found == sorted(found, key=lambda hit: (-hit[1], hit[0]))
    assert len(found) == min(k, len(expected))
    everything = index.search(array("f", query), k, cells=cells, mode="approx", shortlist=len(model) + 1)
    assert list(everything) == expected[:k]


@settings(max_examples=examples(1_000))
@given(filled())
def test_rows_and_prefixes_are_their_definition(made):
    ladder, index, model, query = made
    for name, entry in model.items():
        assert index.vector(name).tolist() == oracle.normalised(entry.vector)
        assert index.prefixes(array("f", entry.vector)) == oracle.prefixes(entry.vector, ladder)
        told = index.explain(array("f", query), name)
        rows = oracle.normalised(query), oracle.normalised(entry.vector)
        assert told.tiers == [(width, oracle.tier_score(*rows, width)) for width in ladder]
        assert (told.dot, told.score) == (oracle.dot(*rows), oracle.score(*rows))
