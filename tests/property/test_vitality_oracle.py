"""How alive a record is: the definition bit for bit, its bounds, and what it rises and falls with."""

from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from byheart import errors
from byheart.conformance.vitality import FLOORS, vitality
from byheart.ranking.scoring.formulas import reinforced_half_life
from byheart.reference import vitality as oracle

from ..counts import examples

tiers = st.sampled_from(["core", "working", "peripheral"])
shares = st.sampled_from([0.0, 0.7, 1.0]) | st.floats(0.0, 1.0)
counts = st.sampled_from([0, 1, 2, 10_000]) | st.integers(0, 50)
days = st.sampled_from([-3.0, 0.0, 0.5, 1.0, 30.0, 1e6]) | st.floats(0.0, 5000.0)


@settings(max_examples=examples(2_000))
@given(tiers, shares, shares, counts, days, days, st.booleans())
def test_vitality_is_its_definition_and_a_share(tier, importance, confidence, count, age, since, dynamic):
    found = vitality(tier, importance, confidence, count, age, since, dynamic=dynamic)
    assert asdict(found) == oracle.vitality(tier, importance, confidence, count, age, since, dynamic)
    assert all(0.0 <= part <= 1.0 for part in asdict(found).values())
    assert found.multiplier >= 0.3 + 0.7 * FLOORS[tier] - 1e-15
    older = vitality(tier, importance, confidence, count, age + 30.0, since + 30.0, dynamic=dynamic)
    assert older.recency <= found.recency and older.multiplier <= found.multiplier
    static = vitality(tier, importance, confidence, count, age, since)
    assert found.recency <= static.recency


@settings(max_examples=examples(1_000))
@given(st.floats(0.1, 365.0), counts, days, st.floats(0.0, 2.0), st.floats(1.0, 10.0))
def test_use_lengthens_a_half_life_and_never_beyond_its_limit(base, count, since, factor, most):
    found = reinforced_half_life(base, count, since, factor=factor, max_multiplier=most)
    assert found == oracle.reinforced_half_life(base, count, since, factor, most)
    assert base <= found <= base * most
    assert reinforced_half_life(base, count + 5, since, factor=factor, max_multiplier=most) >= found
    assert reinforced_half_life(base, count, max(since, 0.0) + 60.0, factor=factor, max_multiplier=most) <= found
    assert reinforced_half_life(base, count, None, factor=factor, max_multiplier=most) == base


@pytest.mark.parametrize(
    ("change", "named"),
    [({"tier": "outer"}, "outer"), ({"importance": 1.5}, "importance"), ({"confidence": float("nan")}, "confidence"),
     ({"access_count": float("inf")}, "access_count"), ({"age_days": float("nan")}, "age_days")],
)  # fmt: skip
def test_what_is_outside_its_range_is_refused(change, named):
    usual = {"tier": "core", "importance": 0.5, "confidence": 0.5, "access_count": 1, "age_days": 2.0}
    with pytest.raises(errors.InvalidArgument, match=named):
        vitality(**{**usual, "days_since_access": 1.0, **change})
