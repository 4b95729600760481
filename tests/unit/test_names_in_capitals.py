"""Stop words that are names: "gate A", "World War I" and "the WHO" are found before those of another name."""

from __future__ import annotations

import pytest

from byheart import Memory
from byheart.retrieval.function_words import names_in_capitals


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Gate A is for staff, gate B for visitors.", ["a"]),
        ("A visitor came. A bus left.", []),
        ("It was\nA visitor", []),
        ("We met, A was late", ["a"]),
        ("the test (A) passed", ["a"]),
        ("World War I ended in 1918", ["i"]),
        ("Ann and I left. Later I left", []),
        ("The WHO and our IT", ["who", "it"]),
        ("WHO conference", ["who"]),
        ("THE WHO AND OUR IT", []),
        ("NATO and B2B", []),
        ("Wer wohnt in Wohnung A?", ["a"]),
        ("It has 5 A or 5' A thick", ["a"]),
        ('Ann said "yes" A bus left', []),
        ("x A", ["a"]),
        ("", []),
    ],
)
def test_stop_words_in_capitals_amid_a_text_are_names(text: str, names: list[str]) -> None:
    assert names_in_capitals(text) == names


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (["Gate A is for staff.", "Gate B is for visitors.", "Gate C is for deliveries."], "who uses gate A?"),
        (["World War I ended in 1918.", "World War II ended in 1945."], "when did World War I end"),
        (["Service A runs version 2.1.", "Service B runs version 3.4."], "version of service A"),
        (["The rent of flat A is 900.", "The rent of flat B is 700."], "rent of flat A"),
        (["The WHO conference is in Geneva.", "The FAO conference is in Rome."], "where is the WHO conference?"),
        (["Our IT room is 4.12.", "Our HR room is 3.07."], "where is the IT room?"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_who_asks_for_a_gets_a(texts: list[str], question: str, *, turned: bool) -> None:
    memory = Memory()
    for number, text in enumerate(texts[::-1] if turned else texts):
        memory.remember(text, created_at=float(number))
    first, second, *_ = memory.recall(question, min_strength=0)
    assert first.text == texts[0] and first.score > 1.1 * second.score


def test_a_name_in_capitals_alone_finds_nothing() -> None:
    memory = Memory()
    memory.remember_many(["Gate A is for staff.", "Gate B is for visitors."])
    assert memory.recall("of the A").hits == ()
