"""What a statement says is given up, and whose: in the words that people use, and not in words that look like them."""

from __future__ import annotations

import pytest

from byheart.patterns.exchange_asked import asks_for_exchanged
from byheart.patterns.exchange_forms import every_form, forms_for
from byheart.patterns.exchanging import exchanges, may_exchange
from byheart.patterns.exchanging_japanese import given_up
from byheart.patterns.updating import is_change, states_change, updates

OLDER = "I go to FitOne on Mondays, with Anna."

GIVEN_UP = [
    ("Quit FitOne and signed up for Kosmos.", {"fiton"}),
    ("Swapped FitOne for Kosmos.", {"fiton"}),
    ("I've switched from FitOne to Kosmos.", {"fiton"}),
    ("I'm no longer at FitOne, it's Kosmos these days.", {"fiton"}),
    ("I don't go to FitOne any more, Kosmos is nearer.", {"fiton"}),
    ("I train at Kosmos instead of FitOne.", {"fiton"}),
    ("FitOne has closed. I go to Kosmos now.", {"fiton"}),
    ("FitOne got too expensive, I go to Kosmos now.", {"fiton"}),
    ("I closed my FitOne account in May and joined Kosmos.", {"fiton"}),
    ("Gave up on FitOne, took out a plan with Kosmos.", {"fiton"}),
]
NOT_GIVEN_UP = [
    "I cancelled FitOne.",
    "My sister quit FitOne and joined Kosmos.",
    "She quit FitOne and joined Kosmos.",
    "Today I trained at Kosmos instead of FitOne.",
    "I left FitOne at six, now I'm home with Bea.",
    "I left my towel at FitOne, took Bea's.",
    "I quit the FitOne sauna and joined Kosmos.",
    "Did I quit FitOne and join Kosmos?",
    "FitOne stopped selling towels and started a bar.",
]


@pytest.mark.parametrize(("newer", "gone"), GIVEN_UP)
def test_what_is_given_up_is_read(newer: str, gone: set[str]) -> None:
    assert {word for each in exchanges(newer, OLDER) for word in each.gone} == gone
    assert is_change(newer) and states_change(newer) and updates(newer, OLDER)
    assert asks_for_exchanged(newer, OLDER, "Which gym do I go to?")


@pytest.mark.parametrize("newer", NOT_GIVEN_UP)
def test_what_only_looks_like_it_is_not(newer: str) -> None:
    assert exchanges(newer, OLDER) == []
    assert asks_for_exchanged(newer, OLDER, "Which gym do I go to?") is None


def test_who_gave_something_up_before_does_not_give_it_up_again() -> None:
    assert exchanges("I quit the choir and joined Kosmos.", "I quit the choir and joined FitOne.") == []
    assert exchanges("I quit FitOne and joined Kosmos.", "I quit the choir and joined FitOne.")


def test_what_has_no_name_is_the_speakers_or_of_what_both_speak_of() -> None:
    sold = "Sold the old sofa and bought an armchair."
    assert exchanges(sold, "We have a red sofa.")
    assert exchanges(sold, "Book club meets at Carmel's, she has the biggest sofa.") == []


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Which gym do I go to?", True),
        ("Where do I go?", True),
        ("When do I go to the gym?", False),
        ("How much is the gym?", False),
        ("Who goes with me?", False),
        ("Which gym did I go to before?", False),
        ("What do I do at FitOne?", False),
        ("Do I go to a gym?", None),
    ],
)
def test_which_questions_ask_for_it(question: str, asks: bool | None) -> None:
    assert asks_for_exchanged("I cancelled FitOne and joined Kosmos.", OLDER, question) is asks


def test_what_is_bought_at_a_place_is_not_the_place() -> None:
    newer = "I switched from Kerr's to Miller's."
    assert asks_for_exchanged(newer, "I buy bread at Kerr's.", "Which bread do I buy?") is False
    assert asks_for_exchanged(newer, "I take Kerr's bread.", "Which bread do I take?") is True


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("毎朝新聞を解約して、夕日新聞にしました。", [("毎朝新聞",)]),
        ("横浜から千葉に引っ越しました。", [("横浜",)]),
        ("会議は201号室ではなく305号室になりました。", [("201号室",)]),
        ("スミス先生が帰国したので、今はブラウン先生です。", [("スミス先生",)]),
        ("弟はジムをやめて、旅行に行きました。", [("ジム", "弟")]),
        ("ジムをやめて、旅に出たいです。", []),
        ("ジムをやめました。", []),
    ],
)
def test_japanese_sentences(text: str, gone: list[tuple[str, ...]]) -> None:
    assert list(given_up(text)) == gone
    assert may_exchange(text) is bool(gone)


def test_a_quick_look_misses_no_form() -> None:
    texts = [text for text, _ in GIVEN_UP] + NOT_GIVEN_UP
    known = [[form for form in every_form() if form.pattern.search(text)] for text in texts]
    assert sum(map(len, known)) > len(texts)
    assert all(set(each) <= set(forms_for(text)) for each, text in zip(known, texts, strict=True))
