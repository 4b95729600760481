"""Labels at the front of a text, which say what kind of note it is: "Note:", "TODO:", "Reminder:", "[Update]".

They are neither speaker nor subject, and a colon behind one parts nothing. What else stands before a colon is what the
text is about ("New gate code: 9035.") or who says it ("Ann: Hello!"), and stays.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression

_WORDS: Final = r"""notes?|to[-\ ]?dos?|reminders?|updates?|edit|fyi|infos?|information|memos?|p\.?s\.?|n\.?b\.?|btw
    |heads[-\ ]up|important|urgent|remember|remark|ideas?|tasks?|log|diary|journal|status|news|tip|warning|announcement
    |correction|personal|fact|notiz(?:en)?|erinnerung|aufgabe|hinweis|wichtig|nachtrag|merke|rappel|remarque|nota
    |recordatorio|aviso|importante"""
_JAPANESE: Final = "メモ|覚え書き|注意|備考|追記|更新|リマインダー|お知らせ|重要"
_LABEL: Final = expression(
    rf"""\W{{0,3}}(?:(?:quick|short|small|side|personal|another|important|friendly)\ )?
    (?:{_WORDS})(?:\ (?:to|for)\ (?:self|myself|me)|\ \d{{1,3}}|\ \([^()]{{1,20}}\))?
    (?:\s?:|\]\s?:?|\s[-\u2013\u2014])\s+
    |[\[【(（]?(?:{_JAPANESE})[\]】)）]?\s?[:：、]?\s?(?<=[:：、\]】)） ])""",
    re.VERBOSE | re.IGNORECASE,
)


@lru_cache(maxsize=2048)  # the same texts are found again and again
def without_label(text: str) -> str:
    """Return a text without the label at its front that says what kind of note it is.

    >>> without_label("Note to self: Tom is allergic."), without_label("[TODO] call Tom"), without_label("Code: 9035.")
    ('Tom is allergic.', 'call Tom', 'Code: 9035.')
    """
    found = _LABEL.match(text)
    return text if found is None or found.end() == len(text) else text[found.end() :]
