"""Exchanges: what a statement says is given up, where it says as well what is taken up: a gym, a train, a teacher.

"I cancelled FitOne and joined Kosmos" puts out what says "I go to FitOne", in which no word but the name is the same.
What is given up counts only if an older statement names all of it, and whoever gives it up is of that statement, too:
"My sister cancelled FitOne" changes nothing of it. A guess, in English and German, here, and in Japanese
(`exchanging_japanese`); what follows links records, and hides none. Which questions ask for what was given up,
`exchange_asked` tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ..knowledge import lowered
from ..light.expressions import expression
from .exchange_forms import BESIDE, HOLDING, IN_PART, ONCE, TAKING, TWO_PEOPLE, Form, forms_for
from .exchanging_japanese import given_up, is_japanese
from .places import people
from .saying import said

_MOST_CHARACTERS: Final = 200
_SPEAKERS: Final = frozenset({"i", "my", "we", "our", "ich", "mein", "wir", "unser"})
_OTHERS: Final = frozenset({"he", "she", "er"})
_SOMEBODY_DOES: Final = expression(r"(?P<who>[A-Z\u00c0-\u00de][\w-]+) (?:is|has|ist|hat|\w+s|\w+t)\b")
_MARKS: Final = ".,:;!?()\u2026"


class Given(NamedTuple):
    """What is given up, as words and values that statements speak of, and what the rest of the text says.

    Attributes:
        gone: the words and values of what is given up.
        come: of what is taken up, as far as it is told.
        who: those of who gives it up, and for what, if that is named.
        same: of these an older text must have one, if it must share any.
        must_share: whether the rest of the text has to speak of what the older one speaks of.
        is_own: whether it is the speaker who does; None if that is not said.
        is_of_two: whether two people part, of whom a question may name one.

    """

    gone: frozenset[str]
    come: frozenset[str]
    who: frozenset[str] = frozenset()
    same: frozenset[str] = frozenset()
    must_share: bool = False
    is_own: bool | None = None
    is_of_two: bool = False


def may_exchange(text: str) -> bool:
    """Return whether a text says that something is given up, and what is taken up in its place.

    >>> may_exchange("I cancelled FitOne and joined Kosmos."), may_exchange("I cancelled FitOne.")
    (True, False)
    """
    return bool(_given(text))


def exchanges(newer: str, older: str) -> list[Given]:
    """Return what a text says is given up that an older one names, where it says what is taken up; mostly nothing.

    >>> [each.gone for each in exchanges("I cancelled FitOne and joined Kosmos.", "I go to FitOne on Mondays.")]
    [frozenset({'fiton'})]
    >>> exchanges("My sister cancelled FitOne and joined Kosmos.", "I go to FitOne on Mondays.")
    []
    """
    given = _given(newer)
    if not given:
        return []
    if is_japanese(newer):
        return [each for each in given if all(word in older for word in each.gone | each.who)]
    old = said(older)
    theirs = old.values.union(old.about)
    before = frozenset[str]().union(*(each.gone for each in _given(older)))
    return [
        each
        for each in given
        if each.gone | each.who <= theirs
        and each.come - theirs
        and not each.gone & before
        and (not each.must_share or each.same & theirs)
        and _is_of_one(each, newer, older)
        and (each.gone & (old.names | old.values) or _is_had(each, newer, older))
    ]


def _is_had(given: Given, newer: str, older: str) -> bool:
    """Return whether what is given up, which has no name, is the speaker's, or of what both texts speak of."""
    if not _SPEAKERS.isdisjoint(lowered(older).replace("'", " ").split()):
        return True
    return not given.gone.issuperset(set(said(newer).about).intersection(said(older).about))


def _is_of_one(given: Given, newer: str, older: str) -> bool:
    """Return whether who gives something up may be whom an older text speaks of."""
    if given.is_own is None:
        return True
    words = set(lowered(older).replace("'", " ").split())
    if not given.is_own:  # "she quit": nobody knows who, but not the speaker
        return words.isdisjoint({"i", "ich"})
    if not words.isdisjoint(_SPEAKERS):
        return people(older) <= people(newer)
    does = _SOMEBODY_DOES.match(older)
    return does is None or set(said(f"of {does['who']}").about) <= given.gone.union(said(newer).about)


@lru_cache(maxsize=512)  # a text is compared with each that is found beside it
def _given(text: str) -> tuple[Given, ...]:
    """Return all that a text may say is given up, the surest first; none if it takes nothing up."""
    if len(text) > _MOST_CHARACTERS:
        return ()
    if is_japanese(text):
        return tuple(Given(frozenset(each[:1]), frozenset(), frozenset(each[1:])) for each in given_up(text))
    if not text.isascii():
        text = text.replace("\u2019", "'")
    forms = forms_for(text)
    return tuple(dict.fromkeys(_read(text, forms))) if forms and not text.rstrip().endswith("?") else ()


def _read(text: str, forms: Sequence[Form]) -> Iterator[Given]:
    is_once = any(form.kind == "instead" for form in forms) and ONCE.search(text) is not None
    for form in forms:
        for found in form.pattern.finditer(text) if form.kind != "instead" or not is_once else ():
            given = _of_form(found, text, form.kind)
            if given is not None:
                yield given


def _of_form(found: re.Match[str], text: str, kind: str) -> Given | None:
    """Return what one form says is given up, if the rest of the text says what is taken up."""
    parts = {name: part for name, part in found.groupdict().items() if part is not None}
    over = parts["o"]
    gone = _words(over)
    if not gone or (kind in ("sure", "giving") and "instead" not in parts and IN_PART.match(text, found.end("o"))):
        return None
    rest = f"{text[: found.start()]} {parts.get('instead', '')} {text[found.end() :]}"
    new = said(f"so {rest}")
    here = max(text.rfind(mark, 0, found.start()) for mark in (". ", "! ", "? ")) + 1
    before = text[here : found.start()]  # of this sentence: what an earlier one takes up is something else
    is_sure = kind not in ("giving", "going") or TAKING.search(f"{before} {text[found.end() :]}") is not None
    come = new.values.union(new.about if is_sure else new.names) - gone
    if not come:
        return None
    who = f"{parts.get('who', '')} {parts.get('thing', '')}"
    own = {word.strip(_MARKS) for word in f"{who} {over}".lower().split()}
    is_own = True if own & _SPEAKERS else False if own & _OTHERS else None
    must_share = kind == "moving" or (kind == "going" and not is_sure)
    same = frozenset(new.about) - new.names - gone
    return Given(gone, come, _words(who) - BESIDE, same, must_share, is_own, TWO_PEOPLE.search(found[0]) is not None)


def _words(text: str) -> frozenset[str]:
    """Return what a part of a statement speaks of, but for words of holding: of "my FitOne membership" the name."""
    found = said(f"of {text}")
    words = found.values.union(found.about)
    return words - HOLDING - BESIDE
