"""Things that have a number for a name: "room 14", "port 9000", "gate C4", "flight OS 773", "chapter 7", "Q2".

A number behind an amount, a time or a small word is none: "for 900 euros", "at 9", "12 people", "3 May".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .calendar_words import MONTHS, SHORT_MONTHS
from .number_words import NUMBERS, english_words, german_words
from .stating import DAYS

_THING: Final = expression(
    r"(?<![\w.,'\u2019@#/-])(?P<label>[A-Za-z\u00c0-\u024f]{2,20})\s(?:(?:no\.?|nr\.?|number|nummer)\s)?#?"
    rf"(?P<number>[A-Za-z]?[0-9]{{1,5}}|[0-9]{{1,3}}[A-Za-z]|{'|'.join(map(english_words, range(2, 13)))})"
    r"(?![\w%\u20ac$\u00a3])(?![.,:/-][0-9])"
    r"(?!\s?(?:(?:am|pm|uhr|h|percent|people|men|women|children|and\s+a\s+half"
    r"|euros?|eur|usd|dollars?|chf|[kmc]?m|[km]?g|[cm]?l)\b|(?:of|or)\s[0-9]))"
    r"(?=(?:\s(?P<counted>(?!(?:is|was|has|does|status|means|says)\b)[a-z]+s)\b)?)"
)
"""In "order 12 pizzas" something is counted, but not in "chapter 4 covers sorting": a question tells neither."""
_LETTER: Final = expression(r"(?<![\w.,'\u2019@#/-])(?P<label>[A-Z])(?P<number>[0-9]{1,2})(?![\w%])(?![.,:/-][0-9])")
_SMALL: Final = """
    a about above after again all also am an and any are around as at bar be been before behind below between but by
    can cost costs did do does each even every exactly except far for from get gets give go got had has have he her
    his how i if in is it its just last least less like make makes many maybe me more most much my near nearly next
    no nor not now of off on only or other our out over own paid past pay pays per plus run runs she since so some
    than that the their them then there these they this those till times to too top turn turned turns under until up
    us versus very via vs was we well were what when where which while who will with within without you your year
    years age aged ab am an auf aus bei bis das dem den der die ein eine einem einen einer es f\u00fcr gegen hat ich
    im ist mit nach noch nur oder seit sind um und unter \u00fcber vom von vor war wir zu zum zur zwischen \u00e0
    apr\u00e8s au aux avant avec ce dans de depuis des d\u00e8s du elle en est et il je la le les ou par pas pour
    que qui sans sur un une vers al con del desde el hasta las los para por sin una y euro euros eur dollar dollars
    usd chf pound pounds
"""
_NO_LABEL: Final = frozenset({*_SMALL.split(), *DAYS, *MONTHS, *SHORT_MONTHS})
_YEAR: Final = expression(r"(?:19|20)[0-9]{2}")
_ORDINALS: Final = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_WHETHER: Final = expression(
    r"\W*(?:is|are|was|were|does|do|did|has|have|can|could|will|would|should"
    r"|ist|sind|war|hat|kann|f\u00e4hrt)\s(?!there\b)"
    r"(?:(?:the|my|our|der|die|das)\s)?",
    re.IGNORECASE,
)
_OPEN: Final = expression(
    r"\b(?:(?:or|and)\ (?:later|newer|higher|above|up|more|older|lower|below|earlier)|except|but|only|all|every|each"
    r"|any|others?|rest|up\ to|at\ (?:least|most)|follows?|after|before|until|till|ab|bis|au\u00dfer|alle[nrs]?"
    r"|jede[nrs]?|nur|nach|vor)\b(?=.*\d)|\d\ ?(?:\+|up\b|on\b|or\b|upwards?\b)"
    r"|\b(?:or|and)\ (?:later|newer|higher|above)",
    re.IGNORECASE | re.VERBOSE,
)
"""What speaks of more than the numbers that it says."""
_RANGE: Final = expression(r"(?<![\w.,])([0-9]{1,5})\s?(?:-|\u2013|to|through|bis)\s?([0-9]{1,5})(?![\w])")
_CALLED: Final = {"q": "quarter", "kw": "week"}

Numbered = tuple[str, str]
"""What a thing is, and its number, both in small letters."""


@lru_cache(maxsize=1024)  # the same texts are found again and again
def things_in(text: str) -> tuple[Numbered, ...]:
    """Return the things of a text that have a number for a name.

    >>> things_in("Room 14 is free at 9 for 12 people. Gate C4, flight OS 773 on 3 May; revenue in Q2.")
    (('room', '14'), ('gate', 'c4'), ('os', '773'), ('c', '4'), ('q', '2'))
    >>> things_in("Lesson five cost 900 euros, since 2019.")
    (('lesson', '5'),)
    """
    return tuple(thing for _, thing in _written(text))


def things_asked(question: str) -> tuple[tuple[str, Numbered], ...]:
    """Return the things that a question asks about by a number, as it writes them and as they are compared.

    Who asks whether something else has to do with one is answered by another number, too: "no, on platform 3".

    >>> things_asked("What is in room 14?"), things_asked("Who ordered 12 pizzas?")
    ((('room 14', ('room', '14')),), ())
    >>> things_asked("Is gate C4 closed?")[0], things_asked("Does the train leave from platform 5?")
    (('gate C4', ('gate', 'c4')), ())
    """
    found = tuple(_written(question, counted=False))
    whether = _WHETHER.match(question)
    return found if whether is None else tuple(each for each in found if question.startswith(each[0], whether.end()))


def _written(text: str, *, counted: bool = True) -> Iterator[tuple[str, Numbered]]:
    for pattern in (_THING, _LETTER):
        for found in pattern.finditer(text):
            label, number = found["label"].lower(), found["number"].lower()
            if label in _NO_LABEL or _YEAR.fullmatch(number) is not None:
                continue
            if counted or found.groupdict().get("counted") is None:
                yield found[0], (label, str(NUMBERS.get(number, number)))


def says_thing(text: str, thing: Numbered) -> bool:
    """Return whether a text may say a thing, be it in other words: "rooms 12 and 14", "lesson five", "the 3rd floor".

    >>> says_thing("Rooms 12 and 14 are free.", ("room", "14")), says_thing("Lesson five.", ("lesson", "5"))
    (True, True)
    >>> says_thing("14 people met in room 12.", ("floor", "14")), says_thing("Chapters 3-5.", ("chapter", "4"))
    (False, True)
    """
    label, number = thing
    if _label(label).search(text) is None:
        return False
    if _OPEN.search(text) is not None:  # "version 10 or later", "all rooms but room 7"
        return True
    return _number(label, number).search(text) is not None or (number.isdigit() and _is_within(text, int(number)))


def _is_within(text: str, number: int) -> bool:
    return any(int(start) <= number <= int(end) for start, end in _RANGE.findall(text))


@lru_cache(maxsize=128)
def _label(label: str) -> re.Pattern[str]:
    others = f"|{_CALLED[label]}" if label in _CALLED else ""
    return re.compile(rf"(?<![^\W\d_])(?:{re.escape(label)}{others})(?:s|es|en|n|e)?(?![^\W\d_])", re.IGNORECASE)


@lru_cache(maxsize=128)
def _number(label: str, number: str) -> re.Pattern[str]:
    """Return what finds a number, in figures or words."""
    forms = [rf"0*{re.escape(number)}(?:st|nd|rd|th|\.)?(?![\w])(?!,[0-9])"]
    if number.isdigit() and (count := int(number)) < 100:
        words = [english_words(count), german_words(count), *_ORDINALS[count : count + 1]]
        forms += [rf"{word}(?![\w-])" for word in words if word]
    glued = re.escape(label)
    before = rf"(?<![\w.,-])|(?<=\b{glued})|(?<=\b{glued}[-_.])"
    return re.compile(rf"(?:{before})(?:{'|'.join(forms)})", re.IGNORECASE)
