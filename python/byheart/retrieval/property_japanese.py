"""A property that a Japanese question asks for, and whether a record says it of whom it asks: "妻の誕生日は？".

Where records name the wife, and none that does has a word by which one says a birthday, her birthday is not known,
whoever else has one. Only questions for a property alone are looked at, and only the records of a few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ..light.expressions import expression
from .kinds_asian import words_by_name
from .marked_terms import MARK

if TYPE_CHECKING:
    from .._core import Analyzer
    from ..records import Record

MOST_READ: Final = 48
"""Records that are read at most; of whom more speak, anything may be said."""

_DATED: Final = "誕生日|生まれ|生れ|[0-9０-９]月|歳になり"
_NUMBERED: Final = "[0-9０-９〇一二三四五六七八九]{3}|@"
_SAYS: Final[Mapping[str, str]] = {
    "名前": "",
    "誕生日": _DATED,
    "電話番号": _NUMBERED, "番号": _NUMBERED, "連絡先": _NUMBERED, "メールアドレス": "@|メール|アドレス",
    "住所": "住|市|区|町|村|県|丁目|番地",
    "年齢": "歳|才|年生|生まれ",
    "身長": "cm|センチ|メートル|身長", "体重": "kg|キロ|体重",
    "血液型": "型",
    "値段": "[0-9０-９万千百]", "料金": "[0-9０-９万千百]|無料",
    "色": "色|[赤青白黒緑黄紫茶灰銀金紺]|ピンク|オレンジ|ベージュ|グレー|シルバー|ブルー|レッド|グリーン",
}  # fmt: skip
"""What a record has that may say a property; nothing: whatever it says."""
_NOUN: Final = "[\u30a1-\u30ff\u4e00-\u9fff々A-Za-z]{1,8}?"
_TITLE: Final = "(?:さん|ちゃん|くん|君)?"
_ASKED: Final = expression(
    rf"\W*(?:(?:私|僕|俺|うち)の)?(?P<whose>(?!(?:私|僕|俺|自分|今|今日|次|前|最近|現在)の){_NOUN}){_TITLE}の"
    rf"(?P<what>{'|'.join(sorted(_SAYS, key=len, reverse=True))})(?:は|って|を|が)?、?"
    r"(?:何|なん|なに|いつ|どこ|誰|だれ|いくつ|いくら|分か|わか|覚え|教えて|知)?[ぁ-ん歳色日番]{0,8}\W*"
)
"""A question for a property alone: whose it is, and what."""
_CALLED: Final = (
    "(?:の|は|の名前は)([ぁ-んァ-ヶー一-龠A-Za-z]{1,8}?)(?:さん|ちゃん|くん|君|は|が|も|です|といい|という|だ)"
)
"""What stands behind somebody's role where a record gives the name."""


def is_known_of_nobody(
    query: str,
    analyzer: Analyzer,
    holding: Callable[[Sequence[Sequence[str]]], Sequence[str]],
    read: Callable[[Sequence[str]], Sequence[Record | None]],
) -> bool:
    """Return whether a Japanese question asks for a property alone, of somebody of whom no record may say it.

    Args:
        query: the question.
        analyzer: of the memory.
        holding: gives the rows of records that may be found and hold one term of each group.
        read: gives records by their rows.

    """
    found = _ASKED.fullmatch(query)
    if found is None:
        return False
    names = (found["whose"], *words_by_name().get(found["whose"], ()))
    says = expression(_SAYS[found["what"]])
    texts = _texts_holding(names, analyzer, holding, read)
    if texts is None or any(map(says.search, texts)):
        return False
    called = {match for name in names for text in texts for match in re.findall(re.escape(name) + _CALLED, text)}
    others = _texts_holding(sorted(called), analyzer, holding, read)
    return others is not None and not any(map(says.search, others))


def _texts_holding(
    names: Sequence[str],
    analyzer: Analyzer,
    holding: Callable[[Sequence[Sequence[str]]], Sequence[str]],
    read: Callable[[Sequence[str]], Sequence[Record | None]],
) -> list[str] | None:
    """Return the texts that hold one of some names; None where there are too many."""
    rows: dict[str, None] = {}
    for name in names:
        rows |= dict.fromkeys(holding([[term, MARK + term] for term in analyzer.terms(name)]))
    if len(rows) > MOST_READ:
        return None
    texts = [" ".join(record.indexed().values()) for record in read(list(rows)) if record is not None]
    return [text for text in texts if any(name in text for name in names)]
