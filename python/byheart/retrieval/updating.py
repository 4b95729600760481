"""Updates: whether one statement says of the same thing what another says no more, in words of its own.

"The wedding was moved to the 21st of June" updates "The wedding is on the 12th of June": both speak first of the same
thing, and the newer one says plainly that something changed, or gives another value. `sameness` finds statements that
differ in one place; this is wider, and a guess too: what follows links records, and hides none. Compared are messages
of one statement; questions, replies and chatter around it do not count. Words are what blanks separate, so that texts
in Japanese or Chinese update nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem, stop_words
from ..knowledge import lowered
from ..patterns.asking import sentences, unlabelled
from ..patterns.chatter import states
from ..patterns.stating import CHANGES, DAYS, NUMBER_WORDS

MOST_CHARACTERS: Final = 240
"""A longer text says too much to update one thing."""
_MOST_STATEMENT = 120  # characters

_WORD: Final = re.compile(r"[^\W_]+(?:[.:,/-][0-9]+)*")
_GOES_ON: Final = re.compile(r"\b(?:dr|mr|mrs|ms|prof|st|[0-9]{1,2})\.$", re.IGNORECASE)
_APOSTROPHES: Final = str.maketrans("", "", "'\u2019")
_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_WEAK: Final = frozenset(
    {"new", "now", "jetzt", "nun", "neu", "neue", "neuen", "neuer", "neues", "maintenant", "ahora"}
)
_MONTH: Final = frozenset({"may", "mai", "mayo", "today", "tomorrow", "tonight", "heute", "morgen", "demain", "hoy"})
_SMALL_TOO = """been be has have had will would im ive its thats were was dont cant going go goes get got also
    just still really please well ok okay oh no yes actually correction sorry remember forget note der die das
    den dem des ein eine einen ist sind war wird wurde wurden habe hat mein meine meinen meiner unser unsere ich
    du wir und auf am um im in zu mit von für nicht le la les un une des du de est sont était a été mon ma mes
    notre je nous et au aux en sur à el los las una es son fue era ha sido mi mis nuestro nuestra yo nosotros y
    al por para uhr"""
_SMALL: Final = frozenset(stop_words()).union(_SMALL_TOO.split())


class _Said(NamedTuple):
    """What a statement speaks of, in order, and the values that it gives."""

    about: tuple[str, ...]
    values: frozenset[str]
    names: frozenset[str]
    changes: frozenset[str]


def is_change(text: str) -> bool:
    """Return whether a text says plainly that something is no more as it was: "new" and "now" alone do not.

    >>> is_change("The wedding was moved to the 21st."), is_change("I have 3 new plants now.")
    (True, False)
    """
    return len(text) <= MOST_CHARACTERS and bool(_said(text).changes)


def may_update(text: str) -> bool:
    """Return whether a text is one statement, which alone may update another.

    >>> may_update("Wow! The gate code is 9035 now."), may_update("The gate code is 9035. The key is under the mat.")
    (True, False)
    """
    return len(text) <= MOST_CHARACTERS and bool(_said(_statement(text)).about)


def values_of(text: str) -> frozenset[str]:
    """Return the numbers, days and months that a text gives.

    >>> sorted(values_of("It was moved to the 21st of June, at 7:40."))
    ['21', '7:40', 'june']
    """
    return _said(text).values


def updates(newer: str, older: str) -> bool:
    """Return whether a text says otherwise what an older one says.

    >>> updates("The gate code has been changed to 9035.", "The gate code is 4821.")
    True
    >>> updates("The wedding will be on the 21st of June.", "The wedding is on the 12th of June.")
    True
    >>> updates("The florist was changed to Anna's.", "The gate code is 4821.")
    False
    >>> updates("My mother's birthday is on 3 May.", "My father's birthday is on 9 July.")
    False

    """
    if max(len(newer), len(older)) > MOST_CHARACTERS:
        return False
    stated = _statement(newer), _statement(older)
    new, old = map(_said, stated)
    ours, theirs = set(new.about), set(old.about)
    shared = ours & theirs
    if not shared:
        return False
    if new.changes:
        says_more = new.values - old.values or ours - theirs or new.changes - old.changes
        alike = new.about[0] == old.about[0] or len(shared) > 1
        spoken_of = new.about[0] in theirs and 2 * len(shared) >= min(len(ours - new.names), len(theirs - old.names))
        return bool(says_more and alike and spoken_of)
    own, other = ours - new.names - shared, theirs - old.names - shared
    differ = (new.values - old.values and old.values - new.values) or (ours - theirs and theirs - ours)
    return bool(differ and not own and not other and new.about[0] == old.about[0])


def says_more(text: str, known: str) -> bool:
    """Return whether a text says a word, a value or a change that a known one does not.

    >>> says_more("My flight leaves at 7:40.", "My flight to Oslo leaves at 7:40 on Friday.")
    False
    >>> says_more("My flight leaves at 9:15.", "My flight to Oslo leaves at 7:40 on Friday.")
    True

    """
    new, old = _said(text), _said(known)
    return bool(set(new.about) - set(old.about) or new.values - old.values or new.changes - old.changes)


@lru_cache(maxsize=64)
def _statement(text: str) -> str:
    """Return the one sentence of a text that states something; "" if it has none or several."""
    parts: list[str] = []
    for part in sentences(unlabelled(text)):
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
    return found


@lru_cache(maxsize=64)
def _said(text: str) -> _Said:
    plain = lowered(text).translate(_APOSTROPHES)
    changes = frozenset(found.group() for found in _changes().finditer(plain))
    within = {word for change in changes for word in change.split()}
    about: dict[str, None] = {}
    names: set[str] = set()
    values: set[str] = set()
    for at, word in enumerate(_WORD.findall(text.translate(_APOSTROPHES))):
        low = lowered(word)
        if any(map(str.isdecimal, low)) or low in DAYS or low in NUMBER_WORDS or low in _MONTH:
            values.add(_ORDINAL.sub("", low))
        elif low not in _SMALL and low not in within:
            stem = porter_stem(low)
            about[stem] = None
            if at and word[0].isupper():
                names.add(stem)
    return _Said(tuple(about), frozenset(values), frozenset(names), changes - _WEAK)


@lru_cache(maxsize=1)
def _changes() -> re.Pattern[str]:
    return re.compile(CHANGES, re.VERBOSE)
