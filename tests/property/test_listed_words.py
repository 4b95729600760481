"""An expression without its list of words finds what the whole one finds, wherever it is used in its place."""

import re
import sys
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart.patterns import plain_numbers, property_order, property_words
from byheart.patterns.listed_words import ListedWords, has_one
from byheart.patterns.plain_numbers import WORDS
from byheart.retrieval import plain_forms

EVERY: Final = {
    "aged, said loosely": property_words.AGED,
    "aged": property_order._AGED,
    "sized": property_order._SIZED,
    "priced": property_order._PRICED,
    "stretches": plain_numbers._SPANS,
}
AROUND = """turned turning aged age is am 's she's just now years old year-old y/o yrs mm kg pounds weighs sizes size
    euro dollars cost paid for free per each an half day weeks -something push reach his 3rd 40 2.5 7 € $9 and
    today of at something ties sixties twenties born in her early candles , . ! - often phone tenant onesie
    family none Ten TWO"""
PIECES = [
    *WORDS.split("|"),
    *AROUND.split(),
    *(word[:-1] for word in WORDS.split("|")),
    "tenmm",
    "twoyears",
    "sixyo",
    "fünf",
]
TEXTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from([" ", " ", " ", "-", "", ", "])), max_size=9).map(
    lambda parts: "".join(word + mark for word, mark in parts)
)


def span(found: re.Match[str] | None) -> tuple[int, int] | None:
    return None if found is None else found.span()


@pytest.mark.parametrize("name", EVERY)
@given(text=TEXTS)
def test_it_finds_what_the_whole_one_finds(name: str, text: str) -> None:
    listed = EVERY[name]

    assert span(listed.search(text)) == span(listed._whole.search(text))
    assert listed.sub("|", text) == listed._whole.sub("|", text)


@pytest.mark.parametrize("word", WORDS.split("|"))
def test_each_word_of_the_list_is_seen(word: str) -> None:
    frames = ["She turned {}.", "He is {}.", "{} days", "a {}-year-old", "it costs {} euros", "{} kg", "turn {}-five"]
    for frame in frames:
        for said in (word, word.upper(), word.capitalize(), f"twenty {word}", f"{word} {word}"):
            text = frame.format(said)
            assert has_one(text, WORDS)
            assert all(span(each.search(text)) == span(each._whole.search(text)) for each in EVERY.values())


def test_most_texts_are_read_without_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[int] = []
    real = re.compile

    def counted(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(len(source))
        return real(source, flags)

    monkeypatch.setattr(re, "compile", counted)
    listed = ListedWords(rf"\b(?:{WORDS}) (?:{WORDS})|\d", WORDS, re.IGNORECASE)

    assert listed.search("Anna is often 34 on the phone.") and sum(compiled) < 40
    assert listed.search("two six") and sum(compiled) > 2 * len(WORDS)
    with pytest.raises(ValueError, match="no such list"):
        ListedWords("a", WORDS, 0)


def test_letters_before_those_of_other_writing_are_the_same_ones() -> None:
    within = re.compile(plain_forms._LETTER)
    told: Callable[[str], object] = re.compile(
        "(?:(?![\u0590-\U0010ffff])(?:[^\\W_]|[\u0300-\u034e\u0350-\u036f]))"
    ).fullmatch
    differ = [code for code in range(sys.maxunicode + 1) if bool(within.fullmatch(chr(code))) != bool(told(chr(code)))]

    assert differ == []
    assert sum(within.fullmatch(chr(code)) is not None for code in range(0x590)) > 1000
