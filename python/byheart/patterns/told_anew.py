"""Notes told anew: whether a text gives, without a word of change, another value of what an older one gives.

"Turns out my shoe size is 43" does not say that "My shoe size is 42" is outdated. Who asks for the shoe size wants what
was told last all the same. A guess: both say as much of what the question asks about, and the later one gives a name or
a value wherever the older one does.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..light.expressions import expression
from .asking import asks
from .complements import answers_rather as complement
from .kinds import only_of_the_kind
from .opposites import answers_rather as opposites
from .qualifying import qualifies
from .renewing import HALF, is_of_others
from .replacing import holding_later
from .saying import Said, said
from .stating import DAYS
from .times import MONTHS_TOO
from .units import units_in
from .updating import MOST_CHARACTERS

_BESIDE: Final = expression(r"\b(?:from|in|at|to|with|near|for|about) [A-Z][\w-]*(?: [A-Z][\w-]*)*")
"""Names that are not what something is: "my manager went to Rome"."""
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
        """Return whether the newer text goes before the older one."""
        return self._speaks_of_it(newer, older) and self._gives_as_much(newer, older) and self._holds(newer, older)

    def _speaks_of_it(self, newer: str, older: str) -> bool:
        about = frozenset(self._asked.about)
        known = about.intersection(said(older).about)
        if not known or len(known) < HALF * len(about) or not known <= about.intersection(said(newer).about):
            return False
        return not qualifies(newer, known, about.union(said(older).about))  # a piano teacher is another one

    def _holds(self, newer: str, older: str) -> bool:
        if _ANOTHER.search(newer) or any(rule(older, newer) for rule in self._rules):
            return False
        if is_of_others(newer, older, self._question):
            return False
        return self._later(newer, older) and not only_of_the_kind(self._question, newer, older)

    def _gives_as_much(self, newer: str, older: str) -> bool:
        """Return whether the newer text gives a value of the kind of the older one's, if that one gives any."""
        new, old, asked = said(newer), said(older), self._asked
        if old.amounts - asked.values:
            units, other = units_in(older), units_in(newer)
            return bool(new.amounts - old.amounts) and not (units and other and units.isdisjoint(other))
        if old.times - asked.values:
            return bool(new.times - old.times) and _are_of_a_kind(new, old)
        names, plain = old.names.difference(asked.about), _names(older).difference(asked.about)
        return not names or bool((_names(newer) if plain else new.names).difference(asked.about, old.names))


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
