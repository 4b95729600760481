"""Statements: what each speaks of, the values and names that it gives, and what it says has changed.

Read of one statement, in words that blanks separate; of a statement in Japanese its topic counts, what stands before
"は", and its numbers. Questions, replies and chatter around a statement do not count. All of it is a guess.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem, stop_words
from ..knowledge import lowered
from ..light.expressions import expression
from .asking import sentences, unlabelled
from .chatter import states
from .in_ascii import InAscii
from .labels import without_lead_in
from .stating import ALTERNATIVES, CHANGES, DAYS, NUMBER_WORDS
from .successors import HOLDS_NOW, holder_in
from .times import MONTHS_TOO, times_of

_MOST_STATEMENT = 120  # characters
_CHANGE = "change"

_WORD: Final = expression(r"[^\s@<>,;]+@[^\s@<>,;]*[^\W_]|https?://\S*[^\W_]|[^\W_]+(?:[.:,/-][0-9]+)*")
_TOPIC: Final = expression(r"[^\u3001\u3002\u306f]{2,20}(?=\u306f)")  # what stands before the Japanese "wa"
_NEW_TOPIC: Final = expression("^(?:\u65b0\u3057\u3044|\u4eca\u306e)")  # new, present
_JAPANESE: Final = expression(r"[\u3040-\u30ff]")
_FIGURE: Final = expression(r"[0-9]+(?:[.:,-][0-9]+)*[\u5e74\u6708\u65e5\u6642\u5206]?")
_SHIFTED: Final = r"\b(?:raised|lowered|pushed|bumped|upgraded|downgraded|migrated|slipped)"
_TO: Final = rf"{_SHIFTED}(?=(?:\ \S+){{0,6}}\ to\b)"
_EXCHANGED: Final = r"""\b(?:(?:migrat|switch|upgrad|downgrad|mov|chang|transition)(?:es?|ing)?|wechsel[tn]|umgestiegen
        |umgestellt|migrieren|pass(?:e|ons|é)|chang(?:e|eons)|pasamos|cambiamos|migramos)\b"""
_FROM_TO: Final = rf"""{_EXCHANGED}(?=(?:\ \S+){{0,4}}\ (?:from|von|vom|de|du)\ \S+(?:\ \S+){{0,3}}
        \ (?:to|auf|zu|zum|zur|nach|à|au|a|al)\ )"""
_INSTEAD_OF: Final = r"\b(?:an)?statt"
_ENDS: Final = r"""\b(?:tak(?:es?|en|ing)\ over|took\ over|g(?:ave|iven)\ up|retired|resigned|relocated|put\ off
        |after\ all|on\ hold|fell\ through|(?:is|are)\ off|any\ longer|wont|will\ not\ (?:take\ place|be|come|happen)
        |is\ (?:down|up)\ to|rather\ than|in\ place\ of|re-?(?:booked|scheduled|instated|opened|joined|subscribed)
        |(?:is|are)\ now\ [$€£]?[0-9]+
        |(?:is|are|costs?)\ [$€£]?[0-9]\S*(?:\ [^\s.,;]+)?\ (?:since\ \w+|now)
        |put\ (?:[\w-]+\ ){1,3}(?:up|down)\ to\ [$€£]?[0-9]+|renewed
        |(?:go(?:es|ing)?\ (?:up|down)|ris(?:es?|ing)|drop(?:s|ped|ping)|falls?|falling|grows|shrinks
        |(?:in|de)creases?d?|jump(?:s|ed)|climb(?:s|ed))\ to\ [$€£]?[0-9]+
        |(?:(?:re)?set|cut|revised|adjusted|trimmed|capped|lifted|slashed|brought|taken|gone)
        \ (?:up\ |down\ |back\ )?to\ [$€£]?[0-9]+
        |(?:is|are)\ back\ on|again\ (?:since|from|as\ of)|(?:is|are)\ now\ (?:on|at|in|from|to)
        |(?:re)?assigned\ to|handed\ (?:over\ )?to|passed\ on\ to
        |put\ (?:me|him|her|them|us)\ on|c(?:ant|annot|ouldnt)\ (?:do|make)\ (?:it\ )?(?:on\ )?\w+day,?\ (?:so|but)
        |final\ (?:date|day|time|place|price|version))\b|^actually\b
    |\b(?:change\ of\ plans?|planänderung|changement\ de\ (?:plan|programme)|cambio\ de\ planes?
        |cambio\ di\ programma|mudança\ de\ planos)\b
    |\b(?:(?:um|weg|aus)?gezogen|aufgehört|gekündigt|übernimmt|übernommen|ausgefallen|fällt\ aus|ersetzt|gewechselt
        |(?:steigt|sinkt|fällt|wächst)\ auf\ [0-9]+|umbenannt|umgebucht
        |neuerdings|gestiegen|gesunken|erhöht|gesenkt|wieder\ (?:ab|seit))\b
    |\b(?:passe\ à\ [0-9]+|(?:sube|baja)\ a\ [0-9]+|déménagé|arrêté|démissionné|remplacée?|au\ lieu\ de)\b
    |\b(?:mud(?:ó|ado|ada)|dejado\ de|dejó\ de|renunci(?:ó|ado)|sustituid[oa]|en\ (?:lugar|vez)\ de)\b"""
"""What says so where it updates something, beside what is worth keeping for it alone."""
_CORRECTING: Final = (
    r"^(?:(?:\w+\ )?revised|correction|update|edit|korrektur|planänderung|berichtigung|corrección|rectificación|訂正)"
    r"[:：]"
)
_AROUND: Final = expression(r"^(kein\w*|ny?e?) \w+ (mehr|plus)$")
"""What stands around a word of its own, which the statement speaks of: "kein Fleisch mehr"."""
_LABEL: Final = expression(_CORRECTING)
_GOES_ON: Final = expression(r"\b(?:dr|mr|mrs|ms|prof|st|[0-9]{1,2})\.$", re.IGNORECASE)
_ORDINAL: Final = expression(r"(?<=\d)(?:st|nd|rd|th)$")
_CAPITAL_WITHIN: Final = expression("[a-z]+[A-Z]")
"""Names are written so: "easyJet", "iPhone"."""
_WEAK: Final = frozenset(
    {"new", "now", "jetzt", "nun", "neu", "neue", "neuen", "neuer", "neues", "maintenant", "ahora"}
)
_ENGLISH_TOO = """whos whats wheres whens hows theres isnt arent wasnt werent doesnt didnt hasnt havent
    been be has have had will would im ive its thats were was dont cant onto going go goes get got also
    just still since really please well ok okay oh no yes actually correction sorry remember forget note"""
_OTHERS_TOO = """nein non entschuldigung perdón der die das
    den dem des ein eine einen ist sind war wird wurde wurden habe hat mein meine meinen meiner unser unsere ich
    du wir und seit auf am um im in zu mit von für nicht nach bei aus ab le la les un une des du de est sont était a
    été mon ma mes notre je nous et au aux en depuis sur à el los las una es son fue era ha sido mi mis nuestro nuestra
    yo nosotros y desde al por para uhr"""
SMALL_IN_ENGLISH: Final = frozenset(stop_words()).union(_ENGLISH_TOO.split())
"""Of a text that is known to be English: there "son" and "hat" say something."""
SMALL: Final = SMALL_IN_ENGLISH.union(_OTHERS_TOO.split())


class Said(NamedTuple):
    """What a statement speaks of, in order, and the values that it gives."""

    about: tuple[str, ...]
    values: frozenset[str]
    names: frozenset[str]
    changes: frozenset[str]
    subject: tuple[str, ...] = ()  # what it speaks of before the word of change
    object: str | None = None  # what comes first behind that
    times: frozenset[str] = frozenset()  # of the values

    @property
    def amounts(self) -> frozenset[str]:
        """The values that are no times."""
        return self.values - self.times


@lru_cache(maxsize=2048)  # whoever looks for updates looks at the statements beside a message, again and again
def statement(text: str) -> str:
    """Return the one sentence of a text that states something; "" if it has none or several."""
    parts: list[str] = []
    for part in sentences(text if _LABEL.match(lowered(text)) else unlabelled(text)):
        if parts and _GOES_ON.search(parts[-1]):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    found = ""
    for part in parts:
        if not states(part):
            continue
        if found or len(part) > _MOST_STATEMENT:
            return ""
        found = part
    return without_lead_in(found)


@lru_cache(maxsize=512)
def stems(text: str) -> frozenset[str]:
    """Return the stems of all words of a text in ASCII: those that its one statement speaks of are among them."""
    return frozenset(map(porter_stem, _WORD.findall(text.replace("'", "").lower())))


class _Word(NamedTuple):
    """A word as statements have it: in small letters, the value it gives or the stem it speaks of, and what names."""

    low: str
    value: str
    stem: str
    is_capital: bool
    is_name: bool


@lru_cache(maxsize=4096)  # a megabyte and a half: a few thousand words are most of what people say
def _word(word: str) -> _Word:
    """Return what a word of a statement gives, wherever it stands: a value, a stem, or neither if it is small."""
    low = lowered(word)
    if _is_value(low) or low in DAYS or low in NUMBER_WORDS or low in MONTHS_TOO:
        return _Word(low, _ORDINAL.sub("", low), "", False, False)
    stem = "" if low in SMALL else porter_stem(low)
    is_name = _CAPITAL_WITHIN.match(word) is not None or any(map(str.isdecimal, low))
    return _Word(low, "", stem, word[0].isupper(), is_name)


def _is_value(word: str) -> bool:
    """Return whether a word is a number or an address: what begins with a letter, as "LH123", names something."""
    return "@" in word or (any(map(str.isdecimal, word)) and not (word[0].isalpha() and word.isalnum()))


@lru_cache(maxsize=2048)  # a recall looks at the texts that say nearly the same, again and again
def said(text: str) -> Said:
    """Return what a statement says."""
    text = text.replace("'", "").replace("\u2019", "")
    held = holder_in(text)
    text = text if held is None else held.text
    plain = lowered(text)
    found = list(_changes().finditer(plain)) if _may_change(plain) else []  # a tenth of the time for the most texts
    changes = frozenset(each.group() for each in found)
    if not text.isascii() and _JAPANESE.search(text):
        return _said_in_japanese(plain, changes)
    within = {word for change in changes for word in _AROUND.sub(r"\1 \2", change).strip(":：").split()}
    at_change = next((each.start() for each in found if each.group() not in _WEAK), len(plain))
    about: dict[str, int] = {}
    names: set[str] = set()
    values: set[str] = set()
    last = -1
    for at, part in enumerate(_WORD.finditer(text)):
        low, value, stem, is_capital, is_name = _word(part.group())
        if value:
            values.add(value)
        elif stem and low not in within:
            last = part.start()
            about.setdefault(stem, last)
            if is_name or (at and is_capital):
                names.add(stem)
    subject, behind = tuple(about), None
    if last >= at_change:  # of most texts nothing stands behind a word of change
        subject = tuple(stem for stem, at in about.items() if at < at_change)
        behind = next((stem for stem, at in about.items() if at > at_change), None)
    given = frozenset(values)
    times = times_of(plain, given) if given else given
    changes -= _WEAK
    if held is not None and held.is_new:
        changes, subject = (
            changes | {HOLDS_NOW},
            tuple(stem for stem, at in about.items() if at < len(f"the {held.role}")),
        )
    return Said(tuple(about), given, frozenset(names), changes, subject, behind, times)


def _said_in_japanese(plain: str, changes: frozenset[str]) -> Said:
    """Return the topic of a statement, and its numbers."""
    topic = _TOPIC.match(_NEW_TOPIC.sub("", plain))
    about = () if topic is None else (topic.group(),)
    values = frozenset(_FIGURE.findall(plain))
    return Said(about, values, frozenset(), changes, about, times=times_of(plain, values))


@lru_cache(maxsize=1)
def _changes() -> re.Pattern[str]:
    return expression(rf"{CHANGES}|{_TO}|{_FROM_TO}|{_ENDS}|{_CORRECTING}|{_INSTEAD_OF}(?=\ \w)", re.VERBOSE)


@lru_cache(maxsize=1)
def _perhaps() -> InAscii:
    """Return an automaton that finds a word of change wherever `_changes` does, and sooner: it looks at no more."""
    tables = (CHANGES, _SHIFTED, _EXCHANGED, _ENDS, _CORRECTING, _INSTEAD_OF)
    return InAscii((_CHANGE, part) for table in tables for part in ALTERNATIVES.split(table))


def may_change(text: str) -> bool:
    """Return whether a text may hold a word of change."""
    return _may_change(lowered(text.replace("'", "").replace("\u2019", "")))


def _may_change(plain: str) -> bool:
    # Of what is neither letter nor digit, the automaton takes accents and joiners for parts of a word.
    if not plain.isascii() and any(_joins(each) for each in plain if each > "\x7f" and not each.isalnum()):
        return True
    return bool(_perhaps().found(plain))


def _joins(sign: str) -> bool:
    from unicodedata import category

    return category(sign) in ("Mn", "Mc", "Me", "Pc", "Cf")
