"""Questions for what was given up: whether one asks for that, or for something else that the older statement says.

"I cancelled FitOne and joined Kosmos" answers "Which gym do I go to?", and not "On which days do I go to the gym?": the
days are of the same statement, and not what was given up. So a question is not of it that asks for another kind of
value, or has a word that the older statement says in another part than where it says what was given up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..knowledge import lowered
from ..light.expressions import expression
from .exchanging import Given, exchanges
from .exchanging_japanese import is_japanese
from .leaving import OF_A_ROLE
from .places import people
from .properties import property_asked
from .property_forms import SOMEBODY
from .saying import said

_MOST_ASKED: Final = 240  # characters
_YES_OR_NO: Final = expression(
    r"\W*(?:is|are|am|do|does|can|could|has|have|will|would|should|ist|sind|bin|hat|habe|haben|kann|soll|muss|wird)\b"
)
_PAST: Final = expression(
    r"\b(?:original\w*|previous\w*|former\w*|before|earlier|used\ to|old|first|(?<=\ )was|were|did|had|ursprünglich"
    r"|früher\w*|vorher\w*|alte[rsn]?|erste[rsn]?|hatte\w*|war|waren)\b|以前|昔|最初|元の|元々|前の|でした|ましたか",
    re.VERBOSE,
)
_WHEN: Final = expression(
    r"\b(?:when|what\ (?:time|day|date)|(?:which|what)\ (?:days?|dates?|months?)|how\ (?:often|long)|wann"
    r"|wie\ (?:oft|lange)|(?:welche[rmns]?|wie\ viel)\ (?:tag\w*|datum|uhr))\b|いつ|何時|何日|何曜日|何分|何回",
    re.VERBOSE,
)
_HOW: Final = expression(
    r"\b(?:how(?!\ (?:do|does)\b)|why|what\ (?:colou?r|size|doses?|dosage|amount)"
    r"|wie|warum|wieso|welche\ (?:farbe|größe))\b"
    r"|いくら|いくつ|何色|なぜ|どうして",
    re.VERBOSE,
)
_WHO: Final = expression(r"\b(?:who|whom|whose|wer|wen|wem|wessen)\b|誰|だれ")
_WHERE: Final = expression(r"\b(?:where|wo|wohin|woher)\b")
_OF_A_THING: Final = expression(r"\b(?:which|what|welche[rsnm]?)\ (?P<thing>\w+)")
_OWNERS: Final = expression(r"\w+'s\ ")
_BESIDE: Final = expression(r"\b(?:with|mit)\ (?P<who>[A-Z\u00c0-\u00de]\w+)")
"""Somebody who is there, too: who asks for whom may ask for them."""
_PLACED: Final = expression(r"\b(?:in|at|on|near|bei|beim|im|am|auf)\b")
_AT: Final = r"\b(?:in|at|from|on|near|to|with|by|of|bei|beim|im|am|aus|zu|zum|zur|auf)\ (?:[^\s,.;:]+\ ){0,2}?"
_PARTS: Final = expression(r"[,;:.!?()](?=\s|$)|\ (?:and|but|because|which|who|und|aber|weil)\ |[、。]", re.IGNORECASE)
_RUN: Final = expression("[\u30a1-\u30fa\u30fc]{2,}|[\u4e00-\u9fff]+")
_ASKING: Final = "何誰月回分"


def asks_for_exchanged(newer: str, older: str, question: str) -> bool | None:
    """Return whether a question that an older text answers asks for what a newer one says was given up.

    None if that says nothing of the kind, or if the question is to be answered by yes or no.

    >>> new, old = "I cancelled FitOne and joined Kosmos.", "I go to FitOne on Mondays, with Anna."
    >>> asks_for_exchanged(new, old, "Which gym do I go to?"), asks_for_exchanged(new, old, "When do I go to the gym?")
    (True, False)
    >>> asks_for_exchanged(new, old, "Who is Anna?"), asks_for_exchanged(new, old, "Which gym did I go to before?")
    (False, False)
    >>> asks_for_exchanged(new, old, "Do I go to a gym?")  # nobody knows

    """
    given = exchanges(newer, older)
    plain = lowered(question[:_MOST_ASKED])
    if not given or _YES_OR_NO.match(plain):
        return None
    if _PAST.search(plain):
        return False
    if is_japanese(newer):
        return any(_is_asked_in_japanese(next(iter(each.gone)), newer, older, plain) for each in given)
    return any(_is_asked(each, newer, older, question[:_MOST_ASKED], plain) for each in given)


def _is_asked(given: Given, newer: str, older: str, question: str, plain: str) -> bool:
    """Return whether a question asks for what was given up, of a kind that this is of."""
    asked, new, old = said(question), said(newer), said(older)
    words = asked.values.union(asked.about)
    thing = _OF_A_THING.search(plain)
    sought = frozenset[str]() if thing is None else frozenset(said(f"of {thing['thing']}").about)
    named = given.gone & words - sought  # "which street?" does not name the street
    if given.gone <= words or (named and not given.is_of_two):
        return False
    if _WHEN.search(plain):
        fits = bool(given.gone & old.times and new.times - old.times)
    elif _HOW.search(plain):
        fits = bool(given.gone & old.amounts and new.amounts - old.amounts)  # "nicht mehr 820, sondern 890"
    elif _WHO.search(plain):
        fits = bool(given.gone & old.names and new.names.difference(old.about, words)) and not _others(given, older)
        fits = fits and (given.is_of_two or people(_OWNERS.sub("", plain)) <= OF_A_ROLE)
    elif _WHERE.search(plain):
        fits = _stands_at(given, older)
    else:
        fits = _is_called_so(given, older, sought)
    return fits and not _is_of_another_part(given, newer, older, words) and not _is_of_a_property(newer, question)


def _others(given: Given, older: str) -> set[str]:
    """Return the names of those who are there, too, by an older text, beside what was given up."""
    beside = (said(f"of {each['who']}").about for each in _BESIDE.finditer(older))
    return {stem for about in beside for stem in about} - given.gone


def _is_called_so(given: Given, older: str, sought: frozenset[str]) -> bool:
    """Return whether what was given up may be the thing that a question asks for.

    Of "bread at Kerr's" and "the bus 42" it is the bus, and not the bread.
    """
    words = [(word, said(f"of {word}")) for word in older.split()]
    named = [at for at, (_, one) in enumerate(words) if given.gone & one.values.union(one.about)]
    asked = [at for at, (_, one) in enumerate(words) if sought.intersection(one.about)]
    if not (named and asked):
        return True
    first, last = min((sorted((one, other)) for one in named for other in asked), key=lambda pair: pair[1] - pair[0])
    return _PLACED.search(" ".join(word for word, _ in words[first:last]).lower()) is None


def _stands_at(given: Given, older: str) -> bool:
    """Return whether a text says of what was given up that something is in it, at it or from it."""
    places = (said(f"of {older[found.end() :][:40]}") for found in re.finditer(_AT, older, re.IGNORECASE))
    return any(given.gone & {*place.about[:2], *place.values} for place in places)


def _is_of_another_part(given: Given, newer: str, older: str, words: frozenset[str]) -> bool:
    """Return whether a question has a word that an older text says elsewhere than what was given up."""
    new = said(newer)
    theirs = [part.values.union(part.about) for part in map(said, _parts(older))]
    here = frozenset[str]().union(*(part for part in theirs if part & given.gone))
    elsewhere = frozenset[str]().union(*theirs) - here
    return not words.isdisjoint(elsewhere.difference(new.about, new.values))


def _parts(text: str) -> Iterator[str]:
    return (f"of {part}" for part in _PARTS.split(text) if part.strip())


def _is_of_a_property(newer: str, question: str) -> bool:
    """Return whether a question asks for an age, a price or the like that a newer text does not say."""
    asked = property_asked(question)
    if asked is None or asked.form.property in ("", SOMEBODY):
        return False
    return not asked.says(newer)


def _is_asked_in_japanese(gone: str, newer: str, older: str, plain: str) -> bool:
    """Return whether a question in Japanese asks for what was given up: it has no word of another sentence."""
    if gone in plain or _HOW.search(plain) or (_WHEN.search(plain) and not any(map(str.isdecimal, gone))):
        return False
    here = "".join(part for part in _PARTS.split(older) if gone in part)
    runs = [run for run in _RUN.findall(plain) if run.strip(_ASKING)]
    return not any(run in older and run not in here and run not in newer for run in runs)
