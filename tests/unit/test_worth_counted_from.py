"""What a record is worth is counted from when that was said: what is added later is no older."""

from __future__ import annotations

import pytest

import byheart

DAY, NOW = 86_400.0, 1.78e9


@pytest.fixture
def memory() -> byheart.Memory:
    memory = byheart.Memory()
    memory.remember("Ann drinks green tea.", id="tea", utility=1.0, quality=1.0, created_at=NOW - 60 * DAY)
    return memory


def test_feedback_between_two_runs_takes_nothing_from_the_first(memory: byheart.Memory) -> None:
    memory.decay(NOW)
    assert memory.get("tea").utility == pytest.approx(0.25)
    memory.feedback("tea", "helpful", now=NOW + 30 * DAY)
    assert memory.get("tea").utility == pytest.approx(0.125 + 0.1)
    memory.decay(NOW + 60 * DAY)
    assert memory.get("tea").utility == pytest.approx((0.125 + 0.1) / 2)
    assert memory.get("tea").quality == pytest.approx(0.5)


def test_a_worth_that_is_said_was_none_before(memory: byheart.Memory) -> None:
    memory.update("tea", utility=3.0, updated_at=NOW)
    memory.decay(NOW + 30 * DAY)
    assert memory.get("tea").utility == pytest.approx(1.5)
    memory.update("tea", text="Ann drinks black tea.", updated_at=NOW + 60 * DAY)
    memory.decay(NOW + 60 * DAY)
    assert memory.get("tea").utility == pytest.approx(0.75)


def test_a_worth_that_is_said_again_is_none_less() -> None:
    memory = byheart.Memory()
    memory.remember("Ann drinks tea.", id="a", created_at=0, utility=1.0)
    memory.update("a", utility=1.0, updated_at=300 * DAY)
    memory.decay(300 * DAY)
    assert memory.get("a").utility == 1.0


def test_a_duplicate_links_the_one_that_stays_to_others_alone() -> None:
    memory = byheart.Memory()
    memory.remember("Ann drinks green tea.", id="a")
    memory.remember("Ann likes cups.", id="c")
    memory.remember("Ann drinks green tea!", id="b", links=["a", "c"])
    memory.feedback("b", "duplicate", duplicate_of="a")
    assert memory.get("a").links == ("c",)
