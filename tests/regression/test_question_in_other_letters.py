"""A question in decomposed letters, or behind a mark of direction, kept its function words, and had other scores."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from byheart import Memory

TOLD = {
    "de": ("Der Schlüssel liegt in der Küche.", "Mein Bruder ist im Büro.", "wo ist der Schlüssel in der Küche?"),
    "fr": ("La clé est dans la cuisine.", "Mon frère est à Lyon.", "où est la clé de la cuisine ?"),
    "es": ("La llave está en la cocina.", "Mi hermano está en Lima.", "¿dónde está la llave?"),
    "nl": ("De sleutel ligt in de keuken.", "Mijn broer is in Utrecht.", "waar is de sleutel van de keuken?"),
    "sv": ("Nyckeln ligger i köket.", "Min bror är i Umeå.", "var är nyckeln i köket?"),
    "ru": ("Ключ лежит на кухне.", "Мой брат живёт в Самаре.", "где лежит мой ключ?"),
    "hi": ("चाबी रसोई में है।", "मेरा भाई दिल्ली में है।", "चाबी कहाँ है?"),
    "ko": ("여권은 책상 서랍에 있습니다.", "책은 도서관에 있어요.", "여권 어디에 있어?"),
    "vi": ("Chìa khóa ở trong bếp.", "Anh trai tôi ở Huế.", "chìa khóa ở đâu?"),
}
MARKS = ("\u200e", "\u200f", "\ufeff", "\u202a", "\u2066", "\u200b")


def test_a_decomposed_question_that_nothing_answers_has_no_answer() -> None:
    with Memory() as memory:
        for text in ("여권은 책상 서랍에 있습니다.", "책은 도서관에 있어요.", "언니는 부산에 있어요."):
            memory.remember(text)
        for form in ("NFC", "NFD", "NFKD"):
            assert memory.recall(normalize(form, "도장 어디에 있어?")).hits == (), form


@pytest.mark.parametrize("language", TOLD)
def test_the_same_question_has_the_same_answer(language: str) -> None:
    *texts, question = TOLD[language]
    ways = [normalize("NFD", question), f"{MARKS[0]}{question}{MARKS[1]}"]
    ways += [f"{mark}{question}" for mark in MARKS]
    ways += [question.replace(" ", f"{mark} {mark}") for mark in MARKS]
    with Memory() as memory:
        for text in texts:
            memory.remember(text, id=text)
        known = [(hit.record.id, hit.score) for hit in memory.recall(question).hits]
        for way in ways:
            assert [(hit.record.id, hit.score) for hit in memory.recall(way).hits] == known, ascii(way)
    assert known and known[0][0] == texts[0]


def test_a_mark_within_a_word_stays() -> None:
    with Memory() as memory:
        memory.remember("The code is ab\u200e\u200ecd.", id="code")
        assert [hit.record.id for hit in memory.recall("ab\u200e\u200ecd").hits] == ["code"]


def test_a_question_of_marks_alone_asks_for_nothing() -> None:
    with Memory() as memory:
        memory.remember("The kettle is blue.")
        assert memory.recall("\u200e\u200f").hits == memory.recall("?").hits == ()


def test_operators_behind_a_mark_are_read() -> None:
    with Memory() as memory:
        memory.remember("The kettle is blue.", id="blue")
        memory.remember("The kettle is red.", id="red")
        assert [hit.record.id for hit in memory.recall("\u200fkettle -red").hits] == ["blue"]
        assert [hit.record.id for hit in memory.recall('\u200e"kettle is red"').hits] == ["red"]
