"""Another thing: whether a question names what an older statement speaks of, where a newer one names something else.

"The dose of statin was increased to 40 mg" changes nothing of "The dose of ramipril was increased to 10 mg", though
both are changes of a dose. A question may ask for "the dose", and the newer one is the better guess; who asks for
ramipril does not ask for statin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from .._core import ordinary_texts, porter_stem
from ..knowledge import lowered
from ..light.expressions import expression
from .saying import SMALL, Said, said, statement
from .updating import MOST_CHARACTERS

_DOES: Final = expression(r"\b(?:when|how\ (?:much|many|long))\ (?:do|does|did)\ .*?(?P<verb>\w+)\W*$", re.VERBOSE)
"""A question for an amount or a time that ends in its verb."""


_DOING: Final = frozenset({"run", "us", "need"})
"""The stems of what something does of which one asks what it is: "which version runs on prod?"."""
_NAMED: Final = expression(r"(?<=\S )([A-Z\u00c0-\u00de][\w-]+)(?:['\u2019]s\b)?")
_HEAD: Final = expression(r"\W*(?P<name>[A-Z\u00c0-\u00de][\w-]+)(?:['\u2019]s\b)?")
_WHO: Final = expression(r"\b(?:who|whom|whose|which|wer|wen|wem|welche[rsnm]?|qui|quién|chi)\b", re.IGNORECASE)
_WORD: Final = expression(r"[^\W_][\w-]*")


def begins_with_another(newer: str, older: str, question: str) -> bool:
    """Return whether a question names whom an older text speaks of, and a newer one begins with somebody else.

    Who asks who does something is told another name.

    >>> old, new = "Kestrel: review on 12 August.", "Pinecrest: review moved to 20 August."
    >>> begins_with_another(new, old, "When is the review with Kestrel?"), begins_with_another(new, old, "The review?")
    (True, False)
    >>> begins_with_another("The review moved to 20 August.", old, "When is the review with Kestrel?")
    False
    """
    if _WHO.search(question) is not None:
        return False
    head = _HEAD.match(newer)
    if head is None or ordinary_texts(porter_stem(head["name"].lower())) or head["name"].lower() in SMALL:
        return False
    new, old = ({word.lower() for word in _WORD.findall(text)} for text in (newer, older))
    asked = {word.lower() for word in _NAMED.findall(question)} & old
    return bool(asked) and asked.isdisjoint(new) and head["name"].lower() not in old


def is_of_another(newer: str, older: str, question: str) -> bool:
    """Return whether a question names a word of an older text in whose place a newer one has a word of its own.

    The place is beside a word that both have, on the same side of it, and of the word of change: "The landlord raised
    the rent" has the landlord beside the rent, and not in the place of the flat in "the rent of the flat".

    >>> old, new = "The dose of ramipril was raised to 10 mg.", "The dose of statin was raised to 40 mg."
    >>> is_of_another(new, old, "What is the dose of ramipril?"), is_of_another(new, old, "What is the dose?")
    (True, False)
    >>> is_of_another("The landlord raised the rent to 950.", "The rent of the flat is 900.", "What rent has the flat?")
    False

    """
    if max(len(newer), len(older)) > MOST_CHARACTERS:
        return False
    asked = set(said(question[:MOST_CHARACTERS]).about)
    doing = _DOES.search(lowered(question))
    if doing is not None:  # "How much does Jana charge?" asks for the amount, in whichever verb it is told
        asked.discard(porter_stem(doing["verb"]))
    asked -= _DOING
    new, old = (said(statement(text) or text) for text in (newer, older))
    theirs = asked.intersection(old.about).difference(new.about)
    if not theirs or not asked.isdisjoint(set(new.about).difference(old.about)):
        return False
    in_place_of = dict(_beside(new))
    return any(word in theirs and in_place_of.get(place, word) not in old.about for place, word in _beside(old))


def _beside(text: Said) -> Iterator[tuple[tuple[str, bool], str]]:
    """Yield which word stands right before and right behind each that a statement speaks of."""
    before = len(text.subject)
    for part in (text.about[:before], text.about[before:]):
        yield from _neighbours(part)


def _neighbours(words: Sequence[str]) -> Iterator[tuple[tuple[str, bool], str]]:
    for first, second in pairwise(words):
        yield (first, True), second
        yield (second, False), first
