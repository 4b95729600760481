"""The forms of questions for a property: an age, a price, a thing of a kind, somebody's doctor."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from .._core import porter_stem
from ..light.expressions import expression
from .kinds import names_of_kinds
from .saying import SMALL_IN_ENGLISH
from .word_forms import BASE_OF

_MOST_ASKED: Final = 120  # characters; a longer question says more than what it asks for
_IS: Final = r"(?:'?s| is| are| was| were)"
COUNTED, HAPPENED, SOMEBODY = "a number of these", "a past time", "somebody"
"""Labels of properties that are looked at in a way of their own: a number, a time long past, and who is of somebody."""
WORKPLACE: Final = "a place of work"
TO_REACH: Final = frozenset({"a telephone number", "an e-mail address"})
"""By these somebody is reached, or where somebody works."""
_BEFORE: Final = expression(
    r"\W*(?:(?:hey|hi|hello|ok(?:ay)?|so|and|please|pls|sorry|well|um+),? )*"
    r"(?:(?:(?:do|did) (?:you|we|i) (?:happen to )?(?:know|remember|recall)|(?:can|could|would) you (?:please )?"
    r"(?:tell|remind) me(?: of)?|(?:tell|remind) me(?: again)?|i (?:forgot|forget|need to know|want to know)),? )?",
    re.IGNORECASE,
)
_BEHIND: Final = expression(
    r"(?:,? (?:again|please|now|currently|right now|these days|today|exactly|for me))*\W*$", re.IGNORECASE
)
_ENDS_BEHIND: Final = frozenset(("again", "please", "now", "currently", "days", "today", "exactly", "me"))
"""With one of these ends whatever else than marks `_BEHIND` finds."""


def _of(words: str) -> str:
    """Return the pattern of a question for a property: "what is X's W", "what's the W of X", "what X's W is", "X's W".

    What stands before a word such as "with" is asked for itself: "what is the matter with X's W?".
    """
    whose = r"(?:the )?(?:(?!.* (?:with|about|on|to|from|at|by|in) )\S.*? )?"
    own = r"(?=(?:my|our) |\S+(?: \S+)?'s )"
    return rf"(?:what{_IS} {whose}|{own}{whose})(?:{words})(?: (?:of|for) .+)?|what {own}{whose}(?:{words}){_IS}"


_OF_NO_SIZE: Final = (
    "rent|price|cost|fee|bill|salar|wage|tax|rate|budget|deposit|mortgage|deductible|limit|debt|loan|bonus|fine|raise"
    "|premium|pension|income|invoice|allowance|balance|fund|stake|share|donation|refund|discount|profit|loss|revenue"
    "|fever|temperature|score|pressure|risk|chance|number|cholesterol|sugar"
)
"""What is high or large in money, or otherwise in no size."""
UNITS: Final = (
    "times|days|nights|evenings|mornings|afternoons|weekends|weeks|months|years|hours|minutes|seconds|euros|dollars|pounds|francs|cents|kilos|grams|kilomet(?:re|er)s"
    "|met(?:re|er)s|miles|lit(?:re|er)s|degrees|percent|calories|steps|points"
)
_FORMS: Final = (
    ("an age", "age", "how old\\b.*"),
    ("a birthday", "birthday|b-?day|date of birth|birth ?date",
     rf"when(?:{_IS}.* (?:birthday|b-?day|born)|.* birthday is)"
     r"|(?:on )?(?:what|which) (?:day|date) .*(?:birthday|born)"),
    ("a telephone number", "(?:phone|telephone)(?: number)?|(?:mobile|cell|fax|contact)(?: phone)? number|mobile", ""),
    ("an e-mail address", "e-?mail(?: address)?", ""),
    ("an address", "(?:(?:home|postal|street) )?address", ""),
    ("a number", "number", ""),
    ("a name", "(?:(?:first|last|full|middle|maiden) )?names?|surname", rf"what{_IS} .+ (?:called|named)"),
    ("a job", "job|occupation|profession", r"what (?:do|does) .+ do (?:for (?:a living|work)|professionally)"),
    (WORKPLACE, "", r"where (?:do|does) .+ work|where .+ works"),
    ("a home", "", r"where (?:do|does|did) .+ live|where .+ lives"),
    ("a price", "price|cost|charge",
     r"how much (?:is|are|was|were|do|does|did) (?!.*\b(?:weigh|weight|know|like|love|drink|eat|sleep"
     r"|need|have|use|take|want)\b).+|how expensive .+"),
    ("a size", "(?:shoe |shirt |dress )?size|weight|height",
     rf"how (?:tall|heavy|wide|(?:big|large|high)(?! (?:is|are|was|were) .*(?:{_OF_NO_SIZE})))\b.*"
     r"|(?:what|which) (?:shoe |shirt |dress )?size\b.*"
     r"|how much (?:do|does|did) .+ weigh"),
    (COUNTED, "", rf"how many (?!(?:{UNITS})\b)(?P<kind>[a-z-]+)\b.*"),
    ("a time of day", "", r"(?:at )?what time\b.*"),
    ("a time", "",
     r"when(?:'s| is| are| do| does| will)\b.*|(?:on )?(?:what|which) (?:date|day) (?:is|are|do|does) .+"),
    (HAPPENED, "", r"when (?:did|was|were)\b(?!.*\b(?:say|said|mention|mentioned|tell|told|talk)\b).*"),
    ("a place", "birthplace|hometown|home town", r"where(?:'s| is| are| do| does| did| was| were)\b.*"),
)  # fmt: skip
"""Each property with the words by which one asks what it is, and the other forms of questions for it."""
_OF_A_KIND: Final = (
    r"(?:what|which) (?:\w+ )?(?P<kind>[a-z]+) (?:do|does|did) .+ (?P<verb>[a-z]+)",
    r"(?:what|which) (?:\w+ )?(?P<kind>[a-z]+) (?:do|does|did|has|have|had|is|was|are|were) .+",
    rf"what{_IS} (?!.* (?:with|about|on|to|from|at|by|in) )(?:my|our|\S+(?: \S+)?'s)(?: \S+)*? (?P<kind>[a-z]+)",
)
_OF_SOMEBODY: Final = r"who(?:'s| is| was) (?!.* (?:with|about|on|to|from|at|by|in) )\S+(?: \S+)?'s (?P<kind>[a-z-]+)"
_TOO_OPEN = """hobby hobbies activity activities pastime pastimes exercise feeling emotion mood feel health travel
    nature outdoors stress place location event events art writing money age meeting business personality trait thing
    subject study friend family relative relationship team club body accident crime death award prize goal gift symptom
    injury material shape politics food dish meal department"""
_OPEN: Final = frozenset(_TOO_OPEN.split())
"""Kinds whose things are told in too many ways, unless one of them is the favourite."""
_ASKING: Final = frozenset(
    ("what", "which", "when", "where", "how", "much", "many", "own", "use", "uses", "drive", "drives", "current",
     "favourite", "favorite")
)  # fmt: skip
"""Words by which any property is asked for; beside them go those of the form itself."""
_LIGHT: Final = frozenset(("do", "get", "got", "have", "keep", "need", "own", "prefer", "take", "use", "want"))
"""Verbs that say nothing of what is done with a thing."""
_LETTERS: Final = expression("[a-z]+")
_MAYBE: Final = expression(r"[- ]\?")
_FIRST: Final = ("what", "which", "when", "where", "how", "who", "on ", "at ", "my ", "our ")


class Form(NamedTuple):
    """What a question asks for.

    Attributes:
        property: which one, as evidence is called (`property_evidence`); "" of a thing of a kind.
        kind: the name of a kind, where something of that is asked for, or counted.
        label: what it asks for, with an article.
        asked: the question, without what people say to be polite.
        cues: words by which it asks, in small letters, and the stems of all of them.
        verb: what is done with the thing of a kind, in small letters; "" if that may be anything.

    """

    property: str
    kind: str | None
    label: str
    asked: str
    cues: frozenset[str]
    cue_stems: frozenset[str]
    verb: str = ""


def form_of(question: str) -> Form | None:
    """Return what a question asks for; None of one that asks for no property known here.

    >>> form_of("Do you know how old Emma is?").property, form_of("Which car does Ben drive?").label
    ('an age', 'a car')
    """
    before = _BEFORE.match(question)
    if before is None or len(question) > _MOST_ASKED or not (question.isascii() or "\u2019" in question):
        return None
    asked = _without_end(question[before.end() :])
    low = asked.lower().replace("\u2019", "'")
    if not low.startswith(_FIRST) and "'s " not in low:
        return None
    at, found = _first_form(low)
    if found is not None:
        label, nouns, other = _FORMS[at]
        return _form(label, found.groupdict().get("kind"), label, asked, _whole(nouns, other))
    if (found := _of_somebody().fullmatch(low)) is not None:
        return _form(SOMEBODY, found["kind"], f"a {found['kind']}", asked, "who")
    for form in _kind_forms():
        found = form.fullmatch(low)
        if found is None or (found["kind"] in _OPEN and "favo" not in low):
            continue
        kind = _kind_names().get(porter_stem(found["kind"]))
        if kind is not None:
            verb = found.groupdict().get("verb") or ""
            asked_so = _form("", kind, f"a {found['kind']}", asked, found["kind"])
            return asked_so._replace(verb="" if verb in _LIGHT else verb)
    return None


def _without_end(asked: str) -> str:
    """Return a question without what people say behind it, which `_BEHIND` finds, and marks."""
    end = len(asked)
    while end and not (asked[end - 1].isalnum() or asked[end - 1] == "_"):
        end -= 1
    last = asked[:end].rpartition(" ")[2].lower()
    return _BEHIND.sub("", asked) if last in _ENDS_BEHIND or not last.isascii() else asked[:end]


def _form(property: str, kind: str | None, label: str, asked: str, pattern: str) -> Form:
    kind = kind and BASE_OF.get(kind, kind)
    return Form(property, kind, label, asked, *_cues(pattern, kind))


@lru_cache(maxsize=64)  # half a megabyte
def _cues(pattern: str, kind: str | None) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words by which a form asks, in small letters, and their stems."""
    letters = _LETTERS.findall(f"{pattern} {_MAYBE.sub('', pattern)}")  # "e-?mail" is "email", too
    cues = frozenset((*_ASKING, *SMALL_IN_ENGLISH, *letters, *filter(None, [kind])))
    return cues, frozenset(map(porter_stem, cues))


@lru_cache(maxsize=1)
def _kind_names() -> dict[str, str]:
    """Return the names of kinds by their stems."""
    return {porter_stem(name): name for names in names_of_kinds().values() for name in names}


def _first_form(low: str) -> tuple[int, re.Match[str] | None]:
    """Return which form a question in small letters has, the first of those that fit, and how it fits.

    Most ask for none of the nouns. For them the other forms are read at once, each of which is a group.
    """
    if _of_any().fullmatch(low) is None:
        found = _others().fullmatch(low)
        return (0, None) if found is None else (int(str(found.lastgroup)[1:]), found)
    fitting = ((at, form.fullmatch(low)) for at, form in enumerate(_forms()))
    return next(((at, found) for at, found in fitting if found is not None), (0, None))


@lru_cache(maxsize=1)
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(expression(_whole(nouns, other)) for _, nouns, other in _FORMS)


def _whole(nouns: str, other: str) -> str:
    return "|".join(filter(None, (other, nouns and _of(nouns))))


@lru_cache(maxsize=1)
def _others() -> re.Pattern[str]:
    return expression("|".join(f"(?P<f{at}>{other})" for at, (_, _, other) in enumerate(_FORMS) if other))


@lru_cache(maxsize=1)
def _of_any() -> re.Pattern[str]:
    return expression(_of("|".join(nouns for _, nouns, _ in _FORMS if nouns)))


@lru_cache(maxsize=1)
def _of_somebody() -> re.Pattern[str]:
    return expression(_OF_SOMEBODY)


@lru_cache(maxsize=1)
def _kind_forms() -> tuple[re.Pattern[str], ...]:
    return tuple(expression(form) for form in _OF_A_KIND)
