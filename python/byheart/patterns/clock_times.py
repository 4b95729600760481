"""Times of day as people write them: "18:30", "6.30 pm", "half past six", "halb sieben", "9 Uhr", "noon".

A time is the set of minutes of the day that it may be: "6:30" is in the morning or in the evening, "18:30" and "06:30"
are not. What stands beside more numbers ("1.10.0", "12:30:45", "3:1-4") is no time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .calendar_words import GERMAN_WEEKDAYS
from .letters import letters_of
from .number_words import NUMBERS, english_words, german_words

HALF_A_DAY: Final = 720
Minutes = frozenset[int]
Match = re.Match[str]

_NAMED: Final = {"noon": HALF_A_DAY, "midday": HALF_A_DAY, "midnight": 0, "mitternacht": 0}
_LATE: Final = ("after", "even", "night", "nachm", "abend")
_IN_GERMAN = "ist sind war der das und wer wann wo ich wir ein eine einen für mit nicht"
_GERMAN: Final = frozenset(_IN_GERMAN.split())
_GERMAN_DAYS: Final = "|".join(GERMAN_WEEKDAYS)
_PART: Final = (  # "um 6:30 am Montag" says no half of the day
    rf"(?:\s?(?P<half>[ap])(?:m\b(?!\ (?:{_GERMAN_DAYS}|(?:vor|nach)mittag|abend|\d\d?\.))|\.\s?m\b\.?)"
    r"|,?\s(?P<part>in\ the\ (?:morning|afternoon|evening)|at\ night|(?:am\ )?(?:vormittag|nachmittag|abend)s?"
    r"|morgens)\b)"
)
_BEFORE: Final = r"(?<![\w:/$€£])(?<!\D-)(?<!\d[.,])"
_MORE: Final = r"five|ten|twenty|twenty-five|fünf|zehn|zwanzig"


def times_said(text: str) -> Iterator[tuple[int, int, Minutes]]:
    """Give where a text in small letters says a time of day, and the minutes of the day that it may be.

    >>> [sorted(minutes) for *_, minutes in times_said("from 6:30 or 6.30 pm until half past seven, not 1.10.0")]
    [[390, 1110], [1110], [450, 1170]]
    >>> [sorted(minutes) for *_, minutes in times_said("um halb sieben, 9 uhr, 18.30 uhr")]
    [[390, 1110], [540, 1260], [1110]]
    """
    words = letters_of(text)
    forms = [form for form in _forms() if not form[0].isdisjoint(words)]  # of most texts none
    found = [(match, meaning) for _, pattern, meaning in forms for match in pattern.finditer(text)]
    behind = 0
    for match, meaning in sorted(found, key=lambda each: (each[0].start(), -each[0].end())):
        if match.start() >= behind and (minutes := meaning(match)):
            behind = match.end()
            yield match.start(), behind, minutes


def _of_digits(match: Match) -> Minutes:
    """Return what 18:30, 6:30 pm, 18.30 Uhr, 9 Uhr and 9 am may be."""
    told = match.groupdict()
    if match.group().endswith("am") and not _GERMAN.isdisjoint(letters_of(match.string)):  # "Tisch 9 am Fenster"
        return frozenset()
    hour, minute = _number(match["hour"]), int(told.get("minute") or 0)
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return frozenset()
    return _of_day(hour % 24, minute, told, sure=match["hour"].startswith("0") or hour == 24)


def _of_words(match: Match) -> Minutes:
    """Return what "half past six", "quarter to seven" and "viertel nach sechs" may be."""
    told, hour = match.groupdict(), _number(match["hour"])
    said = match["minutes"].removeprefix("a ")
    minute = {"half": 30, "quarter": 15, "viertel": 15}.get(said) or _number(said)
    if match["way"] not in ("past", "after", "nach"):
        hour, minute = (hour - 1) % 12, 60 - minute
    return _of_day(hour % 12, minute, told, sure=False) if 0 < minute < 60 else frozenset()


def _of_german(match: Match) -> Minutes:
    """Return what "halb sieben" and "dreiviertel sieben" may be."""
    minute = 30 if match["minutes"] == "halb" else 45
    return _of_day((_number(match["hour"]) - 1) % 12, minute, match.groupdict(), sure=False)


def _of_day(hour: int, minute: int, told: dict[str, str | None], *, sure: bool) -> Minutes:
    """Return the minutes that an hour may be, with what says which half of the day it is in."""
    at, half, part = 60 * hour + minute, told.get("half"), told.get("part") or ""
    if half is not None or part:
        is_late = half == "p" or any(word in part for word in _LATE)
        return frozenset({at if hour > 12 else at % HALF_A_DAY + (HALF_A_DAY if is_late else 0)})
    return frozenset({at}) if sure or hour >= 12 or (hour == 0 and minute == 0) else frozenset({at, at + HALF_A_DAY})


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else NUMBERS[word]


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[frozenset[str], re.Pattern[str], Callable[[Match], Minutes]], ...]:
    """Return the forms of times: the words of which one is in each, or its colon, the pattern, and what it means."""
    words = "|".join(dict.fromkeys((*map(english_words, range(1, 13)), *map(german_words, range(1, 13)), "ein")))
    of_clock, digits = rf"(?P<hour>1[0-2]|0?[1-9]|{words})", r"(?P<hour>[01]?\d|2[0-4])"
    minute, ends = r"(?P<minute>[0-5]\d)", r"(?!\w|[:.,/]\d|-(?!\d\d?[:.]\d\d))"
    parts = "am pm m morning afternoon evening night vormittag nachmittag abend vormittags nachmittags abends morgens"
    spoken, follows = r"(?:past|after|to|till|before|nach|vor)", r"(?:on|in|every|with|for|and|to|until)"
    among = r"\ ?(?:-|\u2013|to|until|till|bis|and|or|und)\ ?"
    forms: tuple[tuple[str, str, Callable[[Match], Minutes]], ...] = (
        (":", rf"{digits}:{minute}(?:\s?uhr\b)?{_PART}{ends}", _of_digits),
        (":", rf"{digits}:{minute}(?:\s?uhr\b|h\b)?{ends}", _of_digits),
        ("uhr", rf"{digits}\.{minute}\s?uhr\b{_PART}?", _of_digits),
        (parts, rf"{digits}\.{minute}{_PART}{ends}", _of_digits),
        ("at", rf"(?<=\bat\ ){digits}\.{minute}(?=[.?!,;]*$|[.?!,;]?\ {follows}\b)", _of_digits),
        ("h heure heures", rf"{digits}\s?(?:h|heures?)\s?{minute}{ends}", _of_digits),
        ("clock", rf"{of_clock}\ o['\u2019]?clock\b{_PART}?", _of_digits),
        (parts, rf"{of_clock}{_PART}{ends}", _of_digits),
        ("uhr", rf"(?P<hour>[01]?\d|2[0-4]|{words})\ ?uhr\b(?:\ {minute}(?!\w|[.:,]\d))?{_PART}?", _of_digits),
        ("am pm m uhr", rf"{digits}(?::{minute})?(?={among}\d\d?(?:[:.]\d\d)?\s?(?:[ap]\.?m\b|uhr\b))", _of_digits),
        ("half", rf"(?P<minutes>half)\ (?P<way>past)\ {of_clock}{_PART}?{ends}", _of_words),
        ("past after to till before nach vor",
         rf"(?P<minutes>(?:a\ )?quarter|viertel|{_MORE})\ (?P<way>{spoken})\ {of_clock}{_PART}?{ends}", _of_words),
        ("halb dreiviertel", rf"(?P<minutes>halb|dreiviertel)\ {of_clock}(?:\ uhr\b)?{_PART}?{ends}", _of_german),
        (" ".join(_NAMED), rf"(?P<named>{'|'.join(_NAMED)})(?!\w)", lambda match: frozenset({_NAMED[match["named"]]})),
    )  # fmt: skip
    return tuple((frozenset(mark.split()), expression(_BEFORE + form), meaning) for mark, form, meaning in forms)


def times_written(minute: int) -> Iterator[str]:
    """Give the ways in which people write a minute of the day, in small letters.

    >>> [way for way in times_written(1110)][:6]
    ['18:30', '18.30', '18h30', '18 h 30', '18 heures 30', '6:30']
    """
    hour, past = divmod(minute, 60)
    clock = (hour - 1) % 12 + 1
    late = "pm" if hour >= 12 else "am"
    yield from (f"{hour}:{past:02}", f"{hour}.{past:02}", f"{hour}h{past:02}")
    yield from (f"{hour} h {past:02}", f"{hour} heure{'s' * (hour > 1)} {past:02}") if past else ()
    if hour < 10:
        yield from (f"0{hour}:{past:02}", f"0{hour}.{past:02}")
    if clock != hour:
        part = "" if hour else f" {late}"  # 12:30 alone is at noon
        yield from (f"{clock}:{past:02}{part}", f"{clock}.{past:02}{part}")
        yield from ((f"0{clock}:{past:02} {late}",) if clock < 10 else ())
    yield from (f"{clock}:{past:02}{late}", f"{clock}.{past:02}{late}", f"{hour}:{past:02}h")
    if hour in (0, 12) and past == 0:
        yield from (word for word, at in _NAMED.items() if at == minute)
        if hour == 0:
            yield "24:00"
    yield from _in_words(hour, clock, past, late)


def _in_words(hour: int, clock: int, past: int, late: str) -> Iterator[str]:
    of, german = [english_words(clock), str(clock)], [german_words(clock), str(clock)]
    following = clock % 12 + 1
    to, before = [english_words(following), str(following)], [german_words(following), str(following)]
    if past == 0:
        numbers = dict.fromkeys((*of, str(hour), *german))
        marks = (f"{late[0]}.m", late, "o'clock") if hour else (f"{late[0]}.m", late)
        yield from (f"{number} {mark}" for number in of for mark in marks)
        yield from (f"{number} uhr" for number in (numbers if hour else ("0", "24")))
        yield from (f"{clock}{late}", f"{hour}uhr")
    elif past == 15:
        yield from (f"quarter past {number}" for number in of)
        yield from (f"viertel nach {number}" for number in german)
    elif past == 30:
        yield from (f"half past {number}" for number in of)
        yield from (f"halb {number}" for number in before)
    elif past == 45:
        yield from (f"quarter to {number}" for number in to)
        yield from (f"{said} {number}" for said in ("viertel vor", "dreiviertel") for number in before)
