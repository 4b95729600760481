"""The states that Japanese sentences say: where somebody lives and works, their age and partner, what they have.

Japanese parts no words by blanks and seldom names the speaker: a sentence without a topic is of the speaker, and a
value is a run without hiragana, as names of places and companies are written. Closed tables, as in `state_forms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from ..light.expressions import expression
from .asking import unlabelled
from .state_forms import SPEAKER, THING, State

WORDS: Final[Mapping[str, str]] = {
    "live": "住んで 住所 住まい 暮らして",
    "work": "働いて 勤めて 勤務 勤務先 会社",
    "weigh": "体重",
    "age": "歳です 才です",
    "partner": "彼女 彼氏 恋人 妻 夫 婚約者",
    THING: "",
}
"""Words of each state by which older statements of it are found."""

_LONGEST: Final = 120  # characters of a sentence
_KANA: Final = expression("[\u3041-\u30fa]")
_DIGITS: Final = str.maketrans("０１２３４５６７８９．", "0123456789.")
_SENTENCES: Final = expression(r"[^。！!\n]+[。！!]?")
_ASKS: Final = expression(r"[?？]|(?:ます|です|した|せん|の)か。?$|かな。?$")
_NOT_SO: Final = expression(
    "たい|予定|つもり|かも|と思|なら|たら|れば|らしい|そうです|昔|以前|前は|前に|当時|(?:19|20)[0-9]{2}年"
)
"""What is wished, planned, supposed or of the past says nothing of a state that holds."""
_SPEAKERS: Final = frozenset(
    {"私", "わたし", "僕", "ぼく", "俺", "おれ", "自分", "うち", "私たち", "僕たち", "家族", "夫婦"}
)
_KIN: Final = frozenset("父母兄弟姉妹娘夫妻孫") | {
    "息子",
    "祖父",
    "祖母",
    "彼女",
    "彼氏",
    "友達",
    "友人",
    "両親",
    "子供",
}
"""Behind の these are of whom stands before it; a name there is the name of who does."""

_NAME: Final = r"[^\u3041-\u3096\s、。,.:：!?「」『』()・]{1,16}?"
_WORD: Final = r"[^\sはがもをにへで、。]{1,12}?"
_TITLE: Final = "(?:さん|ちゃん|くん|君)?"
_TOPIC: Final = rf"(?:(?:(?:私|僕|俺|うち)の)?(?P<who>[^\sはがもをへで、。]{{1,10}}?){_TITLE}(?:は|が|も)、?)?"
_TIMES: Final = """今日 今朝 今週 今月 今年 今 現在 最近 先週 先月 先日 昨日 去年 昨年 もう ついに やっと 無事 実は
    ちなみに 結局 毎日 毎週 毎朝 毎晩 この前 この間 この度 このたび [0-9]{1,2}月(?:[0-9]{1,2}日)?
    週に?[0-9一二三四五六七]回"""
_TIME: Final = rf"(?:(?:{'|'.join(_TIMES.split())})(?:は|に|から|の[春夏秋冬]に?)?+、?+){{0,4}}+"
_DID: Final = "(?:まし)?[ただ]"
_IS: Final = "(?:です|だ|になります)?。?$"
_NUMBER: Final = r"[0-9]{1,3}(?:\.[0-9])?"
_KILOS: Final = r"\ ?(?:キロ|kg|㎏)"
_COUNT: Final = "(?:[一二三四五六七八九十0-9]{1,2}(?:匹|台|頭|羽|本|つ|個))?"

_WITHIN: Final = rf"(?:{_NAME}の){{0,2}}"
"""What a part of a town lies in: 東京の三軒茶屋."""

_SAYING: Final[Mapping[str, tuple[str, ...]]] = {
    "live": (f"{_WITHIN}<v>に(?:住んで|暮らして|在住)", f"(?:住所|住まい|自宅|家)は<v>{_IS}"),
    "work": (
        "<v>(?:で働いて|に勤めて|で勤めて|に勤務して|で勤務して)",
        f"(?:勤務先|勤め先|職場|会社)は<v>{_IS}",
    ),
    "weigh": (f"体重は<n>{_KILOS}",),
    "age": (f"<n>[歳才]{_IS}",),
    "partner": (
        f"(?:彼女|彼氏|恋人|妻|夫|主人|婚約者|奥さん)(?:の名前)?は<v>{_TITLE}{_IS}",
        f"<v>{_TITLE}と付き合って",
    ),
    THING: (
        f"<t>(?:を|が|は){_COUNT}(?:飼って|持って|所有して|習って|吸って|契約して|購読して)",
        "<t>(?:で働いて|に勤めて|で勤めて)",
        "<t>(?:に|へ)(?:週に?[0-9一二三四五六七]回)?(?:通って|入って|加入して|乗って)",
    ),
}
_CHANGING: Final[Mapping[str, tuple[str, ...]]] = {
    "live": (
        rf"(?:{_NAME}から)?{_WITHIN}<v>(?:に|へ)(?:引っ?越し(?:をし|て(?:き|来))?|越して(?:き|来)|転居し|移住し|転入し){_DID}",
        "引っ?越して、?(?:今|現在)?は?、?<v>に(?:住んで|暮らして)",
        f"(?:新居|新しい(?:住所|家|住まい))は<v>{_IS}",
    ),
    "work": (
        rf"(?:{_NAME}から)?<v>(?:に|へ)(?:転職し|入社し|就職し|移籍し){_DID}",
        "(?:転職|就職)して、?(?:今|現在)?は?、?<v>(?:で働|に勤|で勤|に入)",
        f"新しい(?:勤務先|勤め先|職場|会社)は<v>{_IS}",
        f"<o>を(?:退職し|退社し){_DID}",
    ),
    "weigh": (
        f"の体重(?:は|が)、?<n>{_KILOS}",  # behind a time: "今朝の体重は69キロでした"
        f"体重(?:が|は)?今?は?<n>{_KILOS}(?:に|まで)(?:なり|なっ|減り|増え|落ち|戻り|減らし|落とし){_DID}",
    ),
    "age": (f"<n>[歳才]に(?:なり|なっ){_DID}",),
    "partner": (
        f"<o>{_TITLE}とは?(?:別れ|離婚し|破局し){_DID}",
        f"<v>{_TITLE}と(?:付き合い始め|付き合うことになり|交際を始め|婚約し|結婚し){_DID}",
    ),
    THING: (
        f"<t>(?:を|は|も)?(?:もう)?(?:辞め|やめ|売り|売っ|売却し|手放し|解約し|退会し|処分し){_DID}",
        f"<t>(?:が|は)(?:死に|死ん|亡くなり|亡くなっ|壊れ|盗まれ){_DID}",
    ),
}


def is_japanese(text: str) -> bool:
    """Return whether a text has kana, which no other language writes.

    >>> is_japanese("大阪に引っ越しました。"), is_japanese("我住在北京。"), is_japanese("I live in Ōsaka.")
    (True, False, False)
    """
    return not text.isascii() and _KANA.search(text) is not None


def change_in(text: str) -> State | None:
    """Return the state that a Japanese text says is another one now; None if it says nothing of that kind.

    >>> change_in("先月、大阪に引っ越しました。"), change_in("来月、大阪に引っ越す予定です。")
    (State(name='live', holder='i', said=('大阪',), is_over=False), None)
    >>> change_in("弟は大阪に引っ越しました。").holder, change_in("ジムはもう辞めました。").said
    ('弟', ('ジム',))
    """
    return next(_found(text, changing=True), None)


def states_in(text: str) -> tuple[State, ...]:
    """Return the states that a Japanese text says.

    >>> states_in("東京に住んでいます。"), states_in("雨です。")
    ((State(name='live', holder='i', said=('東京',), is_over=False),), ())
    """
    changed = change_in(text)
    return (*_found(text, changing=False), *([] if changed is None else [changed]))


def _found(text: str, *, changing: bool) -> Iterator[State]:
    for found in _SENTENCES.finditer(unlabelled(text).translate(_DIGITS)):
        sentence = found[0].strip()
        if len(sentence) > _LONGEST or _ASKS.search(sentence) or _NOT_SO.search(sentence):
            continue
        for name in _SAYING:
            if (state := _read(name, sentence, changing=changing)) is not None:
                yield state


def _read(name: str, sentence: str, *, changing: bool) -> State | None:
    found = _form(name, changing=changing).match(sentence)
    if found is None:
        return None
    said = {group.rstrip("0123456789"): text.lower() for group, text in found.groupdict().items() if text}
    holder = _holder(said.pop("who", ""))
    if name == THING and holder != SPEAKER:
        return None
    [(kind, value)] = said.items()
    return State(name, holder, (value,), kind == "o")


def _holder(who: str) -> str:
    before, _, last = who.rpartition("の")
    who = last if before and last not in _KIN else who  # "娘のさくら" is Sakura
    return SPEAKER if not who or who in _SPEAKERS else who


@cache
def _form(name: str, *, changing: bool) -> re.Pattern[str]:
    """Return the forms of a state as one pattern: those that change it, or that say it."""
    written, count = "|".join((_CHANGING if changing else _SAYING)[name]), iter(range(1, 100))
    parts = {"<v>": _NAME, "<o>": _NAME, "<t>": _WORD, "<n>": _NUMBER}
    pattern = re.sub("<[votn]>", lambda mark: f"(?P<{mark[0][1]}{next(count)}>{parts[mark[0]]})", written)
    return expression(rf"{_TIME}{_TOPIC}{_TIME}(?:{pattern})")
