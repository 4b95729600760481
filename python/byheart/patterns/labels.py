"""Labels and lead-ins at the front of a text: what kind of note it is ("TODO:"), and how one came to know what it says.

Labels are neither speaker nor subject, and a colon behind one parts nothing. What else stands before a colon is what
the text is about ("New gate code: 9035.") or who says it ("Ann: Hello!"), and stays. What stands behind a lead-in is
said as if it stood alone: "Turns out my shoe size is 43" is of a shoe size. Who says it goes only if that is somebody
by their trade, or a letter: what Ann says may be of Ann. Lead-ins are read in English alone.
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
_LEARNT: Final = r"(?:found|figured)\ out|learn(?:ed|t)|heard|hear|realized|realised|noticed|was\ told"
_TELLS: Final = r"says|said|tells\ me|tells\ us|told\ me|told\ us|confirmed|confirms|wrote|writes|reports|announced"
_TRADE: Final = r"(?:[\w-]+(?:er|or|ist|ian|ant|ent)|boss|school|bank|office|vet|coach|nurse|mail|sign|website|app)"
_THEIRS: Final = "(?:he|she|it|they|his|her|its|their|to|about|in|on|at|with|so|that|and)"
_LEAD_IN: Final = expression(
    rf"""(?:(?:as\ )?(?:it\ )?turn(?:s|ed)\ out(?:\ that|,)?
    |(?:apparently|evidently|by\ the\ way|just\ so\ you\ know|for\ the\ record),?
    |(?:it\ seems|it\ looks\ like|looks\ like|seems\ like|word\ is)(?:\ that)?
    |(?:i|we)(?:['\u2019]ve|\ have)?\ (?:just\ |now\ |only\ |finally\ )?(?:{_LEARNT})\ that
    |(?:the|my|our)\ {_TRADE}\ (?:just\ )?(?:{_TELLS})(?:\ that|,)?(?!\ {_THEIRS}\b)
    )\ (?=[\w'\u2019-]+\ \w)""",
    re.VERBOSE | re.IGNORECASE,
)


@lru_cache(maxsize=2048)  # the same texts are found again and again
def without_label(text: str) -> str:
    """Return a text without the label at its front that says what kind of note it is, and without a lead-in.

    >>> without_label("Note to self: Tom is allergic."), without_label("[TODO] call Tom"), without_label("Code: 9035.")
    ('Tom is allergic.', 'call Tom', 'Code: 9035.')
    """
    found = _LABEL.match(text)
    return without_lead_in(text if found is None or found.end() == len(text) else text[found.end() :])


@lru_cache(maxsize=2048)  # the same texts are found again and again
def without_lead_in(text: str) -> str:
    """Return a statement without what tells at its front how one came to know it.

    >>> without_lead_in("It turns out that Tom is allergic."), without_lead_in("My dentist says milk is fine.")
    ('Tom is allergic.', 'milk is fine.')
    >>> without_lead_in("My sister says she is ill."), without_lead_in("Apparently.")
    ('My sister says she is ill.', 'Apparently.')
    """
    found = _LEAD_IN.match(text)
    return text if found is None else text[found.end() :]
