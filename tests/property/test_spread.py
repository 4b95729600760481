"""The spread of a number inside a boundary against the statistics of the standard library; no order shows in it."""

from __future__ import annotations

import statistics
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.counts import examples

from byheart import Memory
from byheart.boundary import Boundary
from byheart.index.spread import spread_of

SHARES = st.floats(0.0, 1.0, allow_nan=False)


@settings(max_examples=examples(2_000), deadline=None)
@given(st.lists(SHARES, max_size=20), st.integers(0, 5), st.randoms())
def test_is_mean_and_sample_deviation(numbers: list[float], missing: int, random: object) -> None:
    found = spread_of(numbers, missing)
    every = [*numbers, *[0.0] * missing]
    assert found.records == len(every)
    if every:
        assert abs(found.mean - float(sum(map(Fraction, every), Fraction()) / len(every))) <= 1e-15
    if len(every) < 2:
        assert found.deviation is None
    else:
        assert found.deviation is not None and abs(found.deviation - statistics.stdev(every)) <= 1e-12
    assert spread_of(numbers[::-1], missing) == found == spread_of(every), "none is the same as 0"


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.tuples(st.none() | SHARES, st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_counts_what_can_be_found_inside(records: list[tuple[float | None, bool, bool]]) -> None:
    memory = Memory()
    for number, (quality, secret, archived) in enumerate(records):
        memory.remember(
            f"record {number}",
            id=f"r{number}",
            quality=quality,
            boundary_class="secret" if secret else "internal",
            archived_by=f"r{number}" if archived else None,
        )
    partition = memory._engine.indexes["default"]
    inside = partition.inside(Boundary(classes=("internal",)))
    own = [quality or 0.0 for quality, secret, archived in records if not secret and not archived]
    assert partition.figures.spread("quality", inside) == spread_of(own) == partition.figures.spread("quality", inside)
    memory.remember("one more", quality=1.0, boundary_class="internal")
    inside = partition.inside(Boundary(classes=("internal",)))
    assert partition.figures.spread("quality", inside) == spread_of([*own, 1.0])
