"""Snippets of hits: the part around the match, its words marked on a terminal alone, as wide as that is."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import byheart
from byheart.cli import asking, main
from byheart.cli.snippets import NARROWEST, beginning, excerpt, width_of

from .conftest import Run


def marked(text: str, query: str, width: int = 200) -> str:
    return excerpt(text, query, width, lambda word: f"[{word}]")


def test_words_are_marked_by_the_analyzer_and_not_inside_others() -> None:
    assert marked("The Kettles steal tea.", "kettle tea") == "The [Kettles] steal [tea]."
    assert marked("Steep the tea.", "the") == "Steep the tea.", "stop words are none of the question's"
    assert marked("naïve Naïve naive", "naïve") == "[naïve] [Naïve] naive"
    assert marked("It is done.", "") == "It is done."
    assert marked("see x.y and don't", "x.y don't") == "see [x.y] and [don't]"


def test_letters_without_blanks_are_marked_by_pairs() -> None:
    assert marked("東京都の茶を飲む", "東京") == "[東京]都の茶を飲む"
    assert marked("東京都の茶を飲む", "茶") == "東京都の[茶]を飲む"
    assert marked("東京都の茶を飲む", "東京都") == "[東京都]の茶を飲む"
    assert marked("京の都", "東京") == "京の都", "half a pair is another word"
    assert marked("tea と 茶", "茶 tea") == "[tea] と [茶]"


def test_the_part_is_shown_that_says_most_of_what_was_asked_for() -> None:
    text = "Rice. " * 50 + "Descale the kettle in spring. " + "Rice again. " * 50 + "A kettle."
    shown = marked(text, "kettle spring", 60)
    assert "[kettle] in [spring]" in shown and shown.startswith("…") and shown.endswith("…")
    assert marked(text, "zebra", 60).startswith("Rice. Rice.")
    assert marked(text, "kettle", 60).count("[") == 1


@given(
    st.text(st.sampled_from("ab tea茶京e\u0301\u200d\x1b🎉\n. "), max_size=300),
    st.sampled_from(["tea", "茶", "京茶", "a b", ""]),
    st.integers(0, 120),
)
def test_a_snippet_is_never_wider_than_it_may_be(text: str, query: str, width: int) -> None:
    most = max(NARROWEST, width)
    for shown in (excerpt(text, query, width, str), beginning(text, width)):
        assert width_of(shown) <= most and "\n" not in shown and shown.replace("…", "").isprintable()
    plain = marked(text, query, width).replace("[", "").replace("]", "")
    assert plain == excerpt(text, query, width, str), "marks change nothing else"


def test_wide_letters_take_two_columns(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    assert [width_of(text) for text in ("茶", "ｔ", "e\u0301", "a\u200d")] == [2, 2, 1, 1]
    run("remember", "お茶は三分間蒸らします。" * 20, "--id", "tea")
    monkeypatch.setenv("COLUMNS", "40")
    for shown in (run("recall", "三分間").splitlines()[1], run("list").splitlines()[1]):
        assert 36 <= width_of(shown) <= 40 and shown.endswith("…")


class Screen(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_marks_are_for_terminals_that_want_them(run: Run, memory_file: object, monkeypatch: pytest.MonkeyPatch) -> None:
    run("remember", "The kettles \x1b[31m are descaled.", "--id", "x")
    assert "\x1b" not in run("recall", "kettle")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    assert main(["recall", "kettle", "-m", str(memory_file)]) == 0
    shown = screen.getvalue()
    assert "\x1b[1;33mkettles\x1b[0m" in shown
    assert "\x1b" not in re.sub(r"\x1b\[(?:0|1|2|1;33)m", "", shown), "what was remembered commands nothing"
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("sys.stdout", plain := Screen())
    assert main(["recall", "kettle", "-m", str(memory_file)]) == 0 and "\x1b" not in plain.getvalue()


def test_the_nearest_are_named_where_nothing_is_strong_enough() -> None:
    memory = byheart.Memory()
    memory.remember("The kettle is descaled every spring.", id="kettle")
    answer = memory.recall("kettle in another country entirely", min_strength=1)
    assert asking._lines(answer, "kettle") == "nothing found among 1 record; nearest: kettle"
