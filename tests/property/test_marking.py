"""The parts of identifiers that the core finds in texts of ASCII are those of the definition in Python."""

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byheart import Analyzer
from byheart._core import Marking, identifier_parts
from byheart.patterns.kinds import names_of_kinds, said_beside
from byheart.patterns.word_forms import BASE_OF
from byheart.retrieval.function_words import light_for
from byheart.retrieval.identifiers import parts_of, parts_plainly
from byheart.retrieval.marked_terms import MARK, marked, marked_plainly

from ..counts import examples

ANALYZERS = [Analyzer(), Analyzer(stem=False), Analyzer(stop_words=None), Analyzer(stem=False, stop_words=None)]
ASCII = st.characters(max_codepoint=127)
PIECES = st.sampled_from(
    ["getName", "HTTPServer", "x9Y", "a", "C", "++", "#", "_", "'", "-", ".", ",", ":", "/", "//", "10", "0.4", "6379",
     "2024", "1.5a", "l'", "qu'", "QUEST'", "ecole", "don't", "went", "mice", "before", "and", " ", "\t", "\x1c",
     "\x00", "(", ")", "{", '"', "=", "x" * 64, "9" * 64, "$", "~", "B",
     "cello", "puppies", "instruments", "tennis", "swimming",
     "A", " A ", " I", "War", " WHO", "IT", "flat ", ";", "!", "[", "]",
     "ERR_1042", "_17_", "1.5_", "750W", "40x60", "LH2084", "utf8", "IL2", "a1b2", "A1c", "mp3",
     "4711,4712", "1,250.00", "1.250,00", "12,34,567", "|", "__all__"]
)  # fmt: skip
TEXTS = st.one_of(st.text(ASCII, max_size=60), st.lists(PIECES, max_size=12).map("".join))


@cache  # to hand its tables over takes longer than ten thousand short texts do
def marking(analyzer: Analyzer) -> Marking:
    return Marking(analyzer, MARK, said_beside(analyzer), sorted(light_for(analyzer)))


def core(text: str, analyzer: Analyzer) -> str | None:
    return marking(analyzer).marked(text)


@settings(max_examples=examples(5_000))
@given(TEXTS, st.sampled_from(ANALYZERS))
@example("10.0.4.17:6379 at 12:30, 3/2024; 1.2.3.4.5 and 1.5a,b", ANALYZERS[0])
@example("750W 40x60 LH2084 parseJSON2 B117x IL2 a1b2 9aB12 it's4ever", ANALYZERS[0])
@example("ERR_1042 _17_x 3_4 a_1.5_b c_2,x d_12a e_1.2.3f x_1.4.", ANALYZERS[0])
@example("Gate A, (A) [IT] the WHO; World War I ended. A b I c, A. World I", ANALYZERS[0])
@example("My cello and her guitars: which instrument? Mum swam, snake_case", ANALYZERS[0])
@example("l'ecole d'elodie o'clock _a__b_ c#d C#C# a++b++ C++", ANALYZERS[0])
def test_the_core_finds_what_the_definition_does(text: str, analyzer: Analyzer) -> None:
    assert core(text, analyzer) == marked_plainly(text, analyzer) == marked(text, analyzer)


@settings(max_examples=examples(5_000))
@given(TEXTS)
@example("10.0.4.17:6379 at 12:30, 3/2024; 1.2.3.4.5 and 1.5a,b")
@example("750W 40x60 LH2084 parseJSON2 B117x IL2 a1b2 9aB12 it's4ever")
@example("4711,4712;13 [101,102] a,4711,13.99 12:30;13:45|9 2026-01-05,4711,1.5 10.0.4.17,10.0.4.18 9,9;x")
def test_the_core_finds_the_parts_that_the_definition_does(text: str) -> None:
    assert identifier_parts(text) == parts_plainly(text) == parts_of(text)


@given(st.text(max_size=60))
def test_the_core_leaves_the_parts_of_other_writing_to_python(text: str) -> None:
    assert (identifier_parts(text) is None) == (not text.isascii())
    assert parts_of(text) == parts_plainly(text)


PRINTED = st.lists(
    st.one_of(PIECES, st.sampled_from(["\u2019", "\u2019s", "a\u2019", "l\u2019", "\u201c", "É"])), max_size=12
)


@settings(max_examples=examples(5_000))
@given(PRINTED.map("".join), st.sampled_from(ANALYZERS))
@example("don e-mail \u2019A\u2019\u2019", ANALYZERS[0])
@example("don\u2019t, l\u2019ecole d\u2019elodie and getName\u2019s QUEST\u2019A", ANALYZERS[0])
def test_apostrophes_as_they_are_printed_are_read_as_the_definition_does(text: str, analyzer: Analyzer) -> None:
    assert marked(text, analyzer) == marked_plainly(text, analyzer)


@given(st.text(max_size=60), st.sampled_from(ANALYZERS))
def test_other_writing_is_looked_at_in_python(text: str, analyzer: Analyzer) -> None:
    assert (core(text, analyzer) is None) == (not text.isascii())
    assert marked(text, analyzer) == marked_plainly(text, analyzer)


def test_an_analyser_that_takes_the_mark_off_marks_nothing() -> None:
    assert marked("getName and went before", Analyzer(mode="ascii")) == ""


def test_each_irregular_form_has_its_base() -> None:
    assert len(BASE_OF) > 150
    for form in BASE_OF:
        assert core(f"They {form.upper()}.", Analyzer()) == marked_plainly(f"They {form.upper()}.", Analyzer())


def test_each_word_of_a_kind_has_its_names() -> None:
    for word in filter(str.isascii, names_of_kinds()):
        assert core(f"They {word.upper()}.", Analyzer()) == marked_plainly(f"They {word.upper()}.", Analyzer())


def test_turns_of_conversations(shared: Path) -> None:
    lines = (shared / "data" / "locomo-dev" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    assert len(texts) > 2_000 and sum(map(str.isascii, texts)) > 2_000
    for text in texts:
        assert marked(text, ANALYZERS[0]) == marked_plainly(text, ANALYZERS[0])


def test_parts_that_take_more_than_a_text_may_are_refused() -> None:
    with pytest.raises(Exception, match="limit of 10000000"):
        marked("C# " * 1_500_000, Analyzer())
