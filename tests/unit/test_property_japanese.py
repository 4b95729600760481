"""A property that a Japanese question asks for, of somebody of whom no record says it."""

import pytest

from byheart import Memory

TOLD = [
    "私の名前は田中健です。", "妻の名前は由美です。", "母の誕生日は5月3日です。",
    "弟は大阪で働いています。", "猫の名前はミケです。", "娘のさくらは小学三年生です。",
    "さくらの誕生日は9月1日です。", "歯医者の電話番号は03-1234-5678です。", "愛車は赤い日産リーフです。",
]  # fmt: skip


def memory_of(texts: list[str]) -> Memory:
    memory = Memory()
    for number, text in enumerate(texts):
        memory.remember(text, id=f"r{number}")
    return memory


@pytest.mark.parametrize(
    "question",
    [
        "父の名前は？", "犬の名前は何ですか", "私の祖父の誕生日はいつですか？", "息子の年齢を教えて", "妻の誕生日は？",
        "弟の電話番号は何番ですか？", "弟さんの身長は？", "妻のメールアドレスは？", "猫の色は何色ですか？",
    ],
)  # fmt: skip
def test_a_property_that_no_record_says_of_somebody_is_not_known(question: str) -> None:
    answer = memory_of(TOLD).recall(question)
    assert not answer and not answer.sufficient


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("妻の名前は？", 1), ("母の誕生日はいつですか？", 2), ("猫の名前は何ですか", 4), ("歯医者の電話番号は？", 7),
        ("さくらの誕生日は？", 6), ("私の名前は何ですか？", 0),
    ],
)  # fmt: skip
def test_one_that_a_record_says_is(question: str, told: int) -> None:
    answer = memory_of(TOLD).recall(question)
    assert answer.sufficient and answer[0].text == TOLD[told]


def test_one_that_is_said_of_a_name_is_known_of_whose_name_it_is() -> None:
    answer = memory_of(TOLD).recall("娘の誕生日は？")
    assert answer.sufficient and TOLD[6] in [hit.text for hit in answer]


def test_what_another_user_told_says_nothing() -> None:
    memory, alone = memory_of(["妻の名前は由美です。"]), memory_of(["妻の名前は由美です。"])
    memory.remember("妻の誕生日は5月3日です。", user_id="ken")
    answers = [each.recall("妻の誕生日は？", user_id="ada") for each in (memory, alone)]
    assert [hit.text for hit in answers[0]] == [hit.text for hit in answers[1]] == []
    assert memory.recall("妻の誕生日は？", user_id="ken").sufficient


def test_of_whom_many_records_speak_anything_may_be_said() -> None:
    memory = memory_of([*TOLD, *(f"妻と{number}回目の散歩に行きました。" for number in range(60))])
    assert memory.recall("妻の誕生日は？")
