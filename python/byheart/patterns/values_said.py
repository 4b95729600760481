"""The values that a text says: times of day, days, amounts and telephone numbers, and whether two say the same one.

People write one value in many ways. Which they are is told by the files of each kind; here they come together, and
where two kinds read the same letters, the longer one has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ..light.expressions import expression
from .amounts_said import Amount, amounts_said, amounts_written
from .calendar_days_said import Day, days_said, days_written
from .calendar_words import MONTHS, SHORT_GERMAN_WEEKDAYS, SHORT_MONTHS, SHORT_WEEKDAYS, WEEKDAYS
from .clock_times import Minutes, times_said, times_written
from .letters import in_small_letters
from .listed_numbers import all_listed
from .number_words import english_words, german_words
from .telephones import Telephone, last_digits, telephones_said

MOST_CHARACTERS: Final = 4_000
"""So much of a text is looked at."""


Value = Minutes | Day | Amount | Telephone


class Said(NamedTuple):
    """A value, and the letters of a text that say it."""

    words: str
    value: Value
    begin: int = 0
    end: int = 0


def values_said(text: str) -> list[Said]:
    """Return the values that a text says, in order.

    >>> [each.words for each in values_said("Choir: 6:30 pm on May 3rd, 15 % off, call +43 664 1234567.")]
    ['6:30 pm', 'May 3rd', '15 %', '+43 664 1234567']
    >>> values_said("Version 1.10.0 of the kettle")
    []
    """
    text = _apart(text[:MOST_CHARACTERS])
    found: list[tuple[int, int, int, Value]] = []
    kinds: tuple[Iterator[tuple[int, int, Value]], ...] = (
        telephones_said(text), times_said(in_small_letters(text)), days_said(text), amounts_said(text),
    )  # fmt: skip
    for rank, said in enumerate(kinds):
        found += [(begin, -end, rank, value) for begin, end, value in said]
    behind, kept = 0, list[Said]()
    for begin, end, _, value in sorted(found, key=lambda each: each[:3]):
        if begin >= behind:
            behind = -end
            kept.append(Said(text[begin:behind].strip(), value, begin, behind))
    return kept


_EMPHASIS: Final = expression(r"(?<![^\W_])_+|_+(?![^\W_])")


def _apart(text: str) -> str:
    """Return a text with the numbers of lists apart, and a blank for each underscore around a word; no letter moves.

    >>> _apart("_18:30_ of ERR_1042: 4711,4712")
    ' 18:30  of ERR_1042: 4711 4712'
    """
    text = text if "_" not in text else _EMPHASIS.sub(lambda found: " " * len(found[0]), text)
    return all_listed(text)


def saying(value: Value, text: str) -> Iterator[tuple[int, str]]:
    """Give how well each value of its kind in a text agrees with one (see `agreement`), and the words that say it.

    >>> list(saying(frozenset({1110}), "at 6:30, 6.30 pm or 7 pm"))
    [(1, '6:30'), (2, '6.30 pm')]
    """
    text = _apart(text[:MOST_CHARACTERS])
    found = (_kept if len(text) <= _SHORT else _of_kind)(type(value), text)
    yield from ((level, text[begin:end].strip()) for begin, end, other in found if (level := agreement(value, other)))


def _of_kind(kind: type, text: str) -> tuple[tuple[int, int, Value], ...]:
    """Return the values of a kind that a text says."""
    found: Iterable[tuple[int, int, Value]]
    if kind is frozenset:
        found = times_said(in_small_letters(text))
    elif kind is Day:
        found = days_said(text)
    else:
        found = amounts_said(text) if kind is Amount else telephones_said(text)
    return tuple(found)


_SHORT: Final = 500
_kept: Final = lru_cache(maxsize=2_048)(_of_kind)  # the same few records hold most numbers; half a megabyte


def agreement(one: object, other: object) -> int:
    """Return 2 where two values are the same, 1 where they may be, as 6:30 and 18:30, and 0 where they are not.

    >>> evening, six = frozenset({1110}), frozenset({390, 1110})
    >>> agreement(evening, evening), agreement(evening, six), agreement(evening, frozenset({390})), agreement(six, "6")
    (2, 1, 0, 0)
    """
    if type(one) is not type(other):
        return 0
    if one == other:
        return 2
    if isinstance(one, frozenset) and isinstance(other, frozenset):
        return 0 if one.isdisjoint(other) else 1
    if isinstance(one, (Day, Amount, Telephone)):
        return int(one.agrees(other))  # type: ignore[arg-type]
    return 0


def ways_of(value: Value) -> Iterator[str]:
    """Give the ways in which people may write a value, in small letters, and of a telephone number its ends."""
    if isinstance(value, frozenset):
        for minute in sorted(value):
            yield from times_written(minute)
    elif isinstance(value, Day):
        yield from days_written(value)
    elif isinstance(value, Amount):
        yield from amounts_written(value)
    else:
        yield from last_digits(value)


def whole_values(text: str, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences of a text with those in one that part a value, as the point of "3. Mai" does.

    >>> whole_values("Was ist am 3. Mai?", ("Was ist am 3.", "Mai?"))
    ('Was ist am 3. Mai?',)
    """
    inside = [(said.begin, said.end) for said in values_said(text)]
    whole, behind = list[str](), 0
    for part in parts:
        at = text.find(part, behind)
        if whole and any(begin < at < end for begin, end in inside):
            whole[-1] += text[behind:at] + part
        else:
            whole.append(part)
        behind = at + len(part)
    return tuple(whole)


_SIGNS_SAID = """clock uhr noon midday midnight mitternacht half quarter halb viertel dreiviertel percent cent prozent
    thousand tausend million millions millionen billion billions milliarden mrd mio tsd euro euros dollar dollars pound
    pounds pfund francs franken"""
_SIGNS: Final = frozenset([*_SIGNS_SAID.split(), *MONTHS, *SHORT_MONTHS, *WEEKDAYS, *SHORT_WEEKDAYS]) | frozenset(
    f"{day}s" for day in (*WEEKDAYS, *SHORT_WEEKDAYS)
)
_SPOKEN: Final = frozenset({"am", "pm", "past", "after", "to", "till", "before", "vor", "nach", "jeden", "bis", "ab"})
_BEHIND: Final = frozenset(
    [*SHORT_GERMAN_WEEKDAYS, *map(english_words, range(1, 13)), *map(german_words, range(1, 13))]
)
_ENDS: Final = ("", "?", ".", ",", "!", ".?", ":", ";", ")")


def _ending(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word + end for word in words for end in _ENDS)


_SIGNS_ENDING, _SPOKEN_ENDING, _BEHIND_ENDING = map(_ending, (_SIGNS, _SPOKEN, _BEHIND))
_DIGIT: Final = expression("[0-9]")


def may_say(text: str) -> bool:
    """Return whether a text has a sign of a value in it; most questions have none.

    >>> may_say("who has the keys?"), may_say("What is at half past six?")
    (False, True)
    """
    if _DIGIT.search(text) is not None:
        return True
    words = text.lower().split()
    if not _SIGNS_ENDING.isdisjoint(words):
        return True
    return not _BEHIND_ENDING.isdisjoint(words) and not _SPOKEN_ENDING.isdisjoint(words)
