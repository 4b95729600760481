"""The property that a question asks for, and of what: "How old is Emma?" asks for an age, of Emma.

A text that speaks of Emma and holds nothing by which one says an age is no answer, however much of the question it has.
Only questions of a few forms are looked at, and a text is taken to say a property wherever it may.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem
from ..light.classes import dataclass
from ..light.expressions import expression
from .calendar_words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS
from .kinds import names_of_kinds
from .places import people
from .property_evidence import CLOSED, capitals, has_the_kind, may_say
from .property_forms import COUNTED, HAPPENED, SOMEBODY, TO_REACH, Form, form_of
from .subjects import says_own, subject_of
from .told_by import told_by
from .word_forms import BASE_OF

_LIGHT: Final = {
    "go": frozenset({"go", "went", "gone", "been", "trip", "flew", "fly", "drove", "drive"}),
    "get": frozenset({"get", "got", "gotten", "bui", "bought", "adopt", "receiv"}),
    "have": frozenset({"have", "had"}),
}
"""Verbs that say little, and the stems in which one tells them."""
_MOST_SAID: Final = 400
"""A longer text says many things, and is taken to say the property."""
_WORD: Final = expression(r"[^\W\d_][\w-]*?(?=['\u2019]s\b|['\u2019]|[^\w'\u2019-]|$)|\d+")
_NAME: Final = expression(r"(?<=\S )[A-Z\u00c0-\u00de][\w-]*")
_TIMES: Final = "|".join((*ENGLISH_MONTHS, *ENGLISH_WEEKDAYS))
_IN_A_TIME: Final = expression(
    rf"\b(?:in|on|of|since|until|till|by|for|from|last|next|this|every)\ (?:{_TIMES})s?\b", re.IGNORECASE
)
_TWO: Final = expression(r"[A-Z\u00c0-\u00de][\w-]* (?:and|&) [A-Z\u00c0-\u00de]")
_LATER: Final = expression(r"\b(?:he|she|they|it|his|her|hers|their|its|him|them)\b", re.IGNORECASE)


class Text(NamedTuple):
    """What a record says, and in which session: there it need not name what others beside it name."""

    text: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Property:
    """What a question asks for, and of what.

    Attributes:
        form: of the question.
        names, nouns: the stems of what has it; of none, it is the asker.
        words: of the question, in small letters.

    """

    form: Form
    names: frozenset[str]
    nouns: frozenset[str]
    words: frozenset[str]

    @property
    def label(self) -> str:
        """What it asks for, with an article."""
        return self.form.label

    def says(self, text: str) -> bool:
        """Return whether a text may say the property of something."""
        if len(text) > _MOST_SAID:
            return True
        stems = _stems(text)
        # "My son Leo" says of the children how many there are, or may; "my stamps" does not of the stamps.
        asked, kind = self.form.property, self.form.kind or ""
        stem = porter_stem(kind)
        if stem in stems and not (asked == COUNTED and self.words & _words_of(text, stem)):
            return True
        if self.form.verb and porter_stem(self.form.verb) in stems:
            return True
        if asked == HAPPENED and (not stems.isdisjoint(self._things()) or self._is_done(stems)):
            return True  # when and where it was told may be the answer
        if asked == SOMEBODY:
            return not stems.isdisjoint(_called_so(kind)) or _TWO.search(text) is not None
        evidence = may_say(asked)
        return has_the_kind(text, kind, self.words) if evidence is None else evidence(text, self.words)

    def _is_done(self, stems: frozenset[str]) -> bool:
        """Return whether a text tells what is asked for by a light verb and a name: "when did we go to Rome?"."""
        if self._things() or self.names.isdisjoint(stems):
            return False
        forms = [told for verb, told in _LIGHT.items() if verb in self.words]
        return not forms or any(not stems.isdisjoint(told) for told in forms)

    def speaks(self, text: str, also: frozenset[str] = frozenset()) -> bool:
        """Return whether a text speaks of what has the property, or of what is `also` called so."""
        sought = (self.names or self.nouns) | also
        if not sought:
            return says_own(text) or subject_of(text)[0] is None
        stems = _stems(text)
        things = self._things()
        return not sought.isdisjoint(stems) or (len(things) > 1 and things <= stems)

    def is_said_plainly(self, texts: Sequence[Text]) -> bool:
        """Return whether one of some texts may say it which names what has it: so it is with more of them, too."""
        things = self._things()
        return any(
            self.speaks(each.text)
            and (not self.names or not things or not things.isdisjoint(_stems(each.text)))
            and self.says(each.text)
            for each in texts
        )

    def is_said(self, texts: Sequence[Text]) -> bool:
        """Return whether one of some texts may say it.

        Where one names somebody and the thing that is asked about, what names somebody alone is of something else.
        """
        things = self._things()
        own = [each for each in texts if self.speaks(each.text)]
        called = [people(each.text) for each in own]
        if things:
            called += [capitals(each.text) for each in own]
        also = self.reached_at.union(porter_stem(word) for each in called for word in each)
        sessions = {each.session for each in own} - {None}
        is_named = bool(self.names and things) and any(self.names | things <= _stems(each.text) for each in own)

        def is_of_it(each: Text) -> bool:
            if each.session in sessions and not self._is_of_another(each.text):
                return True
            if _goes_on(each.text):
                return True
            return not things.isdisjoint(_stems(each.text)) if is_named else self.speaks(each.text, also)

        return any(self.says(each.text) and is_of_it(each) for each in texts)

    def _is_of_another(self, text: str) -> bool:
        """Return whether a text speaks of somebody else by name: "Priya is 9" says nothing of Els."""
        return bool(self.names) and self.names.isdisjoint(_stems(text)) and subject_of(text)[0] is not None

    @property
    def reached_at(self) -> frozenset[str]:
        """The stems of how people call where one reaches whom the question asks about: a doctor in the surgery."""
        if self.form.property not in TO_REACH or self.names:
            return frozenset()
        words = (word for word in self.words if porter_stem(word) in self.nouns and not people(word))
        return frozenset(porter_stem(told) for word in words for told in told_by(word))

    def _things(self) -> frozenset[str]:
        return self.nouns - self.names

    def read_as(self, others: Mapping[str, str]) -> Property:
        """Return what is asked for of what some of the question's words are read as."""
        stems = {porter_stem(word.lower()): porter_stem(other) for word, other in others.items()}
        return replace(self, nouns=frozenset(stems.get(noun, noun) for noun in self.nouns))

    def is_unsaid(self, texts: Sequence[Text]) -> bool:
        """Return whether texts speak of what has the property, and none of them may say it."""
        known = not (self.names or self.nouns) or any(self.speaks(each.text) for each in texts)
        return known and not self.is_said(texts)  # else it may be called otherwise, or be misspelled


def _goes_on(text: str) -> bool:
    """Return whether a text speaks of something that another one names."""
    return _LATER.search(text) is not None and subject_of(text)[0] is None


@lru_cache(maxsize=128)
def property_asked(question: str) -> Property | None:
    """Return the property that a question asks for; None of one that asks for none that is known here.

    >>> asked = property_asked("How old is Emma?")
    >>> asked.label, asked.is_unsaid([Text("Emma wears size 38.")]), asked.is_unsaid([Text("Emma is six.")])
    ('an age', True, False)
    >>> property_asked("Who is Emma?") is None
    True
    """
    form = form_of(question)
    if form is None:
        return None
    asked = _IN_A_TIME.sub(" ", form.asked)  # "in September" names nobody
    low = [word.lower() for word in _WORD.findall(asked)]
    named = (found.group().lower() for found in _NAME.finditer(asked))
    names = frozenset(porter_stem(name) for name in named if name not in form.cues)
    nouns = frozenset(porter_stem(word) for word in low if len(word) > 1) - form.cue_stems
    if form.property == "" and not (names or nouns) and form.kind not in CLOSED:
        return None  # of all that the asker has anything may be of the kind
    return Property(form, names, nouns, frozenset(low))


def _words_of(text: str, stem: str) -> frozenset[str]:
    """Return the words of a text that have a stem, in small letters."""
    words = (word.lower() for word in _WORD.findall(text))
    return frozenset(word for word in words if porter_stem(word) == stem)


@lru_cache(maxsize=64)
def _called_so(kind: str) -> frozenset[str]:
    """Return the stems of what is said of somebody of a kind."""
    return frozenset(map(porter_stem, (*names_of_kinds().get(kind, ()), *told_by(kind))))


@lru_cache(maxsize=2048)  # the same texts are found again and again
def _stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, of the bases of irregular ones, and of the kinds of what they name."""
    words = [word.lower() for word in _WORD.findall(text)]
    known = names_of_kinds()
    beside: Iterable[str] = (name for word in words for name in known.get(word, ()))
    bases = (BASE_OF[word] for word in words if word in BASE_OF)
    return frozenset(map(porter_stem, (*words, *beside, *bases)))
