"""Chatter at its edges: how long it is, what laughs and what is pressed, and what short talk is of no matter."""

from __future__ import annotations

import pytest

from byheart.patterns.chatter import MOST_CHARACTERS, MOST_SMALL_TALK, chatter, is_small_talk, states


def test_what_is_long_states_something() -> None:
    longest = "well " * (MOST_CHARACTERS // 5)
    assert (len(longest), chatter(longest), chatter(longest + "!")) == (400, "fillers", None)
    assert is_small_talk(f"{'?' * 392}you okay") and not is_small_talk(f"{'?' * 393}you okay")


@pytest.mark.parametrize(
    "laugh",
    [
        "hahaha", "hehe", "hihi", "jaja", "jejej", "hoho", "ahah", "hahas", "wahaha", "bwahaha", "xddd", "zdd",
        "looool", "hmmm", "mhmm", "aaaah", "oooh", "awww", "uhhh", "ehhh", "woow", "yeeah", "yeah", "nooo",
        "sooo", "okkk", "yaaay", "ughhh",
    ],
)  # fmt: skip
def test_laughter_is_chatter_however_long_it_lasts(laugh: str) -> None:
    assert chatter(f"{laugh} {laugh} that was je ne sais quoi") is None, "of two languages"
    assert chatter(f"{laugh}, so good") == "fillers"
    assert chatter(f"{laugh} 7") is None
    assert is_small_talk(f"{laugh} boat")


@pytest.mark.parametrize("word", ["hahax", "boat", "wahah", "mhmb", "nope boat", "haa", "ugg", "ehx"])
def test_what_only_begins_like_laughter_is_none(word: str) -> None:
    assert chatter(f"{word}, so good") is None


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("qwe", "keyboard"), ("qw", None), ("ewq", "keyboard"), ("rewq", "keyboard"), ("poiuyt", "keyboard"),
        ("asdfgh", "keyboard"), ("lkjhgfdsa", "keyboard"), ("qwertyuiop", "keyboard"), ("qwertz", "keyboard"),
        ("azerty", "keyboard"), ("zxc", "keyboard"), ("yxcvb", "keyboard"), ("mnbvcxy", "keyboard"),
        ("asdjkl", "keyboard"), ("asdf;", "keyboard"), ("kl;", "keyboard"), ("kl", None), ("boat;", None),
        ("jkl;", "keyboard"), ("asdboat", None), ("asdx", None),
        ("aaaa", "keyboard"), ("eee", None), ("ccc", None), ("bcdfgh", "keyboard"), ("bcdfg", None),
        ("rhythmic", None), ("asd boat", None), ("haha qwe ok", "keyboard"), ("qwe 7", None), ("boat asdf", None),
        ("123 qwe", None), ("thanks asd", "keyboard"), ("well asd", "keyboard"), ("pop", None), ("wer", "keyboard"),
        ("asd wer", "keyboard"), ("gemütlich asd", None),
    ],
)  # fmt: skip
def test_keys_are_pressed_along_a_row_again_and_again_or_without_a_vowel(text: str, how: str | None) -> None:
    assert chatter(text) == how


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("I can`t think", "fillers"), ("I can't think", "fillers"), ("I can\u2019t think, nee\u0301", None),
        ("das w\u00e4r\u2019s", None), ("c\u2019est \u00e7a", "fillers"), ("C'EST \u00c7A", "fillers"),
        ("guten morgen team, vielen dank euch allen nochmals", "fillers"),
        ("guten morgen team, vielen dank euch allen nochmals boat", None),
        ("thanks for all your help with the boat", "fillers"), ("thank you so much for the tip", "fillers"),
        ("help with the boat", None), ("thanks for the boat", None), ("the boat, see you tomorrow", None),
        ("see you next week", "fillers"), ("see you in a bit", "fillers"), ("see you in the boat", None),
        ("bis n\u00e4chste woche", "fillers"), ("hasta el lunes", "fillers"), ("hasta el barco", None),
        ("\u00e0 tout \u00e0 l'heure", "fillers"),
        ("\u306a\u308b\u307b\u3069\u3001\u308f\u304b\u3063\u305f\uff01", "fillers"),
        ("\u306a\u308b\u307b\u3069\u732b", None), ("\u3042\u306e", "fillers"), ("XX\u3042\u306e", None),
    ],
)  # fmt: skip
def test_phrases_and_languages(text: str, how: str | None) -> None:
    assert chatter(text) == how


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("yeah boat", True), ("yeah boat harbour", False), ("yeah well boat harbour", True), ("okay", True),
        ("boat", False), ("", False), ("?!", False), ("yeah 7", False), ("yeah seven", True),
        ("well you know it is boat", True), ("well you know it is so boat", False), ("yeah the boat", False),
        ("yeah a boat", True), ("no, the red one", False), ("yeah the best", True), ("oui mon bateau", False),
        ("ja mein Boot", False), ("s\u00ed bien barco", True), ("haha hehe boat harbour", True), ("tu bateau", True),
        ("tu ich boat", False),
    ],
)  # fmt: skip
def test_small_talk_is_short_of_fillers_by_half_and_of_no_certain_thing(text: str, is_one: bool) -> None:
    assert is_small_talk(text) is is_one
    assert MOST_SMALL_TALK == 6


def test_a_sentence_states_if_it_is_no_chatter_no_reply_and_no_question() -> None:
    said = {
        text: states(text) for text in ("I am vegan.", "Haha.", "Yes.", "Is it far?", "well well", "The key is here.")
    }
    assert [text for text, does in said.items() if does] == ["I am vegan.", "The key is here."]


def test_a_phrase_has_at_most_32_characters() -> None:
    so = "\u305d\u3046" + "\u306d" * 30
    assert (chatter(so), chatter(so + "\u306d")) == ("fillers", None)
    assert chatter(f"{so}{so}\u306a\u308b\u307b\u3069") == "fillers"
