"""Evidence of properties: whether a text holds any word of the kind by which one says how old, where or how much.

Generous by design: it tells texts that cannot say a property, such as an age where no number stands, from all others.
Not here: of what a text says it (`properties`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from .._core import porter_stem
from ..light.expressions import expression
from .calendar_words import MONTHS, SHORT_MONTHS
from .kinds import names_of_kinds
from .places import KIN, gives_a_place
from .plain_numbers import WORDS, plain_numbers, without_dates, without_labels
from .property_forms import WORKPLACE
from .property_words import (
    ADDRESS,
    AGED,
    BORN,
    DIGITS,
    LIVES,
    MAIL,
    NUMBERED,
    OF_PAPERS,
    PHONE,
    PRICED,
    WORKS,
    is_done_for_a_living,
)
from .saying import SMALL
from .stating import DAYS, NUMBER_WORDS
from .units import without_others

Evidence = Callable[[str, frozenset[str]], bool]

_AMOUNT: Final = expression(rf"(?<![\w.])[€$£¥]?\d|\b(?:{WORDS}|half|double|free|nothing|dozens?)\b", re.IGNORECASE)
_COUNT: Final = expression(
    rf"\d|\b(?:{WORDS}|once|twice|both|pair|couple|twins|triplets|several|many|few|only|single|no|none|lots|half)\b"
    r"|\ban? \w+(?:, an? \w+)*,? and an? \w+",
    re.IGNORECASE,
)
_SIZED: Final = expression(
    rf"""\b(?:siz\w*|small|medium|large|big|huge|tiny|tall|short|long|wide|narrow|deep|high|heav\w+|light|weigh\w*|xx?l|xs
        |fits?|measur\w*|feet|foot|inch\w*|{WORDS}|half)\b|(?<![\w.])\d""",
    re.VERBOSE | re.IGNORECASE,
)
_SIZE: Final = expression(r"\bsize", re.IGNORECASE)
_NAMED: Final = expression(
    r"\b(?:nam(?:e|es|ed|ing)|call(?:s|ed)?|nickname\w*|known as|christened)\b|[\"\u201c\u201e]", re.IGNORECASE
)
_OF_CODE: Final = expression(
    r"\w\(\)|`[^`]+`|[A-Za-z0-9]_[A-Za-z0-9]|[a-z][A-Z]\w|\w://|(?<![\w.])#[a-z][\w-]+|\w/[\w.-]+\w"
    r"|(?:\b(?:is|are)|[=:])\s+[a-z0-9]+(?:-[a-z0-9]+)+\b"
)
"""A name of code, of a channel, or of where something lies on a machine."""
_IS_SO: Final = expression(
    r"([^\W_][\w-]*)(?: (?:is|are|was|were)(?: now)?|:| =) ([^\W_][\w-]*(?:\.\w+)*)(?: [\w.-]+){0,2}\W*$"
)
"""What something is in a word or three, at the end of a text."""
_STATE: Final = expression(
    r"\w+(?:ed|ing|en|ly|ful|less|[ai]ble|ous|ive|ish|est)|an?|the|my|our|in|on|at|to|not|no|so|too|very|quite|also|still|just"
    r"|full|empty|down|up|slow|fast|busy|free|late|early|done|ready|fine|ok(?:ay)?|good|bad|big|small|large|long|short|tall"
    r"|high|low|new|old|hot|cold|warm|dirty|clean|easy|hard|safe|dead|alive|sick|ill|sad|happy|nice|great|lovely|cute"
    r"|here|there|away|back|off|out|over|gone|lost|left|due|red|blue|green|black|white|grey|brown|yellow|\d.*",
    re.IGNORECASE,
)
"""What is no name where something is so."""
_ON_A_NET: Final = expression(
    r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)|\w://|\blocalhost\b|[\w.-]@[\w-]+\.[\w.-]+|\b[\w-]+(?:\.[\w-]+)+:\d+"
)
"""An address of a machine, or of what lies on one."""
_TIMED: Final = expression(
    rf"""\d|\b(?:{"|".join(sorted(DAYS | {"may"}))}
        |mon|tues?|wed|thu(?:rs?)?|fri|sat(?!\ (?:on|in|at|down)\b)|sun(?=\W*$|\ ?[+,&/-])
        |(?:mon|tues|wednes|thurs|fri|satur|sun)days?|{WORDS}
        |today|tonight|tomorrow|yesterday|now|soon|later|early|late|noon|midnight|midday|daily|weekly|monthly|yearly
        |annual\w*|nightly|always|never|often|sometimes|once|twice|every|each|next|last|this|ago|since|until|till|before
        |after|during|while|when(?:ever)?|morning|afternoon|evening|night|day|week\w*|month|year|hours?|minutes?
        |spring|summer|autumn|fall|winter|season|christmas|easter|eve|holidays?|lunch|dinner|breakfast|dawn|dusk|sunset
        |sunrise|second|soon|immediately|recently|currently|then|end|start|beginning|quarter|birthday|about\ to)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_PLACED: Final = expression(
    r"""\b(?:to|into|onto|through|along|across|around|via|over|within|between|by|upstairs|downstairs|here|there|home
        |abroad|outside|inside|online|everywhere|nowhere|anywhere|away|next\ door
        |address|place|location|holds?|contains?|kept|stored|floor|storey|level|row|aisle|corner|shel(?:f|ves)|drawer
        |left|right|back|front|blocks?|down|out|opposite)\b
    |\bwith\ (?:the|my|our|an?|his|her|their)\ \w|\ [-\u2013]\ \w
    |\b(?:visit|search|tour|explor|enter|reach|cross)(?:s|es|ed|ing)?\ \w
    |https?:|www\.|[/\\]\w|,\ [A-Z]""",
    re.VERBOSE | re.IGNORECASE,
)
_MONEY: Final = expression(
    r"[€$£¥] ?\d[\d.,]*|\d[\d.,]* ?(?:€|\$|£|¥|(?:euro|dollar|pound|cent|franc|eur|usd|chf)s?\b)", re.IGNORECASE
)
_COSTS: Final = frozenset({"cost", "costs", "price", "expensive", "pay", "paid", "charge", "charges", "owe", "spend"})
_OF_DAY: Final = expression(
    rf"""(?<!\w)\d|\b(?:{WORDS}|noon|midnight|midday|o.?clock|after|before|morning|afternoon|evening|night|lunch|dinner
        |dawn|sun(?:set|rise))\b""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD: Final = expression(r"[^\W\d_]+")
_CAPITAL: Final = expression(r"(?<![.!?:]\s)(?<=\S )[^\W\d_a-z][\w-]*|^[A-Z][\w-]+(?=(?:'s)? (?:is|are|was|and|or)\b)")
_SHADED: Final = expression(
    r"\b(?:(?:soft|light|dark|pale|bright|deep|warm) \w|cream|ivory|sage|mint|olive|bronze|silver|gold|golden|tan|khaki"
    r"|terracotta|anthracite|petrol|slate|salmon|apricot|tabby|champagne|sand|taupe|mauve|rust|plum"
    r"|denim|emerald|ruby|ral ?\d{4}|charcoal|lilac|coral"
    r"|burgundy|magenta|cyan|indigo|mustard|peach|ochre|scarlet|amber|copper|blond\w*)",
    re.IGNORECASE,
)
"""Shades that are no names of colours, or of other things, too."""
_IN_A_PLACE: Final = expression(r"\b(?:in|at|from|near) [A-Z][\w-]*(?: [A-Z][\w-]*)*")
_OTHER_NAMES: Final = expression(rf"\b(?:in|to|at|from|near|Dr\.|Mrs?\.|Ms\.|{KIN}s?) [A-Z][\w-]*(?: [A-Z][\w-]*)*")
_OF_SOMETHING: Final = expression(
    r"\b(?:keeps?|has|have|owns?|plays?|uses?|speaks?|raises?|listens? to|into|an?|the|his|her|their|our|my|its|your"
    r"|some|likes?|loves?|prefers?|enjoys?|adores?|hates?) ([a-z][\w-]+)"
)


def has_an_amount(text: str, asked: frozenset[str] = frozenset()) -> bool:
    """Return whether a text says how much something costs, or may; who asks for a cost is told none in grams.

    >>> has_an_amount("The plumber comes on Tuesday at 10."), has_an_amount("Parking is 12 a day.")
    (False, True)
    >>> has_an_amount("The drone weighs 249 g.", frozenset({"cost"})), has_an_amount("The dose is 10 mg.")
    (False, True)
    """
    if PRICED.search(text) is not None or _MONEY.search(text) is not None:
        return True
    left = plain_numbers(text, asked)
    return _AMOUNT.search(left if asked.isdisjoint(_COSTS) else without_others(left, "money")) is not None


def has_an_age(text: str) -> bool:
    """Return whether a text says how old somebody or something is, or may.

    >>> has_an_age("Mila is six."), has_an_age("Emma wears size 38 shoes.")
    (True, False)
    """
    return AGED.search(without_labels(text)) is not None


def has_a_name(text: str, asked: frozenset[str] = frozenset()) -> bool:
    """Return whether a text calls something by a name, or may.

    >>> has_a_name("I adopted a cat in March."), has_a_name("Our cat Mia sleeps."), has_a_name("Rex is our dog.")
    (False, True, True)
    >>> [has_a_name(f"The branch is {word}.", frozenset(("the", "branch"))) for word in ("trunk", "broken")]
    [True, False]
    """
    if _NAMED.search(text) is not None or _OF_CODE.search(text) is not None:
        return True
    told = ((each[1].lower(), each[2].lower()) for each in _IS_SO.finditer(text))
    if any(of in asked and word not in asked and _STATE.fullmatch(word) is None for of, word in told):
        return True  # in small letters: "the default branch is trunk"
    return not capitals(_IN_A_PLACE.sub(" ", text)) <= asked


def has_a_phone(text: str, asked: frozenset[str] = frozenset()) -> bool:
    """Return whether a text says a telephone number, or, where none is asked for in so many words, which phone it is.

    >>> asked = frozenset(("my", "work", "phone"))
    >>> has_a_phone("My work phone is a Galaxy.", asked), has_a_phone("My work phone is a Galaxy.", asked | {"number"})
    (True, False)
    """
    if DIGITS.search(text) is not None and (PHONE.search(text) is not None or DIGITS.search(_unlike(text)) is not None):
        return True
    return "phone" in asked and "number" not in asked and PHONE.search(text) is not None


def has_an_address(text: str) -> bool:
    """Return whether a text says in which street something is, or on which machine, or may.

    >>> has_an_address("Carla lives at Hafenweg 3."), has_an_address("Order 5521: Carla wants 3 bells by 4 May.")
    (True, False)
    """
    if ADDRESS.search(text) is not None or _ON_A_NET.search(text) is not None:
        return True
    return NUMBERED.search(_unlike(text)) is not None


def _unlike(text: str) -> str:
    """Return a text without dates, sums of money, and the numbers of orders and the like."""
    return OF_PAPERS.sub(" ", _MONEY.sub(" ", without_dates(text)))


def has_a_place(text: str, asked: frozenset[str] = frozenset()) -> bool:
    """Return whether a text says where something is or happens, or may.

    >>> has_a_place("I bought a grey sofa for 700 euros."), has_a_place("We went to the zoo.")
    (False, True)
    """
    if gives_a_place(text) or _PLACED.search(text) is not None or _ON_A_NET.search(text) is not None:
        return True
    return any(not _kinds_of(each) for each in capitals(text) - asked)


def capitals(text: str) -> frozenset[str]:
    """Return the words of a text that begin with a capital as names do, in small letters."""
    found = (each.group().lower() for each in _CAPITAL.finditer(text))
    return frozenset(each for each in found if each not in _NO_NAMES)


@lru_cache(maxsize=2048)
def _kinds_in(text: str) -> frozenset[str]:
    return frozenset(name for word in _WORD.findall(text.lower()) for name in _kinds_of(word))


def _kinds_of(word: str) -> tuple[str, ...]:
    """Return the kinds of a word in small letters, in any form: who jogs says "jogging"."""
    return names_of_kinds().get(word) or _by_stem().get(porter_stem(word), ())


@lru_cache(maxsize=1)
def _by_stem() -> dict[str, tuple[str, ...]]:
    return {porter_stem(word): names for word, names in names_of_kinds().items()}


_NO_NAMES: Final = SMALL | DAYS | NUMBER_WORDS | {*MONTHS, *SHORT_MONTHS, "may"}


def _by_text(says: Callable[[str], bool]) -> Evidence:
    """Return what tells by the text alone, and keeps that of a thousand: the same texts are found again and again."""
    kept = lru_cache(maxsize=1024)(says)  # a tenth of a megabyte
    return lambda text, asked: kept(text)


def _found(pattern: re.Pattern[str]) -> Evidence:
    return _by_text(lambda text: pattern.search(text) is not None)


def _is_numbered(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether a pattern stands beside numbers that are no times, sums of money or numbers of things."""
    return pattern.search(_MONEY.sub(" ", plain_numbers(text))) is not None


_SAYS: Final[dict[str, Evidence]] = {
    "an age": _by_text(has_an_age),
    "a telephone number": has_a_phone,
    "a number": _found(expression(r"\d")),
    "an e-mail address": _found(MAIL),
    "a birthday": _found(BORN),
    "an address": _by_text(has_an_address),
    "a home": _found(LIVES),
    "a job": _by_text(
        lambda text: WORKS.search(text) is not None or is_done_for_a_living(text) or "job" in _kinds_in(text)
    ),
    WORKPLACE: lambda text, asked: _SAYS["a job"](text, asked) or has_a_place(text, asked),
    "a price": has_an_amount,
    "a size": _by_text(lambda text: _SIZE.search(text) is not None or _is_numbered(_SIZED, text)),
    "a number of these": _by_text(lambda text: _is_numbered(_COUNT, text)),
    "a name": has_a_name,
    "a time": _found(_TIMED),
    "a past time": _found(_TIMED),
    "a time of day": _by_text(lambda text: _OF_DAY.search(without_labels(without_dates(text))) is not None),
    "a place": has_a_place,
}
"""What tells, by the property, whether a text may say it, given the words of the question."""


def may_say(label: str) -> Evidence | None:
    """Return what tells whether a text may say a property, given the words of the question; None of a kind."""
    return _SAYS.get(label)


def has_the_kind(text: str, kind: str, asked: frozenset[str]) -> bool:
    """Return whether a text names something of a kind, or something of which no table says the kind.

    Args:
        text: it.
        kind: the name of a kind.
        asked: the words of the question, which are no answer.

    >>> has_the_kind("Ben drives a Skoda.", "car", frozenset()), has_the_kind("Ann lives in Oslo.", "car", frozenset())
    (True, False)
    >>> has_the_kind("Greta feeds her chinchilla.", "pet", frozenset())  # whatever that may be
    True

    """
    if kind in _kinds_in(text):
        return True
    if kind in CLOSED:
        return _SHADED.search(text) is not None
    named = capitals(text) if kind in _PLACES else capitals(_OTHER_NAMES.sub(" ", text))
    open_words = {*named, *(each[1] for each in _OF_SOMETHING.finditer(text))}
    return any(not _kinds_of(each) and each not in asked and each not in _NO_NAMES for each in open_words)


CLOSED: Final = frozenset({"color", "colour", "month", "weekday", "season"})
"""Kinds of which the table has all but a few words."""
_PLACES: Final = frozenset(
    {"city", "country", "continent", "place", "location", "restaurant", "store", "shop", "school", "bank", "hotel"}
)
"""Kinds of what stands behind "in" with a capital."""
