"""Successors: who a statement says holds a role now, and what it says is exchanged for what.

"Tomasz is the new release manager", "Tomasz took over as release manager" and "The release manager is Tomasz now" say
one thing, whatever comes first. Of a role that several may hold, as a friend's, none succeeds another. A guess, in
English, German, French and Spanish.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from ..light.expressions import expression
from .letters import runs_within, surely_lacks

HOLDS_NOW: Final = "holds now"
"""Stands among the changes of a statement that says who holds a role now."""
_MOST: Final = 120  # characters
_NOBODY_SAID = """it this that there here he she we they i you who what which these those one es das dies er sie wir ich
    ihr wer was ce cela il elle on nous vous ils elles eso esto él ella today tomorrow"""
_NOBODY: Final = frozenset(_NOBODY_SAID.split())
_ANEW_SAID = """new neu neue neuer neues neuen neuem neur neus neun neum nouveau nouvelle nouvel nuevo nueva
    appointed named made elected chosen confirmed promoted become steps stepped handed
    now jetzt nun inzwischen maintenant désormais ahora took taken takes became becomes wurde devient devenu devenue
    übernimmt eingesprungen pris asumido asumió asume since as from starting seit ab depuis partir desde"""
_ANEW: Final = frozenset(_ANEW_SAID.split())
"""One of these is in whatever says that somebody holds a role anew."""
_RUNS_ANEW: Final = runs_within(_ANEW)


_OFFICES: Final = (
    r"(?:manager|director|president|chair(?:man|woman|person)?|captain|treasurer|secretary|principal|coach|editor|mayor"
    r"|lead|chef(?:in)?|leiter(?:in)?|direktor(?:in)?|präsident(?:in)?|kapitän(?:in)?|directeur|directrice|directora?)"
)
"""Roles that one has alone, and that are said without an article: "is now CTO", "is now captain"."""


class Holder(NamedTuple):
    """A statement about who holds a role, told in one order of words, and whether it says that this is new."""

    text: str
    role: str
    is_new: bool


def holder_in(text: str) -> Holder | None:
    """Return what a sentence says about who holds a role; None if it says nothing of that kind.

    >>> holder_in("Tomasz is the new release manager.")
    Holder(text='the release manager is Tomasz', role='release manager', is_new=True)
    >>> holder_in("The release manager is Lena."), holder_in("It is the new code."), holder_in("Ann is my new friend.")
    (None, None, None)

    """
    stripped = text.strip()
    if len(text) > _MOST or stripped.endswith("?"):  # no form ends so: as most questions
        return None
    found = next((found for each in _forms() if (found := each.match(stripped)) is not None), None)
    if found is None:
        return None
    said = found.groupdict()
    holder, role, more = said["holder"], said["role"], said.get("more") or ""
    one_of, of_many = _roles()
    if one_of.search(role) or holder.split()[0].lower() in _NOBODY:
        return None
    is_new = bool(said.get("new") or said.get("now") or said.get("now_too") or said.get("taken") or more)
    if not (is_new or said.get("turned")) or (of_many.search(role) and not said.get("taken")):
        return None
    return Holder(f"the {role} is {holder} {more}".strip(), role, is_new)


def may_say_anew(text: str) -> bool:
    """Return whether a text has a word without which it does not say who holds a role now: a quick look.

    >>> may_say_anew("Tomasz is the new manager."), may_say_anew("It rains.")
    (True, False)
    """
    if surely_lacks(text, _RUNS_ANEW):
        return False
    return not _ANEW.isdisjoint([word.strip(".,:;!?").lower() for word in text.split()])


@lru_cache(maxsize=1)
def _roles() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of roles that are one of several, and of roles that several may hold."""
    return (
        expression(r"\b(?:one|eine[rs]?|une?|un[oa])\b|\b(?:who|that|which|whose|dessen|qui|que)\b", re.IGNORECASE),
        expression(
            r"\b(?:friend|colleague|cousin|brother|sister|aunt|uncle|niece|nephew|son|daughter|child|kid|student|pupil"
            r"|client|customer|guest|member|cat|dog|pet|freund(?:in)?|kolleg(?:e|in)|cousine?|bruder|schwester|tante"
            r"|onkel|sohn|tochter|kind|schüler(?:in)?|kund(?:e|in)|mitglied|katze|hund|amie?|collègue|frère|sœur|fils"
            r"|fille|client[ea]?|membre|chat|chien|amig[oa]|hermano|hermana|hij[oa]|gato|perro|miembro)$",
            re.IGNORECASE,
        ),
    )


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    the = r"(?i:the|my|our|der|die|das|mein\w*|unser\w*|le|la|mon|ma|notre|el|mi|nuestr[oa])"
    new = r"(?P<new>(?i:new|neue?[rsnm]?|nouve(?:au|lle|l)|nuev[oa])\ )"
    now = r"(?:now|jetzt|nun|inzwischen|maintenant|désormais|ahora)"
    being = r"(?:is|will\ be|ist|wird|est|sera|es|será)"
    name = r"[^\W\d_a-zß-ÿ][\w-]*"
    holder = rf"(?P<holder>(?:(?:Dr|Mr|Mrs|Ms|Prof|Herr|Frau|Mme)\.?\ )?{name}(?:\ {name}){{0,2}})"
    role = r"(?P<role>[^\W\d_][\w-]*(?:\ [^\W\d_][\w-]*){0,4}?)"
    before = r"(?:(?:acting|interim|deputy|vice|head|team|project|release|product|office)\ )*"
    alone = rf"(?P<role>{before}(?:[A-Z]{{3,4}}|{_OFFICES}))"
    called = rf"(?:{being}(?:\ called|\ named)?|heißt|se\ llama)"
    begins = r"since|as\ of|from|starting|seit|ab|depuis|à\ partir\ d\w+|desde|a\ partir\ de"
    end = rf"(?:,?\ (?P<now_too>{now}))?(?:,?\ (?P<more>(?:{begins})\ [^,.!?;:]+))?[.!]*$"
    taking = r"""(?P<taken>(?:has\ |have\ )?(?:took|taken|takes)\ over\ as|(?:became|becomes|wurde|devient
        |est\ devenue?)(?=\ (?:the|der|die|le|la|el|our|unser\w*)\ )
        |(?:was|is|got|has\ been)\ (?:appointed|named|made|elected|chosen|confirmed|promoted\ to)(?:\ as)?(?!\ an?\ )
        |(?:became|has\ become|(?:steps|stepped)\ (?:in|up)\ as)(?!\ an?\ )
        |übernimmt\ als|ist\ eingesprungen\ als|a\ pris\ la\ relève\ comme
        |(?:ha\ asumido|asumió|asume)\ como)"""
    return tuple(
        expression(form, re.VERBOSE)
        for form in (
            rf"{holder}\ (?P<turned>{being})\ (?:(?P<now>{now})\ )?{the}\ {new}?{role}{end}",
            rf"{holder}\ (?P<turned>{being})\ (?P<now>{now})\ {alone}{end}",
            rf"{holder}\ (?P<turned>{being})\ {alone}\ (?P<now>{now}){end}",
            rf"{holder}\ {taking}\ (?:{the}\ )?{new}?{role}{end}",
            rf"{name}\ (?P<taken>handed)\ (?:over\ )?{the}\ {role}(?:\ (?:role|job))?\ (?:over\ )?to\ {holder}{end}",
            rf"{the}\ {new}?{role}\ {called}\ (?:(?P<now>{now})\ )?{holder}{end}",
            rf"{new}{role}(?:\ {being}|:)\ {holder}{end}",
        )
    )


def put_out(plain: str) -> str | None:
    """Return what a statement in small letters says is exchanged for something else; None if it does not.

    >>> put_out("postgres was upgraded from 14.9 to 16.3."), put_out("we took the train to rome.")
    ('14.9', None)
    """
    found = _out_and_in().search(plain)
    return None if found is None else found["out"]


@lru_cache(maxsize=1)
def _out_and_in() -> re.Pattern[str]:
    return expression(
        r"\b(?:from|von|vom|de|du|desde)\ (?P<out>[^\s,.;]\S*(?:\ [^\s,.;]\S*){0,3}?)"
        r"\ (?:to|auf|zu|zum|zur|nach|à|au|a|al)\ [^\s,.;]"
    )
