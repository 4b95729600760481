"""Utilities that are all the same had a deviation: the rounded mean lay beside them, and each stood away from it."""

import pytest

from byheart import Memory
from byheart.boundary.policy import Retrieval
from byheart.index.spread import spread_of
from byheart.profiles.activation import activation
from byheart.ranking.activation import Population
from byheart.ranking.activation.ranked import of_table
from byheart.reference.activation import z_scores


@pytest.mark.parametrize(("utility", "records"), [(-0.73, 56), (-0.49, 33), (-0.22, 40), (0.1, 3)])
def test_what_all_have_is_the_mean(utility: float, records: int) -> None:
    same = [utility] * records
    assert Population.of(same) == (utility, 1.0)
    assert spread_of(same) == (records, utility, 0.0)
    assert set(z_scores(same)) == {0.0}


def test_what_all_have_is_worth_a_half() -> None:
    memory = Memory(noise=None)
    memory.remember_many([{"id": f"r{number}", "text": "tea", "utility": -0.73} for number in range(56)])
    found = memory.recall("tea", profile=activation(Retrieval(min_score=0.0), full_text=False))
    assert found.hits and {item.worth.utility for item in of_table(found.table).items} == {0.5}
