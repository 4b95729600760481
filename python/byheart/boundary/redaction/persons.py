"""Names of persons and postal addresses, Japanese ones above all: a short list of words and what stands around them.

Not every name is found: a name is a word like others. What is found, and how much of what there is, is measured on the
published list of cases (docs/redaction.md). A detector of one's own, such as a model's, takes the place of these by
name.
"""
# docs/sources.md: B1.16.5.

from __future__ import annotations

import re
from collections.abc import Iterator

from ...light.expressions import expression
from .letters import Span

_SURNAMES = (
    "佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 渡部 山本 中村 小林 加藤 吉田 山田 佐々木 山口 "
    "松本 井上 木村 斎藤 齋藤 斉藤 清水 山崎 阿部 森田 池田 橋本 石川 山下 中島 小川 石井 "
    "前田 岡田 長谷川 藤田 後藤 近藤 村上 遠藤 青木 坂本 福田 太田 西村 藤井 金子 岡本 "
    "藤原 三浦 中野 中川 原田 松田 竹内 小野 田村 中山 和田 石田 上田 内田 柴田 酒井 宮崎 "
    "横山 高木 安藤 宮本 大野 小島 谷口 今井 工藤 高田 増田 丸山 杉山 村田 大塚 新井 平野 "
    "河野 武田 上野 野口 松井 千葉 菅原 岩崎 桜井 木下 野村 佐野 菊地 菊池 久保 市川 杉本 "
    "古川 島田 水野 高野 吉川 山内 西田 "
)
_SURNAME = "(?:" + "|".join(sorted(_SURNAMES.split(), key=lambda word: (-len(word), word))) + ")"
_GIVEN = r"[一-龥々ぁ-んァ-ヶー]"
_ANY = "[一-龥々ぁ-んァ-ヶーA-Za-z]"
_ENDING = (
    "[子美郎太介人也夫男雄恵香奈菜翔真樹輔彦之司平一二三代江枝織里佳花華乃音斗希紀輝明"
    "弘宏浩誠健隆和博幸信義行央哉佑祐大]"
)
_TITLE = "(?:さん|さま|様|氏|くん|君|ちゃん|先生|殿)"
_NAMES = (
    re.compile(rf"{_SURNAME}[ ]?{_GIVEN}{{0,4}}?{_TITLE}"),
    re.compile(rf"{_SURNAME}[ ]?[一-龥々]{{0,2}}{_ENDING}(?![一-龥々])"),
    re.compile(rf"(?:氏名|お名前|名前|担当者|担当)[:は][ ]{{0,4}}({_ANY}{{1,12}}(?:[ ]{_ANY}{{1,12}})?)"),
    re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof)\.? [A-Z][a-z'-]{1,30}(?: [A-Z][a-z'-]{1,30}){0,2}"),
    re.compile(r"(?i:\b(?:full name|name|my name is|contact)): ?([A-Z][a-z'-]{1,30}(?: [A-Z][a-z'-]{1,30}){1,2})"),
    re.compile(r"(?i:\bmy name is) ([A-Z][a-z'-]{1,30}(?: [A-Z][a-z'-]{1,30}){0,2})"),
)
_AFTER = expression(_TITLE + "$")

_PREFECTURES = (
    "北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 "
    "東京都 神奈川県 新潟県 富山県 石川県 福井県 山梨県 長野県 岐阜県 静岡県 愛知県 三重県 "
    "滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 山口県 徳島県 "
    "香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 鹿児島県 沖縄県 "
)
_PART = r"[一-龥々ぁ-んァ-ヶーA-Za-z0-9\-]"
_FIGURE = "[0-9一二三四五六七八九十の-]"
_NUMBER = (
    r"(?:[0-9]{1,4}(?:-[0-9]{1,4}){1,3}"
    rf"|{_FIGURE}{{1,4}}(?:丁目|番地?|号)(?:{_FIGURE}{{1,4}}(?:番地?|号)?){{0,3}})"
)
_ADDRESSES = (
    re.compile(rf"(?:{'|'.join(_PREFECTURES.split())})[一-龥々ぁ-んァ-ヶー]{{1,12}}[市区町村郡]{_PART}{{0,40}}"),
    re.compile(rf"[一-龥々ァ-ヶー]{{1,8}}[市区][一-龥々ぁ-んァ-ヶー]{{1,12}}{_NUMBER}"),
    re.compile(r"〒 ?[0-9]{3}-[0-9]{4}"),
    re.compile(
        r"\b[0-9]{1,5} (?:[A-Z][a-z'-]{1,30} ){1,3}"
        r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Boulevard|Blvd|Drive|Dr)\b\.?"
    ),
)


def names(text: str) -> Iterator[Span]:
    """Yield where names of persons stand, without their titles.

    >>> sorted({text[a:b] for text in ["山田太郎さんに電話", "Ask Dr. Ada Byron."] for a, b in names(text)})
    ['Dr. Ada Byron', '山田太郎']
    """
    for pattern in _NAMES:
        for found in pattern.finditer(text):
            start, end = found.span(found.re.groups)
            title = _AFTER.search(text, start, end)
            yield start, title.start() if title and title.start() > start else end


def addresses(text: str) -> Iterator[Span]:
    """Yield where postal addresses stand.

    >>> [text[a:b] for text in ["150 Old Mill Road", "東京都千代田区丸の内1-1-1"] for a, b in addresses(text)][:2]
    ['150 Old Mill Road', '東京都千代田区丸の内1-1-1']
    """
    for pattern in _ADDRESSES:
        for found in pattern.finditer(text):
            yield found.span()
