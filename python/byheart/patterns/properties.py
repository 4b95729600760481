"""The property that a question asks for, and of what: "How old is Emma?" asks for an age, of Emma.

A text that speaks of Emma and holds nothing by which one says an age is no answer, however much of the question it has.
Only questions of a few forms are looked at, and a text is taken to say a property wherever it may.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem
from .kinds import names_of_kinds
from .places import KIN, people
from .property_evidence import CLOSED, capitals, has_the_kind, may_say
from .saying import SMALL
from .subjects import says_own, subject_of
from .told_by import told_by
from .word_forms import BASE_OF

_MOST_ASKED: Final = 120  # characters; a longer question says more than what it asks for
_MOST_SAID: Final = 400
"""A longer text says many things, and is taken to say the property."""
_IS: Final = r"(?:'?s| is| are| was| were)"
_BEFORE: Final = re.compile(
    r"\W*(?:(?:hey|hi|hello|ok(?:ay)?|so|and|please|pls|sorry|well|um+),? )*"
    r"(?:(?:(?:do|did) (?:you|we|i) (?:happen to )?(?:know|remember|recall)|(?:can|could|would) you (?:please )?"
    r"(?:tell|remind) me(?: of)?|(?:tell|remind) me(?: again)?|i (?:forgot|forget|need to know|want to know)),? )?",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"(?:,? (?:again|please|now|currently|right now|these days|today|exactly|for me))*\W*$", re.IGNORECASE
)


def _of(words: str) -> str:
    """Return the pattern of a question for a property: "what is X's W", "what's the W of X", "what X's W is", "X's W".

    What stands before a word such as "with" is asked for itself: "what is the matter with X's W?".
    """
    whose = r"(?:the )?(?:(?!.* (?:with|about|on|to|from|at|by|in) )\S.*? )?"
    own = r"(?=(?:my|our) |\S+(?: \S+)?'s )"
    return rf"(?:what{_IS} {whose}|{own}{whose})(?:{words})(?: (?:of|for) .+)?|what {own}{whose}(?:{words}){_IS}"


_FORMS: Final = (
    ("an age", r"how old\b.*|" + _of("age")),
    ("a birthday", rf"when(?:{_IS}.* (?:birthday|b-?day|born)|.* birthday is)"
                   r"|(?:on )?(?:what|which) (?:day|date) .*(?:birthday|born)|"
                   + _of("birthday|b-?day|date of birth|birth ?date")),
    ("a telephone number", _of("(?:tele)?phone(?: number)?|(?:mobile|cell|fax|contact)(?: phone)? number|mobile")),
    ("an e-mail address", _of("e-?mail(?: address)?")),
    ("an address", _of("(?:(?:home|postal|street) )?address")),
    ("a number", _of("number")),
    ("a name", _of("(?:(?:first|last|full|middle|maiden) )?names?|surname") + rf"|what{_IS} .+ (?:called|named)"),
    ("a job", _of("job|occupation|profession") + r"|what (?:do|does) .+ do (?:for (?:a living|work)|professionally)"),
    ("a home", r"where (?:do|does|did) .+ live|where .+ lives"),
    ("a price", r"how much (?:is|are|was|were|do|does|did) (?!.*\b(?:weigh|weight|know|like|love|drink|eat|sleep"
                r"|need|have|use|take|want)\b).+|how expensive .+|" + _of("price|cost|charge")),
    ("a size", r"how (?:tall|big|large|heavy|wide|high)\b.*|(?:what|which) (?:shoe |shirt |dress )?size\b.*"
               r"|how much (?:do|does|did) .+ weigh|" + _of("(?:shoe |shirt |dress )?size|weight|height")),
    ("a number of these", r"how many (?!times|days|weeks|months|years|hours|minutes)(?P<kind>[a-z-]+)\b.*"),
    ("a time of day", r"(?:at )?what time\b.*"),
    ("a time", r"when(?:'s| is| are| do| does| will)\b.*|(?:on )?(?:what|which) (?:date|day) (?:is|are|do|does) .+"),
    ("a past time", r"when (?:did|was|were)\b(?!.*\b(?:say|said|mention|mentioned|tell|told|talk)\b).*"),
    ("a place", r"where(?:'s| is| are| do| does| did| was| were)\b.*|" + _of("birthplace|hometown|home town")),
)  # fmt: skip
_OF_A_KIND: Final = (
    r"(?:what|which) (?:\w+ )?(?P<kind>[a-z]+) (?:do|does|did|has|have|had|is|was|are|were) .+",
    rf"what{_IS} (?!.* (?:with|about|on|to|from|at|by|in) )(?:my|our|\S+(?: \S+)?'s)(?: \S+)*? (?P<kind>[a-z]+)",
)
_OF_KIN: Final = rf"who(?:'s| is| was) \S+(?: \S+)?'s (?P<kind>{KIN})"
_LABELS: Final = frozenset(label for label, _ in _FORMS)
_TOO_OPEN = """hobby hobbies activity activities pastime pastimes exercise feeling emotion mood feel health travel
    nature outdoors stress place location event events art writing money age meeting business personality trait thing
    subject study friend family relative relationship team club body accident crime death award prize goal gift symptom
    injury material shape politics food dish meal"""
_OPEN: Final = frozenset(_TOO_OPEN.split())
"""Kinds whose things are told in too many ways, unless one of them is the favourite."""
_ASKING: Final = frozenset(
    ("what", "which", "when", "where", "how", "much", "many", "own", "use", "uses", "drive", "drives", "current",
     "favourite", "favorite")
)  # fmt: skip
"""Words by which any property is asked for; beside them go those of the form itself."""
_LETTERS: Final = re.compile("[a-z]+")
_HAPPENED: Final = "a past time"
_FIRST: Final = ("what", "which", "when", "where", "how", "who", "on ", "at ", "my ", "our ")
_WORD: Final = re.compile(r"[^\W\d_][\w-]*?(?=['\u2019]s\b|['\u2019]|[^\w'\u2019-]|$)|\d+")
_NAME: Final = re.compile(r"(?<=\S )[A-Z\u00c0-\u00de][\w-]*")
_LATER: Final = re.compile(r"\b(?:he|she|they|it|his|her|hers|their|its|him|them)\b", re.IGNORECASE)


class Text(NamedTuple):
    """What a record says, and in which session: there it need not name what others beside it name."""

    text: str
    session: str | None = None


@dataclass(frozen=True, slots=True)
class Property:
    """What a question asks for, and of what.

    Attributes:
        label: what it asks for, with an article.
        kind: the name of a kind, where something of that is asked for, or counted.
        names, nouns: the stems of what has it; of none, it is the asker.
        words: of the question, in small letters.

    """

    label: str
    kind: str | None
    names: frozenset[str]
    nouns: frozenset[str]
    words: frozenset[str]

    @property
    def is_kin(self) -> bool:
        """Whether somebody's kin, friend or boss is asked for."""
        return self.label not in _LABELS and "who" in self.words

    def says(self, text: str) -> bool:
        """Return whether a text may say the property of something."""
        if len(text) > _MOST_SAID:
            return True
        stems = _stems(text)
        if self.kind is not None and porter_stem(self.kind) in stems:
            return True
        if self.label == _HAPPENED and not stems.isdisjoint(self.nouns - self.names):
            return True  # when and where it was told may be the answer
        if self.is_kin:
            return not stems.isdisjoint(
                map(porter_stem, (*names_of_kinds().get(str(self.kind), ()), *told_by(str(self.kind))))
            )
        evidence = may_say(self.label)
        if evidence is not None:
            return evidence(text, self.words)
        return has_the_kind(text, str(self.kind), self.words)

    def speaks(self, text: str, also: frozenset[str] = frozenset()) -> bool:
        """Return whether a text speaks of what has the property, or of what is `also` called so."""
        sought = (self.names or self.nouns) | also
        if not sought:
            return says_own(text) or subject_of(text)[0] is None
        stems = _stems(text)
        things = self.nouns - self.names
        return not sought.isdisjoint(stems) or (len(things) > 1 and things <= stems)

    def is_said(self, texts: Sequence[Text]) -> bool:
        """Return whether one of some texts may say it; of more texts it is so, too."""
        own = []
        for each in texts:
            if self.speaks(each.text):
                if self.says(each.text):
                    return True
                own.append(each)
        called = [people(each.text) for each in own]
        if self.nouns - self.names:
            called += [capitals(each.text) for each in own]
        also = frozenset(porter_stem(word) for each in called for word in each)
        sessions = {each.session for each in own} - {None}
        return any(
            self.says(each.text) and (each.session in sessions or self.speaks(each.text, also) or _goes_on(each.text))
            for each in texts
        )

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
    if len(question) > _MOST_ASKED or not (question.isascii() or "\u2019" in question):
        return None
    asked = _BEHIND.sub("", question[_BEFORE.match(question).end() :])  # type: ignore[union-attr]
    low = asked.lower().replace("\u2019", "'")
    if not low.startswith(_FIRST) and "'s " not in low:
        return None
    for label, form in _forms():
        found = form.fullmatch(low)
        if found is not None:
            return _property(label, found.groupdict().get("kind"), asked, form.pattern)
    kin = _of_kin().fullmatch(low)
    if kin is not None:
        return _property(f"a {kin['kind']}", kin["kind"], asked, "who")
    for form in _kind_forms():
        found = form.fullmatch(low)
        if found is None or (found["kind"] in _OPEN and "favo" not in low):
            continue
        kind = _kind_names().get(porter_stem(found["kind"]))
        if kind is not None:
            found_so = _property(f"a {found['kind']}", kind, asked, found["kind"])
            # Of all that the asker has anything may be of the kind.
            return found_so if found_so.names or found_so.nouns or kind in CLOSED else None
    return None


def _property(label: str, kind: str | None, asked: str, form: str) -> Property:
    low = [word.lower() for word in _WORD.findall(asked)]
    kind = kind and BASE_OF.get(kind, kind)
    cues = {*_ASKING, *SMALL, *_LETTERS.findall(form), *filter(None, [kind])}
    names = {each for found in _NAME.finditer(asked) if (each := found.group().lower()) not in cues}
    nouns = {porter_stem(word) for word in low if word not in cues and len(word) > 1}
    if kind is not None:
        nouns.discard(porter_stem(kind))
    return Property(label, kind, frozenset(map(porter_stem, names)), frozenset(nouns), frozenset(low))


@lru_cache(maxsize=1024)
def _stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, and of the kinds of what they name."""
    words = [word.lower() for word in _WORD.findall(text)]
    known = names_of_kinds()
    beside: Iterable[str] = (name for word in words for name in known.get(word, ()))
    return frozenset(map(porter_stem, (*words, *beside)))


@lru_cache(maxsize=1)
def _kind_names() -> dict[str, str]:
    """Return the names of kinds by their stems."""
    return {porter_stem(name): name for names in names_of_kinds().values() for name in names}


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((label, re.compile(form)) for label, form in _FORMS)


@lru_cache(maxsize=1)
def _of_kin() -> re.Pattern[str]:
    return re.compile(_OF_KIN)


@lru_cache(maxsize=1)
def _kind_forms() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form) for form in _OF_A_KIND)
