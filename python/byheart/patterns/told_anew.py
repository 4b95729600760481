"""Notes told anew: whether a text gives, without a word of change, another value of what an older one gives.

"Turns out my shoe size is 43" does not say that "My shoe size is 42" is outdated. Who asks for the shoe size wants what
was told last all the same. A guess: both say as much of what the question asks about, and the later one gives a name or
a value wherever the older one does.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .._core import porter_stem
from ..light.expressions import expression
from .asking import asks
from .complements import answers_rather as complement
from .kinds import only_of_the_kind
from .opposites import answers_rather as opposites
from .places import gives_a_place
from .qualifying import qualifies
from .renewing import HALF, is_of_others
from .replacing import asks_where, holding_later
from .saying import Said, said
from .stating import DAYS, NUMBER_WORDS
from .times import MONTHS_TOO
from .units import units_in
from .updating import MOST_CHARACTERS

_BESIDE: Final = expression(r"\b(?:from|in|at|to|with|near|for|about) [A-Z][\w-]*(?: [A-Z][\w-]*)*")
"""Names that are not what something is: "my manager went to Rome"."""
_LIGHT_SAID: Final = """use own store stored keep kept run call named cost take need have live lie stand belong lead
    manage maintain handle do go get set host start begin open leave happen person number work done made hold put pay
    serve deploy drink eat drive wear charge much many"""
_LIGHT: Final = frozenset(map(porter_stem, _LIGHT_SAID.split()))
"""What is done with a thing, which a later note may say by another word, or by none."""
_UNITS_SAID: Final = "mg kg gb mb ms am pm euro euros dollar month year week day hour minute"
_UNITS: Final = frozenset(map(porter_stem, _UNITS_SAID.split()))
_AMOUNT: Final = expression(r"[\d.,:/%-]+[a-z]{0,2}")
_ASKS_FOR_A_VALUE: Final = expression(
    r"\W*(?:(?:and|so|hey|hi|und),? )?(?:what|who|whose|where|when|which|how|was|wer|wem|wo|wann|wie|welche[rsnm]?)\b",
    re.IGNORECASE,
)
_CLAUSES: Final = expression(r"[,;:]|\b(?:so|and|but|because)\b", re.IGNORECASE)
_BEING: Final = expression(r"\b(?:is|are)\b")
_OF_THE_PAST: Final = expression(
    r"\b(?:was|were|had been|used to|formerly|years? ago|last (?:year|month|week)"
    r"|(?:in|until|till|up to) (?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_TOLD_OF: Final = expression(
    r"\b(?:told|asked|said|mentioned|wondered?|heard|i (?:think|feel|guess|hope|wish|believe|find))\b", re.IGNORECASE
)
"""What somebody says or thinks of a thing gives no value of it."""
_ANOTHER: Final = expression(r"^(?:an?|eine?|une?)\b|\b(?:another|andere[rsnm]?|autre|otr[oa])\b", re.IGNORECASE)


class ToldAnew:
    """Tells of two texts whether the one that was told later is what a question asks for.

    >>> anew = ToldAnew("What is my shoe size?")
    >>> anew("Turns out my shoe size is 43.", "My shoe size is 42.")
    True
    >>> anew("I told Anna about my shoe size.", "My shoe size is 42.")
    False
    """

    def __init__(self, question: str) -> None:
        self._question = question
        self._asked = said(question[:MOST_CHARACTERS])
        self._later = holding_later(question)
        self._rules = [rule for rule in (complement(question), opposites(question)) if rule is not None]

    def __call__(self, newer: str, older: str) -> bool:
        """Return whether the newer text has each word of the question that the older one has, and gives its value."""
        about = frozenset(self._asked.about)
        known = about.intersection(said(older).about)
        if not known or len(known) < HALF * len(about) or not known <= about.intersection(said(newer).about):
            return False
        return self._gives_it(newer, older, known)

    def without_the_verb(self, newer: str, older: str) -> bool:
        """Return whether the newer text has each thing of the question, lacks its verb, and gives the older's value.

        It says little more than the thing and its value then: "Backups start at 4 am" answers when the backup runs, and
        "The backup failed at 4 am" does not.
        """
        about, new, old = frozenset(self._asked.about), said(newer), said(older)
        things = about - _LIGHT if _ASKS_FOR_A_VALUE.match(self._question) else frozenset[str]()
        if not things or not things <= frozenset(old.about).intersection(new.about):
            return False
        gives = old.names | old.values | new.names | new.values or _BEING.search(newer)
        if about.intersection(old.about) <= frozenset(new.about) or not gives:
            return False
        return self._is_bare(newer, things) and self._gives_it(newer, older, things)

    def _gives_it(self, newer: str, older: str, known: frozenset[str]) -> bool:
        if not self._asked.values & said(older).values <= said(newer).values:
            return False  # what is wanted back by Wednesday is not what is wanted back by Tuesday
        known_too = frozenset((*self._asked.about, *said(older).about))
        if self._names_more(newer, known_too) or qualifies(newer, known, known_too):  # a piano teacher is another one
            return False
        return self._gives_as_much(newer, older) and self._holds(newer, older)

    def _is_bare(self, text: str, known: frozenset[str]) -> bool:
        """Return whether a text says nothing but things that are known, their values, and what is done with those."""
        given = said(text)
        words = {stem for change in given.changes for stem in said(change).about}
        who = set(said(f"of {text.split(maxsplit=1)[0]}").names)  # of the first word a capital tells nothing
        more = set(given.about).difference(known, given.names, _LIGHT, words, _UNITS, who)
        being = _BEING.search(text)
        is_said_of_it = being is not None and known <= set(said(text[: being.start()]).about)
        return len(more) <= (2 if is_said_of_it else 0)

    def _names_more(self, text: str, known: frozenset[str]) -> bool:
        """Return whether what stands before "is" names more than is known: an office party is no office."""
        being = _BEING.search(text)
        before = said(f"of {_CLAUSES.split(text[: being.start()])[-1].strip()}" if being is not None else "")
        return not set(before.about) <= known.union(before.names, _LIGHT, _UNITS)

    def _holds(self, newer: str, older: str) -> bool:
        for no_value in (_OF_THE_PAST, _TOLD_OF):
            if no_value.search(newer) and not no_value.search(older) and not no_value.search(self._question):
                return False
        if _ANOTHER.search(newer) or any(rule(older, newer) for rule in self._rules):
            return False
        if is_of_others(newer, older, self._question):
            return False
        return self._later(newer, older) and not only_of_the_kind(self._question, newer, older)

    def _gives_as_much(self, newer: str, older: str) -> bool:
        """Return whether the newer text gives a value of the kind of the older one's, if that one gives any."""
        new, old, asked = said(newer), said(older), self._asked
        amounts = {value for value in old.amounts - asked.values if value in NUMBER_WORDS or _AMOUNT.fullmatch(value)}
        if amounts:
            units, other = units_in(older), units_in(newer)
            return bool(new.amounts - old.amounts) and not (units and other and units.isdisjoint(other))
        if old.times - asked.values:
            return bool(new.times - old.times) and _are_of_a_kind(new, old)
        named = old.names | old.amounts - asked.values  # "1Password" is a name
        names, plain = named.difference(asked.about), _names(older).difference(asked.about)
        own = _names(newer) if plain and not new.changes else new.names  # "switched to Vault" says what is used
        is_placed = asks_where(self._question) and gives_a_place(newer)  # "behind the church" has no name
        return not names or is_placed or bool(own.difference(asked.about, old.names))


@lru_cache(maxsize=16)
def told_anew(question: str) -> ToldAnew | None:
    """Return what tells whether a later text gives anew what a question asks for; None of what asks nothing."""
    return ToldAnew(question) if len(question) <= MOST_CHARACTERS and asks(question) else None


def _are_of_a_kind(new: Said, old: Said) -> bool:
    """Return whether times are not days alone where the older ones are none: "at 7" and "in May"."""
    of_days = DAYS | MONTHS_TOO
    has_a_number = any(each[0].isdecimal() for each in new.times)
    return has_a_number or new.times.isdisjoint(of_days) or not old.times.isdisjoint(of_days)


def _names(text: str) -> frozenset[str]:
    """Return the names of a text that stand behind none of the words before places and company."""
    return said(_BESIDE.sub(" ", text)).names
