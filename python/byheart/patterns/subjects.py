"""Subjects: whose fact a text tells, the speaker's or somebody else's, and whose a question asks for.

"Tom is allergic to shellfish" is no answer to "What am I allergic to?", where a record says "I am"; nor is "Leo's
flight leaves at 7:10" to "When does Sara's flight leave?", where a record names Sara. A guess: a name is what begins
with a capital at the head of a sentence, before a verb or with an "'s".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem
from ..knowledge import lowered
from ..light.expressions import expression
from ..light.once import once
from .calendar_words import MONTHS, SHORT_MONTHS
from .listed_words import words_in
from .places import KIN, people
from .rather import MOST_SAID, Rather
from .saying import SMALL, said
from .spoken_of import speaks_of
from .state_forms import SPEAKER
from .state_words import state_words
from .stating import DAYS, NUMBER_WORDS
from .updating import MOST_CHARACTERS
from .word_forms import BASE_OF

_OWN: Final = r"(?:my|our|mein\w*|unser\w*|m(?:on|a|es)|notre|nos|mi|mis|nuestr[oa]s?)"
_OF_KIN: Final = expression(rf"\b{_OWN}\ (?:\w+\ )?{KIN}(?:s|in|e|en|'s)?\b", re.IGNORECASE)
_SELVES_SAID = """i me mine we ours my our ich mich mir wir uns je j moi nous mon ma mes notre nos yo nosotros mi mis
    nuestro nuestra nuestros nuestras"""
_SELVES: Final = frozenset(_SELVES_SAID.split())
_BEGIN_OWN: Final = ("mein", "unser")
_US: Final = expression(r"\bus\b")
"""What names the speaker has one of these words: as "US" it is a country."""
_TO_ME: Final = expression(
    r"\b(?:(?:tell|show|give|remind|help|let|find)\ (?:me|us)|sage?\ mir|zeige?\ mir|(?:dis|dites|montre)-?moi|dime)\b",
    re.IGNORECASE,
)
_TELLING_SAID: Final = (
    "tell show give remind help let find sag sage zeig zeige dis dites montre dismoi ditesmoi montremoi dime"
)
_TELLING: Final = frozenset(_TELLING_SAID.split())
"""One of these is in what `_TO_ME` matches."""
_SUBJECT: Final = expression(
    r"\W*(?:(?:Mr|Mrs|Ms|Dr|Prof|Uncle|Aunt|Herr|Frau|Onkel|Tante)\.?\ )?"
    r"(?P<name>[A-Z\u00c0-\u00de][\w-]*[a-z\u00df-\u00ff])"
    r"(?:\ (?-i:[A-Z\u00c0-\u00de])[\w-]+)?(?:(?P<of>'s)\ (?P<thing>\w+)|(?:\ (?:now|also|just|still|always|never|often"
    r"|usually|already|really|only|currently|recently))?\ (?:\w+n't\b|(?P<verb>\w+)\b))"
)
_VERB: Final = expression(r"was|had|will|can|could|would|must|may|\w+s|\w+ed|\w+t")
_SPEAKER: Final = expression(r"\W*(?:I|We|Ich|Wir|(?:My|Our|Mein\w*|Unser\w*)\ (?P<thing>\w+))\b", re.VERBOSE)
_OF: Final = expression(r"\b(?P<name>[A-Z\u00c0-\u00de][\w-]*[a-z\u00df-\u00ff])'s (?P<thing>\w+)")
_NAME: Final = expression(
    r"(?:(?<=[\w,] )|(?<=\b[DM][rs]\. )|(?<=\bMrs\. ))[A-Z\u00c0-\u00de][\w-]*[a-z\u00df-\u00ff]\b"
)
_CAPITAL: Final = expression(r"\b[A-Z\u00c0-\u00de][\w-]*[a-z\u00df-\u00ff]\b")
_WHOM: Final = r"\ (?:do|does|did)\ (?:i|we|you|(?-i:[A-Z])\w+)\b"
"""Behind "who": then it is no subject."""
_WHO_DOES: Final = expression(
    r"\b(?:who|wer|qui|quién(?:es)?)\b"
    r"(?!['\ ](?:s|is|are|was|were|am|ist|sind|war|est|sont|es|son)\b)"
    rf"(?!{_WHOM})",
    re.IGNORECASE,
)
"""Who asks so may get somebody else, who has to do with what is named."""
_FIRST_WORD: Final = expression(r"\w+")
_CALLED: Final = expression(
    r"(?:^(?:\w+\ )?|[,!]\ |\b(?i:hey|hi|hello|dear|thanks|thank\ you|sorry|hallo|liebe[rs]?|danke|merci|salut|hola"
    r"|gracias),?\ )[A-Z\u00c0-\u00de][\w-]*[a-z\u00df-\u00ff](?=[,!?.]|$)",
    re.VERBOSE,
)
"""A name by which somebody is called, who is no subject for that: "Thanks, Hanna!"."""
_WHO: Final = expression(rf"\b(?:who(?!{_WHOM})|wer|qui|quién(?:es)?)\b", re.IGNORECASE)
_WHOS: Final = frozenset(("who", "wer", "qui", "quién", "quiénes"))
"""One of these is in what `_WHO` and `_WHO_DOES` match."""
_TITLES: Final = frozenset({"dr", "mr", "mrs", "ms", "prof"})
_NO_NAMES: Final = SMALL | DAYS | NUMBER_WORDS | set(MONTHS) | set(SHORT_MONTHS) | _TITLES


class _OfAnother(NamedTuple):
    """Whose fact a text tells, what it says of what is asked about, and whether of a thing that the question names."""

    subject: str
    says: frozenset[str]
    of_a_thing_named: bool


class _Asked:
    """What a question asks for, and of whom: each looked at once a text makes it matter, as it does of few."""

    def __init__(self, question: str) -> None:
        self._text = question[:MOST_CHARACTERS].replace("\u2019", "'")

    @once
    def about(self) -> frozenset[str]:
        return frozenset(said(self._text).about)

    @once
    def is_own(self) -> bool:
        tells = not _TELLING.isdisjoint(words_in(self._text))
        return says_own(_TO_ME.sub(" ", self._text) if tells else self._text)

    @once
    def names(self) -> frozenset[str]:
        named = frozenset(map(_stem, _NAME.findall(self._text))) - _NO_NAMES
        return named | frozenset(map(porter_stem, people(self._text)))

    @once
    def maybe(self) -> frozenset[str]:
        first = _FIRST_WORD.search(self._text)  # one may begin it: "Oak or Yew"
        return self.names if first is None else self.names | {_stem(first.group())}

    @once
    def may_be_who(self) -> bool:
        return not _WHOS.isdisjoint(words_in(self._text))

    @once
    def is_who(self) -> bool:
        return self.may_be_who and _WHO.search(self._text) is not None

    @once
    def things(self) -> frozenset[str]:
        return frozenset(_stem(each["thing"]) for each in _OF.finditer(self._text))


def may_decide(text: str) -> bool:
    """Return whether a text tells somebody's fact: where none does, no question need be looked at."""
    return len(text) <= MOST_SAID and (subject_of(text)[0] is not None or _SPEAKER.match(text) is not None)


@lru_cache(maxsize=16)
def answers_rather(question: str) -> Rather[str, _OfAnother] | None:
    """Return what tells whether a text says the asker's own, or names whom a question names, and another does not.

    >>> rather = answers_rather("What am I allergic to?")
    >>> rather("I am allergic to penicillin.", "Tom is allergic to shellfish.")
    True
    >>> rather = answers_rather("When does Sara's flight leave?")
    >>> rather("Sara departs at 9:45 by flight LH 402.", "Leo's flight leaves at 7:10.")
    True
    >>> rather("Sara departs at 9:45 by flight LH 402.", "My flight leaves at 7:10.")
    True
    >>> answers_rather("When does the library open?")

    """
    asked = _Asked(question)
    if not (asked.is_own or asked.names) or (asked.may_be_who and _WHO_DOES.search(question)):
        return None

    def of_another(other: str) -> _OfAnother | None:
        if len(other) > MOST_SAID:
            return None
        subject, thing = subject_of(other)
        if subject is None and not asked.is_own and (speaker := _SPEAKER.match(other)) is not None:
            subject, thing = SPEAKER, speaker["thing"] and _stem(speaker["thing"])
            if thing and thing not in asked.things:  # "our retro" is nobody else's where a room is named
                return None
        if subject is None or (asked.is_own and says_own(other)):
            return None
        if subject in asked.names or subject in asked.about:
            return None
        if asked.is_who and thing is None and (asked.is_own or asked.things):
            return None  # "Samuel is the landlord" says who is my landlord
        if thing is None and said(other).changes and not state_words(other):
            return None  # "Ben moved to Rome" changes Ben's home alone
        theirs = asked.about & speaks_of(other)
        if not other.islower():
            theirs -= asked.names.difference(_named_in(other))  # "biscuits" is no Biscuit
        if not theirs or (not asked.is_own and theirs & asked.maybe):
            return None  # it stands there for something else
        return _OfAnother(subject, theirs, thing is not None and thing in asked.things)

    def of_whom_asked(one: str) -> str | None:
        if len(one) > MOST_SAID:
            return None
        is_of_them = says_own(one) if asked.is_own else not asked.names.isdisjoint(_spoken_of(one))
        return one if is_of_them else None

    def decides(one: str, other: _OfAnother) -> bool:
        if other.subject in said(one).about:
            return False
        says = asked.about & speaks_of(one)  # if by another word of the kind
        enough = other.says <= says if asked.is_own else len(says) >= len(other.says)
        return enough or (not asked.is_own and other.of_a_thing_named)

    return Rather(of_whom_asked, of_another, decides)


@lru_cache(maxsize=2048)
def _named_in(text: str) -> frozenset[str]:
    """Return the stems of what a text writes with a capital, and of the kin that it speaks of."""
    return frozenset((*map(_stem, _CAPITAL.findall(text)), *map(porter_stem, people(text))))


@lru_cache(maxsize=2048)
def _spoken_of(text: str) -> tuple[str, ...]:
    """Return what a text speaks of, but for whom it calls."""
    return said(_CALLED.sub(" ", text)).about


@lru_cache(maxsize=2048)  # the same texts are found again and again
def subject_of(text: str) -> tuple[str | None, str | None]:
    """Return the stem of the name of another person whose fact a text tells, and of what of theirs; None of others.

    >>> subject_of("Leo's flight leaves at 7:10."), subject_of("My wife Anna works."), subject_of("I work.")
    (('leo', 'flight'), ('wife', None), (None, None))
    >>> subject_of("The library closes at 6 pm."), subject_of("Dogs are allowed.")
    ((None, None), (None, None))
    """
    text = text.replace("\u2019", "'")
    if (kin := _OF_KIN.match(text)) is not None:
        return porter_stem(next(iter(people(kin.group())))), None
    found = _SUBJECT.match(text)
    if found is None or found["name"].lower() in _NO_NAMES:
        return None, None
    if found["verb"] and not (_VERB.fullmatch(found["verb"]) or found["verb"] in BASE_OF):
        return None, None
    return _stem(found["name"]), _stem(found["thing"]) if found["thing"] else None


def names_own(text: str) -> bool:
    """Return whether a text names the speaker at all, be it by the speaker's kin.

    >>> names_own("Who is my boss?"), names_own("Who is the vet?")
    (True, False)
    """
    words = words_in(text)
    if not _SELVES.isdisjoint(words) or any(word.startswith(_BEGIN_OWN) for word in words):
        return True
    return "us" in words and _US.search(text) is not None


def names_asked_of(question: str) -> frozenset[str]:
    """Return the names that a question has, in small letters: what begins with a capital behind its first word.

    >>> sorted(names_asked_of("What did Ben's wife say to me on Monday?"))
    ['ben']
    """
    found = frozenset(lowered(name).removesuffix("'s") for name in _NAME.findall(question.replace("\u2019", "'")))
    return found - _NO_NAMES


@lru_cache(maxsize=2048)
def says_own(text: str) -> bool:
    """Return whether a text says anything of the speaker, and not of the speaker's kin alone.

    >>> says_own("I work."), says_own("Tom has my key."), says_own("My wife works.")
    (True, True, False)
    """
    return names_own(_OF_KIN.sub(" ", text) if people(text) else text)


def _stem(word: str) -> str:
    return porter_stem(lowered(word).removesuffix("'s"))
