"""The names of kinds in Japanese questions, read as what records say of the kind: "ペット" as "犬", "住所" as "住んで".

In other languages a record is indexed with the kinds of its words (`patterns.kinds`). Japanese words are found by their
characters and pairs of these, which say no kind; so the question is read in other words, where no record holds its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from .asking_asian import KANA
from .marked_terms import MARK
from .question import ReadAs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._core import Analyzer, Partition

MOST_WORDS: Final = 4
"""Other words that a kind is read as: the first that records hold, in the order of the table."""

_KINDS: Final = """
子供 子ども こども お子さん: 娘 息子 長男 長女 次男 次女 赤ちゃん
兄弟 きょうだい 姉妹: 兄 弟 姉 妹
両親 親: 父 母 お父さん お母さん 父親 母親
家族: 妻 夫 娘 息子 父 母 兄 弟 姉 妹
奥さん 奥様 嫁 配偶者 パートナー: 妻 奥さん 家内 夫 彼女 彼氏
旦那 ご主人 配偶者: 夫 主人 旦那
恋人: 彼女 彼氏
ペット 動物: 犬 猫 うさぎ ハムスター 金魚 熱帯魚 インコ 文鳥 亀
住所 居住地 住まい: 住所 住んで 引っ越し
出身 出身地 故郷 地元: 出身 実家 生まれ 育ち
会社 勤務先 勤め先 職場 勤め: 勤務先 勤め先 会社 職場 で働いて 勤めて 入社 転職
職業 仕事 お仕事: 仕事 職業 エンジニア 教師 看護師 医師 デザイナー 営業 働いて
年齢 何歳 いくつ: 歳 才
身長: センチ cm
体重: キロ kg
車 自動車 愛車: 自動車 クルマ トヨタ ホンダ 日産 プリウス 軽自動車
乗り物: 車 自転車 バイク 電車
パソコン PC: パソコン MacBook ノートPC Windows ThinkPad
スマホ 携帯 携帯電話: iPhone スマートフォン Pixel Android 携帯
電話番号 連絡先: 電話 携帯 番号
飲み物 お酒: コーヒー 紅茶 お茶 緑茶 ビール ワイン 日本酒 焼酎 ジュース 牛乳
食べ物 料理 好物: 寿司 ラーメン カレー うどん そば 焼肉 パスタ ピザ
果物 フルーツ: りんご みかん バナナ いちご 桃 ぶどう 梨 メロン スイカ
野菜: トマト にんじん 玉ねぎ きゅうり なす ほうれん草 ピーマン
楽器: ピアノ ギター バイオリン ドラム フルート チェロ
スポーツ 運動: サッカー 野球 テニス 水泳 ジム ランニング ジョギング ゴルフ バスケ 登山 ヨガ
音楽: ジャズ ロック クラシック ポップス
言語 外国語: 英語 中国語 韓国語 フランス語 ドイツ語 スペイン語
病気 持病: 糖尿病 高血圧 喘息 花粉症 アレルギー
薬: 錠 錠剤 mg 飲んで
病院 医者: 歯医者 内科 外科 眼科 耳鼻科 クリニック
旅行 旅: 行きました 旅行 出張
家賃 料金 値段 価格 費用: 円 家賃 料金 値段 価格
誕生日: 生まれ 誕生日
"""
"""The names of a kind, or of one thing, before the colon; behind it words in which records say it."""


@cache
def words_by_name() -> Mapping[str, tuple[str, ...]]:
    """Return the words in which records say what is of a kind, by its names."""
    found: dict[str, list[str]] = {}
    for line in _KINDS.strip().splitlines():
        names, words = map(str.split, line.split(":"))
        for name in names:
            found.setdefault(name, []).extend(word for word in words if word not in name)
    return {name: tuple(dict.fromkeys(words)) for name, words in found.items()}


def read_kinds(query: str, analyzer: Analyzer, core: Partition, cells: Sequence[str]) -> tuple[ReadAs, ...]:
    """Return what the names of kinds in a Japanese question are read as, of those that no record holds.

    Args:
        query: the question.
        analyzer: of the memory.
        core: the partition of the tenant.
        cells: those that may be looked at.

    """
    if query.isascii() or KANA.search(query) is None:
        return ()
    asked = [name for name in words_by_name() if name in query]
    whole = [name for name in asked if not any(name != other and name in other for other in asked)]
    found = []
    for name in whole:
        others = [word for word in words_by_name()[name] if _is_held(word, analyzer, core, cells)]
        if others and not _is_held(name, analyzer, core, cells):
            found.append(ReadAs(name, " ".join(others[:MOST_WORDS]), within=True))
    return tuple(found)


def _is_held(word: str, analyzer: Analyzer, core: Partition, cells: Sequence[str]) -> bool:
    """Return whether records hold a word: all its pairs of characters, be it in several records."""
    terms = analyzer.terms(word)
    return bool(terms) and all(core.held_terms(terms, MARK, cells=cells))
