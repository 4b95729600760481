"""The kind of answer that a question seeks: an amount, a count, a person, a time; and whether a text may hold one.

"What did the desk cost?" is not answered by a text in which no number stands, however much it says of the desk. The
words that ask may stand anywhere in the question, where `properties` wants them at its head, and of what something is
asked does not matter. Generous by design: a text is taken to hold what it may hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

from ..light.expressions import expression
from .letters import small_words
from .places import KIN, gives_a_place
from .plain_numbers import WORDS, without_dates
from .properties import Text
from .property_evidence import capitals, may_say
from .property_forms import UNITS
from .rather import MOST_SAID, Rather
from .saying import SMALL_IN_ENGLISH
from .units import without_others
from .updating import is_change

MOST_ASKED: Final = 120
"""Characters; a longer question says more than what it asks for."""
_MOST_SAID: Final = 400
"""A longer text says many things, and is taken to hold whatever is asked for."""
_NUMBER: Final = expression(
    rf"(?<![A-Za-z_])\d|\b(?:{WORDS}|half|double|twice|once|dozens?|couple|none|no|nothing|full|whole|several|many|few|lots?"
    r"|only|single|both|latest|newest|current|stable|beta)\b|\ban? \w|, .*\b(?:and|or)\b",
    re.IGNORECASE,
)
"""Of "a son", and of "Leo, Mia and Tim", one may say how many."""
_SIZE: Final = expression(
    r"(?i:\b(?:siz\w*|small|medium|large|big|huge|tiny|tall|short|long|wide|narrow|deep|high|low|heav\w+|light|weigh\w*)\b)"
    r"|\b(?:X?[SL]|M)\b|\d ?(?:m\u00b2|m2|sqm|qm|sq)"
)
_OFTEN: Final = expression(
    r"\b(?:every|each|per|daily|weekly|monthly|yearly|annual\w*|nightly|hourly|always|never|(?:some)?times|often|regular\w*"
    r"|rarely|seldom|\w+days?|mornings?|evenings?|nights?|weekends?|continuous\w*)\b",
    re.IGNORECASE,
)
_SOMEBODY: Final = expression(
    rf"\b(?:{KIN}|i|me|my|we|us|our|you|your|he|him|his|she|her|they|them|their|user|customer|team|people|\w*one|\w*body"
    r"|\w{3,}(?:er|or|ist|ian|ant|man|woman)s?|by (?:the|an?) \w+)\b",
    re.IGNORECASE,
)
_THE: Final = expression(r"\b(?:the|an?) (\w+)", re.IGNORECASE)
_FIRST_WORD: Final = expression(r"(?:^\W*|: )([A-Z\u00c0-\u00de][\w-]+)")
_ADDRESS: Final = expression(r"[\w.+-]+@\w|(?<!\w)@\w|\[email\]|\+?\d[\d ()/-]{5,}\d", re.IGNORECASE)
_REACHED: Final = expression(
    r"\b(?:to|by|from|via|ping|contact|call|ask|notify|page|tell|message|e?-?mail|cc) ([^\W\d_][\w-]*)", re.IGNORECASE
)
"""Of whom something is asked, or to whom it goes, be it a team or a tool."""
_DIGIT: Final = expression(r"\d")
_DOTTED: Final = expression(r"\d\.\d|[\da-f]:[:\da-f]|\blocalhost\b", re.IGNORECASE)
_OF: Final = r"(?=\W*$| (?:of|for|in|at|on|per|is|are|was|were|do|does|did|has|have|will)\b)"
"""Behind a noun that is asked for."""
_HEAD: Final = r"(?:(?!\b(?:in|on|at|with|about|for|from|to|by|of|if|that)\b).)*\b"
"""Before it: of what stands behind a preposition something else is asked."""


class Sought(NamedTuple):
    """A kind of answer.

    Attributes:
        label: it, with an article.
        word: the last one by which the question asks for it, in small letters.
        holds: whether a text may hold one, given the words of the question.

    """

    label: str
    word: str
    holds: Callable[[str, frozenset[str]], bool]


def _has_a_number(text: str, asked: frozenset[str]) -> bool:
    return _NUMBER.search(without_dates(text)) is not None


def _is_measured(text: str, asked: frozenset[str]) -> bool:
    return _has_a_number(text, asked) or _SIZE.search(text) is not None


def _has_a_digit(text: str, asked: frozenset[str]) -> bool:
    return _DIGIT.search(without_dates(text)) is not None


def _is_dotted(text: str, asked: frozenset[str]) -> bool:
    return _DOTTED.search(text) is not None


def _is_repeated(text: str, asked: frozenset[str]) -> bool:
    return _OFTEN.search(text) is not None or _has_a_number(text, asked)


def _takes_a_time(text: str, asked: frozenset[str]) -> bool:
    text = without_others(text, "time")  # "4 GB" is none
    return _has_a_number(text, asked) or _as_property("a time", text, asked)


def _has_somebody(text: str, asked: frozenset[str]) -> bool:
    """Return whether a text names somebody, or what may be somebody: "the council" does."""
    if _SOMEBODY.search(text) is not None or _has_a_capital(text, asked) or _IN_CODE.search(text) is not None:
        return True  # of code "who" asks for a function, too
    if _ADDRESS.search(without_dates(text)) is not None:
        return True
    reached = (each[1].lower() for each in _REACHED.finditer(text))
    if any(word not in asked and word not in SMALL_IN_ENGLISH for word in reached):
        return True
    return any(each[1].lower() not in asked for each in _THE.finditer(text))


def _tells_who(text: str, asked: frozenset[str]) -> bool:
    """Return whether a text may tell who has a role: it holds a name, or says what the role is, or who is that."""
    if _has_a_capital(text, asked) or _IN_CODE.search(text) is not None:
        return True
    roles = "|".join(sorted(re.escape(word) for word in asked - SMALL_IN_ENGLISH if word != "who"))
    of_it = (
        r"(?: (?:there|here|now))?(?:,| called| named|:| ="
        r"| (?:is|are|was|were|will be) (?:\w+ )?(?:an?|the|my|our|his|her|their|one|that)\b)"
    )  # and not how they are: "the landlord is nice"
    told = rf"\b(?:{roles})s?{of_it}|\b(?:is|are|was|as|be|became|for) (?:\w+ ){{0,3}}(?:{roles})\b"
    return roles == "" or re.search(told, text.lower()) is not None


def _has_a_capital(text: str, asked: frozenset[str]) -> bool:
    """Return whether a text holds a name that the question does not, be it its first word; or may, in small letters."""
    if text.islower():
        return True
    first = (each[1].lower() for each in _FIRST_WORD.finditer(text))
    return not {*capitals(text), *(word for word in first if word not in SMALL_IN_ENGLISH)} <= asked


def _gives_a_name(text: str, asked: frozenset[str]) -> bool:
    return _has_a_capital(text, asked) or _as_property("a name", text, asked)


def _has_a_time(text: str, asked: frozenset[str]) -> bool:
    """Return whether a text says when something is, or may, by a word that is not of the question: "birthday cake"."""
    left = _WORD.sub(lambda word: "" if word[0].lower() in asked - SMALL_IN_ENGLISH else word[0], text)
    return _as_property("a time", left, asked)


def _as_property(label: str, text: str, asked: frozenset[str]) -> bool:
    says = may_say(label)
    return says is None or says(text, asked)


_BY_WORDS: Final = (
    ("how often", "how often", _is_repeated),
    ("a number of times", "how many (?:times|seconds|minutes|hours|days|nights|weeks|months|years)", _has_a_number),
    ("an amount", f"how many (?:{UNITS})", _has_a_number),
    ("a number of these", "how many", None),
    ("an age", "how old|(?:what|which) age", None),
    ("a size", "how (?:tall|big|large|heavy|wide|high|deep)", _is_measured),
    ("a time that something takes", "how long", _takes_a_time),
    (
        "a price",
        "how much (?:is|are|was|were|do|does|did|money)\\b(?!.*\\b(?:weigh|know|like|love)\\b)|how expensive"
        "|what\\b.*\\b(?:cost|charge|pay|earn|owe)",
        None,
    ),
    ("an amount", "how much", _has_a_number),
    ("a time", "when(?!['’]?s? (?:did|was|were)\\b)|(?:what|which) (?:time|date|day|month|year)", _has_a_time),
    ("a name", "who(?=(?:['’]s| is| are) (?:my|our|the|his|her|their|\\w+['’]s)\\b[\\w'’ -]*\\W*$)", _tells_who),
    ("a person", "who(?:m|se)?", _has_somebody),
    ("a place", "where|(?:what|which) (?:city|town|village|country|street|floor|place)", None),
    ("a name", "what\\b.*\\b(?:called|named)(?=\\W*$)", _gives_a_name),
)
_BY_NOUNS: Final = (
    ("an e-mail address", "e-?mail(?: address)?", None),
    ("a telephone number", "(?:phone|telephone|mobile|cell|fax) number|(?<=['’]s )(?:phone|mobile)", None),
    ("an IP address", "ip(?: address)?", _is_dotted),
    ("a number", "pin|(?:number|licen[cs]e) plate|registration|(?<!a )number(?! of)", _has_a_digit),
    ("an age", "age", None),
    ("a size", "weight|height|size", _is_measured),
    ("a measure", "version|speed|threshold|mileage|percentage|temperature", _has_a_number),
    ("a price", "prices?|costs?|fees?|rent|salary|wage|bill|budget|rate", None),
    ("a time", "birthday", _has_a_time),
    ("a name", "(?:(?:first|last|full|middle|maiden) )?names?|surname", _gives_a_name),
)
"""Kinds of answers, the words by which one asks for each, and what tells a text that may hold one (None: `may_say`).

Nouns ask where no word does but "what" and "which": "who set the budget?" seeks a person.
"""
_ASKING: Final = expression(r"\b(?:what|which|who(?:m|se)?|when|where|why|how)(?:['’]?s)?\b", re.IGNORECASE)
_IS_ASKED: Final = expression(
    r"(?:^\W*|[.,;:!?-] |\b(?:and|so|but|hey|hi|please|know|remember|recall|say|said|forgot|idea|check|see"
    r"|(?:tell|remind) me)\W+)(?:(?:in|on|at|by|for|from|to|of|with|since|until|again) )*$",
    re.IGNORECASE,
)
"""Before a word that asks; elsewhere it may join sentences: "do I need a coat when I go to Oslo?"."""
_IS_A_QUESTION: Final = expression(
    r"^(?!\W*(?:is|are|am|was|were|do|does|did|has|have|had|can|could|may|might|should|shall|will|would|must)(?:n['’]t)?\b)"
    r".*(?:\?\W*$|['’]s |\b(?:of|for) )",
    re.IGNORECASE,
)
"""Of messages without a word that asks: "Lowri's fee", and neither "is it her fee?" nor "check file size"."""
_OPEN: Final = expression(
    r"(?:what|which)\b(?! (?:did|do|does|can|could|will|would|shall|should|may|might|must|has|have|had)\b)",
    re.IGNORECASE,
)
"""Behind these "rent" and "name" are what somebody does: "what did Iris rent?"."""
_CUES_SAID: Final = """what whats which who whos whom whose when whens where wheres how mail email phone mobile number
    ip pin plate registration age weight height size version speed threshold mileage percentage temperature price prices
    cost costs fee fees rent salary wage bill budget rate birthday name names surname"""
_CUES: Final = frozenset(_CUES_SAID.split())
"""Without one of these no form fits: most messages have none, and are not looked at further."""
_GIVEN: Final = expression(
    r"\b(?:is|are|was|were) (?!(?:too|very|so|quite|really|rather|pretty|always|often|still|not)\b)", re.IGNORECASE
)
"""What something is, and not how."""
_CALLED: Final = expression(r"^\w[\w-]*, |, ?\w[\w-]*(?=\W*$)")
"""Who is spoken to is not who is asked about: "who is vegan, Marek?" may be answered by what says that Marek is."""
_WITH: Final = expression(r"\bwith [A-Z][\w-]*")
_IN_CODE: Final = expression(r"\w\(|\w_\w|[a-z][A-Z]")
_WORD: Final = expression(r"[^\W_][\w-]*?(?=['’]s\b|['’]|[^\w'’-]|$)")


@lru_cache(maxsize=128)
def sought(question: str) -> Sought | None:
    """Return the kind of answer that a question seeks; None of one that seeks another one, or several things.

    >>> asked = sought("And what did the desk cost?")
    >>> asked.label, *(may_hold(asked, Text(text), "") for text in ("We have a new desk.", "The desk was 300 euros."))
    ('a price', False, True)
    >>> sought("What did we do about the desk, and what did it cost?") is None
    True
    """
    if len(question) > MOST_ASKED or not (question.isascii() or "’" in question):
        return None
    if _CUES.isdisjoint(small_words(question)):
        return None
    words = list(_ASKING.finditer(question))
    if len(words) > 1 or (words and _IS_ASKED.search(question[: words[0].start()]) is None):
        return None
    asking = question[words[0].start() :] if words else question
    found = _by_words().match(asking)
    if found is None and (_OPEN.match(asking) if words else _IS_A_QUESTION.search(asking)):
        found = _by_nouns().match(asking)
    if found is None:
        return None
    label, _, holds = (_BY_WORDS if found.re is _by_words() else _BY_NOUNS)[int(str(found.lastgroup)[1:])]
    return Sought(label, found.group().lower().split()[-1], holds or partial(_as_property, label))


def may_hold(asked: Sought, said: Text, question: str) -> bool:
    """Return whether a text may hold the kind of answer that a question seeks.

    What is long, or has no small word of English, is taken to, and a turn of a conversation: its answer may stand
    beside. So is what has the word by which one asks: "the PIN is my birthday".
    """
    text = said.text
    if said.session is not None or len(text) > _MOST_SAID or SMALL_IN_ENGLISH.isdisjoint(small_words(text)):
        return True
    return asked.word in _words(text) or asked.holds(text, _words(_CALLED.sub(" ", question)))


def answers_rather(question: str) -> Rather[bool, bool] | None:
    """Return what tells whether a text may hold what a question seeks, and another one does not; None if it seeks none.

    >>> rather = answers_rather("Who is my dentist?")
    >>> rather("My dentist is Dr. Hale.", "I have to call my dentist."), rather("Ann is in Rome.", "My dentist is Bo.")
    (True, False)
    >>> answers_rather("Do I have a dentist?")

    """
    asked = sought(question)
    if asked is None:
        return None
    words = _words(_CALLED.sub(" ", question))
    holds = cache(partial(_holds, asked, words))  # of the same texts it is asked for both sides

    def front(text: str) -> bool | None:
        says = len(text) <= MOST_SAID and holds(text) and (asked.label != "a place" or gives_a_place(text))
        return True if says else None

    def back(text: str) -> bool | None:
        if len(text) > MOST_SAID or SMALL_IN_ENGLISH.isdisjoint(small_words(text)):
            return None
        if holds(_WITH.sub(" ", text) if asked.label == "a place" else text):
            return None
        is_given = _GIVEN.search(text) is not None and asked.word in _words(text)  # "my PIN is the year of the wedding"
        return None if is_given or is_change(text) else True  # "It won't take place" answers when, too

    return Rather(front, back, lambda one, other: True)


def _holds(asked: Sought, words: frozenset[str], text: str) -> bool:
    return asked.holds(text, words)


@lru_cache(maxsize=64)
def _words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))


@lru_cache(maxsize=1)
def _by_words() -> re.Pattern[str]:
    forms = "|".join(f"(?P<f{at}>{form})" for at, (_, form, _) in enumerate(_BY_WORDS))
    return re.compile(rf"(?:{forms})(?![\w-])", re.IGNORECASE)


@lru_cache(maxsize=1)
def _by_nouns() -> re.Pattern[str]:
    nouns = "|".join(f"(?P<f{at}>{form})" for at, (_, form, _) in enumerate(_BY_NOUNS))
    return re.compile(rf"{_HEAD}(?:{nouns}){_OF}", re.IGNORECASE)
