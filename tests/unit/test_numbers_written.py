"""A whole number is found however it is written, and the explanation says which one was read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Memory
from byheart.retrieval.numbers_written import written_otherwise


@given(st.integers(1_000, 10**11), st.sampled_from(["", ",", "."]))
def test_the_ways_of_writing_are_each_others(number: int, mark: str) -> None:
    written = f"{number:,}".replace(",", mark)
    others = written_otherwise(written)
    assert len({written, *others}) == 3 and {int(each.replace(",", "").replace(".", "")) for each in others} == {number}
    assert all(set(written_otherwise(each)) == {written, *others} - {each} for each in others)


@pytest.mark.parametrize(
    "term", ["12", "999", "3.14", "12.5", "1,00", "0123", "1,2345", "10.0.4.17", "v2000", "", "1" * 13]
)
def test_what_is_no_such_number_has_no_other_way(term: str) -> None:
    assert written_otherwise(term) == ()


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("My salary is 68,000 euros.", "Who earns 68000?"),
        ("My salary is 68000 euros.", "68,000 euros"),
        ("Die Miete im Jahr ist 1.500 Euro.", "1500 Euro"),
        ("The budget is 265,000.", "265000"),
        ("The table has 1,250,000 rows", "1.250.000 rows"),
        ("It costs $5,000.", "$5000"),
    ],
)
def test_a_number_is_found_however_it_is_written(text: str, question: str) -> None:
    memory = Memory()
    memory.remember(text, id="x")
    memory.remember_many({"text": f"note {at} of the garden"} for at in range(20))
    [first, *_] = memory.recall(question, explain=True)
    assert first.id == "x" and ", which no record holds" in str(first.explanation)
    assert first.explanation is not None and first.explanation.recomputed() == first.score


def test_what_records_hold_is_read_as_it_is() -> None:
    memory = Memory()
    memory.remember("The deposit is 1500 euros.", id="plain")
    memory.remember("Version 1.500 is out.", id="version")
    memory.remember("Rent: 1,500 euros", scope="other", id="outside")
    assert [hit.id for hit in memory.recall("1500 euros", min_strength=0)][:1] == ["plain"]
    found = memory.recall("1,500 euros", boundary={"scopes": ["project"]}, explain=True, min_strength=0)
    assert "outside" not in found and found[0].id == "plain"
