"""The forms in which people say that something is given up, in English and German, and words by which they take up.

In a form `o` is what is given up, `who` is who does that, `thing` what it is given up for, and `instead` is what the
same form says is taken up. A "sure" form says so whatever stands beside it; so does one with "instead", unless it is of
one day. Verbs that are "giving" up need a name beside them, or a word that says what is so now; and of what is "going"
by itself, as "Rosa left", or "moving" from one to another, the rest of the text must say so, or speak of what the older
text speaks of.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem
from ..knowledge import lowered
from ..light.expressions import expression
from .calendar_words import MONTHS, WEEKDAYS
from .in_ascii import InAscii

_HOLDING_SAID = """membership subscription account contract plan old job place abo abonnement vertrag mitgliedschaft
    konto alte alten altes"""
HOLDING: Final = frozenset(map(porter_stem, _HOLDING_SAID.split()))
"""Stems that say nothing of which thing is given up."""
_BESIDE_SAID = """finally just recently already now today yesterday week month year last so someone somebody had one
    leider endlich gestern heute letzte letzten woche monat jemand habe hatte mussten musste macht mache seit ganz"""
BESIDE: Final = frozenset(map(porter_stem, _BESIDE_SAID.split()))
"""Stems that say nothing of who gives up."""
TAKING: Final = expression(
    r"\b(?:(?:it|he|she|they|we|i)(?:'s|'re|'m|\ is|\ are|\ am)|now|nowadays|these\ days|instead|from\ now\ on|since"
    r"|join(?:ed|ing)?|start(?:ed|ing)?|began|bought|signed\ up|took|taken?|takes|got|put\ on|went\ with|picked\ up"
    r"|switched|chose|hired|new|us(?:e|ing)|jetzt|nun|seit|inzwischen|stattdessen|angefangen|gekauft|begonnen"
    r"|neue?[rsnm]?|sondern)\b",
    re.IGNORECASE | re.VERBOSE,
)
_TIMES: Final = "|".join((*MONTHS, *WEEKDAYS, "the end", "the summer", "the spring", "the autumn", "the winter"))
IN_PART: Final = expression(
    rf"\ (?:at|in|on|with|from|before|after|around|by|um|gegen|beim|im|am)\ (?!(?:{_TIMES})\b)", re.IGNORECASE
)
"""Who left the office at six comes back, and who stopped taking something at night takes it in the morning."""
ONCE: Final = expression(
    r"\b(?:today|tonight|tomorrow|yesterday|this\ (?:time|once|week|morning|evening)|once|heute|morgen|gestern|diesmal"
    r"|ausnahmsweise)\b",
    re.IGNORECASE | re.VERBOSE,
)
"""What is so once is no change: "the bus instead of the train today"."""
TWO_PEOPLE: Final = expression(r"\b(?:broke|broken|split|separated|divorced|getrennt|scheiden)\b", re.IGNORECASE)

_BEGIN: Final = r"(?:^|(?<=[,.;:!?]\ )|\b(?:and|but|so|because|since|und|aber|weil)\ )"
_WHO: Final = rf"{_BEGIN}(?P<who>[^,.;:!?]{{0,40}}?)\b"
_THE: Final = r"(?:(?:the|my|our|his|her|their|this|an?|all)\ )*"
_A: Final = rf"(?:[\w']+ing\ )?(?:(?:with|out|from|at|of|on|up|to|in|for|by|off)\ )?{_THE}"
_TITLE: Final = r"(?:(?:Dr|Mrs?|Ms|Prof|St)\.?\ )?"
_O: Final = rf"(?P<o>{_TITLE}[^\s,.;:!?()]\S*?(?:\ [^\s,;!?()]+?){{0,3}}?)"
_END: Final = r"""(?=\s*(?:[,;!?()\u2013]|\.(?:\s|$)|$)|\ (?:and|but|so|because|since|as|after|for|in|on|at|to|last|this
    |yesterday|today|again|finally|altogether|when|with|instead|now|over|by|of|und|aber|weil)\b)"""
_MORE: Final = r"any\ ?(?:more|longer)"
_THEN: Final = r"(?P<instead>[^,.;!?]{2,60})"
_FROM_TO: Final = rf"from\ {_THE}{_O}\ to\ {_THEN}"
_O_DE: Final = r"(?P<o>(?-i:(?:(?:Herrn?|Frau|Dr\.?|der|die|das|dem|den)\ )*[A-Z\u00c0-\u00de0-9][\w:.-]*\w))"
_PARTICIPLE: Final = r"""(?:gek(?:ü|ue)ndigt|verkauft|aufgegeben|aufgeh(?:ö|oe)rt|abbestellt|abgemeldet|abgeschafft
    |gestohlen|geklaut|weggegeben|storniert|abgesagt)\b"""

_GIVE: Final = r"""(?:cancell?ed|quit|dropped|ditched|left|sold|closed|got\ rid\ of|traded\ in|scrapped|binned
    |resigned\ from|(?:stopped|quit)\ [\w']+ing|g(?:ave|iven?|iving)\ up(?:\ on)?(?:\ [\w']+ing(?=\ \w))?|moved\ out\ of
    |(?:done|finished)\ with|could\ ?n[o']t\ finish|unsubscribed\ from|uninstalled|deleted
    |(?:taken|came|come|went)\ off|pulled(?P<thing>(?:\ [^\s,.;]+){1,3}?)\ out\ of)"""
_MAY_GIVE: Final = r"""\b(?:cancell?ed|quit|dropped|ditched|left|sold|closed|rid\ of|traded\ in|scrapped|binned
    |resigned\ from|stopped|g(?:ave|iven?|iving)\ up|moved\ out\ of|(?:done|finished)\ with|n[o']t\ finish
    |unsubscribed\ from|uninstalled|deleted|(?:taken|came|come|went)\ off|pulled)\ """
_VANISH: Final = r"""(?:discontinued|fell\ through|fallen\ through|(?:moved|went|gone)\ (?:away|abroad|back\ to)|bounces
    |broke\ down|(?:went|gone)\ downhill|did\ ?n[o']t\ work|no\ longer)"""
_MAY_VANISH: Final = r"""\b(?:retired|resigned|quit|gone|shut|stopped|cancell?ed|died|closed|sold|stolen|left
    |discontinued|through|away|abroad|back\ to|bounces|broke\ down|downhill|did\ ?n[o']t\ work|no\ longer)\b"""
_GO: Final = r"(?:(?:has|have|had|was|were|is|are|got|just|finally|been|now)\ )*"
_GONE: Final = r"(?=\s*(?:[,;!?()\u2013]|\.(?:\s|$)|$)|\ (?:and|but|so|because|since|last|yesterday|now|again)\b)"
_TOO: Final = r"too\ (?:expensive|dear|far|old|busy|small|slow|loud|much|hard|early|late|big|full|unreliable)"
_SHOP: Final = r"closed\ (?:his|her|the|their)\ (?:practice|shop|business|doors|salon|studio)"
_THING_DE: Final = rf"{_BEGIN}(?P<o>[^,.;!?]{{2,60}}?)\ "

_FORMS: Final = (
    ("sure", r"\b(?:swapped|traded|exchanged|replaced)\ ",
     rf"(?:swapped|traded|exchanged|replaced)\ {_THE}{_O}\ (?:in\ |out\ )?(?:for|with|by)\ {_THEN}"),
    ("sure", r"\b(?:switch|chang|migrat|transferr|swapp)\w*\ (?:\S+\ ){0,3}from\ ",
     rf"{_WHO}(?:switch|chang|migrat|transferr|swapp)\w*(?P<thing>(?:\ [^\s,.;]+){{0,3}}?)\ {_FROM_TO}"),
    ("moving", r"\b(?:mov|went|gone)\w*\ (?:\S+\ ){0,3}from\ ",
     rf"{_WHO}(?:mov|went|gone)\w*(?P<thing>(?:\ [^\s,.;]+){{0,3}}?)\ {_FROM_TO}"),
    ("sure", r"\bno\ (?:longer|more)\ ", rf"{_WHO}(?:no\ longer\ [\w']+|no\ more)\ {_A}{_O}{_END}"),
    ("sure", rf"\b{_MORE}\b",
     rf"{_WHO}(?:(?:is|are|am|do|does|'m|'re)n't|not)\ (?:[\w']+\ )??{_A}{_O}\ {_MORE}\b"),
    ("sure", rf"\b{_MORE}\b",
     rf"""{_BEGIN}{_THE}(?P<o>{_TITLE}[^\s,.;!?]+?(?:\ [^\s,.;!?]+?)?)
        \ (?:(?:ca|do|does|wo)n'?t|can\ ?not|(?:do|does|will)\ not)\b(?=[^,.;!?]*\ {_MORE}\b)"""),
    ("sure", r"\b(?:broken?\ up|split|separated|divorced)\b",
     r"(?P<o>\w+\ and\ \w+)\ (?:have\ |has\ |just\ )*(?:broken?\ up|split|separated|(?:got\ |are\ )?divorced)\b"),
    ("sure", r"\b(?:gewechselt|umge\w+|gegangen)\b",
     rf"(?:von|vom)\ {_O_DE}(?:\ [^\s,.;!?]+){{0,2}}?\ (?:zu|zur|zum|auf|nach)\ (?P<instead>[^,.;!?]{{2,40}}?)"
     r"\ (?:gewechselt|umge\w+|gegangen)\b"),
    ("sure", r"\bnicht\ mehr\b",
     rf"nicht\ mehr\ (?:(?:in|bei|im|am|auf|mit|zu|beim|zum|zur|um)\ )?(?:[^\W\d_]+\ )?{_O_DE}"),
    ("sure", r"\bhaben\ sich\ ", r"(?P<o>\w+\ und\ \w+)\ haben\ sich\ (?:\w+\ )?(?:getrennt|scheiden\ lassen)\b"),
    ("instead", r"\b(?:instead\ of|rather\ than|in\ place\ of)\ ",
     rf"(?:instead\ of|rather\ than|in\ place\ of)\ {_A}{_O}{_END}"),
    ("instead", r"\b(?:(?:an)?statt|anstelle)\ ", rf"(?:(?:an)?statt|anstelle(?:\ von)?)\ {_O_DE}"),
    ("giving", _MAY_GIVE, rf"{_WHO}{_GIVE}\ {_THE}{_O}{_END}"),
    ("giving", rf"{_PARTICIPLE}|\b(?:entf(?:ä|ae)llt|f(?:ä|ae)llt)\b",
     rf"{_THING_DE}(?:{_PARTICIPLE}|entf(?:ä|ae)llt\b|f(?:ä|ae)llt\ (?:\w+\ )?(?:weg|aus)\b)"),
    ("going", rf"{_MAY_VANISH}|\b{_TOO}\b",
     rf"""{_BEGIN}{_THE}(?P<o>{_TITLE}[^\s,.;!?]+?(?:\ [^\s,.;!?]+?)?)(?:'s)?\ {_GO}
        (?:(?:retired|resigned|quit|gone|shut|stopped|cancell?ed|died|closed|sold|stolen|left){_GONE}
        |left\ (?:the|us|for\ good)\b|{_SHOP}|{_TOO}|{_VANISH})(?!\w)"""),
    ("going", r"\b(?:in\ rente|weg|zugemacht|geschlossen|nicht\ mehr)\b",
     rf"""{_THING_DE}(?:ist\ (?:\w+\ )?(?:in\ Rente|weg|zu|geschlossen)\b|hat\ (?:\w+\ )?(?:zugemacht|geschlossen)\b
        |(?:macht|kommt|arbeitet|kann|gibt)\b[^,.;!?]{{0,25}}?\bnicht\ mehr\b|spiele?t?\ (?:\w+\ )?nicht\ mehr\b)"""),
)  # fmt: skip


class Form(NamedTuple):
    """A form, and of which kind it is."""

    kind: str
    pattern: re.Pattern[str]


_READ: Final = tuple(Form(kind, expression(form, re.IGNORECASE | re.VERBOSE)) for kind, _, form in _FORMS)


def every_form() -> tuple[Form, ...]:
    """Return all forms.

    >>> len(every_form()) > len(forms_for("It rains."))
    True
    """
    return _READ


def forms_for(text: str) -> list[Form]:
    """Return the forms that a text may have; mostly none.

    >>> len(forms_for("It rains.")), [form.kind for form in forms_for("Let us have tea instead of coffee.")]
    (0, ['instead'])
    """
    plain = lowered(text)
    return [_READ[int(at)] for at in sorted(_perhaps().found(plain), key=int)]


@lru_cache(maxsize=1)
def _perhaps() -> InAscii:
    """Return an automaton that finds which forms a text in small letters may have."""
    return InAscii((str(at), key) for at, (_, key, _) in enumerate(_FORMS))
