"""Names of kinds in Japanese questions, read in the words that records hold."""

import pytest

from byheart import Memory

TOLD = [
    "娘のさくらは小学三年生です。", "今は横浜に住んでいます。", "犬を一匹飼っています。", "夫は銀行員です。",
    "勤務先は富士通です。", "ピアノを十年習っていました。", "母の誕生日は5月3日です。", "コーヒーは飲みません。",
    "iPhoneを使っています。", "週末は釣りに行きます。",
]  # fmt: skip


def memory_of(texts: list[str]) -> Memory:
    memory = Memory()
    for number, text in enumerate(texts):
        memory.remember(text, id=f"r{number}")
    return memory


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("子供はいますか？", 0), ("お子さんの学年は？", 0), ("住所はどこ？", 1), ("ペットは飼っていますか？", 2),
        ("旦那さんの職業は？", 3), ("どこの会社に勤めていますか？", 4), ("楽器は何か弾けますか？", 5),
        ("好きな飲み物は何ですか？", 7), ("スマホは何？", 8),
    ],
)  # fmt: skip
def test_a_kind_is_found_by_what_is_of_it(question: str, told: int) -> None:
    answer = memory_of(TOLD).recall(question)
    assert answer.sufficient and answer[0].text == TOLD[told]


def test_a_kind_that_records_name_is_asked_for_as_it_is() -> None:
    memory = memory_of([*TOLD, "ペットの餌は駅前で買います。"])
    assert [hit.text for hit in memory.recall("ペットの餌はどこで買いますか？")][:1] == ["ペットの餌は駅前で買います。"]
    assert "all:犬" not in str(memory.explain("ペットの餌はどこで買いますか？", "r2"))


def test_what_a_kind_was_read_as_is_told() -> None:
    memory = memory_of(TOLD)
    said = str(memory.explain("ペットは飼っていますか？", "r2"))
    assert "all:犬" in said and "read for 'ペット'" in said


def test_what_others_said_says_nothing_about_a_kind() -> None:
    memory = memory_of(["夫は銀行員です。"])
    memory.remember("犬を一匹飼っています。", user_id="ken", id="k")
    memory.remember("熱帯魚を飼っています。", user_id="ada", id="a")
    answer = memory.recall("ペットは飼っていますか？", user_id="ada")
    assert [hit.id for hit in answer][:1] == ["a"]
