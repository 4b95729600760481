"""Silence: messages that say nothing at all, whoever said them: signs, thanks, nods, greetings.

A list of whole messages, and not of beginnings: "thanks!" says nothing, "thanks, the boat leaves at nine" does. Answers
are not among them: "yes" and "no" say something to whoever knows the question. Letters, digits and case are Unicode's.
"""

from __future__ import annotations

import re
from itertools import islice
from unicodedata import normalize

MOST_WORDS = 8
"""A message of more words says something."""

_GREETINGS = r"""hi hello hey hiya greetings good_(?:morning|afternoon|evening|day|night) hallo moin servus
    guten_(?:morgen|tag|abend) bonjour bonsoir salut hola buenos_d[ií]as ol[aá] ciao こんにちは こんばんは
    おはよう(?:ございます)? 你好 您好 안녕하세요"""
_ADDRESSED = "there again all everyone everybody folks guys team world"
_NODS = r"""ok okay okey k kk thanks thank_you thankyou thx ty tysm many_thanks cheers a_lot so_much very_much
    cool great nice perfect awesome got_it understood i_see makes_sense sounds_good alright all_right right sure fine
    hm+ mhm+ mm+ uh_?huh aha+ ah+ oh+ wow lol (?:ha){2,}h? (?:he){2,}h? youre_welcome you_are_welcome no_problem np
    no_worries bye goodbye see_you see_ya danke(?:_sch[oö]n)? vielen_dank genau tsch[uü]ss merci(?:_beaucoup)?
    daccord (?:muchas_)?gracias vale obrigad[oa] grazie ありがとう(?:ございます)? なるほど 了解(?:です|しました)?
    谢谢你? 謝謝你? 好的 嗯+ 哦+ 감사합니다 고마워(?:요)?"""


def _any_of(words: str) -> str:
    return "(?:" + "|".join(each.replace("_", " ") for each in words.split()) + ")"


_NOTHING = re.compile(
    rf"(?:{_any_of(_GREETINGS)}(?: {_any_of(_ADDRESSED)})*|{_any_of(_NODS)})"
    rf"(?: (?:{_any_of(_GREETINGS)}(?: {_any_of(_ADDRESSED)})*|{_any_of(_NODS)}))*"
)
_HEARTBEAT = re.compile(r"heartbeat(?: ok)?(?: [0-9]+)*")
_APOSTROPHES = str.maketrans("", "", "'’")


def says_nothing(text: str) -> str | None:
    """Return in which way a message says nothing at all; None if it says something.

    >>> says_nothing("  "), says_nothing("?!"), says_nothing("Thanks!"), says_nothing("thanks, at nine then")
    ('empty', 'signs', 'backchannel', None)
    """
    words = _words(text)
    if not words:
        return "signs" if text.strip() else "empty"
    if len(words) > MOST_WORDS:
        return None
    said = " ".join(words)
    return "backchannel" if _NOTHING.fullmatch(said) or _HEARTBEAT.fullmatch(said) else None


def _words(text: str) -> list[str]:
    """Return the first words, some more than decide; every sign ends one but for the apostrophe."""
    found = (
        match.group() for match in re.finditer(r"[^\W_]+", normalize("NFKC", text).casefold().translate(_APOSTROPHES))
    )
    return list(islice(found, MOST_WORDS + 1))
