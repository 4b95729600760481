"""Exchanges in Japanese: what a sentence says is given up, where it goes on with what is taken up.

"トヨタを売って、マツダを買いました" gives up what "トヨタに乗っています" says. Japanese parts no words by blanks: what
is given up is the run before its particle, and an older text names it if it holds that run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..light.expressions import expression

_KANA: Final = expression("[\u3041-\u30fa]")
_RUN: Final = r"(?P<o>[^\s、。,.！!？?「」はがもをにへでとの]{2,14}?)"
_THEN: Final = r"(?P<rest>.{2,60})"
_LEFT: Final = (
    r"""(?:売っ|売却し|やめ|辞め|止め|解約し|退会し|手放し|キャンセルし|処分し|退職し|卒業し)(?:て|、|てしまい)"""
)
_FORMS: Final = tuple(
    expression(form, re.VERBOSE)
    for form in (
        rf"{_RUN}(?:を|は|も)(?:もう|もう、|全部|先月|先週)?{_LEFT}、?{_THEN}",
        rf"{_RUN}(?:の代わりに|のかわりに|じゃなくて|ではなく|でなく|より)、?{_THEN}",
        rf"{_RUN}から(?P<rest>[^\s、。はがもを]{{2,14}}?)(?:に|へ)(?:引っ?越|乗り換え|変え|変わ|変更|移り|移っ|切り替え|転職|買い替え|転校)",
        rf"{_RUN}(?:が|は)[^、。]{{1,12}}(?:た|だ)(?:ので|から|ため)、?(?:今|現在|今度|代わり)(?:は|に){_THEN}",
        rf"{_RUN}(?:が|は)(?:なくなった|なくなり|廃止にな|廃止され|退職し|引退し|閉店し|閉まっ|壊れ|亡くな|辞め)[^、。]{{0,6}}、{_THEN}",
    )
)
_KIN: Final = expression(
    "^(?P<who>父|母|兄|弟|姉|妹|娘|息子|祖父|祖母|彼女|彼|友達|友人|[^\\s、。はがもを]{1,8}(?:さん|くん|君|ちゃん))(?:は|が)"
)
_SAYS: Final = expression("[\u30a1-\u30fa\u4e00-\u9fff0-9A-Za-z]{2}")
_NOT_SO: Final = expression("たい|予定|つもり|かも|と思|なら|たら|れば|らしい|[?？]$|ますか|ですか")


def is_japanese(text: str) -> bool:
    """Return whether a text has kana, which no other language writes.

    >>> is_japanese("ジムをやめました。"), is_japanese("I quit.")
    (True, False)
    """
    return not text.isascii() and _KANA.search(text) is not None


def given_up(text: str) -> Iterator[tuple[str, ...]]:
    """Give what a text says is given up, each with who does that, if it is one of the speaker's people.

    >>> list(given_up("トヨタを売って、マツダを買いました。")), list(given_up("弟はバイトをやめて、就職しました。"))
    ([('トヨタ',)], [('バイト', '弟')])
    >>> list(given_up("トヨタを売って、マツダを買いたい。"))
    []
    """
    if _NOT_SO.search(text):
        return
    who = _KIN.match(text)
    for form in _FORMS:
        for found in form.finditer(text):
            gone = found["o"]
            if _SAYS.search(found["rest"]) and gone not in found["rest"] and _SAYS.search(gone):
                yield (gone,) if who is None or who["who"] == gone else (gone, who["who"])
