"""The order that a question asks for: the first of several, or the last, whatever they say of it.

"Where was my last sauna?" asks for the latest note of a sauna, and for no note of a last biscuit. Where the words stand
together in a record as well, as "last name" and "first aid" do, they are part of what it says. A guess, in English,
German, French and Spanish.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from .._core import porter_stem
from ..knowledge import lowered
from ..light.expressions import expression
from .listed_words import words_in
from .saying import said, stems
from .stating import DAYS
from .subjects import names_asked_of
from .updating import MOST_CHARACTERS

Order = Literal["first", "last"]
_FIRST: Final = r"""(?:first|earliest|original(?:ly)?|erste[rsnm]?|zuerst|früheste[rsnm]?|ursprünglich\w*
    |premi(?:er|ère)|primer[oa]?)"""
_LAST: Final = r"""(?:last|latest|newest|most\ recent(?:ly)?|letzte[rsnm]?|zuletzt|neueste[rsnm]?
    |derni(?:er|ère)|últim[oa]|plus\ récente?|más\ reciente)"""
_UNITS: Final = rf"""(?:week|month|year|night|weekend|summer|winter|spring|autumn|fall|christmas|easter|evening|morning
    |century|decade|few|couple|of\ all|of\ (?-i:[A-Z])\w+|name|aid|place|prize|class|floor|language|grade|woche\w*
    |monat\w*|jahr\w*|nacht|stock|hilfe|semaine|mois|an|année|nuit|semana|mes|año|noche|{"|".join(sorted(DAYS))})s?\b"""
_ASKED: Final = expression(
    rf"(?<!\bat\ )(?<!\bat\ the\ )\b(?:(?P<first>{_FIRST})|(?P<last>{_LAST}))\b(?!\ {_UNITS})(?:\ (?P<next>\w+))?",
    re.VERBOSE | re.IGNORECASE,
)
_ASKS: Final = expression(
    r"\b(?:what|which|where|when|who|whom|whose|why|how(?!\ to\b)|was|wer|wen|wem|wessen|wo|wohin|woher|wann|warum|wie"
    r"|welche[rsnm]?|quoi|que|qui|quel(?:le)?s?|où|quand|combien|comment|qué|cuál(?:es)?|quién(?:es)?|a?dónde|cuándo|cómo)\b",
    re.VERBOSE,
)
_ORDERS_SAID = """first earliest original originally zuerst premier primer primero primera last latest newest most
    zuletzt dernier erste erster erstes ersten erstem letzte letzter letztes letzten letztem neueste neuester neuestes
    neuesten neuestem"""
_ORDERS: Final = frozenset(_ORDERS_SAID.split())
"""Each order that ASCII can say has one of these words."""
_LEADS: Final = expression(r"\W*(?:(?:my|our|the|mein\w*|unser\w*|mon|ma|notre|le|la|mi|el)\ )?", re.IGNORECASE)
"""Before the word of an order nothing else stands in what is no question: "my latest blood pressure"."""
_LASTS: Final = expression(
    r"\bhow\ long\b.*\blast\b|\b(?:will|come|comes|came|finish\w*)\ (?:\w+\ )*last\W*$", re.VERBOSE
)
"""Here it is a verb, or a place in a race."""
_FIRST_OF: Final = expression(rf"\b{_FIRST}\b", re.VERBOSE | re.IGNORECASE)
_LAST_OF: Final = expression(rf"\b{_LAST}\b", re.VERBOSE | re.IGNORECASE)
_NO_SUBJECT: Final = frozenset({"time", "mal", "foi", "vez", "most", "recent"})


class Asked(NamedTuple):
    """The order that a question asks for, the words of it that say so, and the stems of what and whom it asks about."""

    order: Order
    phrase: str
    about: frozenset[str]
    names: frozenset[str] = frozenset()


def order_asked(question: str) -> Asked | None:
    """Return which of several a question asks for; None where it asks for none, or not for any of something.

    >>> order_asked("Where was my last sauna?")
    Asked(order='last', phrase='last sauna', about=frozenset({'sauna'}), names=frozenset())
    >>> order_asked("What did I do last week?"), order_asked("How long will the ice cream last?")
    (None, None)

    """
    if question.isascii() and _ORDERS.isdisjoint(words_in(question)):  # as of most
        return None
    found = _ASKED.search(question[:MOST_CHARACTERS])
    if found is None or not (_ASKS.search(lowered(question)) or _LEADS.fullmatch(question[: found.start()])):
        return None
    if _LASTS.search(lowered(question)):
        return None
    about = frozenset(said(_ASKED.sub(lambda each: each["next"] or "", question[:MOST_CHARACTERS])).about) - _NO_SUBJECT
    phrase = lowered(found.group()) if found["next"] else ""
    names = about.intersection(map(porter_stem, names_asked_of(question[:MOST_CHARACTERS])))
    return Asked("first" if found["first"] else "last", phrase, about, names) if about else None


def says_it(asked: Asked, text: str) -> bool:
    """Return whether a text has the words of the order as the question has them: then they are part of what it says."""
    return bool(asked.phrase) and asked.phrase in lowered(text)


def owes_it(asked: Asked, text: str) -> bool:
    """Return whether a text has a word of the order, by which a search has found it, whatever it means there."""
    return (_FIRST_OF if asked.order == "first" else _LAST_OF).search(text) is not None


def held(asked: Asked, text: str) -> frozenset[str]:
    """Return what a text says of what a question asks about, whatever it says of an order."""
    return asked.about.intersection(said(text).about if len(text) <= MOST_CHARACTERS else stems(text))
