"""A message of several sentences is answered by one of them, where as a whole it is refused."""

from __future__ import annotations

import pytest

from byheart import Memory

FACTS = {
    "wifi": "The wifi password is maple-42.",
    "plate": "The licence plate of our car is 1-KLM-204.",
    "landlord": "The landlord is Luc Baert.",
}
LEAD = (
    "Good morning! My sister just called and wants to come over with her new laptop and some cake this afternoon. "
    "The train from Lyon stopped in Dijon because of heavy snow, so she bought a blanket and played cards with a nun. "
)


def memory() -> Memory:
    made = Memory()
    for id, text in FACTS.items():
        made.remember(text, id=id)
    made.remember_many(
        {"text": f"Note {at} about the {('garden', 'choir', 'soup', 'bike')[at % 4]}."} for at in range(90)
    )
    return made


@pytest.mark.parametrize(
    ("message", "id"),
    [
        (f"{LEAD}Can you give me the wifi password?", "wifi"),
        (f"{LEAD}What is our licence plate? She asks again and again.", "plate"),
    ],
)
def test_the_sentence_that_asks_is_answered(message: str, id: str) -> None:
    answer = memory().recall(message, operators=False)
    assert answer[0].id == id and answer.sufficient
    assert any("the message as a whole is refused: answered is its sentence" in said for said in answer.degraded)
    told = memory().recall(message, operators=False, explain=True)
    assert [(hit.id, hit.score, hit.strength) for hit in told] == [(hit.id, hit.score, hit.strength) for hit in answer]
    assert told[0].explanation is not None and told[0].explanation.recomputed() == answer[0].score
    assert str(told.receipt.query) == message
    assert id in {entry.id for entry in memory().context(message, budget=500, operators=False).entries}


@pytest.mark.parametrize(
    "message",
    [
        f"{LEAD}Which pension fund did my brother choose?",
        "What is the wifi password?",
        f'{LEAD}What is the "wifi password"?',
        "I am at home. What is the wifi password, please?",
    ],
)
def test_nothing_else_is_asked_by_sentences(message: str) -> None:
    assert not any("as a whole" in said for said in memory().recall(message).degraded)


def test_a_foreign_message_stays_refused() -> None:
    assert not memory().recall(f"{LEAD}Which pension fund did my brother choose?", operators=False).hits


def test_where_none_asks_all_sentences_are_tried() -> None:
    said = f"{LEAD}She told me about a film by a director from Peru. I need the wifi password."
    assert memory().recall(said, operators=False)[0].id == "wifi"


def test_who_wants_the_weak_gets_the_whole() -> None:
    message = f"{LEAD}Can you give me the wifi password?"
    assert not any("as a whole" in said for said in memory().recall(message, operators=False, min_strength=0).degraded)
