"""Texts that are told apart by the words they have are told apart as expressions and slower looks do."""

from __future__ import annotations

import json
import re
from typing import Final

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from byheart.frozen.sorted_json import line_writer
from byheart.patterns import asking, chatter, letters, state_words, states, successors
from byheart.patterns.in_ascii import InAscii

SAID: Final = """I moved Moved mudei-me d'avoir turned is now new taken taken-over ab left_ 34 don't haha lol asdf
    qwerty; thanks thank'you th`ank for your help yes No maybe umm um, hey Hey, please what's why does i'm it rains my
    code employer: address (home) joined emménagé désormais 大阪 ok xx aaaa hm… “moved”
    see you tomorrow k2 2nd been_there"""
MARKS: Final = ["", "", "", " ", ".", "! ", "? ", ", ", "; ", "\n", "' ", "` ", "…", "_"]
texts = st.one_of(
    st.lists(st.tuples(st.sampled_from(SAID.split()), st.sampled_from(MARKS)), max_size=8).map(
        lambda parts: " ".join(word + mark for word, mark in parts)
    ),
    st.text(max_size=30),
    st.text(st.characters(max_codepoint=127), max_size=40),
)


@given(texts)
@example("".join(map(chr, range(128))))
def test_words_of_small_letters_are_those_of_the_expression(text: str) -> None:
    assert letters.small_words(text) == tuple(re.findall("[a-z]+", text.lower()))


@given(texts)
@example("".join(map(chr, range(128))))
def test_words_of_chatter_are_those_of_the_expression(text: str) -> None:
    if text.isascii():
        found = text.translate(chatter._AS_WORDS).split()
        assert found == re.findall(r"[^\W_]+", chatter._plain(text))


SIGNS: Final = {
    "a change": (
        states._runs_of_signs(),
        states._signs(counted=True) | states._signs(counted=False),
        ".,:;!?()",
    ),
    "a state": (state_words._RUNS, state_words._SIGNS, ".,:;!?()"),
    "a holder": (successors._RUNS_ANEW, successors._ANEW, ".,:;!?"),
}


@pytest.mark.parametrize("name", SIGNS)
@given(text=texts)
def test_no_text_is_passed_over_that_has_a_sign(name: str, text: str) -> None:
    runs, signs, around = SIGNS[name]
    has_one = not signs.isdisjoint(word.strip(around) for word in text.lower().split())

    event(f"{name}: {has_one}")
    assert not (has_one and letters.surely_lacks(text, runs))


@pytest.mark.parametrize("name", SIGNS)
def test_each_sign_is_seen(name: str) -> None:
    runs, signs, _ = SIGNS[name]
    assert len(signs) > 10
    for sign in signs:
        for said in (sign, f"So {sign.upper()}, then", f"({sign})!"):
            assert not letters.surely_lacks(said, runs)


@given(texts)
@example("...")
@example("Hmm. What is it")
def test_what_states_at_once_asks_nothing(text: str) -> None:
    at_once = asking._states_at_once(text)

    event(f"at once: {at_once}")
    assert not (at_once and asking._asks(text))


@given(texts)
def test_a_reply_is_of_replies_alone(text: str) -> None:
    words = re.findall(r"[^\W_]+", text.casefold())
    assert asking.is_reply(text) == (0 < len(words) <= 4 and all(word in asking._REPLIES for word in words))


@given(st.sampled_from(SAID.split()) | st.text(st.characters(max_codepoint=255), max_size=8))
def test_words_of_a_matter_are_no_chatter(word: str) -> None:
    known = word in chatter._in_chatter() or chatter._is_laugh(word)
    assert chatter._is_of_a_matter(word) == (not known)
    plain = word.isascii() and word.isalpha()
    assert chatter._is_no_key(word) == (plain and not chatter._is_pressed(word))


BEYOND: Final = ["(?:今日|[0-9]+[月日])", "[0-9]+日", "と呼"]
UNSURE: Final = ["a|日", "日?", "[a日]x", "[^日]", r"日\d*", "(?:日(?:本)?)", "日|", "日*"]


@pytest.mark.parametrize("pattern", [*BEYOND, *UNSURE])
@given(text=texts.map(str.strip))  # the core looks at no blanks around a text
def test_signs_that_no_ascii_has_are_not_looked_for_in_ascii(pattern: str, text: str) -> None:
    patterns = InAscii([("word", r"\bmoved\b"), ("sign", pattern)])

    assert patterns._only_beyond == (pattern in BEYOND)
    assert ("sign" in patterns.found(text)) == (re.search(pattern, text) is not None)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize(("sort_keys", "separators"), [(True, (", ", ": ")), (False, (",", ":"))])
@given(value=values)
def test_a_line_is_what_the_standard_library_writes(
    sort_keys: bool, separators: tuple[str, str], value: object
) -> None:
    write = line_writer(sort_keys=sort_keys, separators=separators, allow_nan=False)
    plainly = json.dumps(value, ensure_ascii=False, sort_keys=sort_keys, separators=separators, allow_nan=False)

    assert write(value) == plainly


def test_a_line_refuses_what_json_cannot_say() -> None:
    write = line_writer(sort_keys=True, separators=(", ", ": "), allow_nan=False)
    for value, kind in (({"a": float("nan")}, ValueError), ([object()], TypeError), ({(1,): 2}, TypeError)):
        with pytest.raises(kind):
            write(value)


def test_a_line_is_written_where_no_encoder_of_c_is_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json.encoder, "c_make_encoder", None)
    write = line_writer(sort_keys=True, separators=(", ", ": "), allow_nan=False)
    assert write({"b": 1.5, "a": ["é"]}) == '{"a": ["é"], "b": 1.5}'
