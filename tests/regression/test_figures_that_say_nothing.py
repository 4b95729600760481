"""Any figure passed for an address or a telephone number, a month for somebody's name, and a date for a boyfriend."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.property_evidence import has_a_phone, has_an_address

NUMBER = frozenset(("phone", "number"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Carla Neumann ordered 3 bells.", False),
        ("Order 5521: Carla wants 3 bells by 4 May.", False),
        ("On May 3 Anna left.", False),
        ("She paid 20 Euro.", False),
        ("Hafenweg 3, Kiel", True),
        ("Parcel to Anna: 12b Oak Rd", True),
        ("Send it to Marta Ruiz at Calle Mayor 12", True),
    ],
)
def test_an_address_has_the_number_of_a_house(text: str, says: bool) -> None:
    assert has_an_address(text) is says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Order 5521: Carla Neumann ordered a Sirrus.", False),
        ("Invoice 31144 was paid.", False),
        ("Tom was born in 1985.", False),
        ("The rent is $1,200.", False),
        ("Plumber: Dai Tomos, 07700 900412.", True),
        ("Dai Tomos 07700 900412", True),
        ("Anna is at 4471", True),
        ("The booking office has the phone number 4471", True),
    ],
)
def test_nobody_is_reached_by_the_number_of_an_order(text: str, says: bool) -> None:
    assert has_a_phone(text, NUMBER) is says


@pytest.mark.parametrize(
    "question", ["What is Carla Neumann's address?", "What is Carla Neumann's phone number?", "Carla Neumann's email?"]
)
def test_what_nobody_told_is_not_known(question: str) -> None:
    with Memory() as memory:
        memory.remember("Order 5521: Carla Neumann ordered 3 bells.", id="order")
        answer = memory.recall(question)
        assert not answer and answer.nearest == ("order",)


@pytest.mark.parametrize("month", ["in September", "last September", "in October", "on Tuesday"])
def test_a_month_is_nobody(month: str) -> None:
    with Memory() as memory:
        memory.remember("We have 60 inner tubes in stock.", id="stock", created_at="2026-09-15")
        memory.remember("The trip in September was nice, and so was Tuesday.", id="trip", created_at="2026-03-17")
        assert memory.recall(f"How many inner tubes did we have {month}?", now="2026-11-29")[0].id == "stock"


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The delivery date is 4 May.", "Who is my boyfriend?"),
        ("The fence is lovely.", "Who is my girlfriend?"),
        ("The bill has to be sent to the office.", "Who is my lawyer?"),
    ],
)
def test_a_word_of_two_senses_tells_nobodys_kin(text: str, question: str) -> None:
    with Memory() as memory:
        memory.remember(text)
        assert not memory.recall(question)
