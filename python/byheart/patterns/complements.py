"""Complements: whether a text says what something is, or only how or where it is; what somebody does, or only how.

"My car is very dirty" says as much of "What car do I have?" as "My car is a Volvo" does, and does not answer it; nor
does "I study best at night" answer "What do I study?". A guess, in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from .._core import porter_stem
from ..light.expressions import expression
from .rather import MOST_SAID, Rather
from .saying import said
from .updating import is_change

_WHO: Final = r"(?:i|we|you|he|she|they|it|(?:my|our|the|his|her|their)\ \w+|[\w-]+)"
_HAVING: Final = r"(?:have|own|drive|use|ride|wear|play|live\ in)"
_WHAT_IT_IS: Final = expression(
    r"\W*(?:(?:who|what)(?:['\u2019]s|\ is|\ are)"
    r"\ (?:(?:my|our|the|his|her|their)\ |[\w-]+['\u2019]s\ )[\w'\u2019\ -]+"
    rf"|(?:what|which)\ \w[\w-]*(?:\ \w[\w-]*)?\ (?:do|does|did)\ {_WHO}\ {_HAVING})\W*$",
    re.VERBOSE | re.IGNORECASE,
)
_WHAT_IS_DONE: Final = expression(
    rf"\W*what\ (?:(?:do|does|did)\ {_WHO}\ (?P<done>\w+)|(?:is|are|am)\ {_WHO}\ (?P<doing>\w+ing))"
    r"(?:\ (?:for|every|in|on|at)\ .*)?\W*$",
    re.VERBOSE | re.IGNORECASE,
)
_BEING: Final = expression(r"\b(?:is|are|was|were)\b|(?<=\w)['\u2019]s(?=\ (?:a|an|the|very|too|so|in|on|at|from)\b)")
_INTENSELY: Final = r"(?:too|very|so|quite|really|rather|pretty|almost|nearly|a\ bit|a\ little)"
_ADVERBS: Final = rf"(?:{_INTENSELY}|fully|all|already|still|always|often|never|not|just|currently|again|now|back)"
_HOW_SAID: Final = """ill sick well fine good bad great nice kind friendly funny strict patient dirty clean empty full
    broken old big small late early busy free open closed dead gone ready rusty slow fast cheap expensive dear tight
    loud quiet wet dry hot cold hungry tired happy sad angry pregnant asleep valid invalid wrong flat sharp dull
    easy hard difficult"""
_HOW_IT_IS: Final = expression(
    rf"""\ (?!.*\d)(?:{_ADVERBS}\ )*(?:
        (?:from|in|at|on|with|about|under|off|out|due|away|here|there|abroad|near|behind|waiting|coming|going)\b
        |(?:{"|".join(_HOW_SAID.split())}|[a-z]{{3,}}(?:ing|ed))
            (?=\W*$|[,;.]|\ (?:and|but|or|today|now|again|at|in|on|for|from|since|until|because|this|by|with|to)\b))
    |\ {_INTENSELY}\ (?!an?\b|the\b)[a-z]|\ [\w-]+\ years\ old\b""",
    re.VERBOSE,
)
_WITHOUT_OBJECT: Final = expression(
    r"""\W*$|[,;.]|\ (?:(?:too|so|very)\ (?!many\b)\w+|a\ lot|all\ (?:day|night|the\ time)
        |best|well|badly|better|much|often|always|mostly|usually|daily|late|early|hard|more|less|again|alone|together
        |now|today|tomorrow|every|slowly|quickly|loudly|quietly|happily|regularly|rarely|never|here|there|outside|inside
        |in|at|to|on|with|by|until|from|because|and|but)\b""",
    re.VERBOSE,
)
"""Behind a verb: how, where or when, and not what."""
_THINKS: Final = expression(r"^\W*(?:i (?:think|feel|guess|find)(?: that)?|honestly,?) ", re.IGNORECASE)
_WORD: Final = expression(r"[^\W\d_]+")


def answers_rather(question: str) -> Rather[bool, bool] | None:
    """Return what tells whether a text says what a question asks for, and another only how that is; None of others.

    >>> rather = answers_rather("What car do I have?")
    >>> rather("My car is a Volvo.", "My car is very dirty."), rather("My car is very dirty.", "My car is a Volvo.")
    (True, False)
    >>> answers_rather("What do I study?")("I study biology.", "I study best at night.")
    True
    >>> answers_rather("Is my car clean?")

    """
    if (done := _WHAT_IS_DONE.match(question)) is not None:
        return _by_object(done["done"] or done["doing"])
    if _WHAT_IT_IS.match(question) is not None:
        return _by_complement(frozenset(said(question).about))
    return None


def _by_complement(asked: frozenset[str]) -> Rather[bool, bool]:
    def how(text: str) -> bool:
        being = _BEING.search(text)
        return being is not None and _HOW_IT_IS.match(text, being.end()) is not None and _is_of(text, being, asked)

    def gives(text: str) -> bool:
        being, given = _BEING.search(text), said(text)
        return bool(given.names - asked or given.amounts) or (being is not None and _is_of(text, being, asked))

    return _rather(lambda text: gives(text) and not how(text), how)


def _by_object(verb: str) -> Rather[bool, bool] | None:
    stem = porter_stem(verb.lower())

    def behind(text: str) -> str | None:
        if stem[:2] not in text.lower():
            return None
        found = next((each for each in _WORD.finditer(text) if porter_stem(each[0].lower()) == stem), None)
        return None if found is None else text[found.end() :]

    def has_none(text: str) -> bool:
        rest = behind(text)
        return rest is not None and _WITHOUT_OBJECT.match(rest) is not None

    return _rather(lambda text: behind(text) is not None and not has_none(text), has_none)


def _rather(front: Callable[[str], bool], back: Callable[[str], bool]) -> Rather[bool, bool]:
    """Return the rule of which side a text is on; what is long says more, and what speaks of a change says that."""

    def is_short(text: str) -> bool:
        return len(text) <= MOST_SAID

    return Rather(
        lambda text: True if is_short(text) and front(text) else None,
        lambda text: True if is_short(text) and back(text) and not is_change(text) else None,
        lambda one, other: True,
    )


def _is_of(text: str, being: re.Match[str], asked: frozenset[str]) -> bool:
    """Return whether what stands before "is" is what is asked for."""
    about = set(said(_THINKS.sub("", text[: being.start()])).about)
    return bool(about) and about <= asked
