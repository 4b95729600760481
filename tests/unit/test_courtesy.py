"""Thanks and nods say nothing, whoever is thanked and however much, in several languages."""

import pytest

from byheart import Memory
from byheart.patterns.silence import says_nothing


@pytest.mark.parametrize(
    "text",
    [
        "Danke dir!", "Vielen lieben Dank!", "Herzlichen Dank euch allen", "Alles klar, danke dir sehr",
        "Ok, super!", "Mille mercis à vous", "Muchas gracias a todos", "Thanks again!", "many thanks",
        "Thank you so much, everyone", "どうもありがとうございました。", "承知しました。",
    ],
)  # fmt: skip
def test_thanks_with_words_around_them_say_nothing(text: str) -> None:
    assert says_nothing(text) == "backchannel"


@pytest.mark.parametrize(
    "text",
    [
        "Danke, um neun dann", "Thanks for the lift to Bonn", "Thanks to Bob", "Merci, à neuf heures",
        "gracias por el libro", "thank you Ann", "Dank der Bahn bin ich da", "承知の事実です",
    ],
)  # fmt: skip
def test_what_is_thanked_for_says_something(text: str) -> None:
    assert says_nothing(text) is None


def test_thanks_stand_in_no_context() -> None:
    memory = Memory()
    for number, text in enumerate(["Der Zug nach Ulm geht um 8 Uhr.", "Danke dir!"]):
        memory.ingest_turn(text, session_id="s", user_id="u", created_at=number, now=number)
    text = memory.context("Wann geht der Zug?", 300, user_id="u", now=9).text
    assert "8 Uhr" in text and "Danke" not in text
