"""What names a thing answered a question for a sum or a number that it does not hold; and £14.20 was a time of day."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.patterns.property_evidence import has_an_amount

TOLD = (
    "The flight to Faro leaves Bristol at 06:50 with easyJet.",
    "Prices for the garden are in the folder.",
    "The office in Skejby has a badge reader.",
    "Lowri at the bank is the accountant, and she needs the receipts.",
)


@pytest.mark.parametrize(
    "question",
    [
        "what did we pay for the flight to Faro?",
        "phone number of Lowri at the bank",
        "office badge reader serial number?",
    ],
)
def test_a_text_without_any_is_no_answer(question: str) -> None:
    memory = Memory()
    memory.remember_many(TOLD)
    assert not memory.recall(question)


def test_a_sum_with_pence_is_no_time_of_day() -> None:
    assert has_an_amount("Bronwen got her rise, £14.20 from this week.") and has_an_amount("It was 12.30 euros.")
    assert not has_an_amount("The shop shuts at 14.20.")
    memory = Memory()
    memory.remember("Bronwen got her rise, £14.20 from this week.", id="it")
    assert [hit.id for hit in memory.recall("How much is Bronwen's rise?")] == ["it"]
