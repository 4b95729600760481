"""States that Japanese sentences say, and the order in which a change of one comes back."""

import pytest

from byheart import Memory, Record
from byheart.patterns.replacing import takes_the_place
from byheart.patterns.states import change_in, changes_state, states_in

DAY = 86_400.0


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("大阪に引っ越しました。", "東京に住んでいます。"),
        ("先月、東京から福岡に引っ越してきました。", "住所は東京都港区です。"),
        ("引っ越して、今は神戸に住んでいます。", "私は横浜に住んでいます。"),
        ("妹は４月にソニーへ転職しました。", "妹は任天堂で働いています。"),
        ("富士通を退職しました。", "勤務先は富士通です。"),
        ("転職して、今は任天堂で働いています。", "私はソニーで働いています。"),
        ("就職して、NECに入りました。", "ソニーに勤めています。"),
        ("富士通を辞めました。", "富士通に勤めています。"),
        ("美咲と別れました。", "彼女は美咲です。"),
        ("さくらは7歳になりました。", "娘のさくらは6歳です。"),
        ("体重が68キロになりました。", "体重は70kgです。"),
        ("ジムはもう辞めました。", "週に二回ジムに通っています。"),
        ("Netflixは解約しました。", "Netflixを契約しています。"),
    ],
)
def test_a_change_is_one_of_the_state(newer: str, older: str) -> None:
    assert changes_state(newer, older) and not changes_state(older, newer)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("弟は大阪に引っ越しました。", "東京に住んでいます。"),
        ("妹の娘は7歳になりました。", "妹は30歳です。"),
        ("東京に引っ越しました。", "東京に住んでいます。"),
        ("車を売りました。", "自転車を持っています。"),
        ("健と別れました。", "彼女は美咲です。"),
        ("健：大阪に引っ越しました。", "東京に住んでいます。"),
    ],
)
def test_what_is_said_of_another_changes_nothing(newer: str, older: str) -> None:
    assert not changes_state(newer, older)


@pytest.mark.parametrize(
    "text",
    [
        "来月、大阪に引っ越す予定です。", "大阪に引っ越したいです。", "大阪に引っ越しましたか？",
        "昔、大阪に引っ越しました。",
        "2015年に大阪に引っ越しました。", "会議は水曜日に変更になりました。",
        "母が退院しました。",
        "大阪に引っ越しましたが" * 20,
    ],
)  # fmt: skip
def test_plans_questions_and_the_past_change_nothing(text: str) -> None:
    assert change_in(text) is None


def test_a_run_without_hiragana_is_a_value_whole() -> None:
    assert [state.said for state in states_in("私の兄は札幌市中央区に住んでいます。")] == [("札幌市中央区",)]
    assert [state.holder for state in states_in("私の兄は札幌市中央区に住んでいます。")] == ["兄"]


def test_what_holds_now_comes_first_unless_the_past_is_asked_for() -> None:
    memory = Memory()
    live, mate, moved, parted = (
        "東京に住んでいます。",
        "彼女は美咲です。",
        "大阪に引っ越しました。",
        "美咲と別れました。",
    )
    memory.remember_many(
        Record(text=text, created_at=1.7e9 + at) for at, text in enumerate((live, mate, moved, parted))
    )
    now, before, name = "どこに住んでいますか？", "以前はどこに住んでいましたか？", "彼女の名前は？"
    firsts = {question: memory.recall(question)[0].text for question in (now, before, name)}
    assert firsts == {now: moved, before: live, name: parted}, "a name has the sign for what was before in it"
    memory.remember("弟は札幌に引っ越しました。", created_at=1.7e9 + DAY)
    assert memory.recall(now)[0].text == moved


def test_a_word_that_ends_as_before_does_asks_for_no_past() -> None:
    old, new = "彼女は美咲です。", "美咲と別れました。"
    assert takes_the_place(new, old, "彼女の名前は？") and not takes_the_place(new, old, "前の彼女は？")
