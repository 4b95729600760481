"""The first look at a sentence passes over none that begins as a question does."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart.patterns import asking

LEADS: Final = ["", "", "hey, ", "so ", "um ", "ummm, ", "Please ", "und ", "ok, well ", "sorry, but ", "Now "]
BEGINNINGS: Final = """what's|who is|which of|when is|where did|how many|is it|was there|isn't this|are you|can we
    |am i|do you|does my|have they|must he|tell me|show us|give me|find me|help us|remind me of
    |recommend|suggest|explain|describe|summarise|summarize|look up|search for|let me know
    |list all|any idea|got any news|i wonder|i'd like to know|i would like to know|i want to know
    |wer|wen|wem|wessen|wann|woher|wohin|warum|wieso|weshalb|womit|wofur|wofür|woruber|wieviele
    |welcher|was ist|wie geht|wo bist|wie viele|wie spat|ist er|sind sie|war das|hast du|habe ich
    |hat sie|kannst du|konntest du|könntest du|kann ich|weist du|weißt du|soll ich|sollte man
    |darf ich|magst du|mochtest du|möchtest du|gibt es|wird es|muss ich|sag mir|erzahle mir
    |erzähl uns|zeig mir|gib mir|hilf mir|nenne mir|erklar mir|erkläre uns|finde mir|suche uns
    |empfehle mir|empfiehle mir|schlage mir|erinnere mich|i live|my name|the sauna|so what
    |then again|it is|could be|umbrella""".replace("\n", "").split("|")
TEXTS = st.tuples(
    st.lists(st.sampled_from(LEADS), max_size=2).map("".join),
    st.sampled_from([each.strip() for each in BEGINNINGS]),
    st.sampled_from(["", " it", " my keys", "n't you", ".", " daran, dass", "_x", "'s"]),
).map("".join)


@given(TEXTS, st.sampled_from([str, str.upper, str.title, str.capitalize]))
def test_a_sentence_passed_over_asks_nothing(text: str, written: type[str]) -> None:
    said = written(text)

    assert asking._may_ask(said) or asking._ASKS.match(said) is None


@pytest.mark.parametrize("text", [each.strip() for each in BEGINNINGS])
def test_each_beginning_is_looked_at_if_it_asks(text: str) -> None:
    for said in (text, f"Hey, {text} it", f"{text} mir", f"{text} you"):
        assert asking._may_ask(said) or asking._ASKS.match(said) is None


def test_most_statements_are_passed_over() -> None:
    said = ["Anna lives in Lisbon.", "My name is Ruth.", "The sauna is open.", "So the bakery moved.", ""]

    assert not [text for text in said if asking._may_ask(text)]
    assert asking._may_ask("What is it?") and asking._may_ask("well, is it") and asking._may_ask("Ich wohne in Köln.")
