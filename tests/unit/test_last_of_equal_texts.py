"""What is said again, word for word, stands for what was said before: its time, and its place before older values."""

from __future__ import annotations

import itertools

import pytest

from byheart import Memory, Profile, Record, profiles
from byheart.ranking.agreement import DropDuplicates

DAY = 86_400.0
NOW = 1.71e9


def told(texts: list[str], *, ids: list[str] | None = None) -> Memory:
    """A memory that was told a text a day."""
    memory = Memory()
    for day, text in enumerate(texts):
        memory.remember(text, id=ids[day] if ids else f"d{day}", created_at=1.7e9 + day * DAY)
    return memory


def test_a_value_that_came_back_is_the_newest() -> None:
    found = told([f"I weigh {kg} kg." for kg in (82, 81, 80, 81, 82)]).recall("how much do I weigh?", now=NOW)
    assert [hit.id for hit in found] == ["d4", "d3", "d2"]
    assert [(gone.id, gone.reason) for gone in found.dropped] == [
        ("d0", "duplicate of d4"), ("d1", "duplicate of d3"),
    ]  # fmt: skip


@pytest.mark.parametrize("ids", list(itertools.permutations(["a", "b", "c"])))
def test_however_ids_sort(ids: tuple[str, ...]) -> None:
    codes = ["The gate code is 4821.", "The gate code is 9035.", "The gate code is 4821."]
    memory = told(codes, ids=list(ids))
    assert memory.recall("what is the gate code?", 1, now=NOW)[0].id == ids[2]
    assert memory.context("what is the gate code?", 8, now=NOW).entries[0].id == ids[2]


@pytest.mark.parametrize(
    ("asked", "day"),
    [
        ("When did I last water the plants?", 6),
        ("When did I first water the plants?", 0),
        ("when did I water the plants?", 6),
    ],
)
def test_the_last_and_the_first_of_equal_notes(asked: str, day: int) -> None:
    notes = ["Watered the plants."] * 7
    memory = told(notes)
    memory.remember("Watered the lawn.", id="lawn", created_at=1.7e9 + 2.5 * DAY)
    found = memory.recall(asked, now=NOW, min_strength=0)
    assert found[0].id == f"d{day}"
    assert memory.recall(asked, now=NOW, min_strength=0, explain=True)[0].id == f"d{day}", "the stages say the same"


def test_the_last_of_more_than_the_first_rows() -> None:
    memory = told(["Watered the plants."] * 60, ids=[f"n{day:03}" for day in range(60)])
    memory.remember_many([f"The shop {number} sells plants and seeds." for number in range(40)])
    assert memory.recall("Watered the plants", 1, now=NOW)[0].id == "n059"


def test_turns_of_several_sessions() -> None:
    memory = Memory()
    for day in range(5):
        at = 1.7e9 + day * DAY
        memory.ingest_turn(
            "Watered the plants.", session_id=f"s{day}", id=f"t{day}", created_at=at, now=at, durable="none"
        )
    assert memory.recall("When did I last water the plants?", now=NOW, min_strength=0)[0].id == "t4"


def test_a_profile_that_keeps_the_first_keeps_it() -> None:
    auto = profiles.get("auto")
    stages = tuple(DropDuplicates() if isinstance(each, DropDuplicates) else each for each in auto.stages)
    plain = Profile(**{**{name: getattr(auto, name) for name in ("legs", "pool")}, "name": "plain", "stages": stages})
    memory = told(["Watered the plants.", "Watered the plants."])
    assert [hit.id for hit in memory.recall("water plants", profile=plain, now=NOW, min_strength=0)] == ["d0"]
    assert [hit.id for hit in memory.recall("water plants", profile="auto", now=NOW, min_strength=0)] == ["d1"]


def test_the_order_by_way_of_a_third_is_explained() -> None:
    memory = Memory()
    memory.remember_many(
        [
            Record(text="Ann cleaned the kitchen. Really.", id="r21", created_at=3),
            Record(text="Ann cleaned the bathroom.", id="r22", created_at=2),
            Record(text="Ann cleaned the kitchen.", id="r32", created_at=1),
        ]
    )
    asked = "who cleaned the kitchen?"
    assert [hit.id for hit in memory.recall(asked, now=9)] == ["r21", "r32", "r22"]
    said = "stands before r32: was said later, and both say nearly the same as r22"
    assert said in str(memory.explain(asked, "r21", now=9))


def test_a_block_says_when_the_same_was_said_last() -> None:
    memory = Memory()
    for month, code in ((1, 4821), (3, 9035), (5, 4821)):
        memory.remember(f"The gate code is {code}.", created_at=f"2026-0{month}-01")
    block = memory.context("what is the gate code?", 100, now="2026-06-01").text
    assert block.index("4821") < block.index("9035")
    assert 'time="2026-01-01T00:00:00+00:00" said_again="2026-05-01T00:00:00+00:00"' in block
    assert block.count("said_again") == 1
