"""Questions in Japanese, Chinese, Korean and Hindi: what only asks is no part of what a memory knows."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from byheart import Analyzer, Memory
from byheart.retrieval.asking_asian import without_asking
from byheart.retrieval.asking_words import content_of

NOTES = {
    "ja": ["母の誕生日は6月14日です。", "玄関の鍵は植木鉢の下に隠してある。", "田中さんは卵アレルギーがあります。",
           "弟は大阪の銀行で働いている。"],
    "zh": ["妈妈的生日是农历八月初三。", "车停在地下二层B区117号。", "备用钥匙放在鞋柜最上面的抽屉里。", "房东姓王。"],
    "ko": ["엄마 생신은 6월 14일이다.", "열쇠는 화분 밑에 있다.", "월세는 85만 원이다.", "동생은 부산에서 일한다."],
    "hi": ["माँ का जन्मदिन 5 मार्च को है।", "चाबी गमले के नीचे रखी है।", "किराया 12000 रुपये है।", "मेरी बहन पुणे में रहती है।"],
}  # fmt: skip


def _memory(language: str) -> Memory:
    memory = Memory()
    for place, text in enumerate(NOTES[language]):
        memory.remember(text, id=str(place))
    return memory


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("ja", "財布はどこにありますか？"), ("ja", "明日の天気はどうですか？"), ("ja", "飛行機は何時に出発しますか？"),
        ("zh", "护照在哪里？"), ("zh", "钱包在哪儿？"),
        ("ko", "여권이 어디 있어?"), ("ko", "결혼식은 언제야?"),
        ("hi", "पासपोर्ट कहाँ है?"), ("hi", "टिकट कितने का है?"),
    ],
)  # fmt: skip
def test_what_no_record_is_about_is_refused(language: str, question: str) -> None:
    assert not _memory(language).recall(question).hits


@pytest.mark.parametrize(
    ("language", "question", "id"),
    [
        ("ja", "母の誕生日はいつ？", "0"), ("ja", "鍵はどこ？", "1"), ("ja", "弟の仕事は？", "3"),
        ("zh", "妈妈什么时候生日？", "0"), ("zh", "备用钥匙在哪儿？", "2"), ("zh", "房东姓什么？", "3"),
        ("ko", "엄마 생신이 언제예요?", "0"), ("ko", "열쇠가 어디 있어?", "1"),
        ("hi", "चाबी कहाँ है?", "1"), ("hi", "मेरी बहन कहाँ रहती है?", "3"),
    ],
)  # fmt: skip
def test_what_a_record_is_about_is_answered(language: str, question: str, id: str) -> None:
    assert _memory(language).recall(question)[0].id == id


def test_words_in_kana_that_say_something_stay() -> None:
    assert without_asking("りんごはどこで買いましたか").split() == ["りんご", "買"]


def test_a_question_of_nothing_else_keeps_its_words() -> None:
    memory = Memory()
    memory.remember("ここはどこですか", id="x")
    assert memory.recall("どこですか")[0].id == "x"


def test_a_long_run_of_endings_costs_little() -> None:
    began = process_time()
    without_asking("日" + "でしたでした" * 5_000 + "ぬ")
    assert process_time() - began < 1.0


SIGNS = "はがのでした何誰日本パスー的是什么哪里吗가는은열쇠어디있어है का、。?-' 0aé㍿ｶﾞ\x1f\u3000"


@given(st.lists(st.sampled_from(SIGNS), max_size=14).map("".join))
def test_what_is_left_was_asked_in_its_order_and_is_never_nothing(question: str) -> None:
    analyzer = Analyzer()
    left, asked = analyzer.terms(content_of(question, analyzer)), analyzer.terms(question)
    assert bool(left) == bool(asked) and len(left) <= len(asked)
    rest = iter(asked)
    assert all(term in rest for term in left)
