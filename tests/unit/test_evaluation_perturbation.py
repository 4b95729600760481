"""Queries are made worse on purpose, the same way every time."""

import pytest

from byheart import Analyzer
from byheart.evaluation.perturbation import misspell, rarest_words

TEXT = "When did Caroline paint the sunrise near Lake Geneva?"


def one_edit_apart(left: str, right: str) -> bool:
    """Return whether one swap of neighbours, one deletion or one replacement turns left into right."""
    letters = {*left, *right}
    swaps = {left[:at] + left[at + 1] + left[at] + left[at + 2 :] for at in range(len(left) - 1)}
    deletions = {left[:at] + left[at + 1 :] for at in range(len(left))}
    replacements = {left[:at] + letter + left[at + 1 :] for at in range(len(left)) for letter in letters}
    return left != right and right in swaps | deletions | replacements


def test_each_long_content_word_gets_one_edit_and_others_none() -> None:
    edited = 0
    for number in range(200):
        for before, after in zip(TEXT.split(), misspell(TEXT, f"7/{number}").split(), strict=True):
            if before in ("Caroline", "paint", "sunrise", "Geneva?"):
                assert one_edit_apart(before, after), (before, after)
                edited += 1
            else:
                assert before == after
    assert edited == 800


def test_all_three_edits_happen() -> None:
    lengths = [len(misspell("Caroline", str(number))) for number in range(300)]
    assert 50 < lengths.count(7) < 150
    same_letters = sum(sorted(misspell("Caroline", str(number))) == sorted("Caroline") for number in range(300))
    assert 50 < same_letters < 150


def test_seed_and_text_decide() -> None:
    assert misspell(TEXT, "7/q1") == misspell(TEXT, "7/q1")
    assert len({misspell(TEXT, f"7/{number}") for number in range(20)}) > 15


def test_a_word_of_one_letter_repeated_is_still_changed() -> None:
    assert all(misspell("aaaaa", str(number)) != "aaaaa" for number in range(50))


@pytest.mark.parametrize("text", ["", "to be or not", "2024-05-08", "could this have been"])
def test_texts_without_long_content_words_stay(text: str) -> None:
    assert misspell(text, "7") == text


def test_the_rarest_words_keep_the_order_of_the_query() -> None:
    known = {"carolin": 90, "paint": 4, "sunris": 1, "lake": 2, "geneva": 2}
    assert rarest_words(TEXT, 1, known, Analyzer()) == "sunrise"
    assert rarest_words(TEXT, 2, known, Analyzer()) == "sunrise Lake"
    assert rarest_words(TEXT, 9, known, Analyzer()) == "Caroline paint sunrise Lake Geneva?"


def test_words_that_no_document_holds_are_left_out() -> None:
    assert rarest_words(TEXT, 2, {"paint": 4, "sunris": 0}, Analyzer()) == "paint"
    assert rarest_words(TEXT, 2, {}, Analyzer()) == ""
    assert rarest_words("the of and", 2, {"the": 1}, Analyzer()) == ""
