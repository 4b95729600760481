"""Denials: whether of two texts one says of something that it is so, and the other of something else that it is not.

"Anna doesn't like opera" is no answer to "What does Anna like?", nor "Anna likes jazz" to "What does Anna not like?". A
denial of the same thing is another matter: who liked jazz and does not like jazz has changed their mind. A guess, in
English, German, French and Spanish.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..knowledge import lowered
from ..light.expressions import expression
from .asking import sentences
from .rather import MOST_SAID, Rather
from .saying import said
from .updating import MOST_CHARACTERS

_DENIAL: Final = expression(
    r"\b(?:(?:is|are|was|were|does|do|did|has|have|had|ca|wo|would|should|could|need|must)n'?t|cannot|not|never|nobody"
    r"|nothing|none|nowhere|neither|no(?!\.?\ ?[0-9])|nicht|nichts|kein\w*|niemals|niemand|nie|pas|jamais|rien|aucune?"
    r"|nunca|nada|nadie)\b",
    re.VERBOSE,
)
_AND_MORE: Final = expression(
    r"\b(?:no\ longer|any\ ?more|any\ longer|no\ more|not\ (?:until|before|only|just|later|sure)"
    r"|nicht\ (?:mehr|nur|vor)|n[o']t\ forget|nicht\ vergessen|kein\w*\ (?:\w+\ )?mehr|plus|ya|but|instead|except|again"
    r"|wieder|sondern|aber|außer|mais|sauf|pero|sino|and\ not|und\ nicht|no\ problem)\b"
    r"|^(?:no|nein|non)\b|,\ (?:not|nicht|pas|no)\b"
    r"|[;:]|,\ (?:it|we|they|he|she|i|you|es|sie|er|wir|ich|il|elle|on|nous)\b"
    r"|\b(?:can'?t|cannot|couldn'?t)\b.{0,40},\ so\b"
    r"|,\ (?:only|just|rather|nur|lediglich|seulement|s[oó]lo|solamente)\b"
    r"|\band\ (?:(?:i|we|he|she|they|it)\ )?(?:\w+n'?t|never|cannot)\b"
    r"|\band\ [a-z]+\ (?:\w+\ ){0,2}(?:no|nothing|nobody|none|nowhere)\b",
    re.VERBOSE,
)
"""What denies with one of these says something else, too, or what has changed."""
_BOUNDS: Final = expression(
    r"\b(?:more|less|fewer|rather|other|\w{2,}er)\ than\b|\b(?:until|till|unless|without|apart\ from|besides"
    r"|es\ sei\ denn|ohne|mehr\ als|weniger\ als|später\ als|früher\ als|bis|sans|avant|plus\ de|moins\ de"
    r"|sin|hasta|excepto|salvo|más\ (?:de|que)|menos\ (?:de|que))\b",
    re.VERBOSE,
)
"""What denies with one of these says how far something goes: "no later than 5 pm"."""
_LACK: Final = expression(
    r"(?:n'?t|\bnot|\bnever|\bcannot)\ (?:\w+\ )?(?:forg[eo]t\w*|miss(?:es|ed)?|minds?|fail(?:s|ed)?|wait|hesitate\w*"
    r"|doubt(?:s|ed)?|skip(?:s|ped)?|help|get\ enough)\b|\bno\ (?:doubt|wonder|matter)\b|\bnot\ bad\b",
    re.VERBOSE,
)
"""A denial of a lack denies nothing: "She never misses yoga", "I can't wait for the opera"."""
_QUOTED: Final = expression(
    r"(?<!\w)'(?=\w)(?:[^']|(?<=\w)'(?=\w)){1,60}'(?!\w)"
    '|["\u201c\u201d\u201e][^"\u201c\u201d]{1,60}["\u201c\u201d]|[«»][^«»]{1,60}[«»]|「[^」]{1,60}」|『[^』]{1,60}』'
)
_TITLED: Final = expression(
    r"(?<=[^\W_][\ ])(?:(?:No|Not|Never|Nobody|Nothing|None|Nowhere|Neither|Cannot|[A-Z][a-z]+n't)\b)"
    r"|^\W*(?:No|Never|Nothing|[A-Z][a-z]+n't)(?=(?:\ [A-Z][\w']*){2})"
)
"""What is quoted, or has capitals within a sentence, is part of a name: "the film Never Say Never"."""
_ASKS_FOR_WHAT: Final = expression(
    r"\b(?:what(?!\ (?:if|about))|which|where|when|who|whom|whose|how\ (?:much|many|often|long)|was|wer|wen|wem"
    r"|wessen|wo|wohin|woher|wann|welche[rsnm]?|wie\ ?(?:viele?|oft|lange)|quoi|que|qui|qu|quel(?:le)?s?|où|quand"
    r"|combien|qué|cuál(?:es)?|quién(?:es)?|a?dónde|cuándo|cuánt[oa]s?)\b",
    re.VERBOSE,
)
_SHORT: Final = expression(r"\bn'")


@lru_cache(maxsize=2048)  # the same texts are found again and again
def denies(text: str) -> bool | None:
    """Return whether a text says that something is not so; None if it says both, or that it is so no more.

    >>> denies("Anna doesn't like opera."), denies("Anna likes jazz."), denies("Anna no longer likes jazz.")
    (True, False, None)
    >>> denies("Anna watched 'Never Say Never'."), denies("Anna never misses jazz."), denies("No more than two.")
    (False, None, None)
    """
    plain = _plain(text)
    if _DENIAL.search(plain) is None:  # as most texts
        return False
    plain = _plain(_TITLED.sub("", _QUOTED.sub("", text.replace("\u2019", "'"))))
    if _DENIAL.search(plain) is None:
        return False
    if _AND_MORE.search(plain) or _BOUNDS.search(plain) or _LACK.search(plain):
        return None
    return None if any(_DENIAL.search(part) is None and " " in part for part in sentences(plain)) else True


def may_decide(text: str) -> bool:
    """Return whether a text is one by which a denial may decide: where none is, no question need be looked at."""
    return len(text) <= MOST_SAID and denies(text) is True


def answers_rather(question: str) -> Rather[frozenset[str], frozenset[str]] | None:
    """Return what tells whether a text answers a question, and another one speaks of what is not asked for; or None.

    >>> rather = answers_rather("What does Anna like?")
    >>> rather("Anna likes jazz.", "Anna doesn't like opera.")
    True
    >>> rather("Anna likes jazz.", "Anna doesn't like jazz.")
    False
    >>> answers_rather("Does Anna like opera?")  # yes or no

    """
    side = denies(question) if _ASKS_FOR_WHAT.search(lowered(question)) else None
    if side is None:
        return None
    short = question[:MOST_CHARACTERS]

    def words(text: str, denied: bool) -> frozenset[str] | None:
        if len(text) > MOST_SAID or denies(text) is not denied or said(text).changes:
            return None  # "won't take place" changes what is planned
        return _words(text)

    def behind(other: str) -> frozenset[str] | None:
        theirs = words(other, not side)
        return theirs if theirs and not theirs.isdisjoint(_words(short)) else None

    def decides(own: frozenset[str], theirs: frozenset[str]) -> bool:
        asked = _words(short)
        return asked & theirs <= own and bool(own - theirs - asked) and bool(theirs - own - asked)

    return Rather(lambda one: words(one, side), behind, decides)


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    """Return what a text speaks of, and the values that it gives, whether it denies them or not."""
    found = said(_DENIAL.sub(" ", _SHORT.sub("", text.replace("\u2019", "'"))))
    return found.values.union(found.about)


def _plain(text: str) -> str:
    return lowered(text.replace("\u2019", "'"))
