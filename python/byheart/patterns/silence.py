"""Silence: messages that say nothing at all, whoever said them: signs, thanks, nods, greetings.

A list of whole messages, and not of beginnings: "thanks!" says nothing, "thanks, the boat leaves at nine" does. Answers
are not among them: "yes" and "no" say something to whoever knows the question. Letters, digits and case are Unicode's.
"""

from __future__ import annotations

from typing import Final
from unicodedata import normalize

from ..light.expressions import expression

MOST_WORDS = 8
"""A message of more words says something."""

_GREETINGS = r"""hi hello hey hiya greetings good_(?:morning|afternoon|evening|day|night) hallo moin servus
    guten_(?:morgen|tag|abend) bonjour bonsoir salut hola buenos_d[ií]as ol[aá] ciao こんにちは こんばんは
    おはよう(?:ございます)? 你好 您好 안녕하세요"""
_ADDRESSED = "there again all everyone everybody folks guys team world"
_NODS = r"""ok okay okey k kk thankyou thx ty tysm cheers a_lot so_much very_much
    cool great nice perfect awesome got_it understood i_see makes_sense sounds_good alright all_right right sure fine
    hm+ mhm+ mm+ uh_?huh aha+ ah+ oh+ wow lol (?:ha){2,}h? (?:he){2,}h? youre_welcome you_are_welcome no_problem np
    no_worries bye goodbye see_you see_ya genau tsch[uü]ss super prima klasse toll alles_klar in_ordnung verstanden
    kein_problem gern_geschehen daccord parfait entendu compris pas_de_problème de_rien vale perfecto entendido
    de_nada なるほど 了解(?:です|しました|いたしました)? 承知(?:です|しました|いたしました)? かしこまりました
    谢谢你? 謝謝你? 好的 嗯+ 哦+ 감사합니다 고마워(?:요)?"""
_MUCH = """many a_thousand vielen herzlichen besten schönen lieben tausend ganz recht mille un grand muchas muchísimas
    mil muito"""
_THANKS = r"""thanks thank_you danke? mercis? gracias obrigad[oa] grazie
    (?:どうも|本当に|誠に)?ありがとう(?:ございます|ございました)? どうも"""
_WHOM = r"""again a_lot a_million so_much very_much all both everyone everybody in_advance anyway kindly
    dir euch ihnen allen beiden sch[oö]n sehr vielmals nochmals? noch_einmal auch trotzdem im_voraus
    beaucoup bien infiniment encore mille_fois davance à_toi à_vous à_tous
    a_ti a_usted a_ustedes a_vosotros a_todos de_nuevo otra_vez por_todo de_antemano mille"""
"""Who is thanked, how much, and how often says nothing either; for what does."""


def _any_of(words: str) -> str:
    return "(?:" + "|".join(each.replace("_", " ") for each in words.split()) + ")"


_SAID = (
    f"(?:{_any_of(_GREETINGS)}(?: {_any_of(_ADDRESSED)})*|{_any_of(_NODS)}"
    f"|(?:{_any_of(_MUCH)} )*{_any_of(_THANKS)}(?: {_any_of(_WHOM)})*)"
)
_NOTHING = expression(f"{_SAID}(?: {_SAID})*")
_HEARTBEAT = expression(r"heartbeat(?: ok)?(?: [0-9]+)*")
_APOSTROPHES = str.maketrans("", "", "'’")
_WORD: Final = expression(r"[^\W_]+")
_MORE: Final = expression(rf"(?:[\W_]*+[^\W_]++){{{MOST_WORDS + 1}}}")
"""More words than decide, at the beginning of a text: no sign is looked at twice."""


def says_nothing(text: str) -> str | None:
    """Return in which way a message says nothing at all; None if it says something.

    >>> says_nothing("  "), says_nothing("?!"), says_nothing("Thanks!"), says_nothing("thanks, at nine then")
    ('empty', 'signs', 'backchannel', None)
    """
    said = _as_said(text)
    if _MORE.match(said) is not None:  # as most messages
        return None
    words = _WORD.findall(said)
    if not words:
        return "signs" if text.strip() else "empty"
    told = " ".join(words)
    return "backchannel" if _NOTHING.fullmatch(told) or _HEARTBEAT.fullmatch(told) else None


def _as_said(text: str) -> str:
    """Return a text as it is compared, in which every sign ends a word but for the apostrophe."""
    whole = text.lower() if text.isascii() else normalize("NFKC", text).casefold()
    return whole.translate(_APOSTROPHES) if "'" in whole or "’" in whole else whole
