"""The order of a property: what may say it of whom a question asks goes before what says no more than that they are.

"Edith had her hip replaced" is no answer to "How old is Edith?" where a record says "Edith is 68". Only properties are
looked at that are said in few forms, and only where the text has whom is asked about for its subject.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .._core import porter_stem
from ..light.expressions import expression
from .correcting import corrected_value
from .listed_words import ListedWords
from .places import gives_a_place, people
from .plain_numbers import WORDS
from .properties import Property, property_asked
from .property_evidence import may_say
from .property_forms import TO_REACH, WORKPLACE
from .rather import MOST_SAID, Rather
from .saying import SMALL_IN_ENGLISH
from .states import change_in
from .stating import NUMBER_WORDS
from .subjects import says_own, subject_of

_NUMBER: Final = rf"(?:\d+(?:[.,]\d+)?|(?:{WORDS})(?:[- ](?:{WORDS}))?)"
_AGED: Final = ListedWords(
    rf"""\bturn(?:s|ed|ing)?\ {_NUMBER}\b|\baged\ {_NUMBER}\b|\bage\W+(?:is\ )?{_NUMBER}\b
    |\b{_NUMBER}[\ -](?:years?|months?|weeks?|yrs?)[\ -]old\b|\b{_NUMBER}\ ?y/?o\b
    |\bin\ (?:his|her|their|my|our)\ (?:early\ |mid-?\ ?|late\ )?\w+ties\b|\bborn\b.*\d
    |(?:\b(?:am|is|are)|['\u2019](?:m|s))\ (?:\w+ly\ |just\ |about\ |almost\ |already\ |now\ |still\ )?{_NUMBER}
     (?=\W*$|[.,;!?)]|\ (?:and|now|today|already|but)\b)""",
    WORDS,
    re.VERBOSE | re.IGNORECASE,
)
_SIZED: Final = ListedWords(
    rf"""\b{_NUMBER}\ ?(?:mm|cm|m|km|g|kg|lbs?|oz|ft|met(?:er|re)s?|centimet\w+|kilo\w*|grams?|grammes?|feet|foot
    |inch(?:es)?|pounds?|stones?|tons?|tonnes?)\b(?!\ of\b)|\bweigh(?:s|ed)?\ (?:\w+\ )?{_NUMBER}
    |\bsizes?\ (?:is\ )?(?:\d|xx?[sl]\b|[sml]\b)""",
    WORDS,
    re.VERBOSE | re.IGNORECASE,
)
_PRICED: Final = ListedWords(
    rf"""[€$£¥]\ ?\d|\b{_NUMBER}\ ?(?:€|\$|£|¥|(?:euro|dollar|pound|cent|franc|crown|buck|quid|eur|usd|gbp|chf)s?\b)
    |\b(?:cost|pay|paid|charge|price)\w*\b.*\b{_NUMBER}\b|\b(?:for\ free|free\ of\ charge|costs?\ nothing)\b
    |\b(?:is|are|was|were|will\ be|it['\u2019]?s)\ (?:just\ |only\ |now\ )*{_NUMBER}
        (?=\W*$|\ (?:(?:an?|per|each)\ |(?:now|from|since|starting|as\ of|again|instead)\b))
    |\b(?:go(?:es|ing|ne)?|went|rais(?:e[sd]?|ing)|ris(?:es?|en|ing)|rose|increas(?:e[sd]?|ing)
        |drop(?:s|ped|ping)?|fall(?:s|ing|en)?|fell|cut|reduced|lowered|climb(?:s|ed|ing)?|jump(?:s|ed|ing)?|set)
        (?:\ [\w-]+){{0,3}}\ to\ (?:just\ |only\ )?{_NUMBER}(?=\W|$)""",
    WORDS,
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN: Final = {"an age": _AGED, "a size": _SIZED, "a price": _PRICED}
"""How one says these, where numbers alone tell little: a plot has a number, too."""
_HOME: Final = expression(
    r"\b(?:live[sd]?|living|resid\w+|moved|relocated|settled|rents?|based|home|hometown|flat|apartment|house|address)\b",
    re.IGNORECASE,
)
_IS: Final = r"(?:\b(?:is|are|am|was|as|became)|['\u2019][sm]) (?:now )?(?:an?|the|our|my) "
_IS_A: Final = expression(_IS, re.IGNORECASE)
"""A fan of jazz is no job: these alone do not say one, though they may."""
_IS_BY_JOB: Final = expression(rf"{_IS}[\w-]+(?: [\w-]+)?(?:\W*$| (?:at|in|for)\b)", re.IGNORECASE)
_OTHERWISE_MEANT: Final = expression(
    r"\b(?:(?:to|from|after|before|off)\ work"
    r"|(?:works?|worked|working|lives?|lived|living)\ (?:(?:too|very|so|quite|really)\ )?"
    r"(?:alone|together|much|hard|well|late|long|fast|happily|overtime)"
    r"|job\ (?!(?:is|was|as|at|in|for|with|on|and)\b)\w+"
    r"|live\ (?:music|shows?|streams?|bands?|concerts?|tv|acts?))\b",
    re.VERBOSE | re.IGNORECASE,
)
"""A job fair is no job."""
_OWN: Final = expression(r"\b(?:my|our|me|us)\b", re.IGNORECASE)
_BY_THE_WAY: Final = TO_REACH | {"a price", "an address"}
"""What others than its subject give: "You can reach Dario at 555-7781"."""
_ORDERED: Final = _BY_THE_WAY | {"an age", "a size", "a job", WORKPLACE, "a home", "a birthday"}
_ABOUT_OTHERS: Final = expression(r"\b(?:who|whose|which|that|it|its|they|their|theirs|them)\b", re.IGNORECASE)
_THIRD: Final = expression(r"\b(?:he|she|him|his|hers?)\b", re.IGNORECASE)
_SPEAKER: Final = expression(
    r"\W*(?:(?:I|We)(?:['\u2019]\w+)?\b|(?:My|Our) (?P<thing>[\w-]+))(?! and\b)", re.IGNORECASE
)
_OWNED: Final = expression(r"(?P<of>[\w-]+)['\u2019]s (?P<thing>[^\W\d][\w-]*)")
_NAMED: Final = expression(r"(?P<before>[\w'\u2019-]+),? (?P<name>[A-Z\u00c0-\u00de][\w-]*[a-z\u00df-\u00ff])\b")
_CALLED: Final = frozenset({"i'm", "am", "is", "called", "named", "mr", "mrs", "ms", "dr"})
_NO_THINGS: Final = SMALL_IN_ENGLISH | NUMBER_WORDS
_STEMMED: Final = expression(r"[^\W_]+")


class _Ordered:
    """What a question asks for, as texts are told apart by it."""

    def __init__(self, asked: Property) -> None:
        self._asked = asked
        self._sought = asked.names | asked.nouns
        self._reached_at = asked.reached_at
        self._is_own = not self._sought

    def front(self, text: str) -> frozenset[str] | None:
        """Return the stems of a text that may say the property of what is asked about, and of nothing else."""
        at = self._said_at(text) if len(text) <= MOST_SAID else None
        return _stems(text) if at is not None and self._is_plain(text) and self._is_of_it(text, at) else None

    def back(self, text: str) -> str | None:
        """Return of whom a text is, if that is another one; "" if it says something else of what is asked about."""
        if len(text) > MOST_SAID or corrected_value(text) is not None:  # "I meant 58." says it all the same
            return None
        if (changed := change_in(text)) is not None and changed.is_over:  # so does "Mark quit the council."
            return None
        if self._is_of_another(text):
            return subject_of(text)[0]
        speaks = self._is_own or self._asked.speaks(text)
        return "" if speaks and self._said_at(text) is None else None

    def may_say(self, text: str) -> bool:
        """Return whether a text may say the property of what is asked about, however it says so."""
        is_of_one = bool(self._asked.names) and not self._asked.nouns <= self._asked.names  # "Ruth's cat", not Ruth
        speaks = self._sought <= _stems(text) if is_of_one else self._asked.speaks(text)
        if not (says_own(text) if self._is_own else speaks):
            return False
        return self._asked.says(text) if len(text) > MOST_SAID else self._said_at(text) is not None

    def _said_at(self, text: str) -> int | None:
        """Return behind which character a text may say the property; None if it does not."""
        asked = self._asked.form.property
        if asked in _PLAIN:
            return _plainly_at(asked, text)
        evidence = may_say("a job" if asked == WORKPLACE else asked)
        left = _OTHERWISE_MEANT.sub(" ", text)
        if evidence is not None and evidence(left, self._asked.words):
            return len(text)
        return len(text) if asked == WORKPLACE and gives_a_place(text) else None

    def _is_of_another(self, text: str) -> bool:
        subject = subject_of(text)[0]
        if subject is None or subject in self._sought:
            return False
        return not (says_own(text) if self._is_own else self._asked.speaks(text))

    def _is_plain(self, text: str) -> bool:
        """Return whether a text that may say the property says it in so many words."""
        asked = self._asked.form.property
        if asked == "a home":
            return _HOME.search(text) is not None
        if asked not in {"a job", WORKPLACE} or _IS_BY_JOB.search(text) is not None:
            return True
        return self._said_at(_IS_A.sub(" ", text)) is not None

    def _is_of_it(self, text: str, at: int) -> bool:
        if _ABOUT_OTHERS.search(text) is not None or self._names_others(text, at):
            return False
        asked = self._asked.form.property
        subject, thing = subject_of(text)
        if not self._asked_of(thing):
            return False
        if self._is_own:
            speaker = _OWN.search(text) if asked in TO_REACH else _SPEAKER.match(text)
            return (
                speaker is not None and _THIRD.search(text) is None and self._asked_of(speaker.groupdict().get("thing"))
            )
        if subject is not None and subject not in self._sought:
            return False
        if asked in _BY_THE_WAY:
            stems = _stems(text)
            return self._sought <= stems or not self._reached_at.isdisjoint(stems)
        return self._sought <= _stems(text[:at]) and (subject is not None or self._begins_it(text))

    def _names_others(self, text: str, at: int) -> bool:
        """Return whether a text names kin, owners or people, before it says the property, that nobody asks about."""
        if not self._sought.issuperset(map(porter_stem, people(text))):
            return True  # "Edith has a grandson of four"
        for owned in _OWNED.finditer(text):
            is_sought = porter_stem(owned["of"].lower()) in self._sought | self._reached_at
            if owned["thing"].lower() in _NO_THINGS or (is_sought and owned.start("thing") >= at):
                continue  # "Edith's just turned 68"
            if not is_sought or not self._asked_of(owned["thing"]):
                return True
        before = self._asked.form.property in _PLAIN
        for named in _NAMED.finditer(text[:at] if before else ""):
            known = self._sought | _CALLED
            if named["before"].lower() not in known and known.isdisjoint(_stems(f"{named['before']} {named['name']}")):
                return True
        return False

    def _asked_of(self, thing: str | None) -> bool:
        return thing is None or porter_stem(thing.lower()) in self._sought | self._asked.form.cue_stems

    def _begins_it(self, text: str) -> bool:
        """Return whether a text begins with a thing that is asked about: "Our old boiler is 20 years old"."""
        return not self._sought.isdisjoint(_stems(" ".join(text.split()[:3]))) and not text.startswith(("I ", "We "))


@lru_cache(maxsize=1024)  # the same texts are found again and again
def _plainly_at(property: str, text: str) -> int | None:
    found = _PLAIN[property].search(text)
    return None if found is None else found.start()


@lru_cache(maxsize=1024)
def _stems(text: str) -> frozenset[str]:
    return frozenset(porter_stem(word.lower()) for word in _STEMMED.findall(text))


@lru_cache(maxsize=16)
def _ordered(question: str) -> _Ordered | None:
    asked = property_asked(question)
    return None if asked is None or asked.form.property not in _ORDERED else _Ordered(asked)


def answers_rather(question: str) -> Rather[frozenset[str], str] | None:
    """Return what tells whether a text may say the property asked for, and another one of the same does not; or None.

    >>> rather = answers_rather("How old is Edith?")
    >>> rather("Edith is 68.", "Edith had her hip replaced."), rather("Edith has two cats.", "Edith had flu.")
    (True, False)
    >>> answers_rather("Who is Edith?")

    """
    ordered = _ordered(question)
    # "Jana raised her rate" is of no other one than "Our babysitter Jana charges 14 euros"
    return None if ordered is None else Rather(ordered.front, ordered.back, lambda one, other: other not in one)


def may_say_it(question: str, text: str) -> bool:
    """Return whether a text may say the property that a question asks for, be it in what form it will.

    >>> may_say_it("How old is Edith?", "Of all of us Edith is 68.")
    True
    """
    ordered = _ordered(question)
    return ordered is not None and ordered.may_say(text)
