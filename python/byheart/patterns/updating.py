"""Updates: whether one statement says of the same thing what another says no more, in words of its own.

"The wedding was moved to the 21st of June" updates "The wedding is on the 12th of June": both speak first of the same
thing, and the newer one says plainly that something changed, or gives another value. `sameness` finds statements that
differ in one place; this is wider, and a guess too: what follows links records, and hides none. Compared are messages
of one statement; questions, replies and chatter around it do not count. Words are what blanks separate; of a statement
in Japanese its topic counts, what stands before "は", and its numbers.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem, stop_words
from ..knowledge import lowered
from .asking import asks, sentences, unlabelled
from .chatter import states
from .stating import CHANGES, DAYS, NUMBER_WORDS

MOST_CHARACTERS: Final = 240
"""A longer text says too much to update one thing."""
_MOST_STATEMENT = 120  # characters
_MOST_LATER = 90

_WORD: Final = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]*[^\W_]|https?://\S*[^\W_]|[^\W_]+(?:[.:,/-][0-9]+)*")
_TOPIC: Final = re.compile(r"[^\u3001\u3002\u306f]{2,20}(?=\u306f)")  # what stands before the Japanese "wa"
_NEW_TOPIC: Final = re.compile("^(?:\u65b0\u3057\u3044|\u4eca\u306e)")  # new, present
_JAPANESE: Final = re.compile(r"[\u3040-\u30ff]")
_FIGURE: Final = re.compile(r"[0-9]+(?:[.:,-][0-9]+)*[\u5e74\u6708\u65e5\u6642\u5206]?")
_TIME: Final = re.compile(r"\d+(?::\d\d|h\d*|[\u5e74\u6708\u65e5\u6642\u5206])$|\d+(?:am|pm)$")
_TO: Final = r"\b(?:raised|lowered|pushed|bumped|upgraded|downgraded|migrated|slipped)(?=(?:\ \S+){0,6}\ to\b)"
_ENDS: Final = r"""\b(?:tak(?:es?|en|ing)\ over|took\ over|g(?:ave|iven)\ up|retired|resigned|relocated|put\ off
        |on\ hold|fell\ through|(?:is|are)\ off|any\ longer|wont|will\ not\ (?:take\ place|be|come|happen)
        |is\ (?:down|up)\ to|rather\ than|in\ place\ of)\b
    |\b(?:(?:um|weg|aus)?gezogen|aufgehört|gekündigt|übernimmt|übernommen|ausgefallen|fällt\ aus|ersetzt|gewechselt
        |umbenannt|neuerdings|gestiegen|gesunken|erhöht|gesenkt|(?:an)?statt(?=\ \w))\b
    |\b(?:déménagé|arrêté|démissionné|remplacée?|au\ lieu\ de)\b
    |\b(?:mud(?:ó|ado|ada)|dejado\ de|dejó\ de|renunci(?:ó|ado)|sustituid[oa]|en\ (?:lugar|vez)\ de)\b"""
"""What says so where it updates something, beside what is worth keeping for it alone."""
_OF_THE_PAST: Final = re.compile(
    r"\b(?:originally|previously|formerly|before|earlier|used\ to|use\ to|old|first|urspr\u00fcnglich|fr\u00fcher"
    r"|vorher|alte[rsn]?|avant|auparavant|ancien(?:ne)?|antes|antigu[oa])\b|(?:\u524d|\u6700\u521d|\u5143|\u4ee5\u524d)",
    re.VERBOSE,
)
_WHEN: Final = re.compile(
    r"\b(?:when|what\ (?:time|day|date)|which\ (?:day|date)|wann|wie\ ?viel\ uhr|quand|quel(?:le)?\ (?:heure|jour|date)"
    r"|cuándo|qué\ (?:hora|día|fecha))\b|(?:いつ|何時|何日|何曜日)",
    re.VERBOSE,
)
_OFF: Final = re.compile(r"cancel|called\ off|abgesagt|annul|キャンセル|中止", re.VERBOSE)
_GOES_ON: Final = re.compile(r"\b(?:dr|mr|mrs|ms|prof|st|[0-9]{1,2})\.$", re.IGNORECASE)
_ORDINAL: Final = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
_WEAK: Final = frozenset(
    {"new", "now", "jetzt", "nun", "neu", "neue", "neuen", "neuer", "neues", "maintenant", "ahora"}
)
_MONTH: Final = frozenset({"may", "mai", "mayo", "today", "tomorrow", "tonight", "heute", "morgen", "demain", "hoy"})
_SMALL_TOO = """been be has have had will would im ive its thats were was dont cant going go goes get got also
    just still really please well ok okay oh no yes actually correction sorry remember forget note der die das
    den dem des ein eine einen ist sind war wird wurde wurden habe hat mein meine meinen meiner unser unsere ich
    du wir und auf am um im in zu mit von für nicht nach bei aus ab le la les un une des du de est sont était a
    été mon ma mes notre je nous et au aux en sur à el los las una es son fue era ha sido mi mis nuestro nuestra
    yo nosotros y al por para uhr"""
_SMALL: Final = frozenset(stop_words()).union(_SMALL_TOO.split())


class _Said(NamedTuple):
    """What a statement speaks of, in order, and the values that it gives."""

    about: tuple[str, ...]
    values: frozenset[str]
    names: frozenset[str]
    changes: frozenset[str]
    subject: tuple[str, ...] = ()  # what it speaks of before the word of change
    object: str | None = None  # what comes first behind that


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
    new = _said(_statement(newer))
    ours = set(new.about)
    if older.isascii():  # by their words, most speak of something else
        words = _stems(older)
        if words.isdisjoint(ours) if new.changes else ours - new.names - words:
            return False
    old = _said(_statement(older))
    theirs = set(old.about)
    shared = ours & theirs
    if not shared:
        return False
    if _are_times(new.values) and not old.values and old.names - ours:
        return False  # it gives a time of what another statement gives the name of
    values_differ = new.values - old.values and old.values - new.values
    if new.changes:
        says_more = new.values - old.values or ours - theirs or new.changes - old.changes
        # "the Rome flight" is not "my Oslo flight"
        others = new.names.intersection(new.subject) - theirs and old.names - ours
        of_one_thing = values_differ and not others and not ours - new.names - theirs
        alike = new.about[0] == old.about[0] or len(shared) > 1 or of_one_thing
        begins = new.about[0] in theirs or new.object in theirs
        spoken_of = begins and 2 * len(shared) >= min(len(ours - new.names), len(theirs - old.names))
        part_of_it = values_differ and not others and old.about[0] in new.subject[:2]  # "the departure of the train"
        return bool(says_more and ((alike and (spoken_of or of_one_thing)) or part_of_it))
    own, other = ours - new.names - shared, theirs - old.names - shared
    differ = values_differ or (ours - theirs and theirs - ours)
    return bool(differ and not own and not other and new.about[0] == old.about[0])


def takes_the_place(newer: str, older: str, question: str) -> bool:
    """Return whether a text says plainly that what an older one says has changed, and a question does not ask for that.

    The newer one speaks of nothing that the older one does not. Both give times, and the question asks when; or both
    give numbers, and it does not; or the newer one calls off what has a time; or it names what is replaced, and by
    what. A question asks for the older one if it names what is replaced, or the past.

    >>> old, new = "My flight to Oslo leaves at 7:40.", "The flight was moved to 9:15."
    >>> takes_the_place(new, old, "When does my flight leave?"), takes_the_place(new, old, "What leaves at 7:40?")
    (True, False)
    >>> takes_the_place("My mother's surgery was moved to May 3.", "My mother was born on June 1.", "Her birthday?")
    False

    """
    if not updates(newer, older):
        return False
    new, old, asked = (_said(text) for text in (_statement(newer), _statement(older), question[:MOST_CHARACTERS]))
    theirs = set(old.about)
    if not new.changes or not (set(new.subject) <= theirs or new.object in theirs):
        return False
    gone, come = old.values - new.values, new.values - old.values
    asks_when = _WHEN.search(lowered(question)) is not None
    if gone and come:
        fits = _are_times(new.values) == _are_times(old.values) == asks_when
    elif new.values or not _are_times(old.values):
        gone = old.names - set(new.about)
        fits = not asks_when and bool(old.names & set(new.about) and new.names - theirs)
    else:
        fits = asks_when and any(map(_OFF.match, new.changes))
    return bool(fits and not gone & (asked.values | set(asked.about)) and not _OF_THE_PAST.search(lowered(question)))


def holds_later(newer: str, older: str, question: str) -> bool:
    """Return whether of two texts that fit a question as well the later one answers it, for all that they say.

    Both are short. Not where the past is asked for, nor by what asks itself, nor if the later one adds a time alone,
    which nobody asks for.

    >>> holds_later("The dentist moved it to 3 May.", "My dentist is Dr. Orr.", "Who is my dentist?")
    False
    >>> holds_later("Friday deploys are allowed again.", "Do not deploy on Fridays.", "Can we deploy on Fridays?")
    True

    """
    asked = lowered(question)
    if max(len(newer), len(older)) > _MOST_LATER or _OF_THE_PAST.search(asked) or asks(newer) or asks(older):
        return False
    new, old = _said(newer), _said(older)
    adds_a_time = _are_times(new.values - old.values) and not _are_times(old.values)
    named = new.names - set(old.about) - set(_said(question[:MOST_CHARACTERS]).about)
    return not adds_a_time or bool(named) or _WHEN.search(asked) is not None


def _are_times(values: frozenset[str]) -> bool:
    return any(value in DAYS or value in _MONTH or _TIME.search(value) for value in values)


def says_more(text: str, known: str) -> bool:
    """Return whether a text says a word, a value or a change that a known one does not.

    >>> says_more("My flight leaves at 7:40.", "My flight to Oslo leaves at 7:40 on Friday.")
    False
    >>> says_more("My flight leaves at 9:15.", "My flight to Oslo leaves at 7:40 on Friday.")
    True

    """
    new, old = _said(text), _said(known)
    return bool(set(new.about) - set(old.about) or new.values - old.values or new.changes - old.changes)


@lru_cache(maxsize=512)  # whoever looks for updates looks at the statements beside a message, again and again
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


@lru_cache(maxsize=256)
def _stems(text: str) -> frozenset[str]:
    """Return the stems of all words of a text in ASCII: those that its one statement speaks of are among them."""
    return frozenset(map(porter_stem, _WORD.findall(text.replace("'", "").lower())))


@lru_cache(maxsize=256)  # a recall looks at the texts that say nearly the same, again and again
def _said(text: str) -> _Said:
    text = text.replace("'", "").replace("\u2019", "")
    plain = lowered(text)
    found = list(_changes().finditer(plain))
    changes = frozenset(each.group() for each in found)
    if _JAPANESE.search(text):
        return _said_in_japanese(plain, changes)
    within = {word for change in changes for word in change.split()}
    at_change = next((each.start() for each in found if each.group() not in _WEAK), len(plain))
    about: dict[str, int] = {}
    names: set[str] = set()
    values: set[str] = set()
    for at, word in enumerate(_WORD.finditer(text)):
        low = lowered(word.group())
        if any(map(str.isdecimal, low)) or "@" in low or low in DAYS or low in NUMBER_WORDS or low in _MONTH:
            values.add(_ORDINAL.sub("", low))
        elif low not in _SMALL and low not in within:
            stem = porter_stem(low)
            about.setdefault(stem, word.start())
            if at and word.group()[0].isupper():
                names.add(stem)
    subject = tuple(stem for stem, at in about.items() if at < at_change)
    behind = next((stem for stem, at in about.items() if at > at_change), None)
    return _Said(tuple(about), frozenset(values), frozenset(names), changes - _WEAK, subject, behind)


def _said_in_japanese(plain: str, changes: frozenset[str]) -> _Said:
    """Return the topic of a statement, and its numbers."""
    topic = _TOPIC.match(_NEW_TOPIC.sub("", plain))
    about = () if topic is None else (topic.group(),)
    return _Said(about, frozenset(_FIGURE.findall(plain)), frozenset(), changes, about)


@lru_cache(maxsize=1)
def _changes() -> re.Pattern[str]:
    return re.compile(f"{CHANGES}|{_TO}|{_ENDS}", re.VERBOSE)
