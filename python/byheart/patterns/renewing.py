"""New values: whether a text gives another value of what an older one says, by a word such as "new" or "now".

"I have a new dentist, Dr. Salis" does not say what became of Dr. Okafor; yet it answers "Who is my dentist?" before
"My dentist is Dr. Okafor". "My dentist has a new assistant" does not. A guess, in English, German, French and Spanish.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem
from ..knowledge import lowered
from ..light.expressions import expression
from .calendar_words import ENGLISH_MONTHS, GERMAN_MONTHS
from .places import gives_a_place, people
from .property_evidence import has_a_phone
from .qualifying import qualifies
from .rather import MOST_SAID, Rather
from .saying import Said, said, statement
from .subjects import answers_rather, names_own, says_own, subject_of
from .unasserted import is_unasserted
from .updating import MOST_CHARACTERS

_FROM_THEN: Final = (
    rf"(?:from|as\ of|starting(?:\ in)?|ab)\ (?:{'|'.join((*ENGLISH_MONTHS, *GERMAN_MONTHS))}"
    r"|next\ (?:week|month|year)|nächste[rnm]?\ (?:woche|monat|jahr))(?!\ (?:to|until|till|through|bis)\b|\s?[-\u2013])"
)
_ANEW: Final = expression(
    rf"\b(?:{_FROM_THEN}|now|nowadays|these\ days|lately|of\ late|since|instead"
    r"|from\ \w+(?:\ \w+)?\ on|from\ (?:[\w.]+\ ){1,3}(?:the|my|our)"
    r"|renamed|replace[ds]|switched|changed|changes?|doubled|halved|tripled|took\ over|has\ grown|jetzt|nun|inzwischen"
    r"|seit|ab\ sofort|umbenannt|ersetzt|gewechselt|verdoppelt|halbiert"
    r"|maintenant|désormais|depuis|ahora|desde|cambi(?:ó|ado|amos)|adesso|d['\u2019]ora\ in\ poi"
    r"|spostat[oaie]|cambiat[oaie]|aumentat[oaie]|diminuit[oaie])\b",
    re.VERBOSE,
)
_NEW: Final = expression(
    r"\b(?:new|neue?[rsnm]?|nouve(?:au|lle|l)|nuev[oa]|nuov[oa])\b"
    r"(?!\ [A-Z\u00c0-\u00de]\w*[a-z]\ [A-Z])(?P<what>(?:\ [\w-]+){1,3})"
)
_LANGUAGES: Final = "English|French|German|Spanish|Italian|Japanese|Chinese|Russian|Dutch|Polish|Portuguese|Greek|Latin"
_MADE_BY: Final = expression(
    rf"\bnew\ (?!(?:{_LANGUAGES})\b)[A-Z][\w-]*(?:\ [A-Z0-9][\w-]*)?\ (?P<what>[a-z][\w-]*)"
    r"(?=[.,;!?]|$|\ (?:for|from|in|on|at|and|last|yesterday|today)\b)"
)
"""Of a new thing, who has made it: "a new Bosch dishwasher" is no other kind of dishwasher, and a "filter" is one."""
HALF: Final = 0.5
"""Of what a question asks about an older text says so much, or nobody knows whether it is asked for."""
_TIMES_SAID: Final = "day time date hour slot tag termin uhrzeit zeit jour heure"
_IS_SO_NOW: Final = expression(
    r"\b(?:now|nowadays|these\ days|lately|of\ late|jetzt|nun|inzwischen|maintenant|désormais|ahora|adesso)\b"
)
_IS_NAMED: Final = expression(
    r"(?:\b(?:is|are|called|named|ist|heißt|est|es)|'s)\ (?:now\ |jetzt\ )?(?:an?\ |the\ |eine?\ )?"
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof|Herr|Frau)\.?\ )?[A-Z]"
    r"|\b[A-Z]\w+\ (?:is|ist|est|es)\ (?:now\ |jetzt\ )?(?:the|my|our|unser\w*|mein\w*|notre|mon|ma|mi)\b"
)
"""Says that somebody is what is asked for: "My boss has lunch with Karel now" does not."""
_OF_A_TIME: Final = frozenset(map(porter_stem, _TIMES_SAID.split()))
_OF_VALUES: Final = frozenset({"call", "name", "number", "address", "code", "long", "much", "hei\u00dft", "laut"})
_OF_PHONES: Final = frozenset(map(porter_stem, ("phone", "telephone", "mobile", "cell")))
_DOES: Final = expression(r"\b(?:do|does|did)\b.*?(?P<verb>\w+)\W*$")
_WHEN: Final = expression(r"\b(?:when|(?:what|which)\ (?:time|day|date)|wann|quand|cuándo)\b", re.VERBOSE)
_WHERE: Final = expression(r"\b(?:where|wo|wohin|où|a?dónde)\b")
_HOW_MUCH: Final = expression(
    r"\b(?:how\ (?:much|many|big|high|long)|wie\ ?(?:viele?|hoch)|combien|cuánt[oa]s?)\b", re.VERBOSE
)
_WHO: Final = expression(r"\b(?:who|whom|wer|wen|wem|qui|quién)\b")
_PAST: Final = expression(
    r"\b(?:original\w*|previous\w*|former\w*|before|earlier|used\ to|old|first|last|ursprünglich"
    r"|früher\w*|vorher|alte[rsn]?|erste[rsn]?|letzte[rsn]?|avant|ancien(?:ne)?|antes)\b",
    re.VERBOSE,
)
_OF_SOMEBODY: Final = expression(r"(?:\b(?:of|von|de|di)\ (?=[A-Z])|\b(?=[A-Z]\w*[a-z]'s\ ))(?P<name>\w+)")
_OF_WHOM: Final = expression(
    r"\W*(?P<who>[\w\ ]{1,40}?)\ (?:has|have|had|got|found|hired|bought|hat|haben|fand|a|ont|tienen?)"
    r"\ (?:\w+\ )?(?:new|neue?[rsnm]?|nouve(?:au|lle|l)|nuev[oa])\b"
)
"""Who has something new."""
_OF_TWO: Final = expression(r"[,;]|(?:and|but)\ now|\b(?:replace[ds]|instead|than|took\ over|statt|ersetzt)\b")
"""Says what becomes of the older value, and what is in its place."""


class _Told(NamedTuple):
    """A text, and what it says."""

    text: str
    said: Said


def may_decide(text: str) -> bool:
    """Return whether a text may say that something is new: where none does, no question need be looked at."""
    return len(text) <= MOST_SAID and _called_new(text) is not None


@lru_cache(maxsize=2048)  # the same texts are found again and again
def _called_new(text: str) -> tuple[frozenset[str], ...] | None:
    """Return the stems of each thing that a text calls new; () if it says otherwise that something is so now.

    None of what says neither, or asks.
    """
    calls = _NEW.finditer(_uncapitalised(text))
    new = tuple(frozenset(map(porter_stem, lowered(found["what"]).split())) for found in calls)
    return new if (new or _ANEW.search(lowered(text))) and not is_unasserted(text) else None


def renews(question: str) -> Rather[_Told, _Told] | None:
    """Return what tells whether a text gives anew what a question asks for, and an older one gave; None if none does.

    >>> new = renews("Who is my dentist?")
    >>> new("I have a new dentist, Dr. Salis.", "My dentist is Dr. Okafor.")
    True
    >>> new("My dentist has a new assistant, Ms. Blum.", "My dentist is Dr. Okafor.")
    False
    >>> renews("Who was my dentist before?")

    """
    plain, short = lowered(question), question[:MOST_CHARACTERS]
    if _PAST.search(plain):
        return None

    def speaks_of_it(newer: _Told, old: Said) -> bool:
        about = frozenset(said(short).about)
        does = _DOES.search(plain) if _WHEN.search(plain) or _HOW_MUCH.search(plain) else None
        may_lack = porter_stem(does["verb"]) if does is not None else ""
        new = newer.said
        known = about.intersection(old.about) - _OF_VALUES
        if known & _OF_PHONES and has_a_phone(newer.text):
            known -= _OF_PHONES  # of "a new number: 0160 5559876" nobody need be told that it is a phone's
        lacking = known.difference(new.about, {may_lack})
        return not lacking and bool(known.intersection(new.about)) and len(known) >= HALF * len(about - _OF_VALUES)

    def anew(text: str) -> _Told | None:
        new = _called_new(text) if len(text) <= MOST_SAID else None
        return told(text) if new is not None and (not new or is_asked_for(new)) else None

    def is_asked_for(new: tuple[frozenset[str], ...]) -> bool:
        """Return whether one of what is new is what a question asks for."""
        asked = _OF_VALUES.union(said(short).about)
        return any(words & asked or (words & _OF_A_TIME and _WHEN.search(plain)) for words in new)

    def told(text: str) -> _Told | None:
        return _Told(text, said(text)) if len(text) <= MOST_SAID and statement(text) else None

    def renewed(newer: _Told, older: _Told) -> bool:
        new, old, asked = newer.said, older.said, said(short)
        about = frozenset(asked.about)
        given = old.names | old.values
        gone = given.difference(new.about, new.values)
        if not speaks_of_it(newer, old) or gone & (about | asked.values):
            return False
        known = about.intersection(old.about)
        if qualifies(_without_maker(newer.text, known), known, {*about, *old.about}):
            return False  # it is of another thing of the kind
        if given and not gone and _OF_TWO.search(newer.text) is None:
            return False  # it gives the older value, too
        return _gives(new, old, newer.text, plain, about) and not is_of_others(newer.text, older.text, question)

    return Rather(anew, told, renewed)


def is_of_others(newer: str, older: str, question: str) -> bool:
    """Return whether a newer text is of somebody of whom neither a question nor an older text speaks.

    >>> is_of_others("Anna has a new boss, Ms. Blum.", "My boss is Karel.", "Who is my boss?")
    True
    >>> is_of_others("I have a new boss, Ms. Blum.", "My boss is Karel.", "Who is my boss?")
    False
    """
    others = answers_rather(question)
    if others is not None and others(older, newer):
        return True
    old, about = said(older), frozenset(said(question[:MOST_CHARACTERS]).about)
    if not names_own(newer):
        having = _OF_WHOM.match(newer)
        whose = frozenset(said(f"of {having['who']}").about if having else ())
        if (whose and not whose & about.union(old.about)) or people(newer) - people(older) - people(question):
            return True
    if not says_own(question):
        return False
    named = {stem for each in _OF_SOMEBODY.finditer(newer) for stem in said(f"of {each['name']}").about}
    if named.difference(old.about, about):
        return True
    return not says_own(newer) and subject_of(newer)[0] not in (None, *old.about)


def _without_maker(text: str, known: frozenset[str]) -> str:
    """Return a text in which a new thing that is known has no maker."""
    return _MADE_BY.sub(lambda found: f"new {found['what']}" if porter_stem(found["what"]) in known else found[0], text)


def _uncapitalised(text: str) -> str:
    """Return a text whose first letter is small: a name that begins with "New" keeps its capital elsewhere."""
    return text[:1].lower() + text[1:]


def _gives(new: Said, old: Said, newer: str, question: str, asked: frozenset[str]) -> bool:
    """Return whether a newer statement gives another value of the kind that a question asks for."""
    is_one = _IS_NAMED.search(newer) or _NEW.search(newer) or _IS_SO_NOW.search(lowered(newer)) is None
    named = new.names.difference(old.about, asked)
    names = named if is_one else frozenset[str]()
    if _WHEN.search(question):
        return bool(new.times - old.times)
    if _HOW_MUCH.search(question):
        return bool(new.amounts - old.amounts)
    if _WHO.search(question):
        return bool(names) or subject_of(newer)[0] not in (None, *old.about, *asked)
    if _WHERE.search(question):
        return bool(named) and gives_a_place(newer)
    come, gone = new.amounts - old.amounts, old.amounts - new.amounts
    if gone:
        return any("@" in value for value in come) == any("@" in value for value in gone) and bool(come)
    return bool(names) if old.names.difference(asked) else bool(come)
