"""What the core opens of a text, where marks join words, is what the definition in Python opens."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart import _core
from byheart.retrieval.marked_terms import MARK
from byheart.retrieval.operators import opened, opened_plainly

from ..counts import examples

PIECES = st.sampled_from(
    ["getName", "HTTPServer", "x9Y", "a", "a__b", "_", "'", "-", "--", ".", ",", ":", "/", "//", "10", "0.4", "6379",
     "10.0.4.17", "1,000", "3.5", "2024", "1.5a", "l'", "qu'", "QUEST'", "d'l'", "ecole", "don't", "well-known",
     "kettle", "covid-19", "5-6", " ", "\t", "\x1c", "\x00", "(", ")", '"', "=", "x" * 64, "x" * 65, "9" * 64, "9" * 65,
     "e" * 56, "e" * 57, "$", "B", "e",
     "4711,4712", "1,250.00", "12,34,567", "[", "]", ";", "|",
     "été", "l’", "’", "“", "—", "\u00a0", "\u3000", "\x85", "東京", "é", "\u0301", MARK]
)  # fmt: skip
_BLANKS = r"(?<=[\t-\r\x1c-\x1f ])"
ASCII = st.characters(max_codepoint=127)
TEXTS = st.one_of(st.text(max_size=60), st.text(ASCII, max_size=60), st.lists(PIECES, max_size=12).map("".join))


@settings(max_examples=examples(10_000))
@given(TEXTS)
@example("kettle/5 or getName/kettle at 12:30, 10.0.4.17:6379; x:3.5,4 12/345")
@example("l'ecole d'elodie o'clock rock'n'roll a'l'ecole l'e l'ab-c dell'arte's")
@example(f"l'{'e' * 56} l'{'e' * 57} qu'e-e {'x' * 64}/{'x' * 65}/a {'9' * 64}:{'9' * 65} a/{'9' * 65}")
@example("(10.0.4.17/10.0.4.17/getName getName/10.0.4.17/x")
@example("l'été/kettle l’école/10.0.4.17 tea/milk — “getName/tea” a\u00a0b/c")
def test_the_core_opens_as_the_definition_does(text: str) -> None:
    assert opened(text) == opened_plainly(text)


@given(TEXTS)
def test_pieces_are_of_one_writing_and_of_another_in_turns(text: str) -> None:
    pieces = _core.opened(text, "~")
    assert len(pieces) % 2 and all(piece.isascii() for piece in pieces[::2])
    assert pieces[1::2] == [token for token in re.split(_BLANKS, text) if not token.isascii()]


@pytest.mark.parametrize("name", ["cosqa-dev", "locomo-dev", "scifact-train", "jsquad-valid"])
def test_texts_of_collections(shared: Path, name: str) -> None:
    lines = (shared / "data" / name / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    assert len(texts) > 1_000
    for text in texts:
        assert opened(text) == opened_plainly(text)
