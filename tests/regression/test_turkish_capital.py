"""A word that begins with the Turkish dotted capital was not found in small letters, nor the other way round."""

from __future__ import annotations

import pytest

from byheart import Analyzer, Memory
from byheart.reference import text as reference


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("İlaç sabah alınacak.", ("ilaç", "+ilaç", '"ilaç"', "İlaç", "ilac", "i\u0307laç", "I\u0307laç")),
        ("İğne çekmecede duruyor.", ("iğne", "+iğne", "İğne", "igne")),
        ("Hesap İş Bankası'nda.", ("iş bankası", "+iş", "İş Bankası")),
        ("ilaç dolapta duruyor.", ("İlaç", "+İlaç", '"İlaç"')),
        ("İSTANBUL'a giden tren.", ("istanbul", "İstanbul")),
    ],
)
def test_it_is_the_same_word_in_small_letters(text: str, questions: tuple[str, ...]) -> None:
    with Memory() as memory:
        memory.remember(text, id="it")
        memory.remember("The kettle is in the kitchen.", id="other")
        found = {question: [hit.record.id for hit in memory.recall(question).hits] for question in questions}
    assert found == {question: ["it"] for question in questions}


def test_the_dot_goes_where_words_are_cut_and_nowhere_else() -> None:
    text = "İlaç i\u0307\u0307x I\u0307\u0307y a\u0307 ı i\u0323\u0307"
    expected = ["ilaç", "ix", "iy", "\u0227", "ı", "\u1ecb\u0307"]
    assert Analyzer().terms(text) == reference.terms(text) == expected
    assert Analyzer(mode="ascii", stem=False).terms("İLAx") == reference.terms("İLAx", mode="ascii", stem=False)
